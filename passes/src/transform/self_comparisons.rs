//! Comparisons of a value with itself (catalogue of passes, 2.2 and 1.6).

use crate::pass::{Context, Level, Pass};
use crate::plain::Plain;
use crate::rewrite::{Change, change_edges};
use rg_ir::{Game, Label};

/// Makes skips of `e == e`, and removes steps that need `e != e`.
///
/// ```text
/// x, y: v == v;   x, y: m[v] != m[T(v)];   x, y: v == w;
/// ```
/// becomes
/// ```text
/// x, y: ;   x, y: v == w;
/// ```
///
/// *Correct*, since expressions have no effects, so that both sides have one value, also where a key is outside the key
/// type. O(edges + expressions).
pub struct SelfComparisons;

impl Pass for SelfComparisons {
    fn name(&self) -> &'static str {
        "self-comparisons"
    }

    fn summary(&self) -> &'static str {
        "decide comparisons of a value with itself"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let plain = Plain::of(game);
        change_edges(game, |_, _, edge| match edge.label {
            Label::Compare { lhs, rhs, negated } if plain.expr(lhs) == plain.expr(rhs) => {
                if negated {
                    Change::Remove
                } else {
                    Change::Label(Label::Skip)
                }
            }
            _ => Change::Keep,
        })
    }
}
