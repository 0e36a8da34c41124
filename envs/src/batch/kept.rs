//! Batches as bytes, and copies of them.

use super::team::Team;
use super::{Batch, BatchError, Slot, room};
use crate::arrays::Arrays;
use crate::course::{Bytes, Course, put_rng};
use crate::env::EnvError;
use crate::listing::Listing;
use crate::place::Place;
use backend::{Rng, Turn};
use crossbeam_utils::CachePadded;

impl Batch {
    /// Where all games are and what they will draw, for [`Batch::read`]: their actions, not their states, so that it does not depend on the engine. Linear in the moves of all games.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.game.actions().version().to_le_bytes().to_vec();
        bytes.extend((self.slots.len() as u64).to_le_bytes());
        for slot in &self.slots {
            [&slot.course.chance, &slot.chance, &slot.sample].into_iter().for_each(|rng| put_rng(&mut bytes, rng));
            bytes.extend([slot.phase()]);
            for number in [slot.ply, slot.course.given as u32, slot.course.actions.len() as u32] {
                bytes.extend(number.to_le_bytes());
            }
            slot.course.actions.iter().for_each(|action| bytes.extend(action.to_le_bytes()));
        }
        bytes
    }

    /// Leads games to where those were that [`Batch::to_bytes`] has written, and shows them; rewards, and which games are over, are left as they are.
    ///
    /// # Errors
    /// [`EnvError::Unreadable`] for other bytes, also those of a batch that was made in another way; an action is not legal. Games are where they were.
    pub fn read(&mut self, bytes: &[u8], arrays: Arrays<'_>) -> Result<(), BatchError> {
        let Some(mut fresh) = room(&self.start, self.slots.len()) else {
            return Err(BatchError { index: 0, error: EnvError::NoRoom { games: self.slots.len() } });
        };
        // Their generators are read.
        fresh.extend(self.slots.iter().map(|_| Slot::at(&self.start, Rng::new(0), Rng::new(0))));
        let before = std::mem::replace(&mut self.slots, fresh);
        let read = self.read_all(bytes, arrays);
        if read.is_err() {
            self.slots = before;
        }
        read
    }

    fn read_all(&mut self, bytes: &[u8], arrays: Arrays<'_>) -> Result<(), BatchError> {
        let mut bytes = Bytes(bytes);
        let version = (bytes.u64(), bytes.u64());
        let is_ours = version == (Some(self.game.actions().version()), Some(self.slots.len() as u64));
        for (index, slot) in self.slots.iter_mut().enumerate() {
            let read = if is_ours { slot.read(&mut bytes) } else { None };
            read.ok_or(BatchError { index, error: EnvError::Unreadable })?;
        }
        if !is_ours || !bytes.0.is_empty() {
            return Err(BatchError { index: self.slots.len().saturating_sub(1), error: EnvError::Unreadable });
        }
        self.each(arrays, |_, slot, shared, room, row| {
            if slot.is_new {
                return Ok(());
            }
            let places = (&mut slot.place, &mut slot.listing, &mut room.labels);
            let (chance, plies) = slot.course.follow(shared.game, shared.plan.chance, places)?;
            if !slot.is_at((&chance, plies), shared.plan.max_plies) {
                return Err(EnvError::Unreadable);
            }
            shared.show(slot, room, row)
        })
    }
}

/// What is going on in a game, as a byte.
const GOES_ON: u8 = 0;
const OVER: u8 = 1;
/// Over, and its end is reported in the next step.
const UNREPORTED: u8 = 3;
const NEW: u8 = 4;

impl Slot {
    /// A game at its beginning that was never begun, with what draws for chance and samples.
    pub(super) fn at(start: &Place, chance: Rng, sample: Rng) -> Self {
        Self {
            place: start.clone(),
            listing: Listing::default(),
            course: Course { actions: Vec::new(), given: 0, chance: chance.clone() },
            chance,
            sample,
            ply: 0,
            is_new: true,
            over: false,
            unreported: false,
            action: 0,
        }
    }

    fn phase(&self) -> u8 {
        match (self.is_new, self.over, self.unreported) {
            (true, ..) => NEW,
            (_, _, true) => UNREPORTED,
            (_, true, _) => OVER,
            _ => GOES_ON,
        }
    }

    /// Reads all but the place, to which its actions lead.
    fn read(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        (self.course.chance, self.chance, self.sample) = (bytes.rng()?, bytes.rng()?, bytes.rng()?);
        let [flags] = bytes.array()?;
        (self.is_new, self.over, self.unreported) = match flags {
            NEW => (true, false, false),
            GOES_ON => (false, false, false),
            OVER => (false, true, false),
            UNREPORTED => (false, true, true),
            _ => return None,
        };
        (self.ply, self.course.given) = (bytes.u32()?, bytes.u32()? as usize);
        self.course.actions = bytes.list()?;
        let is_untouched =
            self.ply == 0 && self.course.actions.is_empty() && self.chance.words() == self.course.chance.words();
        (self.course.given <= self.course.actions.len() && (!self.is_new || is_untouched)).then_some(())
    }

    /// Whether what was read besides the actions fits the place to which they lead, after so many plies and with what draws for chance from there on.
    fn is_at(&self, (chance, plies): (&Rng, u32), max_plies: Option<u32>) -> bool {
        let ends = self.place.turn == Turn::End;
        let is_cut = max_plies.is_some_and(|most| plies >= most) && self.place.turn != Turn::Random;
        self.ply == plies
            && self.chance.words() == chance.words()
            && (ends || is_cut || !self.over)
            && (self.over || !ends)
            && (ends || !self.unreported)
    }
}

impl Clone for Batch {
    fn clone(&self) -> Self {
        let team = Team::of(self.team.threads());
        let rooms = (0..team.threads()).map(|_| CachePadded::default()).collect();
        let (game, slots, start) = (self.game.clone(), self.slots.clone(), self.start.clone());
        Self { game, plan: self.plan, slots, rooms, team, start, drawn: Vec::new() }
    }
}
