//! What walks of checks need not do (catalogue of passes, 3.3 and 1.1).

use crate::owners::{Owner, Owners};
use crate::pass::{Context, Pass};
use crate::rewrite::{Change, change_edges};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, Game, Label};

/// Ends the walks of checks as soon as their success or failure is certain.
///
/// ```text
/// m, x: ? s -> t;   s, u: v == 0;   u, w: v = 1;   w, t: v = T(*);   s, d: v == 2;   t, u: w == 1;
/// ```
/// becomes
/// ```text
/// m, x: ? s -> t;   s, u: v == 0;   u, t: ;
/// ```
///
/// Consider a node that only walks of checks come by, all of which look for `t`. If nothing but skips, assignments and
/// tags lie on some way from there to `t`, one skip to `t` does for all its steps. If no way leads to `t`, steps into
/// it go. Steps from `t` itself go.
///
/// *Correct*, since a check asks for a walk to `t` and for nothing else: what a walk assigns is forgotten, and what it
/// could do instead or afterwards does not matter. O(nodes + edges).
pub struct CheckEnds;

impl Pass for CheckEnds {
    fn name(&self) -> &'static str {
        "check-ends"
    }

    fn summary(&self) -> &'static str {
        "end the walks of checks where their success or failure is certain"
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let owners = Owners::of(game);
        if owners.looked_for().is_empty() {
            return false;
        }
        trim(game, &owners)
    }
}

fn trim(game: &mut Game, owners: &Owners) -> bool {
    let always = |edge: &Edge| !matches!(edge.label, Label::Compare { .. } | Label::Reach { .. });
    let assured = owners.leading(game, false, always);
    let possible = owners.leading(game, true, |_| true);
    let mut led = FixedBitSet::with_capacity(game.automaton.node_bound());
    change_edges(game, |_, _, edge| {
        let Owner::Check(wanted) = owners.at(edge.source) else { return Change::Keep };
        if edge.source == wanted {
            return Change::Remove;
        }
        if assured.contains(edge.source.index()) {
            // The first of its edges becomes the skip.
            return match led.put(edge.source.index()) {
                true => Change::Remove,
                false if edge.target == wanted && edge.label == Label::Skip => Change::Keep,
                false => Change::Lead(wanted, Label::Skip),
            };
        }
        let target = edge.target;
        let hopeless = target != wanted && owners.at(target) != Owner::Many && !possible.contains(target.index());
        if hopeless { Change::Remove } else { Change::Keep }
    })
}
