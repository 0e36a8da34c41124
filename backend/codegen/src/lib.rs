//! What runs a reasoner program ([`wir`]).

mod framed;
#[cfg(feature = "native")]
pub mod native;
mod sink;
#[cfg(feature = "native")]
mod tiered;
mod tracing;
mod vm;

pub use framed::FramedVm;
#[cfg(feature = "native")]
pub use tiered::{Tiered, machine_code};
pub use tracing::Tracer;
pub use vm::Vm;

use engine::Rng;
use rg_ir::invariant::Invariant;
use wir::FnId;

/// Rounds of loops after which a call gives up.
pub(crate) const BUDGET: u64 = 100_000_000;

/// The function gave its case back ([`wir::Inst::SideExit`]), or met a limit: the caller has to find the answer in
/// another way. The state is as before; what was put into buffers is to be forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideExit;

/// A set of moves: `base + (i << shift)` for each bit i of `set`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Run {
    /// The move without its last element.
    pub base: u64,
    /// The elements.
    pub set: u64,
    /// Where the element goes.
    pub shift: u64,
}

/// The decisions of a game, for plays that need nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decisions {
    /// The word of a state that has the number of the decision, how far it is shifted, and its bits.
    pub number: (usize, u32, u64),
    /// By number: the functions that list the moves and make one. The first is the end of the play.
    pub functions: Vec<Option<(FnId, FnId)>>,
    /// By number, if there is one: a function that makes a move faster, as the other one does if the decision that comes next
    /// has a move that is no pass. If it has none, or cannot tell, the move is to be made once more by the other one.
    pub speculative: Vec<Option<FnId>>,
    /// By number: the kinds of moves that are passes, legal only where no others are, a bit each, the last one for all from 63 on;
    /// none where the list ends before.
    pub passes: Vec<u64>,
    /// Where the kind begins in a move's word.
    pub kind: u32,
    /// By number: whether `random` decides. Its moves are drawn as those of players, but are not counted.
    pub chance: Vec<bool>,
}

impl Decisions {
    /// The number of the decision of a state.
    #[inline]
    fn number_in(&self, state: &[u64]) -> usize {
        let (word, shift, bits) = self.number;
        state.get(word).map(|word| word >> (shift & 63) & bits).invariant_or(0, "a state has the word of its decision")
            as usize
    }

    /// The functions of a decision for the next ply of a play.
    #[inline]
    fn functions_of(&self, number: usize, tally: &Tally) -> Result<(FnId, FnId), Pause> {
        match self.functions.get(number) {
            _ if number == 0 => Err(Pause::Over),
            Some(&Some(functions)) if tally.plies < tally.limit => Ok(functions),
            _ => Err(Pause::Asked),
        }
    }

    /// Whether `random` makes a decision.
    #[inline]
    fn is_chance(&self, number: usize) -> bool {
        self.chance.get(number) == Some(&true)
    }

    /// Counts a move of a decision that was drawn from `choices` moves.
    #[inline]
    fn count(&self, number: usize, choices: u64, tally: &mut Tally) {
        if self.is_chance(number) { tally.add_chance() } else { tally.add(choices) }
    }

    /// The fast function that makes a move of a decision.
    fn speculative(&self, number: usize) -> Option<FnId> {
        self.speculative.get(number).copied().flatten()
    }

    /// The kinds of moves of a decision that are passes, and where the kind begins in a word.
    #[cfg(feature = "native")]
    fn passes_of(&self, number: usize) -> (u64, u32) {
        (self.passes.get(number).copied().unwrap_or(0), self.kind & 63)
    }

    /// Whether a move of a decision is a pass.
    #[inline]
    fn is_pass(&self, number: usize, word: u64) -> bool {
        self.passes.get(number).is_some_and(|passes| passes >> (word >> (self.kind & 63)).min(63) & 1 == 1)
    }
}

/// A move that was made speculatively.
#[derive(Default)]
struct Speculation {
    /// The state before it.
    before: Vec<u64>,
    /// The move, until it is known to be right.
    word: Option<u64>,
}

impl Speculation {
    /// Notes what is undone if the move proves wrong.
    #[inline]
    fn begin(&mut self, state: &[u64], word: u64) {
        self.before.clear();
        self.before.extend_from_slice(state);
        self.word = Some(word);
    }

    /// Whether the first of the moves that were listed shows that the last move was rightly made, if it was made speculatively.
    #[inline]
    fn is_right(&self, game: &Decisions, number: usize, first: u64) -> bool {
        self.word.is_none() || !game.is_pass(number, first)
    }

    /// Why a play pauses that cannot go on from a state: if it is not known to be right, it is undone.
    fn pause(&mut self, state: &mut [u64]) -> Pause {
        let Some(word) = self.word.take() else { return Pause::Asked };
        state.copy_from_slice(&self.before);
        Pause::Chosen(word)
    }
}

/// Random plays, one after the other.
#[derive(Debug)]
pub struct Play<'a> {
    /// Where each begins.
    pub start: &'a [u64],
    /// Where the present one is.
    pub state: &'a mut [u64],
    /// How many are not over, the present one among them.
    pub left: u16,
    /// Of each that is over, the words of its last state and the number of its plies.
    pub ends: &'a mut Vec<u64>,
    /// Room for moves.
    pub moves: &'a mut Vec<u64>,
    /// What it is played with.
    pub rng: &'a mut Rng,
    /// What is counted.
    pub tally: &'a mut Tally,
    /// Whether moves may be made speculatively; see [`Decisions::speculative`].
    pub speculative: bool,
}

impl Play<'_> {
    /// Notes the end of a play and begins the next one. `false` if it was the last.
    fn next(&mut self) -> bool {
        self.ends.extend_from_slice(self.state);
        self.ends.push(self.tally.counted());
        self.left = self.left.saturating_sub(1);
        self.left > 0 && self.begin()
    }

    /// Goes to where plays begin. `false` if that is no state of the same size.
    fn begin(&mut self) -> bool {
        let fits = self.start.len() == self.state.len();
        if fits {
            self.state.copy_from_slice(self.start);
            self.tally.begin();
        }
        fits
    }
}

/// Why plays pause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// All are over.
    Over,
    /// Somebody else has to find the moves, or the play is too long.
    Asked,
    /// Somebody else has to make this move, which has been counted.
    Chosen(u64),
}

/// What is counted in plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Moves of the present play, those of `random` among them, and the most there may be.
    pub plies: u64,
    /// See `plies`.
    pub limit: u64,
    /// Moves of `random` in the present play.
    pub chance: u64,
    /// Sum of the numbers of moves to choose from, in all plays.
    pub choices: u64,
    /// The greatest of these numbers.
    pub most: u64,
}

impl Tally {
    /// Counts a move of a player that was drawn from `choices` moves.
    #[inline]
    pub fn add(&mut self, choices: u64) {
        self.plies += 1;
        self.choices += choices;
        self.most = self.most.max(choices);
    }

    /// Counts a move of `random`.
    #[inline]
    pub fn add_chance(&mut self) {
        self.plies += 1;
        self.chance += 1;
    }

    /// Another play begins.
    #[inline]
    pub fn begin(&mut self) {
        (self.plies, self.chance) = (0, 0);
    }

    /// Plies of the present play: moves of players.
    #[inline]
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.plies.saturating_sub(self.chance)
    }
}

/// An engine for programs. The functions must exist and the state must have the program's number of words; otherwise the
/// answer is [`SideExit`].
pub trait Executor: Send + Sync {
    /// Name of the engine.
    fn name(&self) -> &'static str;

    /// Name of the engine that runs at this moment, where one takes over from another.
    fn running(&self) -> &'static str {
        self.name()
    }

    /// Waits until what has been called so far runs as fast as it ever will, where one engine takes over from another.
    fn settle(&self) {}

    /// Runs a function without parameters and results for the moves it emits, in order; `moves` is cleared first.
    ///
    /// # Errors
    /// [`SideExit`].
    fn list(&self, function: FnId, state: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit>;

    /// As [`Executor::list`], only the number of moves.
    ///
    /// # Errors
    /// [`SideExit`].
    fn count(&self, function: FnId, state: &[u64]) -> Result<u64, SideExit>;

    /// As [`Executor::list`], with the moves as sets; returns their number.
    ///
    /// # Errors
    /// [`SideExit`].
    fn runs(&self, function: FnId, state: &[u64], runs: &mut Vec<Run>) -> Result<u64, SideExit>;

    /// Runs a function with one parameter and one result that changes the state and emits nothing.
    ///
    /// # Errors
    /// [`SideExit`].
    fn call(&self, function: FnId, state: &mut [u64], argument: u64) -> Result<u64, SideExit>;

    /// Makes random plies, one after the other and play after play, until something else has to go on.
    fn plies(&self, game: &Decisions, play: &mut Play<'_>) -> Pause {
        loop {
            let number = game.number_in(play.state);
            let (decide, apply) = match game.functions_of(number, play.tally) {
                Ok(functions) => functions,
                Err(Pause::Over) if play.next() => continue,
                Err(pause) => return pause,
            };
            if self.list(decide, play.state, play.moves).is_err() || play.moves.is_empty() {
                return Pause::Asked;
            }
            let count = play.moves.len();
            let word = play
                .moves
                .get(play.rng.below(count as u32) as usize)
                .copied()
                .invariant_or(0, "the move that is drawn is listed");
            game.count(number, count as u64, play.tally);
            if self.call(apply, play.state, word).is_err() {
                return Pause::Chosen(word);
            }
        }
    }

    /// How many instructions a call takes, if the engine counts them and it does not take a side exit.
    fn instructions(&self, _function: FnId, _state: &[u64], _argument: u64) -> Option<u64> {
        None
    }
}
