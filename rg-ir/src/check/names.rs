//! Checks 6 and 7: names that are declared twice.

use super::Checker;
use crate::diag::Diagnostic;
use crate::ids::Symbol;
use crate::source::Span;
use rustc_hash::FxHashMap;

/// Compares the declarations with each other, kind by kind, and constants with variables.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    duplicates(cx, "type", game.type_decls.values().map(|d| (d.name, d.span)));
    let consts = duplicates(cx, "constant", game.consts.values().map(|d| (d.name, d.span)));
    let vars = duplicates(cx, "variable", game.vars.values().map(|d| (d.name, d.span)));
    let nodes = game.automaton.nodes().map(|id| game.automaton.node(id));
    duplicates(cx, "node", nodes.map(|node| (node.name, node.span)));
    for decl in game.vars.values() {
        let Some(&constant) = consts.get(&decl.name) else { continue };
        if vars.get(&decl.name) != Some(&decl.span) {
            continue;
        }
        let name = cx.name(decl.name);
        let found = match decl.implicit {
            true => Diagnostic::error("RG007", constant, format!("`{name}` is a built-in variable, found a constant")),
            false => Diagnostic::error("RG007", decl.span, format!("`{name}` is both a constant and a variable"))
                .also(constant, "the constant"),
        };
        cx.report(found.help("give one of them another name"));
    }
}

/// Reports second declarations; returns the places of the first ones.
fn duplicates(
    cx: &mut Checker<'_>,
    kind: &str,
    declared: impl Iterator<Item = (Symbol, Span)>,
) -> FxHashMap<Symbol, Span> {
    let mut first: FxHashMap<Symbol, Span> = FxHashMap::default();
    for (name, span) in declared {
        match first.get(&name) {
            None => {
                first.insert(name, span);
            }
            Some(&earlier) => {
                let message = format!("{kind} `{}` is declared more than once", cx.name(name));
                cx.report(Diagnostic::error("RG006", span, message).also(earlier, "first declared here"));
            }
        }
    }
    first
}
