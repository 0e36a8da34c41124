//! RG as JSON, for tools that are not written in Rust.
//!
//! The document holds names, not ids, and says of every name in an expression what it stands for, so nothing has to be
//! resolved by a reader. Its shape is given by the types in [`document`], from which [`schema`] is generated.
//!
//! * [`to_json`] writes, one declaration or edge per line. What a text would leave out (implicit built-ins, spans) is
//!   left out here too.
//! * [`from_json`] reads. `from_json(to_json(g))` gives a game equal to `g`, for every game with distinct names whose
//!   expressions nest less deeply than about sixty brackets.

pub mod document;
mod read;
mod write;

pub use read::from_json;
pub use write::to_json;

/// The version of the format that this crate writes, and the only one it reads.
pub const VERSION: u64 = 1;

/// The JSON Schema of the format, as JSON text.
pub fn schema() -> String {
    let schema = schemars::schema_for!(document::Document);
    let mut text = format!("{:#}", schema.to_value());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
