//! Several entries of one map at once: `board[a[p]] == v`, `board[b[p]] == v`, … as one test of a mask that belongs to p.
//!
//! A line of four in a row is three tests of the same set at places that the same position tells. As a look-up of all
//! three places and a comparison it is one test.

use super::Lifter;
use super::lane::Val;
use super::sets::{Map, Set, compose, constant_words};
use rg_ir::invariant::Invariant;
use std::rc::Rc;
use wir::{Op, Reg};

/// Most parts of a union of truth values among which one is looked for that goes together with another.
const MAX_PARTS: usize = 32;

/// Numbers that are distinguished where it matters which ones a value can be.
const MAX_NUMBERS: usize = 1 << 12;

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
    pub(super) fn entry(&mut self, values: &Map, index: Reg) -> Val {
        let source = match self.function.sources.get(&index) {
            Some(source) => Source { root: source.root, map: compose(values, &source.map) },
            None => Source { root: index, map: values.clone() },
        };
        let entries = source.map.iter().map(|&value| u64::from(value)).collect();
        let entry = self.function.builder.looked_up(entries, source.root);
        match self.function.builder.constant_of(entry) {
            Some(value) => Val::Const(value as u32),
            None => {
                self.function.sources.insert(entry, source);
                Val::Reg(entry)
            }
        }
    }

    /// The numbers that the value of a register can be, a bit for each, if they are known.
    pub(super) fn numbers_of(&self, value: Reg) -> Option<Rc<[u64]>> {
        if let Some(value) = self.function.builder.constant_of(value) {
            let value = usize::try_from(value).ok().filter(|&value| value < MAX_NUMBERS)?;
            return Some(constant_words(value / 64 + 1, [value]).into());
        }
        if let Some(numbers) = self.function.builder.confined(value) {
            return Some(numbers.clone());
        }
        let Some(source) = self.function.sources.get(&value) else {
            let bits = self.function.builder.possible_bits(value);
            let most = usize::try_from(bits).ok().filter(|&most| most < MAX_NUMBERS)?;
            let numbers = (0..=most).filter(|&number| number as u64 & !bits == 0);
            return Some(constant_words(most / 64 + 1, numbers).into());
        };
        let roots = self.function.builder.confined(source.root);
        let is_meant = |&(root, _): &(usize, &u32)| {
            roots.is_none_or(|roots| roots.get(root / 64).is_some_and(|word| word >> (root % 64) & 1 == 1))
        };
        let images: Vec<usize> = source.map.iter().enumerate().filter(is_meant).map(|(_, &y)| y as usize).collect();
        let most = images.iter().max().copied().filter(|&most| most < MAX_NUMBERS)?;
        Some(constant_words(most / 64 + 1, images).into())
    }

    /// The numbers that a register can hold, if it is one that is confined to some or what tables make of such a one.
    pub(super) fn images(&self, value: Reg) -> Option<Vec<u64>> {
        self.function.builder.confined(self.function.sources.get(&value).map_or(value, |source| source.root))?;
        let words = self.numbers_of(value)?;
        let is_one = |number: &usize| words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
        Some((0..64 * words.len()).filter(is_one).map(|number| number as u64).collect())
    }

    /// The set that belongs to the value of a register; if that does not come from a table, it must be below their number.
    pub(super) fn masks_of(&mut self, sets: &[Vec<u64>], value: Reg, words: usize) -> Set {
        let (root, image): (Reg, Map) = match self.function.sources.get(&value) {
            Some(source) => (source.root, source.map.clone()),
            None => (value, (0..sets.len() as u32).collect()),
        };
        let mut set = Vec::with_capacity(words);
        for i in 0..words {
            let word = |&x: &u32| sets.get(x as usize).and_then(|set| set.get(i)).copied().unwrap_or(0);
            let entries: Vec<u64> = image.iter().map(word).collect();
            set.push(self.function.builder.looked_up(entries, root));
        }
        set.into()
    }

    /// The set of one number, which is below `size`: where that comes from a table, the set does, too.
    pub(super) fn only(&mut self, value: Reg, size: usize, words: usize) -> Set {
        if self.function.sources.contains_key(&value) {
            let sets: Vec<Vec<u64>> = (0..size).map(|number| constant_words(words, [number])).collect();
            return self.masks_of(&sets, value, words);
        }
        self.function.builder.singleton(value, words)
    }

    /// The union of two sets; of what two tables say of one value, a table.
    pub(super) fn either(&mut self, a: &Set, b: &Set) -> Set {
        if a.len() != b.len() {
            return self.function.builder.either(a, b);
        }
        a.iter().zip(b.iter()).map(|(&a, &b)| self.either_word(a, b)).collect()
    }

    fn either_word(&mut self, a: Reg, b: Reg) -> Reg {
        if let Some(both) = self.table_of_both(a, b) {
            return both;
        }
        if let Some(Op::Or(first, last)) = self.function.builder.op_of(a) {
            for (one, other) in [(first, last), (last, first)] {
                if let Some(both) = self.table_of_both(one, b) {
                    return self.function.builder.or(both, other);
                }
            }
        }
        self.function.builder.or(a, b)
    }

    fn table_of_both(&mut self, a: Reg, b: Reg) -> Option<Reg> {
        match (self.function.builder.op_of(a)?, self.function.builder.op_of(b)?) {
            (Op::Table(s, x), Op::Table(t, y)) if x == y => {
                let both = self.tables.of_both(s, t, |a, b| a | b)?;
                Some(self.function.builder.looked_up(both, x))
            }
            // The number itself, which is below that of the table's entries.
            (Op::Shl(one, x), Op::Table(t, y)) | (Op::Table(t, y), Op::Shl(one, x))
                if x == y && self.function.builder.constant_of(one) == Some(1) =>
            {
                let with = |entries: &[u64]| {
                    let with = entries.iter().zip(0..).map(|(entry, number)| entry | 1 << number).collect();
                    (entries.len() <= 64).then_some(with)
                };
                let both = self.tables.read(t, with)??;
                Some(self.function.builder.looked_up(both, x))
            }
            // What two of them leave of one set.
            (Op::And(..), Op::And(..)) => {
                let (set, one, other) = self.of_one_set(a, b)?;
                let both = self.table_of_both(one, other)?;
                Some(self.function.builder.and(both, set))
            }
            _ => None,
        }
    }

    /// What two intersections have in common, and the other parts of them if those are entries of tables.
    fn of_one_set(&self, a: Reg, b: Reg) -> Option<(Reg, Reg, Reg)> {
        let (Op::And(a, b), Op::And(c, d)) = (self.function.builder.op_of(a)?, self.function.builder.op_of(b)?) else {
            return None;
        };
        let is_entry = |reg: Reg| matches!(self.function.builder.op_of(reg), Some(Op::Table(..)));
        let ways = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
        let (set, one, _, other) =
            ways.into_iter().find(|&(set, one, same, other)| set == same && is_entry(one) && is_entry(other))?;
        Some((set, one, other))
    }

    /// Whether there is an element. What a table leaves of a set that was moved is tested where the set has not moved: then
    /// such tests go together.
    pub(super) fn is_any(&mut self, set: &Set) -> Reg {
        let words = set.iter().map(|&word| self.unmoved(word).unwrap_or(word)).collect();
        self.function.builder.any(&words)
    }

    /// For an intersection of an entry of a table with something that was moved: another one that is empty if it is.
    fn unmoved(&mut self, word: Reg) -> Option<Reg> {
        let Op::And(a, b) = self.function.builder.op_of(word)? else { return None };
        let (table, index, mut set) = match (self.function.builder.op_of(a), self.function.builder.op_of(b)) {
            (Some(Op::Table(table, index)), _) => (table, index, b),
            (_, Some(Op::Table(table, index))) => (table, index, a),
            _ => return None,
        };
        let mut entries = self.tables.read(table, <[u64]>::to_vec)?;
        let before = set;
        loop {
            let change: (Reg, &dyn Fn(u64) -> u64) = match self.function.builder.op_of(set) {
                Some(Op::And(moved, mask)) if let Some(mask) = self.function.builder.constant_of(mask) => {
                    (moved, &move |entry| entry & mask)
                }
                Some(Op::ShlBy(moved, by)) => (moved, &move |entry| entry.wrapping_shr(by)),
                Some(Op::ShrBy(moved, by)) => (moved, &move |entry| entry.wrapping_shl(by)),
                _ => break,
            };
            entries.iter_mut().for_each(|entry| *entry = change.1(*entry));
            set = change.0;
        }
        if set == before {
            return None;
        }
        let entry = self.function.builder.looked_up(entries, index);
        Some(self.function.builder.and(entry, set))
    }

    /// Whether one of two truth values holds; of what tables say of one value and one set, one test.
    pub(super) fn any_of(&mut self, a: Reg, b: Reg) -> Reg {
        let mut looked_at = 0;
        self.any_of_parts(a, b, &mut looked_at).unwrap_or_else(|| self.function.builder.or(a, b))
    }

    /// The same, if one of the parts of the first goes together with the second.
    fn any_of_parts(&mut self, a: Reg, b: Reg, looked_at: &mut usize) -> Option<Reg> {
        *looked_at += 1;
        if *looked_at > MAX_PARTS {
            return None;
        }
        let Some(Op::Or(x, y)) = self.function.builder.op_of(a) else { return self.test_of_both(a, b) };
        for (part, other) in [(y, x), (x, y)] {
            if let Some(both) = self.any_of_parts(part, b, looked_at) {
                return Some(self.function.builder.or(both, other));
            }
        }
        None
    }

    /// Whether one of two sets has an element, as one test.
    fn test_of_both(&mut self, a: Reg, b: Reg) -> Option<Reg> {
        let tested = |reg: Reg| match self.function.builder.op_of(reg)? {
            Op::Ne(set, zero) if self.function.builder.constant_of(zero) == Some(0) => Some(set),
            _ => None,
        };
        let both = tested(a).zip(tested(b)).and_then(|(a, b)| self.table_of_both(a, b))?;
        let zero = self.function.builder.constant(0);
        Some(self.function.builder.op(Op::Ne(both, zero)))
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
        if self.function.sources.contains_key(&value) {
            return set;
        }
        // Tables go round.
        let size = self.function.builder.constant(size as u64);
        let inside = self.function.builder.op(Op::Less(value, size));
        self.function.builder.when(inside, &set)
    }

    /// Notes that `holds` says whether an element below `size` is in a set.
    pub(super) fn note_entry(&mut self, holds: Reg, set: &Set, element: &Val, size: usize) {
        let Val::Reg(element) = *element else { return };
        // A constant outlives what it was found to be.
        let known = |reg| self.function.builder.constant_of(reg).is_some();
        if known(element) || known(holds) || size > set.len() * 64 {
            return;
        }
        let bits = |value: usize| constant_words(set.len(), [value]);
        let (root, masks): (Reg, Rc<[Vec<u64>]>) = match self.function.sources.get(&element) {
            Some(source) => (source.root, source.map.iter().map(|&value| bits(value as usize)).collect()),
            None => (element, (0..size).map(bits).collect()),
        };
        self.function.entries.insert(holds, Entries { rest: None, set: set.clone(), root, masks, holds });
    }

    /// Whether both of two truth values hold. What that says is noted of a new register only: one that was known before may still be
    /// known where the registers that say it are not, a constant above all.
    pub(super) fn conjunction(&mut self, a: Reg, b: Reg) -> Reg {
        let first = self.function.builder.size();
        if self.function.builder.constant_of(a) == Some(1) {
            return b;
        }
        let Some(new) = self.function.entries.get(&b).cloned() else { return self.function.builder.and(a, b) };
        let together = match self.function.entries.get(&a).cloned() {
            Some(old) if old.set == new.set && old.root == new.root && old.masks.len() == new.masks.len() => {
                let both = |(a, b): (&Vec<u64>, &Vec<u64>)| a.iter().zip(b).map(|(a, b)| a | b).collect();
                let masks: Rc<[Vec<u64>]> = old.masks.iter().zip(new.masks.iter()).map(both).collect();
                let holds = self.all_in(&old.set, old.root, &masks);
                let rest = match (old.rest, new.rest) {
                    (Some(a), Some(b)) => Some(self.function.builder.and(a, b)),
                    (a, b) => a.or(b),
                };
                Entries { rest, masks, holds, ..old }
            }
            _ => {
                let rest = new.rest.map_or(a, |rest| self.function.builder.and(a, rest));
                Entries { rest: Some(rest), ..new }
            }
        };
        let result = together.rest.map_or(together.holds, |rest| self.function.builder.and(rest, together.holds));
        if result as usize >= first {
            self.function.entries.insert(result, together);
        }
        result
    }

    /// Whether all bits of a mask are in a set.
    fn all_in(&mut self, set: &Set, root: Reg, masks: &[Vec<u64>]) -> Reg {
        let zero = self.function.builder.constant(0);
        let mut missing = zero;
        for (i, &word) in set.iter().enumerate() {
            let entries: Vec<u64> = masks
                .iter()
                .map(|mask| mask.get(i).copied().invariant_or(0, "a mask has as many words as its set"))
                .collect();
            if entries.iter().all(|&entry| entry == 0) {
                continue;
            }
            let mask = self.function.builder.looked_up(entries, root);
            let part = self.function.builder.and_not(mask, word);
            missing = self.function.builder.or(missing, part);
        }
        self.function.builder.op(Op::Eq(missing, zero))
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Code;
    use super::super::lifter::Lifter;
    use super::super::numbers::Numbers;
    use super::Val;
    use engine::valid::ValidGame;
    use rg_ir::SourceId;
    use wir::Op;

    /// What holds inside a block says nothing of a constant that it comes to: outside, its registers have no value.
    #[test]
    fn constants_say_nothing_of_entries() {
        let text = "type Player = { p }; type Score = { 0 }; begin, a: player = p; a, end: player = keeper;";
        let game = ValidGame::new(&rg_ir::text::parse(SourceId(0), text).0.unwrap()).unwrap();
        let mut lifter = Lifter::new(&game, game.claims(), Numbers::new(&game), None, Code::Sets).unwrap();
        lifter.begin(3);
        let (set, element, other) = (vec![0].into(), 1, 2);
        let one = lifter.function.builder.constant(1);
        let moved = lifter.function.builder.op(Op::Shr(0, element));
        let holds = lifter.function.builder.and(moved, one);
        lifter.note_entry(holds, &set, &Val::Reg(element), 64);
        let zero = lifter.function.builder.constant(0);
        lifter.open();
        // Another bit than the lowest.
        let inside = lifter.function.builder.op(Op::ShlBy(other, 1));
        assert_eq!(lifter.conjunction(inside, holds), zero);
        lifter.note_entry(zero, &set, &Val::Reg(inside), 64);
        lifter.close(Vec::new());
        assert_eq!(lifter.conjunction(holds, zero), zero);
        assert_eq!(lifter.conjunction(zero, holds), zero);
    }
}
