//! Automata over steps of pieces: deterministic and minimal.

use crate::codes;
use crate::model::{Refused, refuse};
use rg_ir::Span;
use rustc_hash::FxHashMap;
use sbg::ast::Step;
use std::collections::{BTreeMap, BTreeSet};

/// Most states of a deterministic automaton.
const MAX_STATES: usize = 2_000;
/// Most members of all sets together that are made while determinising.
const MAX_WORK: usize = 1 << 20;

/// An automaton over steps with empty steps. State 0 is the start.
pub(crate) struct Walks<L = Step> {
    pub(crate) empty: Vec<BTreeSet<usize>>,
    pub(crate) steps: Vec<BTreeSet<(L, usize)>>,
    pub(crate) accepts: Vec<bool>,
}

impl<L> Default for Walks<L> {
    fn default() -> Self {
        Self { empty: Vec::new(), steps: Vec::new(), accepts: Vec::new() }
    }
}

impl<L: Copy + Ord> Walks<L> {
    pub(crate) fn state(&mut self) -> usize {
        self.empty.push(BTreeSet::new());
        self.steps.push(BTreeSet::new());
        self.accepts.push(false);
        self.accepts.len() - 1
    }

    fn closure(&self, set: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut pending: Vec<usize> = set.into_iter().collect();
        let mut closed: BTreeSet<usize> = pending.iter().copied().collect();
        while let Some(state) = pending.pop() {
            pending.extend(self.empty[state].iter().filter(|&&next| closed.insert(next)));
        }
        closed
    }

    /// The minimal deterministic automaton.
    pub(crate) fn minimal(&self) -> Result<Minimal<L>, Refused> {
        let start = self.closure([0].into_iter().filter(|_| !self.accepts.is_empty()));
        let mut names = FxHashMap::from_iter([(start.clone(), 0)]);
        let (mut sets, mut out, mut work) = (vec![start], Minimal::default(), 0);
        while let Some(set) = sets.get(out.next.len()).cloned() {
            rg_ir::cancel::check();
            let mut targets: BTreeMap<L, BTreeSet<usize>> = BTreeMap::new();
            for &(step, to) in set.iter().flat_map(|&state| &self.steps[state]) {
                targets.entry(step).or_default().insert(to);
            }
            let mut next = BTreeMap::new();
            for (step, target) in targets {
                let target = self.closure(target);
                work += target.len();
                if work > MAX_WORK || sets.len() > MAX_STATES {
                    let message = "the rule of a piece would be too long: its automaton has too many states";
                    return Err(refuse(codes::TOO_LARGE, Span::NONE, message));
                }
                let fresh = sets.len();
                let name = *names.entry(target.clone()).or_insert(fresh);
                if name == fresh {
                    sets.push(target);
                }
                next.insert(step, name);
            }
            out.accepts.push(set.iter().any(|&state| self.accepts[state]));
            out.next.push(next);
        }
        Ok(out.trimmed().merged())
    }
}

/// A deterministic automaton over steps, all of whose states lead to an end. State 0 is the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Minimal<L = Step> {
    pub(crate) next: Vec<BTreeMap<L, usize>>,
    pub(crate) accepts: Vec<bool>,
}

impl<L> Default for Minimal<L> {
    fn default() -> Self {
        Self { next: Vec::new(), accepts: Vec::new() }
    }
}

impl<L: Copy + Ord> Minimal<L> {
    /// Whether there are no walks.
    pub(crate) fn is_empty(&self) -> bool {
        !self.accepts.contains(&true)
    }

    fn trimmed(mut self) -> Self {
        let mut useful = self.accepts.clone();
        loop {
            let before = useful.clone();
            for (state, next) in self.next.iter().enumerate() {
                useful[state] |= next.values().any(|&to| before[to]);
            }
            if before == useful {
                break;
            }
        }
        for next in &mut self.next {
            next.retain(|_, to| useful[*to]);
        }
        self
    }

    /// States with the same futures become one, numbered in the order in which they are come to.
    pub(crate) fn merged(self) -> Self {
        let mut class: Vec<usize> = self.accepts.iter().map(|&accepts| usize::from(accepts)).collect();
        loop {
            let mut names = BTreeMap::new();
            let mut next = Vec::with_capacity(class.len());
            for (state, steps) in self.next.iter().enumerate() {
                let futures: Vec<(L, usize)> = steps.iter().map(|(&step, &to)| (step, class[to])).collect();
                let fresh = names.len();
                next.push(*names.entry((class[state], futures)).or_insert(fresh));
            }
            let stable = names.len() == class.iter().collect::<BTreeSet<_>>().len();
            class = next;
            if stable {
                break;
            }
        }
        let (mut order, mut out) = (vec![0], Self::default());
        let mut numbers = FxHashMap::from_iter([(class.first().copied().unwrap_or(0), 0)]);
        while let Some(&state) = order.get(out.next.len()) {
            let mut next = BTreeMap::new();
            for (&step, &to) in self.next.get(state).into_iter().flatten() {
                let fresh = order.len();
                let number = *numbers.entry(class[to]).or_insert(fresh);
                if number == fresh {
                    order.push(to);
                }
                next.insert(step, number);
            }
            out.accepts.push(self.accepts.get(state).copied().unwrap_or(false));
            out.next.push(next);
        }
        out
    }
}

impl Minimal {
    /// The same walks upside down.
    pub(crate) fn flipped(&self) -> Self {
        let turn = |next: &BTreeMap<Step, usize>| {
            next.iter().map(|(&step, &to)| (Step { dy: -step.dy, ..step }, to)).collect()
        };
        let turned = Self { next: self.next.iter().map(turn).collect(), accepts: self.accepts.clone() };
        turned.merged()
    }

    /// Whether all steps are jumps of knights.
    pub(crate) fn is_of_knights(&self) -> bool {
        self.next.iter().flat_map(BTreeMap::keys).all(|step| step.dx.unsigned_abs() * step.dy.unsigned_abs() == 2)
    }
}
