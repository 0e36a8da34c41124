//! Collecting diagnostics: each once, with the chain of expansions that led to the place, and not too many.

use rg_ir::{Diagnostic, Severity, SourceId, Span, Symbol, Symbols};
use rustc_hash::FxHashSet;

use crate::ast::{Expansion, Origin};

/// Most findings of one severity that are kept.
const MAX_FINDINGS: usize = 200;

/// Most steps of an expansion chain that are shown.
const MAX_CHAIN: usize = 8;

/// A step of expansion, in small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Name of the macro or parameter.
    pub(crate) name: Symbol,
    /// Whether it is a parameter.
    pub(crate) parameter: bool,
    /// First byte of the call.
    pub(crate) start: u32,
    /// One past its last byte.
    pub(crate) end: u32,
    /// The step in which the call stands.
    pub(crate) outer: Option<u32>,
}

/// All steps of expansion of a description.
pub(crate) struct Steps {
    /// The file.
    pub(crate) source: SourceId,
    /// The steps; outer ones before inner ones.
    pub(crate) steps: Vec<Step>,
}

impl Steps {
    /// A place in the file, reached through `expansion`.
    pub(crate) fn origin(&self, start: u32, end: u32, expansion: Option<u32>) -> Origin {
        Origin { span: Span { source: self.source, start, end }, expansion }
    }

    fn step(&self, index: Option<u32>) -> Option<&Step> {
        self.steps.get(index? as usize)
    }

    /// Adds the chain that leads to `expansion` to a finding: innermost first, the call in the section always last.
    fn explain(&self, mut diagnostic: Diagnostic, expansion: Option<u32>, names: &Symbols) -> Diagnostic {
        let mut shown = 0;
        let mut left_out = 0;
        let mut next = expansion;
        while let Some(step) = self.step(next) {
            next = step.outer;
            if shown + 1 >= MAX_CHAIN && next.is_some() {
                left_out += 1;
                continue;
            }
            shown += 1;
            let what = if step.parameter { "parameter" } else { "macro" };
            let text = format!("in expansion of {what} `{}`", names.name(step.name));
            diagnostic = diagnostic.also(Span { source: self.source, start: step.start, end: step.end }, text);
        }
        if left_out > 0 {
            diagnostic = diagnostic.note(format!("{left_out} further steps of expansion are not shown"));
        }
        diagnostic
    }

    /// The steps for the syntax tree.
    pub(crate) fn export(&self, names: &Symbols) -> Vec<Expansion> {
        let export = |step: &Step| Expansion {
            name: names.name(step.name).to_owned(),
            parameter: step.parameter,
            span: Span { source: self.source, start: step.start, end: step.end },
            outer: step.outer,
        };
        self.steps.iter().map(export).collect()
    }
}

/// The findings so far.
#[derive(Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: FxHashSet<(&'static str, Option<Span>, String)>,
    counts: [usize; 3],
}

impl Report {
    /// Adds a finding, unless it is there already or there are too many of its severity.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.primary.as_ref().map(|p| p.span);
        let count = &mut self.counts[diagnostic.severity as usize];
        if *count >= MAX_FINDINGS || !self.seen.insert((diagnostic.code, span, diagnostic.message.clone())) {
            return;
        }
        *count += 1;
        self.diagnostics.push(diagnostic);
    }

    /// Adds a finding in expanded text; the chain of its place is appended.
    pub(crate) fn at(&mut self, steps: &Steps, names: &Symbols, origin: Origin, diagnostic: Diagnostic) {
        if self.counts[diagnostic.severity as usize] < MAX_FINDINGS {
            self.push(steps.explain(diagnostic, origin.expansion, names));
        }
    }

    /// Whether there is an error.
    pub(crate) fn failed(&self) -> bool {
        self.counts[Severity::Error as usize] > 0
    }

    /// Whether further errors would not be kept.
    pub(crate) fn full(&self) -> bool {
        self.counts[Severity::Error as usize] >= MAX_FINDINGS
    }

    /// All findings, in order; no lints beside errors.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.failed() {
            self.diagnostics.retain(|diagnostic| diagnostic.severity != Severity::Lint);
        }
        self.diagnostics
    }
}
