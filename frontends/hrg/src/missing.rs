//! Fixes that add what every description has to have.

use crate::ast::Source;
use rg_ir::{Diagnostic, SourceId, Span};

/// Where declarations can be added.
pub(crate) struct Places {
    /// Before the first one.
    first: Span,
    /// At the end of the text.
    end: Span,
    /// What begins a line at the end of the text, if nothing has yet.
    line: &'static str,
}

impl Places {
    /// Those of a text.
    pub(crate) fn of(source: SourceId, text: &str, tree: &Source) -> Self {
        let end = Span::new(source, text.len(), text.len());
        let first = tree.extents.first().map_or(end, |first| Span { end: first.start, ..*first });
        let line = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        Self { first, end, line }
    }

    /// Where findings about the whole text stand: where it ends, somebody may be writing.
    pub(crate) fn beginning(&self) -> Span {
        Span { start: 0, end: 0, ..self.end }
    }

    /// Adds a fix to the finding that a domain is missing.
    pub(crate) fn with_domain(&self, finding: Diagnostic, name: &str) -> Diagnostic {
        let values = if name == "Score" { "0 | 100" } else { "first | second" };
        let line = if self.first == self.end { self.line } else { "" };
        let text = format!("{line}domain {name} = {values}\n");
        finding.fix(format!("add a domain `{name}` to begin with"), self.first, text).unsure()
    }

    /// Adds a fix to the finding that there are no rules; in them, `player` moves once.
    pub(crate) fn with_rules(&self, finding: Diagnostic, player: &str) -> Diagnostic {
        let gap = if self.first == self.end { "" } else { "\n" };
        let rules = format!("graph rules() {{\n  player = {player}\n  $ pass\n  player = keeper\n  end()\n}}\n");
        finding.fix("add rules to begin with", self.end, format!("{}{gap}{rules}", self.line)).unsure()
    }
}
