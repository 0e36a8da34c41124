//! What is inside instructions, and what reads which registers.

use super::{Block, Function, Inst, Reg};

/// The blocks of an instruction.
pub(crate) fn inner(inst: &Inst) -> impl Iterator<Item = &Block> {
    let blocks: [&[Block]; 2] = match inst {
        Inst::Let { .. }
        | Inst::Store { .. }
        | Inst::Call { .. }
        | Inst::Emit { .. }
        | Inst::EmitSet { .. }
        | Inst::Bail { .. } => [&[], &[]],
        Inst::If { then, other, .. } => [std::slice::from_ref(then), std::slice::from_ref(other)],
        Inst::Switch { cases, .. } => [cases, &[]],
        Inst::Each { body, .. } | Inst::Loop { body, .. } => [std::slice::from_ref(body), &[]],
    };
    blocks.into_iter().flatten()
}

/// As [`inner`], to change them.
pub(crate) fn inner_mut(inst: &mut Inst) -> impl Iterator<Item = &mut Block> {
    let blocks: [&mut [Block]; 2] = match inst {
        Inst::If { then, other, .. } => [std::slice::from_mut(then), std::slice::from_mut(other)],
        Inst::Switch { cases, .. } => [cases, &mut []],
        Inst::Each { body, .. } | Inst::Loop { body, .. } => [std::slice::from_mut(body), &mut []],
        _ => [&mut [], &mut []],
    };
    blocks.into_iter().flatten()
}

/// How often each register is read, up to a few times.
pub(crate) fn reads(function: &Function) -> Vec<u8> {
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
            match inst {
                Inst::Let { op, .. } => op.reads().for_each(&mut count),
                Inst::Store { value: read, .. } | Inst::Emit { base: read } | Inst::Bail { cond: read } => count(*read),
                Inst::Call { args, .. } => args.iter().copied().for_each(&mut count),
                Inst::If { cond: read, .. } | Inst::Switch { on: read, .. } => count(*read),
                Inst::EmitSet { base, set, .. } => [*base, *set].into_iter().for_each(&mut count),
                Inst::Each { set, carried, .. } => {
                    count(*set);
                    carried.iter().map(|&(_, first)| first).for_each(&mut count);
                }
                Inst::Loop { carried, .. } => carried.iter().map(|&(_, first)| first).for_each(&mut count),
            }
            left.extend(inner(inst));
        }
    }
    counts
}
