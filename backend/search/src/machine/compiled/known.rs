//! What is known of cells where code runs straight on.

use crate::program::Pc;
use cranelift_codegen::ir::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Entries of the trail for which it is asked at once whether there is room.
pub(super) const AT_ONCE: u32 = 64;

/// Most entries that are known.
const MAX_SINCE: usize = 16;

/// What was put on the trail since the topmost choice point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wrote {
    /// What this cell held.
    Cell(u32),
    /// What some cell held.
    Some,
    /// The beginning of a scope, which is two entries.
    Scope,
}

/// The values of cells that were read or written on the only way here, and the cells that the trail has since the latest
/// choice point, whose older values are not asked for again.
#[derive(Clone, Default)]
pub(super) struct Known {
    values: FxHashMap<u32, Value>,
    on_trail: FxHashSet<u32>,
    /// All that the trail has since the latest choice point, if that is known.
    since: Option<Vec<Wrote>>,
    /// The operation that made the topmost choice point.
    pub(super) top: Option<Pc>,
    /// Whether nothing was written and no tag emitted since the topmost choice point took its value.
    pub(super) fresh: bool,
    /// Entries for which there is room on the trail.
    room: u32,
}

impl Known {
    pub(super) fn value(&self, cell: u32) -> Option<Value> {
        self.values.get(&cell).copied()
    }

    /// A cell has this value.
    pub(super) fn learn(&mut self, cell: u32, value: Value) {
        self.values.insert(cell, value);
    }

    /// One of some cells was written.
    pub(super) fn forget(&mut self, cells: &Range<u32>) {
        self.values.retain(|cell, _| !cells.contains(cell));
    }

    /// What is known after a write to one of some cells that perhaps is not made.
    pub(super) fn after_perhaps(&self, cells: &Range<u32>) -> Self {
        let mut after = Self { room: self.room.saturating_sub(1), fresh: false, since: None, ..self.clone() };
        after.forget(cells);
        after
    }

    /// Notes that a cell is on the trail; whether it was not yet.
    pub(super) fn goes_on_trail(&mut self, cell: u32) -> bool {
        self.on_trail.insert(cell)
    }

    /// Something was put on the trail.
    pub(super) fn put(&mut self, wrote: Wrote) {
        match &mut self.since {
            Some(since) if since.len() < MAX_SINCE => since.push(wrote),
            since => *since = None,
        }
    }

    /// All that the trail has since the topmost choice point, if that is known.
    pub(super) fn since(&self) -> Option<&Vec<Wrote>> {
        self.since.as_ref()
    }

    /// The trail is as it was when this was known of it.
    pub(super) fn trail_as(&mut self, then: &Self) {
        self.since.clone_from(&then.since);
    }

    /// The topmost choice point has taken a value for this cell, and nothing was done since.
    pub(super) fn took(&mut self, cell: u32) {
        self.fresh = true;
        self.on_trail = FxHashSet::from_iter([cell]);
        self.since = Some(vec![Wrote::Cell(cell)]);
    }

    /// What is known where a choice point is dropped that is made now: the trail is as it is now.
    pub(super) fn below(&self) -> Self {
        Self { on_trail: self.on_trail.clone(), since: self.since.clone(), ..Self::default() }
    }

    /// Takes the room of an entry on the trail; whether there has to be asked for more before.
    pub(super) fn takes_room(&mut self) -> bool {
        let asks = self.room == 0;
        self.room = if asks { AT_ONCE } else { self.room } - 1;
        asks
    }

    /// There is a new choice point, made by this operation.
    pub(super) fn choice(&mut self, pc: Pc) {
        self.on_trail.clear();
        self.since = Some(Vec::new());
        self.fresh = false;
        self.top = Some(pc);
    }
}
