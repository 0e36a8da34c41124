//! Bits that do not count where they are asked for.
//!
//! A line on a board is an entry of a table by the place where it begins, and so is a place beside it that was written. That
//! the two have no bit in common, whatever the place is, shows in the tables: then the line may be compared with the set
//! before the write, which is there earlier, and which others compare with, too.

use super::entries::{Entries, Found, Member, number};
use super::fold::Facts;
use super::gvn::Builder;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::{Op, Reg};

/// How deep operations are looked through.
const MAX_DEPTH: u32 = 8;

/// What is known of registers.
#[derive(Default)]
pub(super) struct Known {
    /// Their values.
    exact: Found,
    /// Bits of which they have no others.
    bounds: FxHashMap<Reg, Option<Rc<Entries>>>,
}

impl Builder<'_> {
    /// The same operation on what was there before writes that it cannot see.
    pub(super) fn before_disjoint_write(&mut self, op: Op) -> Option<Op> {
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
            let disjoint = at.fits(&written) && at.values.iter().zip(&written.values).all(|(a, b)| a & b == 0);
            disjoint.then_some(before)
        })
    }

    /// The same for one bit of a set: that at the lowest or highest bit of another, 0 if there is none.
    fn bit_before(&mut self, bit: Reg) -> Option<Reg> {
        let Member { set, element, nothing } = Member::of(&|register| self.definition(register), bit)?;
        let (Op::Lowest(at) | Op::Highest(at)) = self.definition(element)? else { return None };
        let before = self.without(at, set)?;
        let outside = self.put(Op::ShrBy(element, 6));
        let word = self.put(Op::Select(outside, nothing, before));
        Some(self.put(Op::Shr(word, element)))
    }

    /// Whether it is worth looking for entries of tables.
    fn may_be_entry(&self, register: Reg) -> bool {
        matches!(
            self.definition(register),
            Some(Op::Table(..) | Op::And(..) | Op::AndNot(..) | Op::Select(..) | Op::Shl(..) | Op::ShlBy(..))
        )
    }

    /// The value of a register by that of another.
    fn exact(&mut self, register: Reg) -> Option<Rc<Entries>> {
        let values = &self.values;
        let ops = |register: Reg| values.get(register as usize)?.op;
        self.entries.exact.entries(self.program, &ops, register)
    }

    /// Bits of which a register has no others, by the value of another register.
    fn bound(&mut self, register: Reg, depth: u32) -> Option<Rc<Entries>> {
        if let Some(known) = self.entries.bounds.get(&register) {
            return known.clone();
        }
        let less = depth.checked_sub(1)?;
        let is_nothing = |this: &Self, register| number(&|register| this.definition(register), register) == Some(0);
        let found = self.exact(register).or_else(|| match self.definition(register)? {
            Op::And(a, b) => self.bound(a, less).or_else(|| self.bound(b, less)),
            Op::AndNot(a, _) => self.bound(a, less),
            Op::Select(_, a, b) if is_nothing(self, b) => self.bound(a, less),
            Op::Select(_, a, b) if is_nothing(self, a) => self.bound(b, less),
            _ => None,
        });
        self.entries.bounds.insert(register, found.clone());
        found
    }
}
