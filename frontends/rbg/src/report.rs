//! Where findings in expanded text come from: the chain of expansions that led to the place.

use rg_ir::{Diagnostic, Report, SourceId, Span, Symbol, Symbols};

use crate::ast::{Expansion, Origin};

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

/// Findings in expanded text.
pub(crate) trait Located {
    /// Adds a finding in expanded text; the chain of its place is appended.
    fn at(&mut self, steps: &Steps, names: &Symbols, origin: Origin, diagnostic: Diagnostic);
}

impl Located for Report {
    fn at(&mut self, steps: &Steps, names: &Symbols, origin: Origin, diagnostic: Diagnostic) {
        if self.has_room(diagnostic.severity) {
            self.push(steps.explain(diagnostic, origin.expansion, names));
        }
    }
}
