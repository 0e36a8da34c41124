//! Answers of checks that are kept while a search goes on.
//!
//! A search often asks one check behind every move that it has tried, and most moves change nothing that the check can tell
//! apart ([`Kinds`]) from what was there when the search began. All of them have one answer. So
//! has the next search if it begins in a state that the check cannot tell apart from that one: the keeper often asks, before
//! a player decides, whether there is anything to decide.

use super::{Cell, Machine, Shared};
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

/// The first searches of a machine, which keep no answers: what checks can tell apart is not worth finding out for them.
const UNKEPT: u64 = 64;

/// Stands for the answer of a check that nobody has asked in a search.
pub(super) const NOT_ASKED: u8 = 2;

/// An answer of a check.
pub(super) struct Answer<W> {
    /// The answer, if one was found.
    found: Option<bool>,
    /// The last search that began where it holds.
    search: u64,
    /// A state in which it holds.
    cells: Vec<W>,
}

impl<W> Default for Answer<W> {
    fn default() -> Self {
        Self { found: None, search: 0, cells: Vec::new() }
    }
}

impl<W: Cell> Shared<W> {
    /// By check, what it can tell apart.
    pub(super) fn kinds(&self) -> &[Option<Kinds>] {
        self.kinds.get_or_init(|| kinds(&self.program))
    }
}

impl<W: Cell> Machine<W> {
    /// What is known of the answer of a check in the present state. Linear in the number of writes since the search began.
    pub(super) fn recall(&mut self, shared: &Shared<W>, check: u32) -> Recall {
        if self.searches < UNKEPT {
            return Recall::Unknown;
        }
        let Some(Some(kinds)) = shared.kinds().get(check as usize) else { return Recall::Unknown };
        for &(slot, old) in &self.trail {
            // Entries of scopes are no cells, and no check looks at them.
            if let Some(row) = kinds.row(slot)
                && self.cells.get(slot as usize).is_some_and(|now| !row.alike(old, now.get()))
            {
                return Recall::Unknown;
            }
        }
        match self.answers.get_mut(check as usize) {
            Some(Answer { found: Some(found), search, .. }) if *search == self.searches => Recall::Known(*found),
            Some(Answer { found: Some(found), search, cells }) if kinds.alike(cells, &self.cells) => {
                *search = self.searches;
                if let Some(kept) = self.kept.get_mut(check as usize) {
                    *kept = u8::from(*found);
                }
                Recall::Known(*found)
            }
            _ => Recall::New,
        }
    }

    /// Keeps an answer that is the one where the search began, too.
    pub(super) fn learn(&mut self, check: u32, found: bool) {
        if let Some(answer) = self.answers.get_mut(check as usize) {
            answer.found = Some(found);
            answer.search = self.searches;
            answer.cells.clone_from(&self.cells);
        }
        if let Some(kept) = self.kept.get_mut(check as usize) {
            *kept = u8::from(found);
        }
    }

    /// A search begins: it has to see whether answers of earlier ones hold.
    pub(super) fn begin_answers(&mut self, checks: usize) {
        self.searches += 1;
        self.kept.clear();
        self.kept.resize(checks, NOT_ASKED);
        if self.exact || self.answers.len() != checks {
            // The checks of exact mode are those of another program.
            self.answers.clear();
            self.answers.resize_with(checks, Answer::default);
        }
    }
}
