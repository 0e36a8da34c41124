//! One comparison and tag per symbol instead of `$$ v` (catalogue of passes, 7.3).

use crate::facts::Values;
use crate::pass::{Context, Pass, Phase};
use crate::rewrite::{is_plain, replace_edges};
use rg_ir::ids::Id;
use rg_ir::types::TypeKind;
use rg_ir::{Edge, Expr, Game, Label, Symbol, VarId};

/// Replaces every tag that shows a variable by a comparison and a fixed tag per symbol, for engines that lack the
/// shorthand.
///
/// ```text
/// type T = { 1, 2 };   var v: T = 1;   x, y: $$ v;
/// ```
/// becomes
/// ```text
/// x, x_1: v == T(1);   x_1, y: $ 1;   x, x_2: v == T(2);   x_2, y: $ 2;
/// ```
///
/// *Correct*, since that is what the shorthand stands for (specification of RG, section 11), where every write to the
/// variable shows that it holds a symbol of its type. Symbols that share their name with a constant or a variable cannot be
/// written; such a tag is left alone. O(size of the result).
pub struct ExpandTags;

impl Pass for ExpandTags {
    fn name(&self) -> &'static str {
        "expand-tags"
    }

    fn summary(&self) -> &'static str {
        "write tags that show a variable as one comparison and tag per symbol"
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        if !game.automaton.edges().any(|(_, edge)| matches!(edge.label, Label::TagVar(_))) {
            return false;
        }
        let values = Values::new(game);
        let fits: Vec<bool> = game.vars.ids().map(|var| values.fits(var)).collect();
        let (mut changed, mut left) = (false, 0usize);
        replace_edges(game, |game, edge, made| {
            let Label::TagVar(var) = edge.label else { return made.push(edge) };
            let members = game.types.members(game.vars[var].ty).to_vec();
            let fits = fits.get(var.index()).is_some_and(|&fits| fits);
            if !fits || members.is_empty() || !members.iter().all(|&symbol| is_plain(game, symbol)) {
                left += 1;
                return made.push(edge);
            }
            changed = true;
            for symbol in members {
                one(game, &edge, var, symbol, made);
            }
        });
        if left > 0 {
            context
                .note(format!("{left} tags stay: symbols named as a constant or a variable, or from outside the type"));
        }
        changed
    }
}

/// The comparison and the tag for one symbol.
fn one(game: &mut Game, edge: &Edge, var: VarId, symbol: Symbol, made: &mut Vec<Edge>) {
    let stem = format!("{}_{}", game.node_name(edge.source), game.name(symbol));
    let middle = game.fresh_node(&stem, edge.span);
    let lhs = game.exprs.intern(Expr::Var(var));
    let mut rhs = game.exprs.intern(Expr::Symbol(symbol));
    let ty = game.vars[var].ty;
    if matches!(game.types.kind(ty), TypeKind::Name(_)) {
        rhs = game.exprs.intern(Expr::Cast(ty, rhs));
    }
    let compare = Label::Compare { lhs, rhs, negated: false };
    made.push(Edge { target: middle, label: compare, spans: Box::default(), ..*edge });
    made.push(Edge { source: middle, label: Label::Tag(symbol), spans: Box::default(), ..*edge });
}
