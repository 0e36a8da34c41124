//! What checks can tell apart, so that an answer can be kept while nothing changes that the check would notice.
//!
//! Values of a cell are alike for a check if no test, no index and no write of the check makes a difference between them.
//! This is the coarsest partition that is stable under the operations of the check, as in the minimisation of automata
//! (Moore 1956): all values begin as one kind, and what an operation sees of a value parts them. It is the same for all
//! places in the check, but that what is written there before it is read plays no part. States whose cells hold values of
//! equal kinds have equal answers. Near-linear in the operations for each round; there are at most as many rounds as kinds.

use super::{Ex, ExId, FAIL, Op, Pc, Program, Term};
use rustc_hash::FxHashMap;

/// Most values that are looked at for all checks together.
const BUDGET: usize = 1 << 24;
/// Loads in loads.
const MAX_NESTED: usize = 32;
/// Cells that are compared at once.
const RUN: usize = 16;
/// Most variables of a check of which is asked whether they are written before they are read.
const MAX_LIVE: usize = 64;

/// What a check can tell apart.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// By cell, where its row begins; [`FAIL`] if the check does not look at the cell.
    of_cell: Vec<u32>,
    /// Rows: the kind of every value.
    rows: Vec<u32>,
}

impl Kinds {
    /// The kinds of a cell's values; `None` if the check does not look at the cell.
    #[inline]
    pub(crate) fn row(&self, cell: u32) -> Option<Row<'_>> {
        let start = self.of_cell.get(cell as usize).copied().filter(|&start| start != FAIL)?;
        Some(Row(self.rows.get(start as usize..)?))
    }

    /// Whether the check cannot tell two states apart.
    pub(crate) fn alike<T: Copy + PartialEq + Into<u32>>(&self, one: &[T], other: &[T]) -> bool {
        let alike = |row: Row<'_>, one: T, other: T| row.alike(one.into(), other.into());
        let all = |start: u32, one: &[T], other: &[T]| {
            let mut cells = (start..).zip(one.iter().zip(other)).filter(|(_, (one, other))| one != other);
            cells.all(|(cell, (&one, &other))| self.row(cell).is_none_or(|row| alike(row, one, other)))
        };
        // Most runs of cells are equal.
        let ((runs, rest), (other_runs, other_rest)) = (one.as_chunks::<RUN>(), other.as_chunks::<RUN>());
        let mut different = (0..).zip(runs.iter().zip(other_runs)).filter(|(_, (one, other))| one != other);
        one.len() == other.len()
            && all((runs.len() * RUN) as u32, rest, other_rest)
            && different.all(|(run, (one, other))| all(run * RUN as u32, one, other))
    }
}

/// The kinds of a cell's values.
#[derive(Clone, Copy)]
pub(crate) struct Row<'k>(&'k [u32]);

impl Row<'_> {
    /// Whether it makes no difference which of two values the cell holds.
    #[inline]
    pub(crate) fn alike(self, one: u32, other: u32) -> bool {
        self.0.get(one as usize) == self.0.get(other as usize)
    }
}

/// By check, what it can tell apart; `None` if that has not been found out, or if the check only asks, so that its answer
/// is as soon found as remembered. Where nothing is known of any check the list is empty.
pub(crate) fn kinds(program: &Program) -> Vec<Option<Kinds>> {
    let entries: FxHashMap<u32, Pc> = program.code.iter().filter_map(check).collect();
    let Some(&last) = entries.keys().max() else { return Vec::new() };
    let mut budget = BUDGET;
    let mut known: FxHashMap<Pc, u32> = FxHashMap::default();
    let mut all: Vec<Option<Kinds>> = Vec::new();
    for at in 0..=last {
        let kinds = entries.get(&at).filter(|&&entry| entry != FAIL && known.insert(entry, at).is_none());
        all.push(kinds.and_then(|&entry| Check::new(program, entry, &mut budget)?.kinds(entry)));
    }
    if all.iter().all(Option::is_none) { Vec::new() } else { all }
}

fn check(op: &Op) -> Option<(u32, Pc)> {
    match *op {
        Op::Reach { entry, check, .. } => Some((check, entry)),
        _ => None,
    }
}

/// A check whose values are being parted.
struct Check<'p> {
    program: &'p Program,
    ops: Vec<Pc>,
    /// By cell, the number of its variable.
    owner: Vec<usize>,
    /// By cell, its part: cells of one part have the same kinds of values.
    part: Vec<u32>,
    /// By variable, its parts.
    parts: Vec<Vec<u32>>,
    /// By part, the kind of each value; none if there is one only.
    kinds: Vec<Vec<u32>>,
    /// By part, the number of values.
    values: Vec<usize>,
    changed: bool,
    budget: &'p mut usize,
}

/// Where a write reads what it writes to: the place as base and terms, and its part.
#[derive(Clone, Copy)]
struct Own<'a> {
    base: u32,
    terms: &'a [Term],
    part: u32,
}

impl<'p> Check<'p> {
    fn new(program: &'p Program, entry: Pc, budget: &'p mut usize) -> Option<Self> {
        let ops = reached(program, entry);
        ops.iter().any(|&pc| matches!(op(program, pc), Op::Try(_)) || op(program, pc).chooses()).then_some(())?;
        *budget = budget.checked_sub(program.layout.initial.len())?;
        let mut check = Self {
            program,
            ops,
            owner: vec![0; program.layout.initial.len()],
            part: vec![0; program.layout.initial.len()],
            parts: Vec::new(),
            kinds: Vec::new(),
            values: Vec::new(),
            changed: true,
            budget,
        };
        for (number, field) in program.layout.vars.values().enumerate() {
            let part = check.new_part(program.layout.classes.members(field.class).len());
            check.parts.push(vec![part]);
            for cell in field.offset..field.offset.checked_add(field.len)? {
                *check.owner.get_mut(cell as usize)? = number;
                *check.part.get_mut(cell as usize)? = part;
            }
        }
        // Cells that are read by themselves are parts of their own.
        let mut alone = Vec::new();
        for &pc in &check.ops {
            reads(program, op(program, pc), &mut |slot| alone.push(slot))?;
        }
        alone.sort_unstable();
        alone.dedup();
        for slot in alone {
            let number = *check.owner.get(slot as usize)?;
            let values = *check.values.get(check.part[slot as usize] as usize)?;
            let part = check.new_part(values);
            check.parts.get_mut(number)?.push(part);
            *check.part.get_mut(slot as usize)? = part;
        }
        Some(check)
    }

    fn new_part(&mut self, values: usize) -> u32 {
        self.kinds.push(Vec::new());
        self.values.push(values);
        self.kinds.len() as u32 - 1
    }

    fn kinds(mut self, entry: Pc) -> Option<Kinds> {
        while std::mem::take(&mut self.changed) {
            for at in 0..self.ops.len() {
                let op = op(self.program, *self.ops.get(at)?);
                self.sees(op)?;
            }
        }
        let written = self.written_first(entry)?;
        let mut rows = Rows::default();
        let numbers: Vec<u32> = self.kinds.into_iter().map(|kinds| rows.start(kinds)).collect();
        let mut of_cell: Vec<u32> = self.part.iter().map(|&part| numbers[part as usize]).collect();
        for cell in written {
            *of_cell.get_mut(cell as usize)? = FAIL;
        }
        Some(Kinds { of_cell, rows: rows.all })
    }

    /// Parts values that an operation tells apart; `None` if it has no form, or the budget is used up.
    fn sees(&mut self, op: Op) -> Option<()> {
        let tables = self.program.layout.tables.as_slice();
        let entry = |base: u32, at: u32| tables.get(base as usize + at as usize).copied().unwrap_or(FAIL);
        match op {
            Op::Jump(_) | Op::Try(_) | Op::Fail | Op::Scope | Op::Mark(_) | Op::Accept | Op::Reach { .. } => Some(()),
            Op::Each { .. } | Op::EachTable { .. } | Op::SetConstant { .. } => Some(()),
            Op::SlotEq { slot, value, .. } | Op::SlotNe { slot, value, .. } => {
                self.refine(self.part_of(slot)?, &|v| u64::from(v == value))
            }
            Op::CellEq { base, slot, value, .. } | Op::CellNe { base, slot, value, .. } => {
                self.cells(base, &|v| u64::from(v == value))?;
                self.refine(self.part_of(slot)?, &u64::from)
            }
            Op::TableEq { base, slot, value, .. } => {
                self.refine(self.part_of(slot)?, &|v| u64::from(entry(base, v) == value))
            }
            Op::CellTableEq { base, slot, table, value, .. } => {
                self.cells(base, &|v| u64::from(entry(table, v) == value))?;
                self.refine(self.part_of(slot)?, &u64::from)
            }
            Op::Eq { left, right, .. } | Op::Ne { left, right, .. } => {
                match (self.constant(left), self.constant(right)) {
                    (Some(value), _) => self.value(right, &|v| u64::from(v == value), None, 0),
                    (_, Some(value)) => self.value(left, &|v| u64::from(v == value), None, 0),
                    (None, None) => {
                        self.value(left, &u64::from, None, 0)?;
                        self.value(right, &u64::from, None, 0)
                    }
                }
            }
            Op::SetTable { slot, base, from } => self.table_to(slot, base, from, FAIL),
            Op::Step { slot, base, from, not } => self.table_to(slot, base, from, not),
            Op::Set { slot, value } => {
                let part = self.part_of(slot)?;
                self.value_to(part, value, None)
            }
            Op::SetCell { base, slot, count, .. } => {
                let place = self.place(base, 1, count)?;
                self.refine(self.part_of(slot)?, &|v| place.get(v as usize).copied().unwrap_or(0))
            }
            Op::Store { base, first, count, value } => {
                let terms = self.terms(first, count)?;
                let number = *self.owner.get(base as usize)?;
                for part in self.parts.get(number)?.clone() {
                    self.value_to(part, value, Some(Own { base, terms, part }))?;
                }
                self.index(base, terms)
            }
            Op::EachStore { base, first, count, .. } => {
                let terms = self.terms(first, count)?;
                self.index(base, terms)
            }
            Op::EachCell { base, value, .. } => self.cells(base, &|v| u64::from(v == value)),
            Op::EachWhere { base, table, .. } => self.cells(base, &|v| u64::from(entry(table, v) == 1)),
            Op::MapEq { .. }
            | Op::MapNe { .. }
            | Op::Copy { .. }
            | Op::Tag(_)
            | Op::TagSlot { .. }
            | Op::TagPair { .. }
            | Op::Finish(_)
            | Op::FinishWith { .. } => None,
        }
    }

    fn part_of(&self, cell: u32) -> Option<u32> {
        self.part.get(cell as usize).copied()
    }

    fn terms(&self, first: u32, count: u32) -> Option<&'p [Term]> {
        self.program.terms.get(first as usize..first.checked_add(count)? as usize)
    }

    fn constant(&self, ex: ExId) -> Option<u32> {
        match self.program.exprs.get(ex as usize) {
            Some(&Ex::Constant(value)) => Some(value),
            _ => None,
        }
    }

    /// Parts the values of a part by what is seen of them.
    fn refine(&mut self, part: u32, sees: &dyn Fn(u32) -> u64) -> Option<()> {
        let kinds = self.kinds.get_mut(part as usize)?;
        let values = *self.values.get(part as usize)?;
        *self.budget = self.budget.checked_sub(values)?;
        let kind = |value: u32| kinds.get(value as usize).copied().unwrap_or(0);
        // Mostly nothing new is seen: what is seen of the first value of each kind is seen of all others.
        let mut first: Vec<Option<u64>> = Vec::new();
        let is_new = |value: u32| {
            let (kind, seen) = (kind(value) as usize, sees(value));
            if first.len() <= kind {
                first.resize(kind + 1, None);
            }
            first.get_mut(kind).is_some_and(|first| *first.get_or_insert(seen) != seen)
        };
        if kinds.len() == values && kind(values.saturating_sub(1) as u32) as usize + 1 == values
            || !(0..values as u32).any(is_new)
        {
            return Some(());
        }
        let mut numbers: FxHashMap<(u32, u64), u32> = FxHashMap::default();
        let mut refined = Vec::with_capacity(values);
        for value in 0..values as u32 {
            let next = numbers.len() as u32;
            refined.push(*numbers.entry((kind(value), sees(value))).or_insert(next));
        }
        *kinds = refined;
        self.changed = true;
        Some(())
    }

    /// Something is seen of any cell of the variable to which `base` belongs.
    fn cells(&mut self, base: u32, sees: &dyn Fn(u32) -> u64) -> Option<()> {
        let number = *self.owner.get(base as usize)?;
        for at in 0..self.parts.get(number)?.len() {
            let part = *self.parts.get(number)?.get(at)?;
            self.refine(part, sees)?;
        }
        Some(())
    }

    /// Something is seen of a value. What `own` has is one cell, and where it is has been seen otherwise.
    fn value(&mut self, ex: ExId, sees: &dyn Fn(u32) -> u64, own: Option<Own<'_>>, nested: usize) -> Option<()> {
        if nested > MAX_NESTED {
            return None;
        }
        let tables = self.program.layout.tables.as_slice();
        match *self.program.exprs.get(ex as usize)? {
            Ex::Constant(_) => Some(()),
            Ex::Slot(slot) => self.refine(self.part_of(slot)?, sees),
            Ex::Table { base, slot } => {
                let entry = |v: u32| tables.get(base as usize + v as usize).copied().unwrap_or(FAIL);
                self.refine(self.part_of(slot)?, &|v| sees(entry(v)))
            }
            Ex::Cell { base, slot } => {
                let plain = |term: &Term| (term.stride, term.convert) == (1, FAIL) && self.is_slot(term.value, slot);
                match own {
                    Some(Own { base: b, terms: [term], part }) if b == base && plain(term) => self.refine(part, sees),
                    _ => {
                        self.cells(base, sees)?;
                        self.refine(self.part_of(slot)?, &u64::from)
                    }
                }
            }
            Ex::Load { table, base, first, count } => {
                let terms = self.terms(first, count)?;
                match (table, own, terms) {
                    (false, Some(own), _) if own.base == base && own.terms == terms => self.refine(own.part, sees),
                    (true, _, [term]) => {
                        let at = |v: u32| base as usize + position(tables, term, v) as usize * term.stride as usize;
                        let sees = |v: u32| sees(tables.get(at(v)).copied().unwrap_or(FAIL));
                        self.value(term.value, &sees, own, nested + 1)
                    }
                    _ => {
                        if !table {
                            self.cells(base, sees)?;
                        }
                        terms.iter().try_for_each(|term| self.value(term.value, &u64::from, None, nested + 1))
                    }
                }
            }
        }
    }

    fn is_slot(&self, ex: ExId, slot: u32) -> bool {
        self.program.exprs.get(ex as usize) == Some(&Ex::Slot(slot))
    }

    /// A value is written to a cell of this part.
    fn value_to(&mut self, part: u32, value: ExId, own: Option<Own<'_>>) -> Option<()> {
        let kinds = self.kinds.get(part as usize)?.clone();
        if kinds.is_empty() {
            return Some(());
        }
        let kind = |v: u32| kinds.get(v as usize).map_or(u64::MAX, |&kind| u64::from(kind));
        self.value(value, &kind, own, 0)
    }

    /// `cells[slot] = tables[base + cells[from]]`, unless that is `not`.
    fn table_to(&mut self, slot: u32, base: u32, from: u32, not: u32) -> Option<()> {
        let kinds = self.kinds.get(self.part_of(slot)? as usize)?.clone();
        let tables = self.program.layout.tables.as_slice();
        self.refine(self.part_of(from)?, &|v| {
            let value = tables.get(base as usize + v as usize).copied().unwrap_or(FAIL);
            if value == not { u64::MAX } else { kinds.get(value as usize).map_or(0, |&kind| u64::from(kind)) }
        })
    }

    /// By position, a number that is 0 if nobody looks at the cell there.
    fn place(&mut self, base: u32, stride: u32, count: u32) -> Option<Vec<u64>> {
        let positions = self.part.len().min(count as usize);
        *self.budget = self.budget.checked_sub(positions)?;
        let cells = (0..positions).map_while(|at| self.part.get(base as usize + at * stride as usize));
        let seen = |part: u32| self.kinds.get(part as usize).is_some_and(|kinds| !kinds.is_empty());
        Some((1..).zip(cells).map(|(number, &part)| if seen(part) { number } else { 0 }).collect())
    }

    /// Something is written to a cell of a variable.
    fn index(&mut self, base: u32, terms: &[Term]) -> Option<()> {
        let number = *self.owner.get(base as usize)?;
        let seen = |part: &u32| self.kinds.get(*part as usize).is_some_and(|kinds| !kinds.is_empty());
        if !self.parts.get(number)?.iter().any(seen) {
            return Some(());
        }
        let [term] = terms else {
            return terms.iter().try_for_each(|term| self.value(term.value, &u64::from, None, 0));
        };
        let place = self.place(base, term.stride, term.count)?;
        let tables = self.program.layout.tables.as_slice();
        let sees = |v: u32| place.get(position(tables, term, v) as usize).copied().unwrap_or(0);
        self.value(term.value, &sees, None, 0)
    }

    /// The cells of single variables that no walk reads before it has written them.
    fn written_first(&self, entry: Pc) -> Option<Vec<u32>> {
        let mut slots: Vec<u32> = self.ops.iter().filter_map(|&pc| written_cell(op(self.program, pc))).collect();
        slots.sort_unstable();
        slots.dedup();
        slots.retain(|&slot| {
            let field = self.owner.get(slot as usize).and_then(|&number| self.program.layout.vars.values().nth(number));
            field.is_some_and(|field| field.keys.is_empty())
        });
        slots.truncate(MAX_LIVE);
        let bit = |slot: u32| slots.binary_search(&slot).map_or(0, |at| 1u64 << at);
        // By operation, what is read there, and then also what is read after it before it is written.
        let mut live: FxHashMap<Pc, u64> = FxHashMap::default();
        for &pc in &self.ops {
            let mut read = 0;
            reads(self.program, op(self.program, pc), &mut |slot| read |= bit(slot))?;
            live.insert(pc, read);
        }
        let at = |live: &FxHashMap<Pc, u64>, pc: Pc| live.get(&pc).copied().unwrap_or(0);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &pc in self.ops.iter().rev() {
                let op = op(self.program, pc);
                let after = successors(op, pc).fold(0, |all, next| all | at(&live, next));
                let before = at(&live, pc) | after & !written_cell(op).map_or(0, bit);
                changed |= live.insert(pc, before) != Some(before);
            }
        }
        let live = at(&live, entry);
        Some(slots.iter().copied().filter(|&slot| live & bit(slot) == 0).collect())
    }
}

/// The position that a value stands for.
fn position(tables: &[u32], term: &Term, value: u32) -> u32 {
    if term.convert == FAIL {
        return value;
    }
    tables.get(term.convert as usize + value as usize).copied().unwrap_or(FAIL)
}

/// Rows of kinds, one after the other.
#[derive(Default)]
struct Rows {
    all: Vec<u32>,
    starts: FxHashMap<Vec<u32>, u32>,
}

impl Rows {
    /// Where a row begins; [`FAIL`] if all values are of one kind.
    fn start(&mut self, kinds: Vec<u32>) -> u32 {
        if kinds.is_empty() {
            return FAIL;
        }
        let all = &mut self.all;
        *self.starts.entry(kinds).or_insert_with_key(|kinds| {
            all.extend(kinds);
            (all.len() - kinds.len()) as u32
        })
    }
}

fn op(program: &Program, pc: Pc) -> Op {
    program.code.get(pc as usize).copied().unwrap_or(Op::Fail)
}

/// Where a walk may go on after an operation; checks that it asks are walks of their own, and of the same cells.
fn successors(mut op: Op, pc: Pc) -> impl Iterator<Item = Pc> {
    let check = match op {
        Op::Reach { entry, .. } => Some(entry),
        _ => None,
    };
    let target = op.target_mut().copied();
    let next = (!matches!(op, Op::Jump(_) | Op::Fail | Op::Accept)).then_some(pc + 1);
    check.into_iter().chain(target).chain(next).filter(|&pc| pc != FAIL)
}

/// The operations of a check and of those that it asks.
fn reached(program: &Program, entry: Pc) -> Vec<Pc> {
    let mut seen = fixedbitset::FixedBitSet::with_capacity(program.code.len());
    let mut open = vec![entry];
    while let Some(pc) = open.pop() {
        if (pc as usize) < program.code.len() && !seen.put(pc as usize) {
            open.extend(successors(op(program, pc), pc));
        }
    }
    seen.ones().map(|pc| pc as Pc).collect()
}

/// The cell that an operation always writes to.
pub(crate) fn written_cell(op: Op) -> Option<u32> {
    match op {
        Op::SetConstant { slot, .. }
        | Op::SetTable { slot, .. }
        | Op::Step { slot, .. }
        | Op::Set { slot, .. }
        | Op::Each { slot, .. }
        | Op::EachCell { slot, .. }
        | Op::EachWhere { slot, .. }
        | Op::EachTable { slot, .. } => Some(slot),
        _ => None,
    }
}

/// The cells that an operation reads by themselves.
fn reads(program: &Program, op: Op, note: &mut dyn FnMut(u32)) -> Option<()> {
    match op {
        Op::SlotEq { slot, .. }
        | Op::SlotNe { slot, .. }
        | Op::CellEq { slot, .. }
        | Op::CellNe { slot, .. }
        | Op::TableEq { slot, .. }
        | Op::CellTableEq { slot, .. }
        | Op::SetCell { slot, .. } => note(slot),
        Op::SetTable { from, .. } | Op::Step { from, .. } => note(from),
        Op::Eq { left, right, .. } | Op::Ne { left, right, .. } => {
            leaves(program, left, note, 0)?;
            leaves(program, right, note, 0)?;
        }
        Op::Set { value, .. } => leaves(program, value, note, 0)?,
        Op::Store { first, count, value, .. } => {
            leaves(program, value, note, 0)?;
            places(program, first, count, note, 0)?;
        }
        Op::EachStore { first, count, .. } => places(program, first, count, note, 0)?,
        _ => {}
    }
    Some(())
}

fn places(program: &Program, first: u32, count: u32, note: &mut dyn FnMut(u32), nested: usize) -> Option<()> {
    let terms = program.terms.get(first as usize..first.checked_add(count)? as usize)?;
    terms.iter().try_for_each(|term| leaves(program, term.value, note, nested))
}

fn leaves(program: &Program, ex: ExId, note: &mut dyn FnMut(u32), nested: usize) -> Option<()> {
    if nested > MAX_NESTED {
        return None;
    }
    match *program.exprs.get(ex as usize)? {
        Ex::Constant(_) => {}
        Ex::Slot(slot) | Ex::Cell { slot, .. } | Ex::Table { slot, .. } => note(slot),
        Ex::Load { first, count, .. } => places(program, first, count, note, nested + 1)?,
    }
    Some(())
}
