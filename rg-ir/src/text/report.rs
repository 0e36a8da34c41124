//! Where the findings of one text are collected.

use crate::diag::Diagnostic;
use crate::source::Span;

/// How many errors of one text are reported.
pub(crate) const MAX_ERRORS: usize = 100;

/// The findings of one text. After [`MAX_ERRORS`] errors it adds one remark that there are more and takes no further.
#[derive(Debug, Default)]
pub(crate) struct Report {
    findings: Vec<Diagnostic>,
    overflow: Option<Diagnostic>,
}

impl Report {
    /// Adds an error.
    pub(crate) fn add(&mut self, finding: Diagnostic) {
        if self.findings.len() < MAX_ERRORS {
            self.findings.push(finding);
        } else if self.overflow.is_none() {
            let span = finding.primary.map_or(Span::NONE, |primary| primary.span);
            let message = format!("too many errors: only {MAX_ERRORS} are shown");
            self.overflow = Some(Diagnostic::error("RG059", span, message).label("one of those left out"));
        }
    }

    /// Whether further errors would not be shown.
    pub(crate) fn is_full(&self) -> bool {
        self.overflow.is_some()
    }

    /// Whether nothing was reported.
    pub(crate) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The findings in the order of their places.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.findings.sort_by_key(|finding| finding.primary.as_ref().map(|primary| primary.span.start));
        self.findings.extend(self.overflow);
        self.findings
    }
}
