//! Expressions on a lane.

use super::lane::{Lane, Store, Val};
use super::numbers::{Form, path};
use super::sets::{Map, Set, compose};
use super::{Failure, Lifter};
use passes::analysis::classes::Class;
use rg_ir::ids::Id;
use rg_ir::invariant::Invariant;
use rg_ir::{Expr, ExprId, VarId};
use rustc_hash::FxHashMap;
use wir::{Op, Reg};

/// Why an expression has no value yet.
#[derive(Debug)]
pub(super) enum Stop {
    /// The choice has to be made first.
    Choose,
    /// The lane has to be split by the value of this expression: a map's entry, or what constant maps make of it.
    Split(ExprId),
    /// There is no way.
    Fail(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Fail(failure)
    }
}

pub(super) fn fail<T>(reason: &'static str) -> Result<T, Stop> {
    Err(Stop::Fail(Failure::new(reason)))
}

/// Values that take the place of expressions.
pub(super) type Known = FxHashMap<ExprId, Val>;

/// When a test holds.
pub(super) enum Condition {
    /// A truth value.
    Truth(Reg),
    /// For these choices.
    Choices(Set),
}

impl Lifter<'_> {
    /// The class of an expression's value; `None` for a bare symbol.
    pub(super) fn class_of(&self, expr: ExprId) -> Result<Option<Class>, Stop> {
        let form = match path(self.game, expr).0 {
            Expr::Const(id) => self.known.numbers.consts.get(id),
            Expr::Var(id) => self.known.numbers.vars.get(id),
            _ => return Ok(None),
        };
        match form {
            Some(Ok(form)) => Ok(Some(form.class)),
            Some(Err(failure)) => Err(Stop::Fail(failure.clone())),
            None => fail("an unknown declaration is used"),
        }
    }

    /// Number of words of sets of choices.
    pub(super) fn choice_words(lane: &Lane) -> usize {
        lane.generator.as_ref().map_or(0, |generator| generator.set.len())
    }

    /// An index from keys: `Σ key · stride`.
    pub(super) fn index(&mut self, keys: &[Val], sizes: &[usize]) -> Result<Val, Stop> {
        if let [key] = keys {
            return Ok(key.clone());
        }
        let domain = keys.iter().find_map(|key| if let Val::Gen(map) = key { Some(map.len()) } else { None });
        if let Some(domain) = domain {
            let mut map = vec![0u32; domain];
            for (key, &size) in keys.iter().zip(sizes) {
                for (x, at) in map.iter_mut().enumerate() {
                    let position = match key {
                        Val::Const(value) => *value,
                        Val::Gen(map) => map.get(x).copied().invariant_or(0, "keys of one index have one domain"),
                        Val::Reg(_) => return Err(Stop::Choose),
                    };
                    *at = *at * size as u32 + position;
                }
            }
            return Ok(Val::generated(map.into()));
        }
        let mut constant = Some(0u32);
        let mut sum = self.function.builder.constant(0);
        for (key, &size) in keys.iter().zip(sizes) {
            constant = match (constant, key) {
                (Some(sum), Val::Const(value)) => Some(sum * size as u32 + value),
                _ => None,
            };
            let Some(key) = key.reg(&mut self.function.builder) else { return Err(Stop::Choose) };
            let size = self.function.builder.constant(size as u64);
            let scaled = self.function.builder.op(Op::Mul(sum, size));
            sum = self.function.builder.op(Op::Add(scaled, key));
        }
        Ok(constant.map_or(Val::Reg(sum), Val::Const))
    }

    /// The entry of a map behind an expression by whose value lanes are split, and that value per value of the entry.
    pub(super) fn behind(&self, mut expr: ExprId) -> Option<(VarId, Vec<ExprId>, Map)> {
        let mut tables: Vec<Map> = Vec::new();
        loop {
            match path(self.game, expr) {
                (Expr::Var(var), keys) => {
                    let class = self.known.numbers.vars.get(var)?.as_ref().ok()?.class;
                    let identity: Map = (0..self.known.numbers.size(class) as u32).collect();
                    return Some((
                        var,
                        keys,
                        tables.iter().rev().fold(identity, |inner, outer| compose(outer, &inner)),
                    ));
                }
                (Expr::Const(id), keys) => {
                    let &[key] = &keys[..] else { return None };
                    tables.push(self.known.numbers.consts.get(id)?.as_ref().ok()?.by_number()?);
                    expr = key;
                }
                _ => return None,
            }
        }
    }

    fn keys(&mut self, lane: &Lane, keys: &[ExprId], classes: &[Class], known: &Known) -> Result<Vec<Val>, Stop> {
        let mut values = Vec::with_capacity(keys.len());
        for (&key, &class) in keys.iter().zip(classes) {
            match self.value(lane, key, class, known)? {
                Some(value) => values.push(value),
                None => return fail("a key is not a value of its class"),
            }
        }
        Ok(values)
    }

    /// The value of an expression as a number of `class`; `None` for a symbol that the class does not have.
    pub(super) fn value(
        &mut self,
        lane: &Lane,
        expr: ExprId,
        class: Class,
        known: &Known,
    ) -> Result<Option<Val>, Stop> {
        if let Some(value) = known.get(&expr) {
            if let Val::Const(value) = value {
                self.function.folded.push((expr, *value));
            }
            return Ok(Some(value.clone()));
        }
        let (root, keys) = path(self.game, expr);
        match root {
            Expr::Symbol(symbol) => Ok(self.known.numbers.number(class, symbol).map(Val::Const)),
            Expr::Const(id) => {
                let form = match self.known.numbers.consts.get(id) {
                    Some(Ok(form)) => form.clone(),
                    Some(Err(failure)) => return Err(Stop::Fail(failure.clone())),
                    None => return fail("an unknown declaration is used"),
                };
                if keys.len() != form.keys.len() {
                    return fail("a whole map is used");
                }
                if keys.is_empty() {
                    return Ok(form.values.first().copied().map(Val::Const));
                }
                if let Some(value) = self.grouped(lane, expr, known) {
                    return Ok(Some(value));
                }
                let keys = match (self.keys(lane, &keys, &form.keys, known), &keys[..]) {
                    // It matters only what this map makes of the entry.
                    (Err(Stop::Split(inner)), &[key]) if path(self.game, inner) == path(self.game, key) => {
                        return Err(Stop::Split(expr));
                    }
                    (keys, _) => self.rows(&form, keys?),
                };
                if let Some((column, key)) = form.column(&keys) {
                    return Ok(Some(self.looked_up(&column, key)));
                }
                let index = self.index(&keys, &form.sizes)?;
                Ok(Some(self.looked_up(&form.values, &index)))
            }
            Expr::Var(id) => {
                let (index, _) = self.place(lane, id, &keys, known)?;
                self.read(lane, id, index, expr).map(Some)
            }
            Expr::Access(..) | Expr::Cast(..) => fail("an expression has no root"),
        }
    }

    /// What constant maps make of an entry of a map as sets, at a place that is no choice: whether it is one of the values
    /// that they take to the same is one question. `None` if it is something else.
    fn grouped(&mut self, lane: &Lane, expr: ExprId, known: &Known) -> Option<Val> {
        let (var, keys, outcomes) = self.behind(expr)?;
        let Some(Store::Sets(sets)) = lane.vars.get(var.index()) else { return None };
        if !known.is_empty() || !sets.pending.is_empty() {
            return None;
        }
        let sets = sets.of.clone();
        let Ok((Some(Val::Reg(index)), _)) = self.place(lane, var, &keys, known) else { return None };
        if self.function.builder.constant_of(index).is_some() || lane.known(var, &Val::Reg(index)).is_some() {
            return None;
        }
        let size = self.length(var);
        let since = self.questions();
        self.record(lane, var, &Val::Reg(index), &Val::Reg(index));
        self.record_negation(since);
        let outcome = |value: usize| outcomes.get(value).copied().invariant_or(0, "every value has an outcome");
        let mut result = self.function.builder.constant(u64::from(outcome(0)));
        let mut done = vec![outcome(0)];
        for value in 0..sets.len() {
            let outcome_here = outcome(value);
            if done.contains(&outcome_here) {
                continue;
            }
            done.push(outcome_here);
            let empty = self.function.builder.constant_set(0, []);
            let alike = sets.iter().enumerate().filter(|&(other, _)| outcome(other) == outcome_here);
            let all = alike.fold(empty, |all, (_, set)| self.function.builder.either(&all, set));
            let here = self.function.builder.contains(&all, index, size);
            let number = self.function.builder.constant(u64::from(outcome_here));
            result = self.function.builder.op(Op::Select(here, number, result));
        }
        Some(match self.function.builder.constant_of(result) {
            Some(value) => Val::Const(value as u32),
            None => Val::Reg(result),
        })
    }

    /// How many entries a map that is kept as sets has.
    pub(super) fn length(&self, var: VarId) -> usize {
        let form = self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        form.map(|form| form.len()).invariant_or(0, "a map of sets has a form")
    }

    /// The entry of a constant table.
    pub(super) fn looked_up(&mut self, values: &Map, index: &Val) -> Val {
        match index {
            Val::Const(index) => {
                Val::Const(values.get(*index as usize).copied().invariant_or(0, "an index is in its table"))
            }
            Val::Gen(map) => Val::generated(compose(values, map)),
            Val::Reg(reg) => {
                if let Some(index) = self.function.builder.constant_of(*reg) {
                    return Val::Const(values.get(index as usize).copied().invariant_or(0, "an index is in its table"));
                }
                match values.split_first() {
                    Some((first, rest)) if rest.iter().all(|x| x == first) => return Val::Const(*first),
                    _ if values.iter().zip(0..).all(|(&value, index)| value == index) => return index.clone(),
                    _ => {}
                }
                self.entry(values, *reg)
            }
        }
    }

    /// The index of an access to a variable (`None` for a single value), and the class of the values.
    pub(super) fn place(
        &mut self,
        lane: &Lane,
        var: VarId,
        keys: &[ExprId],
        known: &Known,
    ) -> Result<(Option<Val>, Class), Stop> {
        let form = match self.known.numbers.vars.get(var) {
            Some(Ok(form)) => form.clone(),
            Some(Err(failure)) => return Err(Stop::Fail(failure.clone())),
            None => return fail("an unknown declaration is used"),
        };
        if keys.len() != form.keys.len() {
            return fail("a whole map is used");
        }
        if keys.is_empty() {
            return Ok((None, form.class));
        }
        let keys = self.keys(lane, keys, &form.keys, known)?;
        let keys = self.rows(&form, keys);
        Ok((Some(self.index(&keys, &form.sizes)?), form.class))
    }

    /// The rows of a table that the first of its keys are.
    pub(super) fn rows(&mut self, form: &Form, keys: Vec<Val>) -> Vec<Val> {
        let Some(rows) = &form.rows else { return keys };
        keys.iter().zip(rows.iter()).map(|(key, rows)| self.looked_up(rows, key)).collect()
    }

    fn read(&mut self, lane: &Lane, var: VarId, index: Option<Val>, expr: ExprId) -> Result<Val, Stop> {
        match (lane.vars.get(var.index()), index) {
            (Some(Store::Scalar(value)), None) => Ok(value.clone()),
            (Some(Store::Cells(cells)), Some(Val::Const(index))) => match cells.get(index as usize) {
                Some(value) => Ok(value.clone()),
                None => fail("an index is too large"),
            },
            (Some(Store::Cells(_)), Some(Val::Gen(_))) => Err(Stop::Choose),
            (Some(Store::Cells(cells)), Some(Val::Reg(index))) => {
                let mut result = self.function.builder.constant(0);
                for (i, cell) in cells.iter().enumerate() {
                    let Some(value) = cell.reg(&mut self.function.builder) else { return Err(Stop::Choose) };
                    let i = self.function.builder.constant(i as u64);
                    let here = self.function.builder.op(Op::Eq(index, i));
                    result = self.function.builder.op(Op::Select(here, value, result));
                }
                Ok(Val::Reg(result))
            }
            (Some(Store::Sets(sets)), Some(index)) => {
                if let Some(known) = lane.known(var, &index) {
                    self.function.folded.push((expr, known));
                    return Ok(Val::Const(known));
                }
                if matches!(index, Val::Gen(_)) {
                    return Err(Stop::Split(expr));
                }
                if !sets.pending.is_empty() {
                    return Err(Stop::Choose);
                }
                let size = self.length(var);
                let Some(index) = index.reg(&mut self.function.builder) else { return Err(Stop::Choose) };
                let since = self.questions();
                self.record(lane, var, &Val::Reg(index), &Val::Reg(index));
                self.record_negation(since);
                let mut result = self.function.builder.constant(0);
                for (value, set) in sets.of.iter().enumerate().skip(1) {
                    let here = self.function.builder.contains(set, index, size);
                    let mask = self.function.builder.splat(here);
                    let value = self.function.builder.constant(value as u64);
                    let part = self.function.builder.and(mask, value);
                    result = self.function.builder.or(result, part);
                }
                Ok(Val::Reg(result))
            }
            _ => fail("a variable has no value here"),
        }
    }
}
