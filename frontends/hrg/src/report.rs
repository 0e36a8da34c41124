//! Collecting diagnostics: each once, and not too many.

use rg_ir::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// Most findings that are kept.
const MAX_FINDINGS: usize = 200;

/// The findings so far.
#[derive(Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: FxHashSet<(&'static str, Option<Span>, String)>,
    failed: bool,
}

impl Report {
    /// Adds a finding, unless it is there already or there are too many.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.failed |= diagnostic.is_error();
        let span = diagnostic.primary.as_ref().map(|p| p.span);
        if self.diagnostics.len() < MAX_FINDINGS
            && self.seen.insert((diagnostic.code, span, diagnostic.message.clone()))
        {
            self.diagnostics.push(diagnostic);
        }
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
        self.failed
    }

    /// All findings, in order.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}
