//! Memory for calls, to be used again.

use super::step::Frame;
use std::sync::{Mutex, TryLockError};

/// Places; with more threads than that some calls allocate.
const SHARDS: usize = 16;

/// Memory of one call.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    frame: Option<Box<Frame>>,
    /// A copy of the state.
    state: Vec<u64>,
}

impl Scratch {
    /// The frame and the copy of the state.
    pub(super) fn parts(&mut self) -> Option<(&mut Frame, &mut Vec<u64>)> {
        if self.frame.is_none() {
            self.frame = vec![0; size_of::<Frame>() / 8].into_boxed_slice().try_into().ok();
        }
        Some((self.frame.as_deref_mut()?, &mut self.state))
    }
}

/// Memory of calls that do not run at the moment.
#[derive(Debug, Default)]
pub(super) struct Pool {
    shards: [Mutex<Scratch>; SHARDS],
}

impl Pool {
    /// Runs `f` with memory that nobody else has.
    pub(super) fn with<T>(&self, f: impl FnOnce(&mut Scratch) -> T) -> T {
        // Threads have their stacks in different places, so most get a shard of their own.
        let here = 0_u8;
        let first = (&raw const here).addr() >> 21;
        for offset in 0..SHARDS {
            let shard = self.shards.get((first + offset) % SHARDS);
            match shard.map(Mutex::try_lock) {
                Some(Ok(mut scratch)) => return f(&mut scratch),
                // What a broken call left there is written anew anyway.
                Some(Err(TryLockError::Poisoned(poisoned))) => {
                    return f(&mut poisoned.into_inner());
                }
                Some(Err(TryLockError::WouldBlock)) | None => {}
            }
        }
        f(&mut Scratch::default())
    }
}
