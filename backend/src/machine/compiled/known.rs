//! What is known of cells where code runs straight on.

use cranelift_codegen::ir::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// Entries of the trail for which it is asked at once whether there is room.
pub(super) const AT_ONCE: u32 = 64;

/// The values of cells that were read or written on the only way here, and the cells that the trail has since the latest
/// choice point, whose older values are not asked for again.
#[derive(Clone, Default)]
pub(super) struct Known {
    values: FxHashMap<u32, Value>,
    on_trail: FxHashSet<u32>,
    /// The number of the topmost choice point's resumption.
    top: Option<usize>,
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

    /// Some cell from `first` on was written.
    pub(super) fn forget_from(&mut self, first: u32) {
        self.values.retain(|&cell, _| cell < first);
    }

    /// What is known after a write to some cell from `first` on that perhaps is not made.
    pub(super) fn after_perhaps(&self, first: u32) -> Self {
        let mut after = Self { room: self.room.saturating_sub(1), ..self.clone() };
        after.forget_from(first);
        after
    }

    /// Notes that a cell is on the trail; whether it was not yet.
    pub(super) fn goes_on_trail(&mut self, cell: u32) -> bool {
        self.on_trail.insert(cell)
    }

    /// Takes the room of an entry on the trail; whether there has to be asked for more before.
    pub(super) fn takes_room(&mut self) -> bool {
        let asks = self.room == 0;
        self.room = if asks { AT_ONCE } else { self.room } - 1;
        asks
    }

    /// There is a new choice point, with the resumption of this number.
    pub(super) fn choice(&mut self, number: usize) {
        self.on_trail.clear();
        self.top = Some(number);
    }

    /// Where the topmost choice point goes on, if that is known.
    pub(super) fn top(&self) -> Option<usize> {
        self.top
    }
}
