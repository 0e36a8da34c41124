//! Whether a large union is empty is found out in two halves: if the first is not, the second is not needed.

use super::arms::results;
use crate::ir::uses::{inner, inner_mut, reads};
use crate::ir::{Block, Function, Inst, Op, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

/// From how many instructions on it is worth a branch not to need them.
const WORTH: usize = 40;
/// Fewest parts of a union.
const PARTS: usize = 4;

/// Splits such unions.
pub(super) fn split(function: &Function) -> Function {
    let mut function = function.clone();
    let truths = truths(&function);
    let all = reads(&function);
    let mut pass = Lazy { all, truths, registers: function.registers };
    pass.block(&mut function.body);
    function.registers = pass.registers;
    function
}

/// How often each register is read where only 0 or not 0 counts.
fn truths(function: &Function) -> Vec<u8> {
    let mut counts = vec![0_u8; function.registers as usize];
    let mut zeros = FxHashSet::default();
    let mut blocks = vec![&function.body];
    let mut found = Vec::new();
    while let Some(block) = blocks.pop() {
        for inst in &block.insts {
            match inst {
                Inst::Let { to, op: Op::Const(0) } => {
                    zeros.insert(*to);
                }
                Inst::Let { op: Op::Eq(a, b) | Op::Ne(a, b), .. } => found.push((*a, Some(*b))),
                Inst::Let { op: Op::Select(cond, ..), .. } | Inst::Bail { cond } | Inst::If { cond, .. } => {
                    found.push((*cond, None));
                }
                _ => {}
            }
            blocks.extend(inner(inst));
        }
    }
    for (register, with) in found {
        if with.is_none_or(|with| zeros.contains(&with))
            && let Some(count) = counts.get_mut(register as usize)
        {
            *count = count.saturating_add(1);
        }
    }
    counts
}

struct Lazy {
    /// How often registers are read, and where only 0 or not 0 counts.
    all: Vec<u8>,
    truths: Vec<u8>,
    registers: Reg,
}

/// What a union is masked with.
type Mask = fn(Reg, Reg) -> Op;

impl Lazy {
    fn fresh(&mut self) -> Reg {
        self.registers += 1;
        self.registers - 1
    }

    fn reads(&self, register: Reg) -> u8 {
        self.all.get(register as usize).copied().unwrap_or(u8::MAX)
    }

    /// Whether only its being 0 or not counts, wherever it is read.
    fn is_truth(&self, register: Reg) -> bool {
        let truths = self.truths.get(register as usize).copied().unwrap_or(0);
        (1..u8::MAX).contains(&truths) && truths == self.reads(register)
    }

    fn block(&mut self, block: &mut Block) {
        for inst in &mut block.insts {
            inner_mut(inst).for_each(|block| self.block(block));
        }
        let mut at = 0;
        while at < block.insts.len() {
            if let Some(Inst::Let { to, op: Op::Or(..) | Op::And(..) | Op::AndNot(..) }) = block.insts.get(at)
                && self.is_truth(*to)
                && block.insts.len() > WORTH
            {
                at = self.union(block, at);
            }
            at += 1;
        }
    }

    /// Splits the union that an instruction makes, if it is one that is worth it; where that ends.
    fn union(&mut self, block: &mut Block, at: usize) -> usize {
        let places: FxHashMap<Reg, usize> =
            (0..).zip(&block.insts[..=at]).flat_map(|(at, inst)| results(inst).map(move |to| (to, at))).collect();
        let definition = |register: Reg| {
            let at = *places.get(&register)?;
            match block.insts.get(at) {
                Some(Inst::Let { op, .. }) => Some((at, *op)),
                _ => None,
            }
        };
        let Some(&Inst::Let { to, .. }) = block.insts.get(at) else { return at };
        // The masks around the union, from the outside.
        let (mut masks, mut gone, mut root): (Vec<(Mask, Reg)>, FxHashSet<usize>, Reg) =
            (Vec::new(), FxHashSet::default(), to);
        let united = |register: Reg| matches!(definition(register), Some((_, Op::Or(..)))) && self.reads(register) == 1;
        while let Some((place, op)) = definition(root) {
            let (mask, with, inside): (Mask, Reg, Reg) = match op {
                Op::And(a, b) if united(a) => (Op::And, b, a),
                Op::And(a, b) if united(b) => (Op::And, a, b),
                Op::AndNot(a, b) if united(a) => (Op::AndNot, b, a),
                _ => break,
            };
            gone.insert(place);
            masks.push((mask, with));
            root = inside;
        }
        let (mut parts, mut left) = (Vec::new(), vec![root]);
        while let Some(register) = left.pop() {
            match definition(register) {
                Some((place, Op::Or(a, b))) if register == root || self.reads(register) == 1 => {
                    gone.insert(place);
                    left.extend([b, a]);
                }
                _ => parts.push(register),
            }
        }
        if parts.len() < PARTS {
            return at;
        }
        let late = parts.split_off(parts.len() / 2);
        // What only the second half needs.
        let mut wanted: FxHashMap<Reg, u8> = FxHashMap::default();
        for &part in &late {
            *wanted.entry(part).or_default() += 1;
        }
        let mut cone = Vec::new();
        for place in (0..at).rev().filter(|place| !gone.contains(place)) {
            let Some(&Inst::Let { to, op }) = block.insts.get(place) else { continue };
            let only = wanted.get(&to).is_some_and(|&count| count == self.reads(to) && count < u8::MAX);
            if only && !matches!(op, Op::Const(_) | Op::Load(_)) {
                cone.push(place);
                for read in op.reads() {
                    *wanted.entry(read).or_default() += 1;
                }
            }
        }
        if cone.len() < WORTH {
            return at;
        }
        cone.reverse();
        let (one, zero) = (self.fresh(), self.fresh());
        let mut kept = Vec::with_capacity(block.insts.len());
        let mut second = Vec::with_capacity(cone.len());
        let rest = block.insts.split_off(at + 1);
        for (place, inst) in block.insts.drain(..).enumerate() {
            if cone.binary_search(&place).is_ok() {
                second.push(inst);
            } else if !gone.contains(&place) {
                kept.push(inst);
            }
        }
        let first = self.masked(&parts, &masks, &mut kept);
        let late = self.masked(&late, &masks, &mut second);
        let any = self.fresh();
        second.push(Inst::Let { to: any, op: Op::Ne(late, zero) });
        kept.push(Inst::Let { to: one, op: Op::Const(1) });
        kept.push(Inst::Let { to: zero, op: Op::Const(0) });
        kept.push(Inst::If {
            cond: first,
            then: Block { insts: Vec::new(), yields: vec![one] },
            other: Block { insts: second, yields: vec![any] },
            to: vec![to],
        });
        let end = kept.len() - 1;
        kept.extend(rest);
        block.insts = kept;
        end
    }

    /// The union of parts behind masks.
    fn masked(&mut self, parts: &[Reg], masks: &[(Mask, Reg)], insts: &mut Vec<Inst>) -> Reg {
        let mut put = |op: Op| {
            let to = self.fresh();
            insts.push(Inst::Let { to, op });
            to
        };
        let mut parts = parts.iter().copied();
        let first = parts.next().unwrap_or(0);
        let united = parts.fold(first, |all, part| put(Op::Or(all, part)));
        masks.iter().rev().fold(united, |inside, &(mask, with)| put(mask(inside, with)))
    }
}
