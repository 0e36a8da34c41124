//! Runs flat code.

use super::flatten::{Code, Flat, Kind, price};
use super::{FramedVm, Spent};
use crate::sink::Sink;
use wir::{FnId, Op, Program};

/// How deep functions may call each other.
const MAX_DEPTH: usize = 1 << 10;

/// What calls work on. Scratch memory keeps its contents from call to call.
#[derive(Debug, Default)]
pub(super) struct Machine {
    scratch: Vec<u64>,
    /// The frames of all functions that are being called.
    stack: Vec<u64>,
    /// Where their callers go on.
    callers: Vec<Caller>,
}

/// Where a caller goes on.
#[derive(Debug)]
struct Caller {
    function: FnId,
    next: usize,
    base: usize,
    /// The slot of the result.
    to: u32,
}

/// Why code stops for a moment.
enum Event {
    Call { function: FnId, first: u32, to: u32 },
    Return(u64),
}

/// What instructions work on, the frame excepted.
struct Context<'a, 's> {
    program: &'a Program,
    state: &'a mut [u64],
    scratch: &'a mut [u64],
    sink: &'a mut Sink<'s>,
    spent: &'a mut Spent,
    /// Rounds that are left.
    budget: u64,
    /// The most that the call may cost.
    limit: u64,
}

impl Machine {
    /// Runs a function: its result, 0 if it has none. `None` if it takes a side exit.
    pub(super) fn run(
        &mut self,
        vm: &FramedVm,
        (mut function, argument): (FnId, u64),
        state: &mut [u64],
        sink: &mut Sink<'_>,
        spent: &mut Spent,
    ) -> Option<u64> {
        let Machine { scratch, stack, callers } = self;
        scratch.resize(vm.program.scratch_words as usize, 0);
        callers.clear();
        let mut context =
            Context { program: &vm.program, state, scratch, sink, spent, budget: vm.budget, limit: vm.limit };
        let mut flat: &Flat = vm.function(function)?;
        let (mut base, mut next) = (0, 0);
        grow(stack, flat.frame as usize);
        if flat.params > 0 {
            *stack.first_mut()? = argument;
        }
        loop {
            let frame = stack.get_mut(base..base + flat.frame as usize)?;
            match context.until_event(flat, frame, &mut next)? {
                Event::Call { function: called, first, to } => {
                    if callers.len() >= MAX_DEPTH {
                        return None;
                    }
                    let callee = vm.function(called)?;
                    let above = base + flat.frame as usize;
                    grow(stack, above + callee.frame as usize);
                    let arguments = flat.operands.get(first as usize..)?.iter().take(callee.params as usize);
                    for (at, &from) in (above..).zip(arguments) {
                        let value = stack.get(base + from as usize).copied()?;
                        *stack.get_mut(at)? = value;
                    }
                    callers.push(Caller { function, next, base, to });
                    (function, flat, base, next) = (called, callee, above, 0);
                }
                Event::Return(value) => {
                    let Some(caller) = callers.pop() else { return Some(value) };
                    function = caller.function;
                    (flat, base, next) = (vm.function(function)?, caller.base, caller.next);
                    *stack.get_mut(base + caller.to as usize)? = value;
                }
            }
        }
    }
}

/// Makes a stack as large as it has to be.
fn grow(stack: &mut Vec<u64>, size: usize) {
    if stack.len() < size {
        stack.resize(size.next_power_of_two(), 0);
    }
}

fn get(frame: &[u64], slot: u32) -> Option<u64> {
    frame.get(slot as usize).copied()
}

fn set(frame: &mut [u64], slot: u32, value: u64) -> Option<()> {
    *frame.get_mut(slot as usize)? = value;
    Some(())
}

impl Context<'_, '_> {
    /// Runs a function until it calls another one or ends.
    #[expect(clippy::too_many_lines, reason = "an arm for each operation")]
    fn until_event(&mut self, flat: &Flat, frame: &mut [u64], next: &mut usize) -> Option<Event> {
        let code = flat.code.as_slice();
        let mut at = *next;
        loop {
            let &inst = code.get(at)?;
            at += 1;
            match inst {
                Code::Let { to, op } => {
                    let value = self.value(op, frame)?;
                    set(frame, to, value)?;
                }
                Code::And { to, a, b } => set(frame, to, get(frame, a)? & get(frame, b)?)?,
                Code::Or { to, a, b } => set(frame, to, get(frame, a)? | get(frame, b)?)?,
                Code::AndNot { to, a, b } => set(frame, to, get(frame, a)? & !get(frame, b)?)?,
                Code::Shl { to, a, by } => set(frame, to, get(frame, a)?.wrapping_shl(get(frame, by)? as u32))?,
                Code::Shr { to, a, by } => set(frame, to, get(frame, a)?.wrapping_shr(get(frame, by)? as u32))?,
                Code::Select { to, cond, yes, no } => {
                    let chosen = if get(frame, cond)? == 0 { no } else { yes };
                    set(frame, to, get(frame, chosen)?)?;
                }
                Code::Load { to, word } => set(frame, to, *self.state.get(word as usize)?)?,
                Code::Table { to, table, index } => {
                    let entries = &self.program.tables.get(table as usize)?.entries;
                    let index = get(frame, index)? as usize & entries.len().wrapping_sub(1);
                    set(frame, to, *entries.get(index)?)?;
                }
                Code::With { to, a, kind, value } => {
                    let a = get(frame, a)?;
                    let value = match kind {
                        Kind::Add => a.wrapping_add(value),
                        Kind::Sub => a.wrapping_sub(value),
                        Kind::And => a & value,
                        Kind::Or => a | value,
                        Kind::Eq => u64::from(a == value),
                        Kind::Ne => u64::from(a != value),
                        Kind::Less => u64::from(a < value),
                        Kind::Mul => a.wrapping_mul(value),
                        Kind::Shr => a.wrapping_shr(value as u32),
                    };
                    set(frame, to, value)?;
                }
                Code::Move { to, from } => {
                    let value = get(frame, from)?;
                    set(frame, to, value)?;
                }
                Code::Store { word, value } => set(self.state, word, get(frame, value)?)?,
                Code::Peek { to, at } => {
                    let place = get(frame, at)? as usize & self.scratch.len().wrapping_sub(1);
                    set(frame, to, *self.scratch.get(place)?)?;
                }
                Code::PeekAt { to, place } => {
                    let place = place as usize & self.scratch.len().wrapping_sub(1);
                    set(frame, to, *self.scratch.get(place)?)?;
                }
                Code::PokeAt { place, value } => {
                    let place = place as usize & self.scratch.len().wrapping_sub(1);
                    *self.scratch.get_mut(place)? = get(frame, value)?;
                }
                Code::Poke { at, value } => {
                    let place = get(frame, at)? as usize & self.scratch.len().wrapping_sub(1);
                    *self.scratch.get_mut(place)? = get(frame, value)?;
                }
                Code::Jump { target } => at = target as usize,
                Code::JumpIfZero { on, target } => {
                    if get(frame, on)? == 0 {
                        at = target as usize;
                    }
                }
                Code::JumpUnlessZero { on, target } => {
                    if get(frame, on)? != 0 {
                        at = target as usize;
                    }
                }
                Code::Switch { on, first, count } => {
                    let case = get(frame, on)?.min(u64::from(count.checked_sub(1)?)) as usize;
                    at = *flat.targets.get(first as usize + case)? as usize;
                }
                Code::Next { rest, item, end } => {
                    let set_now = get(frame, rest)?;
                    if set_now == 0 {
                        at = end as usize;
                    } else {
                        self.round()?;
                        set(frame, item, u64::from(set_now.trailing_zeros()))?;
                        set(frame, rest, set_now & (set_now - 1))?;
                    }
                }
                Code::Round => self.round()?,
                Code::Call { function, first, to } => {
                    *next = at;
                    return Some(Event::Call { function, first, to });
                }
                Code::Return { value } => return Some(Event::Return(get(frame, value)?)),
                Code::ReturnNothing => return Some(Event::Return(0)),
                Code::Emit { base } => self.sink.one(get(frame, base)?),
                Code::EmitSet { base, set, shift } => {
                    let set = get(frame, set)?;
                    let moves = u64::from(set.count_ones());
                    self.spent.cost += if moves == 0 { 0 } else { moves + price::MOVES };
                    self.sink.set(get(frame, base)?, set, shift);
                }
                Code::SideExit { cond } => {
                    if get(frame, cond)? != 0 {
                        return None;
                    }
                }
                Code::Spend { steps, cost } => {
                    self.spent.steps += u64::from(steps);
                    self.spent.cost += u64::from(cost);
                }
            }
        }
    }

    /// Begins a round of a loop, if there may be another one.
    #[inline(always)]
    fn round(&mut self) -> Option<()> {
        self.budget = self.budget.checked_sub(1)?;
        (self.spent.cost <= self.limit).then_some(())
    }

    #[inline(always)]
    fn value(&self, op: Op, frame: &[u64]) -> Option<u64> {
        match op {
            Op::Const(value) => Some(value),
            op => op.evaluate(&self.program.tables, |slot| get(frame, slot)),
        }
    }
}
