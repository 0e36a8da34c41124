//! Choices that are tested at once (catalogue of passes, 8.2).

use crate::effects::mentions;
use rg_ir::{Edge, Expr, ExprId, Game, Label, NodeId, Pragma, VarId};

/// Finds `p, q: v = T(*); q, r: M[v] == 1;` where these are the only edges of p and q, and M does not mention v.
/// O(edges).
pub(super) fn infer(game: &Game) -> Vec<Pragma> {
    let name = |node: NodeId| game.automaton.node(node).name;
    let one = |node: NodeId| {
        let choice = only(game, node)?;
        let variable = chosen(game, &choice.label)?;
        let test = only(game, choice.target)?;
        tests(game, &test.label, variable).then(|| Pragma::Iterator {
            nodes: [name(node), name(choice.target), name(test.target)],
            variable: game.vars[variable].name,
        })
    };
    game.automaton.nodes().filter_map(one).collect()
}

/// The only edge of a node.
fn only(game: &Game, node: NodeId) -> Option<&Edge> {
    match game.automaton.outgoing(node) {
        [id] => Some(game.automaton.edge(*id)),
        _ => None,
    }
}

/// The variable of `v = T(*)`.
fn chosen(game: &Game, label: &Label) -> Option<VarId> {
    let Label::AssignAny { lhs, .. } = *label else { return None };
    match game.exprs.get(bare(game, lhs)) {
        Expr::Var(var) => Some(var),
        _ => None,
    }
}

/// Whether the label is `M[v] == 1`.
fn tests(game: &Game, label: &Label, var: VarId) -> bool {
    let Label::Compare { lhs, rhs, negated: false } = *label else { return false };
    let (Expr::Access(map, key), Expr::Symbol(one)) =
        (game.exprs.get(bare(game, lhs)), game.exprs.get(bare(game, rhs)))
    else {
        return false;
    };
    game.exprs.get(bare(game, key)) == Expr::Var(var) && game.name(one) == "1" && !mentions(game, map, var)
}

/// The expression under its casts.
fn bare(game: &Game, mut expr: ExprId) -> ExprId {
    while let Expr::Cast(_, inner) = game.exprs.get(expr) {
        expr = inner;
    }
    expr
}
