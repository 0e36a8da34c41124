//! Perft by positions: moves of one state that lead to the same position count once.
//!
//! Programs for draughts count this way, for instance, where captures of the same pieces in another order are one move.

use crate::reasoner::Reasoner;
use engine::Error;
use engine::limits::MAX_PERFT_DEPTH;
use engine::state::{Moves, State};
use rustc_hash::FxHashSet;

impl Reasoner {
    /// Number of plays of exactly `depth` moves below a state, where moves of one state that lead to the same position are one
    /// move. Positions that are reached by different plays still count each. Time is proportional to the moves above the
    /// last but one position.
    ///
    /// # Errors
    /// As for [`Reasoner::perft`].
    pub fn perft_unique(&self, state: &State, depth: u32) -> Result<u64, Error> {
        if depth > MAX_PERFT_DEPTH {
            return Err(Error::too_deep(self.node_name(state)));
        }
        let mut buffers: Vec<(Moves, FxHashSet<State>)> = Vec::new();
        self.count_unique(state, depth, &mut buffers)
    }

    /// The recursion is as deep as perft may be.
    fn count_unique(
        &self,
        state: &State,
        depth: u32,
        buffers: &mut Vec<(Moves, FxHashSet<State>)>,
    ) -> Result<u64, Error> {
        if depth == 0 {
            return Ok(1);
        }
        let (mut moves, mut positions) = buffers.pop().unwrap_or_default();
        self.legal_moves(state, &mut moves)?;
        let mut sum = 0u64;
        for index in 0..moves.len() {
            let mut next = state.clone();
            let counted = self.apply(&mut next, &moves, index).and_then(|()| {
                if !positions.insert(next.clone()) {
                    return Ok(0);
                }
                self.count_unique(&next, depth - 1, buffers)
            });
            sum = sum.saturating_add(counted.map_err(|error| error.after(self.move_text(&moves, index)))?);
        }
        positions.clear();
        buffers.push((moves, positions));
        Ok(sum)
    }
}
