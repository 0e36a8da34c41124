//! Assignments on a lane.

use super::Lifter;
use super::lane::{Fact, Lane, Pending, Sets, Store, Val};
use super::sets::{Map, Set};
use super::values::{Stop, fail};
use rg_ir::VarId;
use rg_ir::ids::Id;
use std::rc::Rc;
use wir::Op;

impl Lifter<'_> {
    /// Whether writes at an index count.
    pub(super) fn is_real(&self, var: VarId, index: Option<u32>) -> bool {
        let form = self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
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
                let Some(value) = value.reg(&mut self.function.builder) else { return Err(Stop::Choose) };
                let mut new = Vec::with_capacity(cells.len());
                for (i, cell) in cells.iter().enumerate() {
                    if !self.is_real(var, Some(i as u32)) {
                        new.push(cell.clone());
                        continue;
                    }
                    let Some(old) = cell.reg(&mut self.function.builder) else { return Err(Stop::Choose) };
                    let i = self.function.builder.constant(i as u64);
                    let here = self.function.builder.op(Op::Eq(index, i));
                    new.push(Val::Reg(self.function.builder.op(Op::Select(here, value, old))));
                }
                Store::Cells(new.into())
            }
            (Store::Sets(sets), Some(index)) => {
                let old = lane.known(var, &index);
                let dependent = matches!(index, Val::Gen(_)) || matches!(value, Val::Gen(_));
                if dependent || !sets.pending.is_empty() {
                    let Some(generator) = &lane.generator else { return fail("a write depends on no choice") };
                    let map: Map = match &index {
                        Val::Gen(map) => map.clone(),
                        Val::Const(index) => vec![*index; generator.set.len() * 64].into(),
                        Val::Reg(_) => return Err(Stop::Choose),
                    };
                    let last = Pending { index: map, value: value.clone(), old };
                    let pending: Vec<Pending> = sets.pending.iter().cloned().chain([last]).collect();
                    if pending.len() > 8 {
                        return Err(Stop::Choose);
                    }
                    self.forget(lane, var, &index, &value);
                    if let Some(slot) = lane.vars.get_mut(var.index()) {
                        *slot = Store::Sets(Sets { of: sets.of, pending: pending.into() });
                    }
                    return Ok(());
                }
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
    pub(super) fn forget(&mut self, lane: &mut Lane, var: VarId, index: &Val, value: &Val) {
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

    pub(super) fn all_real(&self, var: VarId) -> bool {
        let form = self.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        form.is_some_and(|form| form.real.iter().all(|&real| real))
    }

    /// The sets of a map after a write at an index that is no function of a choice.
    pub(super) fn written(
        &mut self,
        var: VarId,
        sets: &Sets,
        index: &Val,
        value: &Val,
        old: Option<u32>,
    ) -> Result<Rc<[Set]>, Stop> {
        let Some(index) = index.reg(&mut self.function.builder) else { return Err(Stop::Choose) };
        let words = sets.of.first().map_or(1, |set| set.len());
        let (len, real) = match self.known.numbers.vars.get(var) {
            Some(Ok(form)) => (form.len(), form.real.clone()),
            _ => return fail("a variable has no table"),
        };
        let bit = if len <= words * 64 {
            self.function.builder.bit(index, words)
        } else {
            self.function.builder.singleton(index, words)
        };
        let always = self.is_always_real(var, &Val::Reg(index));
        if let (true, Some(values)) = (always, self.possible_values(index)) {
            let members = super::sets::constant_words(words, values.into_iter().map(|value| value as usize));
            bit.iter().zip(members).for_each(|(&word, bits)| self.function.builder.bound(word, bits));
        }
        let bit = if always || real.iter().all(|&real| real) {
            bit
        } else {
            let mask = self.function.builder.constant_set(words, (0..len).filter(|&i| real.get(i) == Some(&true)));
            self.function.builder.both(&bit, &mask)
        };
        self.assigned(sets, &bit, value, old)
    }

    /// The sets of a map after all indices in `at` got a value.
    pub(super) fn assigned(&mut self, sets: &Sets, at: &Set, value: &Val, old: Option<u32>) -> Result<Rc<[Set]>, Stop> {
        let mut new = Vec::with_capacity(sets.of.len());
        for (number, set) in sets.of.iter().enumerate() {
            let was = old.is_none_or(|old| old as usize == number);
            let kept = if was { self.function.builder.minus(set, at) } else { set.clone() };
            let now = match value {
                Val::Const(value) if *value as usize == number => self.function.builder.either(set, at),
                Val::Const(_) => kept,
                Val::Reg(reg) => {
                    let number = self.function.builder.constant(number as u64);
                    let here = self.function.builder.op(Op::Eq(*reg, number));
                    let part = self.function.builder.when(here, at);
                    self.function.builder.either(&kept, &part)
                }
                Val::Gen(_) => return Err(Stop::Choose),
            };
            new.push(now);
        }
        Ok(new.into())
    }
}
