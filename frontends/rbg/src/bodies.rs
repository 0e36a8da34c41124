//! Macros that the sections do not use: what would be wrong in every call of them. The language does not look at them, so these are warnings.
//!
//! A body is expanded with holes for its parameters. What a hole becomes is not known, so only tokens next to each other are judged that no hole
//! stands between, and brackets of which none may come from a hole.

use crate::brackets::spelling;
use crate::codes;
use crate::declare::{Declared, Scope};
use crate::directives::{Directives, Macro, SectionText};
use crate::lexer::{Kind, Token};
use crate::macros::{Expanded, Expander};
use crate::repair::{begins_action, closing, fit};
use crate::report::Located;
use crate::undeclared::{OPERAND, PIECE, PLAYER};
use rg_ir::{Diagnostic, Report, Severity, SourceId, Span, Symbol, Symbols};
use rustc_hash::FxHashSet;

/// Tokens and steps of expansion that are made at most, over all macros.
const LIMIT: usize = 200_000;

/// What the sections of a description say.
pub(crate) struct Known<'e> {
    /// The names that are declared.
    pub(crate) scope: Scope,
    /// All names in the section of the board: vertices are among them.
    pub(crate) places: FxHashSet<Symbol>,
    /// Which macros the sections use, by position in [`Directives::macros`].
    pub(crate) used: &'e [bool],
}

/// Warns of what is wrong in macros that are not used. Linear in their expansions, which are limited.
pub(crate) fn check(
    source: SourceId,
    tokens: &[Token],
    directives: &Directives,
    known: &Known<'_>,
    names: &mut Symbols,
    report: &mut Report,
) {
    let unused = directives.macros.iter().zip(known.used).filter(|&(_, &used)| !used);
    let unused: Vec<&Macro> = unused.map(|(found, _)| found).collect();
    if unused.is_empty() {
        return;
    }
    let (mut calls, mut found) = (Report::default(), Report::default());
    let mut expander = Expander::new(source, tokens, directives, LIMIT, names, &mut calls);
    for unused in unused {
        let text = SectionText { span: unused.span, body: unused.body, directive: unused.directive };
        let Some((expanded, _)) = expander.expand(&text) else { continue };
        let body = Body { of: unused, tokens: &expanded, directives, known, expander: &expander };
        body.syntax(&mut found);
        body.names(&mut found);
    }
    let all = calls.finish().into_iter().chain(found.finish());
    for finding in all.filter(|finding| finding.code != codes::EXPANSION_TOO_LARGE) {
        report.push(Diagnostic { severity: Severity::Warning, ..finding });
    }
}

/// The expanded body of a macro.
struct Body<'a> {
    of: &'a Macro,
    tokens: &'a [Expanded],
    directives: &'a Directives,
    known: &'a Known<'a>,
    expander: &'a Expander<'a>,
}

impl Body<'_> {
    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).and_then(|token| token.kind)
    }

    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| self.expander.names.name(token.sym))
    }

    fn report(
        &self,
        at: usize,
        code: &'static str,
        message: String,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
        report: &mut Report,
    ) {
        let Some(token) = self.tokens.get(at) else { return };
        let origin = token.origin(&self.expander.steps);
        let finding = more(Diagnostic::error(code, origin.span, message));
        report.at(&self.expander.steps, self.expander.names, origin, finding);
    }

    /// Reports the first thing that is not written as anything is.
    fn syntax(&self, report: &mut Report) {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.tokens.len() {
            let Some(kind) = self.kind(at) else { continue };
            let around = open.last().and_then(|&open| self.kind(open));
            if kind.closes()
                && let Some(&opened) = open.last()
                && around.is_some_and(|around| !fit(around, kind))
            {
                let place = self.tokens.get(opened).map(|token| token.origin(&self.expander.steps).span);
                let message = format!("`{}` does not close `{}`", self.text(at), self.text(opened));
                let also =
                    |finding: Diagnostic| place.into_iter().fold(finding, |f, place| f.also(place, "not closed"));
                return self.report(at, codes::SYNTAX, message, also, report);
            }
            let in_values =
                open.iter().any(|&open| matches!(self.kind(open), Some(Kind::AssignOpen | Kind::CompareOpen)));
            let before = at.checked_sub(1).and_then(|before| self.kind(before));
            if let Some(before) = before.filter(|&before| !may_follow(around, in_values, before, kind)) {
                let message = format!("`{}` cannot stand behind `{}`", self.text(at), self.text(at - 1));
                let help = match (around, before, kind) {
                    (Some(Kind::BraceOpen | Kind::BracketOpen), Kind::Ident, Kind::Ident) => {
                        "names in a list are separated by `,`"
                    }
                    (_, Kind::Arrow, _) => "a player is expected behind `->`",
                    (_, Kind::Caret, _) => "a number is expected behind `^`",
                    (_, _, Kind::Semicolon) => {
                        "`;` separates arguments, which only macros take that are defined further up"
                    }
                    _ => "",
                };
                let code = if kind == Kind::Semicolon { codes::UNKNOWN_NAME } else { codes::SYNTAX };
                let helped = |finding: Diagnostic| {
                    let finding = if help.is_empty() { finding } else { finding.help(help) };
                    match (around, before, kind) {
                        (Some(list @ (Kind::BraceOpen | Kind::BracketOpen)), Kind::Ident, Kind::Ident) => {
                            self.in_list(at, list, finding)
                        }
                        _ => finding,
                    }
                };
                return self.report(at, code, message, helped, report);
            }
            if kind.opens() {
                open.push(at);
            } else if kind.closes() {
                open.pop();
            }
        }
        // A macro that is a bracket and nothing else is meant to be.
        if let Some(&left) = open.last().filter(|_| self.tokens.len() > open.len()) {
            let message =
                format!("`{}` is not closed in macro `{}`", self.text(left), self.expander.names.name(self.of.name));
            let missing: String = open.iter().rev().filter_map(|&open| self.kind(open)).map(closed_by).collect();
            let end = Span { start: self.of.all.end, ..self.of.all };
            // What a macro in it leaves open is to be closed there.
            let is_own = open.iter().all(|&open| self.is_own(open));
            let more = |finding: Diagnostic| match is_own {
                true => finding.fix(format!("add `{missing}`"), end, missing).unsure(),
                false => finding,
            };
            self.report(left, codes::SYNTAX, message, more, report);
        }
    }

    /// Whether a token is written in the macro itself, not in one that it calls.
    fn is_own(&self, at: usize) -> bool {
        let place = self.tokens.get(at).map(|token| token.origin(&self.expander.steps).span);
        place.is_some_and(|place| self.of.all.start <= place.start && place.end <= self.of.all.end)
    }

    /// Adds fixes to the finding that the name at `at` follows another one in a list: the end of the list, and a comma. `[…]` mostly has one name.
    fn in_list(&self, at: usize, list: Kind, finding: Diagnostic) -> Diagnostic {
        let Some(before) = at.checked_sub(1).filter(|&before| self.is_own(before) && self.is_own(at)) else {
            return finding;
        };
        let Some(place) = self.tokens.get(before).map(|token| token.origin(&self.expander.steps).span) else {
            return finding;
        };
        let behind = Span { start: place.end, ..place };
        let mut signs = [closed_by(list), ","];
        if list == Kind::BraceOpen {
            signs.reverse();
        }
        signs.into_iter().fold(finding, |finding, sign| finding.fix(format!("add `{sign}`"), behind, sign)).unsure()
    }

    /// Reports names that are not declared, or not as what stands there.
    fn names(&self, report: &mut Report) {
        let mut open: Vec<Kind> = Vec::new();
        for at in 0..self.tokens.len() {
            match self.kind(at) {
                Some(kind) if kind.opens() => open.push(kind),
                Some(kind) if kind.closes() => drop(open.pop()),
                Some(Kind::Ident) => self.name(at, &open, report),
                _ => {}
            }
        }
    }

    fn name(&self, at: usize, open: &[Kind], report: &mut Report) {
        let Some(symbol) = self.tokens.get(at).map(|token| token.sym) else { return };
        let before = at.checked_sub(1).and_then(|before| self.kind(before));
        let (what, wanted) = expected(open, before, self.kind(at + 1));
        let scope = &self.known.scope;
        let name = self.text(at);
        let unread = self.directives.unread.iter().any(|&unread| self.expander.names.name(unread).starts_with(name));
        if unread || !scope.knows(wanted) || (what.is_empty() && self.known.places.contains(&symbol)) {
            return;
        }
        let later =
            self.directives.macros.iter().any(|found| found.name == symbol && found.directive >= self.of.directive);
        let (code, message) = match scope.get(symbol) {
            Some(declared) if wanted(declared) => return,
            Some(declared) => (codes::WRONG_KIND, format!("expected {what}, but `{name}` is {}", declared.a_kind())),
            None if what.is_empty() => (codes::UNKNOWN_NAME, format!("unknown name `{name}`")),
            None => (codes::UNKNOWN_NAME, format!("unknown name `{name}`, expected {what}")),
        };
        let more = |finding: Diagnostic| {
            if later {
                return finding.help(format!("the macro `{name}` can only be used behind its definition"));
            }
            let of = |symbol: Symbol| self.expander.names.name(symbol);
            let declared = scope.such(wanted).map(of);
            let parameters = self.of.parameters.iter().flatten().map(|&parameter| of(parameter));
            let macros = self.directives.macros.iter().filter(|found| found.directive < self.of.directive);
            finding.suggest(name, declared.chain(parameters).chain(macros.map(|found| of(found.name))))
        };
        self.report(at, code, message, more, report);
    }
}

/// The sign that closes a bracket.
fn closed_by(open: Kind) -> &'static str {
    spelling(closing(open))
}

/// What a name has to be declared as, in words (none where that may be anything), and whether something is.
fn expected(open: &[Kind], before: Option<Kind>, next: Option<Kind>) -> (&'static str, fn(Declared) -> bool) {
    let any = |_| true;
    if before == Some(Kind::Arrow) {
        return (PLAYER, |declared| matches!(declared, Declared::Player(_)));
    }
    if open.iter().any(|open| matches!(open, Kind::AssignOpen | Kind::CompareOpen)) {
        return (OPERAND, |declared| !matches!(declared, Declared::Label(_)));
    }
    match open.last() {
        // The edges of a vertex.
        Some(Kind::BraceOpen) if before == Some(Kind::Colon) || next == Some(Kind::Colon) => ("", any),
        Some(Kind::BraceOpen | Kind::BracketOpen) => (PIECE, |declared| matches!(declared, Declared::Piece(_))),
        Some(Kind::CheckOpen | Kind::NotOpen) => ("an edge label", |declared| matches!(declared, Declared::Label(_))),
        _ => ("", any),
    }
}

/// Whether a token may ever stand behind another one within brackets (none: in a body, whatever the brackets around its calls are).
fn may_follow(open: Option<Kind>, in_values: bool, before: Kind, kind: Kind) -> bool {
    if before == Kind::Hole || kind == Kind::Hole {
        return true;
    }
    if kind == Kind::Semicolon || before == Kind::Semicolon {
        return false;
    }
    match (before, kind) {
        (Kind::Arrow, _) => return kind == Kind::Ident,
        (Kind::Caret, _) => return kind == Kind::Nat,
        _ => {}
    }
    let ends = kind.closes();
    let operand = matches!(kind, Kind::Ident | Kind::Nat | Kind::ParenOpen);
    let suffix = matches!(kind, Kind::Star | Kind::Caret);
    match open {
        Some(Kind::BraceOpen) if before.opens() => kind == Kind::Ident || ends,
        Some(Kind::BraceOpen) if before == Kind::Ident => ends || matches!(kind, Kind::Comma | Kind::Colon),
        Some(Kind::BraceOpen) => kind == Kind::Ident,
        Some(Kind::BracketOpen) if before == Kind::Ident => ends || kind == Kind::Comma,
        Some(Kind::BracketOpen) if before.closes() => ends || kind == Kind::BracketOpen,
        Some(Kind::BracketOpen) => ends || matches!(kind, Kind::Ident | Kind::Comma | Kind::BracketOpen),
        _ if in_values => match before {
            Kind::Ident | Kind::Nat | Kind::ParenClose => !operand,
            before if before.opens() || before == Kind::Comma => operand,
            _ => operand,
        },
        _ => match before {
            Kind::Plus => operand || begins_action(kind),
            before if before.opens() => {
                let rows = before == Kind::ParenOpen && matches!(kind, Kind::Nat | Kind::Comma);
                begins_action(kind) || rows
            }
            Kind::Star => kind != Kind::Caret && kind != Kind::Star,
            _ => !(suffix && matches!(before, Kind::Comma | Kind::Equal)),
        },
    }
}
