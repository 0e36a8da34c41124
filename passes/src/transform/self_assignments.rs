//! Assignments of a value to where it already is (catalogue of passes, 2.1).

use crate::pass::{Context, Level, Pass};
use crate::plain::Plain;
use crate::rewrite::{Change, change_edges};
use rg_ir::{Game, Label};

/// Makes skips of assignments whose sides are the same.
///
/// ```text
/// x, y: v = v;   y, z: m[v] = T(m[v]);   z, end: player = player;
/// ```
/// becomes
/// ```text
/// x, y: ;   y, z: ;   z, end: player = player;
/// ```
///
/// *Correct*, since expressions have no effects, and a write with a key outside the key type is as idle as any other
/// here. Assignments to `player` stay, whatever their value: they end moves. O(edges + expressions).
pub struct SelfAssignments;

impl Pass for SelfAssignments {
    fn name(&self) -> &'static str {
        "self-assignments"
    }

    fn summary(&self) -> &'static str {
        "replace assignments that change nothing by skips"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let plain = Plain::of(game);
        change_edges(game, |game, _, edge| match edge.label {
            Label::Assign { lhs, rhs } if plain.expr(lhs) == plain.expr(rhs) && !game.ends_move(&edge.label) => {
                Change::Label(Label::Skip)
            }
            _ => Change::Keep,
        })
    }
}
