//! What of registers counts: all their bits, or only whether they are 0.

use super::entries::number;
use rustc_hash::{FxHashMap, FxHashSet};
use wir::uses::inner;
use wir::{Block, Inst, Op, Program, Reg};

/// What is asked of the registers of a function.
#[derive(Default)]
pub(super) struct Demanded {
    /// Whether they are 0.
    truths: FxHashSet<Reg>,
    /// More.
    values: FxHashSet<Reg>,
    /// Registers that are 0 or 1, as far as operations tell.
    bits: FxHashSet<Reg>,
    /// Unions that are 0 or 1 and more is asked of, of whose parts it is enough to know whether they are 0.
    pub(super) unions: FxHashSet<Reg>,
}

impl Demanded {
    /// What is asked of registers, given their operations, in a function of a program. A union that is 0 or 1 is told by a
    /// comparison in the end if that `pays`, given its parts. Linear.
    pub(super) fn of(
        program: &Program,
        ops: &FxHashMap<Reg, Op>,
        body: &Block,
        pays: &mut impl FnMut(&[Reg]) -> bool,
    ) -> Self {
        let mut demanded = Self::default();
        Bits { program, ops, found: &mut demanded.bits }.block(body);
        demanded.values.extend(&body.yields);
        demanded.block(ops, body, pays);
        demanded.truths.retain(|register| !demanded.values.contains(register));
        demanded
    }

    /// Whether it only counts whether a register is 0.
    pub(super) fn is_truth(&self, register: Reg) -> bool {
        self.truths.contains(&register)
    }

    /// Backward, so that it is known what is asked of what is computed.
    fn block(&mut self, ops: &FxHashMap<Reg, Op>, block: &Block, pays: &mut impl FnMut(&[Reg]) -> bool) {
        for inst in block.insts.iter().rev() {
            match inst {
                Inst::Let { to, op } => self.operation(ops, *to, *op, pays),
                Inst::If { cond, then, other, to } => {
                    self.truths.insert(*cond);
                    self.results(to, &[then, other]);
                }
                Inst::Switch { on, cases, to } => {
                    self.values.insert(*on);
                    self.results(to, &cases.iter().collect::<Vec<_>>());
                }
                Inst::SideExit { cond } => {
                    self.truths.insert(*cond);
                }
                Inst::Store { value: read, .. } | Inst::Peek { at: read, .. } | Inst::Emit { base: read } => {
                    self.values.insert(*read);
                }
                Inst::EmitSet { base: one, set: other, .. } | Inst::Poke { at: one, value: other } => {
                    self.values.extend([one, other]);
                }
                Inst::Call { args, .. } => self.values.extend(args),
                Inst::Each { set, carried, body, .. } => {
                    self.values.insert(*set);
                    self.values.extend(carried.iter().map(|(_, first)| first).chain(&body.yields));
                }
                Inst::Loop { carried, body, .. } => {
                    self.values.extend(carried.iter().map(|(_, first)| first).chain(body.yields.iter().skip(1)));
                    self.truths.extend(body.yields.first());
                }
            }
            inner(inst).for_each(|block| self.block(ops, block, pays));
        }
    }

    /// What is asked of results is asked of what cases yield.
    fn results(&mut self, to: &[Reg], cases: &[&Block]) {
        for case in cases {
            for (result, yielded) in to.iter().zip(&case.yields) {
                let demanded = if self.values.contains(result) { &mut self.values } else { &mut self.truths };
                demanded.insert(*yielded);
            }
        }
    }

    fn operation(&mut self, ops: &FxHashMap<Reg, Op>, to: Reg, op: Op, pays: &mut impl FnMut(&[Reg]) -> bool) {
        match op {
            Op::Select(cond, a, b) => {
                self.truths.insert(cond);
                self.values.extend([a, b]);
            }
            Op::Eq(a, b) | Op::Ne(a, b) if number(&|register| ops.get(&register).copied(), b) == Some(0) => {
                self.truths.insert(a);
            }
            Op::Or(a, b) => {
                // Then all parts are.
                let is_bit = self.bits.contains(&to);
                let truth =
                    !self.values.contains(&to) || is_bit && pays(&parts(ops, &[a, b])) && self.unions.insert(to);
                if truth { &mut self.truths } else { &mut self.values }.extend([a, b]);
            }
            op => self.values.extend(op.reads()),
        }
    }
}

/// The parts of a union that are no unions.
fn parts(ops: &FxHashMap<Reg, Op>, of: &[Reg]) -> Vec<Reg> {
    let (mut parts, mut left, mut seen) = (Vec::new(), of.to_vec(), FxHashSet::default());
    while let Some(register) = left.pop() {
        if !seen.insert(register) {
            continue;
        }
        match ops.get(&register) {
            Some(&Op::Or(a, b)) => left.extend([a, b]),
            _ => parts.push(register),
        }
    }
    parts
}

/// Finds registers that are 0 or 1.
struct Bits<'a> {
    program: &'a Program,
    ops: &'a FxHashMap<Reg, Op>,
    found: &'a mut FxHashSet<Reg>,
}

impl Bits<'_> {
    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            inner(inst).for_each(|block| self.block(block));
            match inst {
                Inst::Let { to, op } if self.is_bit(*op) => {
                    self.found.insert(*to);
                }
                Inst::If { then, other, to, .. } => {
                    for (result, (a, b)) in to.iter().zip(then.yields.iter().zip(&other.yields)) {
                        if self.found.contains(a) && self.found.contains(b) {
                            self.found.insert(*result);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn is_bit(&self, op: Op) -> bool {
        let known = |register: &Reg| self.found.contains(register);
        let constant = |register| number(&|register| self.ops.get(&register).copied(), register);
        match op {
            Op::Const(value) => value <= 1,
            Op::Eq(..) | Op::Ne(..) | Op::Less(..) => true,
            Op::And(a, b) => known(&a) || known(&b) || constant(a) == Some(1) || constant(b) == Some(1),
            Op::AndNot(a, _) => known(&a),
            Op::Or(a, b) | Op::Xor(a, b) => known(&a) && known(&b),
            Op::Select(_, a, b) => known(&a) && known(&b),
            Op::Table(table, _) => {
                let table = self.program.tables.get(table as usize);
                table.is_some_and(|table| table.entries.iter().all(|&entry| entry <= 1))
            }
            _ => false,
        }
    }
}
