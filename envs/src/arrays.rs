//! Where batches write: arrays with a row for each game.

use crate::batch::Plan;
use crate::game::Game;

/// Where a batch writes what a step leads to. Each has an element, or a row, for each game; those that are empty are left alone.
#[derive(Default)]
pub struct Arrays<'a> {
    /// Rows of [`crate::ObservationSpace::len`] bytes, if nothing is hidden.
    pub observations: &'a mut [u8],
    /// As `observations`: the last observation of games that were over in this step, with [`crate::Autoreset::SameStep`].
    pub final_observations: &'a mut [u8],
    /// Rows of [`Plan::max_observed`] numbers, if something is hidden: 1 more than that of each tag ([`crate::ActionSpace::all_tags`]) that the player to move
    /// observed last, the latest one last, after zeros.
    pub observed: &'a mut [i32],
    /// Rows of [`crate::ActionSpace::len`] elements: whether actions are legal.
    pub mask: &'a mut [bool],
    /// Rows of as many rewards as there are players: what the score of a game that is over is worth, else 0.
    pub rewards: &'a mut [f32],
    /// Whether games are over: with [`crate::Autoreset::Disabled`] until they are reset, else in the step in which they end.
    pub done: &'a mut [bool],
    /// Whether games were cut off.
    pub truncated: &'a mut [bool],
    /// The player to move; -1 for `random`, -4 at the end.
    pub current_player: &'a mut [i8],
    /// The number of moves of players so far.
    pub ply: &'a mut [i32],
}

impl Arrays<'_> {
    /// The number of elements of each array, in the order of the fields.
    pub fn lengths(&self) -> [usize; 9] {
        [
            self.observations.len(),
            self.final_observations.len(),
            self.observed.len(),
            self.mask.len(),
            self.rewards.len(),
            self.done.len(),
            self.truncated.len(),
            self.current_player.len(),
            self.ply.len(),
        ]
    }
}

/// The lengths of rows.
pub(crate) struct Sizes {
    observation: usize,
    observed: usize,
    mask: usize,
    players: usize,
}

impl Sizes {
    pub(crate) fn of(game: &Game, plan: &Plan) -> Self {
        Self {
            observation: game.observations().len(),
            observed: plan.max_observed,
            mask: game.actions().len(),
            players: game.reasoner().players().len(),
        }
    }

    /// The first rows, and the others.
    pub(crate) fn split<'a>(&self, arrays: Arrays<'a>, rows: usize) -> (Arrays<'a>, Arrays<'a>) {
        fn cut<T>(slice: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            let at = at.min(slice.len());
            slice.split_at_mut(at)
        }
        let (observations, observations_rest) = cut(arrays.observations, rows * self.observation);
        let (final_observations, final_rest) = cut(arrays.final_observations, rows * self.observation);
        let (observed, observed_rest) = cut(arrays.observed, rows * self.observed);
        let (mask, mask_rest) = cut(arrays.mask, rows * self.mask);
        let (rewards, rewards_rest) = cut(arrays.rewards, rows * self.players);
        let (done, done_rest) = cut(arrays.done, rows);
        let (truncated, truncated_rest) = cut(arrays.truncated, rows);
        let (current_player, player_rest) = cut(arrays.current_player, rows);
        let (ply, ply_rest) = cut(arrays.ply, rows);
        let rest = Arrays {
            observations: observations_rest,
            final_observations: final_rest,
            observed: observed_rest,
            mask: mask_rest,
            rewards: rewards_rest,
            done: done_rest,
            truncated: truncated_rest,
            current_player: player_rest,
            ply: ply_rest,
        };
        (
            Arrays { observations, final_observations, observed, mask, rewards, done, truncated, current_player, ply },
            rest,
        )
    }
}
