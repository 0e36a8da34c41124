//! The coarsest partition of a labelled graph in which the members of a class have steps with equal labels into equal
//! classes (bisimulation).
//!
//! Classes are split by the signatures of their states, the sets of (label, class of the state stepped to). Only states
//! of which a successor has changed its class are looked at again, together with one of the others, all of which have
//! kept their signature. When a class splits, the largest part keeps its number; so a state changes its class at most
//! log2(states) times, and O(log(states) · sum over the edges of the out-degree of their sources) entries are sorted.

/// A graph in compressed rows: the steps of state `s` are `steps[rows[s]..rows[s + 1]]`.
struct Rows {
    rows: Vec<u32>,
    steps: Vec<(u32, u32)>,
}

impl Rows {
    /// From triples of row, and the two entries.
    fn new(states: usize, triples: impl Iterator<Item = (u32, (u32, u32))> + Clone) -> Self {
        let mut rows = vec![0u32; states + 1];
        for (row, _) in triples.clone() {
            if let Some(count) = rows.get_mut(row as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut rows {
            sum += *count;
            *count = sum;
        }
        let mut next = rows.clone();
        let mut steps = vec![(0, 0); sum as usize];
        for (row, step) in triples {
            if let Some(at) = next.get_mut(row as usize) {
                if let Some(slot) = steps.get_mut(*at as usize) {
                    *slot = step;
                }
                *at += 1;
            }
        }
        Self { rows, steps }
    }

    fn of(&self, state: u32) -> &[(u32, u32)] {
        let row = |i: usize| self.rows.get(i).map_or(0, |&at| at as usize);
        self.steps.get(row(state as usize)..row(state as usize + 1)).unwrap_or(&[])
    }
}

/// A class: the states `order[start..end]`, of which those from `dirty` on have to be looked at.
#[derive(Clone, Copy)]
struct Class {
    start: u32,
    dirty: u32,
    end: u32,
}

struct Refiner {
    successors: Rows,
    predecessors: Rows,
    /// The states, those of a class together.
    order: Vec<u32>,
    /// Where a state is in `order`.
    position: Vec<u32>,
    class: Vec<u32>,
    classes: Vec<Class>,
    /// Classes with dirty states.
    work: Vec<u32>,
}

/// The class of every state. `initial` gives the classes to begin with, in any numbers; `edges` are triples of source,
/// label and target, whose sources and targets are less than the number of states.
pub fn coarsest(initial: &[u32], edges: &[(u32, u32, u32)]) -> Vec<u32> {
    let states = initial.len();
    let mut refiner = Refiner {
        successors: Rows::new(states, edges.iter().map(|&(source, label, target)| (source, (label, target)))),
        predecessors: Rows::new(states, edges.iter().map(|&(source, label, target)| (target, (label, source)))),
        order: (0..states as u32).collect(),
        position: vec![0; states],
        class: vec![0; states],
        classes: Vec::new(),
        work: Vec::new(),
    };
    let class_of = |state: u32| initial.get(state as usize).copied();
    refiner.order.sort_by_key(|&state| class_of(state));
    let order = std::mem::take(&mut refiner.order);
    let mut at = 0;
    for group in order.chunk_by(|&a, &b| class_of(a) == class_of(b)) {
        let (start, end) = (at, at + group.len() as u32);
        let class = refiner.classes.len() as u32;
        // All states are dirty to begin with, but one that is alone cannot be split off.
        let dirty = if group.len() == 1 { end } else { start };
        refiner.classes.push(Class { start, dirty, end });
        for (i, &state) in group.iter().enumerate() {
            set(&mut refiner.class, state, class);
            set(&mut refiner.position, state, start + i as u32);
        }
        if dirty < end {
            refiner.work.push(class);
        }
        at = end;
    }
    refiner.order = order;
    let mut signatures = Signatures::default();
    while let Some(class) = refiner.work.pop() {
        refiner.split(class, &mut signatures);
    }
    refiner.class
}

fn set(list: &mut [u32], at: u32, value: u32) {
    if let Some(slot) = list.get_mut(at as usize) {
        *slot = value;
    }
}

fn get(list: &[u32], at: u32) -> u32 {
    list.get(at as usize).copied().unwrap_or(0)
}

/// Signatures of some states, in memory that is used again.
#[derive(Default)]
struct Signatures {
    /// Per state: itself, and where its signature is in `entries`.
    states: Vec<(u32, usize, usize)>,
    entries: Vec<(u32, u32)>,
}

impl Signatures {
    fn add(&mut self, state: u32, refiner: &Refiner) {
        let start = self.entries.len();
        let steps = refiner.successors.of(state).iter();
        self.entries.extend(steps.map(|&(label, target)| (label, get(&refiner.class, target))));
        let added = self.entries.get_mut(start..).unwrap_or(&mut []);
        added.sort_unstable();
        let mut last = None;
        let mut kept = start;
        for at in start..self.entries.len() {
            let entry = self.entries.get(at).copied();
            if entry != last {
                self.entries.swap(kept, at);
                kept += 1;
                last = entry;
            }
        }
        self.entries.truncate(kept);
        self.states.push((state, start, kept));
    }
}

impl Refiner {
    /// Splits a class by the signatures of its dirty states and of one of the others.
    fn split(&mut self, id: u32, signatures: &mut Signatures) {
        let Some(&Class { start, dirty, end }) = self.classes.get(id as usize) else { return };
        signatures.states.clear();
        signatures.entries.clear();
        let first = if dirty > start { dirty - 1 } else { dirty };
        for at in first..end {
            signatures.add(get(&self.order, at), self);
        }
        let Signatures { states, entries } = signatures;
        let text = |&(_, start, end): &(u32, usize, usize)| entries.get(start..end).unwrap_or(&[]);
        let clean = if dirty > start { states.first().map(text) } else { None };
        // Those that agree with the clean states come first.
        let key = |state: &(u32, usize, usize)| (clean.is_some_and(|clean| clean != text(state)), text(state));
        let mut sorted: Vec<(u32, usize, usize)> = states.clone();
        sorted.sort_by(|a, b| key(a).cmp(&key(b)));
        let mut at = first;
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for group in sorted.chunk_by(|a, b| text(a) == text(b)) {
            let from = if at == first { start } else { at };
            for &(state, ..) in group {
                set(&mut self.order, at, state);
                set(&mut self.position, state, at);
                at += 1;
            }
            parts.push((from, at));
        }
        let largest = parts.iter().copied().max_by_key(|(from, to)| to - from).unwrap_or((start, end));
        if let Some(class) = self.classes.get_mut(id as usize) {
            *class = Class { start: largest.0, dirty: largest.1, end: largest.1 };
        }
        parts.retain(|&part| part != largest);
        for &(from, to) in &parts {
            let new = self.classes.len() as u32;
            self.classes.push(Class { start: from, dirty: to, end: to });
            for at in from..to {
                let state = get(&self.order, at);
                set(&mut self.class, state, new);
            }
        }
        for (from, to) in parts {
            self.mark_predecessors(from, to);
        }
    }

    /// Makes the predecessors of the states `order[from..to]` dirty. They may move within this very range, so the
    /// states are copied first.
    fn mark_predecessors(&mut self, from: u32, to: u32) {
        let changed: Vec<u32> = self.order.get(from as usize..to as usize).unwrap_or(&[]).to_vec();
        for state in changed {
            for i in 0..self.predecessors.of(state).len() {
                if let Some(&(_, before)) = self.predecessors.of(state).get(i) {
                    self.mark(before);
                }
            }
        }
    }

    fn mark(&mut self, state: u32) {
        let id = get(&self.class, state);
        let Some(class) = self.classes.get_mut(id as usize) else { return };
        let at = get(&self.position, state);
        if class.end - class.start < 2 || at >= class.dirty {
            return;
        }
        if class.dirty == class.end {
            self.work.push(id);
        }
        class.dirty -= 1;
        let last = class.dirty;
        let other = get(&self.order, last);
        set(&mut self.order, at, other);
        set(&mut self.position, other, at);
        set(&mut self.order, last, state);
        set(&mut self.position, state, last);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::coarsest;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Refines all classes by all signatures until nothing changes.
    fn naive(initial: &[u32], edges: &[(u32, u32, u32)]) -> Vec<u32> {
        let mut class = initial.to_vec();
        loop {
            let mut signatures: BTreeMap<(u32, BTreeSet<(u32, u32)>), u32> = BTreeMap::new();
            let mut next = Vec::new();
            for state in 0..initial.len() as u32 {
                let steps = edges.iter().filter(|e| e.0 == state).map(|e| (e.1, class[e.2 as usize])).collect();
                let fresh = signatures.len() as u32;
                next.push(*signatures.entry((class[state as usize], steps)).or_insert(fresh));
            }
            let count = |class: &[u32]| class.iter().collect::<BTreeSet<_>>().len();
            let done = count(&next) == count(&class);
            class = next;
            if done {
                return class;
            }
        }
    }

    /// Numbers classes by their first state.
    fn normal(class: &[u32]) -> Vec<usize> {
        class.iter().map(|c| class.iter().position(|d| d == c).unwrap()).collect()
    }

    proptest! {
        #[test]
        fn agrees_with_repeated_refinement(
            (initial, edges) in (1usize..24).prop_flat_map(|states| {
                let state = 0..states as u32;
                (
                    proptest::collection::vec(0u32..2, states),
                    proptest::collection::vec((state.clone(), 0u32..3, state), 0..60),
                )
            })
        ) {
            prop_assert_eq!(normal(&coarsest(&initial, &edges)), normal(&naive(&initial, &edges)));
        }
    }

    #[test]
    fn long_chains_are_quick() {
        let states = 200_000u32;
        let edges: Vec<_> = (0..states - 1).map(|s| (s, 0, s + 1)).collect();
        let class = coarsest(&vec![0; states as usize], &edges);
        assert_eq!(class.iter().collect::<BTreeSet<_>>().len(), states as usize);
    }
}
