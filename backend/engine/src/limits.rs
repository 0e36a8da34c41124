//! Limits that turn runaway games into errors.

/// Plies that perft goes down, since it calls itself. Deeper counts fit no number, unless nobody has a choice.
pub const MAX_PERFT_DEPTH: u32 = 1_000;

/// Bounds on what one call may do. The defaults are far above what real games need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Choices taken in one search for moves, checks included; every move found allows 10,000 more.
    pub steps: u64,
    /// The same for the naive engine, whose steps are much dearer.
    pub naive_steps: u64,
    /// Moves of the keeper in a row.
    pub keeper_moves: u64,
    /// Tags of one move.
    pub tags: u64,
    /// Reachability checks inside each other.
    pub check_depth: u64,
    /// Legal moves of one state.
    pub moves: u64,
    /// States remembered in one search whose visited set does not fit a table.
    pub visited: u64,
    /// Bytes that one search may use for the states it remembers, or for the moves it finds.
    pub memory: u64,
    /// Moves of one playout, those of `random` included.
    pub plies: u64,
    /// Steps, like `steps`, after which the interpreter suspects that a search comes by the same states again and again
    /// (it tells walks apart by where their tags were emitted), and starts once more with exact visited sets, which are
    /// several times slower.
    pub exact_after: u64,
    /// Registers of one lifted function; a decision that needs more is left to backtracking. All functions together may
    /// have ten times as many. A decision that needs more than half as many is lifted with checks as functions of their own.
    pub code: u32,
    /// Plies of random plays, but at most a few thousand, before these become one function in engine `native`. With 0, it
    /// optimises its code from the beginning.
    pub compile_after: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 100_000_000,
            naive_steps: 20_000_000,
            keeper_moves: 1_000_000,
            tags: 100_000,
            check_depth: 500,
            moves: 4_000_000,
            visited: 5_000_000,
            memory: 1 << 30,
            plies: 1_000_000,
            exact_after: 5_000_000,
            code: 60_000,
            compile_after: 50_000,
        }
    }
}
