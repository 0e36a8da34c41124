//! Checks 8–13: initial values and values of constants.

use super::facts::Relation;
use super::{Checker, listing};
use crate::diag::Diagnostic;
use crate::game::Game;
use crate::ids::{ConstId, Id, Symbol, TypeId, VarId};
use crate::source::Span;
use crate::value::{MapLiteral, Value};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;

/// Looks at the value of every constant and variable.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    for decl in game.consts.values() {
        check_value(cx, &Place { name: decl.name, span: decl.span, variable: None }, decl.ty, &decl.value);
    }
    for (id, decl) in game.vars.iter() {
        check_value(cx, &Place { name: decl.name, span: decl.span, variable: Some(id) }, decl.ty, &decl.initial);
    }
    check_cycles(cx);
}

/// The declaration a value belongs to.
struct Place {
    name: Symbol,
    span: Span,
    variable: Option<VarId>,
}

/// Checks a value against a type; explicit stack, linear in the size of the literal.
fn check_value(cx: &mut Checker<'_>, place: &Place, ty: TypeId, value: &Value) {
    let mut stack = vec![(ty, value)];
    while let Some((ty, value)) = stack.pop() {
        match value {
            Value::Symbol(symbol) => check_symbol(cx, place, ty, *symbol),
            Value::Const(id) => check_constant(cx, place, ty, *id),
            Value::Map(literal) => {
                check_literal(cx, place, literal);
                let Some((key_ty, value_ty)) = cx.facts.arrow(ty) else {
                    if cx.facts.get(ty).is_some() {
                        mismatch(cx, place, ty, "a map");
                    }
                    continue;
                };
                for (key, value) in literal.entries.iter().rev() {
                    if let Some(key) = key.filter(|&key| !cx.facts.contains(key_ty, key)) {
                        wrong_key(cx, place, key_ty, key);
                    }
                    stack.push((value_ty, value));
                }
            }
        }
    }
}

fn mismatch(cx: &mut Checker<'_>, place: &Place, ty: TypeId, found: &str) {
    let wanted = if cx.facts.set(ty).is_some() { "a symbol of" } else { "a map of type" };
    let message =
        format!("value of `{}`: expected {wanted} `{}`, found {found}", cx.name(place.name), cx.show().ty(ty));
    cx.report(Diagnostic::error("RG009", place.span, message));
}

fn wrong_key(cx: &mut Checker<'_>, place: &Place, key_ty: TypeId, key: Symbol) {
    let (text, name, ty) = (cx.name(key), cx.name(place.name), cx.show().ty(key_ty));
    let message = format!("value of `{name}`: key `{text}` is not a member of the key type `{ty}`");
    let mut found = Diagnostic::error("RG011", place.span, message);
    if cx.game.find_const(key).is_some() {
        found = found.note(format!("keys are always symbols: `{text}` does not stand for the constant here"));
    }
    let known = cx.facts.member_names(key_ty);
    cx.report_suggesting(found, text, known);
}

fn check_symbol(cx: &mut Checker<'_>, place: &Place, ty: TypeId, symbol: Symbol) {
    let game = cx.game;
    if cx.facts.get(ty).is_none() {
        return;
    }
    let (text, name) = (cx.name(symbol), cx.name(place.name));
    let member = cx.facts.contains(ty, symbol);
    if let Some(variable) = game.find_var(symbol).filter(|&v| !(member && Some(v) == place.variable)) {
        let message = format!("value of `{name}`: expected a symbol or a constant, found the variable `{text}`");
        let declared = game.vars.get(variable).map_or(Span::NONE, |decl| decl.span);
        return cx.report(Diagnostic::error("RG013", place.span, message).also(declared, "the variable"));
    }
    if cx.facts.arrow(ty).is_some() {
        return mismatch(cx, place, ty, &format!("the symbol `{text}`"));
    }
    if !member {
        let message = format!("value of `{name}`: `{text}` is not a member of `{}`", cx.show().ty(ty));
        let found = Diagnostic::error("RG010", place.span, message);
        let known = cx.facts.member_names(ty).chain(game.consts.values().map(|d| game.name(d.name)));
        cx.report_suggesting(found, text, known);
    }
}

/// A constant used as a value: the strict relation for maps; for symbols its value decides.
fn check_constant(cx: &mut Checker<'_>, place: &Place, ty: TypeId, id: ConstId) {
    let game = cx.game;
    let Some(decl) = game.consts.get(id) else { return };
    if cx.facts.get(ty).is_none() || cx.facts.get(decl.ty).is_none() {
        return;
    }
    let other = cx.name(decl.name);
    if cx.facts.set(ty).is_some() != cx.facts.set(decl.ty).is_some() {
        let kind = if cx.facts.set(decl.ty).is_some() { "symbol" } else { "map" };
        return mismatch(cx, place, ty, &format!("the constant `{other}`, which is a {kind}"));
    }
    if cx.facts.related(Relation::Subset, decl.ty, ty) {
        return;
    }
    if symbol_of(game, id).is_some_and(|symbol| cx.facts.contains(ty, symbol)) {
        return;
    }
    let (name, own, wanted) = (cx.name(place.name), cx.show().ty(decl.ty), cx.show().ty(ty));
    let message = format!("value of `{name}`: constant `{other}` of type `{own}` is not within `{wanted}`");
    cx.report(Diagnostic::error("RG010", place.span, message).also(decl.span, "the constant"));
}

/// The symbol a constant stands for, through other constants; `None` for maps and cycles.
pub(super) fn symbol_of(game: &Game, mut id: ConstId) -> Option<Symbol> {
    // A chain longer than this is either a cycle or nothing a person wrote.
    for _ in 0..1_000 {
        match game.consts.get(id)?.value {
            Value::Symbol(symbol) => return Some(symbol),
            Value::Const(next) => id = next,
            Value::Map(_) => return None,
        }
    }
    None
}

/// Check 8: exactly one default entry, and no key twice.
fn check_literal(cx: &mut Checker<'_>, place: &Place, literal: &MapLiteral) {
    let name = cx.name(place.name);
    let defaults = literal.entries.iter().filter(|(key, _)| key.is_none()).count();
    if defaults != 1 {
        let message = match defaults {
            0 => format!("value of `{name}`: a map needs a default entry `:value`"),
            n => format!("value of `{name}`: a map needs exactly one default entry, found {n}"),
        };
        cx.report(Diagnostic::error("RG008", place.span, message));
    }
    let mut seen = FxHashSet::default();
    let mut reported = FxHashSet::default();
    for key in literal.entries.iter().filter_map(|(key, _)| *key) {
        if !seen.insert(key) && reported.insert(key) {
            let message = format!("value of `{name}`: key `{}` is given more than once", cx.name(key));
            cx.report(Diagnostic::error("RG008", place.span, message));
        }
    }
}

/// Check 12: constants whose values need each other.
fn check_cycles(cx: &mut Checker<'_>) {
    let game = cx.game;
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    game.consts.ids().for_each(|_| {
        graph.add_node(());
    });
    for (id, decl) in game.consts.iter() {
        let mut stack = vec![&decl.value];
        while let Some(value) = stack.pop() {
            match value {
                Value::Const(other) if other.index() < game.consts.len() => {
                    graph.add_edge(NodeIndex::new(id.index()), NodeIndex::new(other.index()), ());
                }
                Value::Map(literal) => stack.extend(literal.entries.iter().map(|(_, value)| value)),
                Value::Const(_) | Value::Symbol(_) => {}
            }
        }
    }
    for mut component in kosaraju_scc(&graph) {
        let cyclic = component.len() > 1 || component.first().is_some_and(|&n| graph.contains_edge(n, n));
        if !cyclic {
            continue;
        }
        component.sort_unstable();
        let decls: Vec<_> = component.iter().filter_map(|n| game.consts.get(ConstId::from_index(n.index()))).collect();
        let Some((first, rest)) = decls.split_first() else { continue };
        let names = listing(decls.iter().map(|d| game.name(d.name)));
        let message = match rest.is_empty() {
            true => format!("the value of constant {names} needs itself"),
            false => format!("the values of constants {names} need each other"),
        };
        let found = Diagnostic::error("RG012", first.span, message);
        cx.report(rest.iter().take(6).fold(found, |found, decl| found.also(decl.span, "and this one")));
    }
}
