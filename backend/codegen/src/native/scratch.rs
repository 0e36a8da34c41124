//! Scratch memory for machine code: zeros at first, and kept from one call of a thread to the next.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of the next owner.
static OWNERS: AtomicU64 = AtomicU64::new(1);

/// How many programs keep their memory in one thread.
const MAX_IDLE: usize = 4;

thread_local! {
    /// The memory that no call of the thread uses at the moment, and whose it is, the oldest first.
    static IDLE: Cell<Vec<(u64, Vec<u64>)>> = const { Cell::new(Vec::new()) };
}

/// A number for a program: memory is shared by its calls only.
pub(super) fn owner() -> u64 {
    OWNERS.fetch_add(1, Ordering::Relaxed)
}

/// The memory of a call.
pub(super) struct Scratch {
    owner: u64,
    words: Vec<u64>,
}

impl Scratch {
    /// Takes `words` words of memory for a program; allocates nothing for 0.
    #[inline]
    pub(super) fn of(owner: u64, words: usize) -> Self {
        if words == 0 { Self { owner, words: Vec::new() } } else { Self::taken(owner, words) }
    }

    fn taken(owner: u64, words: usize) -> Self {
        let mut idle = IDLE.take();
        let mine = idle.iter().position(|(other, memory)| *other == owner && memory.len() == words);
        let memory = mine.map_or_else(|| vec![0; words], |at| idle.swap_remove(at).1);
        IDLE.set(idle);
        Self { owner, words: memory }
    }

    /// Where it begins, as a word.
    #[inline]
    pub(super) fn address(&mut self) -> u64 {
        self.words.as_mut_ptr() as u64
    }
}

impl Drop for Scratch {
    #[inline]
    fn drop(&mut self) {
        if !self.words.is_empty() {
            let mut idle = IDLE.take();
            if idle.len() == MAX_IDLE {
                idle.remove(0);
            }
            idle.push((self.owner, std::mem::take(&mut self.words)));
            IDLE.set(idle);
        }
    }
}
