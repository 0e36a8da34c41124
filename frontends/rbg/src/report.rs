//! Where findings in expanded text come from: the chain of expansions that led to the place.

use rg_ir::diag::{Applies, Fix};
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

    /// Adds the chain that leads to `expansion` to a finding.
    fn explain(&self, diagnostic: Diagnostic, expansion: Option<u32>, names: &Symbols) -> Diagnostic {
        let chain = std::iter::successors(self.step(expansion), |step| self.step(step.outer));
        let span = |step: &Step| Span { source: self.source, start: step.start, end: step.end };
        with_chain(diagnostic, chain.map(|step| (step.parameter, names.name(step.name), span(step))))
    }

    /// For each step the outermost one that leads to it. Linear.
    pub(crate) fn outermost(&self) -> Vec<u32> {
        let mut out: Vec<u32> = Vec::with_capacity(self.steps.len());
        for (number, step) in (0..).zip(&self.steps) {
            let outer = step.outer.and_then(|outer| out.get(outer as usize)).copied();
            out.push(outer.unwrap_or(number));
        }
        out
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

/// Adds the chain of expansions that leads to the place of a finding, as [`Steps`] does, from a finished description.
pub(crate) fn explained(diagnostic: Diagnostic, origin: Origin, expansions: &[Expansion]) -> Diagnostic {
    let of = |index: Option<u32>| expansions.get(index? as usize);
    let chain = std::iter::successors(of(origin.expansion), |step| of(step.outer));
    with_chain(diagnostic, chain.map(|step| (step.parameter, step.name.as_str(), step.span)))
}

/// Adds a chain of expansions to a finding: innermost first, the call in the section always last.
fn with_chain<'n>(mut diagnostic: Diagnostic, chain: impl Iterator<Item = (bool, &'n str, Span)>) -> Diagnostic {
    let (mut shown, mut left_out) = (0, 0);
    let mut chain = chain.peekable();
    while let Some((parameter, name, span)) = chain.next() {
        if shown + 1 >= MAX_CHAIN && chain.peek().is_some() {
            left_out += 1;
            continue;
        }
        shown += 1;
        let what = if parameter { "parameter" } else { "macro" };
        // An edit changes all other calls as well. An unknown name is wrong in each of them.
        let of_a_name = |fix: &Fix| fix.edits.iter().all(|edit| edit.instead_of.is_some());
        diagnostic.fixes.iter_mut().filter(|fix| !of_a_name(fix)).for_each(|fix| fix.applies = Applies::Maybe);
        diagnostic = diagnostic.also(span, format!("in expansion of {what} `{name}`"));
    }
    match left_out {
        0 => diagnostic,
        _ => diagnostic.note(format!("{left_out} further steps of expansion are not shown")),
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
