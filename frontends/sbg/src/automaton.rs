//! The automaton of a rule: without empty words, deterministic and minimal where that stays small.

use crate::ast::{Expr, ExprId, Moves, Step};
use rustc_hash::FxHashMap;

/// Most steps of a rule with its powers written out.
pub const MAX_STEPS: u64 = 100_000;

/// Most members of all sets of states together that are made while determinising.
const SUBSET_BUDGET: usize = 1 << 19;

/// Most transitions without empty words, if determinising takes too much.
const CLOSURE_BUDGET: usize = 1 << 20;

/// Most work for merging states.
const MERGE_BUDGET: usize = 1 << 21;

/// A state. State 0 is the start.
pub type State = u32;

/// An automaton over steps. Every state but the start lies on a way from the start to an accepting state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// Per state the transitions, sorted.
    pub(crate) transitions: Vec<Vec<(Step, State)>>,
    /// Per state whether a word may end there.
    pub(crate) accepting: Vec<bool>,
}

/// A rule whose automaton would be too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Words {
    /// The automaton of an expression, small. Linear in the steps with powers written out, plus fixed budgets.
    ///
    /// # Errors
    /// The expression is too long.
    pub fn new(moves: &Moves, root: ExprId) -> Result<Self, TooLarge> {
        let mut words = Self::plain(moves, root)?;
        words.merge();
        Ok(words)
    }

    /// The automaton of an expression, to be looked through once.
    pub(crate) fn plain(moves: &Moves, root: ExprId) -> Result<Self, TooLarge> {
        if steps(moves, root) > MAX_STEPS { Err(TooLarge) } else { Self::part(moves, root) }
    }

    /// The automaton of a part of an expression that is known not to be too large. Linear in the part.
    pub(crate) fn part(moves: &Moves, root: ExprId) -> Result<Self, TooLarge> {
        let nfa = Thompson::build(moves, root);
        let mut words = nfa.determinise().map_or_else(|| nfa.without_empty(), Ok)?;
        words.trim();
        Ok(words)
    }

    /// The automaton of the shortest beginnings of words that are words: what has to be looked at to know whether there
    /// is a move at all.
    pub(crate) fn shortest(&self) -> Self {
        let mut words = self.clone();
        for (transitions, _) in words.transitions.iter_mut().zip(&self.accepting).filter(|(_, accepts)| **accepts) {
            transitions.clear();
        }
        words.trim();
        words.merge();
        words
    }

    /// The same moves upside down.
    pub fn flipped(&self) -> Self {
        let mut words = self.clone();
        for transitions in &mut words.transitions {
            for (step, _) in transitions.iter_mut() {
                step.dy = -step.dy;
            }
            transitions.sort_unstable();
        }
        words
    }

    /// The transitions of a state.
    pub fn from(&self, state: State) -> &[(Step, State)] {
        self.transitions.get(state as usize).map_or(&[], |list| list)
    }

    /// Whether a word may end in a state.
    pub fn accepts(&self, state: State) -> bool {
        self.accepting.get(state as usize).copied().unwrap_or(false)
    }

    /// Number of transitions.
    pub(crate) fn size(&self) -> usize {
        self.transitions.iter().map(Vec::len).sum()
    }

    /// Removes states that are not on a way from the start to an accepting one.
    fn trim(&mut self) {
        let count = self.accepting.len();
        let mut incoming: Vec<Vec<State>> = vec![Vec::new(); count];
        for (from, transitions) in (0..).zip(&self.transitions) {
            for &(_, to) in transitions {
                if let Some(list) = incoming.get_mut(to as usize) {
                    list.push(from);
                }
            }
        }
        let ends = (0..).zip(&self.accepting).filter(|(_, accepts)| **accepts).map(|(state, _)| state);
        let useful = flood(count, ends.collect(), |state| incoming.get(state as usize).into_iter().flatten().copied());
        let is_useful = |state: State| useful.get(state as usize).copied().unwrap_or(false);
        let next = |state: State| self.from(state).iter().map(|&(_, to)| to).filter(|&to| is_useful(to));
        let reached = flood(count, vec![0], |state| next(state).collect::<Vec<_>>());
        let mut numbers = vec![None; count];
        let mut made: State = 0;
        for (number, reached) in numbers.iter_mut().zip(reached) {
            if reached {
                *number = Some(made);
                made += 1;
            }
        }
        self.renumber(&numbers);
    }

    /// Renames states; states without a number vanish with their transitions. States with one number must agree.
    fn renumber(&mut self, numbers: &[Option<State>]) {
        let made = numbers.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut words = Words { transitions: vec![Vec::new(); made], accepting: vec![false; made] };
        let number = |state: State| numbers.get(state as usize).copied().flatten();
        for ((&new, transitions), &accepts) in numbers.iter().zip(&self.transitions).zip(&self.accepting) {
            let Some(new) = new.map(|n| n as usize) else { continue };
            let (Some(list), Some(end)) = (words.transitions.get_mut(new), words.accepting.get_mut(new)) else {
                continue;
            };
            *end = accepts;
            *list = transitions.iter().filter_map(|&(step, to)| Some((step, number(to)?))).collect();
            list.sort_unstable();
            list.dedup();
        }
        *self = words;
    }

    /// Merges states with the same futures, as far as the budget goes: classes are split until they are stable.
    fn merge(&mut self) {
        let cost = self.size() + self.accepting.len();
        let mut class: Vec<State> = self.accepting.iter().map(|&accepts| State::from(accepts)).collect();
        let mut count = 0;
        for _ in 0..MERGE_BUDGET.checked_div(cost).unwrap_or(0) {
            let mut names: FxHashMap<(State, Vec<(Step, State)>), State> = FxHashMap::default();
            let mut next = Vec::with_capacity(class.len());
            for (transitions, &own) in self.transitions.iter().zip(&class) {
                let target = |to: State| class.get(to as usize).copied().unwrap_or(0);
                let mut future: Vec<(Step, State)> = transitions.iter().map(|&(step, to)| (step, target(to))).collect();
                future.sort_unstable();
                future.dedup();
                let fresh = State::try_from(names.len()).unwrap_or(State::MAX);
                next.push(*names.entry((own, future)).or_insert(fresh));
            }
            class = next;
            if names.len() == count {
                let numbers: Vec<Option<State>> = class.into_iter().map(Some).collect();
                return self.renumber(&numbers);
            }
            count = names.len();
        }
    }
}

/// The states that `next` leads to from `stack`.
fn flood<I: IntoIterator<Item = State>>(count: usize, mut stack: Vec<State>, next: impl Fn(State) -> I) -> Vec<bool> {
    let mut seen = vec![false; count];
    while let Some(state) = stack.pop() {
        if let Some(seen) = seen.get_mut(state as usize).filter(|seen| !**seen) {
            *seen = true;
            stack.extend(next(state));
        }
    }
    seen
}

/// Number of steps (and of empty powers) of an expression with powers written out. Linear in the arena.
fn steps(moves: &Moves, root: ExprId) -> u64 {
    let mut sizes: Vec<u64> = Vec::with_capacity(moves.nodes.len());
    for (expr, _) in moves.nodes.iter().take(root.0 as usize + 1) {
        let size = |id: &ExprId| sizes.get(id.0 as usize).copied().unwrap_or(1);
        sizes.push(match expr {
            Expr::Step(_) => 1,
            Expr::Sum(list) | Expr::Concat(list) => list.iter().fold(0, |sum, id| sum.saturating_add(size(id))),
            Expr::Power(id, n) => size(id).saturating_mul(u64::from(*n)).max(1),
            Expr::Star(id) => size(id),
        });
    }
    sizes.get(root.0 as usize).copied().unwrap_or(0)
}

/// An automaton with empty transitions.
#[derive(Default)]
struct Thompson {
    empty: Vec<Vec<State>>,
    steps: Vec<Vec<(Step, State)>>,
    end: State,
}

impl Thompson {
    fn build(moves: &Moves, root: ExprId) -> Self {
        let mut nfa = Thompson::default();
        let start = nfa.state();
        nfa.end = nfa.state();
        let mut tasks = vec![(root, start, nfa.end)];
        while let Some((id, from, to)) = tasks.pop() {
            match moves.get(id) {
                None => {}
                Some(&Expr::Step(step)) => {
                    if let Some(list) = nfa.steps.get_mut(from as usize) {
                        list.push((step, to));
                    }
                }
                Some(Expr::Sum(list)) => tasks.extend(list.iter().map(|&part| (part, from, to))),
                Some(Expr::Concat(list)) => nfa.chain(list.iter().copied(), from, to, &mut tasks),
                Some(&Expr::Power(part, n)) => {
                    nfa.chain(std::iter::repeat_n(part, n as usize), from, to, &mut tasks);
                }
                Some(&Expr::Star(part)) => {
                    let turn = nfa.state();
                    nfa.skip(from, turn);
                    nfa.skip(turn, to);
                    tasks.push((part, turn, turn));
                }
            }
        }
        nfa
    }

    fn state(&mut self) -> State {
        self.empty.push(Vec::new());
        self.steps.push(Vec::new());
        State::try_from(self.empty.len() - 1).unwrap_or(State::MAX)
    }

    fn skip(&mut self, from: State, to: State) {
        if let Some(list) = self.empty.get_mut(from as usize) {
            list.push(to);
        }
    }

    fn chain(
        &mut self,
        parts: impl Iterator<Item = ExprId>,
        from: State,
        to: State,
        tasks: &mut Vec<(ExprId, State, State)>,
    ) {
        let mut at = from;
        for part in parts {
            let next = self.state();
            tasks.push((part, at, next));
            at = next;
        }
        self.skip(at, to);
    }

    /// All states that can be reached from `set` without a step, sorted.
    fn closure(&self, mut set: Vec<State>, seen: &mut FxHashMap<State, ()>) -> Vec<State> {
        seen.clear();
        let mut all = Vec::new();
        while let Some(state) = set.pop() {
            if seen.insert(state, ()).is_none() {
                all.push(state);
                set.extend(self.empty.get(state as usize).into_iter().flatten());
            }
        }
        all.sort_unstable();
        all
    }

    /// The subset construction; `None` if it takes too much.
    fn determinise(&self) -> Option<Words> {
        let mut seen = FxHashMap::default();
        let start = self.closure(vec![0], &mut seen);
        let mut names: FxHashMap<Vec<State>, State> = FxHashMap::from_iter([(start.clone(), 0)]);
        let mut sets = vec![start];
        let mut words = Words::default();
        let mut spent = 0;
        while let Some(set) = sets.get(words.accepting.len()).cloned() {
            let mut targets: FxHashMap<Step, Vec<State>> = FxHashMap::default();
            for &(step, to) in set.iter().flat_map(|&state| self.steps.get(state as usize).into_iter().flatten()) {
                targets.entry(step).or_default().push(to);
            }
            let mut targets: Vec<(Step, Vec<State>)> = targets.into_iter().collect();
            targets.sort_unstable();
            let mut transitions = Vec::with_capacity(targets.len());
            for (step, target) in targets {
                let target = self.closure(target, &mut seen);
                spent += target.len();
                if spent > SUBSET_BUDGET {
                    return None;
                }
                let fresh = State::try_from(sets.len()).unwrap_or(State::MAX);
                let name = *names.entry(target.clone()).or_insert(fresh);
                if name == fresh {
                    sets.push(target);
                }
                transitions.push((step, name));
            }
            words.accepting.push(set.binary_search(&self.end).is_ok());
            words.transitions.push(transitions);
        }
        Some(words)
    }

    /// The same words without empty transitions, not deterministic.
    fn without_empty(&self) -> Result<Words, TooLarge> {
        let mut seen = FxHashMap::default();
        let mut words = Words::default();
        let mut spent = 0usize;
        for state in (0..).take(self.empty.len()) {
            let set = self.closure(vec![state], &mut seen);
            let steps = set.iter().flat_map(|&state| self.steps.get(state as usize).into_iter().flatten());
            let mut transitions: Vec<(Step, State)> = steps.copied().collect();
            spent += set.len() + transitions.len();
            if spent > CLOSURE_BUDGET {
                return Err(TooLarge);
            }
            transitions.sort_unstable();
            transitions.dedup();
            words.accepting.push(set.binary_search(&self.end).is_ok());
            words.transitions.push(transitions);
        }
        Ok(words)
    }
}
