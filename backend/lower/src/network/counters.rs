//! A graph of gates as counters: a conjunction of any number of literals is true if as many of them are as there are.
//!
//! Conjunctions that only another conjunction uses are part of it. A gate has a word: what is missing of its literals, as a negative
//! number, above bit 0: the value that its fanouts have counted. Fanouts, the gates that use it, have greater numbers. Literals with wide
//! fanouts are not counted: they are guards ([`guarded`](super::guarded)).

use super::cells::Input;
use super::gates::{Gates, Literal, Node};
use super::guarded::{Guarded, Pairs};
use rg_ir::invariant::put;
use rustc_hash::FxHashMap;

/// What is behind the count.
pub(super) const FLAGS: u32 = 1;

/// A gate or its complement: twice the number of the gate, and 1 more for the complement. Gate 0 is never true.
pub(super) type Signal = u64;

/// See the module. Gate 0 has no fanouts.
pub(super) struct Counters {
    /// The gates of inputs.
    pub(super) inputs: FxHashMap<Input, u32>,
    /// By gate, its word where no input is true.
    pub(super) words: Vec<u64>,
    /// By gate, twice the place where its fanouts begin in [`Counters::fanouts`], and 1 more if it has outputs, or is in conjunctions with guards.
    pub(super) first: Vec<u64>,
    /// The gates that count a gate, or its complement.
    pub(super) fanouts: Vec<Signal>,
    /// By gate, where its outputs begin in [`Counters::bits`].
    pub(super) first_bit: Vec<u64>,
    /// The numbers of output bits.
    pub(super) bits: Vec<u64>,
    /// The words of all outputs where no input is true.
    pub(super) outputs: Vec<u64>,
    /// The conjunctions with guards.
    pub(super) guarded: Guarded,
}

impl Counters {
    /// The counters that keep some literals as bits of words, given the number of these words. Literals in at least `wide` conjunctions are guards there.
    /// Linear, but for sorting.
    pub(super) fn new(
        gates: &Gates,
        inputs: &FxHashMap<Input, Literal>,
        (outputs, words): (&[(Literal, u32)], u32),
        wide: u32,
    ) -> Self {
        let uses = uses(gates, outputs);
        let used = |node: u32| uses.get(node as usize).copied().unwrap_or(0);
        let mut building = Building { wide, ..Building::default() };
        // The gate that is never true.
        building.gate(false);
        let mut listed: Vec<(Input, u32)> = inputs.iter().map(|(&input, literal)| (input, literal.node())).collect();
        listed.sort_unstable_by_key(|&(_, node)| node);
        let mut of_inputs = FxHashMap::default();
        for (input, node) in listed.into_iter().filter(|&(_, node)| used(node) > 0) {
            let number = building.gate(false);
            building.numbers.insert(node, number);
            of_inputs.insert(input, number);
        }
        let is_part = parts(gates, &uses);
        let is_gate = |&node: &u32| {
            let is_whole = used(node) > 0 && is_part.get(node as usize) != Some(&true);
            is_whole && matches!(gates.node(node), Node::And(..))
        };
        let conjunctions: Vec<(u32, Vec<Literal>)> =
            (0..gates.len() as u32).filter(is_gate).map(|node| (node, factors(gates, node, &is_part))).collect();
        for literal in conjunctions.iter().flat_map(|(_, factors)| factors) {
            *building.widths.entry(literal.node()).or_default() += 1;
        }
        for (node, factors) in conjunctions {
            let number = building.conjunction(factors);
            building.numbers.insert(node, number);
        }
        building.finish(of_inputs, outputs, words)
    }
}

/// Counters under construction.
#[derive(Default)]
struct Building {
    /// The gates of nodes.
    numbers: FxHashMap<u32, u32>,
    /// Least number of conjunctions of a literal that makes it their guard.
    wide: u32,
    /// How many conjunctions a node is in.
    widths: FxHashMap<u32, u32>,
    /// By gate, how many of its literals are missing where no input is true.
    missing: Vec<u32>,
    fanouts: Vec<Vec<Signal>>,
    /// The gates of conjunctions that are parts of guarded ones.
    shared: FxHashMap<Vec<Signal>, u32>,
    pairs: Pairs,
}

impl Building {
    /// A new gate that counts nothing yet.
    fn gate(&mut self, value: bool) -> u32 {
        self.missing.push(u32::from(!value));
        self.fanouts.push(Vec::new());
        self.missing.len() as u32 - 1
    }

    /// What a literal is as a signal; constants are those of gate 0.
    fn signal(&self, literal: Literal) -> Signal {
        let complement = u64::from(literal.is_complement());
        match self.numbers.get(&literal.node()) {
            Some(&number) => u64::from(number) << 1 | complement,
            None => complement ^ 1,
        }
    }

    /// Whether a signal holds where no input is true.
    fn holds(&self, signal: Signal) -> bool {
        (self.missing.get((signal >> 1) as usize) == Some(&0)) != (signal & 1 == 1)
    }

    /// The gate of a conjunction: a counter of its narrow literals, and a gate for each literal with a wide fanout, which is the guard of what is
    /// before it, the widest one last.
    fn conjunction(&mut self, mut factors: Vec<Literal>) -> u32 {
        let width = |literal: &Literal| self.widths.get(&literal.node()).copied().unwrap_or(0);
        factors.sort_by_key(|literal| (width(literal), *literal));
        let narrow = factors.iter().take_while(|literal| width(literal) < self.wide).count().max(1);
        let mut signals: Vec<Signal> = factors.iter().map(|&literal| self.signal(literal)).collect();
        let guards = signals.split_off(narrow.min(signals.len()));
        let mut rest = match (signals.as_slice(), guards.is_empty()) {
            (_, true) => return self.counter(&signals),
            (&[only], false) => only,
            (_, false) => self.shared_counter(signals) << 1,
        };
        for guard in guards {
            rest = self.guarded(rest, guard) << 1;
        }
        (rest >> 1) as u32
    }

    /// A gate that counts some signals.
    fn counter(&mut self, signals: &[Signal]) -> u32 {
        let missing = signals.iter().filter(|&&signal| !self.holds(signal)).count() as u32;
        let number = self.gate(true);
        put(&mut self.missing, number as usize, missing, "a new gate has an entry");
        for &signal in signals.iter().filter(|&&signal| signal > 1) {
            if let Some(list) = self.fanouts.get_mut((signal >> 1) as usize) {
                list.push(u64::from(number) << 1 | (signal & 1));
            }
        }
        number
    }

    fn shared_counter(&mut self, signals: Vec<Signal>) -> Signal {
        let known = self.shared.get(&signals).copied();
        u64::from(known.unwrap_or_else(|| {
            let number = self.counter(&signals);
            self.shared.insert(signals, number);
            number
        }))
    }

    /// The gate of two signals, of which one is a guard.
    fn guarded(&mut self, rest: Signal, guard: Signal) -> Signal {
        let known = self.pairs.gate(rest, guard);
        let number = known.unwrap_or_else(|| {
            let number = self.gate(self.holds(rest) && self.holds(guard));
            self.pairs.add((rest, guard), number, self.holds(rest));
            number
        });
        u64::from(number)
    }

    fn finish(self, inputs: FxHashMap<Input, u32>, outputs: &[(Literal, u32)], words: u32) -> Counters {
        let mut of_outputs: Vec<Vec<u64>> = vec![Vec::new(); self.missing.len()];
        let mut all = vec![0u64; words as usize];
        for &(literal, bit) in outputs {
            let signal = self.signal(literal);
            if let Some(word) = all.get_mut(bit as usize / 64) {
                *word |= u64::from(self.holds(signal)) << (bit % 64);
            }
            if let Some(list) = of_outputs.get_mut((signal >> 1) as usize).filter(|_| signal > 1) {
                list.push(u64::from(bit));
            }
        }
        let Self { missing, fanouts, pairs, .. } = self;
        let guarded = pairs.finish(missing.len());
        let has_more = of_outputs.iter().enumerate().map(|(gate, outputs)| {
            let is_in_pairs = guarded.has_guards(gate) || guarded.has_rests(gate);
            u64::from(!outputs.is_empty() || is_in_pairs)
        });
        let has_more: Vec<u64> = has_more.chain([0]).collect();
        let (first, fanouts) = flattened(fanouts.into_iter());
        let first = first.into_iter().zip(has_more).map(|(first, more)| first << 1 | more).collect();
        let (first_bit, bits) = flattened(of_outputs.into_iter());
        let word = |missing: u32| (-i64::from(missing) as u64) << FLAGS | u64::from(missing == 0);
        let words = missing.into_iter().map(word).collect();
        Counters { inputs, words, first, fanouts, first_bit, bits, outputs: all, guarded }
    }
}

/// Lists behind each other, and where each begins; the last one ends where one more would begin.
fn flattened(lists: impl Iterator<Item = Vec<u64>>) -> (Vec<u64>, Vec<u64>) {
    let (mut first, mut flat) = (vec![0], Vec::new());
    for list in lists {
        flat.extend(list);
        first.push(flat.len() as u64);
    }
    (first, flat)
}

/// By node, how many others use it, and outputs do, of those that outputs depend on.
fn uses(gates: &Gates, outputs: &[(Literal, u32)]) -> Vec<u32> {
    let mut uses = vec![0u32; gates.len()];
    let add = |uses: &mut Vec<u32>, literal: Literal, by: u32| {
        if let Some(slot) = uses.get_mut(literal.node() as usize) {
            *slot += by;
        }
    };
    for &(literal, _) in outputs {
        // What an output shows has a gate of its own.
        add(&mut uses, literal, 2);
    }
    for node in (0..gates.len() as u32).rev() {
        if let (Node::And(a, b), true) = (gates.node(node), uses.get(node as usize).is_some_and(|&uses| uses > 0)) {
            add(&mut uses, a, 1);
            add(&mut uses, b, 1);
        }
    }
    uses
}

/// By node, whether it is a part of the only conjunction that uses it.
fn parts(gates: &Gates, uses: &[u32]) -> Vec<bool> {
    let mut parts = vec![false; gates.len()];
    for node in 0..gates.len() as u32 {
        let Node::And(a, b) = gates.node(node) else { continue };
        if uses.get(node as usize) == Some(&0) {
            continue;
        }
        for literal in [a, b] {
            let is_alone = uses.get(literal.node() as usize) == Some(&1);
            if is_alone && !literal.is_complement() && matches!(gates.node(literal.node()), Node::And(..)) {
                put(&mut parts, literal.node() as usize, true, "there is an entry for each node");
            }
        }
    }
    parts
}

/// The literals of a conjunction, its parts' included.
fn factors(gates: &Gates, node: u32, is_part: &[bool]) -> Vec<Literal> {
    let (mut factors, mut open) = (Vec::new(), vec![node]);
    while let Some(node) = open.pop() {
        let Node::And(a, b) = gates.node(node) else { continue };
        for literal in [a, b] {
            if !literal.is_complement() && is_part.get(literal.node() as usize) == Some(&true) {
                open.push(literal.node());
            } else {
                factors.push(literal);
            }
        }
    }
    factors.sort_unstable();
    factors.dedup();
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_of_conjunctions_are_one_gate() {
        let mut gates = Gates::new();
        let [a, b, c] = [(); 3].map(|()| gates.input());
        let two = gates.and(a, b);
        let three = gates.and(two, !c);
        let input = |at| Input::Bit((rg_ir::ids::Id::from_index(0), at));
        let inputs = [a, b, c].into_iter().zip(0..).map(|(literal, at)| (input(at), literal)).collect();
        let counters = Counters::new(&gates, &inputs, (&[(three, 5)], 1), u32::MAX);
        // Gate 0, the inputs, and the conjunction, of which two of three literals are missing.
        assert_eq!(counters.words.len(), 5);
        assert_eq!(counters.words.last(), Some(&((-2i64 as u64) << FLAGS)));
        assert_eq!(
            (&counters.fanouts[..], &counters.bits[..], &counters.outputs[..]),
            (&[8, 8, 9][..], &[5][..], &[0][..])
        );
        assert!(counters.guarded.guards.is_empty());
    }

    #[test]
    fn literals_with_wide_fanouts_are_guards() {
        let mut gates = Gates::new();
        let [a, b, c] = [(); 3].map(|()| gates.input());
        let (one, other) = (gates.and(a, !c), gates.and(b, !c));
        let input = |at| Input::Bit((rg_ir::ids::Id::from_index(0), at));
        let inputs = [a, b, c].into_iter().zip(0..).map(|(literal, at)| (input(at), literal)).collect();
        let counters = Counters::new(&gates, &inputs, (&[(one, 0), (other, 1)], 1), 2);
        // The complement of `c`, gate 3, is the guard of gates 4 and 5, whose rests are false at first.
        assert!(counters.fanouts.is_empty());
        assert_eq!((&counters.guarded.guards[..], &counters.guarded.armed[..]), (&[7][..], &[0][..]));
        assert_eq!((&counters.guarded.gates[..], &counters.guarded.slots[..]), (&[4, 5][..], &[0, 2][..]));
    }
}
