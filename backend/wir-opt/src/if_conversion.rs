//! A choice in a choice that lead to the same unless both go one way: one choice.
//!
//! `if a { x; if b { … yield y } else { yield z } } else { yield z }` needs one branch where `x` is little work: processors
//! guess where branches lead, and that they guess wrong costs more.

use super::sink::sink;
use wir::uses::inner_mut;
use wir::{Block, Function, Inst, Op, Reg};

/// Most operations that are done for nothing where the outer condition does not hold.
const MAX_BEFORE: usize = 6;

/// Makes one choice of such two; whether there are any. Linear.
pub(super) fn join(function: &mut Function) -> bool {
    let before = function.registers;
    let mut registers = before;
    block(&mut function.body, &mut registers);
    function.registers = registers;
    if registers > before {
        // What only the inner arm needs was done before the inner choice.
        sink(function);
    }
    registers > before
}

fn block(block: &mut Block, registers: &mut Reg) {
    let mut insts = Vec::with_capacity(block.insts.len());
    for mut inst in std::mem::take(&mut block.insts) {
        inner_mut(&mut inst).for_each(|inner| self::block(inner, registers));
        insts.extend(joined(inst, registers));
    }
    block.insts = insts;
}

/// One choice instead of two, or the instruction as it was.
fn joined(inst: Inst, registers: &mut Reg) -> Vec<Inst> {
    if !joins(&inst) {
        return vec![inst];
    }
    let Inst::If { cond, then, other, to } = inst else { return vec![inst] };
    let mut insts = then.insts;
    let Some(Inst::If { cond: also, then: inner, to: results, .. }) = insts.pop() else { return insts };
    let zero = *registers;
    let both = zero + 1;
    *registers += 2;
    insts.push(Inst::Let { to: zero, op: Op::Const(0) });
    insts.push(Inst::Let { to: both, op: Op::Select(cond, also, zero) });
    let value = |register: &Reg| {
        let at = results.iter().position(|result| result == register);
        at.and_then(|at| inner.yields.get(at)).copied().unwrap_or(*register)
    };
    let yields = then.yields.iter().map(value).collect();
    insts.push(Inst::If { cond: both, then: Block { insts: inner.insts, yields }, other, to });
    insts
}

fn joins(inst: &Inst) -> bool {
    let Inst::If { then, other, .. } = inst else { return false };
    let Some((Inst::If { other: inner, to: results, .. }, before)) = then.insts.split_last() else { return false };
    let is_little = before.len() <= MAX_BEFORE && before.iter().all(|inst| matches!(inst, Inst::Let { .. }));
    let same = |(ours, theirs): (&Reg, &Reg)| {
        let at = results.iter().position(|result| result == ours);
        at.map_or(Some(ours), |at| inner.yields.get(at)) == Some(theirs)
    };
    is_little && inner.insts.is_empty() && other.insts.is_empty() && then.yields.iter().zip(&other.yields).all(same)
}
