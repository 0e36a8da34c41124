//! Numbers of symbols, and the tables of constants and variables in these numbers.
//!
//! The classes are those of [`Classes`], but the order is another: elements that no step leaves (`null`, `off`), and those
//! that are not keys where others are, come last, and the others as the largest type of the class lists them, so that boards
//! keep their geometry.

use super::Failure;
use super::lane::Val;
use super::layout::MAX_INDICES;
use super::sets::Map;
use passes::analysis::Values;
use passes::analysis::classes::{Class, Classes};
use rg_ir::ids::Id;
use rg_ir::invariant::put;
use rg_ir::{ConstDecl, ConstId, Dense, Expr, ExprId, Game, IdVec, Symbol, TypeId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most entries of the table of one constant or variable.
const MAX_TABLE: usize = 1 << 19;

/// A map of one key is numbered by row if its class has so many times as many symbols.
const SPARSE: usize = 8;

/// The dimensions of a constant or variable.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// Classes of the keys, outermost first.
    pub(super) keys: Rc<[Class]>,
    /// Sizes of these classes; with rows, the number of rows of each key.
    pub(super) sizes: Rc<[usize]>,
    /// In large tables of several keys: for each key, the row of the table by number of the key's class. There is a row for each member
    /// of the key's type, and a spare one for all other members of the class. `None` if each number is a row of its own.
    pub(super) rows: Option<Rc<[Map]>>,
    /// Class of the values.
    pub(super) class: Class,
    /// Whether an index is made of real keys only, for variables, and its value ever changes; writes elsewhere do
    /// nothing.
    pub(super) real: Rc<[bool]>,
    /// The values, by index.
    pub(super) values: Map,
}

impl Form {
    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The row that a number of the key at a place is.
    pub(super) fn row(&self, key: usize, number: u32) -> Option<u32> {
        self.rows.as_ref().map_or(Some(number), |rows| rows.get(key)?.get(number as usize).copied())
    }

    /// With one key: the entries by number of the key's class.
    pub(super) fn by_number(&self) -> Option<Map> {
        match &self.rows {
            None => Some(self.values.clone()),
            Some(rows) => {
                let [rows] = &rows[..] else { return None };
                rows.iter().map(|&row| self.values.get(row as usize).copied()).collect()
            }
        }
    }

    /// Where all keys but one of several are known: the entries by that one.
    pub(super) fn column<'k>(&self, keys: &'k [Val]) -> Option<(Map, &'k Val)> {
        let unknown = |key: &Val| !matches!(key, Val::Const(_));
        let open = keys.iter().position(unknown).filter(|_| keys.len() > 1)?;
        if keys.iter().skip(open + 1).any(unknown) {
            return None;
        }
        let entry = |x: u32| {
            let key = |key: &Val| if let Val::Const(key) = key { *key } else { x };
            let index = keys.iter().zip(&self.sizes[..]).fold(0, |sum, (of, &size)| sum * size + key(of) as usize);
            self.values.get(index).copied()
        };
        let column: Option<Map> = (0..*self.sizes.get(open)? as u32).map(entry).collect();
        Some((column?, keys.get(open)?))
    }
}

/// See the module.
pub(super) struct Numbers {
    classes: Classes,
    members: Vec<Vec<Symbol>>,
    numbers: Vec<FxHashMap<Symbol, u32>>,
    pub(super) consts: IdVec<ConstId, Result<Form, Failure>>,
    pub(super) vars: IdVec<VarId, Result<Form, Failure>>,
}

impl Numbers {
    pub(super) fn new(game: &Game) -> Self {
        let classes = Classes::new(game);
        let count = classes.count();
        let mut types: Vec<Option<TypeId>> = vec![None; count];
        let mut consider = |ty: TypeId| {
            if let (Some(class), Some(set)) = (classes.of(game, ty), game.types.resolve(ty))
                && game.types.is_set(set)
                && let Some(largest) = types.get_mut(class)
                && largest.is_none_or(|old| game.types.members(old).len() < game.types.members(set).len())
            {
                *largest = Some(set);
            }
        };
        let declared = game.consts.values().map(|decl| decl.ty).chain(game.vars.values().map(|decl| decl.ty));
        for ty in game.type_decls.values().map(|decl| decl.definition).chain(declared) {
            let shape = game.shape(ty);
            shape.into_iter().flat_map(|shape| shape.keys.into_iter().chain([shape.leaf])).for_each(&mut consider);
        }
        let behind = behind(game, &classes);
        let mut numbers = Self {
            members: vec![Vec::new(); count],
            numbers: vec![FxHashMap::default(); count],
            consts: IdVec::new(),
            vars: IdVec::new(),
            classes,
        };
        for (class, behind) in behind.iter().enumerate() {
            let behind: FxHashSet<Symbol> = behind.iter().copied().collect();
            let listed = types[class].map_or(&[][..], |ty| game.types.members(ty));
            let all: Vec<Symbol> = listed.iter().chain(numbers.classes.members(class)).copied().collect();
            for last in [false, true] {
                for &symbol in all.iter().filter(|symbol| behind.contains(symbol) == last) {
                    let next = numbers.members[class].len() as u32;
                    if let std::collections::hash_map::Entry::Vacant(entry) = numbers.numbers[class].entry(symbol) {
                        entry.insert(next);
                        numbers.members[class].push(symbol);
                    }
                }
            }
        }
        for (class, behind) in behind.iter().enumerate() {
            numbers.arrange(game, class, behind);
        }
        // Constants that variables may be copies of are numbered as these are.
        let keys = |ty: TypeId| {
            let shape = game.shape(ty);
            shape.map(|shape| shape.keys.iter().map(|&key| game.types.resolve(key)).collect::<Vec<_>>())
        };
        let of_vars: FxHashSet<_> = game.vars.values().filter_map(|decl| keys(decl.ty)).collect();
        let many = |ty: TypeId| match keys(ty) {
            Some(keys) if of_vars.contains(&keys) => MAX_INDICES,
            _ => MAX_TABLE,
        };
        let table = |decl: &ConstDecl| numbers.form(game, decl.ty, &decl.value, many(decl.ty));
        numbers.consts = game.consts.values().map(table).collect();
        numbers.vars = game.vars.values().map(|decl| numbers.form(game, decl.ty, &decl.initial, MAX_INDICES)).collect();
        numbers
    }

    /// Numbers a class anew if that makes shifts of more steps. What comes last stays there.
    fn arrange(&mut self, game: &Game, class: Class, behind: &[Symbol]) {
        let Some(numbers) = self.numbers.get(class) else { return };
        let last: FxHashSet<Symbol> = behind.iter().copied().collect();
        let count = self.members(class).iter().filter(|symbol| !last.contains(symbol)).count();
        let mut steps: Vec<Vec<Option<usize>>> = Vec::new();
        for decl in game.consts.values() {
            let Some(shape) = game.shape(decl.ty) else { continue };
            let &[key] = shape.keys.as_slice() else { continue };
            if self.classes.of(game, key) != Some(class) || self.classes.of(game, shape.leaf) != Some(class) {
                continue;
            }
            let Ok(dense) = game.dense(decl.ty, &decl.value) else { continue };
            let mut step = vec![None; count];
            for (symbol, to) in game.types.members(key).iter().zip(&dense.values) {
                let (from, to) = (numbers.get(symbol), numbers.get(to));
                if let (Some(&from), Some(&to)) = (from, to)
                    && let Some(slot) = step.get_mut(from as usize)
                    && from != to
                    && (to as usize) < count
                {
                    *slot = Some(to as usize);
                }
            }
            steps.push(step);
        }
        // Gaps are for what comes last, and cost no words.
        let words = super::sets::words(self.size(class));
        let limit = if behind.is_empty() { count } else { words * 64 - behind.len() };
        let Some(order) = super::order::order(count, limit, &steps) else { return };
        let (Some(members), Some(numbers)) = (self.members.get_mut(class), self.numbers.get_mut(class)) else { return };
        let end = order.iter().max().map_or(0, |last| last + 1);
        let Some(&spare) = members.get(count).or(members.first()) else { return };
        let mut arranged = vec![spare; end];
        for (&symbol, &number) in members.iter().zip(&order) {
            if let Some(slot) = arranged.get_mut(number) {
                *slot = symbol;
            }
        }
        arranged.extend(members.iter().skip(count).copied());
        *numbers = arranged.iter().copied().zip(0..).collect();
        *members = arranged;
    }

    /// The symbols of a class by number. A number that stands for nothing has a symbol of a later number.
    pub(super) fn members(&self, class: Class) -> &[Symbol] {
        self.members.get(class).map_or(&[], |members| members)
    }

    /// By key of a table, the symbols by row. The spare row has an arbitrary symbol.
    pub(super) fn keys(&self, form: &Form) -> Vec<Vec<Symbol>> {
        let keys = form.keys.iter().zip(&form.sizes[..]).enumerate().map(|(at, (&key, &size))| {
            let members = self.members(key);
            let Some(rows) = form.rows.as_ref().and_then(|rows| rows.get(at)) else { return members.to_vec() };
            let mut symbols = members.first().map_or(Vec::new(), |&any| vec![any; size]);
            for (&row, &symbol) in rows.iter().zip(members) {
                put(&mut symbols, row as usize, symbol, "rows are those of the table");
            }
            symbols
        });
        keys.collect()
    }

    /// Number of symbols of a class.
    pub(super) fn size(&self, class: Class) -> usize {
        self.members(class).len()
    }

    /// The number of a symbol.
    pub(super) fn number(&self, class: Class, symbol: Symbol) -> Option<u32> {
        self.numbers.get(class)?.get(&symbol).copied()
    }

    /// Takes keys of a variable at which its value never changes for keys that are not real.
    pub(super) fn forget_constants(&mut self, var: VarId, values: &Values) {
        let Some(Ok(form)) = self.vars.values_mut().nth(var.index()) else { return };
        let (&[key], None) = (&form.keys[..], &form.rows) else { return };
        let keys = self.members.get(key).map_or(&[][..], |members| members);
        let changing = form.real.iter().zip(keys).map(|(&real, &key)| real && !values.is_constant(var, key));
        let changing: Rc<[bool]> = changing.collect();
        if changing.contains(&true) {
            form.real = changing;
        }
    }

    /// The table of a declaration. If it has more than `many` entries, it is numbered by row where that is smaller, and with one key only if
    /// it is [`SPARSE`].
    fn form(&self, game: &Game, ty: TypeId, value: &Value, many: usize) -> Result<Form, Failure> {
        let bad = || Failure::new("a type or value has no table");
        let shape = game.shape(ty).ok_or_else(bad)?;
        let dense = game.dense(ty, value).map_err(|_| bad())?;
        let class = self.classes.of(game, shape.leaf).ok_or_else(bad)?;
        let keys: Option<Vec<Class>> = shape.keys.iter().map(|&key| self.classes.of(game, key)).collect();
        let keys = keys.ok_or_else(bad)?;
        let sizes: Vec<usize> = keys.iter().map(|&key| self.size(key)).collect();
        let total = sizes.iter().try_fold(1usize, |n, &size| n.checked_mul(size)).unwrap_or(usize::MAX);
        // Per key and number: the row of the dense table, the spare one for what is not a key; and whether it is a gap.
        let rows: Vec<Vec<(usize, bool)>> = shape
            .keys
            .iter()
            .zip(&keys)
            .map(|(&ty, &key)| {
                let listed: FxHashMap<Symbol, usize> = game.types.members(ty).iter().copied().zip(0..).collect();
                let row = |symbol: Symbol| listed.get(&symbol).copied().unwrap_or(listed.len());
                let is_gap = |number: u32, symbol: Symbol| self.number(key, symbol) != Some(number);
                (0..).zip(self.members(key)).map(|(i, &symbol)| (row(symbol), is_gap(i, symbol))).collect()
            })
            .collect();
        let sparse = if keys.len() > 1 { dense.values.len() < total } else { dense.values.len() <= total / SPARSE };
        if total > many && sparse && dense.values.len() <= MAX_TABLE {
            return self.form_by_rows(class, keys, &dense, &rows).ok_or_else(bad);
        }
        if total > MAX_TABLE {
            return Err(Failure::new("a map has too many entries"));
        }
        let (mut values, mut real) = (Vec::with_capacity(total), Vec::with_capacity(total));
        for i in 0..total {
            let (mut rest, mut index, mut stride, mut inside) = (i, 0, 1, true);
            for (row, &dim) in rows.iter().zip(&dense.dims).rev() {
                let (at, is_gap) = row[rest % row.len()];
                inside &= at + 1 < dim && !is_gap;
                index += at * stride;
                rest /= row.len();
                stride *= dim;
            }
            let number = dense.values.get(index).and_then(|&symbol| self.number(class, symbol));
            values.push(number.ok_or_else(bad)?);
            real.push(inside);
        }
        Ok(Form { keys: keys.into(), sizes: sizes.into(), rows: None, class, real: real.into(), values: values.into() })
    }

    /// The form whose table is the dense one. `rows` are its rows by key and number.
    fn form_by_rows(&self, class: Class, keys: Vec<Class>, dense: &Dense, rows: &[Vec<(usize, bool)>]) -> Option<Form> {
        let number = |&symbol: &Symbol| self.number(class, symbol);
        let values: Map = dense.values.iter().map(number).collect::<Option<Vec<u32>>>()?.into();
        let is_key = |index: usize| {
            let mut rest = index;
            dense.dims.iter().rev().all(|&dim| {
                let row = rest % dim;
                rest /= dim;
                row + 1 < dim
            })
        };
        let real = (0..values.len()).map(is_key).collect();
        let rows = rows.iter().map(|rows| rows.iter().map(|&(row, _)| row as u32).collect());
        let (keys, sizes) = (keys.into(), dense.dims.as_slice().into());
        Some(Form { keys, sizes, rows: Some(rows.collect()), class, real, values })
    }
}

/// Per class, the symbols that come last.
fn behind(game: &Game, classes: &Classes) -> Vec<Vec<Symbol>> {
    let mut keys: Vec<FxHashSet<Symbol>> = vec![FxHashSet::default(); classes.count()];
    for shape in game.vars.values().filter_map(|decl| game.shape(decl.ty)) {
        for key in shape.keys {
            if let Some(keys) = classes.of(game, key).and_then(|class| keys.get_mut(class)) {
                keys.extend(game.types.members(key));
            }
        }
    }
    let mut behind = sinks(game, classes);
    for (class, (behind, keys)) in behind.iter_mut().zip(keys).enumerate() {
        if !keys.is_empty() {
            let known: FxHashSet<Symbol> = behind.iter().copied().collect();
            let more = classes.members(class).iter().filter(|symbol| !keys.contains(symbol));
            behind.extend(more.filter(|symbol| !known.contains(symbol)));
        }
    }
    behind
}

/// Per class, the symbols that every constant map of the class into itself leaves where they are, if there is such a map.
fn sinks(game: &Game, classes: &Classes) -> Vec<Vec<Symbol>> {
    let mut sinks: Vec<Option<Vec<Symbol>>> = vec![None; classes.count()];
    for decl in game.consts.values() {
        let Some(shape) = game.shape(decl.ty) else { continue };
        let &[key] = shape.keys.as_slice() else { continue };
        let (Some(class), Some(leaf)) = (classes.of(game, key), classes.of(game, shape.leaf)) else { continue };
        if class != leaf {
            continue;
        }
        let Ok(dense) = game.dense(decl.ty, &decl.value) else { continue };
        let listed: FxHashMap<Symbol, usize> = game.types.members(key).iter().copied().zip(0..).collect();
        let image = |symbol: Symbol| {
            let row = listed.get(&symbol).copied().unwrap_or(listed.len());
            dense.values.get(row).copied()
        };
        let fixed = |symbol: &Symbol| image(*symbol) == Some(*symbol);
        let old = sinks[class].take().unwrap_or_else(|| classes.members(class).to_vec());
        sinks[class] = Some(old.into_iter().filter(fixed).collect());
    }
    sinks.into_iter().map(Option::unwrap_or_default).collect()
}

/// The root of an expression and its keys, outermost first, without casts.
pub(super) fn path(game: &Game, expr: ExprId) -> (Expr, Vec<ExprId>) {
    let (mut at, mut keys) = (expr, Vec::new());
    loop {
        match game.exprs.get(at) {
            Expr::Access(map, key) => {
                keys.push(key);
                at = map;
            }
            Expr::Cast(_, inner) => at = inner,
            root => {
                keys.reverse();
                return (root, keys);
            }
        }
    }
}
