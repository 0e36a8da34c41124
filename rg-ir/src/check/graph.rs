//! Checks 22, 24, 25, 28 and 30: the automaton as a graph.

use super::Checker;
use super::lost::{EndOfGame, rename};
use super::values::symbol_of;
use crate::automaton::{Edge, Label};
use crate::diag::{Diagnostic, closest};
use crate::expr::Expr;
use crate::game::Game;
use crate::ids::{EdgeId, ExprId, Id, NodeId};
use crate::show::Show;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Bytes at most of a label that is written once more in a fix.
const MAX_LABEL: usize = 10_000;

/// Looks at walks in the plain edge graph, and whether they reach `end` unless that is known. O(nodes + edges), but for sorting.
pub(super) fn check(cx: &mut Checker<'_>, end: EndOfGame) {
    let from_begin = cx.game.automaton.reachable([cx.game.begin()]);
    if end == EndOfGame::Open {
        check_end_reachable(cx, &from_begin);
    }
    check_tags_on_cycles(cx, &from_begin);
    check_end(cx, &from_begin);
    check_parallel(cx);
}

/// The strongly connected component of every node, in the graph of the given pairs of nodes. Components are numbered
/// so that edges between different components lead from larger numbers to smaller ones. Tarjan's algorithm. O(nodes + edges).
pub(super) fn components(bound: usize, edges: impl Iterator<Item = (NodeId, NodeId)>) -> Vec<usize> {
    let pairs = edges.map(|(from, to)| (from.index(), to.index())).filter(|&(from, to)| from < bound && to < bound);
    let pairs: Vec<(usize, usize)> = pairs.collect();
    // The targets of a node begin where those of the node before end.
    let (mut ends, mut targets) = (vec![0; bound + 1], vec![0; pairs.len()]);
    pairs.iter().for_each(|&(from, _)| ends[from + 1] += 1);
    (1..=bound).for_each(|at| ends[at] += ends[at - 1]);
    for &(from, to) in &pairs {
        targets[ends[from]] = to;
        ends[from] += 1;
    }
    let first = |node: usize| if node == 0 { 0 } else { ends[node - 1] };
    const NEW: usize = usize::MAX;
    let (mut component, mut count) = (vec![NEW; bound], 0);
    // By node: when it was found, and the earliest node without a component that is known to be reached from it.
    let (mut found, mut least, mut next) = (vec![NEW; bound], vec![NEW; bound], 0);
    let (mut path, mut open) = (Vec::new(), Vec::new());
    for start in 0..bound {
        if found[start] == NEW {
            path.push((start, first(start)));
        }
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            if found[node] == NEW {
                (found[node], least[node]) = (next, next);
                next += 1;
                open.push(node);
            }
            if *at < ends[node] {
                let target = targets[*at];
                *at += 1;
                if found[target] == NEW {
                    path.push((target, first(target)));
                } else if component[target] == NEW {
                    least[node] = least[node].min(found[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                least[before] = least[before].min(least[node]);
            }
            if least[node] == found[node] {
                while let Some(member) = open.pop() {
                    component[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component
}

fn check_end_reachable(cx: &mut Checker<'_>, from_begin: &FixedBitSet) {
    let game = cx.game;
    let automaton = &game.automaton;
    if from_begin.contains(game.end().index()) {
        return;
    }
    let first = automaton.outgoing(game.begin()).first().map_or(crate::Span::NONE, |&id| automaton.edge(id).span);
    let span = Some(automaton.node(game.begin()).span).filter(|span| span.is_some()).unwrap_or(first);
    let found = Diagnostic::warning("RG022", span, "no walk leads from `begin` to `end`, so no game ever ends");
    let last = |id: &NodeId| from_begin.contains(id.index()) && automaton.outgoing(*id).is_empty();
    let dead_ends: Vec<&str> = automaton.nodes().filter(last).map(|id| game.node_name(id)).take(10_000).collect();
    let found = match closest("end", dead_ends.iter().copied()) {
        Some(name) => {
            let node = game.symbols.get(name).and_then(|symbol| game.find_node(symbol));
            let mut found = found.help(format!("is `{name}` meant to be `end`?"));
            found.fixes.extend(node.and_then(|node| rename(game, node, "end")));
            found
        }
        None if automaton.outgoing(game.begin()).is_empty() => found.note("no edge leaves `begin`"),
        None => match dead_ends.first() {
            Some(name) => found.note(format!("walks from `begin` stop at `{name}`, for example")),
            None => found,
        },
    };
    cx.report(found);
}

/// The first tag that a move from `node` can emit again and again: it is on a cycle without an assignment to `player`.
/// O(nodes + edges).
pub fn repeatable_tag(game: &Game, node: NodeId) -> Option<EdgeId> {
    let automaton = &game.automaton;
    let mut seen = FixedBitSet::with_capacity(automaton.node_bound());
    let (mut stack, mut steps) = (vec![node], Vec::new());
    seen.insert(node.index());
    while let Some(node) = stack.pop() {
        for &id in automaton.outgoing(node).iter().filter(|&&id| !game.ends_move(&automaton.edge(id).label)) {
            let target = automaton.edge(id).target;
            steps.push(id);
            if !seen.put(target.index()) {
                stack.push(target);
            }
        }
    }
    let ends = |id: EdgeId| (automaton.edge(id).source, automaton.edge(id).target);
    let component = components(automaton.node_bound(), steps.iter().map(|&id| ends(id)));
    let repeats = |&id: &EdgeId| {
        let (source, target) = ends(id);
        let tagged = matches!(automaton.edge(id).label, Label::Tag(_) | Label::TagVar(_));
        tagged && component.get(source.index()) == component.get(target.index())
    };
    steps.into_iter().filter(repeats).min()
}

/// Check 24: one finding per group of nodes, at its first tag. Loops are check 23. Cycles that only reachability
/// checks can reach are harmless, since checks ignore tags.
fn check_tags_on_cycles(cx: &mut Checker<'_>, from_begin: &FixedBitSet) {
    let automaton = &cx.game.automaton;
    let steps = automaton.edges().filter(|(_, edge)| !cx.ends_move(&edge.label));
    let component = components(automaton.node_bound(), steps.map(|(_, edge)| (edge.source, edge.target)));
    let checks = automaton.edges().filter_map(|(_, edge)| match edge.label {
        Label::Reach { from, .. } => Some(from),
        _ => None,
    });
    let in_checks = automaton.reachable(checks);
    let mut tags: FxHashMap<usize, Vec<EdgeId>> = FxHashMap::default();
    let mut order = Vec::new();
    for (id, edge) in automaton.edges() {
        let source = edge.source.index();
        let walked = from_begin.contains(source) || !in_checks.contains(source);
        let on_cycle = edge.source != edge.target && component.get(source) == component.get(edge.target.index());
        if !walked || !on_cycle || !matches!(edge.label, Label::Tag(_) | Label::TagVar(_)) {
            continue;
        }
        let group = component.get(source).copied().unwrap_or(0);
        let list = tags.entry(group).or_default();
        if list.is_empty() {
            order.push(group);
        }
        list.push(id);
    }
    for group in order {
        report_cycle(cx, tags.get(&group).map_or(&[], |list| list));
    }
}

fn report_cycle(cx: &mut Checker<'_>, tags: &[EdgeId]) {
    let Some((&first, rest)) = tags.split_first() else { return };
    let automaton = &cx.game.automaton;
    let edge = automaton.edge(first);
    let message = format!(
        "tag `{}` is on a cycle without an assignment to `player`, so moves may become infinitely long",
        cx.show().label(&edge.label)
    );
    let mut found = Diagnostic::warning("RG024", edge.span, message);
    for &other in rest.iter().take(3) {
        found = found.also(automaton.edge(other).span, "another tag on such a cycle");
    }
    if rest.len() > 3 {
        found = found.note(format!("{} more tags are on cycles through these nodes", rest.len() - 3));
    }
    cx.report_on_edge(edge, found);
}

/// Checks 25 and 28: edges out of `end`, and edges into `end` that are not `player = keeper`.
fn check_end(cx: &mut Checker<'_>, from_begin: &FixedBitSet) {
    let game = cx.game;
    let end = game.end();
    for &id in game.automaton.outgoing(end) {
        let edge = game.automaton.edge(id);
        let message =
            format!("the game is over at `end`, so the edge to `{}` is never taken", game.node_name(edge.target));
        cx.report_on_edge(edge, Diagnostic::warning("RG025", edge.span, message));
    }
    for &id in game.automaton.incoming(end) {
        let edge = game.automaton.edge(id);
        if edge.source == end || !from_begin.contains(edge.source.index()) || is_closing(cx, edge) || is_wrong(cx, edge)
        {
            continue;
        }
        let message = match edge.label {
            Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } if cx.is_player(lhs) => {
                let found = cx.show().label(&edge.label);
                format!("the last step of a game should be `player = keeper`, found `{found}`")
            }
            _ => "the game is not over behind this edge: a move ends where `player` is assigned".to_owned(),
        };
        cx.report_on_edge(edge, handing_over(cx, edge, Diagnostic::warning("RG028", edge.span, message)));
    }
}

/// Says how the game is handed over before it ends, for an edge into `end` that does something else.
fn handing_over(cx: &Checker<'_>, edge: &Edge, found: Diagnostic) -> Diagnostic {
    let game = cx.game;
    let (source, end) = (game.node_name(edge.source), game.node_name(edge.target));
    let found = match edge.label {
        Label::Skip => found
            .help("the last step of a game is `player = keeper`: write it on this edge, which does nothing")
            .fix_here("write `player = keeper` on the edge", format!("{source}, {end}: player = keeper;")),
        Label::Assign { lhs, .. } if cx.is_player(lhs) => found
            .help("the last step of a game is `player = keeper`: nobody moves after it")
            .fix_here("hand over to `keeper`", format!("{source}, {end}: player = keeper;")),
        label => {
            let is_known = |name: &String| game.symbols.get(name).is_some();
            let mut names = (1u32..).map(|number| format!("{source}_{number}"));
            let Some(middle) = names.find(|name| !is_known(name)) else { return found };
            // Expressions may be shared, and become immense as text.
            let label = Show::short(game, MAX_LABEL).label(&label);
            let found = found.help(
                "the last step of a game is `player = keeper`: let this edge lead to a new node, and one with `player = keeper` from there to `end`",
            );
            if label.contains('…') {
                return found;
            }
            found.fix_here(
                "add the step `player = keeper` behind it",
                format!("{source}, {middle}: {label};\n{middle}, {end}: player = keeper;"),
            )
        }
    };
    found.unsure()
}

/// Whether the edge assigns `keeper` to `player`.
fn is_closing(cx: &Checker<'_>, edge: &Edge) -> bool {
    let Label::Assign { lhs, rhs } = edge.label else { return false };
    cx.is_player(lhs) && is_keeper(cx, rhs)
}

/// Whether the edge assigns something to `player` that is no value of it: that is an error already.
fn is_wrong(cx: &Checker<'_>, edge: &Edge) -> bool {
    let Label::Assign { lhs, .. } = edge.label else { return false };
    let here = |found: &Diagnostic| found.primary.as_ref().is_some_and(|place| edge.span.to(place.span) == edge.span);
    cx.is_player(lhs) && edge.span.is_some() && cx.found.iter().any(|found| found.is_error() && here(found))
}

fn is_keeper(cx: &Checker<'_>, mut expr: ExprId) -> bool {
    loop {
        let symbol = match cx.game.exprs.get(expr) {
            Expr::Cast(_, inner) => {
                expr = inner;
                continue;
            }
            Expr::Symbol(symbol) => Some(symbol),
            Expr::Const(id) => symbol_of(cx.game, id),
            Expr::Var(_) | Expr::Access(..) => None,
        };
        return symbol.is_some_and(|symbol| cx.name(symbol) == "keeper");
    }
}

/// Check 30: the same edge twice.
fn check_parallel(cx: &mut Checker<'_>) {
    let game = cx.game;
    let mut first: FxHashMap<(NodeId, NodeId, Label), EdgeId> = FxHashMap::default();
    for (id, edge) in game.automaton.edges() {
        let earlier = *first.entry((edge.source, edge.target, edge.label)).or_insert(id);
        if earlier != id {
            let (from, to) = (game.node_name(edge.source), game.node_name(edge.target));
            let message = format!("two edges from `{from}` to `{to}` have the same label");
            let found = Diagnostic::warning("RG030", edge.span, message);
            cx.report_on_edge(edge, found.also(game.automaton.edge(earlier).span, "the first one"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{complete, findings};
    use super::components;
    use crate::ids::{Id, NodeId};

    /// Nodes are in one component where each is reached from the other, and edges between components lead to smaller numbers.
    #[test]
    fn components_are_what_is_reached_both_ways() {
        let mut seed = 1u32;
        let mut below = |bound: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % bound
        };
        for count in 1..40 {
            let edges: Vec<(usize, usize)> = (0..below(2 * count)).map(|_| (below(count), below(count))).collect();
            let mut reached = vec![vec![false; count]; count];
            (0..count).for_each(|node| reached[node][node] = true);
            edges.iter().for_each(|&(from, to)| reached[from][to] = true);
            for by in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        reached[from][to] |= reached[from][by] && reached[by][to];
                    }
                }
            }
            let ids = edges.iter().map(|&(from, to)| (NodeId::from_index(from), NodeId::from_index(to)));
            let component = components(count, ids);
            for from in 0..count {
                for to in 0..count {
                    let both = reached[from][to] && reached[to][from];
                    assert_eq!(component[from] == component[to], both, "{edges:?}: {component:?}");
                    assert!(!reached[from][to] || component[from] >= component[to], "{edges:?}: {component:?}");
                }
            }
        }
    }

    /// Games that do not end with the keeper are mended by what is offered, and do the same.
    #[test]
    fn the_last_step_hands_over() {
        for (edges, mended) in [
            ("begin, end: ;", "begin, end: player = keeper;"),
            ("begin, end: player = a;", "begin, end: player = keeper;"),
            ("begin, end: $ pass;", "begin, begin_1: $ pass;\nbegin_1, end: player = keeper;"),
            (
                "begin, begin_1: ; begin_1, end: goals[a] = 1;",
                "begin, begin_1: ; begin_1, begin_1_1: goals[a] = 1;\nbegin_1_1, end: player = keeper;",
            ),
            (
                "begin, m: ; m, end: ? p -> q; p, q: ;",
                "begin, m: ; m, m_1: ? p -> q;\nm_1, end: player = keeper; p, q: ;",
            ),
        ] {
            let text = complete(edges);
            let found = findings(&text);
            let found: Vec<_> = found.iter().filter(|finding| finding.code == "RG028").collect();
            let [found] = found.as_slice() else { panic!("{edges}: {found:?}") };
            let mut after = text.clone();
            found.fixes[0].edits.iter().for_each(|edit| after.replace_range(edit.span.range(), &edit.text));
            assert_eq!(after, complete(mended), "{found:?}");
            let left = findings(&after);
            assert!(left.iter().all(|finding| finding.code != "RG028" && !finding.is_error()), "{after}: {left:?}");
        }
    }
}
