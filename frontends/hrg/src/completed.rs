//! Fixes that add the signs which are missing where the grammar stops.

use crate::ast::Source;
use crate::lexer::{Kind, Token};
use crate::syntax::{Builder, Part, fit};
use rg_ir::{Diagnostic, Report, Span};
use std::cell::OnceCell;

/// Brackets that are added at most.
const MAX_BRACKETS: usize = 4;
/// Findings for which signs are looked for.
const MAX_LOOKED_AT: usize = 20;

impl Builder<'_> {
    /// The finding that the token `at` does not fit, with fixes that add what is missing: brackets or separators after which the declaration can be read,
    /// at least up to another line; `None` if there are none. Linear.
    pub(crate) fn completed(
        &self,
        error: &Diagnostic,
        at: usize,
        part: Part,
        expected: &[String],
    ) -> Option<Diagnostic> {
        let accepts = |sign: &str| expected.iter().any(|e| e.trim_matches('"') == sign);
        let before =
            at.checked_sub(1).filter(|&before| before >= part.start).and_then(|before| self.tokens.get(before));
        let before = before.filter(|_| self.report.findings().len() < MAX_LOOKED_AT)?;
        let open = self.open(part, at);
        let closing: Vec<Kind> = open.iter().rev().filter_map(|open| closing(open.kind)).collect();
        let close = (1..=closing.len().min(MAX_BRACKETS)).filter_map(|count| closing.get(..count));
        let close = close.take_while(|kinds| kinds.first().is_some_and(|kind| accepts(sign(*kind))));
        let separators = [[Kind::Semicolon], [Kind::Comma], [Kind::Colon]];
        let separators =
            separators.iter().map(|kinds| &kinds[..]).filter(|kinds| kinds.iter().all(|k| accepts(sign(*k))));
        let close = close.into_iter().find(|kinds| self.reads(at, part, kinds));
        let found: Vec<&[Kind]> =
            close.into_iter().chain(separators.filter(|kinds| self.reads(at, part, kinds))).collect();
        let first = found.first().and_then(|kinds| kinds.first())?;
        // Which of several blocks is not closed is not known, and instead of a comma there may be an operator.
        let braces = open.iter().filter(|open| open.kind == Kind::BraceOpen).count();
        let is_sure = found.len() == 1 && *first != Kind::Comma && (*first != Kind::BraceClose || braces == 1);
        let place = Span::new(self.source, before.end as usize, before.end as usize);
        let mut error = error.clone();
        for kinds in found {
            let signs: Vec<&str> = kinds.iter().map(|kind| sign(*kind)).collect();
            let written = kinds.iter().enumerate().map(|(at, kind)| match open.iter().rev().nth(at) {
                Some(open) => self.written(*kind, *open),
                None => sign(*kind).to_owned(),
            });
            let text: String = written.collect();
            error = error.fix(format!("add `{}`", signs.join(" ")), place, text);
        }
        let place =
            open.last().filter(|_| closing.first() == Some(first)).map_or(Span::NONE, |open| open.span(self.source));
        let error = error.also(place, "this is not closed");
        Some(if is_sure { error } else { error.unsure() })
    }

    /// How a sign is written that closes a bracket, if it does: that of a block stands on a line of its own.
    fn written(&self, kind: Kind, open: Token) -> String {
        if kind != Kind::BraceClose {
            return sign(kind).to_owned();
        }
        let before = self.text.get(..open.start as usize).unwrap_or_default();
        let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..).unwrap_or_default();
        let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
        let behind = self.text.get(open.end as usize..).unwrap_or_default().lines().next().unwrap_or_default();
        match behind.trim().is_empty() {
            true => format!("\n{indent}}}"),
            false => " }".to_owned(),
        }
    }

    /// Whether the part can be read with these signs before the token `at`.
    fn reads(&self, at: usize, part: Part, signs: &[Kind]) -> bool {
        let tokens = |from: usize, to: usize| self.tokens.get(from..to).unwrap_or_default();
        let place = at.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(0, |before| before.end);
        let added: Vec<Token> = signs.iter().map(|&kind| Token { kind, start: place, end: place }).collect();
        let tokens = [tokens(part.first, at), &added, tokens(at, part.end)].concat();
        let whole = Part { first: 0, start: part.start - part.first, end: tokens.len(), ..part };
        let (mut tree, mut report) = (Source::default(), Report::default());
        let (source, text) = (self.source, self.text);
        let mut builder =
            Builder { source, text, tokens: &tokens, tree: &mut tree, report: &mut report, declared: OnceCell::new() };
        match builder.attempt(whole) {
            Ok(()) => true,
            // Another mistake further below is one of its own; but where the declaration ends here, it has to be whole.
            Err(_) if at >= part.end => false,
            Err((mistake, _)) if mistake == at - part.first + signs.len() && self.begins_declaration(at) => true,
            Err((mistake, _)) => {
                let end = tokens.get(mistake).map_or(text.len(), |token| token.start as usize);
                let from = self.tokens.get(at).map_or(text.len(), |token| token.start as usize);
                text.get(from..end).is_some_and(|between| between.contains('\n'))
            }
        }
    }

    /// Whether a line begins with `name :`.
    fn begins_declaration(&self, at: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let start = self.tokens.get(at).map_or(0, |token| token.start as usize);
        let begins_line = self.text.get(..start).is_some_and(|before| before.ends_with('\n'));
        begins_line && kind(at).is_some_and(Kind::is_name) && kind(at + 1) == Some(Kind::Colon)
    }

    /// The brackets that are open at a token, the innermost one last.
    pub(crate) fn open(&self, part: Part, at: usize) -> Vec<Token> {
        let mut open: Vec<Token> = Vec::new();
        for token in self.tokens.get(part.first..at.min(part.end)).unwrap_or_default() {
            if token.kind.opens() {
                open.push(*token);
            } else if token.kind.closes() && open.last().is_some_and(|open| fit(open.kind, token.kind)) {
                open.pop();
            }
        }
        open
    }
}

fn closing(open: Kind) -> Option<Kind> {
    match open {
        Kind::ParenOpen => Some(Kind::ParenClose),
        Kind::BracketOpen => Some(Kind::BracketClose),
        Kind::BraceOpen => Some(Kind::BraceClose),
        _ => None,
    }
}

fn sign(kind: Kind) -> &'static str {
    match kind {
        Kind::ParenClose => ")",
        Kind::BracketClose => "]",
        Kind::BraceClose => "}",
        Kind::Semicolon => ";",
        Kind::Colon => ":",
        _ => ",",
    }
}
