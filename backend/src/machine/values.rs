//! Values, places and whole maps.

use super::{Cell, Machine, Shared};
use crate::program::{Ex, ExId, FAIL, MapRef, Program, Term};

/// Look-ups of a path.
const MAX_STEPS: usize = 16;

/// A value as it is computed: the look-ups that are asked for all the time without a walk through their tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flat {
    Constant(u32),
    Slot(u32),
    /// `cells[base + cells[slot]]`.
    Cell {
        base: u32,
        slot: u32,
    },
    /// `tables[base + cells[slot]]`.
    Table {
        base: u32,
        slot: u32,
    },
    /// `cells[base + tables[step + cells[slot]]]`: what is one step away.
    Near {
        base: u32,
        step: u32,
        slot: u32,
    },
    /// `tables[table + cells[base + tables[step + cells[slot]]]]`: whether that is one of some values.
    Asked {
        table: u32,
        base: u32,
        step: u32,
        slot: u32,
    },
    /// What is at another value in cells or a table, and so on with some of [`Values::steps`].
    Path {
        start: ExId,
        first: u32,
        count: u32,
    },
    /// Anything else.
    Tree,
}

/// How values are computed.
pub(super) struct Values {
    /// By value.
    flat: Vec<Flat>,
    /// Look-ups one after the other: in a table or in cells, and from where on.
    steps: Vec<(bool, u32)>,
}

impl Values {
    pub(super) fn new(program: &Program) -> Self {
        let mut values = Self { flat: Vec::new(), steps: Vec::new() };
        for ex in 0..program.exprs.len() as u32 {
            let flat = match flat_one(program, ex) {
                Flat::Tree => values.path(program, ex),
                flat => flat,
            };
            values.flat.push(flat);
        }
        values
    }

    /// A load with one index as a path, if there are not too many look-ups.
    fn path(&mut self, program: &Program, ex: ExId) -> Flat {
        let (mut start, mut steps) = (ex, Vec::new());
        while let Some(&Ex::Load { table, base, first, count: 1 }) = program.exprs.get(start as usize)
            && let Some(&Term { value, stride: 1, convert: FAIL, .. }) = program.terms.get(first as usize)
            && steps.len() < MAX_STEPS
        {
            steps.push((table, base));
            start = value;
        }
        let first = self.steps.len() as u32;
        self.steps.extend(steps.iter().rev());
        if start == ex { Flat::Tree } else { Flat::Path { start, first, count: steps.len() as u32 } }
    }
}

fn flat_one(program: &Program, ex: ExId) -> Flat {
    // The only index of a load, if it is one as it is.
    let only = |first: u32, count: u32| match program.terms.get(first as usize) {
        Some(&Term { value, stride: 1, convert: FAIL, .. }) if count == 1 => program.exprs.get(value as usize).copied(),
        _ => None,
    };
    match program.exprs.get(ex as usize).copied() {
        Some(Ex::Constant(value)) => Flat::Constant(value),
        Some(Ex::Slot(slot)) => Flat::Slot(slot),
        Some(Ex::Cell { base, slot }) => Flat::Cell { base, slot },
        Some(Ex::Table { base, slot }) => Flat::Table { base, slot },
        Some(Ex::Load { table, base, first, count }) => match (table, only(first, count)) {
            (false, Some(Ex::Table { base: step, slot })) => Flat::Near { base, step, slot },
            (true, Some(Ex::Load { table: false, base: cells, first, count })) => match only(first, count) {
                Some(Ex::Table { base: step, slot }) => Flat::Asked { table: base, base: cells, step, slot },
                _ => Flat::Tree,
            },
            _ => Flat::Tree,
        },
        None => Flat::Tree,
    }
}

impl<W: Cell> Machine<W> {
    #[inline(always)]
    pub(super) fn eval(&self, shared: &Shared<W>, ex: ExId) -> u32 {
        match shared.values.flat[ex as usize] {
            Flat::Constant(value) => value,
            Flat::Slot(slot) => self.slot(slot),
            Flat::Cell { base, slot } => self.cell(base, slot),
            Flat::Table { base, slot } => self.table(shared, base, slot),
            Flat::Near { base, step, slot } => self.near(shared, base, step, slot),
            Flat::Asked { table, base, step, slot } => {
                shared.tables[(table + self.near(shared, base, step, slot)) as usize].get()
            }
            Flat::Path { .. } | Flat::Tree => self.eval_tree(shared, ex),
        }
    }

    #[inline(always)]
    fn near(&self, shared: &Shared<W>, base: u32, step: u32, slot: u32) -> u32 {
        self.cells[(base + self.table(shared, step, slot)) as usize].get()
    }

    fn eval_tree(&self, shared: &Shared<W>, ex: ExId) -> u32 {
        if let Flat::Path { start, first, count } = shared.values.flat[ex as usize] {
            let mut value = self.eval(shared, start);
            for &(table, base) in &shared.values.steps[first as usize..(first + count) as usize] {
                let at = (base + value) as usize;
                value = if table { shared.tables[at].get() } else { self.cells[at].get() };
            }
            return value;
        }
        match shared.program.exprs[ex as usize] {
            Ex::Load { table, base, first, count } => {
                let mut at = base;
                for term in &shared.program.terms[first as usize..(first + count) as usize] {
                    at += self.position(shared, term) * term.stride;
                }
                if table { shared.tables[at as usize].get() } else { self.cells[at as usize].get() }
            }
            _ => self.eval(shared, ex),
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
