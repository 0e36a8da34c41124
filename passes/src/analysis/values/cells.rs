//! What the cells of maps may hold.

use super::Set;
use super::universe::Universe;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Dense, Expr, ExprId, Game, TypeId, Value, VarId};
use std::rc::Rc;

/// Most words of the sets of all cells of a map; a larger one has one set for all of its cells.
const MAX_WORDS: usize = 1 << 18;
/// Most entries of a constant map of several levels that are looked at together.
const MAX_INDICES: usize = 1 << 12;

/// A variable that is a map.
struct Variable {
    /// All that its cells may hold.
    all: FixedBitSet,
    /// What each cell of a map of one level may hold, the spare one last; empty if cells are not told apart.
    rows: Vec<FixedBitSet>,
    /// For each place of the universe its row: the spare one if it is no key.
    row_of: Rc<[u32]>,
}

/// A constant map, or a constant that is a symbol.
struct Constant {
    all: Set,
    /// For a map of one level: for each place of the universe the place of the value.
    image: Vec<u32>,
    /// For a map of more levels: by level, for each place of the universe the row, and the number of rows.
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

    /// The values of the cell of a variable at a place; `None` if it is no key, or cells are not told apart.
    pub(super) fn cell(&self, var: VarId, place: usize) -> Option<&FixedBitSet> {
        let map = self.vars.get(var.index())?.as_ref()?;
        let row = *map.row_of.get(place)? as usize;
        map.rows.get(row).filter(|_| row + 1 < map.rows.len())
    }

    /// The values of the cells of `map` at some keys; `None` if its cells are not told apart.
    pub(super) fn at(&self, game: &Game, map: ExprId, keys: &FixedBitSet) -> Option<Set> {
        let mut set = FixedBitSet::with_capacity(self.places);
        if let Some(map) = self.variable(game, map).filter(|map| !map.rows.is_empty()) {
            keys.ones().filter_map(|key| map.row(key)).for_each(|row| set.union_with(row));
        } else {
            let map = self.constant(game, map).filter(|map| !map.image.is_empty())?;
            keys.ones().filter_map(|key| map.image.get(key)).for_each(|&value| set.insert(value as usize));
        }
        Some(Rc::new(set))
    }

    /// The values of a constant map of several levels at some keys for each level, outermost first; `None` if they are not
    /// told apart.
    pub(super) fn at_all(&self, game: &Game, root: ExprId, keys: &[Set]) -> Option<Set> {
        let map = self.constant(game, root).filter(|map| !map.table.is_empty() && map.levels.len() == keys.len())?;
        let mut indices = vec![0];
        for (keys, (row_of, rows)) in keys.iter().zip(&map.levels) {
            let (before, mut after) = (std::mem::take(&mut indices), Vec::new());
            for key in keys.ones() {
                let row = *row_of.get(key)? as usize;
                after.extend(before.iter().map(|index| index * rows + row));
                if after.len() > MAX_INDICES {
                    return None;
                }
            }
            indices = after;
        }
        let mut set = FixedBitSet::with_capacity(self.places);
        for index in indices {
            set.insert(*map.table.get(index)? as usize);
        }
        Some(Rc::new(set))
    }

    /// The keys at which `map` may have one of the `allowed` values; `None` if its cells are not told apart.
    pub(super) fn keys(
        &self,
        game: &Game,
        map: ExprId,
        keys: &FixedBitSet,
        allowed: &FixedBitSet,
    ) -> Option<FixedBitSet> {
        let mut left = keys.clone();
        if let Some(map) = self.variable(game, map).filter(|map| !map.rows.is_empty()) {
            let gone = |&key: &usize| map.row(key).is_some_and(|row| row.is_disjoint(allowed));
            keys.ones().filter(gone).for_each(|key| left.set(key, false));
        } else {
            let map = self.constant(game, map).filter(|map| !map.image.is_empty())?;
            let gone = |&key: &usize| map.image.get(key).is_some_and(|&value| !allowed.contains(value as usize));
            keys.ones().filter(gone).for_each(|key| left.set(key, false));
        }
        Some(left)
    }

    /// Notes a write of values from `set` to cells of a variable: those of some keys, or, with no keys, any. Without
    /// keys, and if `rhs` is a map whose cells are told apart, cell by cell. Whether anything is new.
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

    /// What the rows of `var` hold after the map `rhs` was assigned to it; `None` if that is not told apart.
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
            rows.get_mut(row)?.union_with(&*self.at(game, rhs, &key)?);
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
    let (mut image, mut levels, mut table) = (Vec::new(), Vec::new(), Vec::new());
    match shape.keys[..] {
        [] => {}
        [key] => {
            let places = places?;
            image = positions(game, universe, key).iter().filter_map(|&at| places.get(at as usize)).copied().collect();
        }
        _ => {
            levels = shape.keys.iter().map(|&key| positions(game, universe, key)).zip(dims).collect();
            table = places?;
        }
    }
    Some(Constant { all, image, levels, table })
}
