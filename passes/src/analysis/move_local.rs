//! Variables that carry nothing from one move to the next (catalogue of passes, 9.7).

use crate::analysis::Liveness;
use crate::effects::Builtins;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Game, VarId};

/// The variables, by index, whose value at the start of a move never matters: they are written before they are read in
/// every move, and in every check made in it. They need not be part of the state between moves, and two states that
/// differ in them only are the same for whoever plays. Built-in variables are never among them.
///
/// The transformations leave such variables where they are: resetting them at the ends of moves would cost an edge for
/// each, and what it gains, fewer distinct states, an engine has for free when it leaves them out of the state.
/// O(solution of [`Liveness`]).
pub fn move_local(game: &Game) -> FixedBitSet {
    let (live, builtins) = (Liveness::solve(game), Builtins::of(game));
    let mut carried = FixedBitSet::with_capacity(game.vars.len());
    let starts = game.automaton.edges().filter(|(_, edge)| game.ends_move(&edge.label)).map(|(_, edge)| edge.target);
    for start in starts.chain([game.begin()]) {
        if let Some(live) = live.at(start) {
            carried.union_with(live);
        }
    }
    game.vars.ids().filter(|&var| !builtins.contains(var) && !carried.contains(var.index())).map(Id::index).collect()
}

/// Makes every variable that carries something from one move to the next [live at `end`](rg_ir::VarDecl::live_out), so that no pass and no engine forgets what
/// the last move did to it: for those who look at games that are over. O(solution of [`Liveness`]).
pub fn keep_final_values(game: &mut Game) {
    let (local, builtins) = (move_local(game), Builtins::of(game));
    let carried: Vec<VarId> =
        game.vars.ids().filter(|&var| !builtins.contains(var) && !local.contains(var.index())).collect();
    carried.into_iter().for_each(|var| game.make_live_out(var));
}
