//! Bits that do not count where they are asked for.
//!
//! A line on a board is an entry of a table by the place where it begins, and so is a place beside it that was written. That
//! the two have no bit in common, whatever the place is, shows in the tables: then the line may be compared with the set
//! before the write, which is there earlier, and which others compare with, too.

use super::build::Builder;
use super::fold::{Facts, evaluate};
use crate::ir::{Op, Reg};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Longest tables that are compared entry by entry.
const MAX_ENTRIES: usize = 128;
/// How deep operations are looked through.
const MAX_DEPTH: u32 = 8;

/// By value of a register, modulo their number: the bits of another.
pub(super) struct Entries {
    index: Reg,
    bits: Vec<u64>,
}

/// What is known of registers.
#[derive(Default)]
pub(super) struct Known {
    /// Their values.
    exact: FxHashMap<Reg, Option<Rc<Entries>>>,
    /// Bits of which they have no others.
    bounds: FxHashMap<Reg, Option<Rc<Entries>>>,
}

impl Builder<'_> {
    /// The same operation on what was there before writes that it cannot see.
    pub(super) fn apart(&mut self, op: Op) -> Option<Op> {
        match op {
            Op::And(a, b) => {
                if let Some(before) = self.without(a, b) {
                    return Some(Op::And(a, before));
                }
                if let Some(before) = self.without(b, a) {
                    return Some(Op::And(before, b));
                }
                let at_one = |this: &Self, one: Reg| this.constant(one) == Some(1);
                if at_one(self, b) {
                    let bit = self.bit_before(a)?;
                    return Some(Op::And(bit, b));
                }
                if at_one(self, a) {
                    let bit = self.bit_before(b)?;
                    return Some(Op::And(a, bit));
                }
                None
            }
            Op::AndNot(a, b) => self.without(a, b).map(|before| Op::AndNot(a, before)),
            _ => None,
        }
    }

    /// A set without what was added to it or taken away from it where another has no bits.
    fn without(&mut self, at: Reg, set: Reg) -> Option<Reg> {
        let (changed, parts) = match self.definition(set)? {
            Op::Or(a, b) => (self.may_be_entry(a) || self.may_be_entry(b), [(a, b), (b, a)]),
            Op::AndNot(a, b) => (self.may_be_entry(b), [(a, b), (a, b)]),
            _ => return None,
        };
        if !changed || !self.may_be_entry(at) {
            return None;
        }
        let at = self.bound(at, MAX_DEPTH)?;
        parts.into_iter().find_map(|(before, written)| {
            let written = self.bound(written, MAX_DEPTH)?;
            let apart = at.index == written.index
                && at.bits.len() == written.bits.len()
                && at.bits.iter().zip(&written.bits).all(|(a, b)| a & b == 0);
            apart.then_some(before)
        })
    }

    /// The same for one bit of a set: that at the lowest or highest bit of another, 0 if there is none.
    fn bit_before(&mut self, bit: Reg) -> Option<Reg> {
        let Op::Shr(word, place) = self.definition(bit)? else { return None };
        let (Op::Lowest(at) | Op::Highest(at)) = self.definition(place)? else { return None };
        let Op::Select(outside, nothing, set) = self.definition(word)? else { return None };
        if self.definition(outside)? != Op::ShrBy(place, 6) || self.constant(nothing) != Some(0) {
            return None;
        }
        let before = self.without(at, set)?;
        let word = self.put(Op::Select(outside, nothing, before));
        Some(self.put(Op::Shr(word, place)))
    }

    /// Whether it is worth looking for entries of tables.
    fn may_be_entry(&self, register: Reg) -> bool {
        matches!(
            self.definition(register),
            Some(Op::Table(..) | Op::And(..) | Op::AndNot(..) | Op::Select(..) | Op::Shl(..) | Op::ShlBy(..))
        )
    }

    /// The number that a register always is. What is only assumed in a block may not be remembered for others.
    fn number(&self, register: Reg) -> Option<u64> {
        match self.definition(register)? {
            Op::Const(number) => Some(number),
            _ => None,
        }
    }

    /// The value of a register by that of another.
    fn exact(&mut self, register: Reg, depth: u32) -> Option<Rc<Entries>> {
        if let Some(known) = self.entries.exact.get(&register) {
            return known.clone();
        }
        let found = self.found(register, depth);
        self.entries.exact.insert(register, found.clone());
        found
    }

    fn found(&mut self, register: Reg, depth: u32) -> Option<Rc<Entries>> {
        let depth = depth.checked_sub(1)?;
        let op = self.definition(register)?;
        if let Op::Table(table, index) = op {
            let inner = self.exact(index, depth);
            let entries = &self.program().tables.get(table as usize)?.entries;
            let found = match inner {
                Some(inner) => {
                    let entry = |&x: &u64| entries.get((x & (entries.len() as u64).wrapping_sub(1)) as usize).copied();
                    Entries { index: inner.index, bits: inner.bits.iter().map(entry).collect::<Option<_>>()? }
                }
                None if entries.len() <= MAX_ENTRIES => Entries { index, bits: entries.clone() },
                None => return None,
            };
            return Some(Rc::new(found));
        }
        let mut parts: Vec<(Reg, Rc<Entries>)> = Vec::new();
        for read in op.reads() {
            if self.number(read).is_none() {
                parts.push((read, self.exact(read, depth)?));
            }
        }
        let ((_, first), others) = parts.split_first()?;
        if others.iter().any(|(_, other)| other.index != first.index || other.bits.len() != first.bits.len()) {
            return None;
        }
        let value = |x: usize| {
            let read = |register: Reg| {
                let part = parts.iter().find(|(read, _)| *read == register);
                part.map_or_else(|| self.number(register), |(_, part)| part.bits.get(x).copied())
            };
            evaluate(self.program(), op, read)
        };
        let bits = (0..first.bits.len()).map(value).collect::<Option<_>>()?;
        Some(Rc::new(Entries { index: first.index, bits }))
    }

    /// Bits of which a register has no others, by the value of another register.
    fn bound(&mut self, register: Reg, depth: u32) -> Option<Rc<Entries>> {
        if let Some(known) = self.entries.bounds.get(&register) {
            return known.clone();
        }
        let less = depth.checked_sub(1)?;
        let found = self.exact(register, depth).or_else(|| match self.definition(register)? {
            Op::And(a, b) => self.bound(a, less).or_else(|| self.bound(b, less)),
            Op::AndNot(a, _) => self.bound(a, less),
            Op::Select(_, a, b) if self.number(b) == Some(0) => self.bound(a, less),
            Op::Select(_, a, b) if self.number(a) == Some(0) => self.bound(b, less),
            _ => None,
        });
        self.entries.bounds.insert(register, found.clone());
        found
    }
}
