//! RG as JSON, for tools that are not written in Rust.
//!
//! The document holds names, not ids, and says of every name in an expression what it stands for, so nothing has to be
//! resolved by a reader. Its shape is given by the types in [`document`], from which [`schema`] is generated.
//!
//! * [`to_json`] writes, one declaration or edge per line. What a text would leave out (implicit built-ins, spans) is
//!   left out here too.
//! * [`from_json`] reads. `from_json(to_json(g))` gives a game equal to `g`, for every game with distinct names whose
//!   expressions, types and values nest at most 1,000 levels deep, which is the limit of the text form, too.

pub mod document;
mod read;
mod reason;
mod scan;
mod write;

pub use read::from_json;
pub use reason::reason;
pub use write::to_json;

use crate::diag::Diagnostic;
use crate::game::Game;
use crate::source::Span;

/// The version of the format that this crate writes, and the only one it reads.
pub const VERSION: u64 = 1;

/// The path in the document to what a finding about a game read by [`from_json`] is about: a declaration, pragma, or the label
/// of an edge. Linear in the size of the game.
pub fn path(game: &Game, finding: &Diagnostic) -> Option<String> {
    let span = finding.primary.as_ref()?.span;
    let at = |mut spans: Box<dyn Iterator<Item = Span> + '_>| spans.position(|other| other == span);
    let lists: [(&str, Box<dyn Iterator<Item = Span> + '_>); 4] = [
        ("types", Box::new(game.type_decls.values().map(|decl| decl.span))),
        ("constants", Box::new(game.consts.values().map(|decl| decl.span))),
        ("variables", Box::new(game.vars.values().map(|decl| decl.span))),
        ("pragmas", Box::new(game.pragmas.iter().map(|decl| decl.span))),
    ];
    let declared = lists.into_iter().find_map(|(list, spans)| Some(format!("{list}[{}]", at(spans)?)));
    let edge = || at(Box::new(game.automaton.edges().map(|(_, edge)| edge.span)));
    declared.or_else(|| edge().map(|index| format!("edges[{index}].label")))
}

/// The JSON Schema of the format, as JSON text.
pub fn schema() -> String {
    let schema = schemars::schema_for!(document::Document);
    let mut text = format!("{:#}", schema.to_value());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
