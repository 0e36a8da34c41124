//! Values, places and whole maps.

use super::{Cell, Machine, Shared};
use crate::program::{Ex, ExId, FAIL, MapRef, Term};

impl<W: Cell> Machine<W> {
    /// A value without a quick form.
    pub(super) fn eval_other(&self, shared: &Shared<W>, ex: ExId) -> u32 {
        match shared.program.exprs[ex as usize] {
            Ex::Constant(value) => value,
            Ex::Slot(slot) => self.slot(slot),
            Ex::Cell { base, slot } => self.cell(base, slot),
            Ex::Table { base, slot } => self.table(shared, base, slot),
            Ex::Load { table, base, first, count } => {
                let mut at = base;
                for term in &shared.program.terms[first as usize..(first + count) as usize] {
                    at += self.position(shared, term) * term.stride;
                }
                if table { shared.tables[at as usize].get() } else { self.cells[at as usize].get() }
            }
        }
    }

    #[inline(always)]
    pub(super) fn position(&self, shared: &Shared<W>, term: &Term) -> u32 {
        let value = self.eval(shared, term.value);
        if term.convert == FAIL { value } else { shared.tables[(term.convert + value) as usize].get() }
    }

    /// The cell of a store; `None` if a key is none.
    pub(super) fn place(&self, shared: &Shared<W>, base: u32, first: u32, count: u32) -> Option<u32> {
        let mut at = base;
        for term in &shared.program.terms[first as usize..(first + count) as usize] {
            let position = self.position(shared, term);
            if position >= term.count {
                return None;
            }
            at += position * term.stride;
        }
        Some(at)
    }

    /// First cell or entry of a map; `None` if an outer key is none and the map is written to.
    pub(super) fn map_base(&self, shared: &Shared<W>, map: &MapRef, write: bool) -> Option<u32> {
        let (first, count) = map.terms;
        if write {
            return self.place(shared, map.base, first, count);
        }
        let terms = &shared.program.terms[first as usize..(first + count) as usize];
        Some(map.base + terms.iter().map(|t| self.position(shared, t) * t.stride).sum::<u32>())
    }

    pub(super) fn map_cell(&self, shared: &Shared<W>, table: bool, at: u32) -> u32 {
        if table { shared.tables[at as usize].get() } else { self.cells[at as usize].get() }
    }

    pub(super) fn maps_equal(&self, shared: &Shared<W>, map: u32) -> bool {
        let pair = &shared.program.maps[map as usize];
        let bases = (self.map_base(shared, &pair.left, false), self.map_base(shared, &pair.right, false));
        let (Some(left), Some(right)) = bases else { return false };
        let cell = |at, table| self.map_cell(shared, table, at);
        pair.pairs.iter().all(|&(l, r)| cell(left + l, pair.left.table) == cell(right + r, pair.right.table))
    }

    pub(super) fn copy_map(&mut self, shared: &Shared<W>, map: u32) {
        let pair = &shared.program.maps[map as usize];
        let Some(right) = self.map_base(shared, &pair.right, false) else { return };
        let Some(left) = self.map_base(shared, &pair.left, true) else { return };
        // Read everything before anything is written: the two may overlap.
        let values: Vec<u32> =
            pair.pairs.iter().map(|&(_, r)| self.map_cell(shared, pair.right.table, right + r)).collect();
        for (&(l, _), value) in pair.pairs.iter().zip(values) {
            self.set(left + l, value);
        }
    }
}
