//! What a loop comes to.

use super::line::{Change, Line};
use super::round::Known;
use super::{Closed, Closing, NOWHERE, PLACES, is_same};
use rustc_hash::FxHashMap;
use wir::{Block, Inst, Op, Reg};

/// Most entries of a table that tells what a number becomes in some rounds.
const MAX_ENTRIES: usize = 1 << 10;

impl Closing<'_> {
    /// See [`Closing::closed`].
    pub(super) fn computed(
        &mut self,
        carried: &[(Reg, Reg)],
        body: &Block,
        line: &Line,
        insts: &mut Vec<Inst>,
    ) -> Option<Closed> {
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
                    let value = self.member(line, set, last, insts);
                    names.insert(*to, value);
                }
                Inst::Let { to, op } => {
                    let op = op.map_reads(|register| names.get(&register).copied().unwrap_or(register));
                    let value = self.put(op, insts);
                    names.insert(*to, value);
                }
                Inst::SideExit { cond } if self.counts_too_far(*cond, carried, line) => {}
                Inst::SideExit { cond } => {
                    let Some(&Some(Known::Member { set, .. })) = line.known.get(cond) else { return None };
                    let before = self.put(Op::And(set, passed), insts);
                    insts.push(Inst::SideExit { cond: before });
                    insts.push(Inst::SideExit { cond: names.get(cond).copied().unwrap_or(*cond) });
                }
                _ => return None,
            }
        }
        let results = body.yields.iter().skip(1);
        let results = results.map(|register| names.get(register).copied().unwrap_or(*register)).collect();
        Some(Closed { unless, insts: closed, results })
    }

    /// Whether the last place is in a set. The rounds before have changed nothing there.
    fn member(&mut self, line: &Line, set: Reg, last: Reg, insts: &mut Vec<Inst>) -> Reg {
        let mut word = set;
        if line.end == NOWHERE {
            let outside = self.put(Op::ShrBy(last, 6), insts);
            let zero = self.put(Op::Const(0), insts);
            word = self.put(Op::Select(outside, zero, word), insts);
        }
        let one = self.put(Op::Const(1), insts);
        let bit = self.put(Op::Shr(word, last), insts);
        self.put(Op::And(bit, one), insts)
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
