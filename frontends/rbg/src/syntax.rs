//! Parsing an expanded section: nesting limit, grammar, and messages for what does not fit.

use lalrpop_util::{ParseError, lalrpop_mod};
use rg_ir::diag::{alternatives, closest};
use rg_ir::{Diagnostic, Report, Span, Symbol, Symbols};
use rustc_hash::FxHashMap;
use std::ops::Range;

use crate::ast::Origin;
use crate::codes;
use crate::directives::{Macro, Section, SectionText};
use crate::lexer::Kind;
use crate::macros::Expanded;
use crate::raw::{Arena, Parsed};
use crate::report::{Located, Steps};

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

/// Deepest nesting of brackets, and of operators in arithmetic.
pub const MAX_NESTING: usize = 1_000;

/// A section's expanded text, and where to complain about it.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) section: Section,
    pub(crate) place: SectionText,
    pub(crate) tokens: &'a [Expanded],
    pub(crate) steps: &'a Steps,
    pub(crate) names: &'a Symbols,
    /// All macros, for suggestions.
    pub(crate) macros: &'a [Macro],
    /// Names of macros whose definitions could not be read: that they are unknown means nothing.
    pub(crate) unread: &'a [Symbol],
}

impl Text<'_> {
    /// Where the token with that number comes from; the section's name if there is no such token.
    pub(crate) fn origin(&self, index: usize) -> Origin {
        let section = Origin { span: self.place.span, expansion: None };
        self.tokens.get(index).map_or(section, |token| token.origin(self.steps))
    }

    /// The names that macro expansion would have replaced at a token: macros, and the parameters of the macro in whose body
    /// it stands. Of both only those whose expansion `fits` there by its first token, as far as that is known. Linear in the
    /// tokens and steps.
    pub(crate) fn replaceable(&self, index: usize, fits: impl Fn(Kind, Symbol) -> bool) -> Vec<&str> {
        let called = self.kind(index + 1) == Some(Kind::ParenOpen);
        let fits = |first: Option<(Kind, Symbol)>| first.is_none_or(|(kind, symbol)| fits(kind, symbol));
        let macros = self.macros.iter().filter(|found| (found.parameters.is_none() || called) && fits(found.opening));
        let mut names: Vec<&str> = macros.map(|found| self.names.name(found.name)).collect();
        let inside = self.origin(index).expansion;
        let Some(step) = inside.and_then(|step| self.steps.steps.get(step as usize)) else { return names };
        let arguments = self.arguments(inside);
        let body = self.macros.iter().filter(|found| found.name == step.name);
        let parameters = body.filter_map(|found| found.parameters.as_deref()).flatten();
        let parameters = parameters.filter(|parameter| fits(arguments.get(parameter).copied()));
        names.extend(parameters.map(|&parameter| self.names.name(parameter)));
        names
    }

    /// The first token of what each parameter of the macro call `inside` became.
    fn arguments(&self, inside: Option<u32>) -> FxHashMap<Symbol, (Kind, Symbol)> {
        let steps = &self.steps.steps;
        let mut parameter_of: Vec<Option<Symbol>> = Vec::with_capacity(steps.len());
        for step in steps {
            let own = (step.parameter && step.outer == inside).then_some(step.name);
            let outer = step.outer.and_then(|outer| parameter_of.get(outer as usize).copied().flatten());
            parameter_of.push(own.or(outer));
        }
        let mut arguments = FxHashMap::default();
        for (index, token) in self.tokens.iter().enumerate() {
            let expansion = self.origin(index).expansion;
            let parameter = expansion.and_then(|step| parameter_of.get(step as usize).copied().flatten());
            if let (Some(parameter), Some(kind)) = (parameter, token.kind) {
                arguments.entry(parameter).or_insert((kind, token.sym));
            }
        }
        arguments
    }

    /// Where the tokens `start..end` come from: all of them if they were written in one text, else the first.
    pub(crate) fn origin_of(&self, start: usize, end: usize) -> Origin {
        let first = self.origin(start);
        let last = self.origin(end.saturating_sub(1).max(start));
        if first.expansion == last.expansion && first.span.start <= last.span.start {
            return Origin { span: first.span.to(last.span), expansion: first.expansion };
        }
        first
    }

    /// The spelling of the token with that number.
    pub(crate) fn text(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| self.names.name(token.sym))
    }

    /// Whether the token with that number names a macro whose definition could not be read.
    pub(crate) fn is_unread(&self, index: usize) -> bool {
        // Where the bracket behind a name is missing, the first parameter is read as part of it.
        let names = |token: &Expanded| {
            let text = self.names.name(token.sym);
            self.unread.iter().any(|&name| self.names.name(name).starts_with(text))
        };
        self.tokens.get(index).is_some_and(names)
    }

    pub(crate) fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).and_then(|token| token.kind)
    }

    fn error(&self, report: &mut Report, origin: Origin, code: &'static str, message: String, help: &str) {
        let mut diagnostic = Diagnostic::error(code, origin.span, message);
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        report.at(self.steps, self.names, origin, diagnostic);
    }

    /// Whether the text is there and does not nest too deeply; reports it if not.
    pub(crate) fn is_readable(&self, report: &mut Report) -> bool {
        if self.tokens.is_empty() && self.section != Section::Variables {
            let message = format!("section `{}` is empty", self.section.name());
            self.error(report, self.origin(0), codes::MISSING_SECTION, message, "");
            return false;
        }
        self.check_nesting(report)
    }

    /// Parses the text; linear. Token numbers in the result count from 0, without the marker. A mistake is the number of the token that does not fit (or
    /// that of all tokens), and what would.
    pub(crate) fn attempt(&self, arena: &mut Arena) -> Result<Parsed, (usize, Vec<String>)> {
        let marker = Kind::of_spelling(self.section.name()).into_iter();
        let kinds = self.tokens.iter().filter_map(|token| token.kind);
        // The marker shares its location with the first token, so that locations are plain token numbers.
        let locations = std::iter::once(0).chain(0u32..);
        let stream = marker.chain(kinds).zip(locations).map(|(kind, at)| (at, kind, at + 1));
        grammar::SectionParser::new().parse(arena, stream).map_err(|error| match error {
            ParseError::UnrecognizedToken { token: (at, _, _), expected } => (at as usize, expected),
            ParseError::UnrecognizedEof { expected, .. } => (self.tokens.len(), expected),
            ParseError::InvalidToken { location } => (location as usize, Vec::new()),
            ParseError::ExtraToken { token: (at, _, _) } => (at as usize, Vec::new()),
            ParseError::User { error: () } => (self.tokens.len(), Vec::new()),
        })
    }

    fn check_nesting(&self, report: &mut Report) -> bool {
        let mut depth = 0usize;
        for (index, kind) in self.tokens.iter().enumerate().filter_map(|(i, t)| Some((i, t.kind?))) {
            if kind.opens() {
                depth += 1;
            } else if kind.closes() {
                depth = depth.saturating_sub(1);
            }
            if depth > MAX_NESTING {
                let message = format!("brackets nest more than {MAX_NESTING} deep");
                self.error(report, self.origin(index), codes::NESTING_TOO_DEEP, message, "");
                return false;
            }
        }
        true
    }

    /// Reports that the token at `index`, or the end, does not fit where others would have.
    pub(crate) fn explain(&self, index: usize, expected: &[String], report: &mut Report) {
        if let Some((at, finding)) = self.without_hash(index) {
            return report.at(self.steps, self.names, self.origin(at), finding);
        }
        if let Some((at, finding)) = self.misspelt(index) {
            if !self.is_unread(at) {
                report.at(self.steps, self.names, self.origin(at), finding);
            }
            return;
        }
        let (code, message, help) = self.describe(index, expected);
        if let Some((open, finding)) = self.left_open(index) {
            return report.at(self.steps, self.names, open, finding);
        }
        if let Some((open, bracket)) = self.list_of_ended_macro(index) {
            let message = format!("`{bracket}` is not closed in this macro");
            let diagnostic = self.with_end_of_macro(index, Diagnostic::error(codes::SYNTAX, open.span, message));
            return report.at(self.steps, self.names, open, diagnostic);
        }
        // What stands where a player is missing may be right by itself, and so may what follows a macro that ends with an operator.
        let before = self.lacks_player(index) || self.ends_macro_early(index);
        let at = if before { index - 1 } else { index.min(self.tokens.len().saturating_sub(1)) };
        let mut origin = self.origin(at);
        let open = self.unclosed(index).filter(|_| self.kind(index).is_none()).map(|open| self.origin(open));
        let mut open_at = open.map_or(Span::NONE, |open| open.span);
        // Where a bracket is all that is missing, or a macro has too few, the end of the section tells nothing.
        let is_all = message.starts_with("unclosed");
        if let Some(open) = open.filter(|open| is_all || open.expansion.is_some()) {
            (origin, open_at) = (open, Span::NONE);
        }
        let mut diagnostic = Diagnostic::error(code, origin.span, message).also(open_at, "not closed");
        diagnostic.help = Some(help).filter(|help| !help.is_empty());
        if self.kind(index) == Some(Kind::Ident) {
            // A macro that is misspelt is not expanded.
            diagnostic =
                diagnostic.suggest(self.text(index), self.macros.iter().map(|found| self.names.name(found.name)));
        }
        let diagnostic = self.with_bracket(index, self.with_sign(index, expected, diagnostic));
        report.at(self.steps, self.names, origin, diagnostic);
    }

    /// The misspelt name because of which the token at `index` does not fit: that of a macro whose arguments are cut off by `;`,
    /// or that of a board in front of `(`.
    fn misspelt(&self, index: usize) -> Option<(usize, Diagnostic)> {
        let (at, message, candidates) = match (self.section, self.kind(index)?) {
            (_, Kind::Semicolon) => {
                // What a macro says has nothing to do with the brackets around its call.
                let open = self.open_bracket(index);
                let open = open.filter(|&open| self.origin(open).expansion == self.origin(index).expansion)?;
                let is_callee = |&at: &usize| {
                    let (name, bracket) = (self.origin(at).span, self.origin(open).span);
                    self.kind(at) == Some(Kind::Ident) && name.end == bracket.start
                };
                let at = open.checked_sub(1).filter(is_callee)?;
                if let Some(later) = self.defined_later(at) {
                    return Some((at, later));
                }
                let macros = self.macros.iter().filter(|found| found.parameters.is_some());
                let message =
                    format!("`{}` is not a macro, and only macros take arguments separated by `;`", self.text(at));
                (at, message, macros.map(|found| self.names.name(found.name)).collect())
            }
            (Section::Board, Kind::ParenOpen) if index == 1 && self.kind(0) == Some(Kind::Ident) => {
                let message = format!("`{}` is not a kind of board", self.text(0));
                (0, message, vec!["rectangle", "hexagon", "cuboid"])
            }
            (_, Kind::ParenOpen) => {
                let at = index.checked_sub(1).filter(|&at| self.kind(at) == Some(Kind::Ident))?;
                let macros = self.macros.iter().filter(|found| found.parameters.is_some());
                let macros: Vec<&str> = macros.map(|found| self.names.name(found.name)).collect();
                closest(self.text(at), macros.iter().copied())?;
                (at, format!("`{}` is not a macro", self.text(at)), macros)
            }
            _ => return None,
        };
        let finding = Diagnostic::error(codes::UNKNOWN_NAME, self.origin(at).span, message);
        let suggested = finding.suggest(self.text(at), candidates.iter().copied());
        let known = || {
            let names: Vec<String> = candidates.iter().take(10).map(|name| format!("`{name}`")).collect();
            format!("expected {}", alternatives(&names))
        };
        Some((at, if suggested.help.is_none() && !candidates.is_empty() { suggested.help(known()) } else { suggested }))
    }

    /// The error that the name at `at` is that of a macro which is defined further down, or in whose definition it stands; where it stands, macros above
    /// have been expanded.
    pub(crate) fn defined_later(&self, at: usize) -> Option<Diagnostic> {
        let symbol = self.tokens.get(at)?.sym;
        let called = self.kind(at + 1) == Some(Kind::ParenOpen);
        let place = self.origin(at).span;
        let is_meant = |found: &&Macro| {
            found.name == symbol && (called || found.parameters.is_none()) && place.start < found.all.end
        };
        let found = self.macros.iter().find(is_meant)?;
        let name = self.text(at);
        let (message, help) = if found.all.start <= place.start {
            let help = "a macro can be used below its definition only; what is repeated is written with `*`";
            (format!("the macro `{name}` is used in its own definition"), help)
        } else {
            let help = "a macro can be used further down only: move its definition up";
            (format!("the macro `{name}` is used before its definition"), help)
        };
        let error = Diagnostic::error(codes::UNKNOWN_NAME, place, message);
        Some(error.also(found.span, "defined here").help(help))
    }

    /// The brackets that stand directly behind the name at `index`, as the arguments of a macro do. Linear in what is between them.
    pub(crate) fn arguments_of(&self, index: usize) -> Option<Range<usize>> {
        let open = index + 1;
        let (name, bracket) = (self.origin(index).span, self.origin(open).span);
        if self.kind(open) != Some(Kind::ParenOpen) || (name.source, name.end) != (bracket.source, bracket.start) {
            return None;
        }
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.kind(at)? {
                Kind::ParenOpen => depth += 1,
                Kind::ParenClose if depth == 1 => return Some(open..at + 1),
                Kind::ParenClose => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The innermost bracket `(` that is open at `index`.
    pub(crate) fn open_bracket(&self, index: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..index).rev() {
            match self.kind(at) {
                Some(Kind::ParenClose) => depth += 1,
                Some(Kind::ParenOpen) if depth == 0 => return Some(at),
                Some(Kind::ParenOpen) => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// What to say about the token at `index` (possibly the end), given the tokens that would have been accepted.
    fn describe(&self, index: usize, expected: &[String]) -> (&'static str, String, String) {
        let found = self.kind(index);
        let before = index.checked_sub(1).and_then(|i| self.kind(i));
        let accepts = |text: &str| expected.iter().any(|e| e.trim_matches('"') == text);
        let name = format!("`{}`", self.text(index));
        let plain = |code, message: &str, help: &str| (code, message.to_owned(), help.to_owned());
        if found.is_some_and(|k| matches!(k, Kind::Star | Kind::Caret)) {
            if before == Some(Kind::Caret) {
                return plain(
                    codes::SYNTAX,
                    "expected a number after `^`",
                    "there is no `^*`; any number of times is `*`",
                );
            }
            if self.section == Section::Rules && before.is_some_and(|k| matches!(k, Kind::Star | Kind::Nat)) {
                return plain(codes::DOUBLE_SUFFIX, "a second suffix", "use round brackets: `(a*)*`, `(a^2)*`");
            }
        }
        if let (Some(Kind::BraceOpen | Kind::BracketOpen), Some(Kind::Question | Kind::Bang | Kind::Dollar)) =
            (before, found)
        {
            let whole = format!("{}{}", self.text(index - 1), self.text(index));
            let message = format!("`{whole}` is one token and cannot be split");
            return (codes::SYNTAX, message, format!("write `{whole}`, without space or macro in between"));
        }
        if accepts("(") && accepts("number") && matches!(found, Some(Kind::Minus | Kind::Plus)) {
            let help = "there are no signs, only sums and differences: write `0-1`";
            return (codes::SYNTAX, format!("expected a number or name, found {name}"), help.to_owned());
        }
        let ends = matches!(found, None | Some(Kind::Plus | Kind::ParenClose | Kind::BraceClose));
        if ends && accepts("->>") && !accepts("+") {
            return plain(codes::EMPTY, "an empty alternative", "every alternative needs an action");
        }
        if self.lacks_player(index) {
            let found = if found.is_some() { name } else { "the end of the rules".to_owned() };
            let message = format!("expected a player after `->`, found {found}");
            return (codes::SYNTAX, message, "`->>`, without a player, hands over to the keeper".to_owned());
        }
        if matches!(self.section, Section::Players | Section::Variables) && before == Some(Kind::Ident) && accepts("(")
        {
            let name = self.text(index - 1);
            let help = format!("write it in brackets, as in `{name}(100)`");
            return (codes::SYNTAX, format!("the greatest value of `{name}` is missing"), help);
        }
        if before == Some(Kind::BracketOpen) && found == Some(Kind::BracketClose) {
            return plain(codes::EMPTY, "an empty list", "`[]` names no piece; `{}` is the test that never holds");
        }
        if self.section == Section::Board && found == Some(Kind::Comma) && before == Some(Kind::BracketClose) {
            return plain(codes::SYNTAX, "unexpected `,`", "rows follow each other without signs between them");
        }
        if self.section == Section::Board && found == Some(Kind::Minus) && before == Some(Kind::Ident) {
            return plain(codes::SYNTAX, "unexpected `-`", "names consist of letters and digits only, as `northWest`");
        }
        let message = match found {
            None => match self.unclosed(index) {
                Some(open) => format!("unclosed `{}` in section `{}`", self.text(open), self.section.name()),
                None => format!("section `{}` is incomplete", self.section.name()),
            },
            Some(kind) if kind.is_keyword() && accepts("name") => {
                format!("{name} is a reserved word and cannot be a name")
            }
            Some(Kind::Ident) if before == Some(Kind::Ident) && accepts(",") && !accepts("name") => {
                format!("expected `,` before {name}")
            }
            Some(Kind::ParenClose | Kind::BraceClose | Kind::BracketClose) if self.unopened(index) => {
                format!("{name} closes nothing")
            }
            Some(Kind::Semicolon) => {
                return plain(
                    codes::SYNTAX,
                    "unexpected `;`",
                    "`;` separates the arguments of macros, and nothing else",
                );
            }
            Some(_) => format!("unexpected {name}"),
        };
        (codes::SYNTAX, message, expectation(expected))
    }

    /// Whether an arrow stands before the token at `index`, which is no player.
    fn lacks_player(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|at| self.kind(at));
        self.section == Section::Rules
            && before == Some(Kind::Arrow)
            && !self.kind(index).is_some_and(|kind| kind == Kind::Ident || kind.is_keyword())
    }

    /// Whether the token at `index` is from another text than the macro that the one at `within` was written in, or in: that macro has ended.
    pub(crate) fn has_ended(&self, within: usize, index: usize) -> bool {
        let step = self.origin(within).expansion;
        let outer = |&step: &u32| self.steps.steps.get(step as usize).and_then(|step| step.outer);
        let own = self.tokens.get(index).and_then(|_| self.origin(index).expansion);
        step.is_some_and(|step| !std::iter::successors(own, outer).any(|around| around == step))
    }

    /// Whether the token at `index` does not fit because the macro before it ends with an operator.
    fn ends_macro_early(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        matches!(self.kind(before), Some(Kind::Plus | Kind::Caret)) && self.has_ended(before, index)
    }

    /// The innermost bracket around `index`, with its spelling, if it is one of a list, and the macro has ended in which it stands.
    fn list_of_ended_macro(&self, index: usize) -> Option<(Origin, &str)> {
        let open = self.unclosed(index)?;
        let is_list =
            matches!(self.kind(open)?, Kind::BraceOpen | Kind::BracketOpen | Kind::AssignOpen | Kind::CompareOpen);
        (is_list && self.section == Section::Rules && self.has_ended(open, index))
            .then(|| (self.origin(open), self.text(open)))
    }

    /// The innermost bracket before `index` that is not closed.
    pub(crate) fn unclosed(&self, index: usize) -> Option<usize> {
        let mut open = Vec::new();
        for (at, kind) in self.tokens.iter().take(index).enumerate() {
            match kind.kind {
                Some(kind) if kind.opens() => open.push(at),
                Some(kind) if kind.closes() => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// Whether the closing bracket at `index` has no opening one.
    fn unopened(&self, index: usize) -> bool {
        let mut depth = 0usize;
        for kind in self.tokens.iter().take(index).filter_map(|token| token.kind) {
            if kind.opens() {
                depth += 1;
            } else if kind.closes() {
                depth = depth.saturating_sub(1);
            }
        }
        depth == 0
    }
}

/// A line about what would have been accepted; empty if nothing is known.
fn expectation(expected: &[String]) -> String {
    let mut words: Vec<String> = Vec::new();
    let all: Vec<&str> = expected.iter().map(|e| e.trim_matches('"')).collect();
    let action = ["->>", "->", "{?", "{!", "{$", "[$", "(", "{", "[", ".", "name"];
    let is_action = all.contains(&"->>");
    if is_action {
        words.push("an action".to_owned());
    }
    for word in all.iter().filter(|w| !(is_action && action.contains(w))) {
        words.push(match *word {
            "name" => "a name".to_owned(),
            "number" => "a number".to_owned(),
            other => format!("`{other}`"),
        });
    }
    if words.is_empty() { String::new() } else { format!("expected {}", alternatives(&words)) }
}
