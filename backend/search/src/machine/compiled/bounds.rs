//! Proof that a program keeps within its cells and tables: machine code does not look.
//!
//! Every cell is known to hold at most the number of the last value of its class. If that is so before an operation, it is
//! so after it, and no access is outside: this is checked for each operation once, before there is code.

use crate::program::{Ex, ExId, FAIL, Op, Program};
use rustc_hash::FxHashMap;

/// Entries that may be looked at in all proofs together.
const BUDGET: usize = 20_000_000;
/// Loads in loads.
const MAX_NESTED: usize = 32;

/// See the module.
pub(super) struct Bounds<'p> {
    program: &'p Program,
    /// By cell, the greatest value.
    most: Vec<u32>,
    known: FxHashMap<ExId, u64>,
    budget: usize,
}

impl<'p> Bounds<'p> {
    /// The greatest number of every cell and of every value, if the whole program keeps to them.
    pub(super) fn prove(program: &'p Program) -> Option<(Vec<u32>, FxHashMap<ExId, u64>)> {
        let layout = &program.layout;
        let mut most = vec![0; layout.initial.len()];
        for field in layout.vars.values() {
            let last = u32::try_from(layout.classes.members(field.class).len()).ok()?.checked_sub(1)?;
            let (start, end) = (field.offset as usize, field.offset.checked_add(field.len)? as usize);
            most.get_mut(start..end)?.fill(last);
        }
        let mut bounds = Self { program, most, known: FxHashMap::default(), budget: BUDGET };
        let initial = layout.initial.iter().zip(&bounds.most).all(|(value, most)| value <= most);
        let proved = initial && (0..program.code.len()).all(|pc| bounds.keeps(pc).is_some());
        proved.then_some((bounds.most, bounds.known))
    }

    fn keeps(&mut self, pc: usize) -> Option<()> {
        match *self.program.code.get(pc)? {
            Op::Jump(_) | Op::Try(_) | Op::Fail | Op::Tag(_) | Op::Scope | Op::Finish(_) | Op::Accept => Some(()),
            Op::Reach { .. } => Some(()),
            // Whole maps have no machine code.
            Op::MapEq { .. } | Op::MapNe { .. } | Op::Copy { .. } => None,
            Op::SlotEq { slot, .. } | Op::SlotNe { slot, .. } => self.slot(slot).map(drop),
            Op::CellEq { base, slot, .. } | Op::CellNe { base, slot, .. } => self.cell(base, slot).map(drop),
            Op::TableEq { base, slot, .. } => self.table(base, slot).map(drop),
            Op::CellTableEq { base, slot, table, .. } => {
                let number = self.cell(base, slot)?;
                self.greatest(true, u64::from(table), number).map(drop)
            }
            Op::Eq { left, right, .. } | Op::Ne { left, right, .. } => {
                self.value(left, 0)?;
                self.value(right, 0).map(drop)
            }
            Op::SetConstant { slot, value } | Op::FinishWith { slot, value, .. } => {
                self.fits(u64::from(value), slot, 1)
            }
            Op::SetTable { slot, base, from } | Op::Step { slot, base, from, .. } => {
                let value = self.table(base, from)?;
                self.fits(value, slot, 1)
            }
            Op::SetCell { base, slot, value, count } => {
                let keys = self.slot(slot)?.checked_add(1)?.min(u64::from(count));
                self.fits(u64::from(value), base, keys)
            }
            Op::Set { slot, value } => {
                let value = self.value(value, 0)?;
                self.fits(value, slot, 1)
            }
            Op::Store { base, first, count, value } => {
                let value = self.value(value, 0)?;
                let keys = self.place(first, count)?;
                self.fits(value, base, keys)
            }
            Op::EachStore { base, first, count, list, len } => {
                let value = self.greatest(true, u64::from(list), u64::from(len).checked_sub(1)?)?;
                let keys = self.place(first, count)?;
                self.fits(value, base, keys)
            }
            Op::Each { slot, low, high } => self.each(slot, low, high),
            Op::EachCell { slot, low, high, base, .. } => {
                self.each(slot, low, high)?;
                (u64::from(base) + u64::from(high) <= self.most.len() as u64).then_some(())
            }
            Op::EachWhere { slot, low, high, base, table } => {
                self.each(slot, low, high)?;
                let Some(last) = high.checked_sub(1) else { return Some(()) };
                let number = self.greatest(false, u64::from(base), u64::from(last))?;
                self.greatest(true, u64::from(table), number).map(drop)
            }
            Op::EachTable { slot, low, high, base, .. } => {
                self.each(slot, low, high)?;
                (u64::from(base) + u64::from(high) <= self.program.layout.tables.len() as u64).then_some(())
            }
            Op::TagSlot { slot, names } | Op::TagPair { slot, names, .. } => {
                let last = u64::from(names) + self.slot(slot)?;
                (last < self.program.names.len() as u64).then_some(())
            }
            Op::Mark(index) => {
                let site = self.program.marks.get(index as usize)?;
                if site.base == FAIL {
                    return Some(());
                }
                let mut last = u64::from(site.base);
                for &(slot, stride) in &site.slots {
                    last = last.checked_add(self.slot(slot)?.checked_mul(u64::from(stride))?)?;
                }
                (last < u64::from(self.program.mark_cells)).then_some(())
            }
        }
    }

    fn each(&self, slot: u32, low: u32, high: u32) -> Option<()> {
        (low >= high || u64::from(high - 1) <= self.slot(slot)?).then_some(())
    }

    fn slot(&self, slot: u32) -> Option<u64> {
        self.most.get(slot as usize).map(|&most| u64::from(most))
    }

    fn cell(&mut self, base: u32, slot: u32) -> Option<u64> {
        let index = self.slot(slot)?;
        self.greatest(false, u64::from(base), index)
    }

    fn table(&mut self, base: u32, slot: u32) -> Option<u64> {
        let index = self.slot(slot)?;
        self.greatest(true, u64::from(base), index)
    }

    /// The greatest of the values at `base..=base + index`, all of which are there.
    fn greatest(&mut self, table: bool, base: u64, index: u64) -> Option<u64> {
        let (start, last) = (usize::try_from(base).ok()?, usize::try_from(base.checked_add(index)?).ok()?);
        let values = if table { &self.program.layout.tables } else { &self.most };
        let values = values.get(start..last.checked_add(1)?)?;
        self.budget = self.budget.checked_sub(values.len())?;
        values.iter().max().map(|&most| u64::from(most))
    }

    /// Whether a value can be put into any of `count` cells from `base` on, all of which are there.
    fn fits(&mut self, value: u64, base: u32, count: u64) -> Option<()> {
        let end = u64::from(base).checked_add(count)?;
        let cells = self.most.get(base as usize..usize::try_from(end).ok()?)?;
        self.budget = self.budget.checked_sub(cells.len())?;
        cells.iter().all(|&most| value <= u64::from(most)).then_some(())
    }

    fn value(&mut self, ex: ExId, nested: usize) -> Option<u64> {
        if let Some(&known) = self.known.get(&ex) {
            return Some(known);
        }
        if nested > MAX_NESTED {
            return None;
        }
        let value = match *self.program.exprs.get(ex as usize)? {
            Ex::Constant(value) => u64::from(value),
            Ex::Slot(slot) => self.slot(slot)?,
            Ex::Cell { base, slot } => self.cell(base, slot)?,
            Ex::Table { base, slot } => self.table(base, slot)?,
            Ex::Load { table, base, first, count } => {
                let mut index = 0u64;
                for at in first..first.checked_add(count)? {
                    let stride = self.program.terms.get(at as usize)?.stride;
                    let position = self.position(at, nested)?;
                    index = index.checked_add(position.checked_mul(u64::from(stride))?)?;
                }
                self.greatest(table, u64::from(base), index)?
            }
        };
        self.known.insert(ex, value);
        Some(value)
    }

    /// The greatest position that a term can stand for.
    fn position(&mut self, term: u32, nested: usize) -> Option<u64> {
        let term = *self.program.terms.get(term as usize)?;
        let value = self.value(term.value, nested + 1)?;
        if term.convert == FAIL { Some(value) } else { self.greatest(true, u64::from(term.convert), value) }
    }

    /// Number of cells among which the one of a store is.
    fn place(&mut self, first: u32, count: u32) -> Option<u64> {
        let mut last = 0u64;
        for at in first..first.checked_add(count)? {
            let term = *self.program.terms.get(at as usize)?;
            let position = self.position(at, 0)?.min(u64::from(term.count).checked_sub(1)?);
            last = last.checked_add(position.checked_mul(u64::from(term.stride))?)?;
        }
        last.checked_add(1)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test stops at the first surprise
mod tests {
    use super::*;
    use crate::program::{Marking, lower};
    use rg_ir::SourceId;

    const GAME: &str = "type Player = { a, b };
        type Score = { 0, 1 };
        type Cell = { c0, c1, c2 };
        type Piece = { none, stone };
        const next: Cell -> Cell = { :c0, c0: c1, c1: c2 };
        var at: Cell = c0;
        var board: Cell -> Piece = { :none };
        begin, choose: player = a;
        choose, chosen: at = Cell(*);
        chosen, empty: board[at] == none;
        empty, put: board[next[at]] = stone;
        put, told: $$ at;
        told, end: player = keeper;";

    fn program() -> Program {
        let game = rg_ir::text::parse(SourceId(0), GAME).0.unwrap();
        let game = engine::valid::ValidGame::new(&game).unwrap();
        lower(&game, Marking::WhereNeeded).unwrap()
    }

    #[test]
    fn programs_of_games_stay_within_bounds() {
        let program = program();
        let (most, _) = Bounds::prove(&program).unwrap_or_default();
        assert_eq!(most.len(), program.layout.initial.len());
        assert!(most.iter().all(|&most| (1..=3).contains(&most)), "{most:?}");
    }

    #[test]
    fn whatever_may_leave_them_is_found() {
        let mut changed = 0;
        for at in 0..program().code.len() {
            let mut program = program();
            let Some(op) = program.code.get_mut(at) else { continue };
            match op {
                Op::Each { high, .. } | Op::EachCell { high, .. } => *high = 1_000,
                Op::Store { base, .. } | Op::SetCell { base, .. } | Op::CellEq { base, .. } => *base = 1_000,
                Op::SetConstant { value, .. } | Op::FinishWith { value, .. } => *value = 1_000,
                Op::TagSlot { names, .. } | Op::TagPair { names, .. } => *names = 1_000,
                _ => continue,
            }
            changed += 1;
            assert_eq!(Bounds::prove(&program), None, "operation {at}");
        }
        assert!(changed > 3, "{changed} operations were changed");
    }
}
