//! Tags that may follow from the values around them: those in loops inside moves, and those of steps that part and meet.

use super::super::numbers::Numbers;
use passes::effects;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Tags of steps that part at one node and meet right after the tag: each step gives a new value to one shown variable.
pub(super) fn alternatives(game: &Game) -> FxHashSet<EdgeId> {
    let automaton = &game.automaton;
    let shown = automaton.edges().filter_map(|(_, edge)| match edge.label {
        Label::TagVar(var) => Some(var),
        _ => None,
    });
    let shown: FxHashSet<VarId> = shown.collect();
    let mut groups: FxHashMap<(NodeId, NodeId, VarId), Vec<EdgeId>> = FxHashMap::default();
    for (id, edge) in automaton.edges().filter(|(_, edge)| matches!(edge.label, Label::Tag(_))) {
        if let ([step], [_]) = (automaton.incoming(edge.source), automaton.outgoing(edge.source)) {
            let step = automaton.edge(*step);
            if let Some(write) = effects::write(game, &step.label).filter(|write| write.whole) {
                groups.entry((step.source, edge.target, write.var)).or_default().push(id);
            }
        }
    }
    groups.retain(|&(.., var), tags| tags.len() > 1 && shown.contains(&var));
    groups.into_values().flatten().collect()
}

/// The tags in loops inside moves and those of `steps`, if they are never values that labels show.
pub(super) fn candidates(game: &Game, numbers: &Numbers, steps: &FxHashSet<EdgeId>) -> FxHashSet<EdgeId> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..game.automaton.node_bound() {
        graph.add_node(());
    }
    for (_, edge) in game.automaton.edges().filter(|(_, edge)| !game.ends_move(&edge.label)) {
        graph.add_edge(NodeIndex::new(edge.source.index()), NodeIndex::new(edge.target.index()), ());
    }
    let mut component = vec![0; game.automaton.node_bound()];
    for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
        for member in members {
            if let Some(slot) = component.get_mut(member.index()) {
                *slot = number;
            }
        }
    }
    // What ends a move before another value is shown tells nothing.
    let mut before_value: FxHashSet<NodeId> = FxHashSet::default();
    let shows = game.automaton.edges().filter(|(_, edge)| matches!(edge.label, Label::TagVar(_)));
    let mut work: Vec<NodeId> = shows.map(|(_, edge)| edge.source).collect();
    while let Some(node) = work.pop() {
        if before_value.insert(node) {
            let before = game.automaton.incoming(node).iter().map(|&id| game.automaton.edge(id));
            work.extend(before.filter(|edge| !game.ends_move(&edge.label)).map(|edge| edge.source));
        }
    }
    let main = game.automaton.reachable([game.begin()]);
    let tags = || game.automaton.edges().filter(|(_, edge)| main.contains(edge.source.index()));
    let mut out: FxHashSet<EdgeId> = FxHashSet::default();
    let is_candidate = |edge: &Edge| matches!(edge.label, Label::Tag(_)) && before_value.contains(&edge.target);
    for (id, edge) in tags().filter(|(_, edge)| is_candidate(edge)) {
        if steps.contains(&id) || component.get(edge.source.index()) == component.get(edge.target.index()) {
            out.insert(id);
        }
    }
    if out.is_empty() {
        return out;
    }
    let mut shown: FxHashSet<Symbol> = FxHashSet::default();
    for (_, edge) in tags() {
        if let Label::TagVar(var) = edge.label
            && let Some(Ok(form)) = numbers.vars.get(var)
        {
            shown.extend(numbers.members(form.class));
        }
    }
    if tags().any(|(_, edge)| matches!(edge.label, Label::Tag(symbol) if shown.contains(&symbol))) {
        out.clear();
    }
    out
}
