//! Numbers that stand for things.

use crate::status::Status;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number given out once; 0 is never given out.
pub(crate) type Handle = u64;

/// The next number. It is shared, so that a game is never taken for a state.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Things by number.
pub(crate) struct Handles<T> {
    things: RwLock<FxHashMap<Handle, T>>,
}

impl<T: Clone> Handles<T> {
    pub(crate) const fn new() -> Self {
        Self { things: RwLock::new(FxHashMap::with_hasher(FxBuildHasher)) }
    }

    pub(crate) fn add(&self, thing: T) -> Result<Handle, Status> {
        let handle = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut things = self.things.write().map_err(|_| Status::Panic.saying("the table of handles is broken"))?;
        things.insert(handle, thing);
        Ok(handle)
    }

    pub(crate) fn get(&self, handle: Handle) -> Option<T> {
        self.things.read().ok()?.get(&handle).cloned()
    }

    pub(crate) fn remove(&self, handle: Handle) -> Option<T> {
        self.things.write().ok()?.remove(&handle)
    }
}
