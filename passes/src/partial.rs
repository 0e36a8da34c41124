//! Expressions where the values of only some variables are known.

use crate::effects;
use crate::tables::Tables;
use rg_ir::{Expr, ExprId, Game, Label, Symbol, TypeId, VarId};
use rustc_hash::FxHashMap;

/// Values at most of a variable that is followed.
const MAX_VALUES: usize = 400;
/// Variables at most that are followed: they have a bit each in sets of them.
const MAX_TRACKED: usize = 64;

/// The values of the variables that are followed, in their order; `None` where nothing is known.
pub(crate) type Values = Box<[Option<Symbol>]>;

/// What an expression is.
pub(crate) enum Value {
    Known(Symbol),
    Unknown,
    /// It could be told if this variable was known.
    Depends(usize),
    /// It could be told if this entry of a map was known; only where entries are followed.
    Entry(Entry),
}

/// An entry of a variable that is a map: the variable, and the keys.
pub(crate) type Entry = (VarId, Box<[Symbol]>);

/// What is known of a comparison.
pub(crate) enum Compared {
    Fails,
    /// It may hold; these are the values then.
    May(Values),
    /// It could be told if this variable was known.
    Depends(usize),
}

/// The variables of a game that are followed.
pub(crate) struct Partial<'g> {
    game: &'g Game,
    pub(crate) tables: Tables,
    tracked: Vec<VarId>,
    /// By variable, its place in `tracked`.
    places: FxHashMap<VarId, usize>,
}

impl<'g> Partial<'g> {
    /// Follows these variables, and those that their values are computed from, as far as they have few values.
    pub(crate) fn new(game: &'g Game, first: impl IntoIterator<Item = VarId>) -> Self {
        let tracked = tracked(game, first);
        let places: FxHashMap<VarId, usize> = tracked.iter().enumerate().map(|(at, &var)| (var, at)).collect();
        Self { game, tables: Tables::default(), tracked, places }
    }

    pub(crate) fn tracked(&self) -> &[VarId] {
        &self.tracked
    }

    /// The place of a variable, if it is followed.
    pub(crate) fn place(&self, var: VarId) -> Option<usize> {
        self.places.get(&var).copied()
    }

    /// Values of which nothing is known.
    pub(crate) fn blank(&self) -> Values {
        vec![None; self.tracked.len()].into()
    }

    /// The values of keys, the last one first; else what keeps them from being known.
    fn symbols(
        &self,
        values: &Values,
        entries: Option<&[(Entry, Symbol)]>,
        keys: &[ExprId],
    ) -> Result<Vec<Symbol>, Value> {
        let value = |&key: &ExprId| match self.look_up(values, entries, key) {
            Value::Known(symbol) => Ok(symbol),
            Value::Unknown => Err(self.single(key).map_or(Value::Unknown, Value::Depends)),
            depends => Err(depends),
        };
        keys.iter().rev().map(value).collect()
    }

    /// What a comparison comes to, and what follows of it if it holds.
    pub(crate) fn compare(&self, values: &Values, (lhs, rhs, negated): (ExprId, ExprId, bool)) -> Compared {
        match (self.value(values, lhs), self.value(values, rhs)) {
            (Value::Known(one), Value::Known(other)) if (one == other) == negated => return Compared::Fails,
            (Value::Depends(place), _) | (_, Value::Depends(place)) => return Compared::Depends(place),
            (Value::Known(value), Value::Unknown) | (Value::Unknown, Value::Known(value)) if !negated => {
                let variable = [lhs, rhs].into_iter().find_map(|side| self.single(side));
                if let Some(place) = variable {
                    if !self.members(place).contains(&value) {
                        return Compared::Fails;
                    }
                    return Compared::May(with(values, Some(place), Some(value)));
                }
            }
            _ => {}
        }
        Compared::May(values.clone())
    }

    /// The place of the variable that an expression is, if its value is followed and not known.
    pub(crate) fn single(&self, expr: ExprId) -> Option<usize> {
        match self.game.exprs.get(expr) {
            Expr::Var(var) => self.places.get(&var).copied(),
            Expr::Cast(_, inner) => self.single(inner),
            _ => None,
        }
    }

    pub(crate) fn members(&self, place: usize) -> &'g [Symbol] {
        let var = self.tracked.get(place).and_then(|&var| self.game.vars.get(var));
        var.map_or(&[], |var| self.game.types.members(var.ty))
    }

    pub(crate) fn has_type(&self, place: usize, ty: TypeId) -> bool {
        let var = self.tracked.get(place).and_then(|&var| self.game.vars.get(var));
        var.is_some_and(|var| self.game.types.subset(var.ty, ty))
    }

    /// The value of an expression as far as it is known; entries of variables are not. Expressions nest as deep as the checks allow.
    pub(crate) fn value(&self, values: &Values, expr: ExprId) -> Value {
        self.look_up(values, None, expr)
    }

    /// As [`Partial::value`], where some entries of variables are known.
    pub(crate) fn value_with(&self, values: &Values, entries: &[(Entry, Symbol)], expr: ExprId) -> Value {
        self.look_up(values, Some(entries), expr)
    }

    fn look_up(&self, values: &Values, entries: Option<&[(Entry, Symbol)]>, expr: ExprId) -> Value {
        let (mut at, mut keys) = (expr, Vec::new());
        loop {
            match self.game.exprs.get(at) {
                Expr::Cast(_, inner) => at = inner,
                Expr::Access(map, key) => {
                    keys.push(key);
                    at = map;
                }
                Expr::Symbol(symbol) if keys.is_empty() => return Value::Known(symbol),
                Expr::Var(var) if keys.is_empty() => {
                    let known = self.places.get(&var).and_then(|&place| values.get(place).copied().flatten());
                    return known.map_or(Value::Unknown, Value::Known);
                }
                Expr::Const(id) => {
                    // Before its keys: without a table, it would not help to know them.
                    let Some(table) = self.tables.constant(self.game, id) else { return Value::Unknown };
                    let symbols = match self.symbols(values, entries, &keys) {
                        Ok(symbols) => symbols,
                        Err(unknown) => return unknown,
                    };
                    return table.get(&symbols).map_or(Value::Unknown, Value::Known);
                }
                Expr::Var(var) => {
                    let Some(known) = entries else { return Value::Unknown };
                    let entry: Entry = match self.symbols(values, entries, &keys) {
                        Ok(symbols) => (var, symbols.into()),
                        Err(unknown) => return unknown,
                    };
                    let known = known.iter().find(|(known, _)| *known == entry).map(|(_, value)| *value);
                    return known.map_or(Value::Entry(entry), Value::Known);
                }
                Expr::Symbol(_) => return Value::Unknown,
            }
        }
    }
}

/// Values with another one at a place.
pub(crate) fn with(values: &Values, place: Option<usize>, value: Option<Symbol>) -> Values {
    let mut values = values.clone();
    if let Some(slot) = place.and_then(|place| values.get_mut(place)) {
        *slot = value;
    }
    values
}

/// These variables, and those that their values are computed from, as far as they have few values.
fn tracked(game: &Game, first: impl IntoIterator<Item = VarId>) -> Vec<VarId> {
    let is_small =
        |var: VarId| game.vars.get(var).is_some_and(|var| (1..=MAX_VALUES).contains(&game.types.members(var.ty).len()));
    let mut tracked: Vec<VarId> = Vec::new();
    let add = |var: VarId, tracked: &mut Vec<VarId>| {
        let is_new = tracked.len() < MAX_TRACKED && is_small(var) && !tracked.contains(&var);
        if is_new {
            tracked.push(var);
        }
        is_new
    };
    for var in first {
        add(var, &mut tracked);
    }
    let mut grows = !tracked.is_empty();
    while grows {
        grows = false;
        for (_, edge) in game.automaton.edges() {
            let writes = effects::write(game, &edge.label).is_some_and(|write| tracked.contains(&write.var));
            if let Label::Assign { rhs, .. } = edge.label
                && writes
            {
                effects::variables(game, rhs, &mut |var| grows |= add(var, &mut tracked));
            }
        }
    }
    tracked
}
