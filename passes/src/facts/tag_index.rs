//! How many tags a move has emitted at a node (catalogue of passes, 8.5).

use super::components;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, Game, Label, NodeId, Pragma};
use std::collections::{BTreeMap, VecDeque};

/// Least and greatest number of tags from the beginning of a move to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The least number.
    pub min: u64,
    /// The greatest one; `None` if a cycle emits tags.
    pub max: Option<u64>,
}

/// The nodes where a move can begin: `begin`, and where assignments to `player` lead, as far as walks come by them.
pub fn move_starts(game: &Game) -> Vec<NodeId> {
    let main = crate::effects::main_part(game);
    let mut seen = FixedBitSet::with_capacity(game.automaton.node_bound());
    let ends = game.automaton.edges().filter(|(_, edge)| {
        main.contains(edge.source.index()) && edge.source != game.end() && game.ends_move(&edge.label)
    });
    let starts = std::iter::once(game.begin()).chain(ends.map(|(_, edge)| edge.target));
    starts.filter(|&node| node != game.end() && !seen.put(node.index())).collect()
}

/// The numbers of tags for all nodes that moves come by; `None` for others. Conditions are not looked at, so the numbers
/// are bounds. O(nodes + edges).
pub fn tag_counts(game: &Game) -> Vec<Option<Count>> {
    let automaton = &game.automaton;
    let bound = automaton.node_bound();
    let starts = move_starts(game);
    let step = |edge: &&Edge| edge.source != game.end() && !game.ends_move(&edge.label);
    let tag = |edge: &Edge| u64::from(matches!(edge.label, Label::Tag(_) | Label::TagVar(_)));
    let mut counts: Vec<Option<Count>> = vec![None; bound];
    // Least numbers: breadth first, edges without a tag before edges with one.
    let mut queue: VecDeque<(NodeId, u64)> = starts.iter().map(|&node| (node, 0)).collect();
    while let Some((node, min)) = queue.pop_front() {
        let Some(slot @ None) = counts.get_mut(node.index()) else { continue };
        *slot = Some(Count { min, max: Some(0) });
        for edge in automaton.outgoing(node).iter().map(|&id| automaton.edge(id)).filter(step) {
            match tag(edge) {
                0 => queue.push_front((edge.target, min)),
                more => queue.push_back((edge.target, min + more)),
            }
        }
    }
    let reached = |node: NodeId| counts.get(node.index()).is_some_and(Option::is_some);
    let edges: Vec<&Edge> =
        automaton.edges().map(|(_, edge)| edge).filter(|edge| step(edge) && reached(edge.source)).collect();
    let component = components(bound, edges.iter().map(|edge| (edge.source, edge.target)));
    let of = |node: NodeId| component.get(node.index()).copied().unwrap_or(0);
    // Greatest numbers per component; edges between components lead from larger numbers to smaller ones.
    let mut most: Vec<Option<u64>> = vec![Some(0); bound];
    for edge in edges.iter().filter(|edge| of(edge.source) == of(edge.target) && tag(edge) > 0) {
        if let Some(slot) = most.get_mut(of(edge.source)) {
            *slot = None;
        }
    }
    let mut between: Vec<&&Edge> = edges.iter().filter(|edge| of(edge.source) != of(edge.target)).collect();
    between.sort_by_key(|edge| std::cmp::Reverse(of(edge.source)));
    for edge in between {
        let at_source = most.get(of(edge.source)).copied().flatten().and_then(|count| count.checked_add(tag(edge)));
        if let Some(slot) = most.get_mut(of(edge.target)) {
            *slot = match (*slot, at_source) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        }
    }
    for node in automaton.nodes() {
        if let Some(Some(count)) = counts.get_mut(node.index()) {
            count.max = most.get(of(node)).copied().flatten();
        }
    }
    counts
}

/// `@tagIndex` where the number is known at a node with a tag, `@tagMaxIndex` where it has a bound, one pragma per number.
pub(super) fn infer(game: &Game) -> Vec<Pragma> {
    let counts = tag_counts(game);
    let (mut exact, mut most) = (BTreeMap::<u64, Vec<_>>::new(), BTreeMap::<u64, Vec<_>>::new());
    for node in game.automaton.nodes() {
        let tagged = |id: &rg_ir::EdgeId| matches!(game.automaton.edge(*id).label, Label::Tag(_) | Label::TagVar(_));
        if node == game.end() || !game.automaton.outgoing(node).iter().any(tagged) {
            continue;
        }
        let Some(Count { min, max: Some(max) }) = counts.get(node.index()).copied().flatten() else { continue };
        let list = if min == max { exact.entry(max) } else { most.entry(max) };
        list.or_default().push(game.automaton.node(node).name);
    }
    let exact = exact.into_iter().map(|(index, nodes)| Pragma::TagIndex { nodes, index });
    let most = most.into_iter().map(|(index, nodes)| Pragma::TagMaxIndex { nodes, index });
    exact.chain(most).collect()
}
