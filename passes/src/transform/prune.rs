//! Unreachable nodes and dead ends (catalogue of passes, 1.1).

use crate::effects::{fixed, live_nodes};
use crate::pass::{Context, Level, Pass};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId};

/// Removes nodes that no walk comes by, and edges from which no walk leads on.
///
/// ```text
/// begin, m: player = a;   m, x: v == 0;   m, d: v == 1;   u, x: ;   x, end: player = keeper;
/// ```
/// becomes
/// ```text
/// begin, m: player = a;   m, x: v == 0;   x, end: player = keeper;
/// ```
///
/// *Correct*, since a step into a node without steps on belongs to no move walk unless it is itself the end of a move
/// (it assigns `player`), and is seen by no check unless the node is one that a check looks for; nodes that are neither
/// reached from `begin` nor from the start of a check that is made belong to no walk at all. The starts and targets of
/// checks stay as long as an edge makes the check. O(nodes + edges).
pub struct Prune;

impl Pass for Prune {
    fn name(&self) -> &'static str {
        "prune"
    }

    fn summary(&self) -> &'static str {
        "remove unreachable nodes, and edges into dead ends"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let mut changed = false;
        loop {
            let useful = useful(game);
            let mut removed = false;
            let automaton = &game.automaton;
            let ends: FixedBitSet = automaton
                .edges()
                .filter(|(_, edge)| game.ends_move(&edge.label))
                .map(|(_, e)| e.target.index())
                .collect();
            let keep = |source: NodeId, target: NodeId| {
                useful.contains(source.index()) && (useful.contains(target.index()) || ends.contains(target.index()))
            };
            let doomed: Vec<bool> = automaton.edges().map(|(_, edge)| !keep(edge.source, edge.target)).collect();
            if doomed.contains(&true) {
                let mut doomed = doomed.into_iter();
                game.automaton.edit_edges(|_, _| !doomed.next().unwrap_or(false));
                removed = true;
            }
            let stay = crate::effects::fixed(game);
            let lonely = |node: &NodeId| {
                let automaton = &game.automaton;
                automaton.outgoing(*node).is_empty()
                    && automaton.incoming(*node).is_empty()
                    && !stay.contains(node.index())
            };
            let lonely: Vec<NodeId> = game.automaton.nodes().filter(lonely).collect();
            removed |= !lonely.is_empty();
            lonely.into_iter().for_each(|node| game.remove_node(node));
            changed |= removed;
            if !removed {
                return changed;
            }
        }
    }
}

/// The nodes that are reached and from which a walk can still matter: it ends a move, comes to `end`, or to a node that
/// a check looks for.
fn useful(game: &Game) -> FixedBitSet {
    let mut goals: Vec<NodeId> = fixed(game).ones().map(NodeId::from_index).collect();
    goals.extend(game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)).map(|(_, edge)| edge.source));
    let mut useful = game.automaton.reaching(goals);
    useful.intersect_with(&live_nodes(game));
    // What a check refers to stays, whether or not the check can succeed; other passes look at that.
    for (_, edge) in game.automaton.edges() {
        if let (true, Label::Reach { from, to, .. }) = (useful.contains(edge.source.index()), edge.label) {
            useful.insert(from.index());
            useful.insert(to.index());
        }
    }
    useful
}
