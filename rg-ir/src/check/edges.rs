//! Checks 15–21 and 23: what single edges do.

use super::Checker;
use super::exprs::{ExprFacts, Ty, assignable, describe, span_at, suggest_symbol};
use super::facts::Relation;
use crate::automaton::{Edge, Label};
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::ids::{ExprId, TypeId};

/// Looks at every edge by itself.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    let facts = ExprFacts::new(cx);
    for (_, edge) in game.automaton.edges() {
        let mut at = 0usize;
        for expr in edge.label.exprs() {
            facts.report(cx, edge, expr, at);
            at = at.saturating_add(facts.size(expr));
        }
        match edge.label {
            Label::Assign { lhs, rhs } => {
                if check_target(cx, edge, lhs) {
                    check_sides(cx, &facts, edge, lhs, rhs, "assigned");
                }
            }
            Label::Compare { lhs, rhs, .. } => check_sides(cx, &facts, edge, lhs, rhs, "compared"),
            Label::AssignAny { lhs, ty } => {
                if check_target(cx, edge, lhs) {
                    check_any(cx, &facts, edge, lhs, ty);
                }
            }
            Label::Tag(_) => check_loop(cx, edge),
            Label::TagVar(variable) => {
                check_loop(cx, edge);
                let Some(decl) = game.vars.get(variable) else { continue };
                if cx.facts.arrow(decl.ty).is_some() {
                    let (name, ty) = (game.name(decl.name), cx.show().ty(decl.ty));
                    let message = format!("`$$` needs a variable of a set type, but `{name}` is a map of type `{ty}`");
                    cx.report_on_edge(edge, Diagnostic::error("RG021", edge.span, message));
                }
            }
            Label::Skip | Label::Reach { .. } => {}
        }
    }
}

/// Check 15: only variables can be assigned. Whether `lhs` is one.
fn check_target(cx: &mut Checker<'_>, edge: &Edge, lhs: ExprId) -> bool {
    let game = cx.game;
    let (kind, name) = match game.exprs.root(lhs) {
        // That nothing of that name has keys has been reported.
        Expr::Symbol(_) if matches!(game.exprs.get(lhs), Expr::Access(..)) => return false,
        Expr::Const(id) => ("constant", game.consts.get(id).map_or("", |decl| game.name(decl.name))),
        Expr::Symbol(symbol) => ("symbol", game.name(symbol)),
        Expr::Var(_) | Expr::Access(..) | Expr::Cast(..) => return true,
    };
    let message = format!("only variables can be assigned, found the {kind} `{name}`");
    let found = cx.quote(edge, Diagnostic::error("RG015", span_at(edge, 0), message));
    cx.report_suggesting(found, name, game.vars.values().map(|d| game.name(d.name)));
    false
}

/// Check 17 for assignments and comparisons.
fn check_sides(cx: &mut Checker<'_>, facts: &ExprFacts, edge: &Edge, lhs: ExprId, rhs: ExprId, verb: &str) {
    let (Some(left), Some(right)) = (facts.ty(lhs), facts.ty(rhs)) else { return };
    if assignable(cx, left, right) {
        return;
    }
    let show = cx.show();
    let (left_text, right_text) = (show.expr(lhs), show.expr(rhs));
    let (left_ty, right_ty) = (describe(cx, Some(left)), describe(cx, Some(right)));
    let message = match verb {
        "assigned" => format!("`{right_text}`{right_ty} can never be assigned to `{left_text}`{left_ty}"),
        _ => format!("`{left_text}`{left_ty} can never equal `{right_text}`{right_ty}"),
    };
    // The side to blame is the symbol, if only one is.
    let left_is_symbol = matches!((left, right), (Ty::Symbol(_), Ty::Type(_)));
    let (blamed, at, wanted) = if left_is_symbol { (lhs, 0, right) } else { (rhs, facts.size(lhs), left) };
    let found = cx.quote(edge, Diagnostic::error("RG017", span_at(edge, at), message));
    suggest_symbol(cx, found, blamed, wanted);
}

/// Checks 16, 17 and 20 for `lhs = T(*)`.
fn check_any(cx: &mut Checker<'_>, facts: &ExprFacts, edge: &Edge, lhs: ExprId, ty: TypeId) {
    let show = cx.show();
    if cx.is_player(lhs) {
        let message = format!("`player` must be assigned a definite value, found any of `{}`", show.ty(ty));
        let found = Diagnostic::error("RG016", edge.span, message).help("choose with one edge per player");
        cx.report_on_edge(edge, found);
    }
    if cx.facts.arrow(ty).is_some() {
        let message = format!("`(*)` needs a set type, but `{}` is a map type", show.ty(ty));
        let found = Diagnostic::error("RG020", edge.span, message).help("assign the entries one by one");
        return cx.report_on_edge(edge, found);
    }
    let Some(left) = facts.ty(lhs) else { return };
    let fits = match left {
        Ty::Type(left) => cx.facts.related(Relation::Subset, ty, left),
        Ty::Symbol(_) => true,
    };
    if !fits {
        let (left_text, left_ty) = (show.expr(lhs), describe(cx, Some(left)));
        let message = format!("not every symbol of `{}` can be assigned to `{left_text}`{left_ty}", show.ty(ty));
        cx.report_on_edge(edge, Diagnostic::error("RG017", edge.span, message));
    }
}

/// Check 23: a tag on a loop makes moves infinitely long. Passes can join the nodes of a longer cycle, so it is a warning, as
/// check 24 is.
fn check_loop(cx: &mut Checker<'_>, edge: &Edge) {
    if edge.source == edge.target {
        let message = format!("a tag on a loop at `{}` makes moves infinitely long", cx.node_name(edge.source));
        cx.report_on_edge(edge, Diagnostic::warning("RG023", edge.span, message).help("lead the edge to another node"));
    }
}
