//! Expressions, tests and writes on a lane.

use super::lane::{Fact, Lane, Sets, Store, Val};
use super::numbers::path;
use super::sets::{Map, Set, compose};
use super::{Failure, Lifter};
use crate::ir::{Op, Reg};
use crate::program::classes::Class;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Why an expression has no value yet.
#[derive(Debug)]
pub(super) enum Stop {
    /// The choice has to be made first.
    Choose,
    /// The lane has to be split by the value that the map at this expression has.
    Split(ExprId),
    /// There is no way.
    Fail(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Fail(failure)
    }
}

fn fail<T>(reason: &'static str) -> Result<T, Stop> {
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
            Expr::Const(id) => self.numbers.consts.get(id),
            Expr::Var(id) => self.numbers.vars.get(id),
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
    fn index(&mut self, keys: &[Val], sizes: &[usize]) -> Result<Val, Stop> {
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
                        Val::Gen(map) => map.get(x).copied().unwrap_or(0),
                        Val::Reg(_) => return Err(Stop::Choose),
                    };
                    *at = *at * size as u32 + position;
                }
            }
            return Ok(Val::generated(map.into()));
        }
        let mut constant = Some(0u32);
        let mut sum = self.builder.constant(0);
        for (key, &size) in keys.iter().zip(sizes) {
            constant = match (constant, key) {
                (Some(sum), Val::Const(value)) => Some(sum * size as u32 + value),
                _ => None,
            };
            let Some(key) = key.reg(&mut self.builder) else { return Err(Stop::Choose) };
            let size = self.builder.constant(size as u64);
            let scaled = self.builder.op(Op::Mul(sum, size));
            sum = self.builder.op(Op::Add(scaled, key));
        }
        Ok(constant.map_or(Val::Reg(sum), Val::Const))
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
            return Ok(Some(value.clone()));
        }
        let (root, keys) = path(self.game, expr);
        match root {
            Expr::Symbol(symbol) => Ok(self.numbers.number(class, symbol).map(Val::Const)),
            Expr::Const(id) => {
                let form = match self.numbers.consts.get(id) {
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
                let keys = self.keys(lane, &keys, &form.keys, known)?;
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

    /// The entry of a constant table.
    pub(super) fn looked_up(&mut self, values: &Map, index: &Val) -> Val {
        match index {
            Val::Const(index) => Val::Const(values.get(*index as usize).copied().unwrap_or(0)),
            Val::Gen(map) => Val::generated(compose(values, map)),
            Val::Reg(reg) => {
                if let Some(index) = self.builder.constant_of(*reg) {
                    return Val::Const(values.get(index as usize).copied().unwrap_or(0));
                }
                match values.split_first() {
                    Some((first, rest)) if rest.iter().all(|x| x == first) => return Val::Const(*first),
                    _ if values.iter().zip(0..).all(|(&value, index)| value == index) => return index.clone(),
                    _ => {}
                }
                let entries = values.iter().map(|&value| u64::from(value)).collect();
                let table = self.tables.number(&mut self.program, entries);
                Val::Reg(self.builder.op(Op::Table(table, *reg)))
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
        let (classes, sizes, class) = match self.numbers.vars.get(var) {
            Some(Ok(form)) => (form.keys.clone(), form.sizes.clone(), form.class),
            Some(Err(failure)) => return Err(Stop::Fail(failure.clone())),
            None => return fail("an unknown declaration is used"),
        };
        if keys.len() != classes.len() {
            return fail("a whole map is used");
        }
        if keys.is_empty() {
            return Ok((None, class));
        }
        let keys = self.keys(lane, keys, &classes, known)?;
        Ok((Some(self.index(&keys, &sizes)?), class))
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
                let mut result = self.builder.constant(0);
                for (i, cell) in cells.iter().enumerate() {
                    let Some(value) = cell.reg(&mut self.builder) else { return Err(Stop::Choose) };
                    let i = self.builder.constant(i as u64);
                    let here = self.builder.op(Op::Eq(index, i));
                    result = self.builder.op(Op::Select(here, value, result));
                }
                Ok(Val::Reg(result))
            }
            (Some(Store::Sets(_)), Some(Val::Gen(_))) => Err(Stop::Split(expr)),
            (Some(Store::Sets(sets)), Some(index)) => {
                if !sets.pending.is_empty() {
                    return Err(Stop::Choose);
                }
                if let Some(fact) = lane.facts.iter().find(|fact| fact.var == var && fact.index == index) {
                    return Ok(Val::Const(fact.value));
                }
                let size = self.numbers.vars.get(var).and_then(|form| form.as_ref().ok()).map_or(0, |form| form.len());
                let Some(index) = index.reg(&mut self.builder) else { return Err(Stop::Choose) };
                let mut result = self.builder.constant(0);
                for (value, set) in sets.of.iter().enumerate().skip(1) {
                    let here = self.builder.contains(set, index, size);
                    let mask = self.builder.splat(here);
                    let value = self.builder.constant(value as u64);
                    let part = self.builder.and(mask, value);
                    result = self.builder.or(result, part);
                }
                Ok(Val::Reg(result))
            }
            _ => fail("a variable has no value here"),
        }
    }

    /// Whether `lhs == rhs`, and what that establishes.
    pub(super) fn equal(
        &mut self,
        lane: &Lane,
        lhs: ExprId,
        rhs: ExprId,
        known: &Known,
    ) -> Result<(Condition, Option<Fact>), Stop> {
        let class = match self.class_of(lhs)? {
            Some(class) => Some(class),
            None => self.class_of(rhs)?,
        };
        let Some(class) = class else {
            let same = path(self.game, lhs).0 == path(self.game, rhs).0;
            return Ok((Condition::Truth(self.builder.constant(u64::from(same))), None));
        };
        // A map as sets answers best when asked for one value.
        for (map, other) in [(lhs, rhs), (rhs, lhs)] {
            let (root, keys) = path(self.game, map);
            let Expr::Var(var) = root else { continue };
            if known.contains_key(&map) || !matches!(lane.vars.get(var.index()), Some(Store::Sets(_))) {
                continue;
            }
            let Some(value) = self.value(lane, other, class, known)? else {
                return Ok((Condition::Truth(self.builder.constant(0)), None));
            };
            let (Some(index), _) = self.place(lane, var, &keys, known)? else { continue };
            let condition = self.holds(lane, var, &index, &value)?;
            let fact = match value {
                Val::Const(value) => Some(Fact { var, index, value }),
                _ => None,
            };
            return Ok((condition, fact));
        }
        let (a, b) = (self.value(lane, lhs, class, known)?, self.value(lane, rhs, class, known)?);
        let (Some(a), Some(b)) = (a, b) else {
            return Ok((Condition::Truth(self.builder.constant(0)), None));
        };
        Ok((self.same_value(lane, &a, &b)?, None))
    }

    fn same_value(&mut self, lane: &Lane, a: &Val, b: &Val) -> Result<Condition, Stop> {
        let words = Self::choice_words(lane);
        let elements = |test: &dyn Fn(usize) -> bool, len: usize| (0..len).filter(|&x| test(x)).collect::<Vec<_>>();
        Ok(match (a, b) {
            (Val::Gen(f), Val::Gen(g)) => {
                let same = elements(&|x| f.get(x) == g.get(x), f.len());
                Condition::Choices(self.builder.constant_set(words, same))
            }
            (Val::Gen(f), Val::Const(c)) | (Val::Const(c), Val::Gen(f)) => {
                let same = elements(&|x| f.get(x) == Some(c), f.len());
                Condition::Choices(self.builder.constant_set(words, same))
            }
            (Val::Gen(f), Val::Reg(reg)) | (Val::Reg(reg), Val::Gen(f)) => {
                let mut result = self.builder.constant_set(words, []);
                let mut values: Vec<u32> = f.to_vec();
                values.sort_unstable();
                values.dedup();
                let identity = f.iter().zip(0..).all(|(&y, x)| y == x);
                if identity {
                    return Ok(Condition::Choices(self.builder.singleton(*reg, words)));
                }
                if values.len() > 8 {
                    return Err(Stop::Choose);
                }
                for value in values {
                    let same = elements(&|x| f.get(x) == Some(&value), f.len());
                    let mask = self.builder.constant_set(words, same);
                    let value = self.builder.constant(u64::from(value));
                    let here = self.builder.op(Op::Eq(*reg, value));
                    let part = self.builder.when(here, &mask);
                    result = self.builder.either(&result, &part);
                }
                Condition::Choices(result)
            }
            _ => {
                let (Some(a), Some(b)) = (a.reg(&mut self.builder), b.reg(&mut self.builder)) else {
                    return Err(Stop::Choose);
                };
                let (a, b) = if self.builder.constant_of(a).is_some() { (b, a) } else { (a, b) };
                Condition::Truth(self.builder.op(Op::Eq(a, b)))
            }
        })
    }

    /// The indices at which a map has a value.
    fn where_equal(&mut self, sets: &Sets, value: &Val, words: usize) -> Option<Set> {
        match value {
            Val::Const(value) => {
                let empty = self.builder.constant_set(words, []);
                Some(sets.of.get(*value as usize).cloned().unwrap_or(empty))
            }
            Val::Reg(reg) => {
                let mut result = self.builder.constant_set(words, []);
                for (value, set) in sets.of.iter().enumerate() {
                    if self.builder.is_empty(set) {
                        continue;
                    }
                    let value = self.builder.constant(value as u64);
                    let here = self.builder.op(Op::Eq(*reg, value));
                    let part = self.builder.when(here, set);
                    result = self.builder.either(&result, &part);
                }
                Some(result)
            }
            Val::Gen(_) => None,
        }
    }

    /// Whether `var[index] == value` for a map as sets.
    pub(super) fn holds(&mut self, lane: &Lane, var: VarId, index: &Val, value: &Val) -> Result<Condition, Stop> {
        let Some(Store::Sets(sets)) = lane.vars.get(var.index()) else { return fail("a variable is no map of sets") };
        let sets = sets.clone();
        let form_len = self.numbers.vars.get(var).and_then(|form| form.as_ref().ok()).map_or(0, |form| form.len());
        if let (Val::Const(value), Some(fact)) =
            (value, lane.facts.iter().find(|fact| fact.var == var && fact.index == *index))
        {
            return Ok(Condition::Truth(self.builder.constant(u64::from(fact.value == *value))));
        }
        let words = super::sets::words(form_len);
        match index {
            Val::Gen(map) => {
                let choices = Self::choice_words(lane);
                let mut result = match value {
                    Val::Gen(wanted) => {
                        let mut values: Vec<u32> = wanted.to_vec();
                        values.sort_unstable();
                        values.dedup();
                        let mut result = self.builder.constant_set(choices, []);
                        for value in values {
                            let Some(at) = self.where_equal(&sets, &Val::Const(value), words) else { continue };
                            let here = self.builder.preimage(map, &at, choices).ok_or(Stop::Choose)?;
                            let wanted = (0..wanted.len()).filter(|&x| wanted.get(x) == Some(&value));
                            let wanted = self.builder.constant_set(choices, wanted);
                            let part = self.builder.both(&here, &wanted);
                            result = self.builder.either(&result, &part);
                        }
                        result
                    }
                    value => {
                        let at = self.where_equal(&sets, value, words).ok_or(Stop::Choose)?;
                        self.builder.preimage(map, &at, choices).ok_or(Stop::Choose)?
                    }
                };
                for (written, new) in sets.pending.iter() {
                    let alias: Vec<usize> = (0..map.len())
                        .filter(|&x| map.get(x) == written.get(x) && self.is_real(var, map.get(x).copied()))
                        .collect();
                    if alias.is_empty() {
                        continue;
                    }
                    let alias = self.builder.constant_set(choices, alias);
                    let kept = self.builder.minus(&result, &alias);
                    let now = match self.same_value(lane, new, value)? {
                        Condition::Truth(truth) => self.builder.when(truth, &alias),
                        Condition::Choices(set) => self.builder.both(&set, &alias),
                    };
                    result = self.builder.either(&kept, &now);
                }
                Ok(Condition::Choices(result))
            }
            _ if !sets.pending.is_empty() => Err(Stop::Choose),
            index => {
                let at = self.where_equal(&sets, value, words).ok_or(Stop::Choose)?;
                let Some(index) = index.reg(&mut self.builder) else { return Err(Stop::Choose) };
                Ok(Condition::Truth(self.builder.contains(&at, index, form_len)))
            }
        }
    }

    /// Whether writes at an index count.
    fn is_real(&self, var: VarId, index: Option<u32>) -> bool {
        let form = self.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        form.is_some_and(|form| index.and_then(|i| form.real.get(i as usize)).copied().unwrap_or(false))
    }

    /// `var[index] = value`.
    pub(super) fn write(&mut self, lane: &mut Lane, var: VarId, index: Option<Val>, value: Val) -> Result<(), Stop> {
        let Some(store) = lane.vars.get(var.index()).cloned() else { return fail("an unknown variable is written") };
        let store = match (store, index) {
            (_, None) => Store::Scalar(value),
            (Store::Dead, Some(_)) => Store::Dead,
            (Store::Scalar(_), Some(_)) => return fail("a single value is used as a map"),
            (Store::Cells(cells), Some(Val::Const(index))) => {
                if !self.is_real(var, Some(index)) {
                    return Ok(());
                }
                let mut cells = cells.to_vec();
                if let Some(cell) = cells.get_mut(index as usize) {
                    *cell = value;
                }
                Store::Cells(cells.into())
            }
            (Store::Cells(_), Some(Val::Gen(_))) => return Err(Stop::Choose),
            (Store::Cells(cells), Some(Val::Reg(index))) => {
                let Some(value) = value.reg(&mut self.builder) else { return Err(Stop::Choose) };
                let mut new = Vec::with_capacity(cells.len());
                for (i, cell) in cells.iter().enumerate() {
                    if !self.is_real(var, Some(i as u32)) {
                        new.push(cell.clone());
                        continue;
                    }
                    let Some(old) = cell.reg(&mut self.builder) else { return Err(Stop::Choose) };
                    let i = self.builder.constant(i as u64);
                    let here = self.builder.op(Op::Eq(index, i));
                    new.push(Val::Reg(self.builder.op(Op::Select(here, value, old))));
                }
                Store::Cells(new.into())
            }
            (Store::Sets(sets), Some(index)) => {
                let dependent = matches!(index, Val::Gen(_)) || matches!(value, Val::Gen(_));
                if dependent || !sets.pending.is_empty() {
                    let Some(generator) = &lane.generator else { return fail("a write depends on no choice") };
                    let map: Map = match &index {
                        Val::Gen(map) => map.clone(),
                        Val::Const(index) => vec![*index; generator.set.len() * 64].into(),
                        Val::Reg(_) => return Err(Stop::Choose),
                    };
                    let pending: Vec<(Map, Val)> = sets.pending.iter().cloned().chain([(map, value.clone())]).collect();
                    if pending.len() > 8 {
                        return Err(Stop::Choose);
                    }
                    self.forget(lane, var, &index, &value);
                    if let Some(slot) = lane.vars.get_mut(var.index()) {
                        *slot = Store::Sets(Sets { of: sets.of, pending: pending.into() });
                    }
                    return Ok(());
                }
                let old = lane.facts.iter().find(|fact| fact.var == var && fact.index == index);
                let old = old.map(|fact| fact.value);
                let new = self.written(var, &sets, &index, &value, old)?;
                self.forget(lane, var, &index, &value);
                Store::Sets(Sets { of: new, pending: Rc::from([]) })
            }
        };
        if let Some(slot) = lane.vars.get_mut(var.index()) {
            *slot = store;
        }
        Ok(())
    }

    /// Updates what is known after a write.
    fn forget(&mut self, lane: &mut Lane, var: VarId, index: &Val, value: &Val) {
        if !lane.written.contains(&var) {
            lane.written.push(var);
        }
        let real = match index {
            Val::Const(index) => self.is_real(var, Some(*index)),
            Val::Gen(map) => map.iter().all(|&index| self.is_real(var, Some(index))),
            Val::Reg(_) => self.all_real(var),
        };
        lane.facts
            .retain(|fact| fact.var != var || matches!((&fact.index, index), (Val::Const(a), Val::Const(b)) if a != b));
        if let (Val::Const(value), true) = (value, real) {
            lane.facts.push(Fact { var, index: index.clone(), value: *value });
        }
    }

    fn all_real(&self, var: VarId) -> bool {
        let form = self.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        form.is_some_and(|form| form.real.iter().all(|&real| real))
    }

    /// The sets of a map after a write at an index that is no function of a choice.
    fn written(
        &mut self,
        var: VarId,
        sets: &Sets,
        index: &Val,
        value: &Val,
        old: Option<u32>,
    ) -> Result<Rc<[Set]>, Stop> {
        let Some(index) = index.reg(&mut self.builder) else { return Err(Stop::Choose) };
        let words = sets.of.first().map_or(1, |set| set.len());
        let (len, real) = match self.numbers.vars.get(var) {
            Some(Ok(form)) => (form.len(), form.real.clone()),
            _ => return fail("a variable has no table"),
        };
        let bit = if len <= words * 64 { self.builder.bit(index, words) } else { self.builder.singleton(index, words) };
        let bit = if real.iter().all(|&real| real) {
            bit
        } else {
            let mask = self.builder.constant_set(words, (0..len).filter(|&i| real.get(i) == Some(&true)));
            self.builder.both(&bit, &mask)
        };
        self.assigned(sets, &bit, value, old)
    }

    /// The sets of a map after all indices in `at` got a value.
    pub(super) fn assigned(&mut self, sets: &Sets, at: &Set, value: &Val, old: Option<u32>) -> Result<Rc<[Set]>, Stop> {
        let mut new = Vec::with_capacity(sets.of.len());
        for (number, set) in sets.of.iter().enumerate() {
            let was = old.is_none_or(|old| old as usize == number);
            let kept = if was { self.builder.minus(set, at) } else { set.clone() };
            let now = match value {
                Val::Const(value) if *value as usize == number => self.builder.either(set, at),
                Val::Const(_) => kept,
                Val::Reg(reg) => {
                    let number = self.builder.constant(number as u64);
                    let here = self.builder.op(Op::Eq(*reg, number));
                    let part = self.builder.when(here, at);
                    self.builder.either(&kept, &part)
                }
                Val::Gen(_) => return Err(Stop::Choose),
            };
            new.push(now);
        }
        Ok(new.into())
    }

    /// Restricts a lane to where a condition holds or, negated, does not; `None` if nowhere.
    pub(super) fn restrict(&mut self, mut lane: Lane, condition: &Condition, negated: bool) -> Option<Lane> {
        match (condition, &mut lane.generator) {
            (Condition::Choices(set), Some(generator)) => {
                generator.set = if negated {
                    self.builder.minus(&generator.set, set)
                } else {
                    self.builder.both(&generator.set, set)
                };
            }
            (Condition::Truth(truth), generator) => {
                lane.tested.push((*truth, negated));
                let truth = if negated { self.builder.negation(*truth) } else { *truth };
                match generator {
                    Some(generator) => generator.set = self.builder.when(truth, &generator.set),
                    None => lane.guard = self.builder.and(lane.guard, truth),
                }
            }
            (Condition::Choices(_), None) => return None,
        }
        self.alive(&lane).then_some(lane)
    }

    /// Whether some walk may be in the lane.
    pub(super) fn alive(&self, lane: &Lane) -> bool {
        match &lane.generator {
            Some(generator) => !self.builder.is_empty(&generator.set),
            None => self.builder.constant_of(lane.guard) != Some(0),
        }
    }
}
