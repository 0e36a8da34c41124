//! Plies that the program leaves to side exits: made by the second program where there is one that makes them, or by the search over
//! packed states.
//!
//! The second program has a state of its own; cells of the search are between the two. It runs as bytecode: few plies come to it.

use super::step::Words;
use super::{Executable, Fused};
use crate::bridge::Bridge;
use codegen::{SideExit, Vm};
use engine::Error;
use engine::Rng;
use engine::state::{Moves, State};
use lower::Lifted;
use rg_ir::Game;
use rg_ir::invariant::Invariant;
use search::program::Program;
use std::cell::Cell;
use std::sync::atomic::Ordering;

/// The node of moves that are words of the second program.
pub(super) const SECOND: u32 = u32::MAX - 1;

thread_local! {
    /// Words of moves that were listed.
    static LISTED: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// The second program, ready to run; `None` if it does not fit the search.
pub(super) fn second(lifted: Lifted, program: &Program, game: &Game) -> Option<Executable> {
    let (bridge, executor) = (Bridge::new(&lifted, program, game)?, Vm::new(&lifted.program).ok()?);
    Some(Executable { lifted, bridge, executor: Box::new(executor) })
}

impl Fused {
    /// The second program, and a state as its words.
    fn in_second(&self, words: &[u64]) -> Result<(&Executable, Vec<u64>), SideExit> {
        let second = self.second.as_ref().ok_or(SideExit)?;
        let words = second.words(&self.code.cells(&self.game, words)).ok_or(SideExit)?;
        Ok((second, words))
    }

    /// The moves at a state as words of the second program.
    pub(super) fn second_words(&self, words: &[u64], moves: &mut Vec<u64>) -> Result<(), SideExit> {
        let (second, words) = self.in_second(words)?;
        second.list(&words, moves)
    }

    /// Adds the moves at a state, as the second program finds them.
    pub(super) fn second_moves(&self, words: &[u64], moves: &mut Moves) -> Result<(), SideExit> {
        let (second, words) = self.in_second(words)?;
        let mut listed = LISTED.take();
        let decision = second.decision(&words).ok_or(SideExit);
        let read =
            second.list(&words, &mut listed).and_then(|()| second.read(decision?, &words, (&listed, SECOND), moves));
        LISTED.set(listed);
        read
    }

    /// The state after a move that is a word of the second program.
    pub(super) fn make_second(&self, words: &[u64], word: u64) -> Result<Vec<u64>, Error> {
        self.made_by_second(words, word).or_else(|SideExit| self.search_second(words, word))
    }

    fn made_by_second(&self, words: &[u64], word: u64) -> Result<Vec<u64>, SideExit> {
        let (second, mut words) = self.in_second(words)?;
        second.make(&mut words, word)?;
        self.code.words(&second.cells(&self.game, &words)).ok_or(SideExit)
    }

    /// As [`Fused::make_second`], by the search: it knows moves by their labels.
    fn search_second(&self, words: &[u64], word: u64) -> Result<Vec<u64>, Error> {
        let lost = || self.no_such_move(words);
        let label = self.in_second(words).and_then(|(second, words)| {
            let decision = second.decision(&words).ok_or(SideExit)?;
            second.label(decision, &words, word)
        });
        let label = label.map_err(|SideExit| lost())?;
        let mut all = Moves::new();
        let state = self.slow_moves(words, &mut all)?;
        let index = (0..all.len()).find(|&index| all.tags(index) == label).ok_or_else(lost)?;
        self.slow_make(state, &all, index)
    }

    /// Makes a move that is a word of the second program, unless the search has to; `false` then, and the state is as it was.
    pub(super) fn make_second_in_place(&self, state: &mut State, word: u64) -> bool {
        let words = self.has_words(state).then(|| Words::of(state));
        let made = words.and_then(|words| self.made_by_second(&words, word).ok());
        made.map(|words| *state = self.state(&words)).is_some()
    }

    /// Makes one of the moves at a state, each with the same probability, where the program has taken a side exit: the state then, and how many
    /// moves there are.
    pub(super) fn drawn_aside(&self, words: &[u64], all: &mut Moves, rng: &mut Rng) -> Result<(Vec<u64>, u64), Error> {
        let mut listed = LISTED.take();
        let found = self.second_words(words, &mut listed);
        let drawn = found.map(|()| {
            let index = rng.below(listed.len() as u32) as usize;
            (listed.get(index).copied().invariant_or(0, "the move that is drawn is listed"), listed.len() as u64)
        });
        LISTED.set(listed);
        if let Ok((word, count)) = drawn {
            self.side_exits.fetch_add(1, Ordering::Relaxed);
            return Ok((self.make_second(words, word)?, count));
        }
        let state = self.slow_moves(words, all)?;
        let index = rng.below(all.len() as u32) as usize;
        Ok((self.slow_make(state, all, index)?, all.len() as u64))
    }
}
