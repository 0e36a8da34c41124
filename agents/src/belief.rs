//! What a player with incomplete knowledge may believe: the states that fit what it observed.
//!
//! A belief is a set of *worlds*, each with a weight: how likely it is if everybody else moves at random. It follows the
//! game move by move. Large sets are thinned out by sampling; if nothing is left of them because of that, move sequences that fit
//! are searched anew from the beginning, at random and with a bound on the work. If that fails as well, there is no belief, and
//! agents choose at random; the next search comes when the history is twice as long, so that all searches of a game together
//! cost no more than a few times the last one.
//!
//! The work for a move of the game is bounded by the budget: the number of worlds grows with the playouts or nodes that may be
//! spent ([`Extent`]). Where time is the budget, fewer worlds are looked at in random order if it is short: all of this may take
//! half of the time for a move, unless nothing that fits is found by then.

use crate::budget::Meter;
use crate::play::Observed;
use crate::simple::any;
use crate::{Knowledge, Situation};
use backend::{Error, Event, Moves, Reasoner, Rng, State, Tag, Turn};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::time::Instant;

/// Worlds kept from one move to the next, at most and, with a small budget, at least.
const MAX_WORLDS: usize = 2_000;
const MIN_WORLDS: usize = 64;
/// Worlds kept for every playout or node of the budget.
const WORLDS_PER_PLAYOUT: u64 = 4;
/// Moves made for one move of the game, for every world kept; beyond that they are sampled.
const WORK: usize = 10;
/// Moves made to find move sequences anew, for every world kept, and worlds looked for.
const SEARCH_WORK: usize = 20;
const SEARCH_WORLDS: usize = 64;

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

    /// Moves made at most to search anew.
    pub(crate) fn search(self) -> usize {
        self.worlds * SEARCH_WORK
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
pub(crate) struct Belief {
    rng: Rng,
    worlds: Vec<(Possible, f64)>,
    /// What the worlds fit.
    seen: Vec<Observed>,
    /// Length of the history at which nothing was found by the last search.
    failed: Option<usize>,
    /// Moves made so far.
    work: u64,
}

impl Belief {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), worlds: Vec::new(), seen: Vec::new(), failed: None, work: 0 }
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

    /// Worlds drawn at random by weight; all of them, once each, if they are equally likely and there are not too many.
    fn sample(&self, count: usize, rng: &mut Rng) -> Vec<Possible> {
        let weight = self.worlds.first().map_or(0.0, |(_, weight)| *weight);
        if self.worlds.len() <= count && self.worlds.iter().all(|(_, other)| *other == weight) {
            return self.worlds.iter().map(|(possible, _)| possible.clone()).collect();
        }
        resampled(&self.worlds, count, rng).into_iter().map(|(possible, _)| possible).collect()
    }

    /// Takes in what the player observed since the last time.
    fn follow(&mut self, situation: &Situation<'_>, history: &[Observed], meter: &Meter<'_>) -> Result<(), Error> {
        let reasoner = situation.reasoner;
        if self.seen.is_empty() || !history.starts_with(&self.seen) {
            self.seen.clear();
            self.failed = None;
            self.worlds = vec![(start(reasoner)?, 1.0)];
        }
        let news = history.get(self.seen.len()..).unwrap_or(&[]);
        let left = steps(news).count();
        for (number, step) in steps(news).enumerate() {
            if self.worlds.is_empty() {
                break;
            }
            self.advance(situation, step, meter, left - number)?;
        }
        // A search that failed is not worth repeating soon: it would take longer each time.
        let is_due = self.failed.is_none_or(|length| history.len() >= 2 * length);
        if self.worlds.is_empty() && is_due {
            self.worlds = self.search(situation, history, meter)?;
            self.failed = self.worlds.is_empty().then_some(history.len());
        }
        self.seen.extend_from_slice(news);
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
        }
        let share = (extent.work() / self.worlds.len().max(1)).max(1);
        let mut index_of: FxHashMap<Possible, usize> = FxHashMap::default();
        let mut next: Vec<(Possible, f64)> = Vec::new();
        let mut moves = Moves::new();
        let mut worlds = std::mem::take(&mut self.worlds);
        if end.is_some() {
            self.shuffle(&mut worlds);
        }
        'worlds: for (world, weight) in worlds {
            if enough(next.len()) {
                break;
            }
            let own = step.first().is_some_and(|event| event.mover == Some(Turn::Player(player)));
            let mut chosen = candidates(reasoner, &world, step, player, &mut moves)?;
            // All legal moves are equally likely, and those that are sampled stand for all that may fit.
            let likely = chosen.len() as f64 / (chosen.len().min(share) * moves.len()).max(1) as f64;
            let weight = if own { weight } else { weight * likely };
            while chosen.len() > share {
                chosen.swap_remove(any(&mut self.rng, chosen.len()));
            }
            for index in chosen {
                if enough(next.len()) {
                    break 'worlds;
                }
                self.work += 1;
                let Some(after) = fitting(reasoner, &world, &moves, index, player, step)? else { continue };
                let fresh = next.len();
                let at = *index_of.entry(after.clone()).or_insert(fresh);
                match next.get_mut(at) {
                    Some((_, sum)) => *sum += weight,
                    None => next.push((after, weight)),
                }
            }
        }
        self.worlds = next;
        Ok(())
    }

    /// Looks for move sequences that fit everything, depth first and in random order, with restarts.
    fn search(
        &mut self,
        situation: &Situation<'_>,
        history: &[Observed],
        meter: &Meter<'_>,
    ) -> Result<Vec<(Possible, f64)>, Error> {
        let Situation { reasoner, player, .. } = *situation;
        let end = meter.step(1);
        let enough = |found: usize| meter.is_late() || (found > 0 && is_past(end));
        let steps: Vec<&[Observed]> = steps(history).collect();
        let (mut found, mut work, most) = (Vec::new(), 0, meter.extent().search());
        while work < most && found.len() < SEARCH_WORLDS && !enough(found.len()) {
            let limit = (work + most / 8).min(most);
            let mut stack = vec![self.frame(reasoner, player, start(reasoner)?, steps.first())?];
            while let (depth, Some(frame)) = (stack.len(), stack.last_mut()) {
                work += 1;
                let Some(step) = steps.get(depth - 1) else {
                    found.push((frame.world.clone(), 1.0));
                    break;
                };
                if work >= limit || enough(found.len()) {
                    break;
                }
                let Some(index) = frame.open.pop() else {
                    stack.pop();
                    continue;
                };
                if let Some(after) = fitting(reasoner, &frame.world, &frame.moves, index, player, step)? {
                    stack.push(self.frame(reasoner, player, after, steps.get(depth))?);
                }
            }
            if stack.is_empty() {
                break; // nothing fits, and every move sequence has been tried
            }
        }
        self.work += work as u64;
        Ok(found)
    }

    fn frame(
        &mut self,
        reasoner: &Reasoner,
        player: usize,
        world: Possible,
        step: Option<&&[Observed]>,
    ) -> Result<Frame, Error> {
        let mut moves = Moves::new();
        let mut open = match step {
            Some(step) => candidates(reasoner, &world, step, player, &mut moves)?,
            None => Vec::new(),
        };
        self.shuffle(&mut open);
        Ok(Frame { world, moves, open })
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, any(&mut self.rng, end + 1));
        }
    }
}

/// A world on the way of a search, with the moves not tried yet.
struct Frame {
    world: Possible,
    moves: Moves,
    open: Vec<usize>,
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

/// The world after a move, if a player observes the same of it as in the game.
fn fitting(
    reasoner: &Reasoner,
    world: &Possible,
    moves: &Moves,
    index: usize,
    player: usize,
    step: &[Observed],
) -> Result<Option<Possible>, Error> {
    let (after, events) = world.after(reasoner, moves, index)?;
    let same = Observed::all(&events, player, moves.outcome(index)).eq(step.iter().cloned());
    Ok(same.then_some(after))
}

/// `count` worlds drawn by weight, systematically: with one random number and even steps. They weigh the same.
fn resampled(worlds: &[(Possible, f64)], count: usize, rng: &mut Rng) -> Vec<(Possible, f64)> {
    let total: f64 = worlds.iter().map(|(_, weight)| weight).sum();
    let step = total / count.max(1) as f64;
    let mut next = step * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (mut sum, mut drawn) = (0.0, Vec::with_capacity(count));
    for (possible, weight) in worlds {
        sum += weight;
        while next < sum && drawn.len() < count {
            drawn.push((possible.clone(), step));
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
