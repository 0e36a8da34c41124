//! Games of a batch are begun anew, at the beginning or after some actions.

use super::{Batch, BatchError, Room, Seeds, Shared, Slot, put};
use crate::arrays::Arrays;
use crate::batch::Chance;
use crate::env::EnvError;
use crate::seeds::mixed;
use backend::{Rng, Turn};
use std::sync::{Mutex, PoisonError};

/// Where games begin: by game the actions that lead there, nothing for the beginning.
type Starts<'s> = &'s [Option<Vec<u32>>];

impl Batch {
    /// Begins games anew: all of them, or those where `which` is true; the streams of what is drawn begin anew with a seed, and go on without one.
    ///
    /// # Errors
    /// The first game in which the rules fail. All games are where they were.
    pub fn reset(&mut self, seeds: Seeds<'_>, which: Option<&[bool]>, arrays: Arrays<'_>) -> Result<(), BatchError> {
        self.reset_to(&[], seeds, which, arrays)
    }

    /// As [`Batch::reset`], where games begin after these actions, those of chance included; without some, at the beginning, as the games after them do. Moves
    /// before count as moves of the game. A game that is over there has no actions, and its end is reported in the next step.
    ///
    /// # Errors
    /// The first game in which an action is not legal, or the rules fail. All games are where they were, and arrays are left alone.
    pub fn reset_to(
        &mut self,
        starts: Starts<'_>,
        seeds: Seeds<'_>,
        which: Option<&[bool]>,
        arrays: Arrays<'_>,
    ) -> Result<(), BatchError> {
        let is_chosen = |index: usize| which.is_none_or(|which| which.get(index) == Some(&true));
        // What goes wrong is found out before anything is shown.
        let draws = self.plan.chance == Chance::Sampled && self.game.reasoner().has_chance();
        let may_fail = !starts.is_empty() || draws || self.slots.iter().any(|slot| slot.is_new);
        let before: Mutex<Vec<(usize, Slot)>> = Mutex::default();
        let begun = self.each(Arrays::default(), |index, slot, shared, room, _| {
            if !is_chosen(index) {
                return Ok(());
            }
            if may_fail {
                before.lock().unwrap_or_else(PoisonError::into_inner).push((index, slot.clone()));
            }
            shared.begin_at(slot, starts.get(index).and_then(Option::as_deref), seeds.of(index), room)
        });
        if begun.is_err() {
            for (index, slot) in before.into_inner().unwrap_or_else(PoisonError::into_inner) {
                if let Some(now) = self.slots.get_mut(index) {
                    *now = slot;
                }
            }
            return begun;
        }
        self.each(arrays, |index, slot, shared, room, row| {
            if !is_chosen(index) {
                return Ok(());
            }
            row.rewards.fill(0.0);
            put(row.done, false);
            put(row.truncated, false);
            shared.show(slot, room, row)
        })
    }
}

impl Seeds<'_> {
    /// The seed of a game, and the number that is mixed into it: one with a seed of its own does not depend on its number. `None` if what is drawn goes on.
    fn of(&self, index: usize) -> Option<(u64, u64)> {
        match *self {
            Self::Kept => None,
            Self::One(seed) => Some((seed, index as u64)),
            Self::Each(seeds) => seeds.get(index).copied().flatten().map(|seed| (seed, 0)),
        }
    }
}

impl Shared<'_> {
    /// Begins a game anew, or after some actions, and lists what is legal there.
    fn begin_at(
        &self,
        slot: &mut Slot,
        start: Option<&[u32]>,
        seed: Option<(u64, u64)>,
        room: &mut Room,
    ) -> Result<(), EnvError> {
        if let Some((seed, number)) = seed {
            (slot.chance, slot.sample) = (Rng::new(mixed(seed, number, 0)), Rng::new(mixed(seed, number, 1)));
        }
        match start {
            Some(start) => self.begin_after(slot, start, room)?,
            None => self.begin(slot)?,
        }
        if !slot.over && !slot.listing.is_listed() {
            slot.listing.list(self.game, &slot.place.state, &mut room.labels)?;
        }
        Ok(())
    }

    /// Begins a game after some actions, those of chance included.
    fn begin_after(&self, slot: &mut Slot, start: &[u32], room: &mut Room) -> Result<(), EnvError> {
        slot.place.begin(self.start);
        slot.listing.clear();
        slot.course.begin(start, &slot.chance);
        let places = (&mut slot.place, &mut slot.listing, &mut room.labels);
        (slot.chance, slot.ply) = slot.course.follow(self.game, self.plan.chance, places)?;
        slot.over = slot.place.turn == Turn::End;
        (slot.unreported, slot.is_new) = (slot.over, false);
        Ok(())
    }
}

impl Slot {
    /// Whether a game that goes on has as many moves of players as it may have. While chance is to answer the last one, it has not.
    pub(super) fn is_cut(&self, max_plies: Option<u32>) -> bool {
        let is_players = matches!(self.place.turn, Turn::Player(_));
        is_players && max_plies.is_some_and(|most| self.ply >= most)
    }
}
