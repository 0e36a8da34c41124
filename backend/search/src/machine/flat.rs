//! Values in a form that is quick to compute.
//!
//! Most values follow a chain: a cell is an index into a table, its entry one into a map, and so on. Which tables and cells
//! these are is found out once, so that nothing has to be looked up on the way.

use super::{Cell, Machine, Shared};
use crate::program::{Ex, ExId, FAIL, Program, Term};

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flat {
    /// A number.
    Constant(u32),
    /// A cell.
    Slot(u32),
    /// `cells[base + cells[slot]]`.
    Cell { base: u32, slot: u32 },
    /// `tables[base + cells[slot]]`.
    Table { base: u32, slot: u32 },
    /// `cells[cells + tables[base + cells[slot]]]`.
    CellOfTable { cells: u32, base: u32, slot: u32 },
    /// `tables[tables + tables[base + cells[slot]]]`.
    TableOfTable { tables: u32, base: u32, slot: u32 },
    /// `cells[cells + tables[tables + tables[base + cells[slot]]]]`.
    CellOfTables { cells: u32, tables: u32, base: u32, slot: u32 },
    /// `tables[tables + cells[cells + tables[base + cells[slot]]]]`.
    TableOfCell { tables: u32, cells: u32, base: u32, slot: u32 },
    /// Something else.
    Other(ExId),
}

impl Flat {
    /// The quick forms of all values of a program.
    pub(super) fn all(program: &Program) -> Vec<Self> {
        (0..program.exprs.len()).map(|ex| Self::of(program, ex as ExId)).collect()
    }

    fn of(program: &Program, ex: ExId) -> Self {
        let Some(&found) = program.exprs.get(ex as usize) else { return Flat::Other(ex) };
        let flat = match found {
            Ex::Constant(value) => Some(Flat::Constant(value)),
            Ex::Slot(slot) => Some(Flat::Slot(slot)),
            Ex::Cell { base, slot } => Some(Flat::Cell { base, slot }),
            Ex::Table { base, slot } => Some(Flat::Table { base, slot }),
            Ex::Load { table, base: outer, .. } => {
                Self::only_term(program, ex).and_then(|value| match (table, Self::of(program, value)) {
                    (false, Flat::Slot(slot)) => Some(Flat::Cell { base: outer, slot }),
                    (true, Flat::Slot(slot)) => Some(Flat::Table { base: outer, slot }),
                    (false, Flat::Table { base, slot }) => Some(Flat::CellOfTable { cells: outer, base, slot }),
                    (true, Flat::Table { base, slot }) => Some(Flat::TableOfTable { tables: outer, base, slot }),
                    (false, Flat::TableOfTable { tables, base, slot }) => {
                        Some(Flat::CellOfTables { cells: outer, tables, base, slot })
                    }
                    (true, Flat::CellOfTable { cells, base, slot }) => {
                        Some(Flat::TableOfCell { tables: outer, cells, base, slot })
                    }
                    _ => None,
                })
            }
        };
        flat.unwrap_or(Flat::Other(ex))
    }

    /// The index of a load, if it is a single value as it stands.
    fn only_term(program: &Program, ex: ExId) -> Option<ExId> {
        let Some(&Ex::Load { first, count: 1, .. }) = program.exprs.get(ex as usize) else { return None };
        match program.terms.get(first as usize) {
            Some(&Term { value, stride: 1, convert: FAIL, .. }) => Some(value),
            _ => None,
        }
    }
}

impl<W: Cell> Machine<W> {
    /// A value.
    #[inline(always)]
    pub(super) fn eval(&self, shared: &Shared<W>, ex: ExId) -> u32 {
        let cell = |at: u32| self.cells[at as usize].get();
        let entry = |at: u32| shared.tables[at as usize].get();
        match shared.flat[ex as usize] {
            Flat::Constant(value) => value,
            Flat::Slot(slot) => cell(slot),
            Flat::Cell { base, slot } => cell(base + cell(slot)),
            Flat::Table { base, slot } => entry(base + cell(slot)),
            Flat::CellOfTable { cells, base, slot } => cell(cells + entry(base + cell(slot))),
            Flat::TableOfTable { tables, base, slot } => entry(tables + entry(base + cell(slot))),
            Flat::CellOfTables { cells, tables, base, slot } => cell(cells + entry(tables + entry(base + cell(slot)))),
            Flat::TableOfCell { tables, cells, base, slot } => entry(tables + cell(cells + entry(base + cell(slot)))),
            Flat::Other(ex) => self.eval_other(shared, ex),
        }
    }

    /// Whether two values are equal. The second one is often a number.
    #[inline(always)]
    pub(super) fn equal(&self, shared: &Shared<W>, left: ExId, right: ExId) -> bool {
        let right = match shared.flat[right as usize] {
            Flat::Constant(value) => value,
            _ => self.eval_apart(shared, right),
        };
        self.eval(shared, left) == right
    }

    #[inline(never)]
    fn eval_apart(&self, shared: &Shared<W>, ex: ExId) -> u32 {
        self.eval(shared, ex)
    }
}
