//! Tables of tables, and bits of words at places that tables tell.
//!
//! What is computed from entries of tables at one index, and from numbers, is an entry of one table at that index. And where
//! it is only asked whether a word has a bit whose position is such an entry, a table of masks tells, too.

use super::entries::{Entries, Found, Member, number};
use super::tables::Added;
use super::{build, sweep};
use crate::ir::uses::{definitions, inner, inner_mut, reads};
use crate::ir::{Block, FnId, Inst, Op, Program, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most entries of all tables that are added to a program.
const MAX_ENTRIES: usize = 1 << 15;

/// Puts one table in the place of several. Linear in the program times the length of tables.
pub(super) fn compose(program: &mut Program) {
    let mut composer = Composer {
        added: Added::to(program, MAX_ENTRIES),
        ops: FxHashMap::default(),
        entries: Found::default(),
        truths: FxHashSet::default(),
        reads: Vec::new(),
        registers: 0,
    };
    for id in 0..composer.added.program.functions.len() {
        composer.function(id as FnId);
    }
}

struct Composer<'p> {
    added: Added<'p>,
    /// The operations of the function.
    ops: FxHashMap<Reg, Op>,
    entries: Found,
    /// Registers of which it only counts whether they are 0.
    truths: FxHashSet<Reg>,
    /// How often each register is read.
    reads: Vec<u8>,
    registers: Reg,
}

impl Composer<'_> {
    fn function(&mut self, id: FnId) {
        let Some(function) = self.added.program.functions.get_mut(id as usize) else { return };
        self.reads = reads(function);
        let mut body = std::mem::take(&mut function.body);
        self.registers = function.registers;
        self.entries = Found::default();
        self.ops = definitions(&body);
        let mut values = FxHashSet::default();
        self.truths.clear();
        self.uses(&body, &mut values);
        self.truths.retain(|register| !values.contains(register));
        let changed = self.block(&mut body);
        let Some(function) = self.added.program.functions.get_mut(id as usize) else { return };
        (function.body, function.registers) = (body, self.registers);
        if !changed {
            return;
        }
        let simpler =
            self.added.program.functions.get(id as usize).map(|function| build::build(self.added.program, function));
        if let (Some(function), Some(simpler)) = (self.added.program.functions.get_mut(id as usize), simpler) {
            *function = sweep::sweep(&simpler);
        }
    }

    /// Finds registers that are read as truth values, and those that are read otherwise.
    fn uses(&mut self, block: &Block, values: &mut FxHashSet<Reg>) {
        values.extend(&block.yields);
        for inst in &block.insts {
            match inst {
                Inst::Let { op: Op::Select(cond, a, b), .. } => {
                    self.truths.insert(*cond);
                    values.extend([a, b]);
                }
                Inst::Let { op: Op::Eq(a, b) | Op::Ne(a, b), .. } if self.constant(*b) == Some(0) => {
                    self.truths.insert(*a);
                }
                Inst::Let { op, .. } => values.extend(op.reads()),
                Inst::If { cond, .. } | Inst::Bail { cond } => {
                    self.truths.insert(*cond);
                }
                Inst::Store { value: read, .. } | Inst::Emit { base: read } | Inst::Switch { on: read, .. } => {
                    values.insert(*read);
                }
                Inst::EmitSet { base, set, .. } => values.extend([base, set]),
                Inst::Call { args, .. } => values.extend(args),
                Inst::Each { set, carried, .. } => {
                    values.insert(*set);
                    values.extend(carried.iter().map(|(_, first)| first));
                }
                Inst::Loop { carried, .. } => values.extend(carried.iter().map(|(_, first)| first)),
            }
            inner(inst).for_each(|block| self.uses(block, values));
        }
    }

    fn constant(&self, register: Reg) -> Option<u64> {
        number(&|register| self.ops.get(&register).copied(), register)
    }

    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            if let Inst::Let { to, op } = &mut inst
                && let Some(simpler) = self
                    .of_first(*op, &mut insts)
                    .or_else(|| self.masked(*to, *op, &mut insts))
                    .or_else(|| self.composed(*to, *op))
            {
                *op = simpler;
                changed = true;
            }
            inner_mut(&mut inst).for_each(|block| changed |= self.block(block));
            insts.push(inst);
        }
        block.insts = insts;
        changed
    }

    /// A value as an entry of one table, if it is made of several, or of others that nothing else needs.
    fn composed(&mut self, register: Reg, op: Op) -> Option<Op> {
        let mut reads = op.reads();
        let is_private = |read: Reg| self.constant(read).is_none() && self.reads.get(read as usize) == Some(&1);
        if !matches!(op, Op::Table(..)) && !reads.any(is_private) {
            return None;
        }
        let entries = self.entries(register).filter(|entries| entries.depth > 1)?;
        self.added.number(entries.values.clone()).map(|table| Op::Table(table, entries.index))
    }

    /// Whether a set has the lowest or highest element of another one, without that element's number.
    fn of_first(&mut self, op: Op, insts: &mut Vec<Inst>) -> Option<Op> {
        let Op::And(shifted, one) = op else { return None };
        let Member { set, element, nothing } = Member::of(&|register| self.ops.get(&register).copied(), shifted)?;
        if self.constant(one) != Some(1) {
            return None;
        }
        let mut put = |op: Op| {
            insts.push(Inst::Let { to: self.registers, op });
            self.registers += 1;
            self.registers - 1
        };
        match *self.ops.get(&element)? {
            Op::Highest(from) => {
                // The number with the higher bit is the larger one.
                let (inside, others) = (put(Op::And(from, set)), put(Op::AndNot(from, set)));
                Some(Op::Less(others, inside))
            }
            Op::Lowest(from) => {
                let less = put(Op::Sub(nothing, from));
                let lowest = put(Op::And(from, less));
                let inside = put(Op::And(lowest, set));
                Some(Op::Ne(inside, nothing))
            }
            _ => None,
        }
    }

    /// Whether a word has a bit, by a mask, if nothing else is asked.
    fn masked(&mut self, to: Reg, op: Op, insts: &mut Vec<Inst>) -> Option<Op> {
        if !self.truths.contains(&to) {
            return None;
        }
        let Op::And(a, b) = op else { return None };
        let (bit, also) = if self.constant(b) == Some(1) {
            (to, None)
        } else {
            let is_bit = |register| self.tested(register).is_some();
            if is_bit(a) { (a, Some(b)) } else { (b, Some(a)) }
        };
        let (mut word, position) = self.tested(bit)?;
        let position = self.entries(position)?;
        let mut masks: Vec<u64> = position.values.iter().map(|&at| 1u64.wrapping_shl(at as u32)).collect();
        let mut only = |this: &mut Self, cond: Reg, wanted: bool| {
            let cond = this.entries(cond)?;
            if !cond.fits(&position) {
                return None;
            }
            masks
                .iter_mut()
                .zip(&cond.values)
                .filter(|(_, value)| (**value != 0) != wanted)
                .for_each(|(mask, _)| *mask = 0);
            Some(())
        };
        if let Some(&Op::Select(cond, yes, no)) = self.ops.get(&word) {
            let (nothing, other, wanted) =
                if self.constant(yes) == Some(0) { (yes, no, false) } else { (no, yes, true) };
            if self.constant(nothing) == Some(0) && only(self, cond, wanted).is_some() {
                word = other;
            }
        }
        if let Some(also) = also {
            // One bit is asked for, of a truth value.
            let entries = self.entries(also)?;
            if entries.values.iter().any(|&value| value > 1) {
                return None;
            }
            only(self, also, true)?;
        }
        let table = self.added.number(masks)?;
        let mask = self.registers;
        self.registers += 1;
        insts.push(Inst::Let { to: mask, op: Op::Table(table, position.index) });
        Some(Op::And(word, mask))
    }

    /// The word of which a register is a bit, and its position.
    fn tested(&self, register: Reg) -> Option<(Reg, Reg)> {
        let &Op::And(shifted, one) = self.ops.get(&register)? else { return None };
        match self.ops.get(&shifted)? {
            &Op::Shr(word, by) if self.constant(one) == Some(1) => Some((word, by)),
            _ => None,
        }
    }

    fn entries(&mut self, register: Reg) -> Option<Rc<Entries>> {
        let ops = |register| self.ops.get(&register).copied();
        self.entries.entries(self.added.program, &ops, register)
    }
}
