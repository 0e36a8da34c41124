//! Runs functions block by block as they are written, those included that work on scratch memory and call each other in circles,
//! which bytecode has no instructions for.

use super::sink::Sink;
use wir::{Block, FnId, Function, Inst, Op, Program, Reg};

/// What instructions cost in machine code, in tenths of a nanosecond, more or less: the best fit for the plies of some thirty games
/// in both of their forms. Where code goes cannot be foreseen, nor how many moves a set has: most of that is the price of such guesses.
mod price {
    pub(super) const OPERATION: u64 = 1;
    pub(super) const MEMORY: u64 = 2;
    pub(super) const BRANCH: u64 = 6;
    pub(super) const CALL: u64 = 12;
    pub(super) const EMISSION: u64 = 7;
    pub(super) const MOVES: u64 = 40;
}

/// How deep procedures may call each other.
const MAX_DEPTH: usize = 1 << 10;

/// How much stack a call wants to have, and how much more there is made where there is less.
const RED_ZONE: usize = 128 << 10;
const GROWN: usize = 2 << 20;

/// A call from outside.
pub(crate) struct Walk<'a, 's> {
    pub(crate) program: &'a Program,
    pub(crate) state: &'s mut [u64],
    pub(crate) scratch: Vec<u64>,
    /// The registers of all functions that are being called.
    registers: Vec<u64>,
    /// Values on their way from registers to others.
    passed: Vec<u64>,
    /// Where those of the present one begin.
    base: usize,
    depth: usize,
    sink: Sink<'s>,
    /// Instructions so far.
    pub(crate) steps: u64,
    /// What they would cost in machine code.
    pub(crate) cost: u64,
    /// Rounds that are left.
    budget: u64,
}

impl<'a, 's> Walk<'a, 's> {
    /// Ready for a call. Scratch memory is that of earlier calls, or empty. What is written to the state counts only if the call
    /// ends well.
    pub(crate) fn new(
        program: &'a Program,
        state: &'s mut [u64],
        mut scratch: Vec<u64>,
        sink: Sink<'s>,
        budget: u64,
    ) -> Self {
        scratch.resize(program.scratch_words as usize, 0);
        Self {
            program,
            state,
            scratch,
            registers: Vec::new(),
            passed: Vec::new(),
            base: 0,
            depth: 0,
            sink,
            steps: 0,
            cost: 0,
            budget,
        }
    }

    /// Runs a function: its result, 0 if it has none, and how many moves there are. `None` if it takes a side exit.
    pub(crate) fn run(&mut self, function: FnId, arguments: &[u64]) -> Option<(u64, u64)> {
        self.enter(function)?;
        let base = self.base;
        self.registers.get_mut(base..base + arguments.len())?.copy_from_slice(arguments);
        let result = self.leave(function)?;
        Some((result, self.sink.count()))
    }

    /// Makes room for the registers of a function behind those of its caller.
    fn enter(&mut self, id: FnId) -> Option<()> {
        let function: &'a Function = self.program.functions.get(id as usize).filter(|_| self.depth <= MAX_DEPTH)?;
        self.base = self.registers.len();
        self.registers.resize(self.base + function.registers as usize, 0);
        self.depth += 1;
        Some(())
    }

    /// Runs a function whose arguments are in its registers, and drops these.
    fn leave(&mut self, id: FnId) -> Option<u64> {
        let function: &'a Function = self.program.functions.get(id as usize)?;
        self.block(&function.body)?;
        let result = function.body.yields.first().map_or(Some(0), |&result| self.get(result))?;
        self.registers.truncate(self.base);
        self.depth -= 1;
        Some(result)
    }

    fn call(&mut self, id: FnId, args: &[Reg]) -> Option<u64> {
        let outer = self.base;
        self.enter(id)?;
        for (at, &arg) in args.iter().enumerate() {
            let value = self.registers.get(outer + arg as usize).copied()?;
            *self.registers.get_mut(self.base + at)? = value;
        }
        let result = stacker::maybe_grow(RED_ZONE, GROWN, || self.leave(id));
        self.base = outer;
        result
    }

    fn get(&self, register: Reg) -> Option<u64> {
        self.registers.get(self.base + register as usize).copied()
    }

    fn set(&mut self, register: Reg, value: u64) -> Option<()> {
        *self.registers.get_mut(self.base + register as usize)? = value;
        Some(())
    }

    /// Copies registers, all at once.
    fn pass(&mut self, from: &[Reg], to: impl Iterator<Item = Reg>) -> Option<()> {
        match *from {
            [] => Some(()),
            [one] => {
                let value = self.get(one)?;
                to.take(1).try_for_each(|to| self.set(to, value))
            }
            _ => {
                let first = self.passed.len();
                for &register in from {
                    self.passed.push(self.get(register)?);
                }
                for (at, to) in (first..self.passed.len()).zip(to) {
                    let value = self.passed.get(at).copied()?;
                    self.set(to, value)?;
                }
                self.passed.truncate(first);
                Some(())
            }
        }
    }

    fn place(&self, at: Reg) -> Option<usize> {
        Some(self.get(at)? as usize & self.scratch.len().wrapping_sub(1))
    }

    fn block(&mut self, block: &'a Block) -> Option<()> {
        self.steps += block.insts.len() as u64;
        block.insts.iter().try_for_each(|inst| self.inst(inst))
    }

    fn inst(&mut self, inst: &'a Inst) -> Option<()> {
        match inst {
            Inst::Let { to, op } => {
                self.cost += if matches!(op, Op::Const(_)) { 0 } else { price::OPERATION };
                let value = self.op(*op)?;
                self.set(*to, value)
            }
            Inst::Store { word, value } => {
                self.cost += price::OPERATION;
                let value = self.get(*value)?;
                *self.state.get_mut(*word as usize)? = value;
                Some(())
            }
            Inst::Peek { to, at } => {
                self.cost += price::MEMORY;
                let value = self.scratch.get(self.place(*at)?).copied()?;
                self.set(*to, value)
            }
            Inst::Poke { at, value } => {
                self.cost += price::MEMORY;
                let (at, value) = (self.place(*at)?, self.get(*value)?);
                *self.scratch.get_mut(at)? = value;
                Some(())
            }
            Inst::If { cond, then, other, to } => {
                self.cost += price::BRANCH;
                let block = if self.get(*cond)? != 0 { then } else { other };
                self.block(block)?;
                self.pass(&block.yields, to.iter().copied())
            }
            Inst::Switch { on, cases, to } => {
                self.cost += price::BRANCH;
                let block = cases.get(self.get(*on)? as usize).or(cases.last())?;
                self.block(block)?;
                self.pass(&block.yields, to.iter().copied())
            }
            Inst::Each { set, item, carried, body, to } => {
                let mut rest = self.get(*set)?;
                self.begin(carried)?;
                while rest != 0 {
                    self.round()?;
                    self.set(*item, u64::from(rest.trailing_zeros()))?;
                    rest &= rest - 1;
                    self.block(body)?;
                    self.pass(&body.yields, carried.iter().map(|&(param, _)| param))?;
                }
                self.end(carried, to)
            }
            Inst::Loop { carried, body, to } => {
                self.begin(carried)?;
                loop {
                    self.round()?;
                    self.block(body)?;
                    let (&on, next) = body.yields.split_first()?;
                    let on = self.get(on)?;
                    self.pass(next, carried.iter().map(|&(param, _)| param))?;
                    if on == 0 {
                        return self.end(carried, to);
                    }
                }
            }
            Inst::Call { function, args, to } => {
                self.cost += price::CALL;
                let result = self.call(*function, args)?;
                self.set(*to, result)
            }
            Inst::Emit { base } => {
                self.cost += price::EMISSION;
                let base = self.get(*base)?;
                self.sink.one(base);
                Some(())
            }
            Inst::EmitSet { base, set, shift } => {
                let (base, set) = (self.get(*base)?, self.get(*set)?);
                let moves = u64::from(set.count_ones());
                self.cost += price::EMISSION + moves + if moves == 0 { 0 } else { price::MOVES };
                self.sink.set(base, set, *shift as u8);
                Some(())
            }
            Inst::SideExit { cond } => {
                self.cost += price::OPERATION;
                (self.get(*cond)? == 0).then_some(())
            }
        }
    }

    fn round(&mut self) -> Option<()> {
        self.budget = self.budget.checked_sub(1)?;
        Some(())
    }

    fn begin(&mut self, carried: &[(Reg, Reg)]) -> Option<()> {
        // Parameters are no first values.
        carried.iter().try_for_each(|&(param, first)| {
            let value = self.get(first)?;
            self.set(param, value)
        })
    }

    fn end(&mut self, carried: &[(Reg, Reg)], to: &[Reg]) -> Option<()> {
        carried.iter().zip(to).try_for_each(|(&(param, _), &to)| {
            let value = self.get(param)?;
            self.set(to, value)
        })
    }

    fn op(&self, op: Op) -> Option<u64> {
        match op {
            Op::Const(value) => Some(value),
            Op::Load(word) => self.state.get(word as usize).copied(),
            Op::Table(table, index) => {
                let entries = &self.program.tables.get(table as usize)?.entries;
                entries.get(self.get(index)? as usize & entries.len().wrapping_sub(1)).copied()
            }
            op => op.evaluate(&self.program.tables, |register| self.get(register)),
        }
    }
}
