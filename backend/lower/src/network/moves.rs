//! The moves of a decision, each with the Boolean function that says whether it is legal.
//!
//! A walk first tests the state, then gives single variables constant values, and shows them. The walks to one node that have done the
//! same are one; so the cost is linear in edges and moves.

use super::super::Failure;
use super::super::region::constant_player;
use super::cells::{Cell, Cells};
use super::conditions::Conditions;
use super::gates::Literal;
use rg_ir::{Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Most moves of a decision.
const MAX_MOVES: usize = 1 << 17;
/// Most tags of a label.
const MAX_TAGS: usize = 8;

/// What a walk has done so far.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Done {
    /// The values of variables that it has assigned, by number.
    pub(super) values: BTreeMap<VarId, u32>,
    /// The tags that it has shown.
    pub(super) tags: Vec<Symbol>,
}

/// A move.
#[derive(Debug)]
pub(super) struct Move {
    pub(super) done: Done,
    /// Whether it is legal.
    pub(super) legal: Literal,
}

/// All moves of a decision. They end at one node, in the order in which walks are met.
#[derive(Debug)]
pub(super) struct Moves {
    pub(super) list: Vec<Move>,
    /// Where they end.
    pub(super) target: NodeId,
}

/// The single variables that moves from some nodes assign.
pub(super) fn chosen(cells: &Cells<'_, '_>, nodes: &[NodeId]) -> FxHashSet<VarId> {
    let game = cells.lifter.game;
    let mut chosen = FxHashSet::default();
    let (mut seen, mut open): (FxHashSet<NodeId>, Vec<NodeId>) = (nodes.iter().copied().collect(), nodes.to_vec());
    while let Some(node) = open.pop() {
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            if game.ends_move(&edge.label) {
                continue;
            }
            if let Label::Assign { lhs, .. } = edge.label
                && let Some((var, _)) = cells.cell(lhs)
            {
                chosen.insert(var);
            }
            if seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    chosen
}

/// The moves of the decision at a node.
pub(super) fn moves(cells: &mut Cells<'_, '_>, conditions: &mut Conditions, start: NodeId) -> Result<Moves, Failure> {
    // Tags that values tell of are in labels all the same.
    let game = cells.lifter.known.labelled.unwrap_or(cells.lifter.game);
    let fail = |reason: &'static str, node: NodeId| Err(Failure::new(reason).at(game.node_name(node)));
    let order = order(cells, start)?;
    let mut walks: FxHashMap<NodeId, BTreeMap<Done, Literal>> = FxHashMap::default();
    walks.entry(start).or_default().insert(Done::default(), Literal::TRUE);
    let (mut list, mut at, mut end): (Vec<Move>, FxHashMap<Vec<Symbol>, usize>, Option<NodeId>) =
        (Vec::new(), FxHashMap::default(), None);
    for node in order {
        let Some(here) = walks.remove(&node) else { continue };
        for &id in game.automaton.outgoing(node) {
            let edge = game.automaton.edge(id);
            cells.spend(here.len())?;
            if game.ends_move(&edge.label) {
                if end.is_some_and(|end| end != edge.target) || constant_player(game, &edge.label).is_none() {
                    return fail("moves end in different ways", node);
                }
                end = Some(edge.target);
                for (done, &legal) in &here {
                    let number = *at.entry(done.tags.clone()).or_insert(list.len());
                    if number == MAX_MOVES {
                        return fail("there are too many moves", node);
                    }
                    match list.get_mut(number) {
                        Some(earlier) if earlier.done == *done => {
                            earlier.legal = cells.gates.or(earlier.legal, legal);
                        }
                        Some(_) => return fail("two moves may have the same label", node),
                        None => list.push(Move { done: done.clone(), legal }),
                    }
                }
                continue;
            }
            let target = walks.entry(edge.target).or_default();
            match edge.label {
                Label::Compare { .. } | Label::Reach { .. } => {
                    if here.keys().any(|done| !done.values.is_empty()) {
                        return fail("a walk tests something after a choice", node);
                    }
                    let cond = conditions.of(cells, &edge.label).map_err(|failure| failure.at(game.node_name(node)))?;
                    for (done, &walk) in &here {
                        let walk = cells.gates.and(walk, cond);
                        reach(cells, target, done.clone(), walk);
                    }
                }
                _ => {
                    for (done, &walk) in &here {
                        let done =
                            extended(cells, done, &edge.label).map_err(|failure| failure.at(game.node_name(node)))?;
                        reach(cells, target, done, walk);
                    }
                }
            }
        }
    }
    let target = end.ok_or_else(|| Failure::new("there is no move").at(game.node_name(start)))?;
    Ok(Moves { list, target })
}

fn reach(cells: &mut Cells<'_, '_>, walks: &mut BTreeMap<Done, Literal>, done: Done, walk: Literal) {
    let slot = walks.entry(done).or_insert(Literal::FALSE);
    *slot = cells.gates.or(*slot, walk);
}

/// What a walk has done after an edge without a condition.
fn extended(cells: &Cells<'_, '_>, done: &Done, label: &Label) -> Result<Done, Failure> {
    let mut done = done.clone();
    let tag = match *label {
        Label::Assign { lhs, rhs } => {
            let assigned: Option<(Cell, u32)> =
                cells.cell(lhs).and_then(|cell| Some((cell, cells.number(cell.0, cells.symbol(rhs)?)?)));
            let single = |var: VarId| cells.is_single(var);
            let Some(((var, _), value)) = assigned.filter(|&((var, _), _)| single(var)) else {
                return Err(Failure::new("a move does more than to choose"));
            };
            done.values.insert(var, value);
            return Ok(done);
        }
        Label::Tag(tag) => tag,
        Label::TagVar(var) => {
            let tag = done.values.get(&var).and_then(|&value| cells.symbol_of(var, value));
            tag.ok_or_else(|| Failure::new("a tag is not a choice"))?
        }
        Label::AssignAny { .. } => return Err(Failure::new("a choice is made by a walk")),
        _ => return Ok(done),
    };
    if done.tags.len() == MAX_TAGS {
        return Err(Failure::new("labels are too long"));
    }
    done.tags.push(tag);
    Ok(done)
}

/// The nodes of a decision in topological order.
fn order(cells: &Cells<'_, '_>, start: NodeId) -> Result<Vec<NodeId>, Failure> {
    let game = cells.lifter.game;
    let (mut done, mut states) = (Vec::new(), FxHashMap::default());
    let mut stack = vec![(start, 0)];
    states.insert(start, false);
    while let Some((node, next)) = stack.last_mut() {
        let node = *node;
        let Some(&id) = game.automaton.outgoing(node).get(*next) else {
            states.insert(node, true);
            done.push(node);
            stack.pop();
            continue;
        };
        *next += 1;
        let edge = game.automaton.edge(id);
        if game.ends_move(&edge.label) {
            continue;
        }
        match states.get(&edge.target) {
            Some(true) => {}
            Some(false) => return Err(Failure::new("a walk may go round a cycle").at(game.node_name(node))),
            None => {
                states.insert(edge.target, false);
                stack.push((edge.target, 0));
            }
        }
    }
    done.reverse();
    Ok(done)
}
