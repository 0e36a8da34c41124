//! Automata of what walks need of squares, and whether two of them say the same.

use crate::codes;
use crate::explore::Graph;
use crate::model::{Cell, Refused, refuse};
use crate::store::{Label, Mask, Store};
use rg_ir::{Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Most members of sets of states that comparisons look at altogether.
const MAX_WORK: usize = 1 << 25;

/// Sets of states by the square that is tested, and the number of an atom.
type Next = FxHashMap<(Cell, usize), Vec<usize>>;

/// An automaton over tests of squares, with empty steps.
#[derive(Default)]
pub(crate) struct Nfa {
    empty: Vec<Vec<usize>>,
    tests: Vec<Vec<(Cell, Mask, usize)>>,
    /// Per state where moves end whose walk may end there.
    accepts: Vec<Vec<Cell>>,
    /// Where walks begin, by square and piece.
    pub(crate) begins: FxHashMap<(Cell, Symbol), Vec<usize>>,
    /// Whether a walk may end that has looked at no square.
    pub(crate) blind: bool,
}

impl Nfa {
    pub(crate) fn state(&mut self) -> usize {
        self.empty.push(Vec::new());
        self.tests.push(Vec::new());
        self.accepts.push(Vec::new());
        self.empty.len() - 1
    }

    pub(crate) fn skip(&mut self, from: usize, to: usize) {
        self.empty[from].push(to);
    }

    pub(crate) fn test(&mut self, from: usize, cell: Cell, mask: Mask, to: usize) {
        self.tests[from].push((cell, mask, to));
    }

    pub(crate) fn accept(&mut self, state: usize, target: Cell) {
        self.accepts[state].push(target);
    }

    /// The walks of a graph. The target of a walk that is over is told by `target`; those without one do not count.
    pub(crate) fn of(graph: &Graph, everything: Mask, target: impl Fn(usize, &Store) -> Option<Cell>) -> Self {
        let mut nfa = Self::default();
        for _ in 0..graph.states.len() {
            nfa.state();
        }
        for (from, edges) in graph.edges.iter().enumerate() {
            for (labels, to) in edges {
                nfa.chain(from, labels, *to);
            }
        }
        for &exit in &graph.exits {
            let Some(store) = graph.states.get_index(exit) else { continue };
            let Some(target) = target(exit, store) else { continue };
            nfa.blind |= store.origin.is_none();
            let mut end = exit;
            if let Some((cell, mask)) = store.pend
                && mask != everything
            {
                end = nfa.state();
                nfa.test(exit, cell, mask, end);
            }
            nfa.accept(end, target);
        }
        nfa
    }

    fn chain(&mut self, from: usize, labels: &[Label], to: usize) {
        let mut at = Some(from);
        for (index, label) in labels.iter().enumerate() {
            let next = if index + 1 == labels.len() { to } else { self.state() };
            match (*label, at) {
                (Label::Origin(cell, kind), _) => self.begins.entry((cell, kind)).or_default().push(next),
                (Label::Test(cell, mask), Some(at)) => self.test(at, cell, mask, next),
                (Label::Home(_), Some(at)) => self.skip(at, next),
                (_, None) => {}
            }
            at = Some(next);
        }
        if labels.is_empty() {
            self.skip(from, to);
        }
    }

    fn closure(&self, mut pending: Vec<usize>) -> Vec<usize> {
        let mut set = pending.clone();
        while let Some(state) = pending.pop() {
            for &next in &self.empty[state] {
                if !set.contains(&next) {
                    set.push(next);
                    pending.push(next);
                }
            }
        }
        set.sort_unstable();
        set.dedup();
        set
    }

    fn targets(&self, set: &[usize]) -> Vec<Cell> {
        let mut targets: Vec<Cell> = set.iter().flat_map(|&state| self.accepts[state].iter().copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The sets that a set leads to, by the square that is tested and the atom of contents. `without` are tests that do not count.
    fn next(&self, set: &[usize], atoms: &[Mask], without: &FxHashSet<(usize, Cell)>) -> Next {
        let mut out = Next::default();
        for &state in set {
            for &(cell, mask, to) in self.tests[state].iter().filter(|(cell, ..)| !without.contains(&(state, *cell))) {
                for (number, _) in atoms.iter().enumerate().filter(|(_, atom)| **atom & mask != 0) {
                    out.entry((cell, number)).or_default().push(to);
                }
            }
        }
        out.into_iter().map(|(letter, set)| (letter, self.closure(set))).collect()
    }

    /// A set, and the sets that it leads to. A square whose contents all lead to the same is not tested: that is an empty step.
    /// For shortest walks all ends are the same.
    fn normal(&self, mut set: Vec<usize>, atoms: &[Mask], shortest: bool) -> (Vec<usize>, Next) {
        let mut without = FxHashSet::default();
        loop {
            let next = self.next(&set, atoms, &without);
            let cells: FxHashSet<Cell> = next.keys().map(|&(cell, _)| cell).collect();
            let same = cells.into_iter().filter_map(|cell| {
                let first = next.get(&(cell, 0))?;
                let all = (1..atoms.len()).all(|number| {
                    let other = next.get(&(cell, number));
                    let ends = |set: &Vec<usize>| set.iter().any(|&state| !self.accepts[state].is_empty());
                    other == Some(first) || shortest && ends(first) && other.is_some_and(ends)
                });
                all.then_some((cell, first))
            });
            let Some((cell, to)) = same.min() else { return (set, next) };
            without.extend(set.iter().map(|&state| (state, cell)));
            let both = [set.as_slice(), to.as_slice()].concat();
            set = self.closure(both);
        }
    }

    fn masks(&self) -> impl Iterator<Item = Mask> {
        self.tests.iter().flatten().map(|&(_, mask, _)| mask)
    }
}

/// The coarsest partition of contents of which all masks are unions.
pub(crate) fn atoms(everything: Mask, masks: impl Iterator<Item = Mask>) -> Vec<Mask> {
    let mut atoms = vec![everything];
    for mask in masks {
        if atoms.iter().all(|atom| atom & mask == 0 || atom & !mask == 0) {
            continue;
        }
        atoms = atoms.iter().flat_map(|atom| [atom & mask, atom & !mask]).filter(|&atom| atom != 0).collect();
    }
    atoms
}

/// Compares automata, within a budget for all comparisons.
pub(crate) struct Comparison {
    pub(crate) everything: Mask,
    pub(crate) work: usize,
}

impl Comparison {
    /// Whether two automata have the same walks to the same targets; with `shortest`, whether the same shortest walks have an end, wherever
    /// that is. Then there is a walk in one of them wherever there is one in the other.
    pub(crate) fn same(
        &mut self,
        [a, b]: [&Nfa; 2],
        [from_a, from_b]: [&[usize]; 2],
        shortest: bool,
    ) -> Result<bool, Refused> {
        let start = (a.closure(from_a.to_vec()), b.closure(from_b.to_vec()));
        let mut seen: FxHashMap<(Vec<usize>, Vec<usize>), ()> = FxHashMap::default();
        seen.insert(start.clone(), ());
        let mut pending = VecDeque::from([start]);
        let atoms = atoms(self.everything, a.masks().chain(b.masks()));
        while let Some((set_a, set_b)) = pending.pop_front() {
            rg_ir::cancel::check();
            self.work += set_a.len() + set_b.len() + 1;
            if self.work > MAX_WORK {
                let message = "it takes too long to compare the rules of SBG with the game";
                return Err(refuse(codes::TOO_LARGE, Span::NONE, message));
            }
            let (set_a, mut next_a) = a.normal(set_a, &atoms, shortest);
            let (set_b, next_b) = b.normal(set_b, &atoms, shortest);
            let (ends_a, ends_b) = (a.targets(&set_a), b.targets(&set_b));
            if shortest {
                if ends_a.is_empty() != ends_b.is_empty() {
                    return Ok(false);
                }
                if !ends_a.is_empty() {
                    continue;
                }
            } else if ends_a != ends_b {
                return Ok(false);
            }
            for (letter, to_b) in next_b {
                let to_a = next_a.remove(&letter).unwrap_or_default();
                if seen.insert((to_a.clone(), to_b.clone()), ()).is_none() {
                    pending.push_back((to_a, to_b));
                }
            }
            for (_, to_a) in next_a {
                if seen.insert((to_a.clone(), Vec::new()), ()).is_none() {
                    pending.push_back((to_a, Vec::new()));
                }
            }
        }
        Ok(true)
    }
}

impl Nfa {
    /// Whether a walk has an end on a board on which every square has that content.
    pub(crate) fn satisfied(&self, start: usize, content: impl Fn(Cell) -> Mask) -> bool {
        let (mut seen, mut pending) = (vec![false; self.empty.len()], vec![start]);
        while let Some(state) = pending.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            if !self.accepts[state].is_empty() {
                return true;
            }
            pending.extend(&self.empty[state]);
            let next = self.tests[state].iter().filter(|&&(cell, mask, _)| content(cell) & mask != 0);
            pending.extend(next.map(|&(_, _, to)| to));
        }
        false
    }
}
