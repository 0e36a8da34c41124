//! Memory for calls, to be used again.

use super::code::Compiled;
use super::step::{Frame, SLOTS};
use crossbeam_utils::CachePadded;
use std::sync::{Mutex, TryLockError};
use wir::FnId;

/// Places; with more threads than that some calls allocate.
const SHARDS: usize = 16;

/// Memory of one call.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    frame: Option<Box<Frame>>,
    /// A copy of the state.
    state: Vec<u64>,
    /// By function: its constants are in the frame.
    loaded: Vec<bool>,
}

impl Scratch {
    /// The frame, if some function was run in it, and the copy of the state.
    #[inline(always)]
    pub(super) fn parts(&mut self) -> Option<(&mut Frame, &mut Vec<u64>)> {
        Some((self.frame.as_deref_mut()?, &mut self.state))
    }

    /// The frame with the constants of a function, and the copy of the state.
    pub(super) fn of(&mut self, function: FnId, compiled: &Compiled) -> Option<(&mut Frame, &mut Vec<u64>)> {
        if self.frame.is_none() {
            self.frame = vec![0; SLOTS].into_boxed_slice().try_into().ok();
        }
        let frame = self.frame.as_deref_mut()?;
        let index = function as usize;
        if self.loaded.get(index) != Some(&true) {
            if !compiled.resident {
                self.loaded.fill(false);
            }
            let at = compiled.constants_at;
            frame.get_mut(at..at + compiled.constants.len())?.copy_from_slice(&compiled.constants);
            if self.loaded.len() <= index {
                self.loaded.resize(index + 1, false);
            }
            if let Some(loaded) = self.loaded.get_mut(index) {
                *loaded = compiled.resident;
            }
        }
        Some((frame, &mut self.state))
    }
}

/// Memory of calls that do not run at the moment.
#[derive(Debug, Default)]
pub(super) struct Pool {
    shards: [CachePadded<Mutex<Scratch>>; SHARDS],
}

impl Pool {
    /// Runs `f` with memory that nobody else has.
    pub(super) fn with<T>(&self, f: impl FnOnce(&mut Scratch) -> T) -> T {
        // Threads have their stacks in different places, so most get a shard of their own.
        let here = 0_u8;
        let first = (&raw const here).addr() >> 21;
        for offset in 0..SHARDS {
            let shard = self.shards.get((first + offset) % SHARDS);
            match shard.map(|shard| shard.try_lock()) {
                Some(Ok(mut scratch)) => return f(&mut scratch),
                // A broken call leaves nothing behind but what the next one writes anew.
                Some(Err(TryLockError::Poisoned(poisoned))) => {
                    return f(&mut poisoned.into_inner());
                }
                Some(Err(TryLockError::WouldBlock)) | None => {}
            }
        }
        f(&mut Scratch::default())
    }
}
