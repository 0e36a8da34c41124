//! Finding worlds that fit, from others that fit all or much of what a player observed.
//!
//! The way to a world is known by its *guesses*: the moves on it that the player did not see in full. A search changes one or two
//! guesses of a world, keeps the later ones where they are still legal, and counts the moves of the game from there of which the
//! player would have observed something else: its *misses*. Worlds with fewer misses take the place of those that they were made
//! from, now and then also one with one more, until there is one without. From there, this is a random walk among the worlds that
//! fit.
//!
//! For every guess, the least misses of any world with it are noted: guesses that contradict something by themselves are known by
//! that, and others come first.

use super::{Belief, Possible, candidates, followed, is_past, steps};
use crate::budget::Meter;
use crate::simple::any;
use crate::{Observed, Situation};
use backend::{Error, Moves, Tag};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Guesses of a world that can be changed: the last ones.
const MAX_GUESSES: usize = 64;
/// Guesses before those that are known, at most.
const MAX_EARLIER: usize = 10_000;
/// Changed worlds without any that is new after which no more are expected.
const STALE: usize = 1000;
/// Worlds that do not fit from which a search begins.
const SEEDS: usize = 8;
/// Moves tried for one guess.
const TRIES: usize = 4;
/// Guesses of which is known how much fitted with them, at most.
const MAX_NOTES: usize = 1 << 17;

/// A world, its weight, and how it came about.
#[derive(Clone)]
pub(super) struct Held {
    pub(super) possible: Possible,
    pub(super) weight: f64,
    /// In the order of the game: the last ones.
    pub(super) guesses: Vec<Arc<Guess>>,
    /// Those before, which are not changed any more.
    pub(super) earlier: Option<Arc<Earlier>>,
}

/// A move that was guessed, and those before it.
#[derive(Clone)]
pub(super) struct Earlier {
    step: usize,
    tags: Box<[Tag]>,
    outcome: u32,
    before: Option<Arc<Earlier>>,
    /// How many there are.
    count: usize,
}

impl Drop for Earlier {
    /// One after the other: each would drop the one before it, and the stack has no room for that.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut earlier) = next.and_then(Arc::into_inner) {
            next = earlier.before.take();
        }
    }
}

impl Held {
    /// The move that was guessed in a step of the game: its tags, and which of several moves with these tags it is. O(guesses).
    pub(super) fn guessed(&self, step: usize) -> Option<(&[Tag], u32)> {
        let earlier = std::iter::successors(self.earlier.as_ref(), |earlier| earlier.before.as_ref());
        let earlier = earlier.map(|earlier| (earlier.step, &*earlier.tags, earlier.outcome));
        let guesses = self.guesses.iter().map(|guess| (guess.step, &*guess.tags, guess.outcome));
        let found = guesses.chain(earlier).find(|(at, ..)| *at == step);
        found.map(|(_, tags, outcome)| (tags, outcome))
    }
}

/// A world on the way of a search.
#[derive(Clone)]
pub(super) struct Seed {
    pub(super) held: Held,
    /// The moves of the game that were made in it.
    pub(super) length: usize,
    /// Those of which the player would have observed something else.
    pub(super) misses: usize,
}

impl Seed {
    /// All moves of the game that do not fit: what cannot be made does not.
    fn total(&self, steps: &[&[Observed]]) -> usize {
        self.misses + steps.len().saturating_sub(self.length)
    }
}

/// A move that a player did not see in full.
#[derive(Clone)]
pub(super) struct Guess {
    /// Its number in the game.
    step: usize,
    before: Possible,
    tags: Box<[Tag]>,
    outcome: u32,
    /// How many legal moves there were.
    legal: usize,
    /// The misses before.
    misses: usize,
}

/// By guess, the length of the longest history that it was part of, and the least misses then.
#[derive(Clone, Default)]
pub(super) struct Notes(FxHashMap<u64, (usize, usize)>);

impl Notes {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes the misses of a world with these guesses.
    pub(super) fn note(&mut self, guesses: &[Arc<Guess>], length: usize, misses: usize) {
        if self.0.len() > MAX_NOTES {
            self.clear();
        }
        for guess in guesses {
            let note = self.0.entry(key(guess.step, &guess.tags, guess.outcome)).or_insert((length, misses));
            if length > note.0 || misses < note.1 {
                *note = (length, misses);
            }
        }
    }

    /// Keeps the moves of the game's move `step` with which there were no more misses, and those of which nothing is known; all, if
    /// there are none.
    fn retain(&self, chosen: &mut Vec<usize>, moves: &Moves, step: usize, misses: usize) {
        let fits = |&index: &usize| {
            let note = self.0.get(&key(step, moves.tags(index), moves.outcome(index)));
            note.is_none_or(|&(_, least)| least <= misses)
        };
        if chosen.iter().any(fits) {
            chosen.retain(fits);
        }
    }
}

/// What stands for a guess.
fn key(step: usize, tags: &[Tag], outcome: u32) -> u64 {
    let mut hasher = FxHasher::default();
    (step, tags, outcome).hash(&mut hasher);
    hasher.finish()
}

impl Seed {
    /// Adds move `index` to the guesses on the way.
    fn guess(&mut self, moves: &Moves, index: usize) {
        guess(&mut self.held, (self.length, self.misses), moves, index);
    }
}

/// Adds move `index` to the guesses on the way to a world, after that many moves and misses.
pub(super) fn guess(held: &mut Held, (step, misses): (usize, usize), moves: &Moves, index: usize) {
    if held.guesses.len() >= MAX_GUESSES {
        let (guess, before) = (held.guesses.remove(0), held.earlier.take());
        let count = before.as_ref().map_or(1, |before| before.count + 1);
        // Beyond that, it is not known any more how the world came about.
        let (step, tags, outcome) = (guess.step, guess.tags.clone(), guess.outcome);
        held.earlier = (count <= MAX_EARLIER).then(|| Arc::new(Earlier { step, tags, outcome, before, count }));
    }
    let (tags, outcome, before) = (moves.tags(index).into(), moves.outcome(index), held.possible.clone());
    held.guesses.push(Arc::new(Guess { step, before, tags, outcome, legal: moves.len(), misses }));
}

/// The guesses with the moves of two of them exchanged.
fn exchange(guesses: &[Arc<Guess>], one: &Arc<Guess>, two: &Arc<Guess>) -> Vec<Arc<Guess>> {
    let with = |guess: &Arc<Guess>, other: &Arc<Guess>| {
        let (tags, before) = (other.tags.clone(), guess.before.clone());
        Arc::new(Guess { before, tags, outcome: other.outcome, ..**guess })
    };
    let exchanged = |guess: &Arc<Guess>| match guess.step {
        step if step == one.step => with(guess, two),
        step if step == two.step => with(guess, one),
        _ => guess.clone(),
    };
    guesses.iter().map(exchanged).collect()
}

/// How a world is changed.
struct Change<'g> {
    /// The guesses that are kept where they are legal.
    old: &'g [Arc<Guess>],
    /// The moves of the game at which there is to be another guess.
    at: [Option<usize>; 2],
    /// Misses with which other guesses are known to be possible.
    wanted: usize,
    /// Misses beyond which the world is given up.
    limit: usize,
    /// Moves made at most, all in all.
    most: u64,
}

impl Belief {
    /// Looks for worlds that fit everything, from those there are or else from the seeds.
    pub(super) fn search(&mut self, situation: &Situation<'_>, meter: &Meter<'_>) -> Result<(), Error> {
        let (extent, end) = (meter.extent(), meter.step(1));
        let enough = |found: usize| meter.is_late() || (found > 0 && is_past(end));
        let seen = std::mem::take(&mut self.seen);
        let steps: Vec<&[Observed]> = steps(&seen).collect();
        let most = self.work + extent.search() as u64;
        let mut known: FxHashSet<Possible> = self.worlds.iter().map(|held| held.possible.clone()).collect();
        let mut seeds = self.seeds(situation, &steps, most)?;
        let mut stale = 0;
        while self.work < most && self.worlds.len() < extent.worlds && !seeds.is_empty() {
            stale += 1;
            if enough(self.worlds.len()) || (stale > STALE && !self.worlds.is_empty()) {
                break;
            }
            // The better one of two is changed.
            let [one, two] = [any(&mut self.rng, seeds.len()), any(&mut self.rng, seeds.len())];
            let total = |at: usize| seeds.get(at).map_or(usize::MAX, |seed| seed.total(&steps));
            let (at, before) = if total(one) > total(two) { (two, total(two)) } else { (one, total(one)) };
            let Some(seed) = seeds.get(at) else { break };
            let Some(changed) = self.changed(situation, &seed.held, before, &steps, most)? else { continue };
            let after = changed.total(&steps);
            if after == 0 && known.insert(changed.held.possible.clone()) {
                self.worlds.push(changed.held.clone());
                stale = 0;
                if let Some(worse) = seeds.iter_mut().find(|seed| seed.total(&steps) > 0) {
                    *worse = changed.clone();
                }
            }
            let worse = before > 0 && after <= before + 1 && any(&mut self.rng, 4) == 0;
            if (after <= before || worse)
                && let Some(seed) = seeds.get_mut(at)
            {
                *seed = changed;
            }
        }
        self.seeds = if self.worlds.is_empty() { seeds } else { Vec::new() };
        self.seen = seen;
        Ok(())
    }

    /// What the search begins with: the worlds that fit, or a few seeds in which the moves of the game were made that are new.
    fn seeds(&mut self, situation: &Situation<'_>, steps: &[&[Observed]], most: u64) -> Result<Vec<Seed>, Error> {
        let fits = |held: &Held| Seed { held: held.clone(), length: steps.len(), misses: 0 };
        let mut seeds: Vec<Seed> = self.worlds.iter().map(fits).collect();
        if seeds.is_empty() {
            seeds = std::mem::take(&mut self.seeds);
            self.shuffle(&mut seeds);
            seeds.truncate(SEEDS);
            let limit = usize::MAX;
            for seed in &mut seeds {
                let change = Change { old: &[], at: [None; 2], wanted: limit, limit, most };
                self.extend(situation, seed, steps, &change)?;
            }
        }
        for seed in &seeds {
            self.notes.note(&seed.held.guesses, steps.len(), seed.total(steps));
        }
        Ok(seeds)
    }

    /// A world with one or two other guesses, which had so many misses before. `None` if there is nothing to change.
    fn changed(
        &mut self,
        situation: &Situation<'_>,
        held: &Held,
        misses: usize,
        steps: &[&[Observed]],
        most: u64,
    ) -> Result<Option<Seed>, Error> {
        let first = any(&mut self.rng, held.guesses.len().max(1));
        let Some(origin) = held.guesses.get(first) else { return Ok(None) };
        let second = first + any(&mut self.rng, 2 * (held.guesses.len() - first));
        let at = [Some(origin.step), held.guesses.get(second).map(|guess| guess.step)];
        let (before, old) = held.guesses.split_at(first);
        let exchanged = held.guesses.get(second).filter(|_| second > first && any(&mut self.rng, 3) == 0);
        let exchanged = exchanged.map(|other| exchange(old, origin, other));
        let (old, at) = exchanged.as_deref().map_or((old, at), |old| (old, [None; 2]));
        let (possible, earlier) = (origin.before.clone(), held.earlier.clone());
        let begin = Held { possible, weight: held.weight, guesses: before.to_vec(), earlier };
        let mut seed = Seed { held: begin, length: origin.step, misses: origin.misses };
        // Notes are not all there is to know: guesses that fitted with others only may fit now.
        let wanted = if any(&mut self.rng, 8) == 0 { usize::MAX } else { misses + any(&mut self.rng, 2) };
        let limit = if misses > 0 { misses + 2 } else { 0 };
        self.extend(situation, &mut seed, steps, &Change { old, at, wanted, limit, most })?;
        // With two other guesses, it may be either that does not fit.
        if second == first || second >= held.guesses.len() || seed.total(steps) <= limit {
            self.notes.note(&seed.held.guesses, steps.len(), seed.total(steps));
        }
        Ok(Some(seed))
    }

    /// Makes the moves of the game in a world, as long as they are legal and there are not too many misses.
    fn extend(
        &mut self,
        situation: &Situation<'_>,
        seed: &mut Seed,
        steps: &[&[Observed]],
        change: &Change<'_>,
    ) -> Result<(), Error> {
        let Situation { reasoner, player, .. } = *situation;
        let (mut old, mut moves) = (change.old.iter().peekable(), Moves::new());
        while let Some(step) = steps.get(seed.length).filter(|_| self.work < change.most && seed.misses <= change.limit)
        {
            let mut chosen = candidates(reasoner, &seed.held.possible, step, player, &mut moves)?;
            let (open, at) = (chosen.len() > 1, seed.length);
            let kept = old.next_if(|guess| guess.step == at);
            let is_kept = |&index: &usize| {
                kept.is_some_and(|kept| *moves.tags(index) == *kept.tags && moves.outcome(index) == kept.outcome)
            };
            if open && let Some(kept) = kept {
                seed.held.weight *= kept.legal as f64 / moves.len().max(1) as f64;
            }
            if change.at.contains(&Some(at)) {
                chosen.retain(|index| !is_kept(index));
            } else if let Some(&index) = chosen.iter().find(|index| is_kept(index)) {
                chosen = vec![index];
            }
            if chosen.len() > 1 {
                self.notes.retain(&mut chosen, &moves, at, change.wanted);
            }
            let mut next = None;
            for _ in 0..TRIES.min(chosen.len()) {
                let index = chosen.swap_remove(any(&mut self.rng, chosen.len()));
                self.work += 1;
                let (possible, fits) = followed(reasoner, &seed.held.possible, &moves, index, player, step)?;
                next = Some((index, possible, fits));
                if fits {
                    break;
                }
            }
            let Some((index, possible, fits)) = next else { break };
            if open {
                seed.guess(&moves, index);
            }
            seed.held.possible = possible;
            seed.length += 1;
            seed.misses += usize::from(!fits);
        }
        Ok(())
    }
}
