//! Sets of numbers as words: constants, images and preimages under constant maps, membership.

use super::build::Builder;
use std::rc::Rc;
use wir::{Op, Reg};

/// A set of numbers below 64 times its length, one register per word.
pub(super) type Set = Rc<[Reg]>;

/// A map from numbers to numbers, total on its domain.
pub(super) type Map = Rc<[u32]>;

/// From how many elements on with one image they are treated as a group.
const FEW: usize = 3;
/// Most such groups.
const MAX_TARGETS: usize = 8;
/// Most groups of elements that a map moves by one distance each; more are not worth shifting.
const MAX_SHIFTS: usize = 24;

/// Number of words for numbers below `size`.
pub(super) fn words(size: usize) -> usize {
    size.div_ceil(64).max(1)
}

/// The words of a constant set.
pub(super) fn constant_words(words: usize, elements: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut mask = vec![0; words];
    for element in elements {
        if let Some(word) = mask.get_mut(element / 64) {
            *word |= 1 << (element % 64);
        }
    }
    mask
}

impl Builder {
    /// A constant set.
    pub(super) fn constant_set(&mut self, words: usize, elements: impl IntoIterator<Item = usize>) -> Set {
        constant_words(words, elements).into_iter().map(|word| self.constant(word)).collect()
    }

    /// Word by word; sets of different length are filled up with nothing.
    pub(super) fn zip(&mut self, a: &Set, b: &Set, op: impl Fn(Reg, Reg) -> Op) -> Set {
        let zero = self.constant(0);
        let word = |set: &Set, i| set.get(i).copied().unwrap_or(zero);
        (0..a.len().max(b.len())).map(|i| self.op(op(word(a, i), word(b, i)))).collect()
    }

    /// Intersection.
    pub(super) fn both(&mut self, a: &Set, b: &Set) -> Set {
        let zero = self.constant(0);
        let word = |set: &Set, i| set.get(i).copied().unwrap_or(zero);
        (0..a.len().max(b.len())).map(|i| self.and(word(a, i), word(b, i))).collect()
    }

    /// Union.
    pub(super) fn either(&mut self, a: &Set, b: &Set) -> Set {
        self.zip(a, b, Op::Or)
    }

    /// Difference.
    pub(super) fn minus(&mut self, a: &Set, b: &Set) -> Set {
        self.zip(a, b, Op::AndNot)
    }

    /// The set if the truth value is 1, else nothing.
    pub(super) fn when(&mut self, truth: Reg, set: &Set) -> Set {
        match self.constant_of(truth) {
            Some(1) => set.clone(),
            _ => {
                let mask = self.splat(truth);
                set.iter().map(|&word| self.and(word, mask)).collect()
            }
        }
    }

    /// Whether there is an element.
    pub(super) fn any(&mut self, set: &Set) -> Reg {
        let zero = self.constant(0);
        let all = set.iter().fold(zero, |all, &word| self.or(all, word));
        self.op(Op::Ne(all, zero))
    }

    /// Whether a set is known to be empty.
    pub(super) fn is_empty(&self, set: &Set) -> bool {
        set.iter().all(|&word| self.constant_of(word) == Some(0))
    }

    /// Moves every element by a distance; what leaves the words is lost.
    pub(super) fn shifted(&mut self, set: &Set, by: i64) -> Set {
        let zero = self.constant(0);
        let (jump, bits) = ((by.unsigned_abs() / 64) as usize, (by.unsigned_abs() % 64) as u32);
        let word = |i: Option<usize>| i.and_then(|i| set.get(i)).copied().unwrap_or(zero);
        let moved = |builder: &mut Self, i: usize| {
            let (near, far) = if by >= 0 {
                (word(i.checked_sub(jump)), word(i.checked_sub(jump + 1)))
            } else {
                (word(Some(i + jump)), word(Some(i + jump + 1)))
            };
            if bits == 0 {
                return near;
            }
            let (near, far) = if by >= 0 {
                (builder.op(Op::ShlBy(near, bits)), builder.op(Op::ShrBy(far, 64 - bits)))
            } else {
                (builder.op(Op::ShrBy(near, bits)), builder.op(Op::ShlBy(far, 64 - bits)))
            };
            builder.or(near, far)
        };
        (0..set.len()).map(|i| moved(self, i)).collect()
    }

    /// The elements that the map takes to one and the same place, for places where many come together, and those that
    /// it moves by each distance, for the others. `None` if there are too many of either.
    fn groups(map: &Map, from: impl Fn(usize) -> bool, range: usize) -> Option<Groups> {
        let mut arrivals = vec![0usize; range];
        let inside = || map.iter().enumerate().filter(|&(x, &y)| (y as usize) < range && from(x));
        for (_, &to) in inside() {
            arrivals[to as usize] += 1;
        }
        let mut targets: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut groups: Vec<(i64, Vec<usize>)> = Vec::new();
        for (from, &to) in inside() {
            if arrivals[to as usize] > FEW {
                match targets.iter().position(|(target, _)| *target == to as usize) {
                    Some(at) => targets[at].1.push(from),
                    None if targets.len() == MAX_TARGETS => return None,
                    None => targets.push((to as usize, vec![from])),
                }
                continue;
            }
            let by = i64::from(to) - from as i64;
            match groups.iter().position(|(distance, _)| *distance == by) {
                Some(at) => groups[at].1.push(from),
                None if groups.len() == MAX_SHIFTS => return None,
                None => groups.push((by, vec![from])),
            }
        }
        Some(Groups { targets, distances: groups })
    }

    /// The distance by which a map moves most of some elements below `range`, and where it takes the others. `None` if it
    /// moves nothing, or if one of the others comes to one of these elements again, or to too many places. Elements that
    /// stay where they are do not count.
    pub(super) fn distance(map: &Map, from: impl Fn(usize) -> bool, range: usize) -> Option<(i64, Targets)> {
        let moved = || map.iter().enumerate().take(range).filter(|&(x, &y)| y as usize != x && from(x));
        let mut counts: Vec<(i64, usize)> = Vec::new();
        for (x, &y) in moved() {
            let by = i64::from(y) - x as i64;
            match counts.iter().position(|(other, _)| *other == by) {
                Some(at) => counts[at].1 += 1,
                None if counts.len() == 2 * MAX_SHIFTS => return None,
                None => counts.push((by, 1)),
            }
        }
        let &(by, _) = counts.iter().max_by_key(|(_, count)| *count)?;
        let goes_on = |x: usize| from(x) && map.get(x).is_some_and(|&y| y as usize != x);
        let mut targets: Targets = Vec::new();
        for (x, &y) in moved() {
            let to = y as usize;
            if i64::from(y) - x as i64 == by && to < range {
                continue;
            }
            match targets.iter().position(|(target, _)| *target == to) {
                _ if to >= range || goes_on(to) => return None,
                Some(at) => targets[at].1.push(x),
                None if targets.len() == MAX_TARGETS => return None,
                None => targets.push((to, vec![x])),
            }
        }
        Some((by, targets))
    }

    /// The numbers whose image is in the set, of those that `domain` may have; what it says of others does not count.
    pub(super) fn preimage(&mut self, map: &Map, set: &Set, domain: &Set) -> Option<Set> {
        let words = domain.len();
        let wide = words.max(set.len());
        if self.is_empty(set) {
            return Some(self.constant_set(words, []));
        }
        let impossible: Vec<u64> = set.iter().map(|&word| !self.possible_bits(word)).collect();
        let never = |y: u32| impossible.get(y as usize / 64).is_none_or(|word| word >> (y % 64) & 1 == 1);
        let domain: Vec<u64> = domain.iter().map(|&word| self.possible_bits(word)).collect();
        let counts = |x: usize| domain.get(x / 64).is_some_and(|word| word >> (x % 64) & 1 == 1);
        let groups = Self::groups(map, |x| counts(x) && map.get(x).is_some_and(|&y| !never(y)), set.len() * 64)?;
        let zero = self.constant(0);
        let padded: Set = (0..wide).map(|i| set.get(i).copied().unwrap_or(zero)).collect();
        let mut result = self.constant_set(words, []);
        for (target, elements) in groups.targets {
            let target = self.constant(target as u64);
            let here = self.contains(set, target, set.len() * 64);
            let mask = self.constant_set(words, elements);
            let part = self.when(here, &mask);
            result = self.either(&result, &part);
        }
        for (by, elements) in groups.distances {
            let moved = self.shifted(&padded, -by);
            let mask = self.constant_set(words, elements);
            let moved: Set = moved.iter().take(words).copied().collect();
            let part = self.both(&moved, &mask);
            result = self.either(&result, &part);
        }
        Some(result)
    }

    /// The images below `64 * words` of the set's elements.
    pub(super) fn image(&mut self, map: &Map, set: &Set, words: usize) -> Option<Set> {
        let wide = words.max(set.len());
        if self.is_empty(set) {
            return Some(self.constant_set(words, []));
        }
        let possible: Vec<u64> = set.iter().map(|&word| self.possible_bits(word)).collect();
        let may = |x: usize| possible.get(x / 64).is_some_and(|word| word >> (x % 64) & 1 == 1);
        let groups = Self::groups(map, may, words * 64)?;
        let mut result = self.constant_set(words, []);
        for (target, elements) in groups.targets {
            let mask = self.constant_set(set.len(), elements);
            let part = self.both(set, &mask);
            let any = self.any(&part);
            let target = self.constant_set(words, [target]);
            let part = self.when(any, &target);
            result = self.either(&result, &part);
        }
        for (by, elements) in groups.distances {
            let mask = self.constant_set(wide, elements);
            let part = self.both(set, &mask);
            let moved = self.shifted(&part, by);
            let moved: Set = moved.iter().take(words).copied().collect();
            result = self.either(&result, &moved);
        }
        Some(result)
    }

    /// The set of one number, which is below `64 * words` or else makes the set empty.
    pub(super) fn singleton(&mut self, element: Reg, words: usize) -> Set {
        let one = self.constant(1);
        if let Some(value) = self.constant_of(element) {
            return self.constant_set(words, [value as usize]);
        }
        let bit = self.op(Op::Shl(one, element));
        let high = self.op(Op::ShrBy(element, 6));
        (0..words)
            .map(|i| {
                let number = self.constant(i as u64);
                let here = self.op(Op::Eq(high, number));
                let mask = self.splat(here);
                self.and(bit, mask)
            })
            .collect()
    }

    /// As [`Builder::singleton`] for a number that is known to be below `64 * words`.
    pub(super) fn bit(&mut self, element: Reg, words: usize) -> Set {
        if words == 1 && self.constant_of(element).is_none() {
            let one = self.constant(1);
            return Rc::from([self.op(Op::Shl(one, element))]);
        }
        self.singleton(element, words)
    }

    /// Whether a number below `size` is in the set; numbers beyond the set's words are not.
    pub(super) fn contains(&mut self, set: &Set, element: Reg, size: usize) -> Reg {
        let one = self.constant(1);
        if let Some(value) = self.constant_of(element) {
            let Some(&word) = set.get(value as usize / 64) else { return self.constant(0) };
            let moved = self.op(Op::ShrBy(word, (value % 64) as u32));
            return self.and(moved, one);
        }
        let mut set: Vec<Reg> = set.to_vec();
        while set.len() > 1 && set.last().is_some_and(|&word| self.constant_of(word) == Some(0)) {
            set.pop();
        }
        let high = self.op(Op::ShrBy(element, 6));
        let mut word = set.first().copied().unwrap_or(one);
        for (i, &next) in set.iter().enumerate().skip(1) {
            let number = self.constant(i as u64);
            let here = self.op(Op::Eq(high, number));
            word = self.op(Op::Select(here, next, word));
        }
        let moved = self.op(Op::Shr(word, element));
        let found = self.and(moved, one);
        if size <= set.len() * 64 {
            return found;
        }
        let end = self.constant(set.len() as u64 * 64);
        let inside = self.op(Op::Less(element, end));
        self.and(found, inside)
    }

    /// The least element; meaningless if there is none.
    pub(super) fn lowest(&mut self, set: &Set) -> Reg {
        self.first(set.iter().enumerate().rev(), Op::Lowest)
    }

    /// The greatest element; meaningless if there is none.
    pub(super) fn highest(&mut self, set: &Set) -> Reg {
        self.first(set.iter().enumerate(), Op::Highest)
    }

    /// The element that an operation finds in the last of some words, with their numbers, that is not empty.
    fn first<'s>(&mut self, words: impl Iterator<Item = (usize, &'s Reg)>, find: fn(Reg) -> Op) -> Reg {
        let zero = self.constant(0);
        let mut result = None;
        for (i, &word) in words {
            let bit = self.op(find(word));
            let offset = self.constant(64 * i as u64);
            let element = self.op(Op::Add(bit, offset));
            result = Some(match result {
                None => element,
                Some(result) => {
                    let here = self.op(Op::Ne(word, zero));
                    self.op(Op::Select(here, element, result))
                }
            });
        }
        result.unwrap_or(zero)
    }
}

/// Places, and the elements that are taken there.
pub(super) type Targets = Vec<(usize, Vec<usize>)>;

/// See [`Builder::groups`].
struct Groups {
    targets: Targets,
    distances: Vec<(i64, Vec<usize>)>,
}

/// Applies one map after another; what leads out of the domain of the second counts as 0.
pub(super) fn compose(outer: &[u32], inner: &[u32]) -> Map {
    inner.iter().map(|&x| outer.get(x as usize).copied().unwrap_or(0)).collect()
}
