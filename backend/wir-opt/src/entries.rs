//! Values that nothing but the value of one register tells, since they are entries of tables.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::{Op, Program, Reg};

/// Longest tables that are looked at.
const MAX_LENGTH: usize = 128;
/// How deep operations are looked through.
const MAX_DEPTH: u32 = 8;

/// The values of a register by that of another, modulo their number.
pub(super) struct Entries {
    pub(super) index: Reg,
    pub(super) values: Vec<u64>,
    /// How many operations one after the other were looked through.
    pub(super) depth: u32,
}

impl Entries {
    /// Whether two registers depend on the same in the same way.
    pub(super) fn fits(&self, other: &Entries) -> bool {
        self.index == other.index && self.values.len() == other.values.len()
    }
}

/// What was found of the registers of a function.
#[derive(Default)]
pub(super) struct Found(FxHashMap<Reg, Option<Rc<Entries>>>);

impl Found {
    /// The entries of a register, given the operations of all. Each register is looked at once, in time linear in the length
    /// of tables.
    pub(super) fn entries(
        &mut self,
        program: &Program,
        ops: &impl Fn(Reg) -> Option<Op>,
        register: Reg,
    ) -> Option<Rc<Entries>> {
        Search { program, ops, found: &mut self.0 }.entries(register, MAX_DEPTH)
    }
}

struct Search<'a, F> {
    program: &'a Program,
    ops: &'a F,
    found: &'a mut FxHashMap<Reg, Option<Rc<Entries>>>,
}

impl<F: Fn(Reg) -> Option<Op>> Search<'_, F> {
    fn entries(&mut self, register: Reg, depth: u32) -> Option<Rc<Entries>> {
        if let Some(known) = self.found.get(&register) {
            return known.clone();
        }
        let found = depth.checked_sub(1).and_then(|depth| self.made(register, depth)).map(Rc::new);
        self.found.insert(register, found.clone());
        found
    }

    fn made(&mut self, register: Reg, depth: u32) -> Option<Entries> {
        let op = (self.ops)(register)?;
        if let Op::Table(table, index) = op {
            let inner = self.entries(index, depth);
            let entries = &self.program.tables.get(table as usize)?.entries;
            return match inner {
                Some(inner) => {
                    let entry = |&x: &u64| entries.get((x & (entries.len() as u64).wrapping_sub(1)) as usize).copied();
                    let values = inner.values.iter().map(entry).collect::<Option<_>>()?;
                    Some(Entries { index: inner.index, values, depth: inner.depth + 1 })
                }
                None if entries.len() <= MAX_LENGTH => Some(Entries { index, values: entries.clone(), depth: 1 }),
                None => None,
            };
        }
        let mut parts: Vec<(Reg, Rc<Entries>)> = Vec::new();
        for read in op.reads() {
            if self.number(read).is_none() {
                parts.push((read, self.entries(read, depth)?));
            }
        }
        let ((_, first), others) = parts.split_first()?;
        if !others.iter().all(|(_, other)| other.fits(first)) {
            return None;
        }
        let value = |x: usize| {
            let read = |register: Reg| {
                let part = parts.iter().find(|(read, _)| *read == register);
                part.map_or_else(|| self.number(register), |(_, part)| part.values.get(x).copied())
            };
            op.evaluate(&self.program.tables, read)
        };
        let values = (0..first.values.len()).map(value).collect::<Option<_>>()?;
        let depth = parts.iter().map(|(_, part)| part.depth).max()? + 1;
        Some(Entries { index: first.index, values, depth })
    }

    fn number(&self, register: Reg) -> Option<u64> {
        number(self.ops, register)
    }
}

/// The number that a register always is. What is only assumed in a block may not be remembered for others.
pub(super) fn number(ops: &impl Fn(Reg) -> Option<Op>, register: Reg) -> Option<u64> {
    match ops(register)? {
        Op::Const(number) => Some(number),
        _ => None,
    }
}

/// Whether a set has an element, written as `(set >> element) & 1` with an empty set where the element is none at all.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) set: Reg,
    pub(super) element: Reg,
    /// The empty set.
    pub(super) nothing: Reg,
}

impl Member {
    /// What a register is before all but its lowest bit is taken off.
    pub(super) fn of(ops: &impl Fn(Reg) -> Option<Op>, shifted: Reg) -> Option<Self> {
        let Op::Shr(word, element) = ops(shifted)? else { return None };
        let Op::Select(outside, nothing, set) = ops(word)? else { return None };
        let is_empty = number(ops, nothing) == Some(0) && ops(outside)? == Op::ShrBy(element, 6);
        is_empty.then_some(Self { set, element, nothing })
    }
}
