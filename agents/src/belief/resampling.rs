//! Plays that a player cannot tell from the one that it is in.

use super::{Belief, candidates, followed, places, start, steps};
use crate::budget::Budget;
use crate::play::{Observed, Play};
use crate::{Knowledge, Situation};
use backend::{Error, Moves, Rng, Tag, Turn};
use std::sync::atomic::AtomicBool;

/// Plays drawn until one is given up of which the player would know other legal moves, or that somebody else decides.
const TRIES: usize = 100;
/// What may be spent on finding plays, in playouts of an agent.
const PLAYOUTS: u64 = 500;

/// A move of a play: its tags, and which of several moves with these tags it is.
pub type Labelled = (Vec<Tag>, u32);

/// Draws plays in which a player has observed the same as in some play, with the same legal moves if it is to move. The first draw for what a player observed looks for
/// them, as agents do; the following ones cost as much as to make their moves.
pub struct Resampling {
    belief: Belief,
    rng: Rng,
}

impl Resampling {
    /// Equal seeds draw the same plays in the same order.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self { belief: Belief::new(rng.next_u64()), rng }
    }

    /// What is drawn from now on depends on this seed, and on what was found already.
    pub fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// The moves of a play that `player` cannot tell from this one, the likelier ones more often if everybody moves at random; `None` if nothing is hidden, or no such
    /// play is found within a bound on the work, or before `stop` is set.
    ///
    /// # Errors
    /// The rules fail on the way.
    pub fn draw(&mut self, play: &Play<'_>, player: usize, stop: &AtomicBool) -> Result<Option<Vec<Labelled>>, Error> {
        let situation = play.situation(player).until(stop);
        let Knowledge::Observations(history) = situation.knowledge else { return Ok(None) };
        let budget = Budget { playouts: Some(PLAYOUTS), ..Budget::default() };
        self.belief.follow(&situation, history, &budget.start(&situation))?;
        let mut moves = Moves::new();
        for _ in 0..TRIES {
            let Some(held) = self.belief.draw(&mut self.rng) else { return Ok(None) };
            let state = &held.possible.state;
            if situation.reasoner.turn(state) != play.turn() {
                continue;
            }
            if play.turn() == Turn::Player(player) {
                situation.reasoner.legal_moves(state, &mut moves)?;
                if places(situation.moves, &moves).is_none() {
                    continue;
                }
            }
            return way(&situation, history, |step| held.guessed(step));
        }
        Ok(None)
    }
}

/// The moves of a play that fit what was observed, of which those are given that were not observed in full; `None` if there is no such play.
fn way<'w>(
    situation: &Situation<'_>,
    history: &[Observed],
    guessed: impl Fn(usize) -> Option<(&'w [Tag], u32)>,
) -> Result<Option<Vec<Labelled>>, Error> {
    let Situation { reasoner, player, .. } = *situation;
    let (mut world, mut moves, mut made) = (start(reasoner)?, Moves::new(), Vec::new());
    for (number, step) in steps(history).enumerate() {
        let fitting = candidates(reasoner, &world, step, player, &mut moves)?;
        let is_guessed = |&index: &usize| guessed(number) == Some((moves.tags(index), moves.outcome(index)));
        let index = match fitting.as_slice() {
            [only] => Some(*only),
            several => several.iter().copied().find(is_guessed),
        };
        let Some(index) = index else { return Ok(None) };
        made.push((moves.tags(index).to_vec(), moves.outcome(index)));
        let (next, fits) = followed(reasoner, &world, &moves, index, player, step)?;
        if !fits {
            return Ok(None);
        }
        world = next;
    }
    Ok(Some(made))
}
