//! Moves that are made as if whoever decides next had one.
//!
//! Many games end where the next player has no move. The keeper finds that out by a check that plays those moves ahead,
//! and then they are listed once more. A move can be made *speculatively* instead, without the check: if the next decision has a
//! move, the check would have held; if it has none, the move is made once more as ever. [`passes::analysis::mobility`] knows which checks
//! ask that.

use super::emission::Template;
use super::{Decider, Lifter};
use rustc_hash::FxHashSet;
use wir::FnId;
use wir::calls::sizes;

/// How many instructions less a function must have to be worth it: at the end of a play a move is made twice.
const MIN_SAVED: u64 = 60;
/// How many instructions all functions may have, each with those of the functions that it calls in the place of calls: bytecode
/// has room for about twice as many.
const MAX_TOTAL: u64 = 1 << 21;

impl Lifter<'_> {
    /// A function that makes a move as if the next decision had one, if there is one that is much less than the function
    /// that was made last.
    pub(super) fn speculative_apply(&mut self, decider: &Decider, templates: &[Template]) -> Option<FnId> {
        if self.mobility.edges.iter().any(FxHashSet::is_empty) {
            return None;
        }
        // Whatever this leads to, the rest goes on as if it had not been tried.
        let (work, stops, checks) = (self.work, self.stops.len(), self.shared.len());
        let (regions, functions) = (self.regions.clone(), self.program.functions.len());
        (self.mobility.speculating, self.mobility.assumed) = (true, false);
        let made = self.applying(decider, templates);
        self.mobility.speculating = false;
        let new = self.stops.len() > stops;
        self.stops.truncate(stops);
        (self.work, self.regions) = (work, regions);
        let made = made.ok().filter(|_| self.mobility.assumed && !new);
        let worth_it = made.and_then(|function| {
            self.program.functions.push(function);
            let sizes = sizes(&self.program);
            let size = *sizes.last()?;
            let saved = sizes.get(functions.checked_sub(1)?)?.saturating_sub(size);
            let total = sizes.iter().fold(0, |total: u64, &size| total.saturating_add(size));
            Some(saved >= MIN_SAVED && total <= MAX_TOTAL)
        });
        if worth_it == Some(true) {
            return Some(self.program.functions.len() as FnId - 1);
        }
        self.program.functions.truncate(functions);
        self.shared.truncate(checks);
        None
    }
}
