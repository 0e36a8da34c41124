//! Loops without effect (catalogue of passes, 1.2).

use crate::pass::{Context, Level, Pass};
use rg_ir::{Game, Label};

/// Removes steps that come back to where they start and change nothing.
///
/// ```text
/// x, x: ;   x, x: v == w;   x, x: ? a -> b;   x, y: v = 1;
/// ```
/// becomes
/// ```text
/// x, y: v = 1;
/// ```
///
/// *Correct*, since a walk with such a step has the same label and end as the walk without it. Assignments and tags
/// stay. O(edges).
pub struct SelfLoops;

impl Pass for SelfLoops {
    fn name(&self) -> &'static str {
        "self-loops"
    }

    fn summary(&self) -> &'static str {
        "remove edges from a node to itself that change nothing"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let before = game.automaton.edge_count();
        game.automaton.edit_edges(|_, edge| {
            let idle = matches!(edge.label, Label::Skip | Label::Compare { .. } | Label::Reach { .. });
            edge.source != edge.target || !idle
        });
        game.automaton.edge_count() != before
    }
}
