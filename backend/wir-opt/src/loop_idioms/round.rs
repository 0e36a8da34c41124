//! What the registers of a round are.

use super::{Closing, NOWHERE, PLACES, is_same, places};
use rustc_hash::FxHashMap;
use wir::{Block, Inst, Op, Reg};

/// What a register of a round is.
#[derive(Clone)]
pub(super) enum Known {
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
pub(super) struct Places {
    pub(super) of_word: u64,
    pub(super) nowhere: bool,
}

const EVERYWHERE: Places = Places { of_word: u64::MAX, nowhere: true };

impl Closing<'_> {
    /// What a round looks up by the place before the one at which it looks, by that one; `None` if the one before is read
    /// in another way.
    pub(super) fn by_next(
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
                Inst::SideExit { cond } if *cond == before => return None,
                _ => {}
            }
        }
        (!body.yields.contains(&before)).then_some(all)
    }

    /// What is known of the registers of a round.
    pub(super) fn round(
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
                op.evaluate(&self.program.tables, read)
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
}
