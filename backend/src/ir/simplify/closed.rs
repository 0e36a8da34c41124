//! Loops of one walk along a line, computed without going round.
//!
//! Such a loop takes a place from one to the next by a table, always up or always down, as long as the place is in a set
//! that does not depend on the rounds; on its way it adds places to sets or takes them away, and counts. It ends at the
//! first place of the line that is not in the set: a look-up of the line and a search for one bit. What the rounds before
//! did is a set of places and their number, and the last round is code like any other. Design study on reasoner performance,
//! T5 and T6.

use super::fold::evaluate;
use crate::ir::uses::{inner, inner_mut, rename};
use crate::ir::{Block, Function, Inst, Op, Program, Reg, Table};
use rustc_hash::FxHashMap;

/// Places are bits of a word, and one that is none.
const PLACES: usize = 65;
/// The place that is no bit: also where the lowest bit of no bits is.
const NOWHERE: usize = 64;
/// Most choices behind a value that are looked at.
const MAX_CHOICES: usize = 32;
/// Most entries of a table that tells what a number becomes in some rounds.
const MAX_ENTRIES: usize = 1 << 10;

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

/// What a register of a round is.
#[derive(Clone)]
enum Known {
    /// A function of the place: its value by place.
    Function(Vec<u64>),
    /// A word that does not change as far as the round looks at it, at these places; 0 at others.
    Word { word: Reg, at: Places },
    /// Something whose lowest bit tells whether the place is in the word; only at these places.
    Bit { word: Reg, at: Places },
    /// Whether the place is in a set. What it is nowhere may be unknown.
    Member { set: Reg, nowhere: Option<bool> },
}

/// Some places: those of the word, and whether the one that is none is among them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Places {
    of_word: u64,
    nowhere: bool,
}

const EVERYWHERE: Places = Places { of_word: u64::MAX, nowhere: true };

/// What becomes of a carried value in a round.
enum Change {
    /// It is the place.
    Place,
    /// The place is added to it.
    Joined,
    /// The place is taken away from it.
    Left,
    /// A number is added.
    Added(u64),
    /// It becomes an entry of this table.
    Looked(u32),
    /// It is not read in rounds.
    Unread,
}

/// A loop that can be closed.
struct Line {
    /// The place of the first round.
    start: Reg,
    /// What the round looks up by the place before: by place, if it only knows that one.
    before: FxHashMap<Reg, Vec<u64>>,
    changes: Vec<Change>,
    /// The registers of the body that are known.
    known: FxHashMap<Reg, Option<Known>>,
    /// Where it goes on.
    on: Reg,
    /// By place: those on the way from there, without the end.
    ahead: Vec<u64>,
    /// The place from which no way leads on.
    end: usize,
    /// What going on at the end would be: never, or if this bit of the set is there.
    endless: bool,
    upwards: bool,
    /// Most rounds that go on.
    rounds: u64,
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
        let last = entries.last().copied().unwrap_or(0);
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
        if !body.insts.iter().all(|inst| matches!(inst, Inst::Let { .. } | Inst::Bail { .. })) {
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

    /// What a loop is, if one of its carried values is a place of this kind; or, with `ahead`, the place before the one at
    /// which a round looks.
    fn line(
        &mut self,
        carried: &[(Reg, Reg)],
        body: &Block,
        moving: usize,
        ahead: bool,
        insts: &mut Vec<Inst>,
    ) -> Option<Line> {
        let (&on, next) = body.yields.split_first()?;
        let &(here, first) = carried.get(moving)?;
        let mut possible = self.values(first)?;
        // Which of the carried values can be a place is seen before anything is computed.
        let Some(&Op::Table(table, index)) = self.definitions.get(next.get(moving)?) else { return None };
        if index != here {
            return None;
        }
        let entries = &self.program.tables.get(table as usize)?.entries;
        let step = (0..PLACES).map(|x| entries.get(x & entries.len().wrapping_sub(1)).copied());
        let step = step.map(|next| next.map(|next| next as usize)).collect::<Option<Vec<usize>>>()?;
        let (mut start, mut before) = (first, FxHashMap::default());
        if ahead {
            closure(&mut possible, &step)?;
            before = self.by_next(body, here, &possible, &step)?;
            start = self.put(Op::Table(table, first), insts);
            let mut reached = vec![false; PLACES];
            for (_, &next) in possible.iter().zip(&step).filter(|(possible, _)| **possible) {
                *reached.get_mut(next)? = true;
            }
            possible = reached;
        }
        let here = (!ahead).then_some(here);
        let known = self.round(carried, body, here, &before, insts);
        let Some(Some(Known::Member { nowhere, .. })) = known.get(&on) else { return None };
        let ends_nowhere = *nowhere == Some(false);
        // From where rounds go on, and where the line ends.
        let mut step = step;
        if ends_nowhere {
            *step.get_mut(NOWHERE)? = NOWHERE;
        }
        closure(&mut possible, &step)?;
        let ends: Vec<usize> =
            (0..PLACES).filter(|&x| possible.get(x) == Some(&true) && step.get(x) == Some(&x)).collect();
        let (&end, []) = ends.split_first()? else { return None };
        let steps = (0..PLACES).filter(|&x| x != end && possible.get(x) == Some(&true));
        let steps: Vec<(usize, usize)> = steps.filter_map(|x| Some((x, *step.get(x)?))).collect();
        let upwards = steps.iter().all(|&(x, next)| next == end || next > x);
        if !upwards && !steps.iter().all(|&(x, next)| next == end || next < x) || steps.iter().any(|&(x, _)| x > 63) {
            return None;
        }
        let mut ahead = vec![0_u64; PLACES];
        let order: Vec<&(usize, usize)> = if upwards { steps.iter().rev().collect() } else { steps.iter().collect() };
        for &(x, next) in order {
            let rest = if next == end { 0 } else { *ahead.get(next)? };
            *ahead.get_mut(x)? = rest | 1 << x;
        }
        let rounds = ahead.iter().map(|places| places.count_ones()).max().unwrap_or(0);
        let passed = ahead.iter().fold(0, |all, places| all | places);
        let changes = self.changes(carried, body, moving, passed, &known)?;
        let endless = !(end == NOWHERE && ends_nowhere);
        Some(Line { start, before, changes, known, on, ahead, end, endless, upwards, rounds: rounds.into() })
    }

    /// What a round looks up by the place before the one at which it looks, by that one; `None` if the one before is read
    /// in another way.
    fn by_next(
        &self,
        body: &Block,
        before: Reg,
        possible: &[bool],
        step: &[usize],
    ) -> Option<FxHashMap<Reg, Vec<u64>>> {
        let mut all = FxHashMap::default();
        for inst in &body.insts {
            match inst {
                Inst::Let { to, op: Op::Table(table, index) } if *index == before => {
                    let entries = &self.program.tables.get(*table as usize)?.entries;
                    let mut values: Vec<Option<u64>> = vec![None; PLACES];
                    for (x, &next) in step.iter().enumerate().filter(|&(x, _)| possible.get(x) == Some(&true)) {
                        let entry = *entries.get(x & entries.len().wrapping_sub(1))?;
                        let value = values.get_mut(next)?;
                        if value.is_some_and(|known| known != entry) {
                            return None;
                        }
                        *value = Some(entry);
                    }
                    // Where nothing comes by it may be anything.
                    let same = values.iter().enumerate().all(|(x, value)| value.is_none_or(|value| value == x as u64));
                    let values = values.iter().zip(0..).map(|(value, x)| value.unwrap_or(if same { x } else { 0 }));
                    all.insert(*to, values.collect());
                }
                Inst::Let { op, .. } if op.reads().any(|register| register == before) => return None,
                Inst::Bail { cond } if *cond == before => return None,
                _ => {}
            }
        }
        (!body.yields.contains(&before)).then_some(all)
    }

    /// What is known of the registers of a round.
    fn round(
        &mut self,
        carried: &[(Reg, Reg)],
        body: &Block,
        here: Option<Reg>,
        before: &FxHashMap<Reg, Vec<u64>>,
        insts: &mut Vec<Inst>,
    ) -> FxHashMap<Reg, Option<Known>> {
        // Of those of which nothing is known it is known that they are of the round.
        let mut known: FxHashMap<Reg, Option<Known>> = FxHashMap::default();
        for (&(param, first), next) in carried.iter().zip(body.yields.iter().skip(1)) {
            let is_set = match self.definitions.get(next) {
                Some(&Op::Or(a, b)) => a == param || b == param,
                Some(&Op::AndNot(a, _)) => a == param,
                _ => false,
            };
            known.insert(param, is_set.then_some(Known::Word { word: first, at: EVERYWHERE }));
        }
        known.extend(here.map(|here| (here, Some(Known::Function((0..PLACES as u64).collect())))));
        for inst in &body.insts {
            if let Inst::Let { to, op } = inst {
                let value = match before.get(to) {
                    Some(values) => Some(Known::Function(values.clone())),
                    None => self.known(&known, *op, insts),
                };
                known.insert(*to, value);
            }
        }
        known
    }

    /// What an operation of a round is.
    fn known(&mut self, known: &FxHashMap<Reg, Option<Known>>, op: Op, insts: &mut Vec<Inst>) -> Option<Known> {
        let of = |register: Reg| {
            let constant = self.constant(register).map(|number| Known::Function(vec![number; PLACES]));
            constant.or_else(|| known.get(&register).cloned().flatten())
        };
        let outside = |register: Reg| match known.get(&register) {
            Some(known) => known.clone(),
            None => of(register).or(Some(Known::Word { word: register, at: EVERYWHERE })),
        };
        let reads: Vec<Option<Known>> = op.reads().map(of).collect();
        let functions = reads.iter().map(|read| match read {
            Some(Known::Function(values)) => Some(values),
            _ => None,
        });
        if let Some(functions) = functions.collect::<Option<Vec<&Vec<u64>>>>() {
            let registers: Vec<Reg> = op.reads().collect();
            let value = |x: usize| {
                let read = |register| {
                    let at = registers.iter().position(|&other| other == register)?;
                    functions.get(at)?.get(x).copied()
                };
                evaluate(self.program, op, read)
            };
            return Some(Known::Function((0..PLACES).map(value).collect::<Option<_>>()?));
        }
        match op {
            Op::Select(cond, yes, no) => {
                let Known::Function(cond) = of(cond)? else { return None };
                let chosen = |value: Known, wanted: bool| match value {
                    Known::Word { word, at } => {
                        let here = |x: usize| cond.get(x).is_some_and(|&cond| (cond != 0) == wanted);
                        let of_word = at.of_word & places(here);
                        Some(Known::Word { word, at: Places { of_word, nowhere: at.nowhere && here(NOWHERE) } })
                    }
                    _ => None,
                };
                let nothing =
                    |value: &Known| matches!(value, Known::Function(values) if values.iter().all(|&x| x == 0));
                match (outside(yes)?, outside(no)?) {
                    (yes, no) if nothing(&no) => chosen(yes, true),
                    (yes, no) if nothing(&yes) => chosen(no, false),
                    _ => None,
                }
            }
            Op::Shr(word, by) => {
                let Known::Function(by) = of(by)? else { return None };
                match outside(word)? {
                    Known::Word { word, at } if is_same(&by) => Some(Known::Bit { word, at }),
                    _ => None,
                }
            }
            Op::And(a, b) => match (of(a)?, of(b)?) {
                (Known::Bit { word, at }, Known::Function(ones)) | (Known::Function(ones), Known::Bit { word, at })
                    if ones.iter().all(|&one| one == 1) =>
                {
                    let set = self.within(word, at.of_word, insts);
                    Some(Known::Member { set, nowhere: (!at.nowhere).then_some(false) })
                }
                (Known::Member { set, nowhere }, Known::Function(also))
                | (Known::Function(also), Known::Member { set, nowhere })
                    if also.iter().all(|&also| also < 2) =>
                {
                    let set = self.within(set, places(|x| also.get(x) == Some(&1)), insts);
                    let never = also.get(NOWHERE) == Some(&0);
                    Some(Known::Member { set, nowhere: if never { Some(false) } else { nowhere } })
                }
                (a, b) => self.combined(a, b, Op::And, |a, b| a && b, insts),
            },
            Op::Or(a, b) => self.combined(of(a)?, of(b)?, Op::Or, |a, b| a || b, insts),
            Op::AndNot(a, b) => self.combined(of(a)?, of(b)?, Op::AndNot, |a, b| a && !b, insts),
            Op::Eq(a, b) => match (of(a)?, of(b)?) {
                (Known::Member { set, nowhere }, Known::Function(zero)) if zero.iter().all(|&zero| zero == 0) => {
                    let set = self.put(Op::Not(set), insts);
                    Some(Known::Member { set, nowhere: nowhere.map(|nowhere| !nowhere) })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A set without the places that do not count.
    fn within(&mut self, set: Reg, places: u64, insts: &mut Vec<Inst>) -> Reg {
        if places == u64::MAX {
            return set;
        }
        let places = self.put(Op::Const(places), insts);
        self.put(Op::And(set, places), insts)
    }

    fn combined(
        &mut self,
        a: Known,
        b: Known,
        op: fn(Reg, Reg) -> Op,
        truth: fn(bool, bool) -> bool,
        insts: &mut Vec<Inst>,
    ) -> Option<Known> {
        let (Known::Member { set: a, nowhere: x }, Known::Member { set: b, nowhere: y }) = (a, b) else { return None };
        let set = self.put(op(a, b), insts);
        Some(Known::Member { set, nowhere: x.zip(y).map(|(x, y)| truth(x, y)) })
    }

    /// What becomes of the carried values.
    fn changes(
        &self,
        carried: &[(Reg, Reg)],
        body: &Block,
        moving: usize,
        passed: u64,
        known: &FxHashMap<Reg, Option<Known>>,
    ) -> Option<Vec<Change>> {
        let next = body.yields.get(1..)?;
        let is_here = |register: Reg| match known.get(&register) {
            Some(Some(Known::Function(values))) => {
                values.iter().take(NOWHERE).enumerate().all(|(x, &value)| passed >> x & 1 == 0 || value == 1 << x)
            }
            _ => false,
        };
        let change = |(index, (&(param, _), next)): (usize, (&(Reg, Reg), &Reg))| {
            if index == moving {
                return Some(Change::Place);
            }
            let changed = match *self.definitions.get(next).unwrap_or(&Op::Const(0)) {
                Op::Or(a, b) if a == param && is_here(b) || b == param && is_here(a) => Some(Change::Joined),
                Op::AndNot(a, b) if a == param && is_here(b) => Some(Change::Left),
                Op::Add(a, b) if a == param => self.constant(b).map(Change::Added),
                Op::Add(a, b) if b == param => self.constant(a).map(Change::Added),
                Op::Table(table, index) if index == param => Some(Change::Looked(table)),
                _ => None,
            };
            changed.or_else(|| is_unread(body, param).then_some(Change::Unread))
        };
        carried.iter().zip(next).enumerate().map(change).collect()
    }

    /// See [`Closing::closed`].
    fn computed(&mut self, carried: &[(Reg, Reg)], body: &Block, line: &Line, insts: &mut Vec<Inst>) -> Option<Closed> {
        let Some(&Some(Known::Member { set: on, .. })) = line.known.get(&line.on) else { return None };
        let start = line.start;
        let ahead = self.table(line.ahead.clone());
        let all = self.put(Op::Table(ahead, start), insts);
        let stops = self.put(Op::AndNot(all, on), insts);
        let zero = self.put(Op::Const(0), insts);
        let mut unless = None;
        if line.endless {
            // Nothing stops it, and the end perhaps does not either: it goes on there.
            let end = self.put(Op::Const(1_u64.checked_shl(line.end as u32)?), insts);
            let stays = self.put(Op::And(on, end), insts);
            unless = Some(self.put(Op::Select(stops, zero, stays), insts));
        }
        let mut closed = Vec::new();
        let insts = &mut closed;
        let mut last = self.put(if line.upwards { Op::Lowest(stops) } else { Op::Highest(stops) }, insts);
        if line.end != NOWHERE {
            let end = self.put(Op::Const(line.end as u64), insts);
            last = self.put(Op::Select(stops, last, end), insts);
        }
        let beyond = self.put(Op::Table(ahead, last), insts);
        let passed = self.put(Op::AndNot(all, beyond), insts);
        let rounds = self.put(Op::Count(passed), insts);
        let mut names: FxHashMap<Reg, Reg> = FxHashMap::default();
        names.insert(line.on, zero);
        for (&(param, first), change) in carried.iter().zip(&line.changes) {
            let value = match *change {
                Change::Place if line.before.is_empty() => last,
                Change::Place => continue,
                Change::Joined => self.put(Op::Or(first, passed), insts),
                Change::Left => self.put(Op::AndNot(first, passed), insts),
                Change::Added(number) => {
                    let number = self.put(Op::Const(number), insts);
                    let all = self.put(Op::Mul(rounds, number), insts);
                    self.put(Op::Add(first, all), insts)
                }
                Change::Looked(table) => self.after(table, first, rounds, line.rounds, insts)?,
                Change::Unread => first,
            };
            names.insert(param, value);
        }
        // The last round, and what the others would have given back.
        for inst in &body.insts {
            match inst {
                Inst::Let { to, .. } if *to == line.on => {}
                Inst::Let { to, .. } if line.before.contains_key(to) => {
                    let values = line.before.get(to)?;
                    let value = if is_same(values) {
                        last
                    } else {
                        let table = self.table(values.clone());
                        self.put(Op::Table(table, last), insts)
                    };
                    names.insert(*to, value);
                }
                Inst::Let { to, .. } if self.is_at(line, *to) => {
                    let Some(&Some(Known::Member { set, .. })) = line.known.get(to) else { return None };
                    // The rounds before have changed nothing at this place.
                    let mut word = set;
                    if line.end == NOWHERE {
                        let outside = self.put(Op::ShrBy(last, 6), insts);
                        word = self.put(Op::Select(outside, zero, word), insts);
                    }
                    let one = self.put(Op::Const(1), insts);
                    let bit = self.put(Op::Shr(word, last), insts);
                    let value = self.put(Op::And(bit, one), insts);
                    names.insert(*to, value);
                }
                Inst::Let { to, op } => {
                    let op = op.map_reads(|register| names.get(&register).copied().unwrap_or(register));
                    let value = self.put(op, insts);
                    names.insert(*to, value);
                }
                Inst::Bail { cond } if self.counts_too_far(*cond, carried, line) => {}
                Inst::Bail { cond } => {
                    let Some(&Some(Known::Member { set, .. })) = line.known.get(cond) else { return None };
                    let before = self.put(Op::And(set, passed), insts);
                    insts.push(Inst::Bail { cond: before });
                    insts.push(Inst::Bail { cond: names.get(cond).copied().unwrap_or(*cond) });
                }
                _ => return None,
            }
        }
        let results = body.yields.iter().skip(1);
        let results = results.map(|register| names.get(register).copied().unwrap_or(*register)).collect();
        Some(Closed { unless, insts: closed, results })
    }

    /// Whether a register tells that the place is in a set, in which it is not if it is none.
    fn is_at(&self, line: &Line, register: Reg) -> bool {
        match line.known.get(&register) {
            Some(Some(Known::Member { nowhere, .. })) => *nowhere == Some(false) || line.end != NOWHERE,
            _ => false,
        }
    }

    /// Whether a condition is that so many rounds were made as can never be.
    fn counts_too_far(&self, cond: Reg, carried: &[(Reg, Reg)], line: &Line) -> bool {
        let Some(&Op::Eq(a, b)) = self.definitions.get(&cond) else { return false };
        let counts = |count: Reg, limit: Reg| {
            let at = carried.iter().position(|&(param, _)| param == count)?;
            let (first, limit) = (self.constant(carried.get(at)?.1)?, self.constant(limit)?);
            let one = matches!(line.changes.get(at), Some(Change::Added(1)));
            Some(one && first <= limit && limit - first > line.rounds)
        };
        counts(a, b).or_else(|| counts(b, a)) == Some(true)
    }

    /// What a number becomes in some rounds, each of which looks it up.
    fn after(&mut self, table: u32, first: Reg, rounds: Reg, most: u64, insts: &mut Vec<Inst>) -> Option<Reg> {
        let mut possible = self.values(first)?;
        let entries = self.program.tables.get(table as usize)?.entries.clone();
        let next = |value: usize| entries.get(value & entries.len().wrapping_sub(1)).map(|&next| next as usize);
        let mut left: Vec<usize> = (0..PLACES).filter(|&x| possible.get(x) == Some(&true)).collect();
        while let Some(value) = left.pop() {
            let known = possible.get_mut(next(value)?)?;
            if !*known {
                *known = true;
                left.push(next(value)?);
            }
        }
        let last = possible.iter().rposition(|&possible| possible)?;
        let mut each = (0..=last).filter(|&value| possible.get(value) == Some(&true)).map(|value| (value, next(value)));
        if each.clone().all(|(value, next)| next == Some(value + usize::from(value < last))) {
            let sum = self.put(Op::Add(first, rounds), insts);
            let last = self.put(Op::Const(last as u64), insts);
            let over = self.put(Op::Less(last, sum), insts);
            return Some(self.put(Op::Select(over, last, sum), insts));
        }
        if each.all(|(value, next)| next == Some(value.saturating_sub(1))) {
            let less = self.put(Op::Sub(first, rounds), insts);
            let under = self.put(Op::Less(first, rounds), insts);
            let zero = self.put(Op::Const(0), insts);
            return Some(self.put(Op::Select(under, zero, less), insts));
        }
        let numbers = last + 1;
        let columns = (most + 1).next_power_of_two();
        if numbers * columns as usize > MAX_ENTRIES {
            return None;
        }
        let mut all = Vec::with_capacity(numbers * columns as usize);
        for number in 0..numbers {
            let mut value = if possible.get(number) == Some(&true) { number } else { 0 };
            for _ in 0..columns {
                all.push(value as u64);
                value = next(value)?;
            }
        }
        let all = self.table(all);
        let row = self.put(Op::ShlBy(first, columns.trailing_zeros()), insts);
        let index = self.put(Op::Or(row, rounds), insts);
        Some(self.put(Op::Table(all, index), insts))
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

/// Whether nothing in a round reads a carried value.
fn is_unread(body: &Block, param: Reg) -> bool {
    body.insts.iter().all(|inst| match inst {
        Inst::Let { op, .. } => op.reads().all(|register| register != param),
        Inst::Bail { cond } => *cond != param,
        _ => false,
    }) && body.yields.iter().all(|&register| register != param)
}
