//! Long work: how much of it may go on at once, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Measurements and matches at once, of all pages.
const MAX_HEAVY: usize = 2;

/// What all pages do at once.
#[derive(Default)]
pub(crate) struct Limits {
    heavy: AtomicUsize,
}

/// The right to do heavy work, until it is dropped.
pub(crate) struct Permit(Arc<Limits>);

impl Limits {
    /// The right to do heavy work, if not too much of it is done already.
    pub(crate) fn heavy(self: &Arc<Self>) -> Option<Permit> {
        let more = |running: usize| (running < MAX_HEAVY).then_some(running + 1);
        let taken = self.heavy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Permit(Arc::clone(self)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.heavy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends work from outside. All clones belong to the same work; it ends as well when the one that began it is dropped ([`Stopper`]).
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// What searches look at.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether the work is to end.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends the work.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Ends work when it is dropped.
#[derive(Default)]
pub(crate) struct Stopper(Stop);

impl Stopper {
    /// What the work looks at.
    pub(crate) fn stop(&self) -> Stop {
        self.0.clone()
    }
}

impl Drop for Stopper {
    fn drop(&mut self) {
        self.0.set();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_work_is_limited() {
        let limits = Arc::new(Limits::default());
        let permits: Vec<Permit> = (0..MAX_HEAVY).filter_map(|_| limits.heavy()).collect();
        assert!(permits.len() == MAX_HEAVY && limits.heavy().is_none());
        drop(permits);
        assert!(limits.heavy().is_some());
    }

    #[test]
    fn work_ends_with_whoever_began_it() {
        let stopper = Stopper::default();
        let stop = stopper.stop();
        assert!(!stop.is_set());
        drop(stopper);
        assert!(stop.is_set());
    }
}
