//! Values, conditions and writes on a walk.

use super::super::lane::Val;
use super::super::layout::Kind;
use super::super::numbers::{Form, path};
use super::super::values::Stop;
use super::super::{Failure, Lifter};
use super::Walk;
use super::memory::{MapForm, Saved};
use passes::analysis::classes::Class;
use rg_ir::ids::Id;
use rg_ir::{Expr, ExprId, VarId};
use wir::{Op, Reg};

/// What a walk has overwritten, the oldest first.
pub(super) type Undo = Vec<Overwritten>;

/// Something that a walk has overwritten.
pub(super) enum Overwritten {
    /// A word: its address, and what was there.
    Word(Reg, Reg),
    /// A map.
    Map(Saved),
}

fn stopped(stop: Stop) -> Failure {
    match stop {
        Stop::Fail(failure) => failure,
        Stop::Choose | Stop::Split(_) => Failure::new("a value depends on a choice"),
    }
}

impl Lifter<'_> {
    /// The class of the values that two expressions have.
    fn common_class(&self, a: ExprId, b: ExprId) -> Result<Option<Class>, Failure> {
        let of = |expr| self.class_of(expr).map_err(stopped);
        Ok(match of(a)? {
            Some(class) => Some(class),
            None => of(b)?,
        })
    }

    /// Whether two expressions are equal: a truth value.
    pub(super) fn test_of(&mut self, walk: &Walk, lhs: ExprId, rhs: ExprId) -> Result<Reg, Failure> {
        if let Some(maps) = self.whole_maps(lhs, rhs)? {
            return self.same_maps(walk, &maps);
        }
        let Some(class) = self.common_class(lhs, rhs)? else {
            let same = path(self.game, lhs).0 == path(self.game, rhs).0;
            return Ok(self.function.builder.constant(u64::from(same)));
        };
        for (map, other) in [(lhs, rhs), (rhs, lhs)] {
            let (Expr::Var(var), keys) = path(self.game, map) else { continue };
            if keys.is_empty() || self.known.kinds.get(var.index()) != Some(&Kind::Sets) {
                continue;
            }
            let Some(value) = self.number_of_expr(walk, other, class)? else {
                return Ok(self.function.builder.constant(0));
            };
            let index = self.index_of(walk, var, &keys)?;
            return self.has(walk, var, &index, &value);
        }
        match (self.number_of_expr(walk, lhs, class)?, self.number_of_expr(walk, rhs, class)?) {
            (Some(a), Some(b)) => {
                let (a, b) = (self.register(&a)?, self.register(&b)?);
                Ok(self.function.builder.op(Op::Eq(a, b)))
            }
            _ => Ok(self.function.builder.constant(0)),
        }
    }

    /// Whether a map has a value at an index.
    fn has(&mut self, walk: &Walk, var: VarId, index: &Val, value: &Val) -> Result<Reg, Failure> {
        if let (Some(known), Val::Const(value)) = (walk.known(var, index), value) {
            return Ok(self.function.builder.constant(u64::from(known == *value)));
        }
        let place = self.map_place(var)?;
        let at = self.address(place, value, index);
        let word = self.peek_at(at);
        let moved = match index {
            Val::Const(index) => self.function.builder.op(Op::ShrBy(word, index % 64)),
            _ => {
                let index = self.register(index)?;
                self.function.builder.op(Op::Shr(word, index))
            }
        };
        let one = self.function.builder.constant(1);
        Ok(self.function.builder.and(moved, one))
    }

    pub(super) fn register(&mut self, value: &Val) -> Result<Reg, Failure> {
        value.reg(&mut self.function.builder).ok_or_else(|| Failure::new("a value depends on a choice"))
    }

    /// The value of an expression as a number of a class; `None` for a symbol that the class does not have.
    pub(super) fn number_of_expr(&mut self, walk: &Walk, expr: ExprId, class: Class) -> Result<Option<Val>, Failure> {
        let (root, keys) = path(self.game, expr);
        match root {
            Expr::Symbol(symbol) => Ok(self.known.numbers.number(class, symbol).map(Val::Const)),
            Expr::Const(id) => {
                let form = self.known.numbers.consts.get(id).cloned();
                let form = form.ok_or_else(|| Failure::new("an unknown declaration is used"))??;
                if keys.is_empty() && form.keys.is_empty() {
                    return Ok(form.values.first().map(|&value| Val::Const(value)));
                }
                let index = self.index_in(walk, &form, &keys)?;
                Ok(Some(self.looked_up(&form.values, &index)))
            }
            Expr::Var(var) if keys.is_empty() => match walk.vars.get(var.index()).cloned().flatten() {
                Some(value) => Ok(Some(value)),
                None => Err(Failure::new("a whole map is used").at(self.var_name(var))),
            },
            Expr::Var(var) => {
                let index = self.index_of(walk, var, &keys)?;
                self.entry_of(walk, var, &index).map(Some)
            }
            Expr::Access(..) | Expr::Cast(..) => Err(Failure::new("an expression has no root")),
        }
    }

    /// The value that a map has at an index.
    pub(super) fn entry_of(&mut self, walk: &Walk, var: VarId, index: &Val) -> Result<Val, Failure> {
        if let Some(known) = walk.known(var, index) {
            return Ok(Val::Const(known));
        }
        let place = self.map_place(var)?;
        match place.form {
            MapForm::Cells => {
                let base = self.function.builder.constant(u64::from(place.base));
                let index = self.register(index)?;
                let at = self.function.builder.op(Op::Add(base, index));
                return Ok(Val::Reg(self.peek_at(at)));
            }
            MapForm::Packed(log) => {
                let (at, shift) = self.packed_place((place.base, log), index)?;
                let word = self.peek_at(at);
                let moved = self.function.builder.op(Op::Shr(word, shift));
                let mask = self.function.builder.constant(u64::MAX >> (64 - (1 << log)));
                return Ok(Val::Reg(self.function.builder.and(moved, mask)));
            }
            MapForm::Sets(_) => {}
        }
        let mut result = self.function.builder.constant(0);
        for value in (1..place.values).filter(|&value| self.is_possible(var, value)).collect::<Vec<_>>() {
            let here = self.has(walk, var, index, &Val::Const(value))?;
            let mask = self.function.builder.splat(here);
            let value = self.function.builder.constant(u64::from(value));
            let part = self.function.builder.and(mask, value);
            result = self.function.builder.or(result, part);
        }
        Ok(Val::Reg(result))
    }

    /// The address of the word that has an entry of a packed map, and how far the entry is from its lowest bit.
    fn packed_place(&mut self, (base, log): (u32, u32), index: &Val) -> Result<(Reg, Reg), Failure> {
        let base = self.function.builder.constant(u64::from(base));
        let index = self.register(index)?;
        let bit = self.function.builder.op(Op::ShlBy(index, log));
        let word = self.function.builder.op(Op::ShrBy(bit, 6));
        let mask = self.function.builder.constant(63);
        let shift = self.function.builder.and(bit, mask);
        Ok((self.function.builder.op(Op::Add(base, word)), shift))
    }

    pub(super) fn form_of(&self, var: VarId) -> Result<Form, Failure> {
        let form = self.known.numbers.vars.get(var).cloned();
        form.ok_or_else(|| Failure::new("an unknown declaration is used"))?
    }

    pub(super) fn index_of(&mut self, walk: &Walk, var: VarId, keys: &[ExprId]) -> Result<Val, Failure> {
        let form = self.form_of(var)?;
        self.index_in(walk, &form, keys)
    }

    /// The index in a map with one key that a number of the key's class has.
    pub(super) fn index_of_number(&mut self, var: VarId, number: Val) -> Result<Val, Failure> {
        let form = self.form_of(var)?;
        let rows = self.rows(&form, vec![number]);
        self.index(&rows, &form.sizes).map_err(stopped)
    }

    fn index_in(&mut self, walk: &Walk, form: &Form, keys: &[ExprId]) -> Result<Val, Failure> {
        if keys.len() != form.keys.len() {
            return Err(Failure::new("a whole map is used"));
        }
        self.index_behind(walk, form, keys)
    }

    /// The index that the first keys of a map make, among the combinations of these keys.
    pub(super) fn index_behind(&mut self, walk: &Walk, form: &Form, keys: &[ExprId]) -> Result<Val, Failure> {
        let mut values = Vec::with_capacity(keys.len());
        for (&key, &class) in keys.iter().zip(&form.keys[..]) {
            let value = self.number_of_expr(walk, key, class)?;
            values.push(value.ok_or_else(|| Failure::new("a key is not a value of its class"))?);
        }
        let values = self.rows(form, values);
        self.index(&values, form.sizes.get(..keys.len()).unwrap_or(&form.sizes)).map_err(stopped)
    }

    /// The numbers that the members of a type have in a class, a bit each.
    pub(super) fn members_in(&self, ty: rg_ir::TypeId, class: Class) -> Vec<u64> {
        let numbers = self.game.types.members(ty).iter().filter_map(|&symbol| self.known.numbers.number(class, symbol));
        let numbers: Vec<usize> = numbers.map(|number| number as usize).collect();
        let words = numbers.iter().max().map_or(0, |most| most / 64 + 1);
        super::super::sets::constant_words(words, numbers)
    }

    /// The class of a variable's values.
    pub(super) fn class_of_var(&self, var: VarId) -> Result<Class, Failure> {
        Ok(self.form_of(var)?.class)
    }

    /// Writes a value. What it overwrites in memory is noted in `undo`.
    pub(super) fn assign(
        &mut self,
        walk: &mut Walk,
        (var, keys): (VarId, &[ExprId]),
        value: Val,
        undo: &mut Undo,
    ) -> Result<(), Failure> {
        if keys.is_empty() {
            if self.known.kinds.get(var.index()) != Some(&Kind::Scalar) {
                return Err(Failure::new("a whole map is used").at(self.var_name(var)));
            }
            if let Some(slot) = walk.vars.get_mut(var.index()) {
                *slot = Some(value);
            }
            return Ok(());
        }
        let form = self.form_of(var)?;
        let index = self.index_in(walk, &form, keys)?;
        self.write_entry(walk, (var, &form), &index, value, undo)
    }

    /// Writes an entry of a map.
    pub(super) fn write_entry(
        &mut self,
        walk: &mut Walk,
        (var, form): (VarId, &Form),
        index: &Val,
        value: Val,
        undo: &mut Undo,
    ) -> Result<(), Failure> {
        let place = self.map_place(var)?;
        // Writes at keys that are none do nothing.
        let real = match (index, form.real.iter().all(|&real| real)) {
            (_, true) => self.function.builder.constant(1),
            (Val::Const(index), _) => {
                let real = form.real.get(*index as usize).copied().unwrap_or(false);
                self.function.builder.constant(u64::from(real))
            }
            (index, _) => {
                let index = self.register(index)?;
                self.function.builder.looked_up(form.real.iter().map(|&real| u64::from(real)).collect(), index)
            }
        };
        match place.form {
            MapForm::Cells => {
                let base = self.function.builder.constant(u64::from(place.base));
                let index = self.register(index)?;
                let at = self.function.builder.op(Op::Add(base, index));
                let (old, value) = (self.peek_at(at), self.register(&value)?);
                let value = self.function.builder.op(Op::Select(real, value, old));
                undo.push(Overwritten::Word(at, old));
                self.poke_at(at, value);
                return Ok(());
            }
            MapForm::Packed(log) => {
                let (at, shift) = self.packed_place((place.base, log), index)?;
                let (old, value) = (self.peek_at(at), self.register(&value)?);
                let mask = self.function.builder.constant(u64::MAX >> (64 - (1 << log)));
                let mask = self.function.builder.op(Op::Shl(mask, shift));
                let value = self.function.builder.op(Op::Shl(value, shift));
                let rest = self.function.builder.and_not(old, mask);
                let written = self.function.builder.or(rest, value);
                let written = self.function.builder.op(Op::Select(real, written, old));
                undo.push(Overwritten::Word(at, old));
                self.poke_at(at, written);
                return Ok(());
            }
            MapForm::Sets(_) => {}
        }
        let bit = match index {
            Val::Const(index) => self.function.builder.op(Op::ShlBy(real, index % 64)),
            index => {
                let index = self.register(index)?;
                self.function.builder.op(Op::Shl(real, index))
            }
        };
        let before = walk.known(var, index);
        let old: Vec<u32> = match before {
            Some(known) => vec![known],
            None => (0..place.values).filter(|&old| self.is_ever(var, old) && value != Val::Const(old)).collect(),
        };
        for old in old {
            let at = self.address(place, &Val::Const(old), index);
            let word = self.peek_at(at);
            undo.push(Overwritten::Word(at, word));
            let cleared = self.function.builder.and_not(word, bit);
            self.poke_at(at, cleared);
        }
        let at = self.address(place, &value, index);
        let word = self.peek_at(at);
        undo.push(Overwritten::Word(at, word));
        let set = self.function.builder.or(word, bit);
        self.poke_at(at, set);
        walk.facts.retain(|(other, ..)| *other != var);
        if let Val::Const(value) = value
            && self.function.builder.constant_of(real) == Some(1)
        {
            walk.facts.push((var, index.clone(), value));
        }
        Ok(())
    }

    /// Undoes what a walk has written.
    pub(super) fn undo(&mut self, undo: &Undo) {
        for overwritten in undo.iter().rev() {
            match *overwritten {
                Overwritten::Word(at, old) => self.poke_at(at, old),
                Overwritten::Map(saved) => self.restore_words(saved),
            }
        }
    }

    /// What a test that came out positively says of a map.
    pub(super) fn learn_equal(&mut self, walk: &mut Walk, lhs: ExprId, rhs: ExprId) -> Result<(), Failure> {
        let Some(class) = self.common_class(lhs, rhs)? else { return Ok(()) };
        for (map, other) in [(lhs, rhs), (rhs, lhs)] {
            let (Expr::Var(var), keys) = path(self.game, map) else { continue };
            if keys.is_empty() || self.known.kinds.get(var.index()) != Some(&Kind::Sets) {
                continue;
            }
            if let (Expr::Symbol(symbol), _) = path(self.game, other)
                && let Some(value) = self.known.numbers.number(class, symbol)
            {
                let index = self.index_of(walk, var, &keys)?;
                if walk.known(var, &index).is_none() {
                    walk.facts.push((var, index, value));
                }
            }
        }
        Ok(())
    }
}

impl Walk {
    /// The value that a map is known to have at an index.
    fn known(&self, var: VarId, index: &Val) -> Option<u32> {
        self.facts.iter().find(|(other, at, _)| *other == var && at == index).map(|(.., value)| *value)
    }
}
