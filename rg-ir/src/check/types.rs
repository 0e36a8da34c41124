//! Checks 1–5: type expressions and aliases.

use super::{Checker, listing};
use crate::diag::Diagnostic;
use crate::ids::{Id, IdVec, Symbol, TypeDeclId, TypeId};
use crate::source::Span;
use crate::types::TypeKind;
use rustc_hash::FxHashSet;

/// Looks at every type expression of the declarations and of any-assignments.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    let clean = clean_types(cx);
    // Definitions added by us are as right as what they are made of.
    let decls = game.type_decls.values().filter(|d| !d.implicit).map(|d| (d.definition, d.span));
    let consts = game.consts.values().map(|d| (d.ty, d.span));
    let vars = game.vars.values().filter(|d| !d.implicit).map(|d| (d.ty, d.span));
    for (ty, span) in decls.chain(consts).chain(vars) {
        check_type(cx, &clean, ty, span);
    }
    for (_, edge) in game.automaton.edges() {
        if let crate::Label::AssignAny { ty, .. } = edge.label {
            check_type(cx, &clean, ty, edge.span);
        }
    }
    check_cycles(cx);
}

/// For every type expression, whether it has no mistake of its own, aliases not followed.
fn clean_types(cx: &Checker<'_>) -> IdVec<TypeId, bool> {
    let mut clean: IdVec<TypeId, bool> = IdVec::new();
    for i in 0..cx.game.types.len() {
        let ty = TypeId::from_index(i);
        // Parts are interned before the whole; should that ever change, the slower look decides.
        let part = |id: TypeId| clean.get(id).copied().unwrap_or(false);
        let ok = match cx.game.types.kind(ty) {
            TypeKind::Name(name) => cx.game.types.declaration(*name).is_some(),
            TypeKind::Set(members) => {
                let sorted = cx.game.types.sorted_members(ty);
                !members.is_empty() && sorted.windows(2).all(|w| w.first() != w.last())
            }
            TypeKind::Arrow(key, value) => part(*key) && part(*value) && cx.facts.arrow(*key).is_none(),
        };
        clean.push(ok);
    }
    clean
}

/// Reports the mistakes of one written type.
fn check_type(cx: &mut Checker<'_>, clean: &IdVec<TypeId, bool>, ty: TypeId, span: Span) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        if clean.get(ty).copied().unwrap_or(false) || !seen.insert(ty) {
            continue;
        }
        match cx.game.types.kind(ty) {
            TypeKind::Name(name) if cx.game.types.declaration(*name).is_none() => {
                unknown_type(cx, "RG001", *name, span)
            }
            TypeKind::Name(_) => {}
            TypeKind::Set(members) => check_set(cx, members, span),
            TypeKind::Arrow(key, value) => {
                if cx.facts.arrow(*key).is_some() {
                    let key = cx.show().ty(*key);
                    let message = format!("keys of a map must be of a set type, but `{key}` is a map type");
                    cx.report(Diagnostic::error("RG003", span, message).label("this type has maps as keys"));
                }
                stack.extend([*value, *key]);
            }
        }
    }
}

/// Reports a type name that is declared nowhere.
pub(super) fn unknown_type(cx: &mut Checker<'_>, code: &'static str, name: Symbol, span: Span) {
    let game = cx.game;
    let text = cx.name(name);
    let found =
        Diagnostic::error(code, span, format!("unknown type `{text}`")).label("no type of that name is declared");
    cx.report_suggesting(found, text, game.type_decls.values().map(|d| game.name(d.name)));
}

fn check_set(cx: &mut Checker<'_>, members: &[Symbol], span: Span) {
    if members.is_empty() {
        let found = Diagnostic::error("RG004", span, "a set type needs at least one symbol, found `{}`");
        return cx.report(found.label("no value could have this type"));
    }
    let mut seen = FxHashSet::default();
    let mut reported = FxHashSet::default();
    for &member in members {
        if !seen.insert(member) && reported.insert(member) {
            let message = format!("symbol `{}` is listed more than once in a set type", cx.name(member));
            cx.report(Diagnostic::error("RG005", span, message).help("list every symbol once"));
        }
    }
}

/// Reports every group of aliases that are defined by each other.
fn check_cycles(cx: &mut Checker<'_>) {
    let game = cx.game;
    for cycle in std::mem::take(&mut cx.facts.cycles) {
        let mut decls: Vec<TypeDeclId> = cycle
            .iter()
            .filter_map(|&ty| match game.types.kind(ty) {
                TypeKind::Name(name) => game.types.declaration(*name),
                _ => None,
            })
            .collect();
        decls.sort_unstable();
        decls.dedup();
        let decls: Vec<_> = decls.iter().filter_map(|&id| game.type_decls.get(id)).collect();
        let Some((first, rest)) = decls.split_first() else { continue };
        let message = match rest.is_empty() {
            true => format!("type `{}` is defined by itself", game.name(first.name)),
            false => format!("types {} are defined by each other", listing(decls.iter().map(|d| game.name(d.name)))),
        };
        let found = Diagnostic::error("RG002", first.span, message).help("a type must come down to sets of symbols");
        let found = rest.iter().take(6).fold(found, |found, decl| found.also(decl.span, "and this one"));
        cx.report(found);
    }
}
