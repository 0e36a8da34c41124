//! Properness: the five conditions of a proper game (specification of RG, 8.5), tested by bounded exploration and random play.
//!
//! The naive engine looks at positions in order of their distance from the start, then plays at random. For every
//! condition that is broken there is a play that shows it. As long as a play is not longer than the depth to which *all*
//! positions were looked at, it is a shortest one.
//!
//! A test of this kind refutes; it proves only if the game has so few positions that all were looked at.

mod cycles;
mod explore;
mod keeper;

pub use crate::naive::Difference;
use crate::naive::{Naive, Survey};
use engine::Limits;
use engine::options::{Engine, Options};
use engine::outcomes::Ambiguity;
use engine::valid::ValidGame;
use engine::{Error, ErrorKind};
use explore::Run;
use fixedbitset::FixedBitSet;
use rg_ir::{EdgeId, Game};

/// Code of an action that is not valid.
const INVALID: &str = "RT207";
/// Code of a play without end.
const ENDLESS: &str = "RT208";
/// Code of an examination that met a limit before it found a violation.
pub const UNDECIDED: &str = "RT209";

/// The conditions of a proper game, in the order in which they are defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// All actions that a walk comes by are valid.
    Valid,
    /// All walks with the same tags lead to the same state.
    Unambiguous,
    /// There is a legal move unless the game is over.
    Continuable,
    /// The keeper has exactly one move; in games from RBG, all ways in which he can complete his moves lead to the same
    /// position.
    DeterministicKeeper,
    /// There are finitely many plays.
    Finite,
}

impl Condition {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Valid, Self::Unambiguous, Self::Continuable, Self::DeterministicKeeper, Self::Finite];

    /// Its number in the definition, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "action validity",
            Self::Unambiguous => "move unambiguity",
            Self::Continuable => "continuable",
            Self::DeterministicKeeper => "deterministic keeper",
            Self::Finite => "game finiteness",
        }
    }

    /// The condition that a run-time error shows to be broken; `None` for limits, which show nothing.
    pub fn of(error: ErrorKind) -> Option<Self> {
        match error {
            ErrorKind::Invalid | ErrorKind::Recursion => Some(Self::Valid),
            ErrorKind::Ambiguous => Some(Self::Unambiguous),
            ErrorKind::Stuck => Some(Self::Continuable),
            ErrorKind::KeeperChoice => Some(Self::DeterministicKeeper),
            ErrorKind::Limit | ErrorKind::IllegalMove => None,
        }
    }
}

/// A play that shows that a condition is broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The condition.
    pub condition: Condition,
    /// The diagnostic code.
    pub code: &'static str,
    /// The moves from the start, tags separated by single spaces as in `Reasoner::move_text`; the keeper's moves
    /// are left out.
    pub play: Vec<String>,
    /// How many moves at the end of the play lead back to where they began, so that they can be repeated for ever; 0 if
    /// that is not what is wrong.
    pub cycle: usize,
    /// Name of the node at which it is wrong.
    pub node: String,
    /// The edge that is wrong, if it is one.
    pub edge: Option<EdgeId>,
    /// What is wrong, in one line.
    pub what: String,
    /// For completions of the keeper's moves that do not agree: in what two of them differ.
    pub difference: Option<Difference>,
    /// Whether it is certain that no shorter play shows it.
    pub shortest: bool,
}

/// How far to go. All numbers count work, so that equal budgets give equal results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Positions looked at in order of their distance from the start.
    pub positions: u64,
    /// Steps of searches for their moves.
    pub steps: u64,
    /// Random plays after that, unless all positions are known by then.
    pub plays: u64,
    /// Moves of a random play, those of `random` included.
    pub plies: u64,
    /// Steps of searches in all random plays together.
    pub play_steps: u64,
    /// Seed of the random plays.
    pub seed: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { positions: 2_000, steps: 2_000_000, plays: 20, plies: 2_000, play_steps: 2_000_000, seed: 0 }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Examination {
    /// For every condition that is broken, the shortest play found that shows it, in the order of the conditions.
    pub violations: Vec<Violation>,
    /// Whether all positions of the game were looked at, so that what was not found is not there.
    pub complete: bool,
    /// Positions looked at in order of their distance.
    pub positions: u64,
    /// All positions that are fewer moves from the start than this were looked at.
    pub depth: u32,
    /// Random plays made, unfinished ones included.
    pub plays: u64,
    /// Positions and plays that were given up because a search met a limit.
    pub given_up: u64,
    /// Whether the game is over before anybody has made a move.
    pub over_at_start: bool,
    /// The edges that some search crossed, by index.
    crossed: FixedBitSet,
}

impl Examination {
    /// Whether some search crossed an edge of the game.
    pub fn crossed(&self, edge: EdgeId) -> bool {
        self.crossed.contains(rg_ir::ids::Id::index(edge))
    }
}

/// Looks for plays that show that a game is not proper. Time and memory are proportional to the budget.
///
/// # Errors
/// [`ErrorKind::Invalid`] if the game cannot be executed, which does not happen to checked games.
pub fn examine(game: &Game, budget: &Budget) -> Result<Examination, Error> {
    let game = ValidGame::new(game)?;
    // A search may not use up everything.
    let naive_steps = (budget.steps / 4).clamp(2_000, 2_000_000);
    let limits = Limits { naive_steps, memory: 1 << 27, ..Limits::default() };
    let options = Options { engine: Engine::Naive, ambiguity: Ambiguity::Split, limits, ..Options::default() };
    let mut run = Run::new(Survey::new(Naive::new(&game, &options, Vec::new())?), *budget);
    run.systematically();
    if !run.complete() {
        run.randomly();
    }
    Ok(run.finish())
}
