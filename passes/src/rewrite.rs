//! Replacing edges by several.

use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Game, Label, NodeId, Symbol};
use rustc_hash::FxHashMap;

/// Takes all edges out, in ascending order, and puts in what `edit` makes of each, in the same order. Edges are numbered
/// anew. O(nodes + edges).
pub fn replace_edges(game: &mut Game, mut edit: impl FnMut(&mut Game, Edge, &mut Vec<Edge>)) {
    let mut edges = Vec::with_capacity(game.automaton.edge_count());
    game.automaton.edit_edges(|_, edge| {
        edges.push(edge.clone());
        false
    });
    let mut made = Vec::new();
    for edge in edges {
        edit(game, edge, &mut made);
        for edge in made.drain(..) {
            game.automaton.insert(edge);
        }
    }
}

/// What becomes of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It stays.
    Keep,
    /// It is removed.
    Remove,
    /// It gets another label.
    Label(Label),
    /// It gets another target and label.
    Lead(NodeId, Label),
}

/// Decides about every edge, in ascending order, looking at the game as it was; then makes all changes at once. Whether
/// there were any. If `end` could not be reached any more (the play never ends, so the game is not proper), no edge is
/// removed. O(nodes + edges); a run that changes nothing only looks at the edges.
pub fn change_edges(game: &mut Game, mut decide: impl FnMut(&Game, EdgeId, &Edge) -> Change) -> bool {
    let shared = &*game;
    let decided = shared.automaton.edges().map(|(id, edge)| (id, decide(shared, id, edge)));
    let mut changes: Vec<(EdgeId, Change)> = decided.filter(|&(_, change)| change != Change::Keep).collect();
    if !end_stays(game, &changes) {
        changes.retain(|&(_, change)| change != Change::Remove);
    }
    if changes.is_empty() {
        return false;
    }
    let mut changes = changes.into_iter().peekable();
    game.automaton.edit_edges(|id, edge| match changes.next_if(|&(at, _)| at == id) {
        None | Some((_, Change::Keep)) => true,
        Some((_, Change::Remove)) => false,
        Some((_, Change::Label(label))) => {
            (edge.label, edge.spans) = (label, Box::default());
            true
        }
        Some((_, Change::Lead(target, label))) => {
            (edge.target, edge.label, edge.spans) = (target, label, Box::default());
            true
        }
    });
    true
}

/// Whether `end` can be reached after the changes, or could not be before. O(nodes + edges) if an edge is removed.
fn end_stays(game: &Game, changes: &[(EdgeId, Change)]) -> bool {
    if !changes.iter().any(|&(_, change)| change == Change::Remove) {
        return true;
    }
    let changed: FxHashMap<EdgeId, Change> = changes.iter().copied().collect();
    let mut seen = FixedBitSet::with_capacity(game.automaton.node_bound());
    let mut stack = vec![game.begin()];
    while let Some(node) = stack.pop() {
        if node == game.end() {
            return true;
        }
        if seen.put(node.index()) {
            continue;
        }
        for &id in game.automaton.outgoing(node) {
            match changed.get(&id) {
                Some(Change::Remove) => {}
                Some(&Change::Lead(target, _)) => stack.push(target),
                Some(Change::Keep | Change::Label(_)) | None => stack.push(game.automaton.edge(id).target),
            }
        }
    }
    !game.automaton.reachable([game.begin()]).contains(game.end().index())
}

/// Whether `symbol` can be written as an expression: a constant or a variable of that name would be meant instead.
pub fn is_plain(game: &Game, symbol: Symbol) -> bool {
    game.find_const(symbol).is_none() && game.find_var(symbol).is_none()
}
