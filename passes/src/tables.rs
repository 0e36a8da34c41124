//! Constant maps as tables, made when they are first looked up.

use rg_ir::{ConstId, Dense, Game, Shape, Symbol, TypeId, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Maps with more cells than this are not looked into.
const MAX_CELLS: usize = 1 << 18;

/// A constant as a table.
pub struct Table {
    /// Its keys and leaf.
    pub shape: Shape,
    /// Its cells.
    pub dense: Dense,
    positions: Vec<Rc<Positions>>,
}

/// Where the symbols of a key type stand.
type Positions = FxHashMap<Symbol, usize>;

impl Table {
    /// Where a symbol stands among the keys of the first level: behind all if it is none of them.
    pub fn position(&self, key: Symbol) -> Option<usize> {
        let (positions, dim) = (self.positions.first()?, self.dense.dims.first()?);
        Some(positions.get(&key).copied().unwrap_or(dim.saturating_sub(1)))
    }

    /// The value at the keys, which may be outside the key types; `None` if their number is wrong. O(keys).
    pub fn get(&self, keys: &[Symbol]) -> Option<Symbol> {
        if keys.len() != self.positions.len() {
            return None;
        }
        let dims = self.positions.iter().zip(&self.dense.dims);
        let at = dims.zip(keys).fold(0, |at, ((positions, dim), key)| {
            at * dim + positions.get(key).copied().unwrap_or(dim.saturating_sub(1))
        });
        self.dense.values.get(at).copied()
    }
}

impl Table {
    /// The part of the table at one key of one level: sizes of the dimensions left, and cells.
    pub fn slice(&self, level: usize, key: Symbol) -> Option<(Vec<usize>, Vec<Symbol>)> {
        let dims = &self.dense.dims;
        let (dim, at) = (*dims.get(level)?, self.positions.get(level)?.get(&key).copied()?);
        let inner: usize = dims.get(level + 1..)?.iter().product();
        let rows = self.dense.values.chunks(inner.checked_mul(dim).filter(|&size| size > 0)?);
        let values = rows.filter_map(|row| row.get(at * inner..(at + 1) * inner)).flatten().copied().collect();
        let rest = dims.iter().enumerate().filter(|&(at, _)| at != level).map(|(_, &dim)| dim).collect();
        Some((rest, values))
    }
}

/// The tables of a game's constants and of the initial values of its variables.
#[derive(Default)]
pub struct Tables {
    consts: RefCell<FxHashMap<ConstId, Option<Rc<Table>>>>,
    positions: RefCell<FxHashMap<TypeId, Rc<Positions>>>,
}

impl Tables {
    /// The table of a constant; `None` if it is too large.
    pub fn constant(&self, game: &Game, id: ConstId) -> Option<Rc<Table>> {
        if let Some(found) = self.consts.borrow().get(&id) {
            return found.clone();
        }
        let table = game.consts.get(id).and_then(|decl| self.table(game, decl.ty, &decl.value)).map(Rc::new);
        self.consts.borrow_mut().insert(id, table.clone());
        table
    }

    /// The table of any value; `None` if it is too large.
    pub fn table(&self, game: &Game, ty: TypeId, value: &Value) -> Option<Table> {
        let shape = game.shape(ty)?;
        let sizes = shape.keys.iter().map(|&key| game.types.members(key).len() + 1);
        sizes.clone().try_fold(1usize, usize::checked_mul).filter(|&cells| cells <= MAX_CELLS)?;
        let dense = game.dense(ty, value).ok()?;
        let positions = shape.keys.iter().map(|&key| self.positions(game, key)).collect();
        Some(Table { shape, dense, positions })
    }

    fn positions(&self, game: &Game, key: TypeId) -> Rc<Positions> {
        let key = game.types.resolve(key).unwrap_or(key);
        let mut known = self.positions.borrow_mut();
        let make = || Rc::new(game.types.members(key).iter().enumerate().map(|(i, &symbol)| (symbol, i)).collect());
        known.entry(key).or_insert_with(make).clone()
    }
}

/// A table as a literal without superfluous entries. Types nest at most 64 deep where there are tables.
pub fn literal(game: &Game, ty: TypeId, dims: &[usize], values: &[Symbol]) -> Option<Value> {
    let Some((&dim, rest)) = dims.split_first() else { return values.first().map(|&symbol| Value::Symbol(symbol)) };
    let (key, value) = game.types.as_arrow(ty)?;
    let stride = values.len().checked_div(dim)?;
    let mut rows = values.chunks(stride);
    let default = rows.next_back()?;
    let members = game.types.members(key).iter().copied();
    let entries = members.zip(rows).filter(|(_, row)| *row != default);
    let entries =
        entries.map(|(key, row)| Some((key, literal(game, value, rest, row)?))).collect::<Option<Vec<_>>>()?;
    Some(Value::map(literal(game, value, rest, default)?, entries))
}
