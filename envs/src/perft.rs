//! Counting plays, with a look at the clock now and then.

use crate::env::{Env, EnvError};
use crate::game::Game;
use backend::{State, Turn};

/// Plays of so many moves are counted without a pause.
const AT_ONCE: u32 = 3;
/// How deep plays are split at most: calls nest as deep.
const MAX_SPLIT: u32 = 64;

impl Game {
    /// The number of plays of `depth` moves after some actions; `None` if `goes_on` has said no, which is asked before each part of the work: most parts take
    /// milliseconds, plays after a decision of chance are one part.
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
        self.plays(env.state(), (depth, 0), goes_on)
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
        let is_split = depth > AT_ONCE && matches!(reasoner.turn(state), Turn::Player(_));
        if !is_split || level == MAX_SPLIT {
            return Ok(Some(reasoner.perft(state, depth)?));
        }
        let mut moves = Vec::new();
        reasoner.packed_moves(state, &mut moves)?;
        let mut sum = 0u64;
        for packed in moves {
            let mut next = state.clone();
            reasoner.apply_packed(&mut next, packed)?;
            let Some(count) = self.plays(&next, (depth - 1, level + 1), goes_on)? else { return Ok(None) };
            sum = sum.saturating_add(count);
        }
        Ok(Some(sum))
    }
}
