//! The functions of decisions that are networks.
//!
//! Scratch memory has, for each part of a network, the values of single variables and the words of the state as the part knows them, the
//! outputs, a word for each gate, and the worklist of gates ([`evaluate`](super::evaluate)).

use super::super::emission::TEMPLATE_SHIFT;
use super::super::{Decision, Failure, Lifter};
use super::evaluate::Procedures;
use super::{Choice, Counters, Field, Inputs, Kind, Network, Part, Transition, formats};
use rg_ir::{NodeId, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::verify::MAX_SCRATCH;
use wir::{Block, FnId, Inst, Op, Reg};

/// Where a part of a network is in scratch memory.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    /// 1 if counters are up to date, else 0.
    pub(super) ready: u32,
    /// The values of single variables, and the words of the state.
    pub(super) singles: u32,
    pub(super) words: u32,
    pub(super) outputs: u32,
    pub(super) gates: u32,
    /// The worklist: a bit for each gate; its summary is behind it.
    pub(super) worklist: u32,
    /// Which words of these have bits, and how many such words there are.
    pub(super) summary: u32,
    pub(super) summaries: u32,
    /// The guarded conjunctions that are armed.
    pub(super) armed: u32,
}

impl Memory {
    /// Takes memory for some counters and what their inputs are.
    pub(super) fn new(counters: &Counters, inputs: &Inputs, scratch: &mut u32) -> Self {
        let mut take = |words: usize| {
            *scratch = scratch.saturating_add(words as u32);
            scratch.saturating_sub(words as u32)
        };
        let summaries = counters.words.len().div_ceil(64 * 64);
        Self {
            ready: take(1),
            singles: take(inputs.singles.len()),
            words: take(inputs.words.len()),
            outputs: take(counters.outputs.len()),
            gates: take(counters.words.len()),
            worklist: take(64 * summaries),
            summary: take(summaries),
            summaries: summaries as u32,
            armed: take(counters.guarded.armed.len()),
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
        self.update_inputs(&choice.legal, procedures, node, &FxHashMap::default());
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
            is_search: false,
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
        self.update_inputs(&after.state, procedures, node, &values);
        let outputs = after.state.memory.outputs;
        let made = self.peek(outputs + self.layout.words);
        let lost = self.function.builder.negation(made);
        self.function.builder.exit_if(lost);
        let number = self.peek(outputs + self.layout.node.word);
        let number = self.function.builder.op(Op::ShrBy(number, self.layout.node.shift));
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
        after: &Transition,
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
        self.update_inputs(&scores.part, procedures, node, values);
        let new = words().map(|(word, _)| self.peek(scores.part.memory.outputs + word)).collect();
        let other = self.function.builder.close(new);
        let results = self.function.builder.if_else(goes_on, then, other);
        words().map(|(word, _)| word).zip(results).collect()
    }

    /// Updates the inputs of a part of the network to the state, with other values of some variables, and propagates the changes.
    fn update_inputs(&mut self, part: &Part, procedures: Procedures, node: NodeId, values: &FxHashMap<VarId, Reg>) {
        let begun = self.function.builder.fresh();
        self.function.builder.push(Inst::Call { function: procedures.begin, args: Vec::new(), to: begun });
        for (place, (word, gates)) in (0..).zip(&part.inputs.words) {
            let mask = (0..64).zip(gates).filter(|(_, gate)| **gate != 0).fold(0u64, |mask, (bit, _)| mask | 1 << bit);
            let mask = self.function.builder.constant(mask);
            let value = self.function.builder.op(Op::Load(*word));
            let value = self.function.builder.and(value, mask);
            let known = self.peek(part.memory.words + place);
            let place = self.function.builder.constant(u64::from(place));
            self.call_if_different(value, known, procedures.word, vec![place, value]);
        }
        let mut row = 0;
        for (place, single) in (part.memory.singles..).zip(&part.inputs.singles) {
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

    /// Stores the state in which another player decides, without the keeper.
    fn hand_over(&mut self, target: NodeId, values: &FxHashMap<VarId, Reg>) -> Result<Reg, Failure> {
        let variables: Vec<VarId> = values.keys().copied().collect();
        let AfterChoice { number, words, chosen } = self.after_choice(target, &variables)?;
        for (word, (kept, set)) in (0..).zip(words) {
            let old = self.function.builder.op(Op::Load(word));
            let [kept, set] = [kept, set].map(|value| self.function.builder.constant(value));
            let old = self.function.builder.and(old, kept);
            let mut value = self.function.builder.or(old, set);
            for &(field, var) in chosen.iter().filter(|(field, _)| field.word == word) {
                let Some(&chosen) = values.get(&var) else { continue };
                let chosen = self.function.builder.op(Op::ShlBy(chosen, field.shift));
                value = self.function.builder.or(value, chosen);
            }
            self.function.builder.push(Inst::Store { word, value });
        }
        Ok(self.function.builder.constant(number))
    }

    /// What becomes of a state if another player decides at once, after a choice of values for some variables.
    pub(super) fn after_choice(&self, target: NodeId, variables: &[VarId]) -> Result<AfterChoice, Failure> {
        let stop = self.stops.iter().position(|stop| stop.node == target && stop.fixed.is_empty());
        let number = stop.ok_or_else(|| Failure::new("a decision has no number"))? as u64;
        let mut words = vec![(0u64, 0u64); self.layout.words as usize];
        let mut chosen = Vec::new();
        let mut put = |field: Field, kept: bool, value: u64| {
            if let Some((keeps, set)) = words.get_mut(field.word as usize) {
                *keeps |= if kept { field.mask() << field.shift } else { 0 };
                *set |= value << field.shift;
            }
        };
        put(self.layout.node, false, number);
        let player = self.player_at(target);
        for var in self.game.vars.ids() {
            let Some(Ok(form)) = self.known.numbers.vars.get(var) else { continue };
            let live = self.is_live(target, rg_ir::ids::Id::index(var));
            for (index, &initial) in (0..).zip(form.values.iter()) {
                let Some(field) = self.field_of((var, index)) else { continue };
                match (variables.contains(&var), player) {
                    (_, Some(player)) if Some(var) == self.known.player => put(field, false, u64::from(player)),
                    (false, None) if Some(var) == self.known.player => {
                        return Err(Failure::new("it is not known who decides"));
                    }
                    (true, _) if live => chosen.push((field, var)),
                    _ if live => put(field, true, 0),
                    _ => put(field, false, u64::from(initial)),
                }
            }
        }
        Ok(AfterChoice { number, words, chosen })
    }
}

/// A state that is the one before it, but for what a move has chosen.
pub(super) struct AfterChoice {
    /// The number of the next decision; it is in the words, too.
    number: u64,
    /// By word, the bits that stay, and those that are set.
    pub(super) words: Vec<(u64, u64)>,
    /// The variables that are chosen, and their places.
    pub(super) chosen: Vec<(Field, VarId)>,
}
