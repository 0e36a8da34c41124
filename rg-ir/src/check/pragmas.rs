//! Check 31: claims about nodes, tags, variables and edges that do not exist.

use super::Checker;
use crate::automaton::Label;
use crate::diag::Diagnostic;
use crate::expr::Expr;
use crate::game::{ApplyTag, Pragma};
use crate::ids::{ExprId, Symbol};
use crate::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// For the sources of `@disjoint` claims, the number of edges to each target.
type EdgeCounts = FxHashMap<Symbol, FxHashMap<Symbol, usize>>;

/// Looks at every known pragma.
pub(super) fn check(cx: &mut Checker<'_>) {
    let game = cx.game;
    if game.pragmas.is_empty() {
        return;
    }
    let tags = all_tags(cx);
    let mut edges = EdgeCounts::default();
    for decl in &game.pragmas {
        let span = decl.span;
        match &decl.pragma {
            Pragma::ArtificialTag(names) => names.iter().for_each(|&name| tag(cx, &tags, name, span)),
            Pragma::Disjoint { node: from, targets, .. } => disjoint(cx, &mut edges, *from, targets, span),
            Pragma::Iterator { nodes: names, variable: name } => {
                names.iter().for_each(|&name| node(cx, name, span));
                variable(cx, *name, span);
            }
            Pragma::Repeat { nodes: names, variables } => {
                names.iter().for_each(|&name| node(cx, name, span));
                variables.iter().for_each(|&name| variable(cx, name, span));
            }
            Pragma::Unique(names)
            | Pragma::TagIndex { nodes: names, .. }
            | Pragma::TagMaxIndex { nodes: names, .. } => names.iter().for_each(|&name| node(cx, name, span)),
            Pragma::SimpleApply { from, to, tags: entries, assignments, .. } => {
                node(cx, *from, span);
                node(cx, *to, span);
                entries.iter().for_each(|entry| apply_tag(cx, &tags, entry, span));
                assignments.iter().for_each(|&(lhs, _)| apply_target(cx, lhs, span));
            }
            Pragma::Integer { .. } | Pragma::TranslatedFromRbg => {}
            Pragma::Unknown(text) => unknown(cx, text, span),
        }
    }
}

/// Every tag that some edge can emit.
fn all_tags(cx: &Checker<'_>) -> FxHashSet<Symbol> {
    let game = cx.game;
    let mut tags = FxHashSet::default();
    let mut variables = FxHashSet::default();
    for (_, edge) in game.automaton.edges() {
        match edge.label {
            Label::Tag(tag) => {
                tags.insert(tag);
            }
            Label::TagVar(variable) if variables.insert(variable) => {
                let ty = game.vars.get(variable).map(|decl| decl.ty);
                tags.extend(ty.into_iter().flat_map(|ty| cx.facts.members(ty)));
            }
            _ => {}
        }
    }
    tags
}

fn warn<'a>(cx: &mut Checker<'_>, span: Span, kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) {
    let found = Diagnostic::warning("RG031", span, format!("pragma refers to the unknown {kind} `{name}`"));
    cx.report_suggesting(found, name, known);
}

fn node(cx: &mut Checker<'_>, name: Symbol, span: Span) {
    if cx.game.find_node(name).is_none() {
        let known = cx.connected_nodes();
        warn(cx, span, "node", cx.name(name), known);
    }
}

fn variable(cx: &mut Checker<'_>, name: Symbol, span: Span) {
    let game = cx.game;
    if game.find_var(name).is_none() {
        warn(cx, span, "variable", game.name(name), game.vars.values().map(|d| game.name(d.name)));
    }
}

fn tag(cx: &mut Checker<'_>, tags: &FxHashSet<Symbol>, name: Symbol, span: Span) {
    let game = cx.game;
    if !tags.contains(&name) {
        let known = game.automaton.edges().filter_map(|(_, edge)| match edge.label {
            Label::Tag(tag) => Some(game.name(tag)),
            _ => None,
        });
        warn(cx, span, "tag", game.name(name), known);
    }
}

/// One entry per edge: every target needs an edge, and as many entries as there are parallel ones.
fn disjoint(cx: &mut Checker<'_>, edges: &mut EdgeCounts, from: Symbol, targets: &[Symbol], span: Span) {
    let game = cx.game;
    node(cx, from, span);
    let mut listed: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut order = Vec::new();
    for &target in targets {
        let count = listed.entry(target).or_default();
        if *count == 0 {
            order.push(target);
        }
        *count += 1;
    }
    let edges = edges.entry(from).or_insert_with(|| {
        let mut counts = FxHashMap::default();
        for &id in game.find_node(from).map_or(&[][..], |id| game.automaton.outgoing(id)) {
            let target = game.automaton.edge(id).target;
            *counts.entry(game.automaton.node(target).name).or_default() += 1;
        }
        counts
    });
    for target in order {
        let (claimed, real) = (listed.get(&target).copied().unwrap_or(0), edges.get(&target).copied().unwrap_or(0));
        if game.find_node(target).is_none() {
            node(cx, target, span);
        } else if game.find_node(from).is_some() && claimed != real {
            let (from, to) = (game.name(from), game.name(target));
            let message = format!("pragma lists {claimed} edges from `{from}` to `{to}`, found {real}");
            cx.report(Diagnostic::warning("RG031", span, message));
        }
    }
}

fn apply_tag(cx: &mut Checker<'_>, tags: &FxHashSet<Symbol>, entry: &ApplyTag, span: Span) {
    match entry.ty {
        None => tag(cx, tags, entry.name, span),
        Some(ty) if cx.facts.set(ty).is_none() => {
            let message =
                format!("pragma binds `{}` with `{}`, which is not a set type", cx.name(entry.name), cx.show().ty(ty));
            cx.report(Diagnostic::warning("RG031", span, message));
        }
        Some(_) => {}
    }
}

fn apply_target(cx: &mut Checker<'_>, lhs: ExprId, span: Span) {
    let game = cx.game;
    let name = match game.exprs.root(lhs) {
        Expr::Symbol(symbol) => game.name(symbol),
        Expr::Const(id) => game.consts.get(id).map_or("", |decl| game.name(decl.name)),
        _ => return,
    };
    warn(cx, span, "variable", name, game.vars.values().map(|d| game.name(d.name)));
}

/// A pragma that nothing reads, and the known one that may be meant.
fn unknown(cx: &mut Checker<'_>, text: &str, span: Span) {
    let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let name = text.get(..length).unwrap_or(text);
    // What the front ends say of their translations.
    if matches!(name, "liveness" | "handover") {
        return;
    }
    let start = span.start.saturating_add(1);
    let place =
        Span { start, end: span.end.min(start.saturating_add(u32::try_from(length).unwrap_or_default())), ..span };
    let warning = Diagnostic::warning("RG055", span, format!("the pragma `@{name}` is unknown and has no effect"));
    cx.report(warning.suggest_at(place, name, crate::text::pragma_names()));
}
