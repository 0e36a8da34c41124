//! How the moves of a decision are written in plays.

use wir::Function;
use wir::uses::unconditional_emissions;

/// Most sets of moves that are written in bytes.
const MAX_PACKS: usize = 12;

/// From how many moves in a set on it is written in bytes: byte after byte is more work than few moves one by one.
const MANY: f64 = 3.5;

/// How the moves of a decision are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// A byte for each.
    InBytes,
    /// A word for each, all of a set at once.
    InWords,
    /// A word for each; sets have few.
    OneByOne,
}

/// How the moves of a function are better written. Bytes are possible if none is emitted in a loop or choice. `moves` is how
/// many there are on average, if that is known.
pub(super) fn written(function: &Function, moves: Option<f64>) -> Written {
    match unconditional_emissions(function) {
        Some(sets) if moves.is_some_and(|moves| moves < MANY * sets as f64) => Written::OneByOne,
        Some(sets) if sets <= MAX_PACKS => Written::InBytes,
        _ => Written::InWords,
    }
}
