//! The text syntax of RG (sections 1 and 2 of the specification): parsing, canonical printing, formatting.
//!
//! `parse` goes lexer → declarations (grammar) → [`Game`] (names resolved). Every stage reports all it finds.

mod ast;
mod cycles;
mod explain;
mod format;
mod layout;
mod lexer;
mod parse;
mod pragma;
mod print;
mod report;
mod resolve;
mod values;

use crate::diag::Diagnostic;
use crate::game::Game;
use crate::source::SourceId;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::unwrap_used, clippy::panic, clippy::expect_used, clippy::unreachable)]
    #[allow(missing_docs, unreachable_pub, unused, dead_code, rustdoc::all)]
    grammar,
    "/text/grammar.rs"
);

pub use format::format;
pub use print::print;

/// Reads a game. `source` is the id of `text` for spans.
///
/// There is a game if and only if there is no error (the findings may still hold warnings). Reported are errors of
/// syntax, and of section 6 those that need the text or that a [`Game`] cannot hold: unknown types, recursive aliases,
/// maps as keys, duplicates, malformed map literals, cycles of constants, initialisers that refer to variables, and
/// `$$` with something that is no variable. All else is found by the checker. Built-in definitions that the text leaves
/// out are added. At most 100 errors are reported. Linear, up to sorting.
pub fn parse(source: SourceId, text: &str) -> (Option<Game>, Vec<Diagnostic>) {
    let mut report = report::Report::default();
    let parsed = parse::declarations(source, text, &mut report);
    let game = resolve::resolve(&parsed, &mut report);
    let game = report.is_empty().then_some(game);
    (game, report.finish())
}
