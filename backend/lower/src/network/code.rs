//! Code that keeps the counters of a network up to date, and the functions of decisions that use it.
//!
//! Scratch memory has a few words of its own, the values of single variables and the words of the state as the network knows them, the
//! outputs, a word for each gate, and a queue of gates: a ring with room for all of them.

use super::super::emission::TEMPLATE_SHIFT;
use super::super::{Decision, Failure, Lifter};
use super::counters::FLAGS;
use super::{Choice, Field, Kind, Network, formats};
use rg_ir::{NodeId, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::verify::MAX_SCRATCH;
use wir::{Block, FnId, Inst, Op, Reg};

/// 1 once memory has been initialised.
const READY: u32 = 0;
/// How many gates have been taken out of the queue, and put into it, modulo 2^64.
const HEAD: u32 = 1;
const TAIL: u32 = 2;
/// Where the values of single variables begin.
const SINGLES: u32 = 8;

/// The bit of a gate's word that says whether it is in the queue.
const QUEUED: u64 = 2;
/// One literal more.
const ONE: u64 = 1 << FLAGS;

/// Functions that work on the network.
#[derive(Clone, Copy)]
pub(in super::super) struct Procedures {
    /// Initialises memory if that has not been done.
    begin: FnId,
    /// Notes what a word of the state is: its place among words with inputs, and its value.
    word: FnId,
    /// Notes what a single variable is: its place in scratch memory, where its gates begin in the table, and its value.
    single: FnId,
    /// Follows changes through the network.
    settle: FnId,
}

/// Where things are in scratch memory.
#[derive(Clone, Copy)]
struct Memory {
    words: u32,
    outputs: u32,
    gates: u32,
    queue: u32,
    /// Number of words of the queue, a power of two.
    room: u32,
}

impl Memory {
    fn of(network: &Network) -> Result<(Self, u32), Failure> {
        let words = SINGLES + network.singles.len() as u32;
        let outputs = words + network.words.len() as u32;
        let gates = outputs + network.counters.outputs.len() as u32;
        let queue = gates + network.counters.words.len() as u32;
        // A place behind the last gate is written before it is known whether it is used.
        let room = (network.counters.words.len() as u32 + 1).next_power_of_two();
        let all = (queue + room).next_power_of_two();
        if all > MAX_SCRATCH {
            return Err(Failure::too_large());
        }
        Ok((Self { words, outputs, gates, queue, room }, all))
    }
}

impl Lifter<'_> {
    /// The functions of the decision at a node.
    pub(super) fn by_network(&mut self, network: &Rc<Network>, node: NodeId) -> Result<Decision, Failure> {
        let (memory, all) = Memory::of(network)?;
        self.program.scratch_words = all;
        let choice = network.choices.get(&node).ok_or_else(|| Failure::new("a decision has no moves"))?;
        let procedures = match self.network_procedures {
            Some(procedures) => procedures,
            None => self.network_functions(network, memory),
        };
        self.network_procedures = Some(procedures);
        let name = self.game.node_name(node).to_owned();
        self.begin_scalar(0);
        let values = FxHashMap::default();
        self.note_state(network, memory, procedures, node, &values);
        for (number, kind) in (0..).zip(&choice.kinds) {
            self.emit_legal(memory, number, kind);
        }
        let decide = self.finished(format!("decide_{name}"), 0, Vec::new());
        let apply = self.network_apply(network, memory, procedures, (node, choice))?;
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
        memory: Memory,
        procedures: Procedures,
        (node, choice): (NodeId, &Choice),
    ) -> Result<wir::Function, Failure> {
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
            let list: Vec<u64> = done().map(|done| done.values.get(&var).map_or(0, |&value| u64::from(value))).collect();
            let value = self.function.builder.looked_up(list, row);
            values.insert(var, value);
        }
        let Some(after) = network.keepers.get(&choice.target) else {
            let number = self.hand_over(choice.target, &values)?;
            return Ok(self.finished(format!("apply_{}", self.game.node_name(node)), 1, vec![number]));
        };
        self.note_state(network, memory, procedures, node, &values);
        let made = self.peek(memory.outputs + after.first + self.layout.words);
        let lost = self.function.builder.negation(made);
        self.function.builder.exit_if(lost);
        let mut number = made;
        for word in 0..self.layout.words {
            let value = self.peek(memory.outputs + after.first + word);
            self.function.builder.push(Inst::Store { word, value });
            if word == self.layout.node.word {
                let mask = self.function.builder.constant((1 << self.layout.node.bits) - 1);
                number = self.function.builder.and(value, mask);
            }
        }
        Ok(self.finished(format!("apply_{}", self.game.node_name(node)), 1, vec![number]))
    }

    /// Tells the network what the state is, with other values of some variables, and follows the changes.
    fn note_state(
        &mut self,
        network: &Network,
        memory: Memory,
        procedures: Procedures,
        node: NodeId,
        values: &FxHashMap<VarId, Reg>,
    ) {
        let begun = self.function.builder.fresh();
        self.function.builder.push(Inst::Call { function: procedures.begin, args: Vec::new(), to: begun });
        for (place, (word, gates)) in (0..).zip(&network.words) {
            let mask = (0..64).zip(gates).filter(|(_, gate)| **gate != 0).fold(0u64, |mask, (bit, _)| mask | 1 << bit);
            let mask = self.function.builder.constant(mask);
            let value = self.function.builder.op(Op::Load(*word));
            let value = self.function.builder.and(value, mask);
            let known = self.peek(memory.words + place);
            let place = self.function.builder.constant(u64::from(place));
            self.call_if_different(value, known, procedures.word, vec![place, value]);
        }
        let mut row = 0;
        for (place, single) in (SINGLES..).zip(&network.singles) {
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

    /// Writes the functions that all decisions share.
    fn network_functions(&mut self, network: &Network, memory: Memory) -> Procedures {
        let flip = self.flip_function(memory);
        let word = self.word_function(network, memory, flip);
        let single = self.single_function(network, flip);
        let settle = self.settle_function(network, memory);
        let begin = self.begin_function(network, memory);
        Procedures { begin, word, single, settle }
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

    fn begin_function(&mut self, network: &Network, memory: Memory) -> FnId {
        self.begin_scalar(0);
        let ready = self.peek(READY);
        let cond = self.function.builder.negation(ready);
        self.function.builder.open();
        let one = self.function.builder.constant(1);
        self.poke(READY, one);
        for (place, single) in (SINGLES..).zip(&network.singles) {
            let none = self.function.builder.constant(single.gates.len() as u64);
            self.poke(place, none);
        }
        for (first, words) in [(memory.outputs, &network.counters.outputs), (memory.gates, &network.counters.words)] {
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

    /// Puts a gate into the queue at a place, which is then no longer free.
    fn enqueue(&mut self, memory: Memory, tail: Reg, gate: Reg) {
        let [mask, first] =
            [memory.room - 1, memory.queue].map(|value| self.function.builder.constant(u64::from(value)));
        let place = self.function.builder.and(tail, mask);
        let place = self.function.builder.op(Op::Add(first, place));
        self.poke_at(place, gate);
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
        let [flags, queued] = [!(ONE - 1), QUEUED].map(|value| self.function.builder.constant(value));
        let flipped = self.function.builder.op(Op::Xor(old, flags));
        let new = self.function.builder.or(flipped, queued);
        self.poke_at(place, new);
        let tail = self.peek(TAIL);
        self.enqueue(memory, tail, gate);
        let is_queued = self.function.builder.op(Op::ShrBy(old, QUEUED.ilog2()));
        let one = self.function.builder.constant(1);
        let is_queued = self.function.builder.and(is_queued, one);
        let by = self.function.builder.op(Op::Xor(is_queued, one));
        let tail = self.function.builder.op(Op::Add(tail, by));
        self.poke(TAIL, tail);
        self.add_procedure("flip", 1)
    }

    fn word_function(&mut self, network: &Network, memory: Memory, flip: FnId) -> FnId {
        self.begin_scalar(2);
        let (place, value) = (0, 1);
        let first = self.function.builder.constant(u64::from(memory.words));
        let at = self.function.builder.op(Op::Add(first, place));
        let old = self.peek_at(at);
        self.poke_at(at, value);
        let set = self.function.builder.op(Op::Xor(old, value));
        let row = self.function.builder.op(Op::ShlBy(place, 6));
        self.function.builder.open();
        let item = self.function.builder.fresh();
        let index = self.function.builder.op(Op::Add(row, item));
        let gates: Vec<u64> = network.words.iter().flat_map(|(_, gates)| gates).map(|&gate| u64::from(gate)).collect();
        let gates = if gates.is_empty() { vec![0] } else { gates };
        let gate = self.function.builder.looked_up(gates, index);
        let to = self.function.builder.fresh();
        self.function.builder.push(Inst::Call { function: flip, args: vec![gate], to });
        let body = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::Each { set, item, carried: Vec::new(), body, to: Vec::new() });
        self.add_procedure("word", 2)
    }

    fn single_function(&mut self, network: &Network, flip: FnId) -> FnId {
        self.begin_scalar(3);
        let (place, first, value) = (0, 1, 2);
        let old = self.peek_at(place);
        self.poke_at(place, value);
        // The last entry of each is that of no value.
        let gates: Vec<u64> = network
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

    /// Takes gates out of the queue, and tells their users and outputs if they have changed, until none is left.
    fn settle_function(&mut self, network: &Network, memory: Memory) -> FnId {
        self.begin_scalar(0);
        let (head, tail) = (self.peek(HEAD), self.peek(TAIL));
        let cond = self.function.builder.op(Op::Ne(head, tail));
        self.function.builder.open();
        self.function.builder.open();
        let (at, end) = (self.function.builder.fresh(), self.function.builder.fresh());
        let end_after = self.settle_gate(network, memory, at, end);
        let one = self.function.builder.constant(1);
        let next = self.function.builder.op(Op::Add(at, one));
        let more = self.function.builder.op(Op::Ne(next, end_after));
        let body = self.function.builder.close(vec![more, next, end_after]);
        let to = vec![self.function.builder.fresh(), self.function.builder.fresh()];
        let last = to.clone();
        self.function.builder.push(Inst::Loop { carried: vec![(at, head), (end, tail)], body, to });
        for (place, &value) in [HEAD, TAIL].into_iter().zip(&last) {
            self.poke(place, value);
        }
        let then = self.function.builder.close(Vec::new());
        self.function.builder.push(Inst::If { cond, then, other: Block::default(), to: Vec::new() });
        self.add_procedure("settle", 0)
    }

    /// Looks at the gate at a place of the queue; returns where the queue ends then.
    fn settle_gate(&mut self, network: &Network, memory: Memory, at: Reg, end: Reg) -> Reg {
        let [mask, first, one] = [u64::from(memory.room - 1), u64::from(memory.queue), 1]
            .map(|value| self.function.builder.constant(value));
        let place = self.function.builder.and(at, mask);
        let place = self.function.builder.op(Op::Add(first, place));
        let gate = self.peek_at(place);
        let place = self.gate_place(memory, gate);
        let old = self.peek_at(place);
        let sign = self.function.builder.op(Op::ShrBy(old, 63));
        let value = self.function.builder.op(Op::Xor(sign, one));
        let flags = self.function.builder.constant(!(ONE - 1));
        let count = self.function.builder.and(old, flags);
        let new = self.function.builder.or(count, value);
        self.poke_at(place, new);
        let known = self.function.builder.and(old, one);
        let changed = self.function.builder.op(Op::Ne(known, value));
        self.function.builder.open();
        let row = self.function.builder.op(Op::ShlBy(gate, 1));
        let two = self.function.builder.constant(2);
        let [second, third] = [one, two].map(|by| self.function.builder.op(Op::Add(row, by)));
        let [counted, complement, end_of_users] =
            [row, second, third].map(|row| self.function.builder.looked_up(network.counters.first.clone(), row));
        // 4 or -4.
        let [double, single, zero] = [2 * ONE, ONE, 0].map(|value| self.function.builder.constant(value));
        let by = self.function.builder.op(Op::Mul(value, double));
        let by = self.function.builder.op(Op::Sub(by, single));
        let back = self.function.builder.op(Op::Sub(zero, by));
        let end_after = self.settle_users(network, memory, (counted, complement), by, end);
        let end_after = self.settle_users(network, memory, (complement, end_of_users), back, end_after);
        let behind = self.function.builder.op(Op::Add(gate, one));
        let [bits, end_of_bits] =
            [gate, behind].map(|row| self.function.builder.looked_up(network.counters.first_bit.clone(), row));
        self.settle_outputs(network, memory, (bits, end_of_bits));
        let then = self.function.builder.close(vec![end_after]);
        let other = Block { insts: Vec::new(), yields: vec![end] };
        let results = self.function.builder.if_else(changed, then, other);
        results.first().copied().unwrap_or(end)
    }

    /// Tells the users of a gate that it has changed.
    fn settle_users(
        &mut self,
        network: &Network,
        memory: Memory,
        (from, to): (Reg, Reg),
        by: Reg,
        end: Reg,
    ) -> Reg {
        let cond = self.function.builder.op(Op::Ne(from, to));
        self.function.builder.open();
        self.function.builder.open();
        let (at, tail) = (self.function.builder.fresh(), self.function.builder.fresh());
        let one = self.function.builder.constant(1);
        let gate = self.function.builder.looked_up(network.counters.users.clone(), at);
        let place = self.gate_place(memory, gate);
        let old = self.peek_at(place);
        let new = self.function.builder.op(Op::Add(old, by));
        let crossed = self.function.builder.op(Op::Xor(old, new));
        let crossed = self.function.builder.op(Op::ShrBy(crossed, 63));
        let queued = self.function.builder.op(Op::ShrBy(old, QUEUED.ilog2()));
        let joins = self.function.builder.and_not(crossed, queued);
        let mark = self.function.builder.op(Op::ShlBy(joins, QUEUED.ilog2()));
        let new = self.function.builder.or(new, mark);
        self.poke_at(place, new);
        self.enqueue(memory, tail, gate);
        let longer = self.function.builder.op(Op::Add(tail, joins));
        let next = self.function.builder.op(Op::Add(at, one));
        let more = self.function.builder.op(Op::Ne(next, to));
        let body = self.function.builder.close(vec![more, next, longer]);
        let results = vec![self.function.builder.fresh(), self.function.builder.fresh()];
        let longest = results.last().copied().unwrap_or(end);
        self.function.builder.push(Inst::Loop { carried: vec![(at, from), (tail, end)], body, to: results });
        let then = self.function.builder.close(vec![longest]);
        let other = Block { insts: Vec::new(), yields: vec![end] };
        self.function.builder.if_else(cond, then, other).first().copied().unwrap_or(end)
    }

    /// Flips the outputs of a gate.
    fn settle_outputs(&mut self, network: &Network, memory: Memory, (from, to): (Reg, Reg)) {
        let cond = self.function.builder.op(Op::Ne(from, to));
        self.function.builder.open();
        self.function.builder.open();
        let at = self.function.builder.fresh();
        let one = self.function.builder.constant(1);
        let bit = self.function.builder.looked_up(network.counters.bits.clone(), at);
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
