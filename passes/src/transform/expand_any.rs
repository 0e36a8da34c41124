//! One edge per symbol instead of `l = T(*)` (catalogue of passes, 7.2).

use crate::pass::{Context, Pass, Phase};
use crate::rewrite::{is_plain, replace_edges};
use rg_ir::{Edge, Expr, Game, Label};

/// Replaces every assignment of any symbol by one assignment per symbol, for engines that lack the shorthand.
///
/// ```text
/// type T = { 1, 2 };   x, y: v = T(*);
/// ```
/// becomes
/// ```text
/// x, y: v = 1;   x, y: v = 2;
/// ```
///
/// *Correct*, since that is what the shorthand stands for (specification of RG, section 11). Symbols that share their name
/// with a constant or a variable cannot be written; such a type is left alone. O(size of the result).
pub struct ExpandAny;

impl Pass for ExpandAny {
    fn name(&self) -> &'static str {
        "expand-any"
    }

    fn summary(&self) -> &'static str {
        "write assignments of any symbol as one edge per symbol"
    }

    fn phase(&self) -> Phase {
        Phase::Request
    }

    fn run(&self, game: &mut Game, context: &mut Context) -> bool {
        let any = |game: &Game, label: &Label| match *label {
            Label::AssignAny { lhs, ty } => Some((lhs, game.types.members(ty).to_vec())),
            _ => None,
        };
        if !game.automaton.edges().any(|(_, edge)| matches!(edge.label, Label::AssignAny { .. })) {
            return false;
        }
        let (mut changed, mut left) = (false, 0usize);
        replace_edges(game, |game, edge, made| match any(game, &edge.label) {
            Some((lhs, members)) if members.iter().all(|&symbol| is_plain(game, symbol)) => {
                changed = true;
                made.extend(members.into_iter().map(|symbol| {
                    let rhs = game.exprs.intern(Expr::Symbol(symbol));
                    Edge { label: Label::Assign { lhs, rhs }, spans: Box::default(), ..edge }
                }));
            }
            other => {
                left += usize::from(other.is_some());
                made.push(edge);
            }
        });
        if left > 0 {
            context
                .note(format!("{left} types have symbols named as a constant or a variable, which cannot be written"));
        }
        changed
    }
}
