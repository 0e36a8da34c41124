//! Parallel edges that say the same or nothing more (catalogue of passes, 5.2).

use crate::pass::{Context, Level, Pass};
use crate::plain::Plain;
use crate::rewrite::{Change, change_edges};
use rg_ir::{Game, Label, NodeId};
use rustc_hash::FxHashSet;

/// Removes edges that have a twin, and conditions next to a skip.
///
/// ```text
/// x, y: ;   x, y: v == 0;   x, y: ? s -> t;   x, y: $ t;   y, z: v == w;   y, z: w == v;
/// ```
/// becomes
/// ```text
/// x, y: ;   x, y: $ t;   y, z: v == w;
/// ```
///
/// *Correct*, since a walk by the removed edge has the same label and end as the walk by the one that stays, which is
/// legal whenever it is. Tags and assignments next to a skip stay. O(edges + expressions).
pub struct Parallel;

impl Pass for Parallel {
    fn name(&self) -> &'static str {
        "parallel"
    }

    fn summary(&self) -> &'static str {
        "remove duplicate edges, and conditions with an unconditional edge beside them"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        if !some_node_has_parallel_edges(game) {
            return false;
        }
        let plain = Plain::of(game);
        let skip = |edge: &&rg_ir::Edge| edge.label == Label::Skip;
        let open: FxHashSet<(NodeId, NodeId)> =
            game.automaton.edges().map(|(_, edge)| edge).filter(skip).map(|edge| (edge.source, edge.target)).collect();
        let mut seen: FxHashSet<(NodeId, NodeId, Label)> = FxHashSet::default();
        change_edges(game, |game, _, edge| {
            let ends = (edge.source, edge.target);
            let condition = matches!(edge.label, Label::Compare { .. } | Label::Reach { .. });
            let bypassed = condition && open.contains(&ends);
            let first = seen.insert((ends.0, ends.1, plain.label(game, &edge.label)));
            if bypassed || !first { Change::Remove } else { Change::Keep }
        })
    }
}

/// A look that costs little, since most runs find nothing.
fn some_node_has_parallel_edges(game: &Game) -> bool {
    let mut targets: Vec<NodeId> = Vec::new();
    game.automaton.nodes().any(|node| {
        let outgoing = game.automaton.outgoing(node);
        if outgoing.len() < 2 {
            return false;
        }
        targets.clear();
        targets.extend(outgoing.iter().map(|&edge| game.automaton.edge(edge).target));
        targets.sort_unstable();
        !targets.is_sorted_by(|a, b| a < b)
    })
}
