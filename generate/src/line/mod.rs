//! Line games: pieces on the points of a board of lines step to neighbouring points and capture by jumping.
//!
//! A [`Description`] is read from a text ([`Description::read`]; `docs/generate.md` has its form) or made in code. It has a
//! [`Board`], from a drawing or of a named family, and [`Rules`]. [`Description::hrg`] writes it as a game in HRG.

mod board;
mod description;
mod drawing;
mod family;
mod options;
mod prose;
mod rings;
mod rules;
mod setup;
mod tables;
mod words;
mod write;

pub use board::{Board, Direction, MAX_POINTS, Piece, Player, Point, Rank};
pub use description::Description;
pub use rules::{
    AtLimit, Capture, Chain, Counted, Flying, Limit, MAX_TURNS, PerPiece, Promotion, Rules, Stuck, Unit, Ways,
};

use rg_ir::{Diagnostic, SourceId};

/// Writes the line game that `text` describes as HRG: formatted, with comments.
///
/// Work is linear in the text and in the number of points, which is limited ([`MAX_POINTS`]).
///
/// # Errors
/// What is wrong with the description.
pub fn generate(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    Description::read(source, text)?.hrg()
}
