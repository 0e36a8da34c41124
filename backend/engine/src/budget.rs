//! How much of a game is walked where two executions of it are compared.

/// How much is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Moves generated in the systematic part, which goes breadth first.
    pub moves: u64,
    /// Random plays after it.
    pub plays: u64,
    /// Greatest number of moves of a random play, those of `random` included.
    pub plies: u64,
    /// Most moves generated in all random plays together.
    pub play_moves: u64,
    /// Seed of the random plays.
    pub seed: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { moves: 20_000, plays: 5, plies: 200, play_moves: 100_000, seed: 1 }
    }
}
