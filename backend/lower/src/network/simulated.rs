//! The functions of a network as circuits, for many plays side by side.

use super::cells::{Cells, Input};
use super::gates::{self, Literal};
use super::{Choice, Field, Outputs};
use rg_ir::ids::Id;
use rg_ir::{NodeId, VarId};
use rustc_hash::FxHashMap;
use simulate::{After, Circuit, Decision, HandOver, Node, Scores, Simulation, Source};

/// What the keeper does, as outputs.
pub(super) struct KeeperOutputs {
    /// The words of the next state, then one that is 1 if there is one.
    pub(super) next: Outputs,
    /// What matters at the end only, and where it is in the state, by word.
    pub(super) at_end: Outputs,
    pub(super) masks: Vec<u64>,
}

/// The outputs of a network.
#[derive(Default)]
pub(super) struct AllOutputs {
    /// By decision, which moves are legal.
    pub(super) legal: FxHashMap<NodeId, Outputs>,
    /// By the node where the keeper begins.
    pub(super) keepers: FxHashMap<NodeId, KeeperOutputs>,
}

/// Most gates of all circuits: each decision has circuits of its own, and a gate takes 16 bytes.
const MAX_GATES: usize = 1 << 23;

/// Circuits for all decisions. `None` if they are too large.
pub(super) fn simulation(
    cells: &Cells<'_, '_>,
    outputs: &AllOutputs,
    choices: &FxHashMap<NodeId, Choice>,
) -> Option<Simulation> {
    let lifter = cells.lifter;
    let inputs = cells.inputs.iter().map(|(&input, literal)| (literal.node(), input)).collect();
    let (mut decisions, mut left) = (Vec::new(), MAX_GATES);
    for stop in &lifter.stops {
        let decision = match choices.get(&stop.node).filter(|_| stop.fixed.is_empty()) {
            Some(choice) => {
                let decision = Maker::new(cells, &inputs, stop.node, choice).decision(choice, outputs)?;
                left = left.checked_sub(decision.gates())?;
                Some(decision)
            }
            None => None,
        };
        decisions.push(decision);
    }
    let Field { word, shift, bits } = lifter.layout.node;
    let number = (word as usize, shift, u64::MAX >> (64 - bits.clamp(1, 64)));
    Some(Simulation { words: lifter.layout.words as usize, number, decisions })
}

/// Makes the circuits of a decision.
struct Maker<'a, 'g> {
    cells: &'a Cells<'a, 'g>,
    /// By node of the graph.
    inputs: &'a FxHashMap<u32, Input>,
    /// Where it is made.
    node: NodeId,
    /// What its moves choose.
    variables: Vec<VarId>,
}

impl<'a, 'g> Maker<'a, 'g> {
    fn new(cells: &'a Cells<'a, 'g>, inputs: &'a FxHashMap<u32, Input>, node: NodeId, choice: &Choice) -> Self {
        let first = choice.kinds.first().and_then(|kind| kind.moves.first());
        let variables = first.map_or_else(Vec::new, |done| done.values.keys().copied().collect());
        Self { cells, inputs, node, variables }
    }

    fn decision(&self, choice: &Choice, outputs: &AllOutputs) -> Option<Decision> {
        let legal = outputs.legal.get(&self.node)?;
        let after = match outputs.keepers.get(&choice.target) {
            Some(keeper) => {
                let scores = match keeper.at_end.bits.is_empty() && keeper.masks.iter().all(|&mask| mask == 0) {
                    true => None,
                    false => Some(Scores { circuit: self.circuit(&keeper.at_end)?, masks: keeper.masks.clone() }),
                };
                After::Keeper { next: self.circuit(&keeper.next)?, scores }
            }
            None => After::HandOver(self.hand_over(choice)?),
        };
        let values = self.variables.iter().map(|var| {
            let mut values = vec![0; 64 * legal.words as usize];
            for kind in &choice.kinds {
                let of_kind = values.iter_mut().skip(64 * kind.first as usize);
                for (slot, done) in of_kind.zip(&kind.moves) {
                    *slot = done.values.get(var).copied().unwrap_or(0);
                }
            }
            values
        });
        Some(Decision { legal: self.circuit(legal)?, values: values.collect(), after })
    }

    fn circuit(&self, outputs: &Outputs) -> Option<Circuit> {
        let bits: Vec<(u32, u32)> = outputs.bits.iter().map(|&(literal, bit)| (literal.number(), bit)).collect();
        let gates = &self.cells.gates;
        let node = |number: u32| match gates.node(number) {
            gates::Node::True => Node::True,
            gates::Node::Input => Node::Input(self.source(number)),
            gates::Node::And(a, b) => Node::And(a.number(), b.number()),
        };
        Circuit::new(gates.len() as u32, node, &bits, outputs.words)
    }

    /// What an input is here.
    fn source(&self, number: u32) -> Source {
        let lifter = self.cells.lifter;
        let first = |field: Field| 64 * field.word + field.shift;
        match self.inputs.get(&number) {
            Some(&Input::Bit(cell)) => lifter.field_of(cell).map_or(Source::Never, |field| Source::Bit(first(field))),
            Some(&Input::Value(cell, value)) => match self.variables.iter().position(|&var| var == cell.0) {
                Some(at) => Source::Chosen(at as u32, value),
                None => match lifter.field_of(cell).filter(|_| lifter.is_live(self.node, cell.0.index())) {
                    Some(field) => Source::Field { first: first(field), bits: field.bits, value },
                    None => Source::Never,
                },
            },
            None => Source::Never,
        }
    }

    fn hand_over(&self, choice: &Choice) -> Option<HandOver> {
        let after = self.cells.lifter.after_choice(choice.target, &self.variables).ok()?;
        let chosen = after.chosen.iter().filter_map(|(field, var)| {
            let at = self.variables.iter().position(|other| other == var)?;
            Some((field.word as usize, field.shift, at))
        });
        Some(HandOver { chosen: chosen.collect(), words: after.words })
    }
}

impl Literal {
    /// Twice the number of its node, and 1 more for the complement.
    fn number(self) -> u32 {
        self.node() << 1 | u32::from(self.is_complement())
    }
}
