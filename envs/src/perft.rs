//! Counting plays, with a look at the clock now and then, or in parts.

use crate::env::{Acted, Env, EnvError, Labels};
use crate::game::Game;
use backend::{State, Turn};
use rustc_hash::FxHashSet;

/// Plays of so many moves are counted without a pause.
const AT_ONCE: u32 = 3;
/// How deep plays are split at most: calls nest as deep.
const MAX_SPLIT: u32 = 64;

/// A part of a count: plays of so many moves behind some actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// From the beginning of the game, those of `random` included.
    pub actions: Vec<u32>,
    /// Moves behind them.
    pub depth: u32,
}

impl Game {
    /// The number of plays of `depth` moves after some actions; behind some steps of a move, that move is the first one. `None` if `goes_on` has said no, which is
    /// asked before each part of the work: most parts take milliseconds. In games with `random`, the engine has to keep all values ([`Game::in_full`]), since outcomes
    /// that lead to the same state count once.
    ///
    /// # Errors
    /// As for [`Env::after`]; [`EnvError::Game`] if the rules fail.
    pub fn perft(
        &self,
        actions: &[u32],
        depth: u32,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<u64>, EnvError> {
        let env = Env::after(self, actions)?;
        if depth == 0 || !env.is_in_move() {
            return self.plays(env.state(), (depth, 0), goes_on);
        }
        let mut sum = 0u64;
        for next in self.after_moves(&env)? {
            let Some(count) = self.plays(&next, (depth - 1, 1), goes_on)? else { return Ok(None) };
            sum = sum.saturating_add(count);
        }
        Ok(Some(sum))
    }

    /// The states after each of the moves that the steps taken so far leave; of `random`, each state once.
    fn after_moves(&self, env: &Env) -> Result<Vec<State>, EnvError> {
        let is_random = env.turn() == Turn::Random;
        let (mut found, mut outcomes) = (Vec::new(), FxHashSet::default());
        for next in env.after_possible(self) {
            let next = next?;
            if !is_random || outcomes.insert(next.clone()) {
                found.push(next);
            }
        }
        Ok(found)
    }

    /// Plays of so many moves from a state, which is so many moves below the first one.
    fn plays(
        &self,
        state: &State,
        (depth, level): (u32, u32),
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<u64>, EnvError> {
        if !goes_on() {
            return Ok(None);
        }
        let reasoner = self.reasoner();
        let turn = reasoner.turn(state);
        if depth <= AT_ONCE || turn == Turn::End || level == MAX_SPLIT {
            return Ok(Some(reasoner.perft(state, depth)?));
        }
        let (mut moves, mut outcomes) = (Vec::new(), FxHashSet::default());
        reasoner.packed_moves(state, &mut moves)?;
        let mut sum = 0u64;
        for packed in moves {
            let mut next = state.clone();
            reasoner.apply_packed(&mut next, packed)?;
            if turn == Turn::Random && !outcomes.insert(next.clone()) {
                continue;
            }
            let Some(count) = self.plays(&next, (depth - 1, level + 1), goes_on)? else { return Ok(None) };
            sum = sum.saturating_add(count);
        }
        Ok(Some(sum))
    }

    /// The count of plays of `depth` moves from the beginning in parts, whose counts add up to it: at least so many as are wanted, if there are that many plays
    /// of `depth` less `whole` moves. They depend on nothing else.
    ///
    /// # Errors
    /// As for [`Game::perft`].
    pub fn perft_parts(&self, depth: u32, whole: u32, wanted: usize) -> Result<Vec<Part>, EnvError> {
        let mut labels = Labels::default();
        let (mut front, mut left) = (vec![(Env::new(self)?, Vec::new())], depth);
        while left > whole && front.len() < wanted && !front.is_empty() {
            let mut next = Vec::new();
            for (env, actions) in front {
                self.moves(env, actions, &mut labels, &mut next)?;
            }
            (front, left) = (next, left - 1);
        }
        Ok(front.into_iter().map(|(_, actions)| Part { actions, depth: left }).collect())
    }

    /// Adds the games after each move that can be made in one, with the actions that lead there. Their own moves are not listed: most are only counted.
    fn moves(
        &self,
        mut env: Env,
        actions: Vec<u32>,
        labels: &mut Labels,
        found: &mut Vec<(Env, Vec<u32>)>,
    ) -> Result<(), EnvError> {
        if env.turn() == Turn::End {
            return Ok(());
        }
        env.list(self, labels)?;
        let is_random = env.turn() == Turn::Random;
        let mut outcomes = FxHashSet::default();
        let mut open = vec![(env, actions)];
        while let Some((env, actions)) = open.pop() {
            for &action in env.legal() {
                let (mut next, with) = (env.clone(), [&actions[..], &[action]].concat());
                if next.act(self, action)? == Acted::Stepped {
                    open.push((next, with));
                } else if !is_random || outcomes.insert(next.state().clone()) {
                    found.push((next, with));
                }
            }
        }
        Ok(())
    }
}
