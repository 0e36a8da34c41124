//! Built-in definitions written out (catalogue of passes, 7.1).

use crate::pass::{Context, Pass, Phase};
use rg_ir::Game;

/// Writes out the built-in definitions that the text leaves to the language, and adds those that a game made by hand
/// lacks.
///
/// ```text
/// type Player = { a };   type Score = { 0, 1 };
/// ```
/// becomes
/// ```text
/// type Player = { a };   type Score = { 0, 1 };   type Bool = { 0, 1 };   type Goals = Player -> Score;
/// type Visibility = Player -> Bool;   type PlayerOrSystem = { a, keeper, random };
/// var goals: Goals = { :0 };   var player: PlayerOrSystem = keeper;   var visible: Visibility = { :1 };
/// ```
///
/// *Correct*, since these are the definitions that the language supplies when they are left out; whether given ones are
/// right is a matter of the checker. O(declarations).
pub struct BuiltIns;

impl Pass for BuiltIns {
    fn name(&self) -> &'static str {
        "built-ins"
    }

    fn summary(&self) -> &'static str {
        "write out the built-in types and variables"
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn keeps_claims(&self) -> bool {
        true
    }

    fn run(&self, game: &mut Game, _: &mut Context) -> bool {
        game.complete_builtins();
        let types = game.type_decls.values_mut().map(|decl| &mut decl.implicit);
        let vars = game.vars.values_mut().map(|decl| &mut decl.implicit);
        let hidden = types.chain(vars).map(std::mem::take);
        hidden.fold(false, |any, hidden| any | hidden)
    }
}
