//! What a search has found out while it goes on.

/// The observer of a search; it is called from any thread. It should return soon, since the search waits for it.
pub type Watch<'a> = &'a (dyn Fn(&Insight<'_>) + Sync);

/// What an agent has found out so far. With several threads, it is what one of them has found out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Insight<'a> {
    /// Random playouts made.
    pub playouts: u64,
    /// Nodes that its tree has, or positions that it searched.
    pub nodes: u64,
    /// Plies that it looked ahead: of a tree, the length of its longest branch met so far.
    pub depth: u32,
    /// The moves that were looked at: the index of each among the legal moves, how often it was tried (by alpha-beta, the positions
    /// behind it that were searched), and what it is worth to the player in the units of the game (by alpha-beta, a bound for all but
    /// the best one).
    pub moves: &'a [(usize, u64, f64)],
    /// The moves that it expects, the one that it would choose first: indices among the legal moves, each where the ones before it
    /// lead. Where something is hidden, no more than one.
    pub line: &'a [usize],
}
