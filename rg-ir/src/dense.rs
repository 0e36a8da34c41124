//! Dense evaluation: shapes of types and tables of values.

use crate::game::Game;
use crate::ids::{ConstId, Id, IdVec, Symbol, TypeId};
use crate::types::Structure;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// A type flattened to its key sets and the set at its end: `K1 -> K2 -> L` has keys `[K1, K2]` and leaf `L`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Key types, outermost first; empty for a set type.
    pub keys: Vec<TypeId>,
    /// The set type of the values.
    pub leaf: TypeId,
}

/// The value of a constant or an initial value as a table, row-major.
///
/// Along every key dimension of n symbols there are n + 1 entries: entry i belongs to the i-th *listed* symbol of the
/// key type, and the last, spare one holds the literal's default, which reads with a key outside the key type return
/// (section 7, *Key outside the key type*).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dense {
    /// Number of entries per dimension, spare entry included; outermost first; empty for a symbol.
    pub dims: Vec<usize>,
    /// The entries; one if `dims` is empty.
    pub values: Vec<Symbol>,
}

/// Why a value has no table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DenseError {
    /// The type does not resolve.
    BadType,
    /// The value does not fit its type's structure, or a map has no default.
    Mismatch,
    /// Constants refer to each other in a cycle.
    Cycle,
    /// The table would have more than [`MAX_ENTRIES`] entries.
    TooLarge,
}

impl std::fmt::Display for DenseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DenseError::BadType => f.write_str("its type does not resolve"),
            DenseError::Mismatch => f.write_str("its value does not fit its type"),
            DenseError::Cycle => f.write_str("its value refers to itself"),
            DenseError::TooLarge => write!(f, "its table would have more than {MAX_ENTRIES} entries"),
        }
    }
}

impl std::error::Error for DenseError {}

/// Limit for the entries of one table.
pub const MAX_ENTRIES: usize = 1 << 24;

impl Game {
    /// The shape of a type; `None` if it does not resolve, nests deeper than 64 maps, or has a key that is not a set.
    pub fn shape(&self, ty: TypeId) -> Option<Shape> {
        let mut keys = Vec::new();
        let mut leaf = ty;
        while let Structure::Arrow(key, value) = self.types.structure(leaf)? {
            if keys.len() == 64 || !self.types.is_set(key) {
                return None;
            }
            keys.push(key);
            leaf = value;
        }
        Some(Shape { keys, leaf })
    }

    /// Number of cells of a variable of this type: the product of the sizes of its key sets, 1 for a set type.
    pub fn cells(&self, ty: TypeId) -> Option<usize> {
        self.shape(ty)?.keys.iter().try_fold(1usize, |n, &key| n.checked_mul(self.types.members(key).len()))
    }

    /// The table of `value` as a `ty`. Linear in the size of the table and of the literal.
    pub fn dense(&self, ty: TypeId, value: &Value) -> Result<Dense, DenseError> {
        let shape = self.shape(ty).ok_or(DenseError::BadType)?;
        let dims: Vec<usize> = shape.keys.iter().map(|&key| self.types.members(key).len() + 1).collect();
        let size = dims.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).filter(|&n| n <= MAX_ENTRIES);
        let size = size.ok_or(DenseError::TooLarge)?;
        let positions = shape.keys.iter().map(|_| OnceCell::new()).collect();
        let mut filler = Filler { game: self, keys: &shape.keys, positions, active: Vec::new() };
        let mut values = vec![Symbol::from_index(0); size];
        filler.fill(0, value, &mut values)?;
        Ok(Dense { dims, values })
    }

    /// The tables of all constants. The first error is reported with the constant it belongs to.
    pub fn dense_constants(&self) -> Result<IdVec<ConstId, Dense>, (ConstId, DenseError)> {
        self.consts.iter().map(|(id, decl)| self.dense(decl.ty, &decl.value).map_err(|e| (id, e))).collect()
    }
}

/// How far keys are looked for before all of them are noted.
const NEAR: usize = 4;

struct Filler<'g> {
    game: &'g Game,
    keys: &'g [TypeId],
    /// By level the places of keys, if they are asked for out of order.
    positions: Vec<OnceCell<FxHashMap<Symbol, usize>>>,
    active: Vec<ConstId>,
}

impl Filler<'_> {
    /// The place of a key of a level, which most often is `next` or shortly behind.
    fn position(&self, level: usize, key: Symbol, next: usize) -> Option<usize> {
        let members = self.game.types.members(*self.keys.get(level)?);
        let positions = self.positions.get(level)?;
        if positions.get().is_none()
            && let Some(behind) = members.iter().skip(next).take(NEAR).position(|&member| member == key)
        {
            return Some(next + behind);
        }
        let all = || members.iter().enumerate().map(|(at, &symbol)| (symbol, at)).collect();
        positions.get_or_init(all).get(&key).copied()
    }

    /// Fills `out`, the part of the table below `level` key dimensions, from `value`.
    fn fill(&mut self, level: usize, value: &Value, out: &mut [Symbol]) -> Result<(), DenseError> {
        match value {
            Value::Symbol(symbol) => match out {
                [cell] if level == self.keys.len() => {
                    *cell = *symbol;
                    Ok(())
                }
                _ => Err(DenseError::Mismatch),
            },
            Value::Const(id) => {
                if self.active.contains(id) {
                    return Err(DenseError::Cycle);
                }
                let decl = self.game.consts.get(*id).ok_or(DenseError::Mismatch)?;
                self.active.push(*id);
                let filled = self.fill_from_constant(level, decl.ty, &decl.value, out);
                self.active.pop();
                filled
            }
            Value::Map(literal) => {
                let Some(&keys) = self.keys.get(level) else { return Err(DenseError::Mismatch) };
                let stride = out.len() / (self.game.types.members(keys).len() + 1);
                let default = literal.default_value().ok_or(DenseError::Mismatch)?;
                let (first, rest) = out.split_at_mut(stride);
                self.fill(level + 1, default, first)?;
                for row in rest.chunks_mut(stride.max(1)) {
                    row.copy_from_slice(first);
                }
                let mut next = 0;
                for (key, value) in &literal.entries {
                    let Some(key) = key else { continue };
                    let position = self.position(level, *key, next).ok_or(DenseError::Mismatch)?;
                    next = position + 1;
                    let row = out.get_mut(position * stride..(position + 1) * stride);
                    self.fill(level + 1, value, row.ok_or(DenseError::Mismatch)?)?;
                }
                Ok(())
            }
        }
    }

    /// A constant used as (part of) a value: its own type may list keys in another order or have other keys.
    fn fill_from_constant(
        &mut self,
        level: usize,
        ty: TypeId,
        value: &Value,
        out: &mut [Symbol],
    ) -> Result<(), DenseError> {
        let shape = self.game.shape(ty).ok_or(DenseError::BadType)?;
        let wanted = self.keys.get(level..).ok_or(DenseError::Mismatch)?;
        if shape.keys.len() != wanted.len() {
            return Err(DenseError::Mismatch);
        }
        let same =
            shape.keys.iter().zip(wanted).all(|(&a, &b)| self.game.types.resolve(a) == self.game.types.resolve(b));
        if same {
            return self.fill(level, value, out);
        }
        let inner = self.game.dense(ty, value)?;
        // For every wanted key the entry of the same symbol, or the spare one.
        let maps: Vec<Vec<usize>> = shape
            .keys
            .iter()
            .zip(wanted)
            .map(|(&from, &to)| {
                let from: FxHashMap<Symbol, usize> =
                    self.game.types.members(from).iter().enumerate().map(|(i, &s)| (s, i)).collect();
                let to = self.game.types.members(to);
                to.iter().map(|s| from.get(s).copied().unwrap_or(from.len())).chain([from.len()]).collect()
            })
            .collect();
        for (i, cell) in out.iter_mut().enumerate() {
            let (mut rest, mut index, mut stride) = (i, 0, 1);
            for (map, &dim) in maps.iter().zip(&inner.dims).rev() {
                let position = map.get(rest % map.len()).copied().unwrap_or(0);
                rest /= map.len();
                index += position * stride;
                stride *= dim;
            }
            *cell = *inner.values.get(index).ok_or(DenseError::Mismatch)?;
        }
        Ok(())
    }
}
