//! Long work: how much of it may go on at once, and how it is stopped.

use rg_ir::cancel::Token;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Measurements and matches at once, of all pages.
const MAX_HEAVY: usize = 2;

/// Answers that are worked out at once for a page: readings, drawings, runs of passes.
const MAX_LIGHT: usize = 20;

/// How much work goes on at once.
pub(crate) struct Limit {
    running: AtomicUsize,
    most: usize,
}

/// The right to do work, until it is dropped.
pub(crate) struct Permit(Arc<Limit>);

impl Limit {
    /// Of measurements and matches, for all pages.
    pub(crate) fn heavy() -> Arc<Self> {
        Arc::new(Self { running: AtomicUsize::new(0), most: MAX_HEAVY })
    }

    /// Of work for a single answer, for one page.
    pub(crate) fn light() -> Arc<Self> {
        Arc::new(Self { running: AtomicUsize::new(0), most: MAX_LIGHT })
    }

    /// The right to do work, if not too much of it is done already.
    pub(crate) fn permit(self: &Arc<Self>) -> Option<Permit> {
        let more = |running: usize| (running < self.most).then_some(running + 1);
        let taken = self.running.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Permit(Arc::clone(self)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends work from outside. All clones belong to the same work; it ends as well when the one that began it is dropped ([`Stopper`]).
#[derive(Clone, Default)]
pub(crate) struct Stop {
    flag: Arc<AtomicBool>,
    token: Token,
}

impl Stop {
    /// What searches look at.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// What passes and comparisons look at.
    pub(crate) fn token(&self) -> &Token {
        &self.token
    }

    /// Whether the work is to end.
    pub(crate) fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Ends the work.
    pub(crate) fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.token.cancel();
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
        let limit = Limit::heavy();
        let permits: Vec<Permit> = (0..MAX_HEAVY).filter_map(|_| limit.permit()).collect();
        assert!(permits.len() == MAX_HEAVY && limit.permit().is_none());
        drop(permits);
        assert!(limit.permit().is_some());
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
