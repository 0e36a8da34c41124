//! Assignments that are never read (catalogue of passes, 1.4 and 10).

use crate::analysis::Liveness;
use crate::effects;
use crate::pass::{Context, Level, Pass};
use rg_ir::ids::Id;
use rg_ir::{Game, Label};

/// Turns assignments into skips if the variable is not live after them.
///
/// ```text
/// m, x: v = T(*);   x, y: w = v;   y, z: w = 1;   z, end: player = keeper;   // later: w == 1
/// ```
/// becomes
/// ```text
/// m, x: ;   x, y: ;   y, z: w = 1;   z, end: player = keeper;
/// ```
///
/// *Correct*, since walks of the game before and after correspond to each other step by step with states that differ in
/// variables only that are not live: no comparison, no tag, and no live variable is ever computed from one
/// ([`Liveness`]). The successors of an any-assignment differ in the dead variable only, so one of them stands for all.
/// Assignments to `player` and `visible` stay. O(solution of [`Liveness`]); nothing is solved where no variable besides
/// these two is written.
pub struct DeadStores;

impl Pass for DeadStores {
    fn name(&self) -> &'static str {
        "dead-stores"
    }

    fn summary(&self) -> &'static str {
        "turn assignments to variables that are not read afterwards into skips"
    }

    fn level(&self) -> Level {
        Level::Clean
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        let problem = Liveness::new(game);
        let candidate = |label: &Label| effects::write(game, label).filter(|write| !problem.always(write.var));
        if !game.automaton.edges().any(|(_, edge)| candidate(&edge.label).is_some()) {
            return false;
        }
        let live = Liveness::solve(game);
        let dead = game.automaton.edges().filter_map(|(id, edge)| {
            let write = candidate(&edge.label)?;
            let live = live.at(edge.target).is_some_and(|live| live.contains(write.var.index()));
            (!live).then_some(id)
        });
        let dead: Vec<_> = dead.collect();
        dead.iter().for_each(|&id| game.automaton.set_label(id, Label::Skip));
        !dead.is_empty()
    }
}
