//! Which functions of a program have been called, and how.

use super::translate::Sink;
use crate::Decisions;
use std::sync::atomic::{AtomicU8, Ordering};
use wir::{FnId, Program};

/// How the functions of a program have been called: by function, a bit for each [`Sink`].
pub(crate) struct Called(Vec<AtomicU8>);

impl Called {
    pub(crate) fn new(program: &Program) -> Self {
        Self(program.functions.iter().map(|_| AtomicU8::new(0)).collect())
    }

    /// A function is called.
    #[inline]
    pub(crate) fn note(&self, function: FnId, sink: Sink) {
        if !self.has(function, sink)
            && let Some(sinks) = self.0.get(function as usize)
        {
            sinks.fetch_or(1 << sink as u8, Ordering::Relaxed);
        }
    }

    /// Random plies are played.
    pub(crate) fn note_plies(&self, game: &Decisions) {
        for &(decide, apply) in game.functions.iter().flatten() {
            self.note(decide, Sink::List);
            self.note(apply, Sink::Call);
        }
        game.speculative.iter().flatten().for_each(|&function| self.note(function, Sink::Call));
    }

    /// Whether a function has been called in a way.
    pub(crate) fn has(&self, function: FnId, sink: Sink) -> bool {
        self.0.get(function as usize).is_some_and(|sinks| sinks.load(Ordering::Relaxed) >> sink as u8 & 1 != 0)
    }
}
