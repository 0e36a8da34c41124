//! Many games at once.

mod kept;
mod reset;
mod team;

use crate::arrays::{Arrays, Sizes};
use crate::course::Course;
use crate::env::{EnvError, Labels};
use crate::game::Game;
use crate::listing::Listing;
use crate::place::Place;
use crate::seeds::mixed;
use backend::{Rng, Turn};
use crossbeam_utils::CachePadded;
use rg_ir::invariant::invariant;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use team::Team;

/// What happens when a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Autoreset {
    /// The next one begins in the same step: what is observed belongs to it, and the last observation is kept apart.
    #[default]
    SameStep,
    /// The next one begins in the next step, whose action is ignored.
    NextStep,
    /// Nothing, until the caller resets it.
    Disabled,
}

/// Who makes the moves of `random`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Chance {
    /// They are drawn.
    #[default]
    Sampled,
    /// The caller, as those of a player with the number -1.
    Explicit,
}

/// How a batch is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of games.
    pub size: usize,
    /// What is drawn depends on it, and on the number of the game in the batch, but not on how many games or threads there are.
    pub seed: u64,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// What happens at the end of a game.
    pub autoreset: Autoreset,
    /// Who makes the moves of `random`.
    pub chance: Chance,
    /// Moves of players after which a game is cut off, once chance has answered the last one.
    pub max_plies: Option<u32>,
    /// How many of the last tags a player observed are shown, if something is hidden.
    pub max_observed: usize,
}

impl Plan {
    /// So many games on one thread, all else by default.
    pub fn of(size: usize) -> Self {
        let (autoreset, chance) = (Autoreset::default(), Chance::default());
        Self { size, seed: 0, threads: 1, autoreset, chance, max_plies: None, max_observed: 64 }
    }
}

/// Where the streams of what is drawn begin when games begin anew.
#[derive(Clone, Copy, Debug)]
pub enum Seeds<'s> {
    /// They go on.
    Kept,
    /// With this seed and the number of the game in the batch.
    One(u64),
    /// Each with a seed of its own alone, so that equal seeds draw the same; without one, it goes on.
    Each(&'s [Option<u64>]),
}

/// What went wrong in a game of a batch.
#[derive(Debug)]
pub struct BatchError {
    /// Which game.
    pub index: usize,
    /// What.
    pub error: EnvError,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} of the batch: {}", self.index, self.error)
    }
}

impl std::error::Error for BatchError {}

/// Bytes that the lists of moves of a game take, as a rule.
pub(crate) const LISTED: usize = 1 << 12;

/// Bytes of a game of a batch besides.
pub(crate) const SLOT: usize = size_of::<Slot>();

/// One game of a batch.
#[derive(Clone)]
struct Slot {
    place: Place,
    listing: Listing,
    course: Course,
    chance: Rng,
    sample: Rng,
    ply: u32,
    /// The game was never begun by a reset; it has no actions.
    is_new: bool,
    /// The game ended, or was cut off; it has no actions.
    over: bool,
    /// It was over when it began, since chance decided everything: its end is reported in the next step.
    unreported: bool,
    /// The place of the action that was drawn or is taken among the legal ones.
    action: usize,
}

/// What every thread needs for itself.
#[derive(Default)]
struct Room {
    labels: Labels,
    scratch: Vec<u8>,
    scores: Vec<u32>,
}

/// Many games of one kind, stepped together.
pub struct Batch {
    game: Arc<Game>,
    plan: Plan,
    slots: Vec<Slot>,
    /// One for each thread, on cache lines of its own.
    rooms: Vec<CachePadded<Mutex<Room>>>,
    team: Team,
    start: Place,
    /// The actions that were drawn last, if no game has changed since: they are known to be legal.
    drawn: Vec<i64>,
}

impl Batch {
    /// Games at their beginning. [`Batch::reset`] writes what is observed there.
    ///
    /// # Errors
    /// The game has no first decision, or there is no room ([`EnvError::NoRoom`]).
    pub fn new(game: Arc<Game>, plan: Plan) -> Result<Self, BatchError> {
        let wrong = |error| BatchError { index: 0, error };
        let start = game.reasoner().initial().map_err(|error| wrong(error.into()))?;
        let start = Place::at(&game, start);
        let slot = |index| {
            let stream = |number| Rng::new(mixed(plan.seed, index as u64, number));
            Slot::at(&start, stream(0), stream(1))
        };
        let mut slots = room(&start, plan.size).ok_or(wrong(EnvError::NoRoom { games: plan.size }))?;
        slots.extend((0..plan.size).map(slot));
        let team = Team::of(plan.threads.clamp(1, plan.size.max(1)));
        let rooms = (0..team.threads()).map(|_| CachePadded::default()).collect();
        Ok(Self { game, plan, slots, rooms, team, start, drawn: Vec::new() })
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// How it was made.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How a game came to where it is.
    pub(crate) fn course(&self, index: usize) -> Option<(&Course, &Place)> {
        self.slots.get(index).map(|slot| (&slot.course, &slot.place))
    }

    /// Takes an action in every game. Actions of games that are over do not matter: those that have ended with [`Autoreset::NextStep`] and
    /// [`Autoreset::Disabled`], and those in which chance decided everything at the beginning, whose end is reported in this step.
    ///
    /// # Errors
    /// The first game whose action is not legal, before any game has changed; or in which the rules fail.
    pub fn step(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), BatchError> {
        if self.drawn != actions || actions.len() != self.slots.len() {
            self.choose(actions)?;
        }
        self.each(arrays, |_, slot, shared, room, row| shared.step(slot, room, row))
    }

    /// Finds the actions among the legal ones.
    fn choose(&mut self, actions: &[i64]) -> Result<(), BatchError> {
        self.drawn.clear();
        let share = self.team.share(self.slots.len());
        self.team.run(self.slots.chunks_mut(share).enumerate(), |_, (number, slots)| {
            for (at, slot) in slots.iter_mut().enumerate().filter(|(_, slot)| !slot.over) {
                let index = number * share + at;
                let action = actions.get(index).and_then(|&action| u32::try_from(action).ok()).unwrap_or(u32::MAX);
                let legal = &slot.listing.legal;
                if legal.get(slot.action) != Some(&action) {
                    let place = legal.iter().position(|&legal| legal == action);
                    slot.action = place.ok_or(BatchError { index, error: EnvError::Illegal { action } })?;
                }
            }
            Ok(())
        })
    }

    /// Draws a legal action for each game, uniformly; 0 for games that are over.
    pub fn sample(&mut self, actions: &mut [i64]) {
        let share = self.team.share(self.slots.len());
        let parts = self.slots.chunks_mut(share).zip(actions.chunks_mut(share));
        let all_legal = AtomicBool::new(true);
        let drawn = self.team.run(parts, |_, (slots, actions)| {
            for (slot, action) in slots.iter_mut().zip(actions) {
                if !slot.over && slot.listing.legal.is_empty() {
                    all_legal.store(false, Ordering::Relaxed);
                }
                slot.action = slot.listing.sample(&mut slot.sample);
                *action = slot.listing.legal.get(slot.action).map_or(0, |&action| i64::from(action));
            }
            Ok(())
        });
        invariant(drawn.is_ok(), "drawing an action cannot fail");
        self.drawn.clear();
        if all_legal.into_inner() {
            self.drawn.extend_from_slice(actions);
        }
    }

    /// The legal actions of all games, one after the other, those of each ascending, and where those of each begin, with the end of the last one.
    pub fn legal(&self) -> (Vec<i64>, Vec<i32>) {
        let mut offsets = Vec::with_capacity(self.slots.len() + 1);
        let mut legal = Vec::new();
        offsets.push(0);
        for slot in &self.slots {
            let first = legal.len();
            legal.extend(slot.listing.legal.iter().map(|&action| action as i32));
            if let Some(row) = legal.get_mut(first..) {
                row.sort_unstable();
            }
            offsets.push(legal.len() as i64);
        }
        (offsets, legal)
    }

    /// Does something with every game and its row of arrays, on all threads; the error of the first game that has one.
    fn each(
        &mut self,
        arrays: Arrays<'_>,
        act: impl Fn(usize, &mut Slot, &Shared<'_>, &mut Room, &mut Arrays<'_>) -> Result<(), EnvError> + Sync,
    ) -> Result<(), BatchError> {
        self.drawn.clear();
        let shared = Shared { game: &self.game, plan: &self.plan, start: &self.start };
        let sizes = Sizes::of(&self.game, &self.plan);
        let share = self.team.share(self.slots.len());
        let rooms = &self.rooms;
        let mut left = arrays;
        let parts = self.slots.chunks_mut(share).enumerate().map(|(number, slots)| {
            let (part, rest) = sizes.split(std::mem::take(&mut left), slots.len());
            left = rest;
            (number, slots, part)
        });
        self.team.run(parts, |thread, (number, slots, mut arrays)| {
            let room = rooms.get(thread).map(|room| room.lock().unwrap_or_else(PoisonError::into_inner));
            invariant(room.is_some(), "a batch has room for each of its threads");
            let Some(mut room) = room else { return Ok(()) };
            for (at, slot) in slots.iter_mut().enumerate() {
                let index = number * share + at;
                let (mut row, rest) = sizes.split(arrays, 1);
                act(index, slot, &shared, &mut room, &mut row).map_err(|error| BatchError { index, error })?;
                arrays = rest;
            }
            Ok(())
        })
    }
}

/// Room for so many games at a place, if there is. What they hold besides is asked for as well, and given back for them: while they take it one after the other, no
/// answer would be an end of the process.
fn room(start: &Place, games: usize) -> Option<Vec<Slot>> {
    let mut slots = Vec::new();
    slots.try_reserve_exact(games).ok()?;
    let mut held: Vec<u8> = Vec::new();
    held.try_reserve_exact(games.checked_mul(start.state.as_bytes().len().checked_add(LISTED)?)?).ok()?;
    Some(slots)
}

/// Writes an element of an array, if there is room.
fn put<T>(array: &mut [T], value: T) {
    if let Some(slot) = array.first_mut() {
        *slot = value;
    }
}

/// What all games of a batch have in common.
struct Shared<'b> {
    game: &'b Game,
    plan: &'b Plan,
    start: &'b Place,
}

impl Shared<'_> {
    /// Begins a game anew.
    fn begin(&self, slot: &mut Slot) -> Result<(), EnvError> {
        slot.place.begin(self.start);
        slot.listing.clear();
        slot.course.begin(&[], &slot.chance);
        (slot.ply, slot.is_new) = (0, false);
        self.draw(slot)?;
        slot.over = slot.place.turn == Turn::End;
        slot.unreported = slot.over;
        Ok(())
    }

    fn draw(&self, slot: &mut Slot) -> Result<(), EnvError> {
        if self.plan.chance == Chance::Sampled {
            slot.place.draw(self.game, &mut slot.listing, &mut slot.chance)?;
        }
        Ok(())
    }

    /// Takes the action that was found to be legal in a game.
    fn step(&self, slot: &mut Slot, room: &mut Room, row: &mut Arrays<'_>) -> Result<(), EnvError> {
        row.rewards.fill(0.0);
        if slot.over && !slot.unreported && self.plan.autoreset == Autoreset::Disabled {
            return self.show(slot, room, row);
        }
        put(row.done, false);
        put(row.truncated, false);
        if slot.unreported {
            self.end(slot, true, room, row)?;
            return self.show(slot, room, row);
        }
        if slot.over {
            self.begin(slot)?;
            return self.show(slot, room, row);
        }
        let taken = slot.listing.legal.get(slot.action).copied();
        let is_players = slot.place.turn != Turn::Random;
        let acted = slot.place.act(self.game, &slot.listing, slot.action)?;
        slot.course.actions.extend(taken);
        if let Some(possible) = acted {
            slot.listing.step(self.game, possible)?;
        } else {
            slot.listing.clear();
            slot.ply += u32::from(is_players);
            self.draw(slot)?;
            let ends = slot.place.turn == Turn::End;
            let is_cut = slot.is_cut(self.plan.max_plies);
            if ends || is_cut {
                self.end(slot, ends, room, row)?;
            }
        }
        self.show(slot, room, row)
    }

    /// A game is over, or cut off.
    fn end(&self, slot: &mut Slot, ends: bool, room: &mut Room, row: &mut Arrays<'_>) -> Result<(), EnvError> {
        if ends {
            room.scores.clear();
            self.game.reasoner().score_numbers(&slot.place.state, &mut room.scores);
            for (reward, &score) in row.rewards.iter_mut().zip(&room.scores) {
                *reward = self.game.utilities().get(score as usize).map_or(0.0, |&value| value as f32);
            }
            put(row.done, true);
        } else {
            put(row.truncated, true);
        }
        (slot.over, slot.unreported) = (true, false);
        if self.plan.autoreset == Autoreset::SameStep {
            if !row.final_observations.is_empty() {
                self.planes(slot, &mut room.scratch, row.final_observations);
            }
            self.begin(slot)?;
        }
        Ok(())
    }

    /// Lists the legal actions of a game and writes what is observed.
    fn show(&self, slot: &mut Slot, room: &mut Room, row: &mut Arrays<'_>) -> Result<(), EnvError> {
        let game = self.game;
        let turn = slot.place.turn;
        if slot.over || turn == Turn::End {
            slot.listing.clear();
        } else if !slot.listing.is_listed() {
            slot.listing.list(game, &slot.place.state, &mut room.labels)?;
        }
        row.mask.fill(false);
        if !row.mask.is_empty() {
            for &action in &slot.listing.legal {
                if let Some(legal) = row.mask.get_mut(action as usize) {
                    *legal = true;
                }
            }
        }
        let player = match turn {
            Turn::Player(player) => i8::try_from(player).unwrap_or(i8::MAX),
            Turn::Random => -1,
            Turn::End => -4,
        };
        put(row.current_player, player);
        put(row.ply, i32::try_from(slot.ply).unwrap_or(i32::MAX));
        if game.reasoner().hides() {
            self.observe(slot, turn, row.observed);
        } else if !row.observations.is_empty() {
            self.planes(slot, &mut room.scratch, row.observations);
        }
        Ok(())
    }

    /// Writes the observation of a game in which nothing is hidden.
    fn planes(&self, slot: &Slot, scratch: &mut Vec<u8>, out: &mut [u8]) {
        let at = (&slot.place.state, slot.place.turn);
        self.game.observations().write_at(self.game, at, slot.listing.chosen(), scratch, out);
    }

    /// Writes what the player to move observed last.
    fn observe(&self, slot: &Slot, turn: Turn, row: &mut [i32]) {
        row.fill(0);
        let Turn::Player(player) = turn else { return };
        let observed = slot.place.observed(player);
        let last = observed.get(observed.len().saturating_sub(row.len())..).unwrap_or(&[]);
        let start = row.len() - last.len();
        for (number, tag) in row.iter_mut().skip(start).zip(last) {
            *number = self.game.actions().tag_number(*tag).map_or(0, |number| number as i32 + 1);
        }
    }
}
