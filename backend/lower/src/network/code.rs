//! Code that keeps the counters of a network up to date, and the functions of decisions that use it.
//!
//! Scratch memory has a few words of its own, the values of single variables and the words of the state as the network knows them, the
//! outputs, a word for each gate, and the set of gates to look at: a bit for each gate and, above these, one for each word of bits.
//! A gate's users have greater numbers than it has, so taking the lowest bit first looks at each gate once.

use super::super::emission::TEMPLATE_SHIFT;
use super::super::{Decision, Failure, Lifter};
use super::counters::FLAGS;
use super::{After, Choice, Counters, Field, Kind, Network, Part, formats};
use rg_ir::{NodeId, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::verify::MAX_SCRATCH;
use wir::{Block, FnId, Inst, Op, Reg};

/// One literal more.
const ONE: u64 = 1 << FLAGS;

/// Functions that work on a part of a network.
#[derive(Clone, Copy)]
struct Procedures {
    /// Initialises memory if that has not been done.
    begin: FnId,
    /// Notes what a word of the state is: its place among words with inputs, and its value.
    word: FnId,
    /// Notes what a single variable is: its place in scratch memory, where its gates begin in the table, and its value.
    single: FnId,
    /// Follows changes through the network.
    settle: FnId,
}

/// Where a part of a network is in scratch memory.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    /// 1 once memory has been initialised.
    ready: u32,
    /// The values of single variables, and the words of the state.
    singles: u32,
    words: u32,
    outputs: u32,
    gates: u32,
    /// The bits of gates to look at.
    marked: u32,
    /// Which words of these have bits, and how many such words there are.
    summary: u32,
    summaries: u32,
}

impl Memory {
    /// Takes memory for some counters, and numbers of words with inputs and of single variables.
    pub(super) fn new(counters: &Counters, words: usize, singles: usize, scratch: &mut u32) -> Self {
        let mut take = |words: usize| {
            *scratch = scratch.saturating_add(words as u32);
            scratch.saturating_sub(words as u32)
        };
        let summaries = counters.words.len().div_ceil(64 * 64);
        Self {
            ready: take(1),
            singles: take(singles),
            words: take(words),
            outputs: take(counters.outputs.len()),
            gates: take(counters.words.len()),
            marked: take(64 * summaries),
            summary: take(summaries),
            summaries: summaries as u32,
        }
    }
}

/// The size of scratch memory with room for so many words.
pub(super) fn memory_size(words: u32) -> Result<u32, Failure> {
    if words > MAX_SCRATCH { Err(Failure::too_large()) } else { Ok(words.next_power_of_two()) }
}

impl Lifter<'_> {
    /// The functions of the decision at a node.
    pub(super) fn by_network(&mut self, network: &Rc<Network>, node: NodeId) -> Result<Decision, Failure> {
        self.program.scratch_words = network.scratch;
        let choice = network.choices.get(&node).ok_or_else(|| Failure::new("a decision has no moves"))?;
        let procedures = self.procedures_of(&choice.legal);
        let name = self.game.node_name(node).to_owned();
        self.begin_scalar(0);
        self.note_state(&choice.legal, procedures, node, &FxHashMap::default());
        for (number, kind) in (0..).zip(&choice.kinds) {
            self.emit_legal(choice.legal.memory, number, kind);
        }
        let decide = self.finished(format!("decide_{name}"), 0, Vec::new());
        let apply = self.network_apply(network, (node, choice))?;
        let first = self.program.functions.len() as FnId;
        self.program.functions.extend([decide, apply]);
        Ok(Decision {
            decide: first,
            apply: first + 1,
            label: None,
            speculative: None,
            passes: 0,
            templates: formats(choice)?,
            overlaps: false,
        })
    }

    /// The functions that work on a part of a network: written when they are first asked for.
    fn procedures_of(&mut self, part: &Part) -> Procedures {
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

    /// Emits the moves of a kind whose bits are set.
    fn emit_legal(&mut self, memory: Memory, number: u64, kind: &Kind) {
        for word in 0..kind.moves.len().div_ceil(64) as u32 {
            let set = self.peek(memory.outputs + kind.first + word);
            let base = self.function.builder.constant(number << TEMPLATE_SHIFT | u64::from(64 * word));
            self.function.builder.push(Inst::EmitSet { base, set, shift: 0 });
        }
    }

    /// Makes a move.
    fn network_apply(
        &mut self,
        network: &Network,
        (node, choice): (NodeId, &Choice),
    ) -> Result<wir::Function, Failure> {
        let after = network.keepers.get(&choice.target);
        // Functions that are called come before those that call them.
        let procedures = after.map(|after| self.procedures_of(&after.state));
        let of_scores = after.and_then(|after| after.scores.as_ref()).map(|scores| self.procedures_of(&scores.part));
        self.begin_scalar(1);
        let mask = self.function.builder.constant((1 << TEMPLATE_SHIFT) - 1);
        let (move_number, kind) =
            (self.function.builder.and(0, mask), self.function.builder.op(Op::ShrBy(0, TEMPLATE_SHIFT)));
        let all: Vec<&Kind> = choice.kinds.iter().collect();
        // All moves by number, the kinds behind each other.
        let mut before = Vec::new();
        let mut total = 0;
        for kind in &all {
            before.push(total);
            total += kind.moves.len() as u64;
        }
        let first = self.function.builder.looked_up(before, kind);
        let row = self.function.builder.op(Op::Add(first, move_number));
        let done = || all.iter().flat_map(|kind| &kind.moves);
        let vars: Vec<VarId> = done().next().map_or(Vec::new(), |done| done.values.keys().copied().collect());
        let mut values = FxHashMap::default();
        for var in vars {
            let list: Vec<u64> =
                done().map(|done| done.values.get(&var).map_or(0, |&value| u64::from(value))).collect();
            let value = self.function.builder.looked_up(list, row);
            values.insert(var, value);
        }
        let name = format!("apply_{}", self.game.node_name(node));
        let (Some(after), Some(procedures)) = (after, procedures) else {
            let number = self.hand_over(choice.target, &values)?;
            return Ok(self.finished(name, 1, vec![number]));
        };
        self.note_state(&after.state, procedures, node, &values);
        let outputs = after.state.memory.outputs;
        let made = self.peek(outputs + self.layout.words);
        let lost = self.function.builder.negation(made);
        self.function.builder.exit_if(lost);
        let number = self.peek(outputs + self.layout.node.word);
        let mask = self.function.builder.constant((1 << self.layout.node.bits) - 1);
        let number = self.function.builder.and(number, mask);
        let scores = self.scores_after(after, of_scores, (node, &values), number);
        for word in 0..self.layout.words {
            let mut value = self.peek(outputs + word);
            if let Some(&score) = scores.get(&word) {
                value = self.function.builder.or(value, score);
            }
            self.function.builder.push(Inst::Store { word, value });
        }
        Ok(self.finished(name, 1, vec![number]))
    }

    /// By word of the state, what matters at the end only: it is evaluated if the game is over, and stays as it is otherwise.
    fn scores_after(
        &mut self,
        after: &After,
        procedures: Option<Procedures>,
        (node, values): (NodeId, &FxHashMap<VarId, Reg>),
        number: Reg,
    ) -> FxHashMap<u32, Reg> {
        let (Some(scores), Some(procedures)) = (&after.scores, procedures) else { return FxHashMap::default() };
        let words = || (0..).zip(&scores.masks).filter(|(_, mask)| **mask != 0);
        let old: Vec<Reg> = words()
            .map(|(word, &mask)| {
                let old = self.function.builder.op(Op::Load(word));
                let mask = self.function.builder.constant(mask);
                self.function.builder.and(old, mask)
            })
            .collect();
        let zero = self.function.builder.constant(0);
        let goes_on = self.function.builder.op(Op::Ne(number, zero));
        self.function.builder.open();
        let then = self.function.builder.close(old);
        self.function.builder.open();
        self.note_state(&scores.part, procedures, node, values);
        let new = words().map(|(word, _)| self.peek(scores.part.memory.outputs + word)).collect();
        let other = self.function.builder.close(new);
        let results = self.function.builder.if_else(goes_on, then, other);
        words().map(|(word, _)| word).zip(results).collect()
    }

    /// Tells the network what the state is, with other values of some variables, and follows the changes.
    fn note_state(&mut self, part: &Part, procedures: Procedures, node: NodeId, values: &FxHashMap<VarId, Reg>) {
        let begun = self.function.builder.fresh();
        self.function.builder.push(Inst::Call { function: procedures.begin, args: Vec::new(), to: begun });
        for (place, (word, gates)) in (0..).zip(&part.words) {
            let mask = (0..64).zip(gates).filter(|(_, gate)| **gate != 0).fold(0u64, |mask, (bit, _)| mask | 1 << bit);
            let mask = self.function.builder.constant(mask);
            let value = self.function.builder.op(Op::Load(*word));
            let value = self.function.builder.and(value, mask);
            let known = self.peek(part.memory.words + place);
            let place = self.function.builder.constant(u64::from(place));
            self.call_if_different(value, known, procedures.word, vec![place, value]);
        }
        let mut row = 0;
        for (place, single) in (part.memory.singles..).zip(&part.singles) {
            let none = single.gates.len() as u64;
            let value = match (values.get(&single.cell.0), self.field_of(single.cell)) {
                (Some(&value), _) => value,
                (None, Some(field)) if self.is_live(node, rg_ir::ids::Id::index(single.cell.0)) => {
                    self.loaded_field(field)
                }
                _ => self.function.builder.constant(none),
            };
            let known = self.peek(place);
            let [place, first] = [u64::from(place), row].map(|value| self.function.builder.constant(value));
            self.call_if_different(value, known, procedures.single, vec![place, first, value]);
            row += none + 1;
        }
        let settled = self.function.builder.fresh();
        self.function.builder.push(Inst::Call { function: procedures.settle, args: Vec::new(), to: settled });
    }

    fn call_if_different(&mut self, one: Reg, other: Reg, function: FnId, args: Vec<Reg>) {
        let cond = self.function.builder.op(Op::Ne(one, other));
        self.function.builder.open();
        let to = self.function.builder.fresh();
        self.function.builder.push(Inst::Call { function, args, to });
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond, then, other: Block::default(), to: Vec::new() });
    }

    /// Stores the state in which somebody else decides at once.
    fn hand_over(&mut self, target: NodeId, values: &FxHashMap<VarId, Reg>) -> Result<Reg, Failure> {
        let stop = self.stops.iter().position(|stop| stop.node == target && stop.fixed.is_empty());
        let number = stop.ok_or_else(|| Failure::new("a decision has no number"))? as u64;
        let words = self.layout.words as usize;
        let (mut kept, mut set) = (vec![0u64; words], vec![0u64; words]);
        let mut dynamic = Vec::new();
        let mut put = |field: Field, value: u64| {
            if let Some(word) = set.get_mut(field.word as usize) {
                *word |= value << field.shift;
            }
        };
        put(self.layout.node, number);
        let player = self.player_at(target);
        for var in self.game.vars.ids() {
            let Some(Ok(form)) = self.known.numbers.vars.get(var) else { continue };
            let live = self.is_live(target, rg_ir::ids::Id::index(var));
            for (index, &initial) in (0..).zip(form.values.iter()) {
                let Some(field) = self.field_of((var, index)) else { continue };
                match (values.get(&var), player) {
                    (_, Some(player)) if Some(var) == self.known.player => put(field, u64::from(player)),
                    (None, None) if Some(var) == self.known.player => {
                        return Err(Failure::new("it is not known who decides"));
                    }
                    (Some(&value), _) if live => dynamic.push((field, value)),
                    _ if live => {
                        if let Some(word) = kept.get_mut(field.word as usize) {
                            *word |= (u64::MAX >> (64 - field.bits.clamp(1, 64))) << field.shift;
                        }
                    }
                    _ => put(field, u64::from(initial)),
                }
            }
        }
        for (word, (kept, set)) in (0..).zip(kept.into_iter().zip(set)) {
            let old = self.function.builder.op(Op::Load(word));
            let [kept, set] = [kept, set].map(|value| self.function.builder.constant(value));
            let old = self.function.builder.and(old, kept);
            let mut value = self.function.builder.or(old, set);
            for &(field, chosen) in dynamic.iter().filter(|(field, _)| field.word == word) {
                let chosen = self.function.builder.op(Op::ShlBy(chosen, field.shift));
                value = self.function.builder.or(value, chosen);
            }
            self.function.builder.push(Inst::Store { word, value });
        }
        Ok(self.function.builder.constant(number))
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
        let one = self.function.builder.constant(1);
        self.poke(memory.ready, one);
        for (place, single) in (memory.singles..).zip(&part.singles) {
            let none = self.function.builder.constant(single.gates.len() as u64);
            self.poke(place, none);
        }
        for (first, words) in [(memory.outputs, &part.counters.outputs), (memory.gates, &part.counters.words)] {
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
        self.add_procedure("begin", 0)
    }

    /// Marks a gate as one to look at, if a truth value holds.
    fn mark_gate(&mut self, memory: Memory, gate: Reg, truth: Reg) {
        let (mut first, mut bit) = (memory.marked, gate);
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
        self.mark_gate(memory, gate, one);
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
        let gates: Vec<u64> = part.words.iter().flat_map(|(_, gates)| gates).map(|&gate| u64::from(gate)).collect();
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
        let gates: Vec<u64> =
            part.singles.iter().flat_map(|single| single.gates.iter().copied().chain([0])).map(u64::from).collect();
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

    /// Looks at gates that are marked, in order, and tells their users and outputs if they have changed, until none is left.
    fn settle_function(&mut self, part: &Part) -> FnId {
        let memory = part.memory;
        self.begin_scalar(0);
        self.for_each_below(u64::from(memory.summaries), |lifter, number| {
            let first = lifter.function.builder.constant(u64::from(memory.summary));
            let place = lifter.function.builder.op(Op::Add(first, number));
            lifter.for_each_taken(place, number, |lifter, word| {
                let first = lifter.function.builder.constant(u64::from(memory.marked));
                let place = lifter.function.builder.op(Op::Add(first, word));
                lifter.for_each_taken(place, word, |lifter, gate| lifter.settle_gate(part, gate));
            });
        });
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

    /// Looks at a gate.
    fn settle_gate(&mut self, part: &Part, gate: Reg) {
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
        let outputs = self.function.builder.and(first, one);
        let [first, end] = [first, end].map(|place| self.function.builder.op(Op::ShrBy(place, 1)));
        // One more or one less.
        let [double, single] = [2 * ONE, ONE].map(|value| self.function.builder.constant(value));
        let by = self.function.builder.op(Op::Mul(value, double));
        let by = self.function.builder.op(Op::Sub(by, single));
        self.settle_users(part, (first, end), by);
        self.function.builder.open();
        let [bits, end_of_bits] =
            [gate, next].map(|row| self.function.builder.looked_up(part.counters.first_bit.clone(), row));
        self.settle_outputs(part, (bits, end_of_bits));
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond: outputs, then, other: Block::default(), to: Vec::new() });
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond: changed, then, other: Block::default(), to: Vec::new() });
    }

    /// Tells the users of a gate that it has changed.
    fn settle_users(&mut self, part: &Part, (from, to): (Reg, Reg), by: Reg) {
        let memory = part.memory;
        if part.counters.users.is_empty() {
            return;
        }
        let cond = self.function.builder.op(Op::Ne(from, to));
        self.function.builder.open();
        self.function.builder.open();
        let at = self.function.builder.fresh();
        let [zero, one] = [0, 1].map(|value| self.function.builder.constant(value));
        let user = self.function.builder.looked_up(part.counters.users.clone(), at);
        let gate = self.function.builder.op(Op::ShrBy(user, 1));
        let complement = self.function.builder.and(user, one);
        let flipped = self.function.builder.op(Op::Sub(zero, complement));
        let by = self.function.builder.op(Op::Xor(by, flipped));
        let by = self.function.builder.op(Op::Add(by, complement));
        let place = self.gate_place(memory, gate);
        let old = self.peek_at(place);
        let new = self.function.builder.op(Op::Add(old, by));
        self.poke_at(place, new);
        let crossed = self.function.builder.op(Op::Xor(old, new));
        let crossed = self.function.builder.op(Op::ShrBy(crossed, 63));
        self.function.builder.open();
        self.mark_gate(memory, gate, one);
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond: crossed, then, other: Block::default(), to: Vec::new() });
        let next = self.function.builder.op(Op::Add(at, one));
        let more = self.function.builder.op(Op::Ne(next, to));
        let body = self.function.builder.close(vec![more, next]);
        let results = vec![self.function.builder.fresh()];
        self.function.builder.push(Inst::Loop { carried: vec![(at, from)], body, to: results });
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond, then, other: Block::default(), to: Vec::new() });
    }

    /// Flips the outputs of a gate.
    fn settle_outputs(&mut self, part: &Part, (from, to): (Reg, Reg)) {
        let memory = part.memory;
        if part.counters.bits.is_empty() {
            return;
        }
        let cond = self.function.builder.op(Op::Ne(from, to));
        self.function.builder.open();
        self.function.builder.open();
        let at = self.function.builder.fresh();
        let one = self.function.builder.constant(1);
        let bit = self.function.builder.looked_up(part.counters.bits.clone(), at);
        let word = self.function.builder.op(Op::ShrBy(bit, 6));
        let first = self.function.builder.constant(u64::from(memory.outputs));
        let place = self.function.builder.op(Op::Add(first, word));
        let old = self.peek_at(place);
        let flip = self.function.builder.op(Op::Shl(one, bit));
        let new = self.function.builder.op(Op::Xor(old, flip));
        self.poke_at(place, new);
        let next = self.function.builder.op(Op::Add(at, one));
        let more = self.function.builder.op(Op::Ne(next, to));
        let body = self.function.builder.close(vec![more, next]);
        let results = vec![self.function.builder.fresh()];
        self.function.builder.push(Inst::Loop { carried: vec![(at, from)], body, to: results });
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond, then, other: Block::default(), to: Vec::new() });
    }
}
