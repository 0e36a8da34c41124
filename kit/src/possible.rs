//! The states that fit what a player observed in a game that hides something.
//!
//! All of it follows from the rules and the observations; the state of the game is never looked at.

use crate::runner::Runner;
use agents::Observed;
use backend::{Moves, Reasoner, Rng, State, Turn};
use std::collections::BTreeSet;

/// States that are kept, at most.
const ALL: usize = 512;

/// States that are kept as examples where all are too many.
const EXAMPLES: usize = 48;

/// Moves looked at for one move of the game, at most.
const MAX_MOVES: usize = 4 * ALL;

/// A move that a state may follow the game with, and where it leads.
pub struct Next {
    /// The state behind it.
    pub state: State,
    /// Whether all that is observed of it is what the player observed, with the answers of the keeper.
    pub is_same: bool,
}

/// All states in which a player would have observed the same, as long as they are few; else examples of them, in which what was not seen is chosen at random.
pub struct Possible<'r> {
    reasoner: &'r Reasoner,
    player: usize,
    rng: Rng,
    states: Vec<State>,
    /// Whether these are all.
    has_all: bool,
}

impl<'r> Possible<'r> {
    /// At the beginning of a game, everything is known.
    pub fn new(runner: &'r Runner, player: usize) -> Self {
        let states = runner.reasoner.initial().into_iter().collect();
        let rng = Rng::new(player as u64);
        Self { reasoner: &runner.reasoner, player, rng, states, has_all: true }
    }

    /// Follows a move and the answers of the keeper, as the player observed them.
    pub fn follow(&mut self, observed: &[Observed]) {
        if self.has_all {
            match self.all_behind(observed) {
                Some(states) => self.states = states,
                None => {
                    self.has_all = false;
                    let count = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
                    let chosen = |_| self.states.get(self.rng.below(count) as usize).cloned();
                    self.states = (0..EXAMPLES).filter_map(chosen).collect();
                }
            }
        }
        if !self.has_all {
            self.follow_examples(observed);
        }
    }

    /// All states behind a move; `None` if they are too many.
    fn all_behind(&self, observed: &[Observed]) -> Option<Vec<State>> {
        let (mut after, mut looked) = (BTreeSet::new(), 0);
        for state in &self.states {
            let nexts = nexts(self.reasoner, state, self.player, observed, MAX_MOVES - looked);
            looked += nexts.len();
            after.extend(nexts.into_iter().filter(|next| next.is_same).map(|next| next.state));
            if looked >= MAX_MOVES || after.len() > ALL {
                return None;
            }
        }
        Some(after.into_iter().collect())
    }

    /// One state behind a move for each example that can follow it as the player observed it, and more behind these, up to their number before. Looks at a
    /// limited number of moves for all examples together.
    fn follow_examples(&mut self, observed: &[Observed]) {
        let (mut behind, mut left) = (Vec::new(), EXAMPLES * ALL);
        for state in std::mem::take(&mut self.states) {
            let nexts = nexts(self.reasoner, &state, self.player, observed, left.min(MAX_MOVES));
            left = left.saturating_sub(nexts.len().max(1));
            let mut same: Vec<State> = nexts.into_iter().filter(|next| next.is_same).map(|next| next.state).collect();
            if !same.is_empty() {
                behind.push(same.swap_remove(self.chosen(same.len())));
                self.states.append(&mut same);
            }
        }
        let mut spare = std::mem::take(&mut self.states);
        while behind.len() < EXAMPLES && !spare.is_empty() {
            behind.push(spare.swap_remove(self.chosen(spare.len())));
        }
        self.states = behind;
    }

    /// A number below a positive one, at random.
    fn chosen(&mut self, count: usize) -> usize {
        self.rng.below(u32::try_from(count.max(1)).unwrap_or(u32::MAX)) as usize
    }

    /// The states; none where they are too many.
    pub fn states(&self) -> &[State] {
        if self.has_all { &self.states } else { &[] }
    }

    /// At most so many states in which the player may be: all, or examples. Where no example could follow what was observed, there are none.
    pub fn examples(&self, most: usize) -> impl Iterator<Item = &State> {
        self.states.iter().step_by(self.states.len().div_ceil(most.max(1)).max(1))
    }
}

/// The first `most` moves of a state of which a player would observe the same as of the move that was made, apart from the keeper's answers.
pub fn nexts(reasoner: &Reasoner, state: &State, player: usize, observed: &[Observed], most: usize) -> Vec<Next> {
    let Some(made) = observed.first().filter(|made| made.mover == Some(reasoner.turn(state))) else {
        return Vec::new();
    };
    let mut moves = Moves::new();
    if reasoner.legal_moves(state, &mut moves).is_err() {
        return Vec::new();
    }
    let own = made.mover == Some(Turn::Player(player));
    let may_be = |&index: &usize| {
        let tags = moves.tags(index);
        if own {
            tags == made.tags && moves.outcome(index) == made.outcome
        } else {
            made.tags.iter().all(|tag| tags.contains(tag))
        }
    };
    let next = |index: usize| {
        let (mut state, mut events) = (state.clone(), Vec::new());
        reasoner.apply_logged(&mut state, &moves, index, &mut events).ok()?;
        let mut seen = events.iter().map(|event| (event.mover, event.observed_by(player)));
        if seen.next().is_none_or(|(_, tags)| tags != made.tags) {
            return None;
        }
        // Of an answer that says nothing, it is not known whether there was one.
        let answers = seen.filter(|(_, tags)| !tags.is_empty());
        let heard = observed.iter().skip(1).filter(|event| !event.tags.is_empty());
        Some(Next { state, is_same: answers.eq(heard.map(|event| (event.mover, event.tags.clone()))) })
    };
    (0..moves.len()).filter(may_be).filter_map(next).take(most).collect()
}
