//! Checks that ask the same (catalogue of passes, 10).

use crate::merge::Merge;
use crate::owners::{Owner, Owners};
use crate::partition::coarsest;
use crate::pass::{Context, Pass};
use crate::transform::tails::states;
use rg_ir::ids::Id;
use rg_ir::{Game, Label, NodeId};
use rustc_hash::FxHashMap;

/// Lets checks that ask the same look for the same node, so that `common-tails` can make one of them.
///
/// ```text
/// m, x: ? s -> t;   s, u: v == 0;   u, t: w == 0;   x, y: ! s2 -> t2;   s2, u2: v == 0;   u2, t2: w == 0;
/// ```
/// becomes
/// ```text
/// m, x: ? s -> t;   s, u: v == 0;   u, t: w == 0;   x, y: ! s2 -> t;   s2, u2: v == 0;   u2, t: w == 0;
/// ```
///
/// Checks ask the same if their starts would be equal (see `common-tails`), were all nodes one that have no steps, that
/// checks look for, and that no other walks come by. Only the nodes that equal checks look for become one: parts that are
/// merely alike towards their ends stay apart, since merging these costs engines more than it saves.
///
/// *Correct*, since no walk of a check that looks for one of these nodes comes by another, so that no check finds what it
/// did not find. O(edges · log(nodes)) if out-degrees are bounded.
pub struct EqualChecks;

impl Pass for EqualChecks {
    fn name(&self) -> &'static str {
        "equal-checks"
    }

    fn summary(&self) -> &'static str {
        "let equivalent checks share a target node"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let owners = Owners::of(game);
        let fixed = [game.begin(), game.end()];
        let own = |node| owners.at(node) == Owner::Check(node) && !fixed.contains(&node);
        // A node with steps would lend them to the others.
        let last = |node| game.automaton.outgoing(node).is_empty();
        let ends: Vec<NodeId> = owners.looked_for().iter().copied().filter(|&node| own(node) && last(node)).collect();
        if ends.len() < 2 {
            return false;
        }
        let (class, edges) = states(game, &ends);
        let class = coarsest(&class, &edges);
        let mut first: FxHashMap<u32, NodeId> = FxHashMap::default();
        let mut merge = Merge::new(game);
        for (_, edge) in game.automaton.edges() {
            let Label::Reach { from, to, .. } = edge.label else { continue };
            let Some(&start) = class.get(from.index()) else { continue };
            if ends.binary_search(&to).is_ok() {
                let kept = *first.entry(start).or_insert(to);
                merge.join(kept, to);
            }
        }
        merge.apply(game)
    }
}
