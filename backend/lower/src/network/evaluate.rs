//! The functions that keep the counters of a part of a network up to date.
//!
//! The worklist has a bit for each gate and, above these, one for each word of bits. Fanouts have greater numbers
//! than their gate, so taking the lowest bits first mostly visits each gate once; the result is right in any order, since counters add up.

use super::super::Lifter;
use super::Part;
use super::code::Memory;
use super::counters::FLAGS;
use wir::{Block, FnId, Inst, Op, Reg};

/// One literal more.
const ONE: u64 = 1 << FLAGS;

/// Functions that work on a part of a network.
#[derive(Clone, Copy)]
pub(super) struct Procedures {
    /// Initialises memory if that has not been done, and says that counters are not up to date.
    pub(super) begin: FnId,
    /// Updates the inputs in a word of the state: its place among words with inputs, and its value.
    pub(super) word: FnId,
    /// Updates the inputs of a variable with several values: its place in scratch memory, where its gates begin in the table, and its value.
    pub(super) single: FnId,
    /// Propagates changes until the worklist is empty; counters are up to date then.
    pub(super) settle: FnId,
}

impl Lifter<'_> {
    /// The functions that work on a part of a network: written when they are first asked for.
    pub(super) fn procedures_of(&mut self, part: &Part) -> Procedures {
        if let Some(&first) = self.network_functions.get(&part.memory.ready) {
            return Procedures { word: first, single: first + 1, settle: first + 2, begin: first + 3 };
        }
        let flip = self.flip_function(part.memory);
        let word = self.word_function(part, flip);
        let single = self.single_function(part, flip);
        let settle = self.settle_function(part);
        let begin = self.begin_function(part);
        self.network_functions.insert(part.memory.ready, word);
        Procedures { word, single, settle, begin }
    }

    fn add_procedure(&mut self, name: &str, params: u32) -> FnId {
        let zero = self.function.builder.constant(0);
        let function = self.finished(format!("network_{name}"), params, vec![zero]);
        self.program.functions.push(function);
        self.program.functions.len() as FnId - 1
    }

    /// A loop over numbers below a positive one.
    fn for_each_below(&mut self, count: u64, mut body: impl FnMut(&mut Self, Reg)) {
        let zero = self.function.builder.constant(0);
        self.function.builder.open();
        let at = self.function.builder.fresh();
        body(self, at);
        let [one, count] = [1, count].map(|value| self.function.builder.constant(value));
        let next = self.function.builder.op(Op::Add(at, one));
        let more = self.function.builder.op(Op::Less(next, count));
        let body = self.function.builder.close(vec![more, next]);
        let to = vec![self.function.builder.fresh()];
        self.function.builder.push(Inst::Loop { carried: vec![(at, zero)], body, to });
    }

    fn begin_function(&mut self, part: &Part) -> FnId {
        let memory = part.memory;
        self.begin_scalar(0);
        let ready = self.peek(memory.ready);
        let cond = self.function.builder.negation(ready);
        self.function.builder.open();
        for (place, single) in (memory.singles..).zip(&part.inputs.singles) {
            let none = self.function.builder.constant(single.gates.len() as u64);
            self.poke(place, none);
        }
        let zeros = |count: u32| vec![0; count as usize];
        let (words, worklist) = (zeros(part.inputs.words.len() as u32), zeros(65 * memory.summaries));
        for (first, words) in [
            (memory.words, &words),
            (memory.outputs, &part.counters.outputs),
            (memory.gates, &part.counters.words),
            (memory.worklist, &worklist),
            (memory.armed, &part.counters.guarded.armed),
        ] {
            if words.is_empty() {
                continue;
            }
            self.for_each_below(words.len() as u64, |lifter, at| {
                let value = lifter.function.builder.looked_up(words.clone(), at);
                let first = lifter.function.builder.constant(u64::from(first));
                let place = lifter.function.builder.op(Op::Add(first, at));
                lifter.poke_at(place, value);
            });
        }
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond, then, other: Block::default(), to: Vec::new() });
        // Whoever runs this may stop it half-way, by a limit; then memory is initialised anew.
        let zero = self.function.builder.constant(0);
        self.poke(memory.ready, zero);
        self.add_procedure("begin", 0)
    }

    /// Adds a gate to the worklist, if a truth value holds.
    fn add_to_worklist(&mut self, memory: Memory, gate: Reg, truth: Reg) {
        let (mut first, mut bit) = (memory.worklist, gate);
        for _ in 0..2 {
            let word = self.function.builder.op(Op::ShrBy(bit, 6));
            let base = self.function.builder.constant(u64::from(first));
            let place = self.function.builder.op(Op::Add(base, word));
            let old = self.peek_at(place);
            let mark = self.function.builder.op(Op::Shl(truth, bit));
            let new = self.function.builder.or(old, mark);
            self.poke_at(place, new);
            (first, bit) = (memory.summary, word);
        }
    }

    fn gate_place(&mut self, memory: Memory, gate: Reg) -> Reg {
        let first = self.function.builder.constant(u64::from(memory.gates));
        self.function.builder.op(Op::Add(first, gate))
    }

    /// Flips an input.
    fn flip_function(&mut self, memory: Memory) -> FnId {
        self.begin_scalar(1);
        let gate = 0;
        let place = self.gate_place(memory, gate);
        let old = self.peek_at(place);
        // What is missing is 0 or -1.
        let count = self.function.builder.constant(!(ONE - 1));
        let new = self.function.builder.op(Op::Xor(old, count));
        self.poke_at(place, new);
        let one = self.function.builder.constant(1);
        self.add_to_worklist(memory, gate, one);
        self.add_procedure("flip", 1)
    }

    fn word_function(&mut self, part: &Part, flip: FnId) -> FnId {
        self.begin_scalar(2);
        let (place, value) = (0, 1);
        let first = self.function.builder.constant(u64::from(part.memory.words));
        let at = self.function.builder.op(Op::Add(first, place));
        let old = self.peek_at(at);
        self.poke_at(at, value);
        let set = self.function.builder.op(Op::Xor(old, value));
        let row = self.function.builder.op(Op::ShlBy(place, 6));
        self.function.builder.open();
        let item = self.function.builder.fresh();
        let index = self.function.builder.op(Op::Add(row, item));
        let gates: Vec<u64> =
            part.inputs.words.iter().flat_map(|(_, gates)| gates).map(|&gate| u64::from(gate)).collect();
        let gates = if gates.is_empty() { vec![0] } else { gates };
        let gate = self.function.builder.looked_up(gates, index);
        let to = self.function.builder.fresh();
        self.function.builder.push(Inst::Call { function: flip, args: vec![gate], to });
        let body = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::Each { set, item, carried: Vec::new(), body, to: Vec::new() });
        self.add_procedure("word", 2)
    }

    fn single_function(&mut self, part: &Part, flip: FnId) -> FnId {
        self.begin_scalar(3);
        let (place, first, value) = (0, 1, 2);
        let old = self.peek_at(place);
        self.poke_at(place, value);
        // The last entry of each is that of no value.
        let gates: Vec<u64> = part
            .inputs
            .singles
            .iter()
            .flat_map(|single| single.gates.iter().copied().chain([0]))
            .map(u64::from)
            .collect();
        let gates = if gates.is_empty() { vec![0] } else { gates };
        for value in [old, value] {
            let index = self.function.builder.op(Op::Add(first, value));
            let gate = self.function.builder.looked_up(gates.clone(), index);
            self.function.builder.open();
            let to = self.function.builder.fresh();
            self.function.builder.push(Inst::Call { function: flip, args: vec![gate], to });
            let then = self.function.builder.close(Vec::new());
            self.function.builder.push(Inst::If { cond: gate, then, other: Block::default(), to: Vec::new() });
        }
        self.add_procedure("single", 3)
    }

    /// Visits the gates of the worklist in order: those that have changed propagate that to their fanouts and outputs.
    fn settle_function(&mut self, part: &Part) -> FnId {
        let memory = part.memory;
        self.begin_scalar(0);
        self.for_each_below(u64::from(memory.summaries), |lifter, number| {
            let first = lifter.function.builder.constant(u64::from(memory.summary));
            let place = lifter.function.builder.op(Op::Add(first, number));
            lifter.for_each_taken(place, number, |lifter, word| {
                let first = lifter.function.builder.constant(u64::from(memory.worklist));
                let place = lifter.function.builder.op(Op::Add(first, word));
                lifter.for_each_taken(place, word, |lifter, gate| lifter.visit_gate(part, gate));
            });
        });
        let one = self.function.builder.constant(1);
        self.poke(memory.ready, one);
        self.add_procedure("settle", 0)
    }

    /// Takes the bits out of a word of memory, and those that are put into it meanwhile; each has a number: 64 times that of the word, and
    /// the bit's.
    fn for_each_taken(&mut self, place: Reg, number: Reg, body: impl FnOnce(&mut Self, Reg)) {
        let bits = self.peek_at(place);
        self.function.builder.open();
        self.function.builder.open();
        let set = self.function.builder.fresh();
        let zero = self.function.builder.constant(0);
        self.poke_at(place, zero);
        let row = self.function.builder.op(Op::ShlBy(number, 6));
        self.function.builder.open();
        let item = self.function.builder.fresh();
        let one = self.function.builder.op(Op::Add(row, item));
        body(self, one);
        let each = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::Each { set, item, carried: Vec::new(), body: each, to: Vec::new() });
        let more = self.peek_at(place);
        let body = self.function.builder.close(vec![more, more]);
        let to = vec![self.function.builder.fresh()];
        self.function.builder.push(Inst::Loop { carried: vec![(set, bits)], body, to });
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond: bits, then, other: Block::default(), to: Vec::new() });
    }

    /// Visits a gate: its fanouts and outputs follow if its value has changed.
    fn visit_gate(&mut self, part: &Part, gate: Reg) {
        let memory = part.memory;
        let one = self.function.builder.constant(1);
        let place = self.gate_place(memory, gate);
        let old = self.peek_at(place);
        let sign = self.function.builder.op(Op::ShrBy(old, 63));
        let value = self.function.builder.op(Op::Xor(sign, one));
        let count = self.function.builder.constant(!(ONE - 1));
        let count = self.function.builder.and(old, count);
        let new = self.function.builder.or(count, value);
        self.poke_at(place, new);
        let known = self.function.builder.and(old, one);
        let changed = self.function.builder.op(Op::Ne(known, value));
        self.function.builder.open();
        let next = self.function.builder.op(Op::Add(gate, one));
        let [first, end] = [gate, next].map(|row| self.function.builder.looked_up(part.counters.first.clone(), row));
        let has_more = self.function.builder.and(first, one);
        let [first, end] = [first, end].map(|place| self.function.builder.op(Op::ShrBy(place, 1)));
        // One more or one less.
        let [double, single] = [2 * ONE, ONE].map(|value| self.function.builder.constant(value));
        let by = self.function.builder.op(Op::Mul(value, double));
        let by = self.function.builder.op(Op::Sub(by, single));
        self.propagate(part, (first, end), by);
        self.function.builder.open();
        // First as a guard: as a rest, a gate arms conjunctions whose guard it may be itself.
        self.propagate_guard(part, (gate, next), by);
        self.propagate_rest(part, (gate, next), by);
        self.flip_outputs(part, (gate, next));
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond: has_more, then, other: Block::default(), to: Vec::new() });
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond: changed, then, other: Block::default(), to: Vec::new() });
    }

    /// A loop over the numbers from one to another, the latter excluded.
    fn for_each_between(&mut self, (from, to): (Reg, Reg), body: impl FnOnce(&mut Self, Reg)) {
        let cond = self.function.builder.op(Op::Ne(from, to));
        self.function.builder.open();
        self.function.builder.open();
        let at = self.function.builder.fresh();
        body(self, at);
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(at, one));
        let more = self.function.builder.op(Op::Ne(next, to));
        let body = self.function.builder.close(vec![more, next]);
        let results = vec![self.function.builder.fresh()];
        self.function.builder.push(Inst::Loop { carried: vec![(at, from)], body, to: results });
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond, then, other: Block::default(), to: Vec::new() });
    }

    /// Adds a change of a gate to the counters of its fanouts.
    fn propagate(&mut self, part: &Part, range: (Reg, Reg), by: Reg) {
        if part.counters.fanouts.is_empty() {
            return;
        }
        self.for_each_between(range, |lifter, at| {
            let fanout = lifter.function.builder.looked_up(part.counters.fanouts.clone(), at);
            let (gate, by) = lifter.change_of(fanout, by);
            let place = lifter.gate_place(part.memory, gate);
            let old = lifter.peek_at(place);
            let new = lifter.function.builder.op(Op::Add(old, by));
            lifter.poke_at(place, new);
            let crossed = lifter.function.builder.op(Op::Xor(old, new));
            let crossed = lifter.function.builder.op(Op::ShrBy(crossed, 63));
            // No branch: whether a counter crosses zero is hard to predict.
            lifter.add_to_worklist(part.memory, gate, crossed);
        });
    }

    /// What a signal is of, and a change by one of that as a change of the signal.
    fn change_of(&mut self, signal: Reg, by: Reg) -> (Reg, Reg) {
        let [zero, one] = [0, 1].map(|value| self.function.builder.constant(value));
        let number = self.function.builder.op(Op::ShrBy(signal, 1));
        let complement = self.function.builder.and(signal, one);
        let flipped = self.function.builder.op(Op::Sub(zero, complement));
        let by = self.function.builder.op(Op::Xor(by, flipped));
        (number, self.function.builder.op(Op::Add(by, complement)))
    }

    /// The range of a gate in a list, given where those of gates begin.
    fn range_of(&mut self, first: &[u64], (gate, next): (Reg, Reg)) -> (Reg, Reg) {
        let [from, to] = [gate, next].map(|row| self.function.builder.looked_up(first.to_vec(), row));
        (from, to)
    }

    /// Changes a guarded conjunction whose other signal is true.
    fn change_guarded(&mut self, part: &Part, slot: Reg, by: Reg) {
        let gate = self.function.builder.looked_up(part.counters.guarded.gates.clone(), slot);
        let place = self.gate_place(part.memory, gate);
        let old = self.peek_at(place);
        let new = self.function.builder.op(Op::Add(old, by));
        self.poke_at(place, new);
        let one = self.function.builder.constant(1);
        self.add_to_worklist(part.memory, gate, one);
    }

    /// Changes the armed conjunctions of a guard.
    fn propagate_guard(&mut self, part: &Part, gate: (Reg, Reg), by: Reg) {
        let guarded = &part.counters.guarded;
        if guarded.guards.is_empty() {
            return;
        }
        let range = self.range_of(&guarded.first_word, gate);
        self.for_each_between(range, |lifter, word| {
            let guard = lifter.function.builder.looked_up(guarded.guards.clone(), word);
            let (_, by) = lifter.change_of(guard, by);
            let first = lifter.function.builder.constant(u64::from(part.memory.armed));
            let place = lifter.function.builder.op(Op::Add(first, word));
            let set = lifter.peek_at(place);
            let row = lifter.function.builder.op(Op::ShlBy(word, 6));
            lifter.function.builder.open();
            let item = lifter.function.builder.fresh();
            let slot = lifter.function.builder.op(Op::Add(row, item));
            lifter.change_guarded(part, slot, by);
            let body = lifter.function.builder.close(Vec::new());
            lifter.function.builder.push(Inst::Each { set, item, carried: Vec::new(), body, to: Vec::new() });
        });
    }

    /// Arms the conjunctions whose rest has become true, disarms the others, and changes those whose guard is true.
    fn propagate_rest(&mut self, part: &Part, gate: (Reg, Reg), by: Reg) {
        let guarded = &part.counters.guarded;
        if guarded.guards.is_empty() {
            return;
        }
        let range = self.range_of(&guarded.first_slot, gate);
        self.for_each_between(range, |lifter, at| {
            let one = lifter.function.builder.constant(1);
            let rest = lifter.function.builder.looked_up(guarded.slots.clone(), at);
            let (slot, by) = lifter.change_of(rest, by);
            let word = lifter.function.builder.op(Op::ShrBy(slot, 6));
            let first = lifter.function.builder.constant(u64::from(part.memory.armed));
            let place = lifter.function.builder.op(Op::Add(first, word));
            let old = lifter.peek_at(place);
            let flip = lifter.function.builder.op(Op::Shl(one, slot));
            let new = lifter.function.builder.op(Op::Xor(old, flip));
            lifter.poke_at(place, new);
            let guard = lifter.function.builder.looked_up(guarded.guards.clone(), word);
            let gate = lifter.function.builder.op(Op::ShrBy(guard, 1));
            let place = lifter.gate_place(part.memory, gate);
            let known = lifter.peek_at(place);
            let holds = lifter.function.builder.op(Op::Xor(known, guard));
            let holds = lifter.function.builder.and(holds, one);
            lifter.function.builder.open();
            lifter.change_guarded(part, slot, by);
            let then = lifter.function.builder.close(Vec::new());
            lifter.function.builder.push(Inst::If { cond: holds, then, other: Block::default(), to: Vec::new() });
        });
    }

    /// Flips the outputs of a gate.
    fn flip_outputs(&mut self, part: &Part, gate: (Reg, Reg)) {
        if part.counters.bits.is_empty() {
            return;
        }
        let range = self.range_of(&part.counters.first_bit, gate);
        self.for_each_between(range, |lifter, at| {
            let one = lifter.function.builder.constant(1);
            let bit = lifter.function.builder.looked_up(part.counters.bits.clone(), at);
            let word = lifter.function.builder.op(Op::ShrBy(bit, 6));
            let first = lifter.function.builder.constant(u64::from(part.memory.outputs));
            let place = lifter.function.builder.op(Op::Add(first, word));
            let old = lifter.peek_at(place);
            let flip = lifter.function.builder.op(Op::Shl(one, bit));
            let new = lifter.function.builder.op(Op::Xor(old, flip));
            lifter.poke_at(place, new);
        });
    }
}
