//! How walks part at the nodes of a game: whether tests show which way on is the only one.

use super::super::exclusive::Exclusive;
use rg_ir::ids::Id;
use rg_ir::{Game, NodeId};

/// How walks part at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parting {
    /// Several ways on may be open at once.
    Open,
    /// Each way begins with a comparison, and at most one of these holds: the state shows the way. `exhaustive` if one always holds.
    Tests { exhaustive: bool },
    /// The two ways are a check and its negation.
    Checks,
}

/// How walks part, by node. Costs what [`Exclusive`] does.
pub(super) fn of(game: &Game) -> Vec<Parting> {
    let exclusive = Exclusive::new(game);
    (0..game.automaton.node_bound()).map(|node| of_node(game, &exclusive, NodeId::from_index(node))).collect()
}

fn of_node(game: &Game, exclusive: &Exclusive<'_>, node: NodeId) -> Parting {
    if !game.automaton.contains_node(node) || game.automaton.outgoing(node).len() < 2 {
        return Parting::Open;
    }
    if exclusive.is_decided_by_comparisons(node) {
        return Parting::Tests { exhaustive: exclusive.has_a_way(node) };
    }
    if exclusive.is_decided_by_a_check(node) { Parting::Checks } else { Parting::Open }
}
