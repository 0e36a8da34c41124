//! How large a game is.

use rg_ir::Game;

/// Sizes of a game, in the units of the catalogue of passes, section 12.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Size {
    /// Nodes of the automaton.
    pub nodes: usize,
    /// Edges of the automaton.
    pub edges: usize,
    /// Sum over the variables, built-in ones included, of the product of the sizes of their key sets and of the set of
    /// their values: a unary measure of the state.
    pub cells: u64,
    /// Bits that hold a state with each value stored in the fewest bits.
    pub bits: u64,
}

impl Size {
    /// Measures a game. O(declarations + keys of variables).
    pub fn of(game: &Game) -> Self {
        let (mut cells, mut bits) = (0u64, 0u64);
        for decl in game.vars.values() {
            let Some(shape) = game.shape(decl.ty) else { continue };
            let keys = shape.keys.iter().map(|&key| game.types.members(key).len() as u64);
            let places = keys.fold(1u64, u64::saturating_mul);
            let values = game.types.members(shape.leaf).len() as u64;
            cells = cells.saturating_add(places.saturating_mul(values));
            let width = u64::from(values.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1));
            bits = bits.saturating_add(places.saturating_mul(width));
        }
        Self { nodes: game.automaton.node_count(), edges: game.automaton.edge_count(), cells, bits }
    }
}
