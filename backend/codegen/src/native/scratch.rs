//! Scratch memory for machine code: zeros at first, and kept from one call of a thread to the next.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of the next owner.
static OWNERS: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The memory that no call of the thread uses at the moment, and whose it is.
    static IDLE: Cell<(u64, Vec<u64>)> = const { Cell::new((0, Vec::new())) };
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
    /// So many words for a program; none if it wants none.
    #[inline]
    pub(super) fn of(owner: u64, words: usize) -> Self {
        if words == 0 { Self { owner, words: Vec::new() } } else { Self::taken(owner, words) }
    }

    fn taken(owner: u64, words: usize) -> Self {
        let (before, mut memory) = IDLE.take();
        if before != owner || memory.len() != words {
            memory.clear();
            memory.resize(words, 0);
        }
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
            IDLE.set((self.owner, std::mem::take(&mut self.words)));
        }
    }
}
