//! Helpers shared by the tests.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

#[path = "../../../testing.rs"]
mod testing;

#[allow(unused_imports)] // not all tests need both
pub(crate) use testing::{corpus, render};

use backend::{Engine, Reasoner};
use rg_ir::{Diagnostic, SourceId};
use sbg::SbgNotation;

/// The rendered findings of a description.
pub(crate) fn findings(text: &str) -> String {
    render(text, &sbg::parse(SourceId(0), text).1)
}

/// The small board of the probes with a rule section and goals.
pub(crate) fn probe(rules: &str, goals: &str) -> String {
    format!("<<probe>>\n<BOARD>\n3 3\n|..a|\n|...|\n|A..|\n<PIECES>\n{rules}\n<GOALS>\n{goals}\n")
}

/// The codes of all findings, in order.
pub(crate) fn codes(text: &str) -> Vec<&'static str> {
    let (description, diagnostics) = sbg::parse(SourceId(0), text);
    assert_eq!(description.is_none(), rg_ir::diag::has_errors(&diagnostics), "{text}");
    diagnostics.iter().map(|d| d.code).collect()
}

/// The codes of all errors, in order.
pub(crate) fn errors(text: &str) -> Vec<&'static str> {
    let diagnostics = sbg::parse(SourceId(0), text).1;
    diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect()
}

/// The engine and notation of a description without errors.
pub(crate) fn run(text: &str) -> (Reasoner, SbgNotation) {
    let (lowered, diagnostics) = sbg::load(SourceId(0), text);
    let lowered = lowered.unwrap_or_else(|| panic!("{text}\n{}", render(text, &diagnostics)));
    let wrong: Vec<_> = rg_ir::check(&lowered.game).into_iter().filter(Diagnostic::is_error).collect();
    assert_eq!(wrong, [], "{text}");
    (Reasoner::new(&lowered.game, Engine::Auto).unwrap(), lowered.notation)
}

/// Perft of depths 1, 2, ….
pub(crate) fn perft(text: &str, depth: u32) -> Vec<u64> {
    let (reasoner, _) = run(text);
    let state = reasoner.initial().unwrap();
    (1..=depth).map(|depth| reasoner.perft(&state, depth).unwrap()).collect()
}
