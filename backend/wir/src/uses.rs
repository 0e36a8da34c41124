//! What is inside instructions, and what reads which registers.

use super::{Block, Function, Inst, Op, Reg};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// The blocks of an instruction.
#[inline]
pub fn inner(inst: &Inst) -> impl DoubleEndedIterator<Item = &Block> {
    let blocks: [&[Block]; 2] = match inst {
        Inst::Let { .. }
        | Inst::Store { .. }
        | Inst::Peek { .. }
        | Inst::Poke { .. }
        | Inst::Call { .. }
        | Inst::Emit { .. }
        | Inst::EmitSet { .. }
        | Inst::SideExit { .. } => [&[], &[]],
        Inst::If { then, other, .. } => [std::slice::from_ref(then), std::slice::from_ref(other)],
        Inst::Switch { cases, .. } => [cases, &[]],
        Inst::Each { body, .. } | Inst::Loop { body, .. } => [std::slice::from_ref(body), &[]],
    };
    blocks.into_iter().flatten()
}

/// As [`inner`], to change them.
pub fn inner_mut(inst: &mut Inst) -> impl Iterator<Item = &mut Block> {
    let blocks: [&mut [Block]; 2] = match inst {
        Inst::Let { .. }
        | Inst::Store { .. }
        | Inst::Peek { .. }
        | Inst::Poke { .. }
        | Inst::Call { .. }
        | Inst::Emit { .. }
        | Inst::EmitSet { .. }
        | Inst::SideExit { .. } => [&mut [], &mut []],
        Inst::If { then, other, .. } => [std::slice::from_mut(then), std::slice::from_mut(other)],
        Inst::Switch { cases, .. } => [cases, &mut []],
        Inst::Each { body, .. } | Inst::Loop { body, .. } => [std::slice::from_mut(body), &mut []],
    };
    blocks.into_iter().flatten()
}

/// The operations of a block, with all that it contains, by register.
pub fn definitions(block: &Block) -> FxHashMap<Reg, Op> {
    let mut ops = FxHashMap::with_capacity_and_hasher(size(block), FxBuildHasher);
    let mut left = vec![block];
    while let Some(block) = left.pop() {
        for inst in &block.insts {
            if let Inst::Let { to, op } = inst {
                ops.insert(*to, *op);
            }
            left.extend(inner(inst));
        }
    }
    ops
}

/// Tells of each register that an instruction reads outside of its blocks.
#[inline]
pub fn operands(inst: &Inst, mut tell: impl FnMut(Reg)) {
    match inst {
        Inst::Let { op, .. } => op.reads().for_each(tell),
        Inst::Store { value: read, .. }
        | Inst::Peek { at: read, .. }
        | Inst::Emit { base: read }
        | Inst::SideExit { cond: read }
        | Inst::If { cond: read, .. }
        | Inst::Switch { on: read, .. } => tell(*read),
        Inst::Poke { at, value } => [*at, *value].into_iter().for_each(tell),
        Inst::Call { args, .. } => args.iter().copied().for_each(tell),
        Inst::EmitSet { base, set, .. } => [*base, *set].into_iter().for_each(tell),
        Inst::Each { set, carried, .. } => {
            tell(*set);
            carried.iter().map(|&(_, first)| first).for_each(tell);
        }
        Inst::Loop { carried, .. } => carried.iter().map(|&(_, first)| first).for_each(tell),
    }
}

/// How often each register is read, up to a few times.
pub fn reads(function: &Function) -> Vec<u8> {
    let mut counts = vec![0_u8; function.registers as usize];
    let mut count = |register: Reg| {
        if let Some(count) = counts.get_mut(register as usize) {
            *count = count.saturating_add(1);
        }
    };
    let mut left = vec![&function.body];
    while let Some(block) = left.pop() {
        block.yields.iter().copied().for_each(&mut count);
        for inst in &block.insts {
            operands(inst, &mut count);
            left.extend(inner(inst));
        }
    }
    counts
}

/// How many sets of moves a function emits, a single move being one; `None` if some are emitted in a loop or a choice. Linear.
#[must_use]
pub fn unconditional_emissions(function: &Function) -> Option<usize> {
    fn emits(inst: &Inst) -> bool {
        matches!(inst, Inst::Emit { .. } | Inst::EmitSet { .. })
    }
    fn any(block: &Block) -> bool {
        block.insts.iter().any(|inst| emits(inst) || inner(inst).any(any))
    }
    let insts = &function.body.insts;
    let outside = insts.iter().all(|inst| !inner(inst).any(any));
    outside.then(|| insts.iter().filter(|inst| emits(inst)).count())
}

/// Number of instructions, those of inner blocks included.
pub fn size(block: &Block) -> usize {
    block.insts.iter().map(|inst| 1 + inner(inst).map(size).sum::<usize>()).sum()
}

/// The registers that an instruction defines for those after it.
pub fn results(inst: &Inst) -> impl Iterator<Item = Reg> {
    let (one, many): (Option<Reg>, &[Reg]) = match inst {
        Inst::Let { to, .. } | Inst::Peek { to, .. } | Inst::Call { to, .. } => (Some(*to), &[]),
        Inst::If { to, .. } | Inst::Switch { to, .. } | Inst::Each { to, .. } | Inst::Loop { to, .. } => (None, to),
        Inst::Store { .. } | Inst::Poke { .. } | Inst::Emit { .. } | Inst::EmitSet { .. } | Inst::SideExit { .. } => {
            (None, &[])
        }
    };
    one.into_iter().chain(many.iter().copied())
}

/// Adds the registers that an instruction reads, those defined inside of it included.
pub fn read_by(inst: &Inst, into: &mut FxHashSet<Reg>) {
    operands(inst, |register| {
        into.insert(register);
    });
    for block in inner(inst) {
        into.extend(&block.yields);
        block.insts.iter().for_each(|inst| read_by(inst, into));
    }
}

/// Gives other names to what an instruction defines for those after it and to what it reads.
pub fn rename(inst: &mut Inst, names: &FxHashMap<Reg, Reg>) {
    let name = |register: &mut Reg| {
        if let Some(&name) = names.get(register) {
            *register = name;
        }
    };
    match inst {
        Inst::Let { to, op } => {
            name(to);
            *op = op.map_reads(|register| names.get(&register).copied().unwrap_or(register));
        }
        Inst::Store { value: read, .. } | Inst::Emit { base: read } | Inst::SideExit { cond: read } => name(read),
        Inst::Peek { to, at } => [to, at].into_iter().for_each(name),
        Inst::Poke { at, value } => [at, value].into_iter().for_each(name),
        Inst::Call { args, to, .. } => {
            args.iter_mut().for_each(name);
            name(to);
        }
        Inst::If { cond: read, to, .. } | Inst::Switch { on: read, to, .. } => {
            name(read);
            to.iter_mut().for_each(name);
        }
        Inst::EmitSet { base, set, .. } => [base, set].into_iter().for_each(name),
        Inst::Each { set, carried, to, .. } => {
            name(set);
            carried.iter_mut().for_each(|(_, first)| name(first));
            to.iter_mut().for_each(name);
        }
        Inst::Loop { carried, to, .. } => {
            carried.iter_mut().for_each(|(_, first)| name(first));
            to.iter_mut().for_each(name);
        }
    }
    for block in inner_mut(inst) {
        block.yields.iter_mut().for_each(name);
        block.insts.iter_mut().for_each(|inst| rename(inst, names));
    }
}
