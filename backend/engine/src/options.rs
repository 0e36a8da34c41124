//! How a game is run: the engine, what it checks, and its limits.

use crate::Limits;
use crate::outcomes::Ambiguity;

/// Which engine runs a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// The fastest one available.
    #[default]
    Auto,
    /// Lifted programs as machine code.
    #[cfg(feature = "native")]
    Native,
    /// Lifted programs as bytecode.
    Interpreter,
    /// Backtracking code over packed states, interpreted.
    Backtracking,
    /// The reference: slow, and as simple as the semantics.
    Naive,
}

impl Engine {
    /// All engines by name, [`Engine::Auto`] first.
    pub const ALL: &[(&'static str, Engine)] = &[
        ("auto", Engine::Auto),
        #[cfg(feature = "native")]
        ("native", Engine::Native),
        ("interpreter", Engine::Interpreter),
        ("backtracking", Engine::Backtracking),
        ("naive", Engine::Naive),
    ];
}

/// What lifted decisions become.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LiftedCode {
    /// What costs least in random plays.
    #[default]
    Cheapest,
    /// Loops over sets where there are rules for them, whatever they cost: for tests of these.
    Sets,
    /// Depth-first searches, whatever they cost: for tests of these.
    Searches,
    /// As `Searches`, with numbers for moves whose choices take more bits: for tests of these.
    NumberedSearches {
        /// The number of bits.
        beyond: u32,
    },
    /// As a network of Boolean functions.
    Network,
}

/// How a game is run.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// Which engine.
    pub engine: Engine,
    /// Whether the keeper's freedom of choice is an error, at some cost in speed. Games from RBG are exempt: their
    /// keeper may take several ways to one end.
    pub checked: bool,
    /// Whether a label with several outcomes is an error, or several moves. Moves of the keeper are made either way.
    pub ambiguity: Ambiguity,
    /// Whether states keep the values of variables that nobody reads any more, for drawings. Moves are the same, but equal
    /// positions may be unequal states.
    pub keep_dead: bool,
    /// Whether the pragma `@handover` is believed. It is right where the front end of RBG has written it; nothing verifies it,
    /// and random plays are wrong where it is: a game that was written or changed by hand may say anything.
    pub handovers: bool,
    /// How many random plays are looked at beforehand, with the interpreter, to make machine code that is fast where plays
    /// usually come by ([`Engine::Native`], [`Engine::Auto`]). It changes nothing but speed, and takes its time.
    pub profile: u32,
    /// What lifted decisions become. Moves and states are the same.
    pub lifted_code: LiftedCode,
    /// Limits for improper games.
    pub limits: Limits,
}
