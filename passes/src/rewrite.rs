//! Replacing edges by several.

use rg_ir::{Edge, Game, Symbol};

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

/// Whether `symbol` can be written as an expression: a constant or a variable of that name would be meant instead.
pub fn is_plain(game: &Game, symbol: Symbol) -> bool {
    game.find_const(symbol).is_none() && game.find_var(symbol).is_none()
}
