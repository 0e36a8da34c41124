//! The quotient by bisimulation of the reversed automaton (catalogue of passes, 6.2).

use crate::merge::{Merge, Roles};
use crate::partition::coarsest;
use crate::pass::{Context, Pass};
use crate::plain::Plain;
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId};
use rustc_hash::FxHashMap;

/// Merges nodes to which everything comes in the same way.
///
/// ```text
/// m, a: v == 0;   m, b: v == 0;   a, x: $ l;   b, x: $ r;   x, end: player = keeper;
/// ```
/// becomes
/// ```text
/// m, a: v == 0;   a, x: $ l;   a, x: $ r;   x, end: player = keeper;
/// ```
///
/// Nodes are equal if steps with the same labels come to them from equal nodes. Where a walk can start (`begin`, the
/// starts of checks, the targets of assignments to `player`) and `end` equal nothing else.
///
/// *Correct*, since a walk to a node has, step by step, a twin to each equal one, which starts in the same node and ends
/// in the same values with the same tags. So whatever goes on from one of them could go on there before, and a check
/// finds one exactly if it finds the other. O(edges · log(nodes)) if in-degrees are bounded.
pub struct CommonHeads;

impl Pass for CommonHeads {
    fn name(&self) -> &'static str {
        "common-heads"
    }

    fn summary(&self) -> &'static str {
        "merge nodes that are reached in the same ways"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let plain = Plain::of(game);
        let Roles { starts, moves, .. } = Roles::of(game);
        let mut class = vec![0u32; game.automaton.node_bound()];
        for (number, node) in (1u32..).zip(starts.ones().chain(moves.ones()).chain([game.end().index()])) {
            if let Some(class) = class.get_mut(node) {
                *class = number;
            }
        }
        let mut labels: FxHashMap<Label, u32> = FxHashMap::default();
        let state = |node: NodeId| u32::try_from(node.index()).unwrap_or(u32::MAX);
        let mut edges = Vec::with_capacity(game.automaton.edge_count());
        for (_, edge) in game.automaton.edges() {
            let fresh = u32::try_from(labels.len()).unwrap_or(u32::MAX);
            let label = *labels.entry(plain.label(game, &edge.label)).or_insert(fresh);
            edges.push((state(edge.target), label, state(edge.source)));
        }
        let class = coarsest(&class, &edges);
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
