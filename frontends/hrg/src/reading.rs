//! Which values the expressions of a game may have, and sets of values.

use rg_ir::check::{Ty, expr_type};
use rg_ir::{Expr, ExprId, Game, Symbol, TypeId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What is known of the values of some expressions: nothing, or all that they may have.
pub(crate) type Known<'k> = dyn Fn(ExprId) -> Option<Vec<Symbol>> + 'k;

/// What stands in a table, by key.
type Index<'g> = FxHashMap<Symbol, &'g Value>;

/// The expressions of a game, to be read.
pub(crate) struct Reading<'g> {
    pub(crate) game: &'g Game,
    /// By the address of a table.
    indices: RefCell<FxHashMap<*const Value, Rc<Index<'g>>>>,
    /// Keys that were looked up in tables.
    lookups: Cell<usize>,
}

impl<'g> Reading<'g> {
    pub(crate) fn new(game: &'g Game) -> Self {
        Self { game, indices: RefCell::default(), lookups: Cell::default() }
    }

    /// How many keys were looked up in tables.
    pub(crate) fn lookups(&self) -> usize {
        self.lookups.get()
    }

    /// What stands in a table, by key. Linear in the table when it is first asked for.
    fn index(&self, table: &'g Value) -> Option<Rc<Index<'g>>> {
        let Value::Map(map) = table else { return None };
        let make = || {
            let mut index = Index::default();
            for (key, value) in &map.entries {
                if let Some(key) = *key {
                    index.entry(key).or_insert(value);
                }
            }
            Rc::new(index)
        };
        Some(self.indices.borrow_mut().entry(std::ptr::from_ref(table)).or_insert_with(make).clone())
    }

    /// Whether a variable is in an expression. Linear in it.
    pub(crate) fn has(&self, expr: ExprId, variable: VarId) -> bool {
        let mut has = false;
        self.game.exprs.preorder(expr, |_, part| has |= part == Expr::Var(variable));
        has
    }

    /// The type of an expression whose values are symbols; `None` for maps, and for single symbols.
    pub(crate) fn set_type(&self, expr: ExprId) -> Option<TypeId> {
        match expr_type(self.game, expr)? {
            Ty::Type(ty) => self.game.types.is_set(ty).then_some(ty),
            Ty::Symbol(_) => None,
        }
    }

    /// The values that the type of an expression has.
    pub(crate) fn members(&self, expr: ExprId) -> Vec<Symbol> {
        match expr_type(self.game, expr) {
            Some(Ty::Symbol(symbol)) => vec![symbol],
            Some(Ty::Type(ty)) => self.game.types.members(ty).to_vec(),
            None => Vec::new(),
        }
    }

    /// The values that an expression may have before anything is assigned.
    pub(crate) fn initial(&self, expr: ExprId) -> Vec<Symbol> {
        let value = match self.game.exprs.get(expr) {
            Expr::Var(variable) => self.game.vars.get(variable).map(|variable| &variable.initial),
            _ => None,
        };
        match value.and_then(|value| self.resolved(value)) {
            Some(Value::Symbol(symbol)) => vec![*symbol],
            _ => self.members(expr),
        }
    }

    /// The values that an expression may have, given those of some of its parts: at most those of its type, and of the tables it is read from. Linear in
    /// the values of its parts, once the tables are indexed.
    pub(crate) fn possible(&self, expr: ExprId, known: &Known<'_>) -> Vec<Symbol> {
        if let Some(values) = known(expr) {
            return values;
        }
        // The parts, the innermost first; an access reads its map, which has no values of its own.
        let Expr::Access(map, key) = self.game.exprs.get(expr) else { return self.members(expr) };
        let keys = self.possible(key, known);
        self.results(map, known, &keys).unwrap_or_else(|| self.members(expr))
    }

    /// What a map that is read from tables gives for some keys: `None` if it depends on a variable, or if it is a map again.
    pub(crate) fn results(&self, map: ExprId, known: &Known<'_>, keys: &[Symbol]) -> Option<Vec<Symbol>> {
        let tables = self.tables(map, known)?;
        let mut values: Vec<Symbol> = Vec::new();
        for result in tables.into_iter().flat_map(|table| self.entries(table, keys)) {
            let Value::Symbol(value) = result else { return None };
            values.push(*value);
        }
        values.sort_unstable();
        values.dedup();
        Some(values)
    }

    /// The tables that a map may be.
    fn tables(&self, map: ExprId, known: &Known<'_>) -> Option<Vec<&'g Value>> {
        match self.game.exprs.get(map) {
            Expr::Const(id) => Some(vec![self.resolved(&self.game.consts.get(id)?.value)?]),
            Expr::Access(outer, key) => {
                let keys = self.possible(key, known);
                let outer = self.tables(outer, known)?;
                Some(outer.into_iter().flat_map(|table| self.entries(table, &keys)).collect())
            }
            Expr::Var(_) | Expr::Symbol(_) | Expr::Cast(..) => None,
        }
    }

    /// What stands in a table under some keys, each only once.
    fn entries(&self, table: &'g Value, keys: &[Symbol]) -> Vec<&'g Value> {
        let Value::Map(map) = table else { return Vec::new() };
        let Some(index) = self.index(table) else { return Vec::new() };
        self.lookups.set(self.lookups.get().saturating_add(keys.len()));
        let default = || map.default_value();
        let of = |key: &Symbol| self.resolved(index.get(key).copied().or_else(default)?);
        let mut found: Vec<&Value> = keys.iter().filter_map(of).collect();
        let mut seen = FxHashSet::default();
        found.retain(|value| seen.insert(std::ptr::from_ref::<Value>(value)));
        found
    }

    /// A value that is not the name of another one.
    fn resolved<'v>(&self, mut value: &'v Value) -> Option<&'v Value>
    where
        'g: 'v,
    {
        // Constants do not depend on themselves; if they did, all of them would have been seen.
        for _ in 0..=self.game.consts.len() {
            match value {
                Value::Const(id) => value = &self.game.consts.get(*id)?.value,
                _ => return Some(value),
            }
        }
        None
    }
}

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Set(Box<[u64]>);

impl Set {
    /// The words of a set of numbers below a bound.
    pub(crate) fn words(bound: usize) -> usize {
        bound.div_ceil(64)
    }

    /// The set of these numbers, which are below a bound.
    pub(crate) fn of(bound: usize, numbers: impl Iterator<Item = usize>) -> Self {
        let mut words = vec![0_u64; Self::words(bound)];
        for number in numbers {
            if let Some(word) = words.get_mut(number / 64) {
                *word |= 1 << (number % 64);
            }
        }
        Self(words.into())
    }

    /// Whether a number is in it.
    pub(crate) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// What is in it, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&number| self.has(number))
    }

    /// Adds what is in another one. Whether something is new.
    pub(crate) fn add_all(&mut self, other: &Self) -> bool {
        let mut is_new = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            is_new |= more & !*word != 0;
            *word |= more;
        }
        is_new
    }

    /// Removes what is not in another one. Whether something is gone.
    pub(crate) fn keep(&mut self, other: &Self) -> bool {
        self.mask(&other.0, |word| word)
    }

    /// Removes what is in another one. Whether something is gone.
    pub(crate) fn remove_all(&mut self, other: &Self) -> bool {
        self.mask(&other.0, |word: u64| !word)
    }

    fn mask(&mut self, other: &[u64], of: impl Fn(u64) -> u64) -> bool {
        let mut is_less = false;
        for (word, other) in self.0.iter_mut().zip(other) {
            let kept = *word & of(*other);
            is_less |= kept != *word;
            *word = kept;
        }
        is_less
    }
}
