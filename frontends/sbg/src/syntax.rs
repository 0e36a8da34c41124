//! Parsing a single rule or goal: nesting limit, grammar, and messages for what does not fit.

use crate::ast::{Expr, ExprId, Moves, On, Step};
use crate::codes;
use crate::lexer::{Kind, Token};
use crate::meant::{self, Certainty};
use crate::repair;
use lalrpop_util::{ParseError, lalrpop_mod};
use rg_ir::diag::alternatives;
use rg_ir::{Diagnostic, Report, SourceId, Span};

lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::too_many_lines,
        clippy::panic,
        clippy::unwrap_used,
        clippy::unreachable,
        missing_docs,
        unreachable_pub,
        unused
    )]
    grammar
);

/// Deepest nesting of brackets.
pub const MAX_NESTING: usize = 1_000;

/// A parsed entry. Everything but expressions is the number of a token.
pub(crate) enum Parsed {
    Rule { letter: u32, moves: ExprId },
    Count { letter: u32, count: u32 },
    Reach { letter: u32, squares: Vec<RawSquare> },
}

/// The tokens of a square.
#[derive(Clone, Copy)]
pub(crate) struct RawSquare {
    pub(crate) x: u32,
    pub(crate) y: u32,
}

/// An entry's tokens, and where its expressions go.
pub(crate) struct Builder<'b> {
    pub(crate) source: SourceId,
    pub(crate) text: &'b str,
    pub(crate) tokens: &'b [Token],
    pub(crate) moves: &'b mut Moves,
    pub(crate) report: &'b mut Report,
}

impl Builder<'_> {
    pub(crate) fn token(&self, number: u32) -> Option<&Token> {
        self.tokens.get(number as usize)
    }

    /// The place of a token.
    pub(crate) fn span(&self, number: u32) -> Span {
        self.token(number).map_or(Span::NONE, |token| token.span(self.source))
    }

    /// The number a token stands for.
    pub(crate) fn value(&self, number: u32) -> u32 {
        self.token(number).map_or(0, |token| token.value)
    }

    /// The letter a token stands for.
    pub(crate) fn letter(&self, number: u32) -> char {
        self.token(number).and_then(|token| token.text(self.text).chars().next()).unwrap_or('?')
    }

    fn signed(&self, number: u32) -> i32 {
        let value = i32::try_from(self.value(number)).unwrap_or(i32::MAX);
        if self.token(number).is_some_and(|token| token.kind == Kind::Negative) { -value } else { value }
    }

    fn join(&self, start: u32, end: u32) -> Span {
        self.span(start).to(self.span(end.saturating_sub(1)))
    }

    pub(crate) fn step(&mut self, dx: u32, dy: u32, on: u32, start: u32, end: u32) -> ExprId {
        let on_kind = match self.letter(on) {
            'e' => On::Empty,
            'p' => On::Opponent,
            'w' => On::Own,
            other => {
                let error = wrong_square(self.span(on), &other.to_string());
                self.report.push(error);
                On::Empty
            }
        };
        let step = Step { dx: self.signed(dx), dy: self.signed(dy), on: on_kind };
        let span = self.join(start, end);
        self.moves.push(Expr::Step(step), span)
    }

    pub(crate) fn sum(&mut self, list: Vec<ExprId>, start: u32, end: u32) -> ExprId {
        self.group(list, Expr::Sum, start, end)
    }

    pub(crate) fn concat(&mut self, list: Vec<ExprId>, start: u32, end: u32) -> ExprId {
        self.group(list, Expr::Concat, start, end)
    }

    fn group(&mut self, list: Vec<ExprId>, make: fn(Vec<ExprId>) -> Expr, start: u32, end: u32) -> ExprId {
        if let [only] = list[..] {
            return only;
        }
        let span = self.join(start, end);
        self.moves.push(make(list), span)
    }

    pub(crate) fn power(&mut self, atom: ExprId, exponent: u32, start: u32, end: u32) -> ExprId {
        let (span, exponent) = (self.join(start, end), self.value(exponent));
        self.moves.push(Expr::Power(atom, exponent), span)
    }

    pub(crate) fn star(&mut self, atom: ExprId, start: u32, end: u32) -> ExprId {
        let span = self.join(start, end);
        self.moves.push(Expr::Star(atom), span)
    }

    /// Parses the tokens, which must not be empty; linear. Reports what is wrong.
    pub(crate) fn parse(&mut self, mark: Kind) -> Option<Parsed> {
        if !self.check_nesting() {
            return None;
        }
        let tokens = self.tokens;
        let kinds = std::iter::once(mark).chain(tokens.iter().map(|token| token.kind));
        let locations = std::iter::once(0).chain(0u32..);
        let stream = kinds.zip(locations).map(|(kind, at)| (at, kind, at.saturating_add(1)));
        match grammar::EntryParser::new().parse(self, stream) {
            Ok(parsed) => Some(parsed),
            Err(error) => {
                self.explain(error);
                None
            }
        }
    }

    fn check_nesting(&mut self) -> bool {
        let mut depth = 0usize;
        for token in self.tokens {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_NESTING {
                let message = format!("brackets nest more than {MAX_NESTING} deep");
                self.report.error(codes::NESTING_TOO_DEEP, token.span(self.source), message);
                return false;
            }
        }
        true
    }

    fn explain(&mut self, error: ParseError<u32, Kind, ()>) {
        let end = u32::try_from(self.tokens.len()).unwrap_or(u32::MAX);
        let (at, expected) = match error {
            ParseError::UnrecognizedToken { token: (at, _, _), expected } => (at, expected),
            ParseError::UnrecognizedEof { expected, .. } => (end, expected),
            ParseError::InvalidToken { location } => (location, Vec::new()),
            ParseError::ExtraToken { token: (at, _, _) } => (at, Vec::new()),
            ParseError::User { error: () } => (end, Vec::new()),
        };
        if let Some((before, span)) = self.word(at) {
            let found = self.text.get(span.range()).unwrap_or_default();
            match before {
                Some(Kind::Comma) => {
                    let error = wrong_square(span, found);
                    let either = self.either(span).filter(|_| error.fixes.is_empty());
                    return self.report.push(match either {
                        Some(fix) => repair::with(error, fix).help("alternatives are added: one step for each of them"),
                        None => error,
                    });
                }
                None | Some(Kind::Hash | Kind::At) => return self.report.push(wrong_letter(span, found)),
                _ => {}
            }
        }
        let (message, help) = self.describe(at, &expected);
        // At the end of the entry, the place is behind its last token.
        let span = match self.token(at) {
            Some(token) => token.span(self.source),
            None => {
                let last = self.span(end.saturating_sub(1));
                Span { start: last.end, ..last }
            }
        };
        let error = Diagnostic::error(codes::SYNTAX, span, message);
        let error = if help.is_empty() { error } else { error.help(help) };
        let error = self.mended(error, at, &expected);
        self.report.push(error);
    }

    /// The letters that stand together around the token `at`, if it is not the first of them, and what stands before them.
    fn word(&self, at: u32) -> Option<(Option<Kind>, Span)> {
        let joins = |at: u32| {
            let (before, token) = (self.token(at.checked_sub(1)?)?, self.token(at)?);
            before.is_joined_to(token).then_some(())
        };
        joins(at)?;
        let first = (0..at).rev().find(|&at| joins(at).is_none())?;
        let last = (at..).find(|&at| joins(at.saturating_add(1)).is_none())?;
        let before = first.checked_sub(1).and_then(|at| self.token(at)).map(|token| token.kind);
        Some((before, self.span(first).to(self.span(last))))
    }

    /// What to say about the token `at`, and what to do.
    fn describe(&self, at: u32, expected: &[String]) -> (String, &'static str) {
        let kind = |at: Option<u32>| at.and_then(|at| self.token(at)).map(|token| token.kind);
        let (found, before) = (kind(Some(at)), kind(at.checked_sub(1)));
        match (before, found) {
            (Some(Kind::Open | Kind::Comma), Some(Kind::Plus)) if kind(at.checked_add(1)) == Some(Kind::Nat) => {
                return ("expected a number, found `+`".into(), "numbers have no `+` sign");
            }
            (_, Some(Kind::Star)) => return ("a `*` without `^`".into(), "any number of times is `^*`"),
            (Some(Kind::Nat | Kind::Star), Some(Kind::Caret)) => {
                return ("a second power".into(), "use round brackets: `(x^2)^2`");
            }
            (Some(Kind::Plus), Some(Kind::Plus | Kind::Close) | None) | (Some(Kind::Open), Some(Kind::Plus)) => {
                return ("an empty alternative".into(), "an empty word can be written as a power: `x^0`");
            }
            (Some(Kind::Open), Some(Kind::Close)) => return ("empty brackets".into(), ""),
            (Some(Kind::Upper | Kind::Lower), None) if self.tokens.len() <= 2 => {
                return match self.tokens.first().map(|token| token.kind) {
                    Some(Kind::At) => ("an `@` entry without squares".into(), "write `@P 0 7, 1 7`"),
                    Some(Kind::Hash) => ("a `#` entry without a number".into(), "write `#K 0`"),
                    _ => ("an empty rule".into(), "write at least one step, such as `(0,1,e)`"),
                };
            }
            _ => {}
        }
        let name = match (self.token(at), found) {
            (Some(token), _) => format!("`{}`", token.text(self.text)),
            (None, _) => "the end of the entry".to_owned(),
        };
        let mut names: Vec<String> = expected.iter().map(|e| e.trim_matches('"').to_owned()).collect();
        for name in &mut names {
            *name = match name.chars().count() {
                1 => format!("`{name}`"),
                _ if name.starts_with('u') => format!("an {name}"),
                _ => format!("a {name}"),
            };
        }
        if names.is_empty() {
            let help = if found == Some(Kind::Close) { "there are more `)` than `(`" } else { "" };
            return (format!("{name} does not belong here"), help);
        }
        let list = alternatives(&names);
        let open = found.is_none() && expected.iter().any(|e| e == "\")\"");
        let help = if open { "there are more `(` than `)`" } else { "" };
        (format!("expected {list}, found {name}"), help)
    }
}

/// The error about what a step says of the square it leads to.
fn wrong_square(span: Span, found: &str) -> Diagnostic {
    let message = format!("expected `e`, `p` or `w`, found `{found}`");
    let error = Diagnostic::error(codes::SYNTAX, span, message).suggest(found, ["e", "p", "w"]);
    match error.help {
        Some(_) => error,
        None => error.help("`e` is an empty square, `p` a piece of the other player, `w` one of the mover"),
    }
}

/// The error about a word where the letter of a piece is expected.
fn wrong_letter(span: Span, found: &str) -> Diagnostic {
    let error = Diagnostic::error(codes::SYNTAX, span, format!("expected the letter of a piece, found `{found}`"));
    let mut letters: Vec<char> = found.chars().collect();
    letters.dedup();
    match *letters {
        [letter] => meant::suggest(error, span, found, &[letter], Certainty::Sure),
        _ => error.help("every piece is called by one letter"),
    }
}
