//! Misspelt parameters and calls of macros, for findings about the text that the macros expand to.

use rg_ir::diag::{Annotation, Applies, Edit, changes_number, nearest};
use rg_ir::{Diagnostic, Severity, SourceId, Span, Symbol, Symbols};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::directives::{Directives, Macro};
use crate::lexer::{Kind, Token};

/// Findings for which a misspelt name is looked for.
const MAX_LOOKED_AT: usize = 50;

/// Adds suggestions to errors that have none: a name at the place of the finding, or in a call that led there, that stands nowhere else and is spelt
/// almost like a parameter of the macro it stands in, and a name before the brackets where the text does not fit that is spelt almost like a macro
/// with parameters. Linear in the text for each of at most [`MAX_LOOKED_AT`] findings.
pub(crate) fn suggest(
    source: SourceId,
    tokens: &[Token],
    directives: &Directives,
    names: &Symbols,
    findings: &mut [Diagnostic],
) {
    let mut counts: FxHashMap<Symbol, usize> = FxHashMap::default();
    for token in tokens.iter().filter(|token| token.kind == Kind::Ident) {
        *counts.entry(token.sym).or_default() += 1;
    }
    let text = Written { source, tokens, directives, names, counts };
    let wanting = findings.iter_mut().filter(|finding| finding.is_error() && finding.fixes.is_empty());
    for finding in wanting.take(MAX_LOOKED_AT) {
        let found = text.parameter(finding).or_else(|| text.call(finding));
        if let Some((span, name, near)) = found {
            let with = finding.clone().suggest_at(span, name, near);
            *finding = with;
        }
    }
}

/// Where a parameter that is never used is a misspelling of a name in the body of its macro, errors about that name, with whatever else it is pasted
/// to, say the same once more: the finding about the parameter becomes the error in their place. But where neither of the two occurs elsewhere, either may
/// be the misspelt one, and an error at the name in the body with a suggestion remains. Linear in the findings for each such parameter.
pub(crate) fn join(tokens: &[Token], directives: &Directives, names: &Symbols, findings: &mut Vec<Diagnostic>) {
    let mut at = 0;
    while at < findings.len() {
        let places =
            findings.get(at).map(|finding| misspelt_places(finding, tokens, directives, names)).unwrap_or_default();
        let follows = |finding: &Diagnostic| {
            let mut spans = finding.primary.iter().chain(&finding.secondary).map(|place| place.span);
            [codes::UNKNOWN_NAME, codes::DUPLICATE_VERTEX].contains(&finding.code)
                && spans.any(|span| places.iter().any(|&(start, end)| span.start <= start && end <= span.end))
        };
        let is_unused = findings.get(at).is_some_and(|finding| finding.code == codes::UNUSED_PARAMETER);
        let either = is_unused && matches!(places.as_slice(), [only] if occurs_once(*only, tokens));
        let is_told = |finding: &Diagnostic| {
            let is_place = |place: &Annotation| {
                places.iter().any(|&(start, end)| (place.span.start, place.span.end) == (start, end))
            };
            finding.code == codes::UNKNOWN_NAME
                && !finding.fixes.is_empty()
                && finding.primary.as_ref().is_some_and(is_place)
        };
        if either && findings.iter().any(is_told) {
            at += 1;
            continue;
        }
        if findings.iter().any(follows) {
            if let Some(finding) = findings.get_mut(at) {
                finding.severity = Severity::Error;
                if let [only] = finding.fixes.as_mut_slice() {
                    let number =
                        |edit: &Edit| edit.instead_of.as_deref().is_some_and(|name| changes_number(name, &edit.text));
                    if !only.edits.iter().any(number) {
                        only.applies = Applies::Always;
                    }
                }
            }
            // Vertices that are not what they should be are unknown elsewhere.
            let board = findings.iter().any(|finding| follows(finding) && finding.code == codes::DUPLICATE_VERTEX);
            let gone = |finding: &Diagnostic| follows(finding) || (board && finding.code == codes::UNKNOWN_VERTEX);
            at -= findings.iter().take(at).filter(|finding| gone(finding)).count();
            findings.retain(|finding| !gone(finding));
        }
        at += 1;
    }
}

/// Whether the name at a place stands nowhere else.
fn occurs_once((start, _): (u32, u32), tokens: &[Token]) -> bool {
    let name = tokens.iter().find(|token| token.start == start).map(|token| token.sym);
    tokens.iter().filter(|token| Some(token.sym) == name).count() == 1
}

/// Where in the body of a macro the names stand that an unused parameter is suggested to be, from which byte to which.
fn misspelt_places(
    finding: &Diagnostic,
    tokens: &[Token],
    directives: &Directives,
    names: &Symbols,
) -> Vec<(u32, u32)> {
    let is_meant = [codes::UNUSED_PARAMETER, codes::MISSPELT_PARAMETER].contains(&finding.code);
    let Some(place) = finding.primary.as_ref().filter(|_| is_meant) else {
        return Vec::new();
    };
    let holds = |found: &&Macro| found.all.start <= place.span.start && place.span.end <= found.all.end;
    let Some(found) = directives.macros.iter().find(holds) else { return Vec::new() };
    let body = tokens.get(found.body.0 as usize..found.body.1 as usize).unwrap_or_default();
    let edits: Vec<&Edit> = finding.fixes.iter().flat_map(|fix| &fix.edits).collect();
    let is_meant = |token: &&Token| {
        let replaced = |edit: &&Edit| edit.span.start == token.start || edit.text == names.name(token.sym);
        token.kind == Kind::Ident && edits.iter().any(replaced)
    };
    body.iter().filter(is_meant).map(|token| (token.start, token.end)).collect()
}

/// A misspelt name, where it stands, and what may be meant.
type Misspelt<'n> = (Span, &'n str, Vec<&'n str>);

/// The text as its author wrote it.
struct Written<'a> {
    source: SourceId,
    tokens: &'a [Token],
    directives: &'a Directives,
    names: &'a Symbols,
    counts: FxHashMap<Symbol, usize>,
}

impl<'a> Written<'a> {
    fn parameter(&self, finding: &Diagnostic) -> Option<Misspelt<'a>> {
        let places = finding.primary.iter().chain(&finding.secondary).map(|place| place.span);
        places.filter(|span| span.source == self.source).find_map(|span| {
            let first = self.tokens.partition_point(|token| token.start < span.start);
            let within = self.tokens.iter().enumerate().skip(first).take_while(|(_, token)| token.end <= span.end);
            within.into_iter().find_map(|(index, token)| self.like_parameter(index, token))
        })
    }

    fn like_parameter(&self, index: usize, token: &Token) -> Option<Misspelt<'a>> {
        if token.kind != Kind::Ident || self.counts.get(&token.sym) != Some(&1) {
            return None;
        }
        let holds = |found: &&Macro| (found.body.0 as usize..found.body.1 as usize).contains(&index);
        let parameters = self.directives.macros.iter().find(holds)?.parameters.as_ref()?;
        let name = self.names.name(token.sym);
        let near = nearest(name, parameters.iter().map(|&parameter| self.names.name(parameter)));
        (!near.is_empty()).then(|| (self.span(token), name, near))
    }

    /// The name before the innermost bracket that is open where a text does not fit.
    fn call(&self, finding: &Diagnostic) -> Option<Misspelt<'a>> {
        let place = finding.primary.as_ref().filter(|_| finding.code == codes::SYNTAX)?.span;
        let at = self.tokens.partition_point(|token| token.start < place.start);
        let mut depth = 0_usize;
        for index in (0..at).rev() {
            match self.tokens.get(index)?.kind {
                Kind::ParenClose => depth += 1,
                Kind::ParenOpen if depth == 0 => {
                    let token = self.tokens.get(index.checked_sub(1)?)?;
                    let name = self.names.name(token.sym);
                    let macros = self.directives.macros.iter();
                    let known =
                        macros.filter(|found| found.parameters.is_some()).map(|found| self.names.name(found.name));
                    let near = nearest(name, known);
                    let misspelt = token.kind == Kind::Ident && !near.is_empty();
                    return misspelt.then(|| (self.span(token), name, near));
                }
                Kind::ParenOpen => depth -= 1,
                Kind::Hash => return None,
                _ => {}
            }
        }
        None
    }

    fn span(&self, token: &Token) -> Span {
        Span { source: self.source, start: token.start, end: token.end }
    }
}
