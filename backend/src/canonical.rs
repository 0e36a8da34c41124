//! Equal moves give equal states: what nobody reads any more is forgotten.
//!
//! When a move ends, every variable that is *dead* at the node where it ends, so that no play from there depends on its
//! value, is put back to its initial value. States that differ in nothing but dead values become one state: transpositions
//! merge, walks with one label that differ in a value nobody reads again are one move, and whether a pass dropped an
//! assignment to a dead variable makes no difference. `player`, `goals` and `visible` are never dead.
//!
//! Every engine does this with the sets of this module, which are those of the game that it runs.

use passes::analysis::Liveness;
use passes::effects::Builtins;
use rg_ir::ids::Id;
use rg_ir::{Game, NodeId, VarId};
use rustc_hash::FxHashMap;

/// The dead variables of the nodes where moves end. Maps are dead as a whole or not at all.
#[derive(Clone, Default, Debug)]
pub struct Dead {
    /// The distinct sets, each ascending.
    sets: Vec<Box<[VarId]>>,
    /// The set of each node by index; [`NONE`] where no move ends.
    of_node: Vec<u32>,
}

/// No set.
const NONE: u32 = u32::MAX;

impl Dead {
    /// Finds them, by one data-flow analysis of a game with complete built-ins.
    pub fn new(game: &Game) -> Self {
        let (live, builtins) = (Liveness::solve(game), Builtins::of(game));
        let mut dead = Self { sets: Vec::new(), of_node: vec![NONE; game.automaton.node_bound()] };
        let mut numbers: FxHashMap<Box<[VarId]>, u32> = FxHashMap::default();
        for (_, edge) in game.automaton.edges() {
            let Some(slot) = dead.of_node.get_mut(edge.target.index()) else { continue };
            if *slot != NONE || !game.ends_move(&edge.label) {
                continue;
            }
            let live = live.at(edge.target);
            let needed = |var: &VarId| builtins.contains(*var) || live.is_some_and(|live| live.contains(var.index()));
            let set: Box<[VarId]> = game.vars.ids().filter(|var| !needed(var)).collect();
            *slot = *numbers.entry(set).or_insert_with_key(|set| {
                dead.sets.push(set.clone());
                dead.sets.len() as u32 - 1
            });
        }
        dead
    }

    /// The variables that are dead where a move ends at `node`, ascending; none at other nodes.
    pub fn dead_at(&self, node: NodeId) -> &[VarId] {
        let set = self.of_node.get(node.index()).and_then(|&set| self.sets.get(set as usize));
        set.map_or(&[], |set| set)
    }

    /// What is to be reset in a flat array of cells; `place` gives the first cell of a variable and their number.
    pub fn resets(&self, place: impl Fn(VarId) -> (usize, usize)) -> Resets {
        let ranges = |set: &[VarId]| {
            let mut ranges: Vec<(u32, u32)> = Vec::new();
            for (start, len) in set.iter().map(|&var| place(var)).filter(|&(_, len)| len > 0) {
                let (start, end) = (start as u32, (start + len) as u32);
                match ranges.last_mut() {
                    Some((_, last)) if *last == start => *last = end,
                    _ => ranges.push((start, end)),
                }
            }
            ranges.into()
        };
        Resets { sets: self.sets.iter().map(|set| ranges(set)).collect(), of_node: self.of_node.clone() }
    }
}

/// The dead variables of the nodes where moves end, as ranges of cells.
#[derive(Clone, Default, Debug)]
pub struct Resets {
    sets: Vec<Box<[(u32, u32)]>>,
    of_node: Vec<u32>,
}

impl Resets {
    /// The cells, from the first to before the second number of each pair, that are put back to their initial values when
    /// a move ends at `node`.
    #[inline]
    pub fn at(&self, node: NodeId) -> &[(u32, u32)] {
        let set = self.of_node.get(node.index()).and_then(|&set| self.sets.get(set as usize));
        set.map_or(&[], |set| set)
    }

    /// Puts them back.
    pub(crate) fn apply<T: Copy>(&self, node: NodeId, cells: &mut [T], initial: &[T]) {
        for &(start, end) in self.at(node) {
            let range = start as usize..end as usize;
            if let (Some(cells), Some(initial)) = (cells.get_mut(range.clone()), initial.get(range)) {
                cells.copy_from_slice(initial);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const GAME: &str = "type Player = { a }; type Score = { 0, 1 }; type T = { 0, 1 };
        var v: T = 0; var m: T -> T = { :0 }; var w: T = 0;
        begin, x: player = a; x, y: v = T(*); y, z: w = v; z, k: player = keeper;
        k, l: w == 1; l, n: m[w] = 1; n, o: player = a; o, p: m[0] == 0; p, end: player = keeper;";

    #[test]
    fn what_is_not_read_before_it_is_written_is_dead() {
        let mut game = rg_ir::text::parse(rg_ir::SourceId(0), GAME).0.unwrap();
        game.complete_builtins();
        let dead = Dead::new(&game);
        let mut at = |node: &str| {
            let node = game.symbols.intern(node);
            let vars = dead.dead_at(game.find_node(node).unwrap());
            vars.iter().map(|&var| game.name(game.vars[var].name)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(["x", "k", "o", "end", "y"].map(&mut at), ["v w", "v", "v w", "v m w", ""]);
    }

    #[test]
    fn neighbours_are_reset_together() {
        let mut game = rg_ir::text::parse(rg_ir::SourceId(0), GAME).0.unwrap();
        game.complete_builtins();
        let resets = Dead::new(&game).resets(|var| (2 * var.index(), 2));
        let end = game.end();
        assert_eq!(resets.at(end), [(0, 6)]);
        let mut cells = [1u8; 20];
        resets.apply(end, &mut cells, &[0; 20]);
        assert_eq!((cells[5], cells[6]), (0, 1));
    }
}
