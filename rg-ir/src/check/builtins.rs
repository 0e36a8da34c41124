//! Check 14: the definitions that every game has (section 4).

use super::Checker;
use super::facts::{Relation, Resolved};
use super::values::symbol_of;
use crate::diag::{Diagnostic, closest};
use crate::game::{TypeDecl, VarDecl};
use crate::ids::Symbol;
use crate::source::Span;
use crate::value::Value;

/// Names of built-in types.
pub(super) const TYPES: [&str; 6] = ["Player", "Score", "Bool", "Goals", "Visibility", "PlayerOrSystem"];
/// Names of built-in variables.
pub(super) const VARIABLES: [&str; 3] = ["goals", "player", "visible"];

/// Looks for missing and wrong built-ins.
pub(super) fn check(cx: &mut Checker<'_>) {
    check_nodes(cx);
    check_player(cx);
    check_score(cx);
    let players = cx.facts.named("Player").and_then(|_| decl(cx, "Player")).map(|d| names(cx, d));
    check_members(cx, "Bool", &["0", "1"], "exactly `{0, 1}`");
    if let Some(players) = players {
        let wanted: Vec<&str> = players.iter().copied().chain(["keeper", "random"]).collect();
        check_members(cx, "PlayerOrSystem", &wanted, "exactly the symbols of `Player`, `keeper` and `random`");
    }
    check_map(cx, "Goals", "Player", "Score");
    check_map(cx, "Visibility", "Player", "Bool");
    check_variable(cx, "goals", "Goals");
    check_variable(cx, "visible", "Visibility");
    check_variable(cx, "player", "PlayerOrSystem");
    check_first_player(cx);
}

fn decl<'g>(cx: &Checker<'g>, name: &str) -> Option<&'g TypeDecl> {
    let id = cx.game.types.declaration(cx.game.symbols.get(name)?)?;
    cx.game.type_decls.get(id)
}

fn variable<'g>(cx: &Checker<'g>, name: &str) -> Option<&'g VarDecl> {
    let id = cx.game.find_var(cx.game.symbols.get(name)?)?;
    cx.game.vars.get(id)
}

fn names<'g>(cx: &Checker<'g>, decl: &TypeDecl) -> Vec<&'g str> {
    cx.facts.member_names(decl.definition).collect()
}

fn check_nodes(cx: &mut Checker<'_>) {
    for (name, id) in [("begin", cx.game.begin()), ("end", cx.game.end())] {
        if !cx.game.automaton.contains_node(id) {
            cx.report(Diagnostic::error("RG014", Span::NONE, format!("the game has no node `{name}`")));
        }
    }
}

/// Reports a missing type, or one that is a map; otherwise returns the declaration.
fn require_set<'g>(cx: &mut Checker<'g>, name: &str, example: &str) -> Option<&'g TypeDecl> {
    let game = cx.game;
    let Some(decl) = decl(cx, name) else {
        let missing = |span| Diagnostic::error("RG014", span, format!("the game has no type `{name}`"));
        let declared = || game.type_decls.values().filter(|d| !d.implicit).map(|d| (game.name(d.name), d.span));
        let near = closest(name, declared().map(|(declared, _)| declared).filter(|declared| !TYPES.contains(declared)));
        // What is misspelt is the declaration.
        match declared().find(|(declared, _)| near == Some(*declared)) {
            Some((declared, span)) => cx.report_suggesting(missing(span), declared, [name]),
            None => cx.report(missing(Span::NONE).help(format!("add `{example}`"))),
        }
        return None;
    };
    if matches!(cx.facts.get(decl.definition)?, Resolved::Arrow(..)) {
        cx.report(Diagnostic::error("RG014", decl.span, format!("type `{name}` must be a set type, found a map type")));
        return None;
    }
    Some(decl)
}

fn check_player(cx: &mut Checker<'_>) {
    let Some(decl) = require_set(cx, "Player", "type Player = { white, black };") else { return };
    for name in names(cx, decl).into_iter().filter(|name| matches!(*name, "keeper" | "random")) {
        let message = format!("`{name}` is a system player and must not be a member of `Player`");
        cx.report(Diagnostic::error("RG014", decl.span, message));
    }
}

fn check_score(cx: &mut Checker<'_>) {
    // An empty set is reported as such (check 4).
    require_set(cx, "Score", "type Score = { 0, 50, 100 };");
}

/// A built-in set type with prescribed members, in any order.
fn check_members(cx: &mut Checker<'_>, name: &str, wanted: &[&str], rule: &str) {
    let Some(decl) = decl(cx, name).filter(|d| !d.implicit) else { return };
    if cx.facts.get(decl.definition).is_none() {
        return;
    }
    let symbol = |name: &&str| cx.game.symbols.get(name);
    let mut wanted: Vec<Option<Symbol>> = wanted.iter().map(symbol).collect();
    let mut found: Vec<Option<Symbol>> = cx.facts.members(decl.definition).iter().map(|&s| Some(s)).collect();
    for list in [&mut wanted, &mut found] {
        list.sort_unstable();
        list.dedup();
    }
    if wanted != found {
        let message = format!("type `{name}` must have {rule}, found `{}`", cx.show().ty(decl.definition));
        cx.report(Diagnostic::error("RG014", decl.span, message));
    }
}

/// A built-in map type.
fn check_map(cx: &mut Checker<'_>, name: &str, key: &str, value: &str) {
    let Some(map) = decl(cx, name).filter(|d| !d.implicit) else { return };
    let (Some(key_decl), Some(value_decl)) = (decl(cx, key), decl(cx, value)) else { return };
    if cx.facts.get(map.definition).is_none() {
        return;
    }
    let fits = match cx.facts.arrow(map.definition) {
        None => false,
        Some((own_key, own_value)) => {
            cx.facts.related(Relation::Equal, own_key, key_decl.definition)
                && cx.facts.related(Relation::Equal, own_value, value_decl.definition)
        }
    };
    if !fits {
        let message = format!("type `{name}` must be `{key} -> {value}`, found `{}`", cx.show().ty(map.definition));
        cx.report(Diagnostic::error("RG014", map.span, message));
    }
}

/// A built-in variable has its built-in type.
fn check_variable(cx: &mut Checker<'_>, name: &str, ty: &str) {
    let Some(var) = variable(cx, name).filter(|d| !d.implicit) else { return };
    let Some(wanted) = decl(cx, ty) else { return };
    if !cx.facts.related(Relation::Equal, var.ty, wanted.definition) {
        let message = format!("variable `{name}` must have type `{ty}`, found `{}`", cx.show().ty(var.ty));
        cx.report(Diagnostic::error("RG014", var.span, message));
    }
}

fn check_first_player(cx: &mut Checker<'_>) {
    let Some(var) = variable(cx, "player").filter(|d| !d.implicit) else { return };
    let symbol = match var.initial {
        Value::Symbol(symbol) => symbol,
        Value::Const(id) => match symbol_of(cx.game, id) {
            Some(symbol) => symbol,
            None => return,
        },
        Value::Map(_) => return,
    };
    if cx.name(symbol) != "keeper" {
        let message = format!("a game should start with the keeper on the move, found `{}`", cx.name(symbol));
        cx.report(Diagnostic::warning("RG014", var.span, message).help("let `player` start as `keeper`"));
    }
}
