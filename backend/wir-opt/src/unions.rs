//! Unions of many parts: what parts have in common is done once for all of them.
//!
//! `a & x | b & y | a & z` is `a & (x | z) | b & y`, and whether one of many sets has an element is whether their union has
//! one. That `x | z` may be the same in each round of a loop.

use super::fold::Facts;
use super::gvn::Builder;
use rg_ir::invariant::Invariant;
use wir::uses::{inner, reads};
use wir::{Block, Function, Inst, Op, Reg};

/// Most parts of a union that are looked at together.
const MAX_PARTS: usize = 128;

/// How deep parts of parts are looked at.
const MAX_DEPTH: usize = 8;

/// The operations of a function before it is simplified, by register.
pub(super) struct Before {
    ops: Vec<Option<Op>>,
    /// Whether it is read once, in the block in which it is defined.
    private: Vec<bool>,
    /// Whether it is a part of a union that is looked at as a whole.
    part: Vec<bool>,
}

impl Before {
    pub(super) fn of(function: &Function) -> Self {
        let count = function.registers as usize;
        let mut before = Self { ops: vec![None; count], private: vec![false; count], part: vec![false; count] };
        let reads = reads(function);
        // Blocks are numbered from 1.
        let (mut homes, mut number) = (vec![0; count], 0);
        let mut left = vec![&function.body];
        while let Some(block) = left.pop() {
            number += 1;
            before.block(block, &reads, &mut homes, number);
            left.extend(block.insts.iter().flat_map(inner));
        }
        before
    }

    /// Looks at the operations of a block with this number; `homes` are the numbers of blocks in which registers are defined.
    fn block(&mut self, block: &Block, reads: &[u8], homes: &mut [u32], number: u32) {
        let lets = || {
            block.insts.iter().filter_map(|inst| match inst {
                Inst::Let { to, op } => Some((*to, *op)),
                _ => None,
            })
        };
        for (to, op) in lets() {
            for read in op.reads().map(|read| read as usize) {
                if let Some(private) = self.private.get_mut(read) {
                    *private = homes.get(read) == Some(&number) && reads.get(read) == Some(&1);
                }
            }
            if let (Some(slot), Some(home)) = (self.ops.get_mut(to as usize), homes.get_mut(to as usize)) {
                (*slot, *home) = (Some(op), number);
            }
        }
        // Readers come after what they read.
        for (to, op) in lets().collect::<Vec<_>>().into_iter().rev() {
            let parts = match op {
                Op::Or(a, b) => [a, b],
                Op::Ne(a, b) if self.is_part(to) => [a, b],
                _ => continue,
            };
            for read in parts {
                if self.is_private(read)
                    && let Some(part) = self.part.get_mut(read as usize)
                {
                    *part = true;
                }
            }
        }
    }

    fn is_private(&self, register: Reg) -> bool {
        self.private.get(register as usize).copied().unwrap_or(false)
    }

    /// Whether a register is a part of a union that is looked at as a whole.
    pub(super) fn is_part(&self, register: Reg) -> bool {
        self.part.get(register as usize).copied().unwrap_or(false)
    }

    /// The operation behind a register that nothing else needs.
    fn private(&self, register: Reg) -> Option<Op> {
        self.ops.get(register as usize).copied().flatten().filter(|_| self.is_private(register))
    }
}

/// What parts can have in common. Registers are new ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Common {
    And(Reg),
    AndNot(Reg),
    ShlBy(u32),
    ShrBy(u32),
    Shl(Reg),
    Shr(Reg),
    If(Reg),
}

impl Builder<'_> {
    /// The union of two old registers.
    pub(super) fn union(&mut self, a: Reg, b: Reg) -> Reg {
        let mut parts = Vec::new();
        self.parts(a, &mut parts);
        self.parts(b, &mut parts);
        self.united(&parts, MAX_DEPTH)
    }

    /// The parts of an old register, if it is a union that nothing else needs; else itself.
    fn parts(&self, register: Reg, parts: &mut Vec<Reg>) {
        let mut left = vec![register];
        while let Some(register) = left.pop() {
            match self.before.private(register) {
                Some(Op::Or(a, b)) if parts.len() + left.len() < MAX_PARTS => left.extend([b, a]),
                _ => parts.push(register),
            }
        }
    }

    /// The union of old registers.
    fn united(&mut self, parts: &[Reg], depth: usize) -> Reg {
        let Some(depth) = depth.checked_sub(1) else { return self.folded(parts) };
        // Whether there is an element in this or that: whether there is one in the union.
        let tested = |this: &Self, part: Reg| match this.before.private(part) {
            Some(Op::Ne(set, zero)) if this.constant(this.value_of(zero)) == Some(0) => Some(set),
            _ => None,
        };
        let (tests, mut rest): (Vec<Reg>, Vec<Reg>) = parts.iter().partition(|&&part| tested(self, part).is_some());
        let mut values: Vec<Reg> = Vec::new();
        if tests.len() > 1 {
            let mut sets = Vec::new();
            tests.iter().filter_map(|&test| tested(self, test)).for_each(|set| self.parts(set, &mut sets));
            let all = self.united(&sets, depth);
            let zero = self.put(Op::Const(0));
            values.push(self.put(Op::Ne(all, zero)));
        } else {
            rest = parts.to_vec();
        }
        while let Some(common) = self.most_common(&rest) {
            let mut inside = Vec::new();
            let mut others = Vec::new();
            for &part in &rest {
                match self.splits(part).into_iter().flatten().find(|(other, _)| *other == common) {
                    Some((_, left)) => self.parts(left, &mut inside),
                    None => others.push(part),
                }
            }
            let inside = self.united(&inside, depth);
            let op = match common {
                Common::And(by) => Op::And(inside, by),
                Common::AndNot(by) => Op::AndNot(inside, by),
                Common::ShlBy(by) => Op::ShlBy(inside, by),
                Common::ShrBy(by) => Op::ShrBy(inside, by),
                Common::Shl(by) => Op::Shl(inside, by),
                Common::Shr(by) => Op::Shr(inside, by),
                Common::If(cond) => {
                    let zero = self.put(Op::Const(0));
                    Op::Select(cond, inside, zero)
                }
            };
            values.push(self.put(op));
            rest = others;
        }
        values.extend(rest.iter().map(|&part| self.value_of(part)));
        self.fold(values)
    }

    fn folded(&mut self, parts: &[Reg]) -> Reg {
        let values = self.values_of(parts);
        self.fold(values)
    }

    /// The union of new registers: first those that change least often, so that loops need not repeat that; numbers last. Else in the order of
    /// their definitions, which does not depend on how the union was written: written anew, it stays as it is.
    fn fold(&mut self, mut values: Vec<Reg>) -> Reg {
        let level = |value: Reg| {
            self.values.get(value as usize).map(|value| value.level).invariant_or(0, "values of a union are known")
        };
        values.sort_by_key(|&value| (self.constant(value).is_some(), level(value), value));
        let mut values = values.into_iter();
        let first = values.next().invariant_or(0, "a union has parts");
        values.fold(first, |all, value| self.put(Op::Or(all, value)))
    }

    /// What most of some old registers have in common, if at least two have.
    fn most_common(&self, parts: &[Reg]) -> Option<Common> {
        let mut counts: Vec<(Common, usize)> = Vec::new();
        for (common, _) in parts.iter().flat_map(|&part| self.splits(part)).flatten() {
            match counts.iter_mut().find(|(other, _)| *other == common) {
                Some((_, count)) => *count += 1,
                None => counts.push((common, 1)),
            }
        }
        let most = counts.iter().map(|&(_, count)| count).max().filter(|&most| most > 1)?;
        counts.into_iter().find(|&(_, count)| count == most).map(|(common, _)| common)
    }

    /// What an old register can have in common with others, and what is left of it without that.
    fn splits(&self, part: Reg) -> [Option<(Common, Reg)>; 2] {
        let value = |register: Reg| self.value_of(register);
        let split = match self.before.private(part) {
            Some(Op::And(a, b)) => return [Some((Common::And(value(b)), a)), Some((Common::And(value(a)), b))],
            Some(Op::AndNot(a, b)) => Some((Common::AndNot(value(b)), a)),
            Some(Op::ShlBy(a, by)) => Some((Common::ShlBy(by), a)),
            Some(Op::ShrBy(a, by)) => Some((Common::ShrBy(by), a)),
            Some(Op::Shl(a, by)) => Some((Common::Shl(value(by)), a)),
            Some(Op::Shr(a, by)) => Some((Common::Shr(value(by)), a)),
            Some(Op::Select(cond, a, no)) if self.constant(value(no)) == Some(0) => Some((Common::If(value(cond)), a)),
            _ => None,
        };
        [split, None]
    }
}
