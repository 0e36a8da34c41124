//! What engines rely on in a checked game: built-in declarations and names, and whether chance decides. Linear in the game.

use rg_ir::{Expr, Game, Label};

/// The game with all that engines rely on: built-in declarations and names.
pub(crate) fn completed(game: &Game) -> Game {
    let mut game = game.clone();
    game.complete_builtins();
    for name in ["keeper", "random", "1"] {
        game.symbols.intern(name);
    }
    game
}

/// Whether `random` may ever decide: some expression, constant or first value names it, or a free choice offers it.
pub fn has_chance(game: &Game) -> bool {
    let Some(random) = game.symbols.get("random") else { return false };
    let declared = |ty, value| game.dense(ty, value).map_or(true, |dense| dense.values.contains(&random));
    let named = |label: &Label| {
        let mut found = matches!(*label, Label::AssignAny { ty, .. } if game.types.contains(ty, random));
        for root in label.exprs() {
            game.exprs.preorder(root, |_, expr| found |= expr == Expr::Symbol(random));
        }
        found
    };
    game.consts.values().any(|decl| declared(decl.ty, &decl.value))
        || game.vars.values().any(|decl| declared(decl.ty, &decl.initial))
        || game.automaton.edges().any(|(_, edge)| named(&edge.label))
}
