//! Full unrolling of the loops of searches whose rounds are known in advance.
//!
//! In: functions that work on scratch memory. Out: the same, where each loop that certainly runs a few times is its body as
//! often. Rounds are found by writing the body with what is constant in it: as long as that says whether the loop goes on, there is
//! another one. So `while hole != 6`, from 0 on and by a table of neighbours, becomes six times its body with `hole`
//! known. Parameters that are the same constant in all calls are constants, too. Linear in the result, and in what is tried.

use super::dce;
use rg_ir::invariant::{Invariant, put};
use wir::effects::Effects;
use wir::uses::size;
use wir::{Block, FnId, Function, Inst, Op, Program, Reg, Table};

/// Most rounds of a loop that is unrolled; the fewest are two: nothing is gained where a loop runs once.
const MAX_ROUNDS: usize = 16;

/// Instructions that a loop becomes, at most.
const MAX_SIZE: usize = 400;

/// Instructions that are written in vain for a function, at most: those of rounds after which it is unknown whether the loop goes on.
const MAX_TRIED: usize = 20_000;

/// Unrolls loops in all searches of a program.
pub(super) fn unroll(program: &mut Program) -> Vec<FnId> {
    if program.scratch_words == 0 {
        return Vec::new();
    }
    let constants = constant_arguments(program);
    let mut functions = std::mem::take(&mut program.functions);
    let mut changed = Vec::new();
    for ((id, function), constants) in (0..).zip(&mut functions).zip(constants) {
        if Effects::of(&function.body).memory
            && let Some(unrolled) = unrolled(&program.tables, function, &constants)
        {
            *function = dce::sweep(&unrolled);
            changed.push(id);
        }
    }
    program.functions = functions;
    changed
}

/// What is known of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Argument {
    /// There is no call.
    Never,
    /// In all calls, it is this.
    Constant(u64),
    /// Calls differ, or it is computed.
    Any,
}

/// By function and parameter: the value that all calls give it, if there is one.
fn constant_arguments(program: &Program) -> Vec<Vec<Option<u64>>> {
    let start = |function: &Function| vec![Argument::Never; function.params as usize];
    let mut arguments: Vec<Vec<Argument>> = program.functions.iter().map(start).collect();
    for function in &program.functions {
        let mut constants = vec![None; function.registers as usize];
        join_arguments(&function.body, &mut constants, &mut arguments);
    }
    let known = |argument: Argument| if let Argument::Constant(value) = argument { Some(value) } else { None };
    arguments.into_iter().map(|arguments| arguments.into_iter().map(known).collect()).collect()
}

/// Joins the arguments of the calls in a block into what is known of them. `constants` are the values of registers.
fn join_arguments(block: &Block, constants: &mut [Option<u64>], into: &mut [Vec<Argument>]) {
    for inst in &block.insts {
        match inst {
            Inst::Let { to, op: Op::Const(value) } => {
                put(constants, *to as usize, Some(*value), "registers are below their number");
            }
            Inst::Call { function, args, .. } => {
                let joined = into.get_mut(*function as usize).into_iter().flatten();
                for (known, arg) in joined.zip(args) {
                    let value = constants.get(*arg as usize).copied().flatten();
                    let value = value.map_or(Argument::Any, Argument::Constant);
                    *known = if *known == Argument::Never || *known == value { value } else { Argument::Any };
                }
            }
            _ => {}
        }
        wir::uses::inner(inst).for_each(|block| join_arguments(block, constants, into));
    }
}

/// The function with its loops unrolled; nothing if none is.
fn unrolled(tables: &[Table], function: &Function, arguments: &[Option<u64>]) -> Option<Function> {
    let names = vec![Reg::MAX; function.registers as usize];
    let mut writer = Writer { tables, names, constants: Vec::new(), written: 0, tried: 0, loops: 0 };
    let mut insts = Vec::new();
    for param in 0..function.params {
        writer.define(param, None);
    }
    for (param, &value) in (0..function.params).zip(arguments) {
        if let Some(value) = value {
            let constant = writer.constant(value, &mut insts);
            writer.name(param, constant);
        }
    }
    writer.insts(&function.body.insts, &mut insts);
    let yields = writer.values(&function.body.yields);
    let registers = writer.constants.len() as u32;
    let body = Block { insts, yields };
    (writer.loops > 0).then(|| Function { name: function.name.clone(), params: function.params, registers, body })
}

/// Writes a function anew, with constants folded and branches decided where they are known.
struct Writer<'p> {
    tables: &'p [Table],
    /// By old register.
    names: Vec<Reg>,
    /// By new register.
    constants: Vec<Option<u64>>,
    /// Number of instructions so far.
    written: usize,
    /// Number of those that were given up.
    tried: usize,
    /// Number of loops unrolled.
    loops: usize,
}

impl Writer<'_> {
    fn fresh(&mut self, value: Option<u64>) -> Reg {
        self.constants.push(value);
        self.constants.len() as Reg - 1
    }

    fn define(&mut self, old: Reg, value: Option<u64>) -> Reg {
        let new = self.fresh(value);
        self.name(old, new);
        new
    }

    fn define_all(&mut self, old: &[Reg]) -> Vec<Reg> {
        old.iter().map(|&old| self.define(old, None)).collect()
    }

    fn name(&mut self, old: Reg, new: Reg) {
        put(&mut self.names, old as usize, new, "registers are below their number");
    }

    fn name_all(&mut self, old: impl IntoIterator<Item = Reg>, new: &[Reg]) {
        old.into_iter().zip(new).for_each(|(old, &new)| self.name(old, new));
    }

    fn value(&self, old: Reg) -> Reg {
        let name = self.names.get(old as usize).copied().filter(|&name| name != Reg::MAX);
        name.invariant_or(0, "registers are defined before they are read")
    }

    fn values(&self, old: &[Reg]) -> Vec<Reg> {
        old.iter().map(|&register| self.value(register)).collect()
    }

    /// What a new register always is.
    fn known(&self, new: Reg) -> Option<u64> {
        self.constants.get(new as usize).copied().flatten()
    }

    fn constant(&mut self, value: u64, out: &mut Vec<Inst>) -> Reg {
        let to = self.fresh(Some(value));
        out.push(Inst::Let { to, op: Op::Const(value) });
        to
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut insts = Vec::with_capacity(block.insts.len());
        self.insts(&block.insts, &mut insts);
        Block { insts, yields: self.values(&block.yields) }
    }

    fn insts(&mut self, insts: &[Inst], out: &mut Vec<Inst>) {
        insts.iter().for_each(|inst| self.inst(inst, out));
    }

    fn inst(&mut self, inst: &Inst, out: &mut Vec<Inst>) {
        self.written += 1;
        let inst = match inst {
            Inst::Let { to, op } => {
                let op = op.map_reads(|register| self.value(register));
                let value = op.evaluate(self.tables, |register| self.known(register));
                Inst::Let { to: self.define(*to, value), op: value.map_or(op, Op::Const) }
            }
            Inst::Store { word, value } => Inst::Store { word: *word, value: self.value(*value) },
            Inst::Peek { to, at } => {
                let at = self.value(*at);
                Inst::Peek { to: self.define(*to, None), at }
            }
            Inst::Poke { at, value } => Inst::Poke { at: self.value(*at), value: self.value(*value) },
            Inst::Call { function, args, to } => {
                let args = self.values(args);
                Inst::Call { function: *function, args, to: self.define(*to, None) }
            }
            Inst::Emit { base } => Inst::Emit { base: self.value(*base) },
            Inst::EmitSet { base, set, shift } => {
                Inst::EmitSet { base: self.value(*base), set: self.value(*set), shift: *shift }
            }
            Inst::SideExit { cond } => Inst::SideExit { cond: self.value(*cond) },
            Inst::If { cond, then, other, to } => return self.branch(*cond, [then, other], to, out),
            Inst::Switch { on, cases, to } => {
                let on = self.value(*on);
                let cases = cases.iter().map(|case| self.block(case)).collect();
                Inst::Switch { on, cases, to: self.define_all(to) }
            }
            Inst::Each { set, item, carried, body, to } => {
                let set = self.value(*set);
                let firsts: Vec<Reg> = carried.iter().map(|&(_, first)| self.value(first)).collect();
                let item = self.define(*item, None);
                let params: Vec<Reg> = carried.iter().map(|&(param, _)| self.define(param, None)).collect();
                let body = self.block(body);
                let carried = params.into_iter().zip(firsts).collect();
                Inst::Each { set, item, carried, body, to: self.define_all(to) }
            }
            Inst::Loop { carried, body, to } => {
                if self.rounds(carried, body, to, out) {
                    return;
                }
                let firsts: Vec<Reg> = carried.iter().map(|&(_, first)| self.value(first)).collect();
                let params: Vec<Reg> = carried.iter().map(|&(param, _)| self.define(param, None)).collect();
                let body = self.block(body);
                let carried = params.into_iter().zip(firsts).collect();
                Inst::Loop { carried, body, to: self.define_all(to) }
            }
        };
        out.push(inst);
    }

    /// A branch: the arm that is known to run, or both. What is the same in both needs no result.
    fn branch(&mut self, cond: Reg, [then, other]: [&Block; 2], to: &[Reg], out: &mut Vec<Inst>) {
        let cond = self.value(cond);
        if let Some(value) = self.known(cond) {
            let arm = if value == 0 { other } else { then };
            self.insts(&arm.insts, out);
            let values = self.values(&arm.yields);
            return self.name_all(to.iter().copied(), &values);
        }
        let outside = self.constants.len() as Reg;
        let (mut then, mut other) = (self.block(then), self.block(other));
        let (mut results, mut varies, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        for (&old, (&a, &b)) in to.iter().zip(then.yields.iter().zip(&other.yields)) {
            let same_constant = self.known(a).filter(|_| self.known(a) == self.known(b));
            if let Some(value) = same_constant {
                constants.push((old, value));
            } else if a == b && a < outside {
                self.name(old, a);
            } else {
                results.push(self.define(old, None));
                varies.push(true);
                continue;
            }
            varies.push(false);
        }
        for arm in [&mut then, &mut other] {
            let mut varies = varies.iter();
            arm.yields.retain(|_| varies.next() == Some(&true));
        }
        out.push(Inst::If { cond, then, other, to: results });
        for (old, value) in constants {
            let constant = self.constant(value, out);
            self.name(old, constant);
        }
    }

    /// Writes all rounds of a loop, if it is known how many there are and they are few. Says whether it is so; if not, nothing is written.
    fn rounds(&mut self, carried: &[(Reg, Reg)], body: &Block, to: &[Reg], out: &mut Vec<Inst>) -> bool {
        let mut values: Vec<Reg> = carried.iter().map(|&(_, first)| self.value(first)).collect();
        let constant = values.iter().any(|&first| self.known(first).is_some());
        if !constant || size(body) > MAX_SIZE || self.tried > MAX_TRIED {
            return false;
        }
        let (start, written, loops) = (out.len(), self.written, self.loops);
        for round in 0..MAX_ROUNDS {
            self.name_all(carried.iter().map(|&(param, _)| param), &values);
            self.insts(&body.insts, out);
            let mut yields = self.values(&body.yields).into_iter();
            let goes_on = yields.next().and_then(|on| self.known(on));
            values = yields.collect();
            match goes_on {
                Some(0) if round > 0 => {
                    self.name_all(to.iter().copied(), &values);
                    self.loops += 1;
                    return true;
                }
                Some(1..) if self.written - written <= MAX_SIZE => {}
                _ => break,
            }
        }
        out.truncate(start);
        self.loops = loops;
        self.tried += self.written - written;
        false
    }
}
