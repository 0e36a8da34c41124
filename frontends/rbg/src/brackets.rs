//! Fixes that add a bracket that is missing, and that remove or replace one that is wrong.

use crate::lexer::Kind;
use crate::raw::Arena;
use crate::repair::{closes, closing, opened, replace};
use crate::syntax::Text;
use rg_ir::diag::Applies;
use rg_ir::{Diagnostic, Span};
use std::ops::Range;

impl Text<'_> {
    /// Adds a fix to the finding that the token at `index`, or the end, does not fit, if with another bracket it does. Linear.
    pub(crate) fn with_bracket(&self, index: usize, finding: Diagnostic) -> Diagnostic {
        if !finding.fixes.is_empty() {
            return finding;
        }
        let kinds: Vec<Kind> = self.tokens.iter().filter_map(|token| token.kind).collect();
        let open = opened(&kinds, index);
        let inner = open.last().and_then(|&open| kinds.get(open)).map(|&open| closing(open));
        match kinds.get(index) {
            None => self.with_end(index, &kinds, &open, finding),
            Some(&kind) if kind.closes() && !closes(&open, &kinds, kind) => {
                let outer = open.split_last().map(|(_, outer)| outer).unwrap_or_default();
                let place = self.origin(index).span;
                let quoted = spelling(kind);
                match inner {
                    Some(inner) if closes(outer, &kinds, kind) => self.with_inserted(index, inner, finding),
                    Some(inner) if self.fits(index..index + 1, &[inner]) => {
                        let title = format!("replace `{quoted}` by `{}`", spelling(inner));
                        finding.fix(title, place, spelling(inner)).unsure()
                    }
                    None if self.fits(index..index + 1, &[]) => {
                        finding.fix(format!("remove `{quoted}`"), place, "").unsure()
                    }
                    _ => finding,
                }
            }
            Some(_) => match inner {
                Some(inner) => self.with_inserted(index, inner, finding),
                None => finding,
            },
        }
    }

    /// Adds a fix that closes what is open in front of the token at `index`, within the macro that opens it. Linear.
    pub(crate) fn with_end_of_macro(&self, index: usize, finding: Diagnostic) -> Diagnostic {
        let kinds: Vec<Kind> = self.tokens.iter().filter_map(|token| token.kind).collect();
        self.with_end(index, &kinds, &opened(&kinds, index), finding)
    }

    /// Adds a fix that closes what is open at the end: within a macro if that opens it.
    fn with_end(&self, index: usize, kinds: &[Kind], open: &[usize], finding: Diagnostic) -> Diagnostic {
        let Some(&inner) = open.last() else { return finding };
        let origin = self.origin(inner);
        let same = open.iter().rev().take_while(|&&open| self.origin(open).expansion == origin.expansion);
        let missing: Vec<Kind> = same.filter_map(|&open| kinds.get(open)).map(|&open| closing(open)).collect();
        let text: String = missing.iter().map(|&kind| spelling(kind)).collect();
        let end = match origin.expansion {
            None => index.checked_sub(1).map(|last| self.written(last)),
            Some(_) => self
                .macros
                .iter()
                .map(|found| found.all)
                .find(|all| all.start <= origin.span.start && origin.span.end <= all.end),
        };
        match end {
            Some(end) if origin.expansion.is_some() || self.fits(index..index, &missing) => {
                finding.fix(format!("add `{text}`"), Span { start: end.end, ..end }, text).unsure()
            }
            _ => finding,
        }
    }

    /// Adds a fix that puts a bracket in front of a token, if that fits then.
    fn with_inserted(&self, index: usize, bracket: Kind, finding: Diagnostic) -> Diagnostic {
        let Some(before) = index.checked_sub(1) else { return finding };
        let (left, right) = (self.origin(before), self.origin(index));
        // A comma may be missing between names, and a macro that ends there may be right by itself.
        let is_name = self.tokens.get(index).is_some_and(|token| token.kind == Some(Kind::Ident));
        let (left, applies) = match left.expansion == right.expansion {
            true if !is_name => (left.span, Applies::Always),
            true => (left.span, Applies::Maybe),
            false => (self.written(before), Applies::Maybe),
        };
        if !self.fits(index..index, &[bracket]) {
            return finding;
        }
        let mut fixed =
            finding.fix(format!("add `{}`", spelling(bracket)), Span { start: left.end, ..left }, spelling(bracket));
        fixed.fixes.iter_mut().for_each(|fix| fix.applies = applies);
        fixed
    }

    /// Where a token is written in the section itself: it, or the call of the macro that it comes from.
    fn written(&self, index: usize) -> Span {
        let origin = self.origin(index);
        let step = |step: u32| self.steps.steps.get(step as usize);
        let chain = std::iter::successors(origin.expansion.and_then(step), |inner| inner.outer.and_then(step));
        chain.last().map_or(origin.span, |outer| Span {
            source: origin.span.source,
            start: outer.start,
            end: outer.end,
        })
    }

    /// Whether the text fits one token further with others in the place of some.
    fn fits(&self, range: Range<usize>, with: &[Kind]) -> bool {
        let mut tokens = self.tokens.to_vec();
        let next = range.start + with.len();
        replace(&mut tokens, range, with);
        let changed = Text { tokens: &tokens, ..*self };
        changed.attempt(&mut Arena::default()).map_or_else(|(at, _)| at > next, |_| true)
    }
}

fn spelling(bracket: Kind) -> &'static str {
    match bracket {
        Kind::ParenClose => ")",
        Kind::BracketClose => "]",
        _ => "}",
    }
}
