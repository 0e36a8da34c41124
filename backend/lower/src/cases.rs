//! Lanes that are distinguished by the answers to one question: `v == 0`, `v == 1`, … of one value, or of one entry of a map.
//!
//! Where ways part by what a square holds and meet again, the lanes that arrive hold different values of the same variables.
//! If there is one for each answer, some walk is in one of them if it came to the question at all: of the guards nothing
//! is left, and each variable is a choice by the answer alone.

use super::Lifter;
use super::lane::{Lane, Sets, Store, Val};
use super::numbers::path;
use super::sets::Set;
use super::values::Known;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, VarId};
use std::rc::Rc;
use wir::{Op, Reg};

/// Most lanes among which such are looked for.
const MAX_LOOKED_AT: usize = 64;
/// Most values that are counted one by one.
const MAX_VALUES: usize = 64;
/// How deep choices are looked through for their values.
const MAX_CHOICES: u32 = 16;

/// What is asked; it has one answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// The value of a map, as the set of indices with each value, at an index.
    Entry(Rc<[Set]>, Val),
    /// A value.
    Value(Reg),
}

/// The answer that a lane's walks got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Case {
    asked: Asked,
    answer: u32,
    /// The answers that there are, a bit each.
    answers: u64,
    /// Whether it is this answer.
    truth: Reg,
    /// The lane's guard before it was asked.
    before: Reg,
    /// The lane's guard after that.
    after: Reg,
    /// The block in which it was asked.
    block: u64,
}

impl Case {
    /// Whether not both can be.
    pub(super) fn excludes(&self, other: &Case) -> bool {
        self.asked == other.asked && self.answer != other.answer
    }

    /// Whether both are answers to one question that was asked of the same walks.
    fn is_beside(&self, other: &Case) -> bool {
        self.asked == other.asked && self.before == other.before && self.block == other.block
    }
}

impl Lane {
    /// The lane where the questions may be asked anew, or were: in a loop they have another answer each time.
    pub(super) fn without_cases(mut self) -> Self {
        self.cases.clear();
        self
    }

    /// A value, or the constant that it is as tests have told.
    fn case_value(&self, value: &Val) -> Val {
        let Val::Reg(reg) = value else { return value.clone() };
        let case = self.cases.iter().rev().find(|case| case.asked == Asked::Value(*reg));
        case.map_or_else(|| value.clone(), |case| Val::Const(case.answer))
    }
}

impl Lifter<'_> {
    /// What a comparison asks of a lane without choices, the answer, and the answers that there are.
    pub(super) fn question(&mut self, lane: &Lane, lhs: ExprId, rhs: ExprId) -> Option<(Asked, u32, u64)> {
        if lane.generator.is_some() || self.function.partial {
            return None;
        }
        let class = self.class_of(lhs).ok().flatten().or(self.class_of(rhs).ok().flatten())?;
        for (asked, other) in [(lhs, rhs), (rhs, lhs)] {
            let (Expr::Symbol(symbol), (Expr::Var(var), keys)) = (path(self.game, other).0, path(self.game, asked))
            else {
                continue;
            };
            let answer = self.known.numbers.number(class, symbol)?;
            match lane.vars.get(var.index())? {
                Store::Scalar(Val::Reg(value)) if keys.is_empty() => {
                    let answers = bits(&self.possible_values(*value)?)?;
                    return Some((Asked::Value(*value), answer, answers));
                }
                Store::Sets(sets) if sets.pending.is_empty() && sets.of.len() <= MAX_VALUES => {
                    let of = sets.of.clone();
                    let (index, _) = self.place(lane, var, &keys, &Known::default()).ok()?;
                    let index = index.filter(|index| self.is_always_real(var, index))?;
                    let some = of.iter().zip(0u32..).filter(|(set, _)| self.may_be_in(set, var));
                    let answers = some.fold(0, |answers, (_, value)| answers | 1 << value);
                    return Some((Asked::Entry(of, index), answer, answers));
                }
                _ => {}
            }
        }
        None
    }

    /// Notes the answer to a question that `truth` tells, if it does.
    pub(super) fn answered(&mut self, lane: &mut Lane, asked: (Asked, u32, u64), truth: Reg, before: Reg) {
        let (asked, answer, answers) = asked;
        if self.function.builder.constant_of(truth).is_none() && answer < 64 {
            let (after, block) = (lane.guard, self.function.builder.block());
            lane.cases.push(Case { asked, answer, answers, truth, before, after, block });
        }
    }

    /// Makes one lane of those that have all answers to one question between them, and no other conditions since. The guard
    /// is what it was before the question, and that holds in all states: each entry of a map has one value.
    pub(super) fn split_by_case(&mut self, mut lanes: Vec<Lane>) -> Vec<Lane> {
        if lanes.len() < 2 || lanes.len() > MAX_LOOKED_AT {
            return lanes;
        }
        while let Some(group) = self.complete_group(&lanes) {
            let mut taken = Vec::with_capacity(group.len());
            for &at in group.iter().rev() {
                taken.push(lanes.remove(at));
            }
            taken.reverse();
            if let (Some(&first), Some(lane)) = (group.first(), self.by_answer(&taken)) {
                lanes.insert(first, lane);
            }
        }
        lanes
    }

    /// Lanes that can become one, in order.
    fn complete_group(&self, lanes: &[Lane]) -> Option<Vec<usize>> {
        let last = |lane: &Lane| {
            let case = lane.cases.last().filter(|case| case.after == lane.guard && lane.generator.is_none())?;
            self.function.builder.is_open(case.block).then(|| case.clone())
        };
        let cases: Vec<Option<Case>> = lanes.iter().map(last).collect();
        for (at, (case, lane)) in cases.iter().zip(lanes).enumerate() {
            let Some(case) = case else { continue };
            let (mut group, mut answers) = (vec![at], 1u64 << case.answer);
            for (other, (next, with)) in cases.iter().zip(lanes).enumerate().skip(at + 1) {
                let Some(next) = next.as_ref().filter(|next| next.is_beside(case)) else { continue };
                if answers >> next.answer & 1 == 0 && mixable(lane, with) {
                    answers |= 1 << next.answer;
                    group.push(other);
                }
            }
            if group.len() > 1 && case.answers & !answers == 0 {
                return Some(group);
            }
        }
        None
    }

    /// One lane of lanes whose last cases are all answers to one question.
    fn by_answer(&mut self, lanes: &[Lane]) -> Option<Lane> {
        let (first, others) = lanes.split_first()?;
        let truths: Vec<Reg> = lanes.iter().filter_map(|lane| Some(lane.cases.last()?.truth)).collect();
        let mut lane = first.clone();
        lane.guard = first.cases.last()?.before;
        others.iter().for_each(|other| lane.common_facts(other));
        for var in 0..lane.vars.len() {
            let stores: Vec<&Store> = lanes.iter().filter_map(|lane| lane.vars.get(var)).collect();
            if others.iter().any(|other| other.vars.get(var) != first.vars.get(var)) {
                let store = self.store_by(&stores, lanes, &truths).unwrap_or(Store::Dead);
                lane.vars.get_mut(var).into_iter().for_each(|slot| *slot = store.clone());
            }
        }
        Some(lane)
    }

    /// What one of several variables holds of which as many truth values tell the right one.
    fn store_by(&mut self, stores: &[&Store], lanes: &[Lane], truths: &[Reg]) -> Option<Store> {
        match *stores.first()? {
            Store::Scalar(_) => {
                let value = |(store, lane): (&&Store, &Lane)| match store {
                    Store::Scalar(value) => Some(lane.case_value(value)),
                    _ => None,
                };
                let values = stores.iter().zip(lanes).map(value).collect();
                self.value_by(values, truths).map(Store::Scalar)
            }
            Store::Cells(cells) => {
                let cell = |at: usize, store: &Store| match store {
                    Store::Cells(cells) => cells.get(at).cloned(),
                    _ => None,
                };
                let cells = (0..cells.len()).map(|at| {
                    let values = stores.iter().map(|store| cell(at, store)).collect();
                    self.value_by(values, truths)
                });
                cells.collect::<Option<_>>().map(Store::Cells)
            }
            Store::Sets(sets) => {
                let word = |value: usize, at: usize, store: &Store| match store {
                    Store::Sets(sets) => sets.of.get(value)?.get(at).copied(),
                    _ => None,
                };
                let of = sets.of.iter().enumerate().map(|(value, set)| {
                    let words = (0..set.len()).map(|at| {
                        let words: Option<Vec<Reg>> = stores.iter().map(|store| word(value, at, store)).collect();
                        words.map(|words| self.word_by(&words, truths))
                    });
                    words.collect::<Option<Set>>()
                });
                Some(Store::Sets(Sets { of: of.collect::<Option<_>>()?, pending: Rc::from([]) }))
            }
            Store::Dead => None,
        }
    }

    fn value_by(&mut self, values: Option<Vec<Val>>, truths: &[Reg]) -> Option<Val> {
        let values = values?;
        if values.iter().all(|value| Some(value) == values.first()) {
            return values.into_iter().next();
        }
        let words: Option<Vec<Reg>> = values.iter().map(|value| value.reg(&mut self.function.builder)).collect();
        Some(Val::Reg(self.word_by(&words?, truths)))
    }

    /// The word whose truth value holds: one of them does.
    fn word_by(&mut self, words: &[Reg], truths: &[Reg]) -> Reg {
        let mut cases: Vec<(Reg, Reg, usize)> = Vec::new();
        for (&word, &truth) in words.iter().zip(truths) {
            match cases.iter_mut().find(|(other, ..)| *other == word) {
                Some((_, any, count)) => {
                    *any = self.function.builder.or(*any, truth);
                    *count += 1;
                }
                None => cases.push((word, truth, 1)),
            }
        }
        // What most ways come to needs no test.
        let usual = (0..cases.len()).max_by_key(|&at| (cases.get(at).map(|case| case.2), std::cmp::Reverse(at)));
        let Some((usual, ..)) = usual.map(|at| cases.remove(at)) else { return self.function.builder.constant(0) };
        cases
            .into_iter()
            .fold(usual, |other, (word, truth, _)| self.function.builder.op(Op::Select(truth, word, other)))
    }

    /// The few values that a register can have, as far as is known.
    pub(super) fn possible_values(&self, reg: Reg) -> Option<Vec<u64>> {
        let mut values = Vec::new();
        self.collect_values(reg, MAX_CHOICES, &mut values)?;
        values.sort_unstable();
        values.dedup();
        Some(values)
    }

    fn collect_values(&self, reg: Reg, depth: u32, values: &mut Vec<u64>) -> Option<()> {
        if let Some(value) = self.function.builder.constant_of(reg) {
            values.push(value);
        } else if let Some(images) = self.images(reg) {
            values.extend(images);
        } else if self.function.builder.possible_bits(reg) == 1 {
            values.extend([0, 1]);
        } else {
            let Some(Op::Select(_, a, b)) = self.function.builder.op_of(reg).filter(|_| depth > 0) else { return None };
            self.collect_values(a, depth - 1, values)?;
            self.collect_values(b, depth - 1, values)?;
        }
        (values.len() <= MAX_VALUES).then_some(())
    }

    /// Whether any index at which a map has a value may be in a set.
    fn may_be_in(&self, set: &Set, var: VarId) -> bool {
        (0..).zip(set.iter()).any(|(i, &word)| {
            let possible = self.function.builder.possible_bits(word);
            (0..64).any(|bit| possible >> bit & 1 == 1 && self.is_real(var, Some(64 * i + bit)))
        })
    }

    /// Whether an index surely is one at which a map has a value.
    pub(super) fn is_always_real(&self, var: VarId, index: &Val) -> bool {
        let real = |&index: &u64| self.is_real(var, u32::try_from(index).ok());
        match index {
            Val::Const(index) => real(&u64::from(*index)),
            Val::Reg(index) => self.possible_values(*index).is_some_and(|values| values.iter().all(real)),
            Val::Gen(_) => false,
        }
    }
}

/// Whether lanes differ in nothing but what registers can hold.
fn mixable(a: &Lane, b: &Lane) -> bool {
    let fits = |pair: (&Store, &Store)| match pair {
        (Store::Sets(a), Store::Sets(b)) => a.pending.is_empty() && b.pending.is_empty() && a.of.len() == b.of.len(),
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    a.label == b.label
        && a.deferred_at.0 == b.deferred_at.0
        && a.chosen == b.chosen
        && a.vars.len() == b.vars.len()
        && a.vars.iter().zip(&b.vars).all(fits)
}

/// A set of numbers below 64.
fn bits(values: &[u64]) -> Option<u64> {
    values.iter().try_fold(0, |bits, &value| (value < 64).then(|| bits | 1 << value))
}
