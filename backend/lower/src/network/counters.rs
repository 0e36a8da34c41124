//! A graph of gates as counters: a conjunction of any number of literals is true if as many of them are as there are.
//!
//! Conjunctions that only another conjunction uses are part of it. A gate has a word: what is missing of its literals, as a negative
//! number, above bit 0: the value that its fanouts have counted. Fanouts, the gates that use it, have greater numbers.

use super::cells::Input;
use super::gates::{Gates, Literal, Node};
use rg_ir::invariant::put;
use rustc_hash::FxHashMap;

/// What is behind the count.
pub(super) const FLAGS: u32 = 1;

/// See the module. Gate 0 has no fanouts.
pub(super) struct Counters {
    /// The gates of inputs.
    pub(super) inputs: FxHashMap<Input, u32>,
    /// By gate, its word where no input is true.
    pub(super) words: Vec<u64>,
    /// By gate, twice the place where its fanouts begin in [`Counters::fanouts`], and 1 more if it has outputs.
    pub(super) first: Vec<u64>,
    /// Twice the number of a gate, and 1 more if it counts the complement.
    pub(super) fanouts: Vec<u64>,
    /// By gate, where its outputs begin in [`Counters::bits`].
    pub(super) first_bit: Vec<u64>,
    /// The numbers of output bits.
    pub(super) bits: Vec<u64>,
    /// The words of all outputs where no input is true.
    pub(super) outputs: Vec<u64>,
}

impl Counters {
    /// The counters that keep some literals as bits of words, given the number of these words. Linear.
    pub(super) fn new(
        gates: &Gates,
        inputs: &FxHashMap<Input, Literal>,
        outputs: &[(Literal, u32)],
        words: u32,
    ) -> Self {
        let uses = uses(gates, outputs);
        let used = |node: u32| uses.get(node as usize).copied().unwrap_or(0);
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut listed: Vec<(Input, u32)> = inputs.iter().map(|(&input, literal)| (input, literal.node())).collect();
        listed.sort_unstable_by_key(|&(_, node)| node);
        let mut of_inputs = FxHashMap::default();
        for (input, node) in listed.into_iter().filter(|&(_, node)| used(node) > 0) {
            let number = numbers.len() as u32 + 1;
            numbers.insert(node, number);
            of_inputs.insert(input, number);
        }
        let is_part = parts(gates, &uses);
        // Values where no input is true.
        let mut values = vec![false; gates.len()];
        let (mut missing, mut fanouts): (Vec<i64>, Vec<Vec<u64>>) =
            (vec![-1; numbers.len() + 1], vec![Vec::new(); numbers.len() + 1]);
        for node in 0..gates.len() as u32 {
            let of = |values: &[bool], literal: Literal| {
                values.get(literal.node() as usize).copied().unwrap_or(false) != literal.is_complement()
            };
            let value = match gates.node(node) {
                Node::True => true,
                Node::Input => false,
                Node::And(a, b) => of(&values, a) && of(&values, b),
            };
            put(&mut values, node as usize, value, "there is a value for each node");
            if !matches!(gates.node(node), Node::And(..))
                || used(node) == 0
                || is_part.get(node as usize) == Some(&true)
            {
                continue;
            }
            let factors = factors(gates, node, &is_part);
            let number = missing.len() as u32;
            numbers.insert(node, number);
            missing.push(factors.iter().filter(|&&literal| of(&values, literal)).count() as i64 - factors.len() as i64);
            fanouts.push(Vec::new());
            for literal in factors {
                if let Some(list) = numbers.get(&literal.node()).and_then(|&number| fanouts.get_mut(number as usize)) {
                    list.push(u64::from(number) << 1 | u64::from(literal.is_complement()));
                }
            }
        }
        let mut of_outputs: Vec<Vec<u64>> = vec![Vec::new(); fanouts.len()];
        let mut all = vec![0u64; words as usize];
        for &(literal, bit) in outputs {
            let value = values.get(literal.node() as usize).copied().unwrap_or(false) != literal.is_complement();
            if let Some(word) = all.get_mut(bit as usize / 64) {
                *word |= u64::from(value) << (bit % 64);
            }
            if let Some(list) = numbers.get(&literal.node()).and_then(|&number| of_outputs.get_mut(number as usize)) {
                list.push(u64::from(bit));
            }
        }
        let has_outputs = of_outputs.iter().map(|outputs| u64::from(!outputs.is_empty())).chain([0]);
        let has_outputs: Vec<u64> = has_outputs.collect();
        let (first, fanouts) = flattened(fanouts.into_iter());
        let first = first.into_iter().zip(has_outputs).map(|(first, outputs)| first << 1 | outputs).collect();
        let (first_bit, bits) = flattened(of_outputs.into_iter());
        let word = |missing: i64| (missing as u64) << FLAGS | u64::from(missing >= 0);
        let words = missing.into_iter().map(word).collect();
        Self { inputs: of_inputs, words, first, fanouts, first_bit, bits, outputs: all }
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
        let inputs = [(Input::Bit((rg_ir::ids::Id::from_index(0), 0)), a)];
        let inputs = inputs.into_iter().collect();
        let counters = Counters::new(&gates, &inputs, &[(three, 5)], 1);
        // Of the inputs only one is known by name; the gate misses two of three literals.
        assert_eq!(counters.words.len(), 3);
        assert_eq!(counters.words.last(), Some(&((-2i64 as u64) << FLAGS)));
        assert_eq!((&counters.fanouts[..], &counters.bits[..], &counters.outputs[..]), (&[4][..], &[5][..], &[0][..]));
    }
}
