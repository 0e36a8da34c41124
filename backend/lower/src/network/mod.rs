//! Decisions without structure as a network of Boolean functions that is evaluated by change: the form of games whose rules are ground.
//!
//! In: a game whose moves are choices of constants, and whose keeper's part of the automaton is deterministic and acyclic. What is legal, and the state
//! after a move, are then Boolean functions of the state before it ([`moves`], [`keeper`]), as an and-inverter graph ([`gates`]). Out: a
//! counter for each conjunction ([`counters`]), and code that keeps all of them up to date ([`code`]): it finds which bits of the state
//! have changed since the last call, and follows the changes through the network as far as they go. So a ply costs what changes, not what
//! there is; the code is the same for all games, and all else is in tables. Counters are in scratch memory.
//!
//! The idea is that of propositional networks (Cox, Schkufza, Madsen and Genesereth, *Factoring general games using propositional
//! automata*, 2009), evaluated differentially; a gate waits in a worklist, so that several changes that reach it are one.

mod cells;
mod code;
mod conditions;
mod counters;
mod evaluate;
mod gates;
mod guarded;
mod keeper;
mod moves;
mod simulated;

use super::emission::{Argument, TEMPLATE_SHIFT, Tag};
use super::layout::{Field, Place};
use super::{Decider, Decision, Failure, Lifter, MoveFormat};
use cells::{Cell, Cells, Input};
use conditions::Conditions;
use counters::Counters;
use gates::Literal;
use keeper::Arrival;
use moves::Moves;
use rg_ir::{NodeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use simulate::Simulation;
use simulated::{AllOutputs, KeeperOutputs};
use std::collections::BTreeMap;
use std::rc::Rc;

/// At most so many single variables and entries with more than two values are inputs of one part.
const MAX_SINGLES: usize = 512;
/// Most gates of one part. Initialising them has to fit what a trial may cost.
const MAX_GATES: usize = 3 << 18;

/// What a kind of moves is in the words of outputs.
struct Kind {
    /// The moves, as many bits from this word on.
    first: u32,
    /// What they do, in this order.
    moves: Vec<moves::Done>,
}

/// A decision of a network.
struct Choice {
    /// By the number of tags.
    kinds: Vec<Kind>,
    /// Where its moves end.
    target: NodeId,
    /// What says which are legal.
    legal: Part,
}

/// What the keeper does from a node on.
struct Transition {
    /// Its outputs are the words of the state, the number of the decision included; then one that is 1 if there is a state.
    state: Part,
    /// What is assigned on the way to the end only.
    scores: Option<Scores>,
}

/// Outputs that matter at the end of the game only: they are evaluated there.
struct Scores {
    /// Its outputs are the words of the state, with these bits.
    part: Part,
    /// By word, these bits.
    masks: Vec<u64>,
}

/// A variable or entry with an input for each value.
struct MultiValued {
    cell: Cell,
    /// Its gates, by value.
    gates: Vec<u32>,
}

/// Where inputs are.
struct Inputs {
    /// The words of the state with bits that are inputs, and the gates of these.
    words: Vec<(u32, [u32; 64])>,
    singles: Vec<MultiValued>,
}

/// A part of a network that is evaluated by itself.
struct Part {
    counters: Counters,
    inputs: Inputs,
    /// Where it is in scratch memory.
    memory: code::Memory,
}

/// The network of a game.
pub(super) struct Network {
    choices: FxHashMap<NodeId, Choice>,
    keepers: FxHashMap<NodeId, Transition>,
    /// Words of scratch memory.
    scratch: u32,
    /// The same functions for many plays side by side.
    pub(super) simulation: Option<Simulation>,
}

/// Outputs under construction.
#[derive(Default)]
struct Outputs {
    bits: Vec<(Literal, u32)>,
    words: u32,
}

impl Outputs {
    /// Room for some words.
    fn words(&mut self, count: u32) -> u32 {
        self.words += count;
        self.words - count
    }

    /// The part of a network that has these outputs: without guards, which take more gates, where it is too large with them.
    fn part(&self, cells: &mut Cells<'_, '_>, scratch: &mut u32) -> Result<Part, Failure> {
        cells.spend(cells.gates.len() + self.bits.len())?;
        self.part_with(guarded::WIDE, cells, scratch).or_else(|_| self.part_with(u32::MAX, cells, scratch))
    }

    /// The same, where literals in at least `wide` conjunctions are guards.
    fn part_with(&self, wide: u32, cells: &Cells<'_, '_>, scratch: &mut u32) -> Result<Part, Failure> {
        let counters = Counters::new(&cells.gates, &cells.inputs, (&self.bits, self.words), wide);
        if counters.words.len() > MAX_GATES {
            return Err(Failure::too_large());
        }
        let inputs = cells.lifter.inputs(&counters)?;
        let mut end = *scratch;
        let memory = code::Memory::new(&counters, &inputs, &mut end);
        code::memory_size(end)?;
        *scratch = end;
        Ok(Part { counters, inputs, memory })
    }

    /// A literal is a bit, counted from the beginning of a word.
    fn put(&mut self, literal: Literal, word: u32, bit: u32) {
        if literal != Literal::FALSE {
            self.bits.push((literal, 64 * word + bit));
        }
    }
}

impl Lifter<'_> {
    /// The functions of a decision, by the network of the game.
    pub(super) fn as_network(&mut self, decider: &Decider) -> Result<Decision, Failure> {
        let network = match self.network.take() {
            Some(network) => network,
            None => self.new_network().map(Rc::new),
        };
        let network = self.network.insert(network).clone()?;
        self.by_network(&network, decider.node)
    }

    /// The network of the game.
    fn new_network(&mut self) -> Result<Network, Failure> {
        let game = self.game;
        let nodes: Vec<NodeId> = self.known.nodes.iter().copied().filter(|&node| node != game.end()).collect();
        // Every node where a player decides has one decision.
        for &node in &nodes {
            let decider = Decider { node, fixed: Vec::new() };
            if !self.stops.contains(&decider) {
                self.stops.push(decider);
            }
        }
        let chosen = moves::chosen(&Cells::new(self, FxHashSet::default()), &nodes);
        let mut cells = Cells::new(self, chosen);
        let (mut conditions, mut scratch) = (Conditions::default(), 0);
        let (mut choices, mut outputs) = (FxHashMap::default(), AllOutputs::default());
        for &node in &nodes {
            let moves = moves::moves(&mut cells, &mut conditions, node)?;
            let (choice, legal) = choice(&mut cells, moves, &mut scratch)?;
            choices.insert(node, choice);
            outputs.legal.insert(node, legal);
        }
        let mut keepers = FxHashMap::default();
        let mut targets: Vec<NodeId> = choices.values().map(|choice| choice.target).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets.into_iter().filter(|target| !cells.lifter.known.nodes.contains(target)) {
            cells.restart();
            cells.hand_to_keeper()?;
            let arrivals = keeper::execute(&mut cells, &mut conditions, target)?;
            let (transition, of_keeper) = transition(&mut cells, &arrivals, &mut scratch)?;
            keepers.insert(target, transition);
            outputs.keepers.insert(target, of_keeper);
        }
        let scratch = code::memory_size(scratch)?;
        let simulation = simulated::simulation(&cells, &outputs, &choices);
        Ok(Network { choices, keepers, scratch, simulation })
    }

    /// Where inputs are in the state.
    fn inputs(&self, counters: &Counters) -> Result<Inputs, Failure> {
        let mut words: BTreeMap<u32, [u32; 64]> = BTreeMap::new();
        let mut singles: BTreeMap<Cell, Vec<u32>> = BTreeMap::new();
        for (&input, &gate) in &counters.inputs {
            match input {
                Input::Bit(cell) => {
                    let field = self.field_of(cell).ok_or_else(|| Failure::new("an input has no bit"))?;
                    let gates = words.entry(field.word).or_insert([0; 64]);
                    if let Some(slot) = gates.get_mut(field.shift as usize) {
                        *slot = gate;
                    }
                }
                Input::Value(cell, value) => {
                    let size = match self.known.numbers.vars.get(cell.0) {
                        Some(Ok(form)) => self.known.numbers.size(form.class),
                        _ => 0,
                    };
                    let gates = singles.entry(cell).or_insert_with(|| vec![0; size]);
                    if let Some(slot) = gates.get_mut(value as usize) {
                        *slot = gate;
                    }
                }
            }
        }
        if singles.len() > MAX_SINGLES {
            return Err(Failure::new("too many entries of maps have several values"));
        }
        let singles = singles.into_iter().map(|(cell, gates)| MultiValued { cell, gates });
        Ok(Inputs { words: words.into_iter().collect(), singles: singles.collect() })
    }

    /// The bits of a cell, if states have it.
    fn field_of(&self, (var, index): Cell) -> Option<Field> {
        match self.layout.of(var)? {
            Place::Scalar(field) => Some(*field),
            Place::Packed(packed) => Some(packed.field(index)),
            Place::Cells(fields) => fields.get(index as usize).copied().flatten(),
            Place::Sets(_) | Place::Nowhere => None,
        }
    }
}

/// A decision, with outputs that say which moves are legal.
fn choice(cells: &mut Cells<'_, '_>, moves: Moves, scratch: &mut u32) -> Result<(Choice, Outputs), Failure> {
    let mut outputs = Outputs::default();
    let mut by_length: BTreeMap<usize, Vec<moves::Move>> = BTreeMap::new();
    if moves.list.is_empty() {
        return Err(Failure::new("there is no move"));
    }
    let values: FxHashSet<Vec<VarId>> =
        moves.list.iter().map(|one| one.done.values.keys().copied().collect::<Vec<_>>()).collect();
    if values.len() > 1 {
        return Err(Failure::new("moves choose different things"));
    }
    for one in moves.list {
        by_length.entry(one.done.tags.len()).or_default().push(one);
    }
    let kinds = by_length.into_values().map(|list| {
        let first = outputs.words(list.len().div_ceil(64) as u32);
        for (bit, one) in (0..).zip(&list) {
            outputs.put(one.legal, first, bit);
        }
        Kind { first, moves: list.into_iter().map(|one| one.done).collect() }
    });
    let kinds = kinds.collect();
    Ok((Choice { kinds, target: moves.target, legal: outputs.part(cells, scratch)? }, outputs))
}

/// The state when the keeper stops.
fn transition(
    cells: &mut Cells<'_, '_>,
    arrivals: &[Arrival],
    scratch: &mut u32,
) -> Result<(Transition, KeeperOutputs), Failure> {
    let (lifter, words) = (cells.lifter, cells.lifter.layout.words);
    let mut outputs = Outputs::default();
    outputs.words(words + 1);
    let mut any = Literal::FALSE;
    for arrival in arrivals {
        any = cells.gates.or(any, arrival.guard);
    }
    outputs.put(any, words, 0);
    let number = |node: NodeId| {
        let stop = lifter.stops.iter().position(|stop| stop.node == node && stop.fixed.is_empty());
        stop.ok_or_else(|| Failure::new("a decision has no number"))
    };
    let numbers = arrivals.iter().map(|arrival| number(arrival.node)).collect::<Result<Vec<usize>, _>>()?;
    let node = lifter.layout.node;
    for bit in 0..node.bits {
        let mut has = Literal::FALSE;
        for (arrival, _) in arrivals.iter().zip(&numbers).filter(|(_, number)| **number >> bit & 1 == 1) {
            has = cells.gates.or(has, arrival.guard);
        }
        outputs.put(has, node.word, node.shift + bit);
    }
    let end = arrivals.iter().find(|arrival| arrival.node == lifter.game.end());
    let (mut at_end, mut masks) = (Outputs::default(), vec![0u64; words as usize]);
    at_end.words(words);
    for var in lifter.game.vars.ids() {
        let Some(Ok(form)) = lifter.known.numbers.vars.get(var) else { continue };
        let is_alive = |arrival: &&Arrival| lifter.is_live(arrival.node, rg_ir::ids::Id::index(var));
        let always = arrivals.iter().all(|arrival| is_alive(&arrival));
        let mut alive = Literal::constant(always);
        for arrival in arrivals.iter().filter(is_alive) {
            alive = cells.gates.or(alive, arrival.guard);
        }
        for (index, &initial) in (0..).zip(form.values.iter()) {
            let cell = (var, index);
            let Some(field) = lifter.field_of(cell) else { continue };
            // What a move chooses is not what the state has.
            let is_state = always && !cells.chosen.contains(&var);
            let is_score = is_state && end.is_some_and(|end| cells.is_assigned_only_where(cell, end.guard));
            if is_score && let Some(mask) = masks.get_mut(field.word as usize) {
                *mask |= field.mask() << field.shift;
            }
            for bit in 0..field.bits {
                cells.spend(cells.size(var))?;
                let mut has = Literal::FALSE;
                for value in
                    (0..cells.size(var) as u32).filter(|value| alive != Literal::FALSE && value >> bit & 1 == 1)
                {
                    let is = cells.is(cell, value)?;
                    has = cells.gates.or(has, is);
                }
                // What is dead where the keeper stops has its initial value there.
                let has = cells.gates.choose(alive, has, Literal::constant(initial >> bit & 1 == 1));
                let to = if is_score { &mut at_end } else { &mut outputs };
                to.put(has, field.word, field.shift + bit);
            }
        }
    }
    let state = outputs.part(cells, scratch)?;
    let scores = match masks.iter().all(|&mask| mask == 0) {
        true => None,
        false => Some(Scores { part: at_end.part(cells, scratch)?, masks: masks.clone() }),
    };
    Ok((Transition { state, scores }, KeeperOutputs { next: outputs, at_end, masks }))
}

/// How the words of a decision's moves are read.
fn formats(choice: &Choice) -> Result<Vec<MoveFormat>, Failure> {
    let format = |kind: &Kind| {
        let bits = (kind.moves.len().max(2) - 1).ilog2() + 1;
        let tags = kind.moves.first().map_or(0, |done| done.tags.len());
        let tag = |at: usize| {
            let symbols: Option<Vec<_>> = kind.moves.iter().map(|done| done.tags.get(at).copied()).collect();
            symbols.map(|symbols| Tag::Argument(0, symbols)).ok_or_else(|| Failure::new("a move has no tag"))
        };
        let tags = (0..tags).map(tag).collect::<Result<Vec<Tag>, _>>()?;
        debug_assert!(bits < TEMPLATE_SHIFT, "the number of a move fits a word");
        Ok(MoveFormat { arguments: vec![Argument { shift: 0, bits }], tags })
    };
    choice.kinds.iter().map(format).collect()
}
