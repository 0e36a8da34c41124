//! Answers of checks that are kept while a search goes on.
//!
//! A search often asks one check behind every move that it has tried, and most moves change nothing that the check can tell
//! apart ([`Kinds`]) from what was there when the search began. All of them have one answer.

use super::{Cell, Machine, SCOPE, Shared};
use crate::program::{Kinds, kinds};

/// What is known of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Recall {
    /// It is this.
    Known(bool),
    /// It is the one where the search began, which nobody has asked for yet.
    New,
    /// Nothing.
    Unknown,
}

impl<W: Cell> Shared<W> {
    /// By check, what it can tell apart.
    pub(super) fn kinds(&self) -> &[Option<Kinds>] {
        self.kinds.get_or_init(|| kinds(&self.program))
    }
}

impl<W: Cell> Machine<W> {
    /// What is known of the answer of a check in the present state. Linear in the number of writes since the search began.
    pub(super) fn recall(&self, shared: &Shared<W>, check: u32) -> Recall {
        let Some(Some(kinds)) = shared.kinds().get(check as usize) else { return Recall::Unknown };
        let mut writes = self.trail.iter().rev();
        while let Some(&(slot, old)) = writes.next() {
            if slot == SCOPE {
                // Two entries are one scope.
                writes.next();
            } else if !kinds.alike(slot, old, self.slot(slot)) {
                return Recall::Unknown;
            }
        }
        match self.answers.get(check as usize) {
            Some(&Some(found)) => Recall::Known(found),
            _ => Recall::New,
        }
    }

    /// Keeps an answer that is the one where the search began.
    pub(super) fn learn(&mut self, check: u32, found: bool) {
        if let Some(answer) = self.answers.get_mut(check as usize) {
            *answer = Some(found);
        }
    }
}
