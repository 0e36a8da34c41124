//! Several entries of one map at once: `board[a[p]] == v`, `board[b[p]] == v`, … as one test of a mask that belongs to p.
//!
//! A line of four in a row is three tests of the same set at places that the same position tells. As a look-up of all
//! three places and a comparison it is one test.

use super::Lifter;
use super::lane::Val;
use super::sets::{Map, Set, compose, constant_words};
use crate::ir::{Op, Reg};
use std::rc::Rc;

/// Where a value comes from: a table of another one.
#[derive(Clone)]
pub(super) struct Source {
    root: Reg,
    map: Map,
}

/// What a truth value says: `rest`, and that all bits of a mask are in a set.
#[derive(Clone)]
pub(super) struct Entries {
    rest: Option<Reg>,
    set: Set,
    /// What the mask belongs to.
    root: Reg,
    /// By value of `root`, words.
    masks: Rc<[Vec<u64>]>,
    /// The truth value of the mask's test.
    holds: Reg,
}

impl Lifter<'_> {
    /// The entry of a table at the value of a register that is no constant.
    pub(super) fn entry(&mut self, values: &Map, index: Reg) -> Reg {
        let source = match self.sources.get(&index) {
            Some(source) => Source { root: source.root, map: compose(values, &source.map) },
            None => Source { root: index, map: values.clone() },
        };
        let entries = source.map.iter().map(|&value| u64::from(value)).collect();
        let table = self.tables.number(&mut self.program, entries);
        let entry = self.builder.op(Op::Table(table, source.root));
        self.sources.insert(entry, source);
        entry
    }

    /// The set that belongs to the value of a register; if that does not come from a table, it must be below their number.
    pub(super) fn masks_of(&mut self, sets: &[Vec<u64>], value: Reg, words: usize) -> Set {
        let (root, image): (Reg, Map) = match self.sources.get(&value) {
            Some(source) => (source.root, source.map.clone()),
            None => (value, (0..sets.len() as u32).collect()),
        };
        let mut set = Vec::with_capacity(words);
        for i in 0..words {
            let word = |&x: &u32| sets.get(x as usize).and_then(|set| set.get(i)).copied().unwrap_or(0);
            let entries: Vec<u64> = image.iter().map(word).collect();
            let bits = entries.iter().fold(0, |all, word| all | word);
            set.push(match entries.split_first() {
                Some((first, rest)) if rest.iter().all(|entry| entry == first) => self.builder.constant(*first),
                _ => {
                    let table = self.tables.number(&mut self.program, entries);
                    let word = self.builder.op(Op::Table(table, root));
                    self.builder.bound(word, bits);
                    word
                }
            });
        }
        set.into()
    }

    /// The set of one number, which is below `size`: where that comes from a table, the set does, too.
    pub(super) fn only(&mut self, value: Reg, size: usize, words: usize) -> Set {
        if self.sources.contains_key(&value) {
            let sets: Vec<Vec<u64>> = (0..size).map(|number| constant_words(words, [number])).collect();
            return self.masks_of(&sets, value, words);
        }
        self.builder.singleton(value, words)
    }

    /// The union of two sets; of what two tables say of one value, a table.
    pub(super) fn either(&mut self, a: &Set, b: &Set) -> Set {
        if a.len() != b.len() {
            return self.builder.either(a, b);
        }
        a.iter().zip(b.iter()).map(|(&a, &b)| self.either_word(a, b)).collect()
    }

    fn either_word(&mut self, a: Reg, b: Reg) -> Reg {
        if let Some(both) = self.table_of_both(a, b) {
            return both;
        }
        if let Some(Op::Or(first, last)) = self.builder.op_of(a) {
            for (one, other) in [(first, last), (last, first)] {
                if let Some(both) = self.table_of_both(one, b) {
                    return self.builder.or(both, other);
                }
            }
        }
        self.builder.or(a, b)
    }

    fn table_of_both(&mut self, a: Reg, b: Reg) -> Option<Reg> {
        let entries = |table: u32| self.program.tables.get(table as usize).map(|table| &table.entries);
        let (both, x): (Vec<u64>, Reg) = match (self.builder.op_of(a)?, self.builder.op_of(b)?) {
            (Op::Table(s, x), Op::Table(t, y)) if x == y && entries(s)?.len() == entries(t)?.len() => {
                (entries(s)?.iter().zip(entries(t)?).map(|(a, b)| a | b).collect(), x)
            }
            // The number itself, which is below that of the table's entries.
            (Op::Shl(one, x), Op::Table(t, y)) | (Op::Table(t, y), Op::Shl(one, x))
                if x == y && self.builder.constant_of(one) == Some(1) && entries(t)?.len() <= 64 =>
            {
                (entries(t)?.iter().zip(0..).map(|(entry, number)| entry | 1 << number).collect(), x)
            }
            _ => return None,
        };
        let bits = both.iter().fold(0, |all, entry| all | entry);
        let table = self.tables.number(&mut self.program, both);
        let both = self.builder.op(Op::Table(table, x));
        self.builder.bound(both, bits);
        Some(both)
    }

    /// The elements that a map takes to the value of a register that is no constant, as tables tell.
    pub(super) fn origins_of(&mut self, map: &Map, value: Reg, words: usize) -> Set {
        let size = map.iter().max().map_or(0, |&most| most as usize + 1);
        let mut origins = vec![vec![0; words]; size];
        for (x, &y) in map.iter().enumerate().take(words * 64) {
            if let Some(word) = origins.get_mut(y as usize).and_then(|set| set.get_mut(x / 64)) {
                *word |= 1 << (x % 64);
            }
        }
        let set = self.masks_of(&origins, value, words);
        if self.sources.contains_key(&value) {
            return set;
        }
        // Tables go round.
        let size = self.builder.constant(size as u64);
        let inside = self.builder.op(Op::Less(value, size));
        self.builder.when(inside, &set)
    }

    /// Notes that `holds` says whether an element below `size` is in a set.
    pub(super) fn note_entry(&mut self, holds: Reg, set: &Set, element: &Val, size: usize) {
        let Val::Reg(element) = *element else { return };
        if self.builder.constant_of(element).is_some() || size > set.len() * 64 {
            return;
        }
        let bits = |value: usize| constant_words(set.len(), [value]);
        let (root, masks): (Reg, Rc<[Vec<u64>]>) = match self.sources.get(&element) {
            Some(source) => (source.root, source.map.iter().map(|&value| bits(value as usize)).collect()),
            None => (element, (0..size).map(bits).collect()),
        };
        self.entries.insert(holds, Entries { rest: None, set: set.clone(), root, masks, holds });
    }

    /// Whether both of two truth values hold.
    pub(super) fn conjunction(&mut self, a: Reg, b: Reg) -> Reg {
        if self.builder.constant_of(a) == Some(1) {
            return b;
        }
        let Some(new) = self.entries.get(&b).cloned() else { return self.builder.and(a, b) };
        let together = match self.entries.get(&a).cloned() {
            Some(old) if old.set == new.set && old.root == new.root && old.masks.len() == new.masks.len() => {
                let both = |(a, b): (&Vec<u64>, &Vec<u64>)| a.iter().zip(b).map(|(a, b)| a | b).collect();
                let masks: Rc<[Vec<u64>]> = old.masks.iter().zip(new.masks.iter()).map(both).collect();
                let holds = self.all_in(&old.set, old.root, &masks);
                let rest = match (old.rest, new.rest) {
                    (Some(a), Some(b)) => Some(self.builder.and(a, b)),
                    (a, b) => a.or(b),
                };
                Entries { rest, masks, holds, ..old }
            }
            _ => {
                let rest = new.rest.map_or(a, |rest| self.builder.and(a, rest));
                Entries { rest: Some(rest), ..new }
            }
        };
        let result = together.rest.map_or(together.holds, |rest| self.builder.and(rest, together.holds));
        self.entries.insert(result, together);
        result
    }

    /// Whether all bits of a mask are in a set.
    fn all_in(&mut self, set: &Set, root: Reg, masks: &[Vec<u64>]) -> Reg {
        let zero = self.builder.constant(0);
        let mut missing = zero;
        for (i, &word) in set.iter().enumerate() {
            let entries: Vec<u64> = masks.iter().map(|mask| mask.get(i).copied().unwrap_or(0)).collect();
            if entries.iter().all(|&entry| entry == 0) {
                continue;
            }
            let table = self.tables.number(&mut self.program, entries);
            let mask = self.builder.op(Op::Table(table, root));
            let part = self.builder.and_not(mask, word);
            missing = self.builder.or(missing, part);
        }
        self.builder.op(Op::Eq(missing, zero))
    }
}
