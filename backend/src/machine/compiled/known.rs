//! What is known of cells where code runs straight on.

use crate::program::Pc;
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

    /// Some cell from `first` on was written.
    pub(super) fn forget_from(&mut self, first: u32) {
        self.values.retain(|&cell, _| cell < first);
    }

    /// What is known after a write to some cell from `first` on that perhaps is not made.
    pub(super) fn after_perhaps(&self, first: u32) -> Self {
        let mut after = Self { room: self.room.saturating_sub(1), fresh: false, ..self.clone() };
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

    /// There is a new choice point, made by this operation.
    pub(super) fn choice(&mut self, pc: Pc) {
        self.on_trail.clear();
        self.fresh = false;
        self.top = Some(pc);
    }
}
