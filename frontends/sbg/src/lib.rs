//! Simplified Boardgames (SBG): reading, checking, printing and lowering to RG.
//!
//! Chess-like games of two players on a rectangle, in which every type of piece moves by a regular language of steps.
//! Reading goes in stages, each a module: words (`lexer`), sections and entries (`parse`, with the grammar of a rule or
//! goal in `syntax` and `grammar.lalrpop`), and checks of the whole (`checks`). Every entry is parsed on its own, so one
//! run finds the mistakes of all of them. `automaton` turns the rule of a piece into a small deterministic automaton,
//! which the checks explore and `lower` writes as RG. Nothing recurses on the depth of the input.
//!
//! Section numbers in this crate's docs refer to the project's specification of SBG; the language is due to Kowalski,
//! Sutowicz and Szykuła, *Simplified Boardgames*.

pub mod ast;
mod automaton;
mod checks;
pub mod codes;
mod complete;
mod format;
mod index;
mod lexer;
mod lexical;
mod lower;
mod meant;
mod notation;
mod parse;
mod print;
mod repair;
mod syntax;
mod told;

pub use automaton::{MAX_STEPS, State, TooLarge, Words};
pub use checks::{revisits_start, white_can_move};
pub use complete::expected;
pub use format::format;
pub use index::index;
pub use lexer::MAX_TOKENS;
pub use lexical::{meaning, patterns};
pub use lower::{Lowered, lower};
pub use notation::SbgNotation;
pub use parse::{MAX_LIMIT, MAX_SIDE, parse};
pub use print::print;
pub use syntax::MAX_NESTING;
pub use told::told;

/// Reads a description and translates it to RG. All findings are returned, warnings included; the result is missing if
/// one of them is an error.
pub fn load(source: rg_ir::SourceId, text: &str) -> (Option<Lowered>, Vec<rg_ir::Diagnostic>) {
    let (description, mut diagnostics) = parse(source, text);
    let lowered = description
        .filter(|_| !rg_ir::diag::has_errors(&diagnostics))
        .and_then(|description| lower(&description).map_err(|errors| diagnostics.extend(errors)).ok());
    (lowered, diagnostics)
}
