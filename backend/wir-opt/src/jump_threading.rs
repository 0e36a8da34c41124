//! What follows a choice and is idle after one of its arms goes into the other arm.
//!
//! After `if c { … yield x } else { yield 0 }` many operations have a known result when `c` is 0: they need not be done
//! then. Walks that lifted code does only perhaps leave such operations behind, up to where the ways meet again.

use super::fold::{Facts, Rule, rule};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use wir::effects::Effects;
use wir::uses::{inner, inner_mut, operands, read_by as reads, rename, results};
use wir::{Block, Function, Inst, Op, Program, Reg};

/// How many instructions after a choice are looked at.
const REACH: usize = 600;
/// Blocks inside blocks that may move.
const MAX_DEPTH: usize = 40;
/// Blocks around an arm to which something moves.
const DEEPEST: usize = 60;
/// Rules that are applied to one operation.
const MAX_RULES: usize = 4;
/// What has to be saved beyond two instructions for each new result.
const WORTH: usize = 2;

/// Moves into arms what only they need.
pub(super) fn fill(program: &Program, function: &Function) -> Function {
    let mut constants = FxHashMap::default();
    numbers(&function.body, &mut constants);
    let mut arms = Arms { program, constants, registers: function.registers, marks: RefCell::default() };
    let mut function = function.clone();
    arms.block(&mut function.body, 0);
    function.registers = arms.registers;
    function
}

/// The registers that are numbers.
fn numbers(block: &Block, constants: &mut FxHashMap<Reg, u64>) {
    for inst in &block.insts {
        if let Inst::Let { to, op: Op::Const(number) } = *inst {
            constants.insert(to, number);
        }
        inner(inst).for_each(|block| numbers(block, constants));
    }
}

/// What a register is after the idle arm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Number(u64),
    Register(Reg),
}

/// What becomes of an instruction after a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It stays.
    Stays,
    /// It does not depend on the choice: it could be done earlier.
    Free,
    /// It goes into the arm.
    Moves,
}

/// What an instruction reads and does, with all that it contains.
struct Seen {
    reads: Vec<Reg>,
    effects: Effects,
}

impl Seen {
    fn of(inst: &Inst, marks: &mut Marks) -> Self {
        let mut reads = Vec::new();
        marks.number += 1;
        marks.reads(inst, &mut reads);
        Self { reads, effects: Effects::of_inst(inst) }
    }
}

/// Which registers have been met while instructions are looked at.
#[derive(Default)]
struct Marks {
    /// Of the instruction that is looked at.
    number: u32,
    /// By register: the last instruction that it was met in.
    last: Vec<u32>,
}

impl Marks {
    /// Adds the registers that an instruction reads, those defined inside of it included, once each.
    fn reads(&mut self, inst: &Inst, into: &mut Vec<Reg>) {
        operands(inst, |register| self.read(register, into));
        for block in inner(inst) {
            block.yields.iter().for_each(|&register| self.read(register, into));
            block.insts.iter().for_each(|inst| self.reads(inst, into));
        }
    }

    fn read(&mut self, register: Reg, into: &mut Vec<Reg>) {
        let at = register as usize;
        if self.last.len() <= at {
            self.last.resize(at + 1, 0);
        }
        if let Some(last) = self.last.get_mut(at).filter(|last| **last != self.number) {
            *last = self.number;
            into.push(register);
        }
    }
}

/// By instruction of a block, what has been looked at.
type Looks = Vec<Option<Rc<Seen>>>;

/// What an instruction of a block reads and does: it is looked at once, however many choices are before it.
fn look(marks: &RefCell<Marks>, looks: &mut [Option<Rc<Seen>>], insts: &[Inst], at: usize) -> Rc<Seen> {
    let slot = looks.get_mut(at);
    match (slot, insts.get(at)) {
        (Some(slot), Some(inst)) => {
            slot.get_or_insert_with(|| Rc::new(Seen::of(inst, &mut marks.borrow_mut()))).clone()
        }
        _ => Rc::new(Seen { reads: Vec::new(), effects: Effects::default() }),
    }
}

struct Arms<'a> {
    program: &'a Program,
    constants: FxHashMap<Reg, u64>,
    registers: Reg,
    marks: RefCell<Marks>,
}

/// The instructions after a choice.
struct Plan {
    fates: Vec<Fate>,
    /// What registers are after the idle arm.
    values: FxHashMap<Reg, Value>,
    /// Instructions that are saved there.
    saved: usize,
}

impl Arms<'_> {
    fn fresh(&mut self) -> Reg {
        self.registers += 1;
        self.registers - 1
    }

    /// `depth` is how many blocks are around.
    fn block(&mut self, block: &mut Block, depth: usize) {
        for inst in &mut block.insts {
            inner_mut(inst).for_each(|block| self.block(block, depth + 1));
        }
        let mut at = 0;
        let mut looks: Looks = vec![None; block.insts.len()];
        while at < block.insts.len() {
            for idle_then in [false, true] {
                at += self.choice(block, &mut looks, at, idle_then, depth);
            }
            at += 1;
        }
    }

    /// Moves what follows a choice into one of its arms, if that saves enough after the other. Returns how many
    /// instructions have moved before the choice.
    fn choice(&mut self, block: &mut Block, looks: &mut Looks, at: usize, idle_then: bool, depth: usize) -> usize {
        let Some(Inst::If { cond, then, other, to }) = block.insts.get(at) else { return 0 };
        if depth > DEEPEST {
            return 0;
        }
        let idle = if idle_then { then } else { other };
        let defined: FxHashSet<Reg> = idle.insts.iter().flat_map(results).collect();
        let (mut values, mut unknown) = (FxHashMap::default(), FxHashSet::default());
        for (&to, &yielded) in to.iter().zip(&idle.yields) {
            match self.constants.get(&yielded) {
                Some(&number) => drop(values.insert(to, Value::Number(number))),
                None if defined.contains(&yielded) => drop(unknown.insert(to)),
                None => drop(values.insert(to, Value::Register(yielded))),
            }
        }
        if values.is_empty() {
            return 0;
        }
        if !idle_then {
            values.insert(*cond, Value::Number(0));
        }
        let stored = look(&self.marks, looks, &block.insts, at).effects.stores;
        let plan = self.plan(&block.insts, looks, at + 1, values, unknown, stored);
        if plan.saved <= WORTH { 0 } else { self.carry_out(block, looks, at, idle_then, &plan) }
    }

    /// What may move of the instructions from `first` on.
    fn plan(
        &self,
        insts: &[Inst],
        looks: &mut Looks,
        first: usize,
        values: FxHashMap<Reg, Value>,
        mut unknown: FxHashSet<Reg>,
        mut stored: bool,
    ) -> Plan {
        let mut plan = Plan { fates: Vec::new(), values, saved: 0 };
        let mut emitted = false;
        for (at, inst) in insts.iter().enumerate().skip(first).take(REACH) {
            let is_late = |register: &Reg| unknown.contains(register);
            let is_held = |register: &Reg| plan.values.contains_key(register);
            let (late, depends) = if let Inst::Let { op, .. } = inst {
                (op.reads().any(|register| is_late(&register)), op.reads().any(|register| is_held(&register)))
            } else {
                let seen = look(&self.marks, looks, insts, at);
                (seen.reads.iter().any(is_late), seen.reads.iter().any(is_held))
            };
            let found: Option<Vec<Value>> = match inst {
                _ if late || !depends => None,
                Inst::Let { op, .. } => self.value(*op, &plan.values).map(|value| vec![value]),
                Inst::SideExit { cond } => (plan.values.get(cond) == Some(&Value::Number(0))).then(Vec::new),
                Inst::EmitSet { set, .. } => {
                    (!emitted && plan.values.get(set) == Some(&Value::Number(0))).then(Vec::new)
                }
                Inst::If { cond, then, other, .. } => {
                    let chosen = match plan.values.get(cond) {
                        Some(Value::Number(0)) => Some(other),
                        Some(Value::Number(_)) => Some(then),
                        _ => None,
                    };
                    chosen.filter(|_| movable(inst, stored)).and_then(|chosen| self.yielded(chosen, &plan.values))
                }
                Inst::Each { set, carried, .. } => {
                    let empty = plan.values.get(set) == Some(&Value::Number(0)) && movable(inst, stored);
                    let first = |&(_, first): &(Reg, Reg)| self.known(first, &plan.values);
                    empty.then(|| carried.iter().map(first).collect())
                }
                _ => None,
            };
            let fate = match (inst, found) {
                (_, Some(found)) => {
                    plan.saved += work(inst);
                    plan.values.extend(results(inst).zip(found));
                    Fate::Moves
                }
                (Inst::Let { op, .. }, None) if !(late || depends || stored && matches!(op, Op::Load(_))) => Fate::Free,
                _ => {
                    unknown.extend(results(inst));
                    Fate::Stays
                }
            };
            if fate == Fate::Stays && !matches!(inst, Inst::Let { .. }) {
                let effects = look(&self.marks, looks, insts, at).effects;
                stored |= effects.stores;
                emitted |= effects.emits;
            }
            plan.fates.push(fate);
        }
        plan
    }

    fn known(&self, register: Reg, values: &FxHashMap<Reg, Value>) -> Value {
        let number = self.constants.get(&register).map(|&number| Value::Number(number));
        number.or_else(|| values.get(&register).copied()).unwrap_or(Value::Register(register))
    }

    /// What a block yields that computes nothing.
    fn yielded(&self, block: &Block, values: &FxHashMap<Reg, Value>) -> Option<Vec<Value>> {
        let idle = block.insts.iter().all(|inst| matches!(inst, Inst::Let { op: Op::Const(_), .. }));
        idle.then(|| block.yields.iter().map(|&register| self.known(register, values)).collect())
    }

    /// The result of an operation, if that is a number or a register.
    fn value(&self, op: Op, values: &FxHashMap<Reg, Value>) -> Option<Value> {
        let mut view = View { arms: self, numbers: Vec::new() };
        let mut op = op.map_reads(|register| match self.known(register, values) {
            Value::Number(number) => view.number(number),
            Value::Register(register) => register,
        });
        for _ in 0..MAX_RULES {
            op = match rule(&view, op)? {
                Rule::Constant(number) => return Some(Value::Number(number)),
                Rule::Same(register) => {
                    return Some(view.constant(register).map_or(Value::Register(register), Value::Number));
                }
                Rule::Op(op) => op,
                Rule::With(make, a, number) => make(a, view.number(number)),
                Rule::WithLast(make, a, b, number) => make(a, b, view.number(number)),
            };
        }
        None
    }

    /// See [`Arms::choice`].
    fn carry_out(&mut self, block: &mut Block, looks: &mut Looks, at: usize, idle_then: bool, plan: &Plan) -> usize {
        let first = at + 1;
        let rest = &block.insts[first..];
        let fate = |index: usize| plan.fates.get(index).copied().unwrap_or(Fate::Stays);
        // What is read where nothing moves to.
        let mut outside: FxHashSet<Reg> = block.yields.iter().copied().collect();
        let mut wanted: FxHashSet<Reg> = FxHashSet::default();
        for (index, inst) in rest.iter().enumerate() {
            let set = match fate(index) {
                Fate::Stays => &mut outside,
                Fate::Moves => &mut wanted,
                Fate::Free => continue,
            };
            match inst {
                Inst::Let { op, .. } => set.extend(op.reads()),
                _ => set.extend(&look(&self.marks, looks, &block.insts, first + index).reads),
            }
        }
        // Free instructions that nothing that moves wants, even by others, stay.
        let free: Vec<usize> = (0..rest.len()).filter(|&index| fate(index) == Fate::Free).collect();
        let mut needed = FxHashSet::default();
        for &index in free.iter().rev() {
            let Inst::Let { to, op } = rest[index] else { continue };
            if wanted.contains(&to) {
                needed.insert(index);
                wanted.extend(op.reads());
            }
        }
        for &index in &free {
            if !needed.contains(&index) {
                reads(&rest[index], &mut outside);
            }
        }
        let moved = rest.iter().enumerate().filter(|&(index, _)| fate(index) == Fate::Moves);
        let results: Vec<(Reg, Value)> = moved
            .flat_map(|(_, inst)| results(inst))
            .filter(|register| outside.contains(register))
            .filter_map(|register| Some((register, *plan.values.get(&register)?)))
            .collect();
        if plan.saved <= 2 * results.len() + WORTH {
            // What stands before the choice and nothing else reads goes into the arm afterwards (`super::sink`).
            let Inst::If { then, other, .. } = &block.insts[at] else { return 0 };
            let busy = if idle_then { other } else { then };
            let mut wanted = wanted.clone();
            busy.insts.iter().for_each(|inst| reads(inst, &mut wanted));
            let before = &block.insts[at.saturating_sub(REACH)..at];
            if plan.saved + left_to(before, &wanted, &outside, &block.insts[at], idle_then) <= 2 * results.len() + WORTH
            {
                return 0;
            }
        }
        // Values after the idle arm have to be there before.
        let mut early: FxHashSet<Reg> = results
            .iter()
            .filter_map(|(_, value)| match value {
                Value::Register(register) => Some(*register),
                Value::Number(_) => None,
            })
            .collect();
        let mut sunk = FxHashSet::default();
        let mut hoisted = FxHashSet::default();
        for &index in free.iter().rev() {
            let Inst::Let { to, op } = rest[index] else { continue };
            if early.contains(&to) || needed.contains(&index) && outside.contains(&to) {
                hoisted.insert(index);
                early.extend(op.reads());
            } else if needed.contains(&index) {
                sunk.insert(index);
            }
        }
        let destinations = Destinations { first, idle_then, hoisted, sunk };
        self.move_into_arm(block, looks, plan, &destinations, results).unwrap_or(0)
    }

    /// Puts what moves into the busy arm of the choice before it: how many instructions come before the choice now.
    fn move_into_arm(
        &mut self,
        block: &mut Block,
        looks: &mut Looks,
        plan: &Plan,
        Destinations { first, idle_then, hoisted, sunk }: &Destinations,
        results: Vec<(Reg, Value)>,
    ) -> Option<usize> {
        let mut tail = block.insts.split_off(*first);
        let tail_looks = looks.split_off((*first).min(looks.len()));
        looks.pop();
        let Some(Inst::If { cond, mut then, mut other, mut to }) = block.insts.pop() else { return None };
        let (idle, busy) = if *idle_then { (&mut then, &mut other) } else { (&mut other, &mut then) };
        let mut names: FxHashMap<Reg, Reg> = to.iter().copied().zip(busy.yields.iter().copied()).collect();
        let (mut after, mut after_looks) = (Vec::new(), vec![None]);
        for ((index, mut inst), look) in tail.drain(..).enumerate().zip(tail_looks) {
            if hoisted.contains(&index) {
                block.insts.push(inst);
                looks.push(look);
            } else if sunk.contains(&index) || plan.fates.get(index) == Some(&Fate::Moves) {
                for register in self::results(&inst).collect::<Vec<_>>() {
                    let name = self.fresh();
                    if let Some(&number) = self.constants.get(&register) {
                        self.constants.insert(name, number);
                    }
                    names.insert(register, name);
                }
                rename(&mut inst, &names);
                busy.insts.push(inst);
            } else {
                after.push(inst);
                after_looks.push(look);
            }
        }
        for (register, value) in results {
            busy.yields.push(names.get(&register).copied().unwrap_or(register));
            idle.yields.push(match value {
                Value::Register(register) => register,
                Value::Number(number) => {
                    let name = self.fresh();
                    self.constants.insert(name, number);
                    idle.insts.push(Inst::Let { to: name, op: Op::Const(number) });
                    name
                }
            });
            to.push(register);
        }
        block.insts.push(Inst::If { cond, then, other, to });
        block.insts.append(&mut after);
        looks.append(&mut after_looks);
        Some(hoisted.len())
    }
}

/// Where instructions behind a choice go.
struct Destinations {
    /// The first of them.
    first: usize,
    /// Whether the first arm of the choice is the one that does nothing.
    idle_then: bool,
    /// Those that go before the choice, and those that go into the busy arm without a result, by their numbers from the first one.
    hoisted: FxHashSet<usize>,
    sunk: FxHashSet<usize>,
}

/// How many operations before a choice only its busy arm reads, with what moves there.
fn left_to(
    before: &[Inst],
    wanted: &FxHashSet<Reg>,
    outside: &FxHashSet<Reg>,
    choice: &Inst,
    idle_then: bool,
) -> usize {
    let (mut wanted, mut outside, mut count) = (wanted.clone(), outside.clone(), 0);
    if let Inst::If { cond, then, other, .. } = choice {
        let (idle, busy) = if idle_then { (then, other) } else { (other, then) };
        outside.insert(*cond);
        outside.extend(&idle.yields);
        idle.insts.iter().for_each(|inst| reads(inst, &mut outside));
        wanted.extend(&busy.yields);
    }
    for inst in before.iter().rev() {
        match inst {
            Inst::Let { op: Op::Const(_), .. } => {}
            Inst::Let { to, op } if wanted.contains(to) && !outside.contains(to) && !matches!(op, Op::Load(_)) => {
                wanted.extend(op.reads());
                count += 1;
            }
            inst => reads(inst, &mut outside),
        }
    }
    count
}

/// What is known of registers after the idle arm: those behind all others are numbers.
struct View<'a> {
    arms: &'a Arms<'a>,
    numbers: Vec<u64>,
}

impl View<'_> {
    fn number(&mut self, number: u64) -> Reg {
        self.numbers.push(number);
        self.arms.registers + self.numbers.len() as Reg - 1
    }
}

impl Facts for View<'_> {
    fn constant(&self, register: Reg) -> Option<u64> {
        match register.checked_sub(self.arms.registers) {
            Some(index) => self.numbers.get(index as usize).copied(),
            None => self.arms.constants.get(&register).copied(),
        }
    }

    fn truth(&self, register: Reg) -> Option<bool> {
        self.constant(register).map(|number| number != 0)
    }

    fn few(&self, register: Reg) -> bool {
        self.constant(register).is_some_and(|number| number.count_ones() <= 1)
    }

    fn possible(&self, register: Reg) -> u64 {
        self.constant(register).unwrap_or(u64::MAX)
    }

    fn definition(&self, _: Reg) -> Option<Op> {
        None
    }

    fn program(&self) -> &Program {
        self.arms.program
    }
}

/// Whether an instruction only computes, may stand deeper, and reads nothing that is written before it.
fn movable(inst: &Inst, stored: bool) -> bool {
    let effects = Effects::of_inst(inst);
    !(effects.stores || effects.emits || stored && effects.loads) && depth(inst) <= MAX_DEPTH
}

/// Instructions that do something: a number is there at no cost.
fn work(inst: &Inst) -> usize {
    match inst {
        Inst::Let { op: Op::Const(_), .. } => 0,
        _ => 1 + inner(inst).flat_map(|block| &block.insts).map(work).sum::<usize>(),
    }
}

fn depth(inst: &Inst) -> usize {
    1 + inner(inst).flat_map(|block| &block.insts).map(depth).max().unwrap_or(0)
}
