//! Tags inside checks (catalogue of passes, 2.3).

use crate::effects::main_part;
use crate::pass::{Context, Level, Pass};
use crate::rewrite::{Change, change_edges};
use rg_ir::ids::Id;
use rg_ir::{Game, Label};

/// Makes skips of the tags that only walks of checks come by.
///
/// ```text
/// m, x: ? s -> t;   s, u: v == 0;   u, t: $ hidden;   x, end: player = keeper;
/// ```
/// becomes
/// ```text
/// m, x: ? s -> t;   s, u: v == 0;   u, t: ;   x, end: player = keeper;
/// ```
///
/// *Correct*, since checks ignore tags, and a tag in a node that no walk from `begin` comes by is never part of a move.
/// O(nodes + edges).
pub struct CheckTags;

impl Pass for CheckTags {
    fn name(&self) -> &'static str {
        "check-tags"
    }

    fn summary(&self) -> &'static str {
        "replace tags that are reached only in checks by skips"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let is_tag = |label: &Label| matches!(label, Label::Tag(_) | Label::TagVar(_));
        let checks = game.automaton.edges().any(|(_, edge)| matches!(edge.label, Label::Reach { .. }));
        if !checks {
            return false;
        }
        let main = main_part(game);
        change_edges(game, |_, _, edge| {
            let hidden = is_tag(&edge.label) && !main.contains(edge.source.index());
            if hidden { Change::Label(Label::Skip) } else { Change::Keep }
        })
    }
}
