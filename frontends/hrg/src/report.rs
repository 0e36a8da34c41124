//! Collecting diagnostics: each once, and not too many.

use rg_ir::{Diagnostic, Severity, Span};
use rustc_hash::FxHashSet;

/// Most findings of one severity that are kept.
const MAX_FINDINGS: usize = 200;

/// The findings so far.
#[derive(Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: FxHashSet<(&'static str, Option<Span>, String)>,
    errors: usize,
    others: usize,
}

impl Report {
    /// Adds a finding, unless it is there already or there are too many of its severity.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.primary.as_ref().map(|p| p.span);
        let count = if diagnostic.is_error() { &mut self.errors } else { &mut self.others };
        if *count >= MAX_FINDINGS || !self.seen.insert((diagnostic.code, span, diagnostic.message.clone())) {
            return;
        }
        *count += 1;
        self.diagnostics.push(diagnostic);
    }

    /// Adds an error.
    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(code, span, message));
    }

    /// Adds a warning.
    pub(crate) fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::warning(code, span, message));
    }

    /// Whether there is an error.
    pub(crate) fn failed(&self) -> bool {
        self.errors > 0
    }

    /// Whether further errors would not be kept.
    pub(crate) fn full(&self) -> bool {
        self.errors >= MAX_FINDINGS
    }

    /// All findings, in the order of the text.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        let place = |d: &Diagnostic| d.primary.as_ref().map(|p| (p.span.start, p.span.end));
        self.diagnostics.sort_by_key(|d| (place(d), d.severity != Severity::Error));
        self.diagnostics
    }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}
