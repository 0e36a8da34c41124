//! What does not depend on the move comes first.
//!
//! A function that makes a move knows the state before it knows which move that is: in plays, the moves of the state are listed
//! and one is drawn in between. `(a & m) & b`, where only `m` depends on the move, waits for the move twice, and `(a & b) & m`
//! once; `a & b` is there by then.

use super::dce::sweep;
use rustc_hash::{FxHashMap, FxHashSet};
use wir::uses::{inner_mut, reads, results};
use wir::{Block, Function, Inst, Op, Reg};

/// Parts of an intersection or union that are looked at together.
const MAX_PARTS: usize = 64;

/// Reorders intersections and unions in a function with an argument; whether there are any. Linear.
pub(super) fn order(function: &mut Function) -> bool {
    if function.params == 0 {
        return false;
    }
    let before = function.registers;
    let mut order =
        Order { reads: reads(function), late: (0..function.params).collect(), constants: FxHashSet::default() };
    let mut registers = function.registers;
    order.block(&mut function.body, &mut registers);
    function.registers = registers;
    if registers > before {
        *function = sweep(function);
    }
    registers > before
}

struct Order {
    /// How often each register is read.
    reads: Vec<u8>,
    /// Registers that depend on the argument, or may.
    late: FxHashSet<Reg>,
    /// Registers that are numbers.
    constants: FxHashSet<Reg>,
}

/// An intersection of some words without others, or a union.
struct Chain {
    union: bool,
    with: Vec<Reg>,
    without: Vec<Reg>,
    /// The operations that it is made of, besides the last one.
    idle: Vec<Reg>,
}

impl Order {
    fn block(&mut self, block: &mut Block, registers: &mut Reg) {
        // The operations of this block so far.
        let mut ops: FxHashMap<Reg, Op> = FxHashMap::default();
        let mut insts: Vec<Inst> = Vec::with_capacity(block.insts.len());
        let mut idle: FxHashSet<Reg> = FxHashSet::default();
        for mut inst in std::mem::take(&mut block.insts) {
            match &mut inst {
                Inst::Let { to, op } => {
                    if let Some((last, code)) = self.ordered(*op, &ops, &mut idle, registers) {
                        ops.extend(code.iter().copied());
                        insts.extend(code.into_iter().map(|(to, op)| Inst::Let { to, op }));
                        *op = last;
                    }
                    if matches!(op, Op::Const(_)) {
                        self.constants.insert(*to);
                    }
                    if op.reads().any(|read| self.late.contains(&read)) {
                        self.late.insert(*to);
                    }
                    ops.insert(*to, *op);
                }
                inst => {
                    // Whatever a block yields may depend on the argument, since that may have chosen it.
                    self.late.extend(results(inst));
                    // In loops, what is the same in every round is another matter.
                    if matches!(inst, Inst::If { .. } | Inst::Switch { .. }) {
                        inner_mut(inst).for_each(|inner| self.block(inner, registers));
                    }
                }
            }
            insts.push(inst);
        }
        insts.retain(|inst| !results(inst).any(|to| idle.contains(&to)));
        block.insts = insts;
    }

    /// An operation with what does not depend on the argument done first, if that is more than one part: the operation, and
    /// those that come before it.
    fn ordered(
        &self,
        op: Op,
        ops: &FxHashMap<Reg, Op>,
        idle: &mut FxHashSet<Reg>,
        registers: &mut Reg,
    ) -> Option<(Op, Vec<(Reg, Op)>)> {
        let chain = self.chain(op, ops)?;
        let is_early = |part: &Reg| !self.late.contains(part);
        let sorted = |parts: Vec<Reg>| -> (Vec<Reg>, Vec<Reg>) { parts.into_iter().partition(is_early) };
        let ((with, late_with), (without, late_without)) = (sorted(chain.with), sorted(chain.without));
        // Operations that wait for the argument: now, and then.
        let count = 1 + chain.idle.iter().filter(|part| !is_early(part)).count();
        let late = late_with.len() + late_without.len();
        if with.is_empty() || late == 0 || late >= count {
            return None;
        }
        let parts = [(with, false), (without, true), (late_with, false), (late_without, true)];
        let mut parts = parts.into_iter().flat_map(|(parts, drops)| parts.into_iter().map(move |part| (part, drops)));
        let (mut all, _) = parts.next()?;
        let (mut code, mut last) = (Vec::new(), None);
        for (part, drops) in parts {
            if let Some(op) = last.take() {
                code.push((*registers, op));
                all = *registers;
                *registers += 1;
            }
            last = Some(match (chain.union, drops) {
                (true, _) => Op::Or(all, part),
                (false, false) => Op::And(all, part),
                (false, true) => Op::AndNot(all, part),
            });
        }
        idle.extend(chain.idle);
        Some((last?, code))
    }

    /// All that an operation joins, if that is more than its operands.
    fn chain(&self, op: Op, ops: &FxHashMap<Reg, Op>) -> Option<Chain> {
        let union = is_union(op)?;
        let is_shifted =
            |part: Reg| matches!(ops.get(&part), Some(Op::ShlBy(..) | Op::ShrBy(..) | Op::Shl(..) | Op::Shr(..)));
        let is_constant = |part: Reg| self.constants.contains(&part);
        // A part of a shifted word, or a bit of a word, is one instruction of bytecode and stays together.
        let together = |op: Op, inside: bool| match op {
            Op::And(a, b) => [a, b].into_iter().any(|part| is_shifted(part) || inside && is_constant(part)),
            Op::AndNot(a, _) => is_shifted(a),
            _ => false,
        };
        if together(op, false) {
            return None;
        }
        let mut chain = Chain { union, with: Vec::new(), without: Vec::new(), idle: Vec::new() };
        let mut left = vec![op];
        while let Some(op) = left.pop() {
            let (a, b, drops) = match op {
                Op::Or(a, b) | Op::And(a, b) => (a, b, false),
                Op::AndNot(a, b) => (a, b, true),
                _ => return None,
            };
            for (part, drops) in [(a, false), (b, drops)] {
                let once = !drops && self.reads.get(part as usize) == Some(&1) && chain.idle.len() < MAX_PARTS;
                let joins = |op: &&Op| once && is_union(**op) == Some(union) && !together(**op, true);
                match ops.get(&part).filter(joins) {
                    Some(&op) => {
                        chain.idle.push(part);
                        left.push(op);
                    }
                    None if drops => chain.without.push(part),
                    None => chain.with.push(part),
                }
            }
        }
        (!chain.idle.is_empty()).then_some(chain)
    }
}

/// Whether an operation is a union, or an intersection; `None` if it is neither.
fn is_union(op: Op) -> Option<bool> {
    match op {
        Op::Or(..) => Some(true),
        Op::And(..) | Op::AndNot(..) => Some(false),
        _ => None,
    }
}
