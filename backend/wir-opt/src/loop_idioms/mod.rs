//! Loops of one walk along a line, computed without going round.
//!
//! Such a loop takes a place from one to the next by a table, always up or always down, as long as the place is in a set
//! that does not depend on the rounds; on its way it adds places to sets or takes them away, and counts. It ends at the
//! first place of the line that is not in the set: a look-up of the line and a search for one bit. What the rounds before
//! did is a set of places and their number, and the last round is code like any other. See `docs/engine/techniques.md`,
//! *rays*.

mod computed;
mod line;
mod round;

use rg_ir::invariant::Invariant;
use rustc_hash::FxHashMap;
use wir::uses::{inner, inner_mut, rename};
use wir::{Block, Function, Inst, Op, Program, Reg, Table};

/// Places are bits of a word, and one that is none.
const PLACES: usize = 65;
/// The place that is no bit: also where the lowest bit of no bits is.
const NOWHERE: usize = 64;
/// Most choices behind a value that are looked at.
const MAX_CHOICES: usize = 32;

/// Replaces the loops of a function that are of this kind; the tables that this takes are added to the program.
/// Returns whether there were any.
pub(super) fn close(program: &mut Program, function: &mut Function) -> bool {
    if !has_loop(&function.body) {
        return false;
    }
    let mut definitions = FxHashMap::default();
    note(&function.body, &mut definitions);
    let registers = function.registers;
    let mut closing = Closing { program, definitions, choices: FxHashMap::default(), registers, closed: 0 };
    closing.block(&mut function.body);
    function.registers = closing.registers;
    closing.closed > 0
}

fn has_loop(block: &Block) -> bool {
    block.insts.iter().any(|inst| matches!(inst, Inst::Loop { .. }) || inner(inst).any(has_loop))
}

fn note(block: &Block, definitions: &mut FxHashMap<Reg, Op>) {
    for inst in &block.insts {
        if let Inst::Let { to, op } = inst {
            definitions.insert(*to, *op);
        }
        inner(inst).for_each(|block| note(block, definitions));
    }
}

struct Closing<'p> {
    program: &'p mut Program,
    definitions: FxHashMap<Reg, Op>,
    /// What results of choices are one of.
    choices: FxHashMap<Reg, Vec<Reg>>,
    registers: Reg,
    closed: usize,
}

/// What a loop comes to.
struct Closed {
    /// Where this is not 0 the loop may do something else.
    unless: Option<Reg>,
    insts: Vec<Inst>,
    results: Vec<Reg>,
}

impl Closing<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut names: FxHashMap<Reg, Reg> = FxHashMap::default();
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in block.insts.drain(..) {
            if !names.is_empty() {
                rename(&mut inst, &names);
            }
            inner_mut(&mut inst).for_each(|block| self.block(block));
            if let Inst::If { then, other, to, .. } = &inst {
                for (&to, (&yes, &no)) in to.iter().zip(then.yields.iter().zip(&other.yields)) {
                    self.choices.insert(to, vec![yes, no]);
                }
            }
            let (length, registers) = (insts.len(), self.registers);
            if let Inst::Loop { carried, body, to } = &inst {
                if let Some(closed) = self.closed(carried, body, &mut insts) {
                    self.closed += 1;
                    let results = match closed.unless {
                        None => {
                            insts.extend(closed.insts);
                            closed.results
                        }
                        Some(cond) => {
                            let mut fresh = || to.iter().map(|_| self.fresh()).collect::<Vec<Reg>>();
                            let (looped, results) = (fresh(), fresh());
                            let (carried, body) = (carried.clone(), body.clone());
                            let turns = Inst::Loop { carried, body, to: looped.clone() };
                            let then = Block { insts: vec![turns], yields: looped };
                            let other = Block { insts: closed.insts, yields: closed.results };
                            insts.push(Inst::If { cond, then, other, to: results.clone() });
                            results
                        }
                    };
                    names.extend(to.iter().copied().zip(results));
                    continue;
                }
                insts.truncate(length);
                self.registers = registers;
            }
            insts.push(inst);
        }
        block.insts = insts;
        block.yields.iter_mut().for_each(|register| *register = names.get(register).copied().unwrap_or(*register));
    }

    fn fresh(&mut self) -> Reg {
        // An attempt that came to nothing may have left something behind under this number.
        self.definitions.remove(&self.registers);
        self.registers += 1;
        self.registers - 1
    }

    fn put(&mut self, op: Op, insts: &mut Vec<Inst>) -> Reg {
        let to = self.fresh();
        self.definitions.insert(to, op);
        insts.push(Inst::Let { to, op });
        to
    }

    fn constant(&self, register: Reg) -> Option<u64> {
        match self.definitions.get(&register) {
            Some(Op::Const(number)) => Some(*number),
            _ => None,
        }
    }

    fn table(&mut self, mut entries: Vec<u64>) -> u32 {
        let last = entries.last().copied().invariant_or(0, "a table has entries");
        entries.resize(entries.len().max(1).next_power_of_two(), last);
        let tables = &mut self.program.tables;
        let known = tables.iter().position(|table| table.entries == entries);
        known.unwrap_or_else(|| {
            tables.push(Table { entries });
            tables.len() - 1
        }) as u32
    }

    /// The values that a register may have, if they are few: none is larger than `NOWHERE`.
    fn values(&self, register: Reg) -> Option<Vec<bool>> {
        let mut values = vec![false; PLACES];
        let (mut left, mut seen) = (vec![register], 0);
        while let Some(register) = left.pop() {
            seen += 1;
            if seen > MAX_CHOICES {
                return None;
            }
            match (self.choices.get(&register), self.definitions.get(&register)) {
                (Some(choices), _) => left.extend(choices),
                (None, Some(&Op::Select(_, yes, no))) => left.extend([yes, no]),
                (None, Some(&op)) => self.add_values(op, &mut values)?,
                (None, None) => return None,
            }
        }
        Some(values)
    }

    fn add_values(&self, op: Op, values: &mut [bool]) -> Option<()> {
        let mut add = |value: u64| {
            *values.get_mut(usize::try_from(value).ok()?)? = true;
            Some(())
        };
        match op {
            Op::Const(number) => add(number)?,
            Op::Table(table, _) => {
                let table = self.program.tables.get(table as usize)?;
                table.entries.iter().try_for_each(|&entry| add(entry))?;
            }
            Op::And(a, b) => {
                let most = self.constant(b).or_else(|| self.constant(a))?;
                (0..=most.min(PLACES as u64)).try_for_each(add)?;
            }
            Op::Lowest(_) | Op::Highest(_) => (0..PLACES as u64).try_for_each(add)?,
            _ => return None,
        }
        Some(())
    }

    /// A loop computed without going round. What tells whether it may be computed so is added to `insts`.
    fn closed(&mut self, carried: &[(Reg, Reg)], body: &Block, insts: &mut Vec<Inst>) -> Option<Closed> {
        if !body.insts.iter().all(|inst| matches!(inst, Inst::Let { .. } | Inst::SideExit { .. })) {
            return None;
        }
        let length = insts.len();
        for moving in 0..carried.len() {
            for ahead in [false, true] {
                if let Some(line) = self.line(carried, body, moving, ahead, insts)
                    && let Some(closed) = self.computed(carried, body, &line, insts)
                {
                    return Some(closed);
                }
                insts.truncate(length);
            }
        }
        None
    }
}

/// Whether a function of the place is the place.
fn is_same(values: &[u64]) -> bool {
    values.iter().enumerate().all(|(x, &value)| x as u64 == value)
}

/// Adds to some places those that can follow them; `None` if one of these is too large.
fn closure(possible: &mut [bool], step: &[usize]) -> Option<()> {
    let mut left: Vec<usize> = (0..possible.len()).filter(|&x| possible.get(x) == Some(&true)).collect();
    while let Some(x) = left.pop() {
        let &next: &usize = step.get(x)?;
        let known = possible.get_mut(next)?;
        if !*known {
            *known = true;
            left.push(next);
        }
    }
    Some(())
}

/// The places of the word for which something holds.
fn places(holds: impl Fn(usize) -> bool) -> u64 {
    (0..NOWHERE).filter(|&x| holds(x)).fold(0, |places, x| places | 1 << x)
}
