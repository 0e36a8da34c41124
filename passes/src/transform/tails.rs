//! The quotient by bisimulation (catalogue of passes, 6.3 and 6.4).

use crate::merge::{Merge, Roles};
use crate::partition::coarsest;
use crate::pass::{Context, Pass};
use crate::plain::Plain;
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId};
use rustc_hash::FxHashMap;

/// Merges nodes from which everything goes on in the same way.
///
/// ```text
/// m, p: $ l;   m, q: $ r;   p, x: v = 1;   q, y: v = 1;   x, end: player = keeper;   y, end: player = keeper;
/// ```
/// becomes
/// ```text
/// m, p: $ l;   m, p: $ r;   p, x: v = 1;   x, end: player = keeper;
/// ```
///
/// Nodes are equal if they have steps with the same labels to equal nodes, and a check is the same label as another if
/// both start in equal nodes and look for the same one. `end` and what checks look for equal nothing else.
///
/// *Correct*, since walks from equal nodes can be matched step by step, in the same values, with the same tags, and
/// come to what a check looks for, or to `end`, together; so a node can stand for all that equal it, also where checks
/// and moves start. O(edges · log(nodes)) if out-degrees are bounded.
pub struct CommonTails;

impl Pass for CommonTails {
    fn name(&self) -> &'static str {
        "common-tails"
    }

    fn summary(&self) -> &'static str {
        "merge nodes from which everything goes on in the same way"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let (mut class, edges) = states(game, &[]);
        class = coarsest(&class, &edges);
        let mut first: FxHashMap<u32, NodeId> = FxHashMap::default();
        let mut merge = Merge::new(game);
        for node in game.automaton.nodes() {
            let Some(&class) = class.get(node.index()) else { continue };
            let kept = *first.entry(class).or_insert(node);
            merge.join(kept, node);
        }
        merge.apply(game)
    }
}

/// Initial classes of states and the steps between them. The states are the nodes, and one for each check that an edge
/// makes, with steps to the check's start, to what it looks for, and to the node that the edge leads to. Of what checks
/// look for only the nodes `alike` (ascending) are not distinguished.
pub(super) fn states(game: &Game, alike: &[NodeId]) -> (Vec<u32>, Vec<(u32, u32, u32)>) {
    const REACH: u32 = 0;
    const FROM: u32 = 1;
    const TO: u32 = 2;
    const NEXT: u32 = 3;
    let plain = Plain::of(game);
    let roles = Roles::of(game);
    let mut class = vec![0; game.automaton.node_bound()];
    for (number, node) in (4u32..).zip(roles.targets.ones().chain([game.end().index()])) {
        let known = alike.binary_search(&NodeId::from_index(node)).is_ok();
        if let Some(class) = class.get_mut(node) {
            *class = if known { 3 } else { number };
        }
    }
    let mut labels: FxHashMap<Label, u32> = FxHashMap::default();
    let mut edges = Vec::with_capacity(game.automaton.edge_count());
    let state = |node: NodeId| u32::try_from(node.index()).unwrap_or(u32::MAX);
    for (_, edge) in game.automaton.edges() {
        let (source, target) = (state(edge.source), state(edge.target));
        if let Label::Reach { from, to, negated } = edge.label {
            let check = u32::try_from(class.len()).unwrap_or(u32::MAX);
            class.push(1 + u32::from(negated));
            edges.extend([(source, REACH, check), (check, FROM, state(from)), (check, TO, state(to))]);
            edges.push((check, NEXT, target));
        } else {
            let fresh = NEXT + 1 + u32::try_from(labels.len()).unwrap_or(u32::MAX);
            let label = *labels.entry(plain.label(game, &edge.label)).or_insert(fresh);
            edges.push((source, label, target));
        }
    }
    (class, edges)
}
