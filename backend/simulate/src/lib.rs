//! Many random plays side by side: bit-parallel simulation of the Boolean functions of a game.
//!
//! In: a game whose moves and transitions are and-inverter graphs over the bits of a state ([`Circuit`], [`Simulation`]). Out: the end
//! of each play ([`Simulation::play`]). A word has the value of a gate in 64 plays, a bit each, so that one AND of words does for all of them what
//! is one step of a walk otherwise; there is no branch that depends on a state. Plays are at different decisions at a time: they wait in a
//! queue for each, and the longest one is served, up to [`LANES`] plays at once. States are kept as words, and bit matrices are
//! transposed ([`transpose`]) on the way into circuits and out of them, so plays that are served together need not have been so before.
//!
//! A ply costs 1/[`LANES`] of the gates of two circuits, about 0.0035 ns for each gate, and about 1 ns for each word of the state and of moves.
//! Logic simulation with a bit for each pattern is standard in hardware verification (Kuehlmann and others, *Robust Boolean reasoning for
//! equivalence checking and functional property verification*, 2002, section 4).

mod circuit;
mod evaluate;
mod plays;
mod transpose;

pub use circuit::{Circuit, Node, Source};
pub use plays::{After, Decision, Failed, HandOver, Played, Scores, Simulation};

/// Words of the value of a gate.
pub(crate) const WIDTH: usize = 8;
/// The value of a gate in [`LANES`] plays.
pub(crate) type Row = [u64; WIDTH];
/// Plays that are served at once, at most.
pub const LANES: usize = 64 * WIDTH;
