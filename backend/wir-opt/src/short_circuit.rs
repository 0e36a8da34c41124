//! Whether a large union is empty is found out in two halves: if the first is not, the second is not needed.

use rg_ir::invariant::Invariant;
use rustc_hash::{FxHashMap, FxHashSet};
use wir::uses::{inner, inner_mut, reads, results};
use wir::{Block, Function, Inst, Op, Reg};

/// From how many instructions on it is worth a branch not to need them.
const WORTH: usize = 40;
/// Fewest parts of a union.
const PARTS: usize = 4;
/// How many instructions before a union are looked at.
const REACH: usize = 5_000;
/// Blocks around a union that is split.
const DEEPEST: usize = 120;

/// Splits such unions.
pub(super) fn split(function: &Function) -> Function {
    let mut function = function.clone();
    let truths = truths(&function);
    let all = reads(&function);
    let mut pass = Lazy { all, truths, registers: function.registers };
    pass.block(&mut function.body, 0);
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
                Inst::Let { op: Op::Select(cond, ..), .. } | Inst::SideExit { cond } | Inst::If { cond, .. } => {
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

    /// `depth` is how many blocks are around.
    fn block(&mut self, block: &mut Block, depth: usize) {
        for inst in &mut block.insts {
            inner_mut(inst).for_each(|block| self.block(block, depth + 1));
        }
        if depth > DEEPEST || block.insts.len() < WORTH {
            return;
        }
        // Where registers are defined, up to the present instruction.
        let mut places: FxHashMap<Reg, usize> = FxHashMap::default();
        let mut at = 0;
        while let Some(inst) = block.insts.get(at) {
            places.extend(results(inst).map(|to| (to, at)));
            if let Inst::Let { to, op: Op::Or(..) | Op::And(..) | Op::AndNot(..) } = inst
                && self.is_truth(*to)
                && let Some(end) = self.union(block, at, &places)
            {
                at = end;
                let insts = (0..).zip(&block.insts[..=at]);
                places = insts.flat_map(|(at, inst)| results(inst).map(move |to| (to, at))).collect();
            }
            at += 1;
        }
    }

    /// Splits the union that an instruction makes, if it is one that is worth it; where that ends.
    fn union(&mut self, block: &mut Block, at: usize, places: &FxHashMap<Reg, usize>) -> Option<usize> {
        let definition = |register: Reg| {
            let at = *places.get(&register)?;
            match block.insts.get(at) {
                Some(Inst::Let { op, .. }) => Some((at, *op)),
                _ => None,
            }
        };
        let Some(&Inst::Let { to, op }) = block.insts.get(at) else { return None };
        let united = |register: Reg| self.reads(register) == 1 && matches!(definition(register), Some((_, Op::Or(..))));
        // The mask around the union, if there is one.
        let (mask, root): (Option<(Mask, Reg)>, Reg) = match op {
            Op::And(a, b) if united(a) => (Some((Op::And, b)), a),
            Op::And(a, b) if united(b) => (Some((Op::And, a)), b),
            Op::AndNot(a, b) if united(a) => (Some((Op::AndNot, b)), a),
            Op::Or(..) => (None, to),
            _ => return None,
        };
        let mut gone: FxHashSet<usize> = FxHashSet::from_iter([at]);
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
            return None;
        }
        let late = parts.split_off(parts.len() / 2);
        // What only the second half needs.
        let mut wanted: FxHashMap<Reg, u8> = FxHashMap::default();
        for &part in &late {
            let count = wanted.entry(part).or_default();
            *count = count.saturating_add(1);
        }
        let mut cone = Vec::new();
        for place in (at.saturating_sub(REACH)..at).rev().filter(|place| !gone.contains(place)) {
            let Some(&Inst::Let { to, op }) = block.insts.get(place) else { continue };
            let only = wanted.get(&to).is_some_and(|&count| count == self.reads(to) && count < u8::MAX);
            if only && !matches!(op, Op::Const(_) | Op::Load(_)) {
                cone.push(place);
                for read in op.reads() {
                    let count = wanted.entry(read).or_default();
                    *count = count.saturating_add(1);
                }
            }
        }
        if cone.len() < WORTH {
            return None;
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
        let first = self.masked(&parts, mask, &mut kept);
        let late = self.masked(&late, mask, &mut second);
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
        Some(end)
    }

    /// The union of parts behind a mask.
    fn masked(&mut self, parts: &[Reg], mask: Option<(Mask, Reg)>, insts: &mut Vec<Inst>) -> Reg {
        let mut put = |op: Op| {
            let to = self.fresh();
            insts.push(Inst::Let { to, op });
            to
        };
        let mut parts = parts.iter().copied();
        let first = parts.next().invariant_or(0, "a union has parts");
        let united = parts.fold(first, |all, part| put(Op::Or(all, part)));
        mask.map_or(united, |(mask, with)| put(mask(united, with)))
    }
}
