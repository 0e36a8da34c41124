//! Batches as bytes, and copies of them.

use super::{Batch, BatchError, Slot, pool};
use crate::arrays::Arrays;
use crate::course::{Bytes, put_rng};
use crate::env::EnvError;
use std::sync::Mutex;

impl Batch {
    /// Where all games are and what they will draw, for [`Batch::read`]: their actions, not their states, so that it does not depend on the engine. Linear in the moves of all games.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.game.actions().version().to_le_bytes().to_vec();
        bytes.extend((self.slots.len() as u64).to_le_bytes());
        for slot in &self.slots {
            [&slot.course.chance, &slot.chance, &slot.sample].into_iter().for_each(|rng| put_rng(&mut bytes, rng));
            bytes.extend([u8::from(slot.over) | u8::from(slot.unreported) << 1]);
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
    /// [`EnvError::Unreadable`] for other bytes; an action is not legal.
    pub fn read(&mut self, bytes: &[u8], arrays: Arrays<'_>) -> Result<(), BatchError> {
        let mut bytes = Bytes(bytes);
        let version = (bytes.u64(), bytes.u64());
        let is_ours = version == (Some(self.game.actions().version()), Some(self.slots.len() as u64));
        for (index, slot) in self.slots.iter_mut().enumerate() {
            let read = if is_ours { slot.read(&mut bytes) } else { None };
            read.ok_or(BatchError { index, error: EnvError::Unreadable })?;
        }
        self.each(arrays, |_, slot, shared, room, row| {
            slot.place.begin(shared.start);
            slot.listing.clear();
            let places = (&mut slot.place, &mut slot.listing, &mut room.labels);
            slot.course.follow(shared.game, shared.plan.chance, places)?;
            shared.show(slot, room, row)
        })
    }
}

impl Slot {
    /// Reads all but the place, to which its actions lead.
    fn read(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        (self.course.chance, self.chance, self.sample) = (bytes.rng()?, bytes.rng()?, bytes.rng()?);
        let [flags] = bytes.array()?;
        (self.over, self.unreported) = (flags & 1 != 0, flags & 2 != 0);
        (self.ply, self.course.given) = (bytes.u32()?, bytes.u32()? as usize);
        self.course.actions = bytes.list()?;
        (self.course.given <= self.course.actions.len()).then_some(())
    }
}

impl Clone for Batch {
    fn clone(&self) -> Self {
        let pool = self.pool.as_ref().and_then(|_| pool(self.rooms.len()));
        let rooms = (0..if pool.is_some() { self.rooms.len() } else { 1 }).map(|_| Mutex::default()).collect();
        let (game, slots, start) = (self.game.clone(), self.slots.clone(), self.start.clone());
        Self { game, plan: self.plan, slots, rooms, pool, start }
    }
}
