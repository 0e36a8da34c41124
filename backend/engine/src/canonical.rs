//! Equal moves give equal states: what nobody reads any more is forgotten.
//!
//! When a move ends, every variable that is *dead* at the node where it ends, so that no play from there depends on its
//! value, is put back to its initial value. States that differ in nothing but dead values become one state: transpositions
//! merge, walks with one label that differ in a value nobody reads again are one move, and whether a pass dropped an
//! assignment to a dead variable makes no difference. `player`, `goals` and `visible` are never dead.
//!
//! The same happens to the *spare entries* of maps, which accesses with keys outside the key type read (specification of RG, 7):
//! maps are equal if they agree on every key of the key type. Only copies of whole maps change spare entries.
//!
//! Every engine does this with the sets of this module, which are those of the game that it runs.

use passes::analysis::Liveness;
use passes::effects::Builtins;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{Expr, Game, Label, NodeId, VarId};
use rustc_hash::FxHashMap;

/// The dead variables of the nodes where moves end. Maps are dead as a whole or not at all.
#[derive(Clone, Default, Debug)]
pub struct Dead {
    /// The distinct sets, each ascending.
    sets: Vec<Box<[VarId]>>,
    /// The set of each node by index; [`NONE`] where no move ends.
    of_node: Vec<u32>,
    /// For each variable, whether it is in all sets.
    always: Vec<bool>,
    /// The variables to which whole maps are copied, ascending.
    copied: Vec<VarId>,
}

/// No set.
const NONE: u32 = u32::MAX;

impl Dead {
    /// Finds them, by one data-flow analysis of a game with complete built-ins.
    pub fn new(game: &Game) -> Self {
        let (live, builtins) = (Liveness::solve(game), Builtins::of(game));
        let of_node = vec![NONE; game.automaton.node_bound()];
        let mut dead = Self { sets: Vec::new(), of_node, always: Vec::new(), copied: copied(game) };
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
        let count = |var: VarId| dead.sets.iter().filter(|set| set.binary_search(&var).is_ok()).count();
        dead.always = game.vars.ids().map(|var| !builtins.contains(var) && count(var) == dead.sets.len()).collect();
        dead
    }

    /// Whether a variable is dead wherever a move ends: only used within moves.
    pub fn always(&self, var: VarId) -> bool {
        self.always.get(var.index()).copied().unwrap_or(false)
    }

    /// The variables that are dead where a move ends at `node`, ascending; none at other nodes.
    pub fn dead_at(&self, node: NodeId) -> &[VarId] {
        let set = self.of_node.get(node.index()).and_then(|&set| self.sets.get(set as usize));
        set.map_or(&[], |set| set)
    }

    /// What is to be reset in a flat array of cells; `place` gives the first cell of a variable and their number, `spare` which
    /// of them, counted from the first one, are spare entries.
    pub fn resets(&self, place: impl Fn(VarId) -> (usize, usize), spare: impl Fn(VarId) -> Vec<usize>) -> Resets {
        let spares = |&var: &VarId| {
            let (first, _) = place(var);
            spare(var).into_iter().map(move |entry| (first + entry, 1))
        };
        let ranges = |set: &[VarId]| {
            let mut ranges: Vec<(u32, u32)> = Vec::new();
            let whole = set.iter().map(|&var| place(var)).filter(|&(_, len)| len > 0);
            let copied = self.copied.iter().filter(|var| set.binary_search(var).is_err());
            let mut places: Vec<(usize, usize)> = whole.chain(copied.flat_map(spares)).collect();
            places.sort_unstable();
            for (start, len) in places {
                let (start, end) = (start as u32, (start + len) as u32);
                match ranges.last_mut() {
                    Some((_, last)) if *last == start => *last = end,
                    _ => ranges.push((start, end)),
                }
            }
            ranges.into()
        };
        let sets: Vec<Reset> = self.sets.iter().map(|vars| Reset { ranges: ranges(vars) }).collect();
        let sometimes = self.sets.iter().map(|vars| {
            let vars: Vec<VarId> = vars.iter().copied().filter(|&var| !self.always(var)).collect();
            Reset { ranges: ranges(&vars) }
        });
        let sometimes: Vec<Reset> = sometimes.collect();
        let some = |&set: &u32| match sometimes.get(set as usize) {
            Some(reset) if !reset.ranges.is_empty() => set,
            _ => NONE,
        };
        let some_of_node = self.of_node.iter().map(some).collect();
        Resets { sets, of_node: self.of_node.clone(), sometimes, some_of_node, spares: Reset { ranges: ranges(&[]) } }
    }
}

/// The variables to which whole maps are copied, ascending.
fn copied(game: &Game) -> Vec<VarId> {
    let target = |label: &Label| {
        let Label::Assign { lhs, .. } = *label else { return None };
        let (mut at, mut level) = (lhs, 0);
        loop {
            match game.exprs.get(at) {
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, _) => (at, level) = (map, level + 1),
                Expr::Var(var) => {
                    let keys = game.shape(game.vars[var].ty).map(|shape| shape.keys.len());
                    let keys = keys.invariant_or(0, "a variable of a checked game has a shape");
                    return (level < keys).then_some(var);
                }
                Expr::Const(_) | Expr::Symbol(_) => return None,
            }
        }
    };
    let mut copied: Vec<VarId> = game.automaton.edges().filter_map(|(_, edge)| target(&edge.label)).collect();
    copied.sort_unstable();
    copied.dedup();
    copied
}

/// The entries of a table that belong to no combination of keys. For each dimension, outermost first, the number of keys and
/// that of entries are given; entries behind the keys are spare.
pub fn spare_entries(dimensions: &[(usize, usize)]) -> Vec<usize> {
    let mut entries = vec![(0usize, false)];
    for &(keys, all) in dimensions {
        let inner = |(at, spare): (usize, bool)| (0..all).map(move |i| (at * all + i, spare || i >= keys));
        entries = entries.into_iter().flat_map(inner).collect();
    }
    entries.into_iter().filter(|&(_, spare)| spare).map(|(at, _)| at).collect()
}

/// The cells of dead variables.
#[derive(Clone, Default, Debug)]
pub struct Reset {
    /// Ascending pairs of a first cell and the one after the last.
    pub ranges: Box<[(u32, u32)]>,
}

impl Reset {
    /// Puts them back to their initial values.
    pub fn apply<T: Copy>(&self, cells: &mut [T], initial: &[T]) {
        for &(start, end) in &self.ranges {
            let range = start as usize..end as usize;
            if let (Some(cells), Some(initial)) = (cells.get_mut(range.clone()), initial.get(range)) {
                cells.copy_from_slice(initial);
            }
        }
    }

    /// Whether all other cells are equal.
    pub fn same_outside<T: Eq>(&self, a: &[T], b: &[T]) -> bool {
        let mut from = 0;
        for &(start, end) in &self.ranges {
            if a.get(from..start as usize) != b.get(from..start as usize) {
                return false;
            }
            from = end as usize;
        }
        a.get(from..) == b.get(from..)
    }
}

/// The dead variables of the nodes where moves end, as cells.
#[derive(Clone, Default, Debug)]
pub struct Resets {
    sets: Vec<Reset>,
    of_node: Vec<u32>,
    /// The same without variables that are dead wherever a move ends; [`NONE`] for nothing.
    sometimes: Vec<Reset>,
    some_of_node: Vec<u32>,
    /// The spare entries of maps to which others are copied.
    spares: Reset,
}

impl Resets {
    /// The spare entries that copies of whole maps change: those tell no states apart wherever a move ends.
    pub fn spares(&self) -> &Reset {
        &self.spares
    }

    /// What is put back to its initial values when a move ends at `node`; `None` where no move ends.
    #[inline]
    pub fn at(&self, node: NodeId) -> Option<&Reset> {
        self.of_node.get(node.index()).and_then(|&set| self.sets.get(set as usize))
    }

    /// As [`Resets::at`], without variables that are dead wherever a move ends; `None` if nothing is left. For engines that
    /// never let those variables into the effects of a move.
    #[inline]
    pub fn sometimes_at(&self, node: NodeId) -> Option<&Reset> {
        let set = self.some_of_node.get(node.index()).copied().filter(|&set| set != NONE)?;
        self.sometimes.get(set as usize)
    }

    /// Puts them back.
    pub fn apply<T: Copy>(&self, node: NodeId, cells: &mut [T], initial: &[T]) {
        if let Some(reset) = self.at(node) {
            reset.apply(cells, initial);
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
    fn final_values_are_kept_of_what_moves_hand_on() {
        let mut game = rg_ir::text::parse(rg_ir::SourceId(0), GAME).0.unwrap();
        game.complete_builtins();
        passes::analysis::keep_final_values(&mut game);
        let (dead, end) = (Dead::new(&game), game.end());
        // `v` is written before it is read in every move.
        let names: Vec<_> = dead.dead_at(end).iter().map(|&var| game.name(game.vars[var].name)).collect();
        assert_eq!(names, ["v"]);
    }

    #[test]
    fn neighbours_are_reset_together() {
        let mut game = rg_ir::text::parse(rg_ir::SourceId(0), GAME).0.unwrap();
        game.complete_builtins();
        let resets = Dead::new(&game).resets(|var| (2 * var.index(), 2), |_| Vec::new());
        let end = game.end();
        let reset = resets.at(end).unwrap();
        assert_eq!(*reset.ranges, [(0, 6)]);
        // `v` is dead everywhere.
        assert_eq!(*resets.sometimes_at(end).unwrap().ranges, [(2, 6)]);
        let mut cells = [1u8; 20];
        resets.apply(end, &mut cells, &[0; 20]);
        assert_eq!((cells[5], cells[6]), (0, 1));
        assert!(reset.same_outside(&cells, &[1; 20]));
        cells[6] = 0;
        assert!(!reset.same_outside(&cells, &[1; 20]));
    }
}
