//! Tests on a lane.

use super::Lifter;
use super::lane::{Fact, Lane, Pending, Sets, Store, Val};
use super::numbers::path;
use super::sets::Set;
use super::values::{Condition, Known, Stop, fail};
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, VarId};
use wir::Op;

/// Most values of a function that are compared one by one.
const FEW_VALUES: usize = 8;

impl Lifter<'_> {
    /// Whether `lhs == rhs`, and what that establishes.
    pub(super) fn equal(
        &mut self,
        lane: &Lane,
        lhs: ExprId,
        rhs: ExprId,
        known: &Known,
    ) -> Result<(Condition, Option<Fact>), Stop> {
        if let Some(same) = self.equal_stores(lane, lhs, rhs)? {
            return Ok((Condition::Truth(same), None));
        }
        let class = match self.class_of(lhs)? {
            Some(class) => Some(class),
            None => self.class_of(rhs)?,
        };
        let Some(class) = class else {
            let same = path(self.game, lhs).0 == path(self.game, rhs).0;
            return Ok((Condition::Truth(self.function.builder.constant(u64::from(same))), None));
        };
        // A map as sets answers best when asked for one value, and a known one is better still.
        let sides = if self.is_known(lane, lhs, known) { [(rhs, lhs), (lhs, rhs)] } else { [(lhs, rhs), (rhs, lhs)] };
        for (map, other) in sides {
            let (root, keys) = path(self.game, map);
            let Expr::Var(var) = root else { continue };
            if known.contains_key(&map) || !matches!(lane.vars.get(var.index()), Some(Store::Sets(_))) {
                continue;
            }
            let Some(value) = self.value(lane, other, class, known)? else {
                return Ok((Condition::Truth(self.function.builder.constant(0)), None));
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
            return Ok((Condition::Truth(self.function.builder.constant(0)), None));
        };
        Ok((self.same_value(lane, &a, &b)?, None))
    }

    /// Whether a test has established the value of a map's entry.
    fn is_known(&mut self, lane: &Lane, entry: ExprId, known: &Known) -> bool {
        let (Expr::Var(var), keys) = path(self.game, entry) else { return false };
        // The place is only computed if there is anything to look for.
        lane.facts.iter().any(|fact| fact.var == var)
            && matches!(self.place(lane, var, &keys, known), Ok((Some(index), _)) if lane.known(var, &index).is_some())
    }

    fn same_value(&mut self, lane: &Lane, a: &Val, b: &Val) -> Result<Condition, Stop> {
        let words = Self::choice_words(lane);
        let elements = |test: &dyn Fn(usize) -> bool, len: usize| (0..len).filter(|&x| test(x)).collect::<Vec<_>>();
        Ok(match (a, b) {
            (Val::Gen(f), Val::Gen(g)) => {
                let same = elements(&|x| f.get(x) == g.get(x), f.len());
                Condition::Choices(self.function.builder.constant_set(words, same))
            }
            (Val::Gen(f), Val::Const(c)) | (Val::Const(c), Val::Gen(f)) => {
                let same = elements(&|x| f.get(x) == Some(c), f.len());
                Condition::Choices(self.function.builder.constant_set(words, same))
            }
            (Val::Gen(f), Val::Reg(reg)) | (Val::Reg(reg), Val::Gen(f)) => {
                let mut result = self.function.builder.constant_set(words, []);
                let mut values: Vec<u32> = f.to_vec();
                values.sort_unstable();
                values.dedup();
                let identity = f.iter().zip(0..).all(|(&y, x)| y == x);
                if identity {
                    return Ok(Condition::Choices(self.function.builder.singleton(*reg, words)));
                }
                if values.len() > FEW_VALUES {
                    return Ok(Condition::Choices(self.origins_of(f, *reg, words)));
                }
                for value in values {
                    let same = elements(&|x| f.get(x) == Some(&value), f.len());
                    let mask = self.function.builder.constant_set(words, same);
                    let value = self.function.builder.constant(u64::from(value));
                    let here = self.function.builder.op(Op::Eq(*reg, value));
                    let part = self.function.builder.when(here, &mask);
                    result = self.function.builder.either(&result, &part);
                }
                Condition::Choices(result)
            }
            _ => {
                let (Some(a), Some(b)) = (a.reg(&mut self.function.builder), b.reg(&mut self.function.builder)) else {
                    return Err(Stop::Choose);
                };
                let (a, b) = if self.function.builder.constant_of(a).is_some() { (b, a) } else { (a, b) };
                if let (Some(values), Some(value)) = (self.images(a), self.function.builder.constant_of(b)) {
                    let equal = values.iter().filter(|&&other| other == value).count();
                    if equal == 0 || equal == values.len() {
                        return Ok(Condition::Truth(self.function.builder.constant(u64::from(equal > 0))));
                    }
                }
                Condition::Truth(self.function.builder.op(Op::Eq(a, b)))
            }
        })
    }

    /// The indices at which a map has a value.
    fn where_equal(&mut self, sets: &Sets, value: &Val, words: usize) -> Option<Set> {
        match value {
            Val::Const(value) => {
                let empty = self.function.builder.constant_set(words, []);
                Some(sets.of.get(*value as usize).cloned().unwrap_or(empty))
            }
            Val::Reg(reg) => {
                let mut result = self.function.builder.constant_set(words, []);
                for (value, set) in sets.of.iter().enumerate() {
                    if self.function.builder.is_empty(set) {
                        continue;
                    }
                    let value = self.function.builder.constant(value as u64);
                    let here = self.function.builder.op(Op::Eq(*reg, value));
                    let part = self.function.builder.when(here, set);
                    result = self.function.builder.either(&result, &part);
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
        let form_len = self.length(var);
        if let (Val::Const(value), Some(known)) = (value, lane.known(var, index)) {
            return Ok(Condition::Truth(self.function.builder.constant(u64::from(known == *value))));
        }
        self.record(lane, var, index, value);
        let words = super::sets::words(form_len);
        match index {
            Val::Gen(map) => {
                let Some(generator) = &lane.generator else { return Err(Stop::Choose) };
                let (domain, choices) = (&generator.set, generator.set.len());
                let mut result = match value {
                    Val::Gen(wanted) => {
                        let mut values: Vec<u32> = wanted.to_vec();
                        values.sort_unstable();
                        values.dedup();
                        let mut result = self.function.builder.constant_set(choices, []);
                        for value in values {
                            let Some(at) = self.where_equal(&sets, &Val::Const(value), words) else { continue };
                            let here = self.function.builder.preimage(map, &at, domain).ok_or(Stop::Choose)?;
                            let wanted = (0..wanted.len()).filter(|&x| wanted.get(x) == Some(&value));
                            let wanted = self.function.builder.constant_set(choices, wanted);
                            let part = self.function.builder.both(&here, &wanted);
                            result = self.function.builder.either(&result, &part);
                        }
                        result
                    }
                    value => {
                        let at = self.where_equal(&sets, value, words).ok_or(Stop::Choose)?;
                        self.function.builder.preimage(map, &at, domain).ok_or(Stop::Choose)?
                    }
                };
                for Pending { index: written, value: new, .. } in sets.pending.iter() {
                    let alias: Vec<usize> = (0..map.len())
                        .filter(|&x| map.get(x) == written.get(x) && self.is_real(var, map.get(x).copied()))
                        .collect();
                    if alias.is_empty() {
                        continue;
                    }
                    let alias = self.function.builder.constant_set(choices, alias);
                    let kept = self.function.builder.minus(&result, &alias);
                    let now = match self.same_value(lane, new, value)? {
                        Condition::Truth(truth) => self.function.builder.when(truth, &alias),
                        Condition::Choices(set) => self.function.builder.both(&set, &alias),
                    };
                    result = self.function.builder.either(&kept, &now);
                }
                Ok(Condition::Choices(result))
            }
            _ if !sets.pending.is_empty() => Err(Stop::Choose),
            index => {
                let at = self.where_equal(&sets, value, words).ok_or(Stop::Choose)?;
                let Some(element) = index.reg(&mut self.function.builder) else { return Err(Stop::Choose) };
                let holds = self.function.builder.contains(&at, element, form_len);
                self.note_entry(holds, &at, index, form_len);
                Ok(Condition::Truth(holds))
            }
        }
    }

    /// Restricts a lane to where a condition holds or, negated, does not; `None` if nowhere.
    pub(super) fn restrict(&mut self, mut lane: Lane, condition: &Condition, negated: bool) -> Option<Lane> {
        match (condition, &mut lane.generator) {
            (Condition::Choices(set), Some(generator)) => {
                generator.set = if negated {
                    self.function.builder.minus(&generator.set, set)
                } else {
                    self.function.builder.both(&generator.set, set)
                };
            }
            (Condition::Truth(truth), generator) => {
                if self.function.builder.constant_of(*truth).is_none() {
                    lane.tested.push((*truth, negated));
                }
                let truth = if negated { self.function.builder.negation(*truth) } else { *truth };
                match generator {
                    Some(generator) => generator.set = self.function.builder.when(truth, &generator.set),
                    None => lane.guard = self.conjunction(lane.guard, truth),
                }
            }
            (Condition::Choices(_), None) => return None,
        }
        self.alive(&lane).then_some(lane)
    }

    /// Whether some walk may be in the lane.
    pub(super) fn alive(&self, lane: &Lane) -> bool {
        match &lane.generator {
            Some(generator) => !self.function.builder.is_empty(&generator.set),
            None => self.function.builder.constant_of(lane.guard) != Some(0),
        }
    }
}
