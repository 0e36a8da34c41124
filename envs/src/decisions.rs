//! Where in the rules somebody has to move.

use passes::analysis::{Ranges, Values};
use rg_ir::{Game, Label, NodeId, Symbol, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The nodes at which somebody may have to move, if it takes more than who that is to tell which one it is: some player, or `random`, moves at several of them.
/// Those of whoever moves at one node only are left out. O(solution of [`Values`]).
pub(crate) fn decisions(game: &Game) -> Vec<NodeId> {
    let Some(player) = game.symbols.get("player").and_then(|name| game.find_var(name)) else { return Vec::new() };
    let values = Values::solve(game, &Ranges::solve(game));
    let every = || game.vars.get(player).map_or(&[][..], |var| game.types.members(var.ty)).to_vec();
    let mut nodes: BTreeMap<Symbol, BTreeSet<NodeId>> = BTreeMap::new();
    // Nobody hands over to who moves at the beginning.
    if let Some(&Value::Symbol(first)) = game.vars.get(player).map(|var| &var.initial) {
        nodes.entry(first).or_default().insert(game.begin());
    }
    for (_, edge) in game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)) {
        let movers = match (&values, edge.label) {
            (Some(values), _) if !values.reached(edge.source) => continue,
            (Some(values), Label::Assign { rhs, .. }) => values.of(game, edge.source, rhs),
            _ => None,
        };
        for mover in movers.unwrap_or_else(every) {
            nodes.entry(mover).or_default().insert(edge.target);
        }
    }
    nodes.retain(|&mover, nodes| game.name(mover) != "keeper" && nodes.len() > 1);
    let all: BTreeSet<NodeId> = nodes.into_values().flatten().collect();
    all.into_iter().collect()
}
