//! Maps as values on a walk: copies and comparisons, word by word where both maps are kept in one form, otherwise entry by entry.

use super::super::lane::Val;
use super::super::whole_maps::{MapPart, WholeMaps};
use super::super::{Failure, Lifter};
use super::Walk;
use super::access::{Overwritten, Undo};
use super::memory::Words;
use rg_ir::{Expr, VarId};
use wir::{Op, Reg};

/// Up to how many words of a map are saved in registers; those of larger maps go on the stack.
const FEW_WORDS: u32 = 16;

impl Lifter<'_> {
    /// Copies a map. What it overwrites is noted in `undo`.
    pub(super) fn copy_map(&mut self, walk: &mut Walk, maps: &WholeMaps, undo: &mut Undo) -> Result<(), Failure> {
        self.may_copy(maps)?;
        let Expr::Var(var) = maps.lhs.root else {
            return Err(Failure::new("something else than a variable is assigned to"));
        };
        if self.copy_words(walk, var, maps, undo)? {
            return Ok(());
        }
        maps.unrolled()?;
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

    /// Copies all of a map to one that is kept in the same form, word by word: `false` if that cannot be.
    fn copy_words(&mut self, walk: &mut Walk, to: VarId, maps: &WholeMaps, undo: &mut Undo) -> Result<bool, Failure> {
        if !maps.lhs.is_all() || !maps.rhs.is_all() || !maps.lhs.has_rows_of(&maps.rhs) {
            return Ok(false);
        }
        let target = self.map_place(to)?;
        let size = target.size(maps.is_key.len());
        match maps.rhs.root {
            Expr::Var(from) => {
                let source = self.map_place(from)?;
                if source.form != target.form || source.values != target.values {
                    return Ok(false);
                }
                self.overwritten(target.base, size, undo)?;
                let [from, to] = [source, target].map(|place| self.function.builder.constant(u64::from(place.base)));
                self.copy_scratch(from, to, size);
            }
            _ => {
                self.overwritten(target.base, size, undo)?;
                self.fill_scratch(target.words_of(&maps.rhs.form), target.base);
            }
        }
        walk.facts.retain(|(other, ..)| *other != to);
        Ok(true)
    }

    /// Saves words that will be overwritten.
    fn overwritten(&mut self, base: u32, words: u32, undo: &mut Undo) -> Result<(), Failure> {
        if words > FEW_WORDS {
            undo.push(Overwritten::Map(self.save_words(base, words)?));
            return Ok(());
        }
        for word in base..base + words {
            let at = self.function.builder.constant(u64::from(word));
            let old = self.peek_at(at);
            undo.push(Overwritten::Word(at, old));
        }
        Ok(())
    }

    /// Whether two maps are equal: a truth value.
    pub(super) fn same_maps(&mut self, walk: &Walk, maps: &WholeMaps) -> Result<Reg, Failure> {
        if let Some(same) = self.same_words(maps)? {
            return Ok(same);
        }
        maps.unrolled()?;
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

    /// Whether two whole maps are equal, compared word by word; `None` if they are kept in different forms.
    fn same_words(&mut self, maps: &WholeMaps) -> Result<Option<Reg>, Failure> {
        let (lhs, rhs) = (&maps.lhs, &maps.rhs);
        if !lhs.is_all() || !rhs.is_all() || !lhs.has_rows_of(rhs) || Self::keeps_spare_entries(maps).is_err() {
            return Ok(None);
        }
        let (place, other) = match (lhs.root, rhs.root) {
            (Expr::Var(a), Expr::Var(b)) => {
                let (a, b) = (self.map_place(a)?, self.map_place(b)?);
                if a.form != b.form || a.values != b.values {
                    return Ok(None);
                }
                (a, Words::At(b.base))
            }
            (Expr::Var(var), _) => {
                let place = self.map_place(var)?;
                (place, Words::Of(place.words_of(&rhs.form)))
            }
            (_, Expr::Var(var)) => {
                let place = self.map_place(var)?;
                (place, Words::Of(place.words_of(&lhs.form)))
            }
            _ => return Ok(None),
        };
        let differ = self.words_differ(place.base, other, place.size(maps.is_key.len()));
        Ok(Some(self.function.builder.negation(differ)))
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
