//! Where things are: cells of the state, and tables of constants, both as flat arrays of numbers.

use engine::canonical::{Dead, spare_entries};
use engine::{Error, ErrorKind};
use passes::analysis::classes::{Class, Classes};
use rg_ir::invariant::Invariant;
use rg_ir::{ConstId, Expr, Game, IdVec, Label, Symbol, TypeId, VarId};
use rustc_hash::FxHashMap;

/// How the keys of one type index a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The type of the keys, resolved.
    pub set: TypeId,
    /// The class of the keys.
    pub class: Class,
    /// Number of keys.
    pub count: u32,
    /// Number of entries: one per key, then spare ones for values that are not keys, if there can be any.
    pub dim: u32,
    /// Table from value to position; `None` if the position is the value itself.
    pub convert: Option<u32>,
}

/// The place of a variable or constant: an offset, and a shape.
#[derive(Clone, Debug)]
pub struct Field {
    /// First cell (variables) or table entry (constants).
    pub offset: u32,
    /// Number of cells.
    pub len: u32,
    /// Keys, outermost first.
    pub keys: Vec<Key>,
    /// Class of the values.
    pub class: Class,
}

impl Field {
    /// The cells that belong to no combination of keys, counted from the first one.
    pub fn spare_entries(&self) -> Vec<usize> {
        let dimensions: Vec<_> = self.keys.iter().map(|key| (key.count as usize, key.dim as usize)).collect();
        spare_entries(&dimensions)
    }

    /// Number of cells below the first `level` keys.
    pub fn stride(&self, level: usize) -> u32 {
        self.keys.iter().skip(level).map(|k| k.dim).product()
    }
}

/// Numbering, tables and cells of a game.
#[derive(Debug)]
pub struct Layout {
    /// The numbering of values.
    pub classes: Classes,
    /// Variables.
    pub vars: IdVec<VarId, Field>,
    /// Constants.
    pub consts: IdVec<ConstId, Field>,
    /// All tables, one after the other.
    pub tables: Vec<u32>,
    /// Initial cells of the state.
    pub initial: Vec<u32>,
    /// Cells from here on hold variables that are only used within moves, see [`Dead::always`].
    pub lasting: u32,
    /// Whether maps with different keys are copied to each other: then every map needs its spare entries, even where no
    /// access can reach them.
    mixed: bool,
    keys: FxHashMap<TypeId, Key>,
    predicates: FxHashMap<(Class, Vec<u32>), u32>,
    names: FxHashMap<Class, u32>,
}

/// Limit for table entries and state cells of one game.
const MAX_CELLS: usize = 1 << 26;

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Invalid, "", message)
}

impl Layout {
    /// Lays out a game with complete built-ins, of which `dead` are the dead variables.
    pub fn new(game: &Game, dead: &Dead) -> Result<Self, Error> {
        let mut layout = Layout {
            classes: Classes::new(game),
            vars: IdVec::new(),
            consts: IdVec::new(),
            tables: Vec::new(),
            initial: Vec::new(),
            lasting: 0,
            mixed: copies_between_key_types(game),
            keys: FxHashMap::default(),
            predicates: FxHashMap::default(),
            names: FxHashMap::default(),
        };
        for decl in game.consts.values() {
            let (mut field, values) = layout.fill(game, decl.ty, &decl.value, decl.name)?;
            field.offset = layout.tables.len() as u32;
            layout.tables.extend(values);
            layout.consts.push(field);
            layout.fits()?;
        }
        // Cells of what lasts, then of what is only used within moves.
        let (mut lasting, mut others) = (Vec::new(), Vec::new());
        for (var, decl) in game.vars.iter() {
            let (mut field, values) = layout.fill(game, decl.ty, &decl.initial, decl.name)?;
            let cells = if dead.always(var) { &mut others } else { &mut lasting };
            field.offset = cells.len() as u32;
            cells.extend(values);
            layout.vars.push(field);
            if lasting.len() + others.len() > MAX_CELLS {
                break;
            }
        }
        layout.lasting = lasting.len() as u32;
        layout.initial = lasting;
        layout.initial.extend(others);
        layout.fits()?;
        for (field, var) in layout.vars.values_mut().zip(game.vars.ids()) {
            if dead.always(var) {
                field.offset += layout.lasting;
            }
        }
        Ok(layout)
    }

    /// Refuses what would not fit the memory, before it does not.
    fn fits(&self) -> Result<(), Error> {
        if self.tables.len() > MAX_CELLS || self.initial.len() > MAX_CELLS {
            return Err(invalid(format!("the tables or the state have more than {MAX_CELLS} entries")));
        }
        Ok(())
    }

    fn fill(
        &mut self,
        game: &Game,
        ty: TypeId,
        value: &rg_ir::Value,
        name: Symbol,
    ) -> Result<(Field, Vec<u32>), Error> {
        let bad = |what: &str| invalid(format!("`{}`: {what}", game.name(name)));
        let shape = game.shape(ty).ok_or_else(|| bad("its type does not resolve"))?;
        let dense = game.dense(ty, value).map_err(|e| bad(&e.to_string()))?;
        let class = self.classes.of(game, shape.leaf).ok_or_else(|| bad("its values have no numbers"))?;
        let mut keys = Vec::new();
        // Per dimension: the row of the dense table for every position.
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for &key_ty in &shape.keys {
            let key = self.key(game, key_ty).ok_or_else(|| bad("its keys have no numbers"))?;
            let members = game.types.members(key_ty);
            let spare = members.len();
            let mut row = vec![spare; key.dim as usize];
            for (listed, &symbol) in members.iter().enumerate() {
                let position = match key.convert {
                    None => {
                        self.classes.number(key.class, symbol).invariant_or(0, "every key has a number in its class")
                            as usize
                    }
                    Some(_) => listed,
                };
                if let Some(slot) = row.get_mut(position) {
                    *slot = listed;
                }
            }
            keys.push(key);
            rows.push(row);
        }
        let len = keys.iter().try_fold(1usize, |n, k| n.checked_mul(k.dim as usize)).filter(|&n| n <= MAX_CELLS);
        let len = len.ok_or_else(|| bad("its table is too large"))?;
        let mut values = Vec::with_capacity(len);
        for i in 0..len {
            let (mut rest, mut index, mut stride) = (i, 0, 1);
            for (row, &dim) in rows.iter().zip(&dense.dims).rev() {
                index += row
                    .get(rest % row.len())
                    .copied()
                    .invariant_or(0, "a row of a table has an entry for every position")
                    * stride;
                rest /= row.len();
                stride *= dim;
            }
            let symbol = dense.values.get(index).copied();
            let number = symbol.and_then(|s| self.classes.number(class, s));
            values.push(number.ok_or_else(|| bad("a value has no number"))?);
        }
        Ok((Field { offset: 0, len: len as u32, keys, class }, values))
    }

    /// How a key type indexes.
    fn key(&mut self, game: &Game, ty: TypeId) -> Option<Key> {
        let set = game.types.resolve(ty)?;
        if let Some(&key) = self.keys.get(&set) {
            return Some(key);
        }
        let class = self.classes.of(game, ty)?;
        let members = game.types.members(ty);
        let size = self.classes.members(class).len();
        let prefix =
            members.iter().all(|&s| self.classes.number(class, s).is_some_and(|n| (n as usize) < members.len()));
        let key = if prefix && size <= members.len() + 2 {
            let dim = if self.mixed { size.max(members.len() + 1) } else { size };
            Key { set, class, count: members.len() as u32, dim: dim as u32, convert: None }
        } else {
            let table = self.tables.len() as u32;
            let listed: FxHashMap<Symbol, u32> = members.iter().zip(0..).map(|(&s, i)| (s, i)).collect();
            let spare = members.len() as u32;
            self.tables.extend(self.classes.members(class).iter().map(|s| listed.get(s).copied().unwrap_or(spare)));
            Key { set, class, count: spare, dim: spare + 1, convert: Some(table) }
        };
        self.keys.insert(set, key);
        Some(key)
    }

    /// Position of a symbol in a table with these keys; `None` if the class does not have it.
    pub fn position(&self, key: &Key, symbol: Symbol) -> Option<u32> {
        let number = self.classes.number(key.class, symbol)?;
        key.convert.map_or(Some(number), |table| self.tables.get((table + number) as usize).copied())
    }

    /// A 0/1 table over a class: which values are in the (ascending) list.
    pub fn predicate(&mut self, class: Class, values: Vec<u32>) -> u32 {
        let size = self.classes.members(class).len() as u32;
        let tables = &mut self.tables;
        *self.predicates.entry((class, values)).or_insert_with_key(|(_, values)| {
            let at = tables.len() as u32;
            tables.extend((0..size).map(|v| u32::from(values.binary_search(&v).is_ok())));
            at
        })
    }

    /// Position of the names of a class's values in the program's list of names.
    pub fn names(&mut self, class: Class, list: &mut Vec<Symbol>) -> u32 {
        let members = self.classes.members(class);
        *self.names.entry(class).or_insert_with(|| {
            let at = list.len() as u32;
            list.extend(members);
            at
        })
    }
}

/// Whether some edge copies a whole map to one with another key type.
fn copies_between_key_types(game: &Game) -> bool {
    // A cast changes no value: what counts is the map under it, less the keys of the accesses on the way.
    let keys = |expr| {
        let (mut at, mut level) = (expr, 0);
        let ty = loop {
            match game.exprs.get(at) {
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, _) => (at, level) = (map, level + 1),
                Expr::Const(id) => break game.consts.get(id).map(|decl| decl.ty),
                Expr::Var(id) => break game.vars.get(id).map(|decl| decl.ty),
                Expr::Symbol(_) => break None,
            }
        };
        let shape = ty.and_then(|ty| game.shape(ty));
        shape.map(|shape| shape.keys.into_iter().skip(level).collect::<Vec<_>>()).unwrap_or_default()
    };
    game.automaton.edges().any(|(_, edge)| match edge.label {
        Label::Assign { lhs, rhs } => {
            let differ = |(a, b): (TypeId, TypeId)| game.types.resolve(a) != game.types.resolve(b);
            keys(lhs).into_iter().zip(keys(rhs)).any(differ)
        }
        _ => false,
    })
}
