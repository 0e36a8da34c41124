//! Nodes where a search need not, or only partly, look for walks that it has seen before (catalogue of passes, 8.3).
//!
//! Two walks of a search come to be the same at a node in one of two ways: they arrive by different edges, or by one edge
//! that forgets what told them apart. So a node is unique if what is known along its incoming edges is pairwise
//! contradictory, and from the state after each of them the state before can be told. What is known is symbolic
//! ([`Knowledge`]): values in terms of the state in which the search began, of the tags so far, and of the present state,
//! all of which two walks that are the same have in common.

use super::knowledge::Knowledge;
use super::walks::{Kind, Walks};
use crate::dataflow::{Solution, solve};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Game, NodeId, Pragma, Symbol, VarId};
use std::collections::BTreeMap;

/// Edges into a node that are held against each other at most.
const MAX_ARRIVALS: usize = 16;

/// `@unique` for nodes at which walks cannot meet, `@repeat` for others at which few variables tell walks apart.
///
/// As a search knows walks that it has seen before, a walk counts only up to the first node at which it is the same as
/// another. Near-linear: 64 variables and 48 comparisons are followed at most.
pub(super) fn infer(game: &Game) -> Vec<Pragma> {
    let mut nodes: BTreeMap<NodeId, Option<Vec<VarId>>> = BTreeMap::new();
    let mut not_unique = FixedBitSet::with_capacity(game.automaton.node_bound());
    for kind in [Kind::Moves, Kind::Checks] {
        let walks = Walks::new(game, kind);
        let solution = solve(game, &walks);
        for node in game.automaton.nodes() {
            let Some(known) = solution.at(node) else { continue };
            if !is_unique(&walks, &solution, node) {
                not_unique.insert(node.index());
            }
            let found = known.determining(&walks.terms.borrow());
            let both = nodes.entry(node).or_insert_with(|| Some(Vec::new()));
            *both = both.take().zip(found).map(|(mut vars, more)| {
                vars.extend(more);
                vars.sort_unstable();
                vars.dedup();
                vars
            });
        }
    }
    let name = |node: NodeId| game.automaton.node(node).name;
    let (mut unique, mut repeat) = (Vec::new(), BTreeMap::<Vec<VarId>, Vec<Symbol>>::new());
    for (node, variables) in nodes {
        match variables {
            _ if !not_unique.contains(node.index()) => unique.push(name(node)),
            Some(variables) => repeat.entry(variables).or_default().push(name(node)),
            None => {}
        }
    }
    let unique = (!unique.is_empty()).then_some(Pragma::Unique(unique));
    let variables = |vars: Vec<VarId>| vars.into_iter().map(|var| game.vars[var].name).collect();
    let repeat = repeat.into_iter().map(|(vars, nodes)| Pragma::Repeat { nodes, variables: variables(vars) });
    unique.into_iter().chain(repeat).collect()
}

/// Whether no two walks of one search are the same at the node.
fn is_unique(walks: &Walks<'_>, solution: &Solution<Knowledge>, node: NodeId) -> bool {
    let mut arrivals = Vec::new();
    if walks.starting.contains(node.index()) {
        arrivals.push(walks.start());
    }
    for &id in walks.game.automaton.incoming(node) {
        let edge = walks.game.automaton.edge(id);
        let Some(mut known) = solution.at(edge.source).cloned() else { continue };
        match walks.step(edge, &mut known) {
            Some(true) => arrivals.push(known),
            Some(false) => return false,
            None => {}
        }
        if arrivals.len() > MAX_ARRIVALS {
            return false;
        }
    }
    let terms = &mut walks.terms.borrow_mut();
    let mut rest = &arrivals[..];
    while let Some((first, others)) = rest.split_first() {
        if !others.iter().all(|other| first.excludes(terms, other)) {
            return false;
        }
        rest = others;
    }
    true
}
