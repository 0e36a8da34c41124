//! Collecting diagnostics: each once, and not too many.

use crate::diag::{Diagnostic, Severity};
use crate::source::Span;
use rustc_hash::FxHashSet;

/// Most findings of one severity that are kept.
pub const MAX_FINDINGS: usize = 200;

/// The findings of one text so far, for the stages of a front end.
#[derive(Debug, Default)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: FxHashSet<(&'static str, Option<Span>, String)>,
    counts: [usize; 3],
}

impl Report {
    /// Adds a finding, unless it is there already or there are [`MAX_FINDINGS`] of its severity.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.has_room(diagnostic.severity)
            && self.seen.insert((diagnostic.code, place(&diagnostic), diagnostic.message.clone()))
        {
            self.counts[diagnostic.severity as usize] += 1;
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(code, span, message));
    }

    /// Adds a warning.
    pub fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::warning(code, span, message));
    }

    /// The findings so far, in the order in which they were made.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether further findings of that severity would be kept.
    pub fn has_room(&self, severity: Severity) -> bool {
        self.counts[severity as usize] < MAX_FINDINGS
    }

    /// Whether further errors would not be kept.
    pub fn full(&self) -> bool {
        !self.has_room(Severity::Error)
    }

    /// Whether there is an error.
    pub fn failed(&self) -> bool {
        self.counts[Severity::Error as usize] > 0
    }

    /// All findings, in the order in which they were made; no lints beside errors.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        if self.failed() {
            self.diagnostics.retain(|diagnostic| diagnostic.severity != Severity::Lint);
        }
        self.diagnostics
    }

    /// As [`Report::finish`], but in the order of the text, errors first where several have one place.
    pub fn finish_in_order(self) -> Vec<Diagnostic> {
        let mut findings = self.finish();
        findings.sort_by_key(|d| (place(d).map(|span| (span.start, span.end)), d.severity));
        findings
    }
}

fn place(diagnostic: &Diagnostic) -> Option<Span> {
    diagnostic.primary.as_ref().map(|primary| primary.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn findings_are_kept_once_and_sorted_by_place() {
        let mut report = Report::default();
        let at = |start| Span::new(SourceId(0), start, start + 1);
        report.warning("T1", at(5), "a");
        report.push(Diagnostic::lint("T2", at(0), "b"));
        assert!(!report.failed());
        report.error("T3", at(5), "c");
        report.error("T3", at(5), "c");
        report.error("T3", at(2), "c");
        let codes = |report: Report| report.finish_in_order().iter().map(|d| d.code).collect::<Vec<_>>();
        assert!(report.failed() && !report.full());
        assert_eq!(codes(report), ["T3", "T3", "T1"]);
    }

    #[test]
    fn every_severity_has_its_own_limit() {
        let mut report = Report::default();
        for start in 0..2 * MAX_FINDINGS {
            report.warning("T1", Span::new(SourceId(0), start, start), "many");
        }
        assert!(!report.has_room(Severity::Warning) && !report.full());
        report.error("T2", Span::NONE, "one");
        assert_eq!(report.finish().len(), MAX_FINDINGS + 1);
    }
}
