//! What the grammar builds, and messages for what does not fit.

use crate::ast::*;
use crate::codes;
use crate::lexer::{FOR_ALL, Kind, Token};
use lalrpop_util::{ParseError, lalrpop_mod};
use rg_ir::diag::alternatives;
use rg_ir::diag::closest;
use rg_ir::{Diagnostic, Report, SourceId, Span, Symbol};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

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

/// All tokens of a text, and where its tree goes.
pub(crate) struct Builder<'a> {
    pub(crate) source: SourceId,
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
    pub(crate) tree: &'a mut Source,
    pub(crate) report: &'a mut Report,
    /// Names that are declared with a `:` somewhere, once that is asked for.
    pub(crate) declared: OnceCell<FxHashSet<&'a str>>,
}

/// A declaration, or what is left of it behind a mistake: tokens `start..end` of `first..end`.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) first: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is_graph: bool,
}

/// What the grammar calls: parts of the tree. Places are token numbers.
impl Builder<'_> {
    fn token(&self, index: u32) -> Option<Token> {
        self.tokens.get(index as usize).copied()
    }

    fn text_of(&self, index: u32) -> &str {
        self.token(index).map_or("", |token| token.text(self.text))
    }

    /// The place of the tokens `l..r`.
    pub(crate) fn span(&self, l: u32, r: u32) -> Span {
        let place = |index| self.token(index).map_or(Span::NONE, |token: Token| token.span(self.source));
        place(l).to(place(r.saturating_sub(1)))
    }

    pub(crate) fn name(&mut self, at: u32) -> Name {
        let text = self.token(at).map_or("", |token| token.text(self.text));
        Name { symbol: self.tree.symbols.intern(text), span: self.span(at, at + 1) }
    }

    pub(crate) fn number(&mut self, at: u32) -> u64 {
        let number = self.text_of(at).parse().ok().filter(|&number| i64::try_from(number).is_ok());
        if number.is_none() {
            let message = format!("found a number that is too large, expected at most {}", i64::MAX);
            self.report.error(codes::SYNTAX, self.span(at, at + 1), message);
        }
        number.unwrap_or(0)
    }

    pub(crate) fn expr(&mut self, expr: Expr, l: u32, r: u32) -> ExprRef {
        let id = ExprRef(small(self.tree.exprs.len()));
        self.tree.exprs.push((expr, self.span(l, r)));
        id
    }

    pub(crate) fn binary(&mut self, operator: Operator, a: ExprRef, b: ExprRef, l: u32, r: u32) -> ExprRef {
        self.expr(Expr::Binary(operator, a, b), l, r)
    }

    pub(crate) fn pattern(&mut self, pattern: Pattern) -> PatternRef {
        let id = PatternRef(small(self.tree.patterns.len()));
        self.tree.patterns.push(pattern);
        id
    }

    pub(crate) fn statement(&mut self, kind: StatementKind, l: u32, r: u32) -> StatementRef {
        let id = StatementRef(small(self.tree.statements.len()));
        self.tree.statements.push(Statement { kind, span: self.span(l, r) });
        id
    }

    pub(crate) fn domain(&mut self, name: Name, elements: Vec<Element>) {
        self.tree.order.push(Declaration::Domain(self.tree.domains.len()));
        self.tree.domains.push(Domain { name, elements });
    }

    pub(crate) fn variable(&mut self, name: Name, ty: Type, initial: Option<ExprRef>) {
        self.tree.order.push(Declaration::Variable(self.tree.variables.len()));
        self.tree.variables.push(Variable { name, ty, initial });
    }

    pub(crate) fn function(&mut self, name: Name, ty: Type, cases: Vec<(Name, Case)>) {
        let mut other_names: Vec<Symbol> = Vec::new();
        for (of, _) in cases.iter().filter(|(of, _)| *of != name) {
            // Where a declaration is missing, its first case tells.
            if other_names.contains(&of.symbol) {
                continue;
            }
            other_names.push(of.symbol);
            let (text, other) = (self.tree.symbols.name(name.symbol), self.tree.symbols.name(of.symbol));
            let message = format!("found a case of `{other}` among the cases of `{text}`");
            let error = Diagnostic::error(codes::SYNTAX, of.span, message).suggest(other, [text]);
            self.report.push(error.note("a function is declared with its type: `f: A -> B`"));
        }
        let cases = cases.into_iter().map(|(_, case)| case).collect();
        self.tree.order.push(Declaration::Function(self.tree.functions.len()));
        self.tree.functions.push(Function { name, ty, cases });
    }

    pub(crate) fn graph(&mut self, reusable: bool, name: Name, parameters: Vec<(Name, Type)>, body: Block) {
        self.tree.order.push(Declaration::Graph(self.tree.graphs.len()));
        self.tree.graphs.push(Graph { name, reusable, parameters, body });
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Tokens as the grammar wants them.
struct Stream<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    part: Part,
    /// Whether the token in front that tells the rest of a graph from a declaration is yet to come.
    marker: bool,
}

impl Stream<'_> {
    fn kind(&self, ahead: usize) -> Option<Kind> {
        let index = self.at + ahead;
        self.tokens.get(index).filter(|_| index < self.part.end).map(|token| token.kind)
    }

    /// The next kind, and the number of tokens it is made of.
    fn joined(&self) -> Option<(Kind, usize)> {
        let kind = self.kind(0)?;
        let is_word = || self.tokens.get(self.at).is_some_and(|token| token.text(self.text) == FOR_ALL);
        Some(match (kind, self.kind(1), self.kind(2)) {
            (Kind::ParenOpen, Some(Kind::Star), Some(Kind::ParenClose)) => (Kind::AnyValue, 3),
            (Kind::Lower, Some(name), Some(Kind::Colon)) if self.part.is_graph && name.is_name() && is_word() => {
                (Kind::ForAll, 1)
            }
            _ => (kind, 1),
        })
    }
}

impl Iterator for Stream<'_> {
    type Item = (u32, Kind, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let start = small(self.at);
        if std::mem::take(&mut self.marker) {
            return Some((start, Kind::Rest, start));
        }
        let (kind, length) = self.joined()?;
        self.at += length;
        Some((start, kind, small(self.at)))
    }
}

/// Words that begin declarations and statements.
const WORDS: [&str; 12] =
    ["domain", "graph", "reusable", "if", "then", "else", "loop", "while", "repeat", "branch", "where", "forall"];

/// Terminals of the grammar that are not words of the language.
const TERMINALS: [&str; 4] = ["lower", "upper", "number", "rest"];

/// A misspelt word is looked for in so many tokens before the one that does not fit.
const MISSPELT_BEFORE: usize = 4;

/// Running the grammar.
impl Builder<'_> {
    /// Parses a declaration, or what is left of it. A mistake is reported; the result is its token number. Linear.
    pub(crate) fn parse(&mut self, part: Part) -> Result<(), usize> {
        self.attempt(part).map_err(|(at, expected)| {
            self.explain(at, part, &expected);
            at
        })
    }

    /// The same, but a mistake is not reported: the result is its token number, and the terminals that would have fitted.
    pub(crate) fn attempt(&mut self, part: Part) -> Result<(), (usize, Vec<String>)> {
        let marker = part.start > part.first;
        let stream = Stream { text: self.text, tokens: self.tokens, at: part.start, part, marker };
        grammar::PieceParser::new().parse(self, stream).map_err(|error| match error {
            ParseError::UnrecognizedToken { token: (at, _, _), expected } => (at as usize, expected),
            ParseError::UnrecognizedEof { expected, .. } => (part.end, expected),
            ParseError::InvalidToken { location } => (location as usize, Vec::new()),
            ParseError::ExtraToken { token: (at, _, _) } => (at as usize, Vec::new()),
            ParseError::User { error: () } => (part.end, Vec::new()),
        })
    }

    /// The finding that the token `at` does not fit, before anything is suggested.
    fn misfit(&self, at: usize, part: Part, expected: &[String]) -> Diagnostic {
        let token = self.tokens.get(at).copied();
        let found = match token {
            None => "the end of the file".to_owned(),
            Some(token) if token.kind.is_reserved() => format!("the reserved word `{}`", token.text(self.text)),
            Some(token) if token.end - token.start > 60 => "a long name".to_owned(),
            Some(token) => format!("`{}`", token.text(self.text)),
        };
        let list = match expectation(expected) {
            list if list.is_empty() => "the declaration to end".to_owned(),
            list => list,
        };
        match self.behind(at, part).filter(|_| !self.is_meant(at, part, expected)) {
            Some(behind) => {
                let further = token.map_or_else(String::new, |_| format!(", found {found} further on"));
                Diagnostic::error(codes::SYNTAX, behind, format!("expected {list} here{further}"))
            }
            None => Diagnostic::error(codes::SYNTAX, self.place(at), format!("found {found}, expected {list}")),
        }
    }

    /// Where the token `at` stands; the end of the text if there is none.
    fn place(&self, at: usize) -> Span {
        let end = || Span::new(self.source, self.text.len(), self.text.len());
        self.tokens.get(at).map_or_else(end, |token| token.span(self.source))
    }

    /// Reports that the token `at` does not fit.
    fn explain(&mut self, at: usize, part: Part, expected: &[String]) {
        let accepts = |word: &str| expected.iter().any(|e| e.trim_matches('"') == word);
        let token = self.tokens.get(at).copied();
        if token.is_some_and(|token| token.kind == Kind::Unknown) {
            // Reported already.
            return;
        }
        let span = self.place(at);
        let special = self.without_brackets(at, part, expected).or_else(|| self.foreign(at, part, expected));
        if let Some(finding) = special {
            return self.report.push(finding);
        }
        let error = self.misfit(at, part, expected);
        if let Some(completed) = self.completed(&error, at, part, expected) {
            return self.report.push(completed);
        }
        // A name that nothing can follow as it does may be a misspelt word.
        let before =
            at.checked_sub(1).filter(|&before| before >= part.start).and_then(|before| self.tokens.get(before));
        // So may be a name where a word is expected.
        let expects = expected.iter().map(|e| e.trim_matches('"')).filter(|e| !TERMINALS.contains(e));
        let name = token.filter(|token| matches!(token.kind, Kind::Lower | Kind::Upper));
        let is_open = |token: &Token| !self.is_declared(token.text(self.text));
        let near = name.filter(is_open).and_then(|token| closest(token.text(self.text), expects));
        let error = self.of_another_language(error, at, part);
        let error = match before {
            _ if error.help.is_some() => error,
            _ if near.is_some() => {
                let name = token.map_or("", |token| token.text(self.text));
                self.unless_used(error.suggest_at(span, name, near), name)
            }
            Some(word) if matches!(word.kind, Kind::Lower | Kind::Upper) && is_open(word) => {
                let name = word.text(self.text);
                self.unless_used(error.suggest_at(word.span(self.source), name, WORDS), name)
            }
            _ => error,
        };
        let error = if error.help.is_none() { self.with_word(error, at, part) } else { error };
        // Only an element of a domain may be followed by these two.
        let is_range = token.is_some_and(|token| token.text(self.text) == "..") && accepts("|") && accepts("(");
        let error = if is_range && error.help.is_none() { error.help(RANGE) } else { error };
        let error = self.with_range(error, at, part);
        let error = unknown_keyword(error);
        let (open, closes_nothing) = self.brackets(part, at);
        let Some(kind) = token.map(|token| token.kind).filter(|_| at < part.end) else {
            let place = open.map_or(Span::NONE, |open| open.span(self.source));
            return self.report.push(error.also(place, "this is not closed"));
        };
        let statement = accepts("branch");
        let not_closed = open.filter(|open| match open.kind {
            Kind::BraceOpen => kind.closes() && !fit(open.kind, kind),
            Kind::ParenOpen => accepts(")"),
            _ => accepts("]"),
        });
        self.report.push(match kind {
            Kind::Comma if accepts(";") => {
                error.help("entries of a map are separated by `;`").fix("write `;`", span, ";")
            }
            Kind::Equal if statement => match self.called_variable(at, part) {
                Some(finding) => finding,
                None => error.help("is the right side of the assignment before it missing?"),
            },
            Kind::Equal if accepts("==") => error.help("equality is written `==`").fix("write `==`", span, "=="),
            Kind::EqualEqual if accepts("=") => {
                error.help("assignments are written with `=`").fix("write `=`", span, "=")
            }
            Kind::Const | Kind::Type | Kind::Var => {
                error.help("declarations begin with `domain`, with `graph`, or with a name and `:`")
            }
            Kind::Semicolon if accepts("branch") => {
                error.help("a statement ends with its line, without a sign").fix("remove `;`", span, "")
            }
            _ if kind.closes() && closes_nothing => error.help("this bracket closes nothing"),
            _ if not_closed.is_some() => {
                error.also(not_closed.map_or(Span::NONE, |open| open.span(self.source)), "this is not closed")
            }
            _ if kind.is_reserved() && accepts("lower") && !statement => error.note("reserved words cannot be names"),
            _ => error,
        });
    }

    /// The place right behind the token before `at`, if `at` is on another line, or the end: what is missing is missing there.
    fn behind(&self, at: usize, part: Part) -> Option<Span> {
        let before = self.tokens.get(at.checked_sub(1).filter(|&before| before >= part.start)?)?;
        let next = self.tokens.get(at).map_or(self.text.len(), |token| token.start as usize);
        let gap = self.text.get(before.end as usize..next)?;
        (at >= self.tokens.len() || gap.contains('\n'))
            .then(|| Span::new(self.source, before.end as usize, before.end as usize))
    }

    /// Whether the token `at` is the mistake, and not what is missing in front of it: a bracket that closes nothing, a reserved word or a misspelt one.
    fn is_meant(&self, at: usize, part: Part, expected: &[String]) -> bool {
        let Some(token) = self.tokens.get(at).filter(|_| at < part.end) else { return false };
        let expects = expected.iter().map(|e| e.trim_matches('"')).filter(|e| !TERMINALS.contains(e));
        let text = token.text(self.text);
        let is_name = matches!(token.kind, Kind::Lower | Kind::Upper);
        (token.kind.closes() && self.brackets(part, at).1)
            || (token.kind.is_reserved() && expected.iter().any(|e| e.trim_matches('"') == "lower"))
            || (is_name && !self.is_declared(text) && closest(text, expects).is_some())
    }

    /// Suggests how something is written that other languages have: `elif`, and `forall x in T`. Also the beginning of a declaration.
    fn of_another_language(&self, error: Diagnostic, at: usize, part: Part) -> Diagnostic {
        let before = at.checked_sub(1).filter(|&before| before >= part.start);
        let Some(word) = before.and_then(|before| self.tokens.get(before)) else { return error };
        let (place, text) = (word.span(self.source), word.text(self.text));
        let next = self.tokens.get(at + 1).map(|token| token.kind);
        match text {
            "elif" | "elsif" | "elseif" => error.help("write `else if`").fix("write `else if`", place, "else if"),
            FOR_ALL if next == Some(Kind::In) => error
                .help("a choice from a domain is written `branch x in T { … }`")
                .fix("write `branch`", place, "branch"),
            _ if at == part.start + 1 && at >= part.end && !part.is_graph && word.kind.is_name() => {
                let begun: Vec<&str> =
                    ["domain", "graph", "reusable"].into_iter().filter(|word| word.starts_with(text)).collect();
                match begun.as_slice() {
                    [begun] => {
                        Diagnostic::error(codes::SYNTAX, place, format!("found `{text}`, expected a declaration"))
                            .help(format!("did you mean `{begun}`?"))
                            .fix(format!("replace `{text}` by `{begun}`"), place, *begun)
                    }
                    _ => error,
                }
            }
            _ => error,
        }
    }

    /// Suggests a reserved word for a name that stands right before another one, at the token `at` or a little before it.
    fn with_word(&self, error: Diagnostic, at: usize, part: Part) -> Diagnostic {
        let from = at.saturating_sub(MISSPELT_BEFORE).max(part.first);
        let near = self.tokens.get(from..).unwrap_or_default().windows(2).take(at + 1 - from.min(at));
        let name = |token: &Token| matches!(token.kind, Kind::Lower | Kind::Upper);
        let misspelt = near.rev().find_map(|pair| match pair {
            [word, next] if name(word) && (name(next) || next.kind == Kind::Number) => {
                closest(word.text(self.text), WORDS).filter(|_| !self.is_declared(word.text(self.text))).map(|_| word)
            }
            _ => None,
        });
        match misspelt {
            Some(word) => {
                let name = word.text(self.text);
                self.unless_used(error.suggest_at(word.span(self.source), name, WORDS), name)
            }
            None => error,
        }
    }

    /// A finding that takes a name for a misspelt word, with fixes that are certain no longer where the text has that name elsewhere, too: it may be meant,
    /// as the player `white` is, which is close to `while`. Linear in the tokens.
    fn unless_used(&self, finding: Diagnostic, name: &str) -> Diagnostic {
        let is_used = self.tokens.iter().filter(|token| token.text(self.text) == name).nth(1).is_some();
        if is_used && !finding.fixes.is_empty() { finding.unsure() } else { finding }
    }

    /// Whether a name is declared with a `:`, such as a variable or a parameter: it is no misspelt word.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        let all = || {
            let pairs = self.tokens.windows(2).filter(|pair| pair.last().is_some_and(|next| next.kind == Kind::Colon));
            pairs.filter_map(|pair| pair.first()).map(|token| token.text(self.text)).collect()
        };
        self.declared.get_or_init(all).contains(name)
    }

    /// The innermost bracket that is open at a token, and whether the token closes none.
    fn brackets(&self, part: Part, at: usize) -> (Option<Token>, bool) {
        let open = self.open(part, at);
        (open.last().copied(), open.is_empty())
    }
}

/// Whether two brackets belong together.
pub(crate) fn fit(open: Kind, close: Kind) -> bool {
    matches!(
        (open, close),
        (Kind::ParenOpen, Kind::ParenClose)
            | (Kind::BraceOpen, Kind::BraceClose)
            | (Kind::BracketOpen, Kind::BracketClose)
    )
}

/// Groups of terminals that have a name for people: a group is there if all of the first list are expected, and then
/// stands for all of both lists.
const GROUPS: [(&[&str], &[&str], &str); 6] = [
    (&["domain", "graph"], &["reusable", "lower", "upper", "number", "_", "rest"], "a declaration"),
    (
        &["branch", "loop", "$$"],
        &["lower", "upper", "number", "_", "forall", "if", "while", "repeat", "$", "$_"],
        "a statement",
    ),
    (&["+", "%"], &["-", "in", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "(", "[", "(*)", "->"], "an operator"),
    (&["if", "(", "lower"], &["upper", "number", "_", "{"], "an expression"),
    (&["lower", "upper"], &["number", "_"], "a name"),
    (&["number"], &[], "a decimal number"),
];

/// How a range is written that stands where an element of a domain is expected.
const RANGE: &str = "elements are listed, as `0 | 1 | 2`; a range follows `where`, as in `Heap(N) where N in 0..5`";

/// What would have been accepted, for people; empty if nothing is.
fn expectation(expected: &[String]) -> String {
    let mut left: Vec<&str> = expected.iter().map(|e| e.trim_matches('"')).collect();
    let mut words: Vec<String> = Vec::new();
    for (needed, more, name) in GROUPS {
        if needed.iter().all(|word| left.contains(word)) {
            words.push(name.to_owned());
            left.retain(|word| !needed.contains(word) && !more.contains(word));
        }
    }
    words.extend(left.iter().filter(|word| **word != "rest").map(|word| format!("`{word}`")));
    alternatives(&words)
}
/// The finding at the first word of a declaration if that is what its fix replaces: the misspelt word is the mistake, not what follows it.
fn unknown_keyword(error: Diagnostic) -> Diagnostic {
    let edit = match error.fixes.as_slice() {
        [fix] => fix.edits.first().filter(|edit| ["domain", "graph"].contains(&edit.text.as_str())),
        _ => None,
    };
    let Some((span, word)) = edit.and_then(|edit| Some((edit.span, edit.instead_of.as_deref()?))) else { return error };
    let fresh = Diagnostic::error(codes::SYNTAX, span, format!("unknown keyword `{word}`"));
    Diagnostic { help: error.help, fixes: error.fixes, ..fresh }
}
