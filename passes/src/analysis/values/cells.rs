//! What the cells of maps may hold.

use super::Set;
use super::universe::Universe;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Dense, Expr, ExprId, Game, TypeId, Value, VarId};
use std::rc::Rc;

/// Most words of the sets of all cells of a map; a larger one has one set for all of its cells.
const MAX_WORDS: usize = 1 << 18;
/// After so many cells each it is looked at whether the others can have anything new.
const OFTEN: usize = 4;
/// Most entries of a constant map of several levels that are looked at together.
const MAX_INDICES: usize = 1 << 12;

/// A variable that is a map.
struct Variable {
    /// All that its cells may hold.
    all: FixedBitSet,
    /// What each cell of a map of one level may hold, the spare one last; empty if cells are not distinguished.
    rows: Vec<FixedBitSet>,
    /// For each place of the universe its row: the spare one if it is not a key.
    row_of: Rc<[u32]>,
}

/// A constant map, or a constant that is a symbol.
struct Constant {
    all: Set,
    /// By level, for each place of the universe the row, and the number of rows; none for a symbol.
    levels: Vec<(Vec<u32>, usize)>,
    /// The places of its values, by rows.
    table: Vec<u32>,
}

/// All maps of a game.
pub(super) struct Cells {
    vars: Vec<Option<Variable>>,
    consts: Vec<Option<Constant>>,
    places: usize,
}

impl Cells {
    /// What maps hold at first; `None` if a value is too large.
    pub(super) fn of(game: &Game, universe: &Universe) -> Option<Self> {
        let mut cells = Self { vars: Vec::new(), consts: Vec::new(), places: universe.len() };
        for decl in game.vars.values() {
            let map =
                if game.types.is_set(decl.ty) { None } else { Some(variable(game, universe, decl.ty, &decl.initial)?) };
            cells.vars.push(map);
        }
        for decl in game.consts.values() {
            cells.consts.push(constant(game, universe, decl.ty, &decl.value));
        }
        Some(cells)
    }

    fn variable(&self, game: &Game, expr: ExprId) -> Option<&Variable> {
        match game.exprs.get(expr) {
            Expr::Var(var) => self.vars.get(var.index())?.as_ref(),
            _ => None,
        }
    }

    fn constant(&self, game: &Game, expr: ExprId) -> Option<&Constant> {
        match game.exprs.get(expr) {
            Expr::Const(id) => self.consts.get(id.index())?.as_ref(),
            _ => None,
        }
    }

    /// All values of the cells of a variable or constant.
    pub(super) fn all(&self, game: &Game, root: ExprId) -> Option<Set> {
        match self.variable(game, root) {
            Some(map) => Some(Rc::new(map.all.clone())),
            None => Some(self.constant(game, root)?.all.clone()),
        }
    }

    /// All values of the cells of a variable.
    pub(super) fn of_var(&self, var: VarId) -> Option<&FixedBitSet> {
        self.vars.get(var.index())?.as_ref().map(|map| &map.all)
    }

    /// The values of the cell of a variable at a place; `None` if it is not a key, or cells are not distinguished.
    pub(super) fn cell(&self, var: VarId, place: usize) -> Option<&FixedBitSet> {
        let map = self.vars.get(var.index())?.as_ref()?;
        let row = *map.row_of.get(place)? as usize;
        map.rows.get(row).filter(|_| row + 1 < map.rows.len())
    }

    /// The values of the cells of a map at some keys for each level, outermost first; `None` if they are not distinguished.
    pub(super) fn at(&self, game: &Game, map: ExprId, keys: &[Set]) -> Option<Set> {
        let mut set = FixedBitSet::with_capacity(self.places);
        if let Some(rows) = self.rows(game, map) {
            let [keys] = keys else { return None };
            for (number, row) in keys.ones().filter_map(|key| rows.row(key)).enumerate() {
                // No cell holds anything else.
                if number % OFTEN == OFTEN - 1 && set == rows.all {
                    break;
                }
                set.union_with(row);
            }
        } else {
            self.entries(game, map, keys, |_, value| set.insert(value))?;
        }
        Some(Rc::new(set))
    }

    /// Of keys for each level those at which a map may have one of the `allowed` values, whatever the others are; `None` if
    /// its cells are not distinguished.
    pub(super) fn keys(
        &self,
        game: &Game,
        map: ExprId,
        keys: &[Set],
        allowed: &FixedBitSet,
    ) -> Option<Vec<FixedBitSet>> {
        if let Some(rows) = self.rows(game, map) {
            let [keys] = keys else { return None };
            let mut left = FixedBitSet::clone(keys);
            let gone = |&key: &usize| rows.row(key).is_some_and(|row| row.is_disjoint(allowed));
            keys.ones().filter(gone).for_each(|key| left.set(key, false));
            return Some(vec![left]);
        }
        let mut left = vec![FixedBitSet::with_capacity(self.places); keys.len()];
        self.entries(game, map, keys, |at, value| {
            if allowed.contains(value) {
                left.iter_mut().zip(at).for_each(|(left, &key)| left.insert(key));
            }
        })?;
        Some(left)
    }

    fn rows(&self, game: &Game, map: ExprId) -> Option<&Variable> {
        self.variable(game, map).filter(|map| !map.rows.is_empty())
    }

    /// Tells the values of a constant map at all combinations of keys, one for each level, with these; `None` if it has
    /// more or fewer levels, or there are too many.
    fn entries(&self, game: &Game, map: ExprId, keys: &[Set], mut found: impl FnMut(&[usize], usize)) -> Option<()> {
        let map = self.constant(game, map).filter(|map| !map.table.is_empty() && map.levels.len() == keys.len())?;
        if let ([keys], [(row_of, _)]) = (keys, &map.levels[..]) {
            for key in keys.ones() {
                found(&[key], *map.table.get(*row_of.get(key)? as usize)? as usize);
            }
            return Some(());
        }
        // For each combination so far its keys, one after the other, and the row of the table.
        let mut combined: (Vec<usize>, Vec<usize>) = (Vec::new(), vec![0]);
        for (level, (keys, (row_of, rows))) in keys.iter().zip(&map.levels).enumerate() {
            let (at, indices) = std::mem::take(&mut combined);
            if level > 0 && indices.len().saturating_mul(keys.count_ones(..)) > MAX_INDICES {
                return None;
            }
            for (number, index) in indices.iter().enumerate() {
                let before = at.get(number * level..(number + 1) * level)?;
                for key in keys.ones() {
                    combined.0.extend(before.iter().copied().chain([key]));
                    combined.1.push(index * rows + *row_of.get(key)? as usize);
                }
            }
        }
        let (at, indices) = combined;
        for (at, index) in at.chunks_exact(keys.len().max(1)).zip(indices) {
            found(at, *map.table.get(index)? as usize);
        }
        Some(())
    }

    /// Notes a write of values from `set` to cells of a variable: those of some keys, or, with no keys, any. Without
    /// keys, and if `rhs` is a map whose cells are distinguished, cell by cell. Whether anything is new.
    pub(super) fn store(
        &mut self,
        game: &Game,
        var: VarId,
        keys: Option<&FixedBitSet>,
        set: &Set,
        rhs: Option<ExprId>,
    ) -> bool {
        let rows = match (keys, rhs) {
            (None, Some(rhs)) => self.rows_from(game, var, rhs),
            _ => None,
        };
        let Some(map) = self.vars.get_mut(var.index()).and_then(Option::as_mut) else { return false };
        let mut changed = !set.is_subset(&map.all);
        map.all.union_with(set);
        match (keys, rows) {
            (Some(keys), _) => {
                let spare = map.rows.len().saturating_sub(1);
                for key in keys.ones() {
                    let Some(row) = map.row_of.get(key).map(|&row| row as usize).filter(|&row| row != spare) else {
                        continue;
                    };
                    changed |= map.rows.get_mut(row).is_some_and(|row| grow(row, set));
                }
            }
            (None, Some(rows)) => {
                for (row, more) in map.rows.iter_mut().zip(rows) {
                    changed |= grow(row, &more);
                }
            }
            (None, None) => {
                for row in &mut map.rows {
                    changed |= grow(row, set);
                }
            }
        }
        changed
    }

    /// What the rows of `var` hold after the map `rhs` was assigned to it; `None` if that is not distinguished.
    fn rows_from(&self, game: &Game, var: VarId, rhs: ExprId) -> Option<Vec<FixedBitSet>> {
        let map = self.vars.get(var.index())?.as_ref().filter(|map| !map.rows.is_empty())?;
        let spare = map.rows.len().checked_sub(1)?;
        let all = self.all(game, rhs)?;
        let mut rows = vec![FixedBitSet::with_capacity(self.places); map.rows.len()];
        for (place, &row) in map.row_of.iter().enumerate() {
            let row = row as usize;
            if row == spare {
                continue;
            }
            let mut key = FixedBitSet::with_capacity(self.places);
            key.insert(place);
            rows.get_mut(row)?.union_with(&*self.at(game, rhs, &[Rc::new(key)])?);
        }
        rows.get_mut(spare)?.union_with(&all);
        Some(rows)
    }
}

impl Variable {
    fn row(&self, place: usize) -> Option<&FixedBitSet> {
        self.rows.get(*self.row_of.get(place)? as usize)
    }
}

/// Adds to a set; whether that changed it.
fn grow(set: &mut FixedBitSet, more: &FixedBitSet) -> bool {
    let changed = !more.is_subset(set);
    if changed {
        set.union_with(more);
    }
    changed
}

/// For each place of the universe the position of that key, or behind all if it is none.
fn positions(game: &Game, universe: &Universe, key: TypeId) -> Vec<u32> {
    let members = game.types.members(key);
    let mut positions = vec![members.len() as u32; universe.len()];
    for (position, &symbol) in members.iter().enumerate() {
        if let Some(place) = universe.place(symbol).and_then(|place| positions.get_mut(place)) {
            *place = position as u32;
        }
    }
    positions
}

fn variable(game: &Game, universe: &Universe, ty: TypeId, value: &Value) -> Option<Variable> {
    let Dense { values, .. } = game.dense(ty, value).ok()?;
    let all = universe.set(values.iter().copied());
    let shape = game.shape(ty)?;
    let words = values.len().saturating_mul(universe.len() / 64 + 1);
    let (rows, row_of) = match shape.keys[..] {
        [key] if words <= MAX_WORDS => {
            let rows = values.iter().map(|&symbol| universe.set([symbol])).collect();
            (rows, positions(game, universe, key))
        }
        _ => (Vec::new(), Vec::new()),
    };
    Some(Variable { all, rows, row_of: row_of.into() })
}

fn constant(game: &Game, universe: &Universe, ty: TypeId, value: &Value) -> Option<Constant> {
    let Dense { values, dims } = game.dense(ty, value).ok()?;
    let all = Rc::new(universe.set(values.iter().copied()));
    let shape = game.shape(ty)?;
    let places: Option<Vec<u32>> = values.iter().map(|&value| universe.place(value).map(|at| at as u32)).collect();
    if shape.keys.is_empty() {
        return Some(Constant { all, levels: Vec::new(), table: Vec::new() });
    }
    let levels = shape.keys.iter().map(|&key| positions(game, universe, key)).zip(dims).collect();
    Some(Constant { all, levels, table: places? })
}
