//! Maps as values on a walk: copies and comparisons, entry by entry, or word by word where both maps are kept as sets.

use super::super::lane::Val;
use super::super::whole_maps::{MapPart, WholeMaps};
use super::super::{Failure, Lifter};
use super::Walk;
use super::access::Undo;
use rg_ir::{Expr, VarId};
use wir::{Op, Reg};

impl Lifter<'_> {
    /// Copies a map. What it overwrites is noted in `undo`.
    pub(super) fn copy_map(&mut self, walk: &mut Walk, maps: &WholeMaps, undo: &mut Undo) -> Result<(), Failure> {
        Self::keeps_spare_entries(maps)?;
        let Expr::Var(var) = maps.lhs.root else {
            return Err(Failure::new("something else than a variable is assigned to"));
        };
        if let (Expr::Var(from), true, true) = (maps.rhs.root, maps.lhs.is_all(), maps.rhs.is_all())
            && self.copy_words(walk, (var, from), undo)?
        {
            return Ok(());
        }
        let (to, from) = (self.first_entry(walk, &maps.lhs, maps)?, self.first_entry(walk, &maps.rhs, maps)?);
        let keys: Vec<u32> = (0..).zip(&maps.is_key).filter(|(_, is_key)| **is_key).map(|(at, _)| at).collect();
        // The two may be parts of one map: all is read before anything is written.
        let mut values = Vec::with_capacity(keys.len());
        for &at in &keys {
            let index = self.entry_behind(&from, at)?;
            values.push(self.entry_of_part(walk, &maps.rhs, &index)?);
        }
        for (&at, value) in keys.iter().zip(values) {
            let index = self.entry_behind(&to, at)?;
            self.write_entry(walk, (var, &maps.lhs.form), &index, value, undo)?;
        }
        Ok(())
    }

    /// Copies a map that is kept as sets to another one: `false` if they are kept otherwise.
    fn copy_words(&mut self, walk: &mut Walk, (to, from): (VarId, VarId), undo: &mut Undo) -> Result<bool, Failure> {
        let (target, source) = (self.map_place(to)?, self.map_place(from)?);
        if target.words == 0 || source.words != target.words || source.values != target.values {
            return Ok(false);
        }
        let words: Vec<Reg> = (0..source.words * source.values).map(|word| self.peek(source.base + word)).collect();
        for (word, value) in (target.base..).zip(words) {
            let at = self.function.builder.constant(u64::from(word));
            undo.push((at, self.peek_at(at)));
            self.poke_at(at, value);
        }
        walk.facts.retain(|(other, ..)| *other != to);
        Ok(true)
    }

    /// Whether two maps are equal: a truth value.
    pub(super) fn same_maps(&mut self, walk: &Walk, maps: &WholeMaps) -> Result<Reg, Failure> {
        let (lhs, rhs) = (self.first_entry(walk, &maps.lhs, maps)?, self.first_entry(walk, &maps.rhs, maps)?);
        let mut same = self.function.builder.constant(1);
        for at in (0..).zip(&maps.is_key).filter(|(_, is_key)| **is_key).map(|(at, _)| at) {
            let (a, b) = (self.entry_behind(&lhs, at)?, self.entry_behind(&rhs, at)?);
            let (a, b) = (self.entry_of_part(walk, &maps.lhs, &a)?, self.entry_of_part(walk, &maps.rhs, &b)?);
            let (a, b) = (self.register(&a)?, self.register(&b)?);
            let equal = self.function.builder.op(Op::Eq(a, b));
            same = self.function.builder.and(same, equal);
        }
        Ok(same)
    }

    /// The index of the first entry of a part of a map.
    fn first_entry(&mut self, walk: &Walk, part: &MapPart, maps: &WholeMaps) -> Result<Val, Failure> {
        if part.is_all() {
            return Ok(Val::Const(0));
        }
        let row = self.index_behind(walk, &part.form, &part.keys)?;
        let length = maps.is_key.len() as u32;
        Ok(match row {
            Val::Const(row) => Val::Const(row * length),
            row => {
                let (row, length) = (self.register(&row)?, self.function.builder.constant(u64::from(length)));
                Val::Reg(self.function.builder.op(Op::Mul(row, length)))
            }
        })
    }

    /// The index of an entry of a part.
    fn entry_behind(&mut self, first: &Val, at: u32) -> Result<Val, Failure> {
        Ok(match first {
            Val::Const(first) => Val::Const(first + at),
            first => {
                let (first, at) = (self.register(first)?, self.function.builder.constant(u64::from(at)));
                Val::Reg(self.function.builder.op(Op::Add(first, at)))
            }
        })
    }

    fn entry_of_part(&mut self, walk: &Walk, part: &MapPart, index: &Val) -> Result<Val, Failure> {
        match part.root {
            Expr::Var(var) => self.entry_of(walk, var, index),
            _ => Ok(self.looked_up(&part.form.values, index)),
        }
    }
}
