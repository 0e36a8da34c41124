//! What a player with incomplete knowledge may believe: the states that fit what it observed.
//!
//! A belief is a set of *worlds*, each with a weight: how likely it is if everybody else moves at random. It follows the
//! game move by move. Large sets are thinned out by sampling; if little is left of them because of that, worlds that fit are
//! searched for from those there are, by changing choices on the way to them ([`search`]). If nothing is found within a bound on
//! the work, there is no belief, and agents choose at random; the search goes on with the next move.
//!
//! The work for a move of the game is bounded by the budget: the number of worlds grows with the playouts or nodes that may be
//! spent ([`Extent`]). Where time is the budget, fewer worlds are looked at in random order if it is short: all of this may take
//! half of the time for a move, unless nothing that fits is found by then.

mod resampling;
mod search;

pub use resampling::{Labelled, Resampling};

use crate::budget::Meter;
use crate::play::Observed;
use crate::simple::any;
use crate::{Knowledge, Situation};
use backend::{Error, Event, Moves, Reasoner, Rng, State, Tag, Turn};
use rustc_hash::{FxHashMap, FxHasher};
use search::{Held, Notes, Seed, guess};
use std::hash::{Hash, Hasher};
use std::time::Instant;

/// Worlds kept from one move to the next, at most and, with a small budget, at least.
const MAX_WORLDS: usize = 2_000;
const MIN_WORLDS: usize = 64;
/// Worlds kept for every playout or node of the budget.
const WORLDS_PER_PLAYOUT: u64 = 4;
/// Moves made for one move of the game, for every world kept; beyond that they are sampled.
const WORK: usize = 10;
/// Moves made to find further worlds, for every world kept, and with a small budget.
const SEARCH_WORK: usize = 40;
const MIN_SEARCH: usize = 10_000;
/// A search refills the belief if fewer than one in this many of the worlds it may hold are left.
const FEW: usize = 4;

/// How many worlds a belief has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// Worlds kept from one move to the next.
    worlds: usize,
}

impl Extent {
    /// The extent for a budget of that many playouts or nodes; `None` is a budget of time.
    pub(crate) fn of(playouts: Option<u64>) -> Self {
        let wanted = playouts.map_or(u64::MAX, |playouts| playouts.saturating_mul(WORLDS_PER_PLAYOUT));
        Self { worlds: usize::try_from(wanted).unwrap_or(MAX_WORLDS).clamp(MIN_WORLDS, MAX_WORLDS) }
    }

    /// Moves made at most to follow one move of the game.
    pub(crate) fn work(self) -> usize {
        self.worlds * WORK
    }

    /// Moves made at most to find further worlds.
    pub(crate) fn search(self) -> usize {
        (self.worlds * SEARCH_WORK).max(MIN_SEARCH)
    }
}

/// A state that is possible, and a digest of what each player observed on the way there.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Possible {
    pub(crate) state: State,
    pub(crate) digests: Box<[u64]>,
}

impl Possible {
    /// The world after a move, and the events of the move.
    fn after(&self, reasoner: &Reasoner, moves: &Moves, index: usize) -> Result<(Self, Vec<Event>), Error> {
        let (mut next, mut events) = (self.clone(), Vec::new());
        reasoner.apply_logged(&mut next.state, moves, index, &mut events)?;
        for (player, digest) in next.digests.iter_mut().enumerate() {
            *digest = digested(*digest, &events, player, moves.outcome(index));
        }
        Ok((next, events))
    }
}

/// The digest of what a player observed, with what it observes of a move.
pub(crate) fn digested(before: u64, events: &[Event], player: usize, outcome: u32) -> u64 {
    let mut hasher = FxHasher::default();
    before.hash(&mut hasher);
    for observed in Observed::all(events, player, outcome) {
        observed.hash(&mut hasher);
    }
    hasher.finish()
}

/// A possible state with its legal moves, and for each legal move of the situation its index among them.
pub(crate) struct World {
    pub(crate) state: State,
    pub(crate) moves: Moves,
    pub(crate) places: Vec<usize>,
}

/// What one player believes.
#[derive(Clone)]
pub(crate) struct Belief {
    rng: Rng,
    worlds: Vec<Held>,
    /// If there are no worlds, what fitted as much as possible.
    seeds: Vec<Seed>,
    notes: Notes,
    /// Whether worlds that fit may have been left out.
    thinned: bool,
    /// What the worlds fit.
    seen: Vec<Observed>,
    /// The moves of the game among it.
    length: usize,
    /// Moves made so far.
    work: u64,
}

impl Belief {
    pub(crate) fn new(seed: u64) -> Self {
        let (worlds, seeds, seen) = (Vec::new(), Vec::new(), Vec::new());
        Self { rng: Rng::new(seed), worlds, seeds, notes: Notes::default(), thinned: false, seen, length: 0, work: 0 }
    }

    /// Up to `count` states that fit what the player knows, the likelier ones more often: just the one if it knows the
    /// state. None if no such state was found.
    pub(crate) fn worlds(
        &mut self,
        situation: &Situation<'_>,
        count: usize,
        meter: &Meter<'_>,
        rng: &mut Rng,
    ) -> Result<Vec<World>, Error> {
        match situation.knowledge {
            Knowledge::State(state) => {
                let moves = situation.moves.clone();
                Ok(vec![World { state: state.clone(), places: (0..moves.len()).collect(), moves }])
            }
            Knowledge::Observations(history) => {
                let mut worlds = Vec::new();
                for possible in self.possible(situation, history, count, meter, rng)? {
                    if meter.is_late() && !worlds.is_empty() {
                        break;
                    }
                    let mut moves = Moves::new();
                    situation.reasoner.legal_moves(&possible.state, &mut moves)?;
                    // A player knows its legal moves: other states are not possible after all.
                    if let Some(places) = places(situation.moves, &moves) {
                        worlds.push(World { state: possible.state, moves, places });
                    }
                }
                Ok(worlds)
            }
        }
    }

    /// Up to `count` worlds that fit what the player observed, which is `history`.
    pub(crate) fn possible(
        &mut self,
        situation: &Situation<'_>,
        history: &[Observed],
        count: usize,
        meter: &Meter<'_>,
        rng: &mut Rng,
    ) -> Result<Vec<Possible>, Error> {
        self.follow(situation, history, meter)?;
        Ok(self.sample(count, rng))
    }

    /// A world drawn at random by weight.
    fn draw(&self, rng: &mut Rng) -> Option<Held> {
        resampled(&self.worlds, 1, rng).pop()
    }

    /// Worlds drawn at random by weight; all of them, once each, if they are equally likely and there are not too many.
    fn sample(&self, count: usize, rng: &mut Rng) -> Vec<Possible> {
        let weight = self.worlds.first().map_or(0.0, |held| held.weight);
        if self.worlds.len() <= count && self.worlds.iter().all(|held| held.weight == weight) {
            return self.worlds.iter().map(|held| held.possible.clone()).collect();
        }
        resampled(&self.worlds, count, rng).into_iter().map(|held| held.possible).collect()
    }

    /// Takes in what the player observed since the last time.
    fn follow(&mut self, situation: &Situation<'_>, history: &[Observed], meter: &Meter<'_>) -> Result<(), Error> {
        let reasoner = situation.reasoner;
        if self.seen.is_empty() || !history.starts_with(&self.seen) {
            self.seen.clear();
            self.seeds.clear();
            self.notes.clear();
            (self.thinned, self.length) = (false, 0);
            self.worlds = vec![Held { possible: start(reasoner)?, weight: 1.0, guesses: Vec::new(), earlier: None }];
        }
        let news = history.get(self.seen.len()..).unwrap_or(&[]);
        let left = steps(news).count();
        for (number, step) in steps(news).enumerate() {
            if !self.worlds.is_empty() {
                self.advance(situation, step, meter, left - number)?;
            }
            self.length += 1;
        }
        self.seen.extend_from_slice(news);
        if self.thinned && self.worlds.len() < meter.extent().worlds.div_ceil(FEW) {
            self.search(situation, meter)?;
        }
        Ok(())
    }

    /// Keeps what fits one more move of the game, the first of `left` moves.
    fn advance(
        &mut self,
        situation: &Situation<'_>,
        step: &[Observed],
        meter: &Meter<'_>,
        left: usize,
    ) -> Result<(), Error> {
        let Situation { reasoner, player, .. } = *situation;
        let end = meter.step(left);
        let enough = |found: usize| if found == 0 { meter.is_late() } else { meter.is_stopped() || is_past(end) };
        let extent = meter.extent();
        if self.worlds.len() > extent.worlds {
            self.worlds = resampled(&self.worlds, extent.worlds, &mut self.rng);
            self.thinned = true;
        }
        let share = (extent.work() / self.worlds.len().max(1)).max(1);
        let mut index_of: FxHashMap<Possible, usize> = FxHashMap::default();
        let mut next: Vec<Held> = Vec::new();
        let mut moves = Moves::new();
        let mut worlds = std::mem::take(&mut self.worlds);
        if end.is_some() {
            self.shuffle(&mut worlds);
        }
        'worlds: for held in &worlds {
            if enough(next.len()) {
                self.thinned = true;
                break;
            }
            let own = step.first().is_some_and(|event| event.mover == Some(Turn::Player(player)));
            let mut chosen = candidates(reasoner, &held.possible, step, player, &mut moves)?;
            let open = chosen.len() > 1;
            // All legal moves are equally likely, and those that are sampled stand for all that may fit.
            let likely = chosen.len() as f64 / (chosen.len().min(share) * moves.len()).max(1) as f64;
            let weight = if own { held.weight } else { held.weight * likely };
            self.notes.note(&held.guesses, self.length, 0);
            while chosen.len() > share {
                self.thinned = true;
                chosen.swap_remove(any(&mut self.rng, chosen.len()));
            }
            for index in chosen {
                if enough(next.len()) {
                    self.thinned = true;
                    break 'worlds;
                }
                self.work += 1;
                let (possible, fits) = followed(reasoner, &held.possible, &moves, index, player, step)?;
                if !fits {
                    continue;
                }
                let fresh = next.len();
                let at = *index_of.entry(possible.clone()).or_insert(fresh);
                match next.get_mut(at) {
                    Some(same) => same.weight += weight,
                    None => {
                        let mut after = held.clone();
                        if open {
                            guess(&mut after, (self.length, 0), &moves, index);
                        }
                        next.push(Held { possible, weight, ..after });
                    }
                }
            }
        }
        if next.is_empty() {
            let length = self.length;
            self.seeds = worlds.into_iter().map(|held| Seed { held, length, misses: 0 }).collect();
        }
        self.worlds = next;
        Ok(())
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, any(&mut self.rng, end + 1));
        }
    }
}

/// Whether it is later than that.
fn is_past(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

fn start(reasoner: &Reasoner) -> Result<Possible, Error> {
    Ok(Possible { state: reasoner.initial()?, digests: vec![0; reasoner.players().len()].into() })
}

/// What was observed, move by move: each step is a move and the keeper's answers.
fn steps(history: &[Observed]) -> impl Iterator<Item = &[Observed]> {
    history.chunk_by(|_, next| next.mover.is_none())
}

/// The legal moves of a world that may be the one a player observed, as far as can be said before they are made.
fn candidates(
    reasoner: &Reasoner,
    world: &Possible,
    step: &[Observed],
    player: usize,
    moves: &mut Moves,
) -> Result<Vec<usize>, Error> {
    let Some(seen) = step.first() else { return Ok(Vec::new()) };
    let turn = reasoner.turn(&world.state);
    if seen.mover != Some(turn) {
        return Ok(Vec::new());
    }
    reasoner.legal_moves(&world.state, moves)?;
    let fits = |&index: &usize| match turn == Turn::Player(player) {
        true => moves.tags(index) == seen.tags && moves.outcome(index) == seen.outcome,
        // Of other moves it sees some tags, in their order.
        false => {
            let mut tags = moves.tags(index).iter();
            seen.tags.iter().all(|seen| tags.any(|tag| tag == seen))
        }
    };
    Ok((0..moves.len()).filter(fits).collect())
}

/// The world after a move, and whether a player observes the same of it as in the game.
fn followed(
    reasoner: &Reasoner,
    world: &Possible,
    moves: &Moves,
    index: usize,
    player: usize,
    step: &[Observed],
) -> Result<(Possible, bool), Error> {
    let (after, events) = world.after(reasoner, moves, index)?;
    let same = Observed::all(&events, player, moves.outcome(index)).eq(step.iter().cloned());
    Ok((after, same))
}

/// `count` worlds drawn by weight, systematically: with one random number and even steps. They weigh the same.
fn resampled(worlds: &[Held], count: usize, rng: &mut Rng) -> Vec<Held> {
    let total: f64 = worlds.iter().map(|held| held.weight).sum();
    let step = total / count.max(1) as f64;
    let mut next = step * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (mut sum, mut drawn) = (0.0, Vec::with_capacity(count));
    for held in worlds {
        sum += held.weight;
        while next < sum && drawn.len() < count {
            drawn.push(Held { weight: step, ..held.clone() });
            next += step;
        }
    }
    drawn
}

/// For each of `wanted`, its index among `moves`; `None` if these are not the same moves.
pub(crate) fn places(wanted: &Moves, moves: &Moves) -> Option<Vec<usize>> {
    if wanted.len() != moves.len() {
        return None;
    }
    let label = |moves: &Moves, index: usize| (moves.tags(index).to_vec(), moves.outcome(index));
    let by_label: FxHashMap<(Vec<Tag>, u32), usize> =
        (0..moves.len()).map(|index| (label(moves, index), index)).collect();
    (0..wanted.len()).map(|index| by_label.get(&label(wanted, index)).copied()).collect()
}

#[cfg(test)]
mod tests;
