//! Checks 15–21 and 23: what single edges do.

use super::Checker;
use super::exprs::{ExprFacts, Ty, assignable, describe, span_at, suggest_symbol};
use super::facts::Relation;
use crate::automaton::{Edge, Label};
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{ExprId, Id, Symbol, TypeId};
use crate::types::TypeKind;
use rustc_hash::FxHashSet;

/// Looks at every edge by itself.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    let facts = ExprFacts::new(cx);
    let values = symbols_of(game);
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
            Label::Tag(tag) => {
                check_loop(cx, edge);
                check_tag(cx, &values, edge, tag);
            }
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
    // The side to blame is the symbol, if only one is.
    let left_is_symbol = matches!((left, right), (Ty::Symbol(_), Ty::Type(_)));
    let (blamed, at, wanted) = if left_is_symbol { (lhs, 0, right) } else { (rhs, facts.size(lhs), left) };
    if let Some((name, ty)) = type_as_value(cx, blamed) {
        let found = Diagnostic::error("RG017", span_at(edge, at), format!("`{name}` is a type, not a value"));
        let fits = match left {
            Ty::Type(left) => cx.facts.arrow(ty).is_none() && cx.facts.related(Relation::Subset, ty, left),
            Ty::Symbol(_) => false,
        };
        let found = match verb == "assigned" && fits && !cx.is_player(lhs) {
            true => found
                .help(format!("any value of it is assigned by `{left_text} = {name}(*)`"))
                .fix_here(format!("replace `{name}` by `{name}(*)`"), format!("{name}(*)"))
                .unsure(),
            false => found.help(format!("write a value of type `{name}`")),
        };
        let found = cx.quote(edge, found);
        return cx.report(named_only(found, name));
    }
    let message = match verb {
        "assigned" => format!("`{right_text}`{right_ty} can never be assigned to `{left_text}`{left_ty}"),
        _ => format!("`{left_text}`{left_ty} can never equal `{right_text}`{right_ty}"),
    };
    let found = cx.quote(edge, Diagnostic::error("RG017", span_at(edge, at), message));
    suggest_symbol(cx, found, blamed, wanted);
}

/// The type that a symbol in the place of a value is the name of.
fn type_as_value<'g>(cx: &Checker<'g>, expr: ExprId) -> Option<(&'g str, TypeId)> {
    let game = cx.game;
    let Expr::Symbol(symbol) = game.exprs.get(expr) else { return None };
    let decl = game.type_decls.get(game.types.declaration(symbol)?)?;
    Some((game.name(symbol), decl.definition))
}

/// The finding with fixes that are right only where they replace the name.
fn named_only(mut found: Diagnostic, name: &str) -> Diagnostic {
    let edits = found.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
    edits.for_each(|edit| edit.instead_of = Some(name.to_owned()));
    found
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

/// The symbols that are values (members of types, and those in expressions), and the names of variables that are tags. Linear.
fn symbols_of(game: &Game) -> FxHashSet<Symbol> {
    let sets = (0..game.types.len()).filter_map(|at| match game.types.kind(TypeId::from_index(at)) {
        TypeKind::Set(set) => Some(set.iter().copied()),
        TypeKind::Name(_) | TypeKind::Arrow(..) => None,
    });
    let exprs = (0..game.exprs.len()).filter_map(|at| match game.exprs.get(ExprId::from_index(at)) {
        Expr::Symbol(symbol) => Some(symbol),
        _ => None,
    });
    let shown = game.automaton.edges().filter_map(|(_, edge)| match edge.label {
        Label::TagVar(var) => game.vars.get(var).map(|decl| decl.name),
        _ => None,
    });
    sets.flatten().chain(exprs).chain(shown).collect()
}

/// A fixed tag with the name of a variable, which is no value: the value of the variable may be meant. Names of implicit variables are left out, and
/// maps, which are no tags, and names of variables whose values are shown, which such a tag may announce.
fn check_tag(cx: &mut Checker<'_>, values: &FxHashSet<Symbol>, edge: &Edge, tag: Symbol) {
    let game = cx.game;
    let variable = game.find_var(tag).and_then(|id| game.vars.get(id));
    let Some(decl) = variable.filter(|decl| !decl.implicit && cx.facts.arrow(decl.ty).is_none()) else { return };
    if values.contains(&tag) || !decl.span.is_some() {
        return;
    }
    let name = game.name(tag);
    let message = format!("the tag `{name}` has the name of a variable, but is not its value");
    let found = Diagnostic::warning("RG033", edge.span, message).help(format!("did you mean `$$ {name}`?"));
    let title = format!("write `$$ {name}`");
    let mut found = found.fix_here(title, format!("$$ {name}")).unsure();
    let edits = found.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
    edits.for_each(|edit| edit.instead_of = Some(format!("$ {name}")));
    cx.report_on_edge(edge, found);
}

/// Check 23: a tag on a loop makes moves infinitely long. Passes can join the nodes of a longer cycle, so it is a warning, as
/// check 24 is.
fn check_loop(cx: &mut Checker<'_>, edge: &Edge) {
    if edge.source == edge.target {
        let message = format!("a tag on a loop at `{}` makes moves infinitely long", cx.node_name(edge.source));
        cx.report_on_edge(edge, Diagnostic::warning("RG023", edge.span, message).help("lead the edge to another node"));
    }
}
