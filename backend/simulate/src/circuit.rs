//! Boolean functions as a list of conjunctions, evaluated for many plays at once.

use crate::transpose::{Block, transpose};
use crate::{LANES, Row, WIDTH};
use rg_ir::cancel;
use rustc_hash::FxHashMap;

/// What an input of a graph is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// Never true.
    Never,
    /// A bit of the state, counted from the lowest one of its first word.
    Bit(u32),
    /// Whether some bits of the state, from this one on, are this number; they are within one word.
    Field {
        /// The lowest bit.
        first: u32,
        /// How many there are.
        bits: u32,
        /// The number.
        value: u32,
    },
    /// Whether a move gives a value to a variable: the number of the variable among those that moves choose, and of the value.
    Chosen(u32, u32),
}

/// A node of an and-inverter graph. A *literal* is twice the number of a node, and 1 more for its complement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Always true; node 0 is.
    True,
    /// An input.
    Input(Source),
    /// Whether two literals of nodes with smaller numbers are both true.
    And(u32, u32),
}

/// `(a & b) & c`, or with the complement of the inner conjunction, for literals of slots.
#[derive(Clone, Copy, Debug)]
struct Gate {
    /// Twice the slot where its value goes, and 1 more if the inner conjunction is complemented.
    to: u32,
    /// `a`, `b` and `c`; the last one is [`TRUE`] if there is none.
    operands: [u32; 3],
}

/// A word of which bits are put together, or taken apart.
#[derive(Debug)]
struct Word {
    number: u32,
    /// Bits, and slots or literals of slots.
    bits: Vec<(u32, u32)>,
}

/// Functions from states, and what a move chooses, to words of bits.
///
/// Values are in *slots*, which are used again once nobody needs a value any more, so that they stay in the nearest caches. Slot 0 is always
/// true.
#[derive(Debug)]
pub struct Circuit {
    slots: usize,
    /// Words of the state, and the slots of their bits.
    state: Vec<Word>,
    /// By variable that moves choose and value, its slot; 0 if it does not matter. These slots are never used again.
    chosen: Vec<Vec<u32>>,
    gates: Vec<Gate>,
    /// Words of the outputs, and the literals of their bits.
    outputs: Vec<Word>,
    words: usize,
}

/// Most gates of a circuit: beyond that it would take seconds to build.
const MAX_GATES: usize = 1 << 22;
/// Picoseconds that a gate takes for [`LANES`] plays, and a word that is transposed for one.
const GATE: u64 = 1800;
pub(crate) const WORD: u64 = 1200;
/// Gates are ordered by level among so many: a gate that needs the one before it would have to wait for its value to be in memory.
const WINDOW: usize = 1 << 12;

impl Circuit {
    /// The circuit for some literals of a graph of `len` nodes; each is a bit of the output words, of which there are `words`. `None` if it
    /// is too large. O(n log n) in the nodes.
    pub fn new(len: u32, node: impl Fn(u32) -> Node, outputs: &[(u32, u32)], words: u32) -> Option<Self> {
        let mut used = vec![false; len as usize];
        let mark = |used: &mut Vec<bool>, literal: u32| {
            if let Some(slot) = used.get_mut((literal >> 1) as usize) {
                *slot = true;
            }
        };
        outputs.iter().for_each(|&(literal, _)| mark(&mut used, literal));
        for number in (0..len).rev() {
            if let (Some(true), Node::And(a, b)) = (used.get(number as usize), node(number)) {
                mark(&mut used, a);
                mark(&mut used, b);
            }
        }
        let mut building = Building::default();
        // By node of the graph, its literal among the nodes that are built.
        let mut literals: Vec<u32> = vec![TRUE; len as usize];
        let of = |literals: &[u32], literal: u32| {
            literals.get((literal >> 1) as usize).map_or(TRUE, |known| known ^ (literal & 1))
        };
        for number in (0..len).filter(|&number| used.get(number as usize) == Some(&true)) {
            let literal = match node(number) {
                Node::True => TRUE,
                Node::Input(source) => building.input(source),
                Node::And(a, b) => building.and(of(&literals, a), of(&literals, b)),
            };
            if let Some(slot) = literals.get_mut(number as usize) {
                *slot = literal;
            }
            if building.nodes.len() > MAX_GATES {
                return None;
            }
            if number.is_multiple_of(1 << 16) {
                cancel::check();
            }
        }
        let outputs: Vec<(u32, u32)> = outputs.iter().map(|&(literal, bit)| (of(&literals, literal), bit)).collect();
        Some(building.finish(&outputs, words))
    }

    /// How many conjunctions there are.
    pub fn gates(&self) -> usize {
        self.gates.len()
    }

    /// Memory for values.
    pub(crate) fn memory(&self) -> Vec<Row> {
        let mut rows = vec![[0; WIDTH]; self.slots];
        if let Some(always) = rows.first_mut() {
            *always = [u64::MAX; WIDTH];
        }
        rows
    }

    /// Puts the states of some plays, given by where their words begin, into memory: up to [`LANES`].
    #[inline(always)]
    pub(crate) fn load(&self, memory: &mut [Row], states: &[u64], lanes: &[usize]) {
        let mut block: Block = [[0; WIDTH]; 64];
        for word in &self.state {
            for (group, lanes) in lanes.chunks(64).take(WIDTH).enumerate() {
                for (row, &first) in block.iter_mut().zip(lanes) {
                    row[group] = states.get(first + word.number as usize).copied().unwrap_or(0);
                }
            }
            transpose(&mut block);
            for &(bit, slot) in &word.bits {
                if let (Some(to), Some(row)) = (memory.get_mut(slot as usize), block.get(bit as usize)) {
                    *to = *row;
                }
            }
        }
    }

    /// Sets or clears the input for the value of a variable that a move has chosen, in one play.
    pub(crate) fn choose(&self, memory: &mut [Row], lane: usize, (variable, value): (usize, u32), holds: bool) {
        let slot = self.chosen.get(variable).and_then(|slots| slots.get(value as usize)).copied().unwrap_or(0);
        if let (1.., Some(word)) = (slot, memory.get_mut(slot as usize).and_then(|row| row.get_mut(lane / 64))) {
            let bit = 1 << (lane % 64);
            *word = if holds { *word | bit } else { *word & !bit };
        }
    }

    /// Evaluates all gates for so many plays.
    #[inline(always)]
    pub(crate) fn run(&self, memory: &mut [Row], lanes: usize) {
        match lanes {
            0..=64 => self.run_words::<1>(memory),
            65..=128 => self.run_words::<2>(memory),
            129..=256 => self.run_words::<4>(memory),
            _ => self.run_words::<WIDTH>(memory),
        }
    }

    #[inline(always)]
    fn run_words<const USED: usize>(&self, memory: &mut [Row]) {
        for gate in &self.gates {
            let operands = gate.operands.map(|literal| memory.get((literal >> 1) as usize)?.first_chunk::<USED>());
            let [Some(a), Some(b), Some(c)] = operands else { continue };
            let [flip_a, flip_b, flip_c] = gate.operands.map(mask);
            let flip = mask(gate.to);
            let value: [u64; USED] =
                std::array::from_fn(|at| ((a[at] ^ flip_a) & (b[at] ^ flip_b) ^ flip) & (c[at] ^ flip_c));
            if let Some(row) = memory.get_mut((gate.to >> 1) as usize).and_then(|row| row.first_chunk_mut()) {
                *row = value;
            }
        }
    }

    /// Takes the words of the outputs out of memory: those of a play begin at the number of its lane times how many words there are.
    #[inline(always)]
    pub(crate) fn store(&self, memory: &[Row], lanes: usize, out: &mut Vec<u64>) {
        out.clear();
        out.resize(lanes * self.words, 0);
        for word in &self.outputs {
            let mut block: Block = [[0; WIDTH]; 64];
            for &(bit, literal) in &word.bits {
                let Some(from) = memory.get((literal >> 1) as usize) else { continue };
                if let Some(row) = block.get_mut(bit as usize) {
                    *row = from.map(|value| value ^ mask(literal));
                }
            }
            transpose(&mut block);
            for (group, out) in out.chunks_mut(64 * self.words.max(1)).take(WIDTH).enumerate() {
                let of_lanes = out.iter_mut().skip(word.number as usize).step_by(self.words.max(1));
                of_lanes.zip(&block).for_each(|(to, row)| *to = row[group]);
            }
        }
    }

    /// How many words of outputs there are.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// What a run costs one play, in picoseconds.
    pub(crate) fn cost(&self) -> u64 {
        let transposed = self.state.len() + self.outputs.len();
        GATE * self.gates.len() as u64 / LANES as u64 + WORD * transposed as u64
    }
}

/// All bits of a complement, or none.
#[inline(always)]
fn mask(literal: u32) -> u64 {
    0u64.wrapping_sub(u64::from(literal & 1))
}

/// The literal that is always true, of the nodes that are built.
const TRUE: u32 = 0;
const FALSE: u32 = 1;

/// What a node that is built is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Built {
    True,
    Bit(u32),
    Chosen(u32, u32),
    And(u32, u32),
}

/// A circuit under construction.
struct Building {
    nodes: Vec<Built>,
    numbers: FxHashMap<Built, u32>,
}

impl Default for Building {
    fn default() -> Self {
        Self { nodes: vec![Built::True], numbers: FxHashMap::default() }
    }
}

impl Building {
    /// The literal of a node, which is new or known.
    fn node(&mut self, node: Built) -> u32 {
        let nodes = &mut self.nodes;
        *self.numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            (nodes.len() as u32 - 1) << 1
        })
    }

    fn input(&mut self, source: Source) -> u32 {
        match source {
            Source::Never => FALSE,
            Source::Bit(bit) => self.node(Built::Bit(bit)),
            Source::Chosen(variable, value) => self.node(Built::Chosen(variable, value)),
            // Fields share what their lower bits are.
            Source::Field { first, bits, value } => (0..bits.min(32)).fold(TRUE, |all, bit| {
                let literal = self.node(Built::Bit(first + bit)) ^ (value >> bit & 1 ^ 1);
                self.and(all, literal)
            }),
        }
    }

    fn and(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (FALSE, _) => FALSE,
            (TRUE, _) => b,
            _ if b == FALSE || a ^ 1 == b => FALSE,
            _ if a == b => a,
            _ => self.node(Built::And(a, b)),
        }
    }

    /// The conjunctions to evaluate, in order: those that only one other one uses are a part of that, if it has no other part.
    fn conjunctions(&self, outputs: &[(u32, u32)]) -> Vec<Conjunction> {
        let mut uses = vec![0u32; self.nodes.len()];
        let mut count = |literal: u32, by: u32| {
            uses.iter_mut().skip((literal >> 1) as usize).take(1).for_each(|uses| *uses += by);
        };
        for node in &self.nodes {
            if let Built::And(a, b) = *node {
                count(a, 1);
                count(b, 1);
            }
        }
        outputs.iter().for_each(|&(literal, _)| count(literal, 2));
        let mut is_part = vec![false; self.nodes.len()];
        let mut list = Vec::new();
        for at in (0..self.nodes.len()).rev() {
            let Some(&Built::And(a, b)) = self.nodes.get(at).filter(|_| is_part.get(at) == Some(&false)) else {
                continue;
            };
            let part = |(literal, other): (u32, u32)| {
                let node = (literal >> 1) as usize;
                match self.nodes.get(node) {
                    Some(&Built::And(p, q)) if uses.get(node) == Some(&1) => {
                        Some((node, Conjunction { node: at, complement: literal & 1, operands: [p, q, other] }))
                    }
                    _ => None,
                }
            };
            list.push(match part((b, a)).or_else(|| part((a, b))) {
                Some((part, conjunction)) => {
                    is_part.iter_mut().skip(part).take(1).for_each(|slot| *slot = true);
                    conjunction
                }
                None => Conjunction { node: at, complement: 0, operands: [a, b, TRUE] },
            });
        }
        list.reverse();
        self.by_levels(&mut list);
        list
    }

    /// Orders conjunctions by level among [`WINDOW`] neighbours.
    fn by_levels(&self, list: &mut [Conjunction]) {
        // By node, 1 more than its level among its neighbours; those of earlier windows are on none.
        let mut levels = vec![0u32; self.nodes.len()];
        for window in list.chunks_mut(WINDOW) {
            let first = window.first().map_or(0, |conjunction| conjunction.node);
            for conjunction in &*window {
                let level = |literal: u32| {
                    let node = (literal >> 1) as usize;
                    if node < first { 0 } else { levels.get(node).copied().unwrap_or(0) }
                };
                let level = 1 + conjunction.operands.map(level).into_iter().max().unwrap_or(0);
                levels.iter_mut().skip(conjunction.node).take(1).for_each(|slot| *slot = level);
            }
            window.sort_by_key(|conjunction| levels.get(conjunction.node).copied());
        }
    }

    /// Gives nodes slots: a node takes that of one whose value nobody needs any more.
    fn finish(self, outputs: &[(u32, u32)], words: u32) -> Circuit {
        let conjunctions = self.conjunctions(outputs);
        let mut last = vec![0usize; self.nodes.len()];
        let mut need = |literal: u32, time: usize| {
            last.iter_mut().skip((literal >> 1) as usize).take(1).for_each(|last| *last = time);
        };
        for (time, conjunction) in conjunctions.iter().enumerate() {
            conjunction.operands.into_iter().for_each(|literal| need(literal, time));
        }
        outputs.iter().for_each(|&(literal, _)| need(literal, usize::MAX));
        let mut slots = Slots { of: vec![0; self.nodes.len()], free: Vec::new(), count: 1 };
        let (mut state, mut chosen) = (FxHashMap::<u32, Vec<(u32, u32)>>::default(), Vec::<Vec<u32>>::new());
        for (at, node) in self.nodes.iter().enumerate() {
            match *node {
                Built::Bit(bit) => state.entry(bit / 64).or_default().push((bit % 64, slots.new_slot(at))),
                Built::Chosen(variable, value) => {
                    let (variable, value) = (variable as usize, value as usize);
                    chosen.resize(chosen.len().max(variable + 1), Vec::new());
                    if let Some(list) = chosen.get_mut(variable) {
                        list.resize(list.len().max(value + 1), 0);
                        list.iter_mut().skip(value).take(1).for_each(|slot| *slot = slots.new_slot(at));
                    }
                }
                Built::True | Built::And(..) => {}
            }
        }
        let mut gates = Vec::with_capacity(conjunctions.len());
        for (time, conjunction) in conjunctions.iter().enumerate() {
            let operands = conjunction.operands.map(|literal| slots.literal(literal));
            for number in conjunction.operands.map(|literal| (literal >> 1) as usize) {
                let is_reusable = !matches!(self.nodes.get(number), None | Some(Built::True | Built::Chosen(..)));
                // A node that is an operand twice is needed no more after the first one.
                if is_reusable && last.get(number) == Some(&time) {
                    last.iter_mut().skip(number).take(1).for_each(|last| *last = usize::MAX);
                    slots.free.extend(slots.of.get(number));
                }
            }
            gates.push(Gate { to: slots.slot(conjunction.node) << 1 | conjunction.complement, operands });
        }
        let mut of_outputs = FxHashMap::<u32, Vec<(u32, u32)>>::default();
        for &(literal, bit) in outputs.iter().filter(|(literal, _)| *literal != FALSE) {
            of_outputs.entry(bit / 64).or_default().push((bit % 64, slots.literal(literal)));
        }
        let sorted = |map: FxHashMap<u32, Vec<(u32, u32)>>| {
            let mut list: Vec<Word> = map.into_iter().map(|(number, bits)| Word { number, bits }).collect();
            list.sort_unstable_by_key(|word| word.number);
            list
        };
        let (state, outputs) = (sorted(state), sorted(of_outputs));
        Circuit { slots: slots.count as usize, state, chosen, gates, outputs, words: words as usize }
    }
}

/// A conjunction of a conjunction or its complement, and one more literal, which may be [`TRUE`].
struct Conjunction {
    node: usize,
    /// 1 for the complement of the inner one.
    complement: u32,
    operands: [u32; 3],
}

/// The slots of nodes.
struct Slots {
    of: Vec<u32>,
    free: Vec<u32>,
    count: u32,
}

impl Slots {
    /// A slot that no other node has.
    fn new_slot(&mut self, node: usize) -> u32 {
        let slot = self.count;
        self.count += 1;
        self.put(node, slot)
    }

    /// A slot that may have been another node's.
    fn slot(&mut self, node: usize) -> u32 {
        match self.free.pop() {
            Some(slot) => self.put(node, slot),
            None => self.new_slot(node),
        }
    }

    fn put(&mut self, node: usize, slot: u32) -> u32 {
        if let Some(of) = self.of.get_mut(node) {
            *of = slot;
        }
        slot
    }

    fn literal(&self, literal: u32) -> u32 {
        self.of.get((literal >> 1) as usize).copied().unwrap_or(0) << 1 | literal & 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Rng;

    /// A random graph over a state of two words and one variable that moves choose, with more nodes than a window.
    fn graph(rng: &mut Rng, nodes: u32) -> Vec<Node> {
        let mut graph = vec![Node::True];
        while (graph.len() as u32) < nodes {
            let number = graph.len() as u32;
            graph.push(match rng.below(if number < 40 { 4 } else { 40 }) {
                0 => Node::Input(Source::Bit(rng.below(128))),
                1 => Node::Input(Source::Field {
                    first: 64 * rng.below(2) + 3 * rng.below(20),
                    bits: 3,
                    value: rng.below(8),
                }),
                2 => Node::Input(Source::Chosen(0, rng.below(5))),
                3 => Node::Input(Source::Never),
                // Mostly of near nodes, so that there are chains.
                _ => {
                    let mut literal = |span: u32| 2 * (number - 1 - rng.below(span.min(number))) + rng.below(2);
                    Node::And(literal(60), literal(3000))
                }
            });
        }
        graph
    }

    /// The values of all nodes for one state and choice.
    fn values(graph: &[Node], state: [u64; 2], choice: u32) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::new();
        let bit = |at: u32| state[at as usize / 64] >> (at % 64) & 1 == 1;
        for node in graph {
            let literal = |literal: u32| values[literal as usize / 2] != (literal % 2 == 1);
            let value = match *node {
                Node::True => true,
                Node::Input(Source::Never) => false,
                Node::Input(Source::Bit(at)) => bit(at),
                Node::Input(Source::Field { first, bits, value }) => {
                    (0..bits).all(|at| bit(first + at) == (value >> at & 1 == 1))
                }
                Node::Input(Source::Chosen(_, value)) => value == choice,
                Node::And(a, b) => literal(a) && literal(b),
            };
            values.push(value);
        }
        values
    }

    #[test]
    fn circuits_compute_what_graphs_say() {
        let mut rng = Rng::new(3);
        for (nodes, lanes) in [(30, 1), (300, 64), (2_000, 65), (9_000, 200), (9_000, LANES)] {
            let graph = graph(&mut rng, nodes);
            let outputs: Vec<(u32, u32)> = (0..150).map(|bit| (rng.below(2 * nodes), bit)).collect();
            let circuit = Circuit::new(nodes, |number| graph[number as usize], &outputs, 3).unwrap();
            assert!(circuit.gates() < nodes as usize * 9 / 10, "many conjunctions are parts of others");
            let mut memory = circuit.memory();
            // Memory is used again.
            for _ in 0..2 {
                let states: Vec<u64> = (0..2 * lanes).map(|_| rng.next_u64()).collect();
                let choices: Vec<u32> = (0..lanes).map(|_| rng.below(6)).collect();
                let firsts: Vec<usize> = (0..lanes).map(|lane| 2 * lane).collect();
                circuit.load(&mut memory, &states, &firsts);
                for (lane, &choice) in choices.iter().enumerate() {
                    circuit.choose(&mut memory, lane, (0, choice), true);
                }
                circuit.run(&mut memory, lanes);
                let mut out = Vec::new();
                circuit.store(&memory, lanes, &mut out);
                for (lane, &choice) in choices.iter().enumerate() {
                    let values = values(&graph, [states[2 * lane], states[2 * lane + 1]], choice);
                    for &(literal, bit) in &outputs {
                        let wanted = values[literal as usize / 2] != (literal % 2 == 1);
                        let word = out[3 * lane + bit as usize / 64];
                        assert_eq!(word >> (bit % 64) & 1 == 1, wanted, "{nodes} nodes, lane {lane}, output {bit}");
                    }
                    circuit.choose(&mut memory, lane, (0, choice), false);
                }
            }
        }
    }
}
