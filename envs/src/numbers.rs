//! Numbers by words, for many look-ups: words have few bits set at their upper and lower ends, since moves of lifted code have their kind above
//! and their arguments below, so that mostly a table with an element for each such word is small. Otherwise it is a hash table.

use backend::PackedMove;
use rustc_hash::FxHashMap;

/// What stands for the number of a word that has none.
pub(crate) const NO_NUMBER: u32 = u32::MAX;

/// Where the upper part of a word begins.
const UPPER: u32 = 54;

/// Elements at most of a table with one for each word.
const MAX_DENSE: u64 = 1 << 16;

/// See the module.
#[derive(Debug)]
pub(crate) enum Numbers {
    /// Words whose lower part has at most so many bits: at the upper part and the lower one.
    Dense {
        /// Bits of the lower part.
        bits: u32,
        numbers: Vec<u32>,
    },
    Hashed(FxHashMap<u64, u32>),
}

impl Default for Numbers {
    fn default() -> Self {
        Self::Dense { bits: 0, numbers: Vec::new() }
    }
}

/// The lower part of a word.
fn lower(word: u64) -> u64 {
    word & ((1 << UPPER) - 1)
}

/// Where a word is in a table; its lower part must have no more bits.
fn place(word: u64, bits: u32) -> u64 {
    (word >> UPPER) << bits | lower(word)
}

impl Numbers {
    /// Adds the numbers of some moves, [`NO_NUMBER`] for those that have none; whether all have one. O(moves).
    pub(crate) fn look_up(&self, moves: &[PackedMove], found: &mut Vec<u32>) -> bool {
        let before = found.len();
        match self {
            Self::Dense { bits, numbers } => {
                // What does not fit comes behind the end of the table.
                let over = |word: u64| if lower(word) >> bits == 0 { 0 } else { u64::MAX };
                let number = |word: u64| numbers.get((place(word, *bits) | over(word)) as usize);
                found.extend(moves.iter().map(|packed| number(packed.0).copied().unwrap_or(NO_NUMBER)));
            }
            Self::Hashed(_) => found.extend(moves.iter().map(|packed| self.get(packed.0))),
        }
        // A number is less than this one: the greatest of all tells.
        found.iter().skip(before).fold(0, |most, &number| most.max(number)) != NO_NUMBER
    }

    /// The number of a word, or [`NO_NUMBER`]. O(1).
    pub(crate) fn get(&self, word: u64) -> u32 {
        match self {
            Self::Dense { bits, numbers } => {
                if lower(word) >> bits != 0 {
                    return NO_NUMBER;
                }
                numbers.get(place(word, *bits) as usize).copied().unwrap_or(NO_NUMBER)
            }
            Self::Hashed(numbers) => numbers.get(&word).copied().unwrap_or(NO_NUMBER),
        }
    }

    /// Gives a word a number, which is not [`NO_NUMBER`]. Linear in the words where the table has to grow.
    pub(crate) fn insert(&mut self, word: u64, number: u32) {
        match self {
            Self::Hashed(numbers) => {
                numbers.insert(word, number);
            }
            Self::Dense { bits, numbers } => {
                let needed = (u64::BITS - lower(word).leading_zeros()).max(*bits);
                if needed > UPPER / 2 || place(word, needed) >= MAX_DENSE {
                    *self = Self::Hashed(self.words().chain([(word, number)]).collect());
                } else if needed > *bits {
                    let old: Vec<(u64, u32)> = self.words().collect();
                    *self = Self::Dense { bits: needed, numbers: Vec::new() };
                    old.into_iter().chain([(word, number)]).for_each(|(word, number)| self.insert(word, number));
                } else {
                    let at = place(word, *bits) as usize;
                    if numbers.len() <= at {
                        numbers.resize(at + 1, NO_NUMBER);
                    }
                    if let Some(slot) = numbers.get_mut(at) {
                        *slot = number;
                    }
                }
            }
        }
    }

    /// All words of a dense table with their numbers; none of a hash table.
    fn words(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let (bits, numbers) = match self {
            Self::Dense { bits, numbers } => (*bits, numbers.as_slice()),
            Self::Hashed(_) => (0, &[][..]),
        };
        let word = move |at: u64| (at >> bits) << UPPER | at & ((1 << bits) - 1);
        (0..).zip(numbers).filter(|(_, number)| **number != NO_NUMBER).map(move |(at, &number)| (word(at), number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words whose lower parts have at most so many bits, of some kinds.
    fn words(kinds: u64, bits: u32) -> Vec<u64> {
        (0..2000u64).map(|at| (at % kinds) << UPPER | at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)).collect()
    }

    #[test]
    fn words_keep_their_numbers() {
        for (kinds, bits, dense) in [(3, 8, true), (1, 16, true), (500, 7, true), (2, 20, false), (1000, 12, false)] {
            let mut numbers = Numbers::default();
            let mut first = std::collections::BTreeMap::new();
            for (&word, number) in words(kinds, bits).iter().zip(0..) {
                assert_eq!(numbers.get(word), first.get(&word).copied().unwrap_or(NO_NUMBER));
                first.entry(word).or_insert_with(|| {
                    numbers.insert(word, number);
                    number
                });
            }
            assert!(first.iter().all(|(&word, &number)| numbers.get(word) == number));
            assert_eq!(matches!(numbers, Numbers::Dense { .. }), dense, "{kinds} kinds of {bits} bits");
            assert_eq!(numbers.get(1 << 40), NO_NUMBER);
            let moves: Vec<PackedMove> = first.keys().map(|&word| PackedMove(word)).collect();
            let mut found = Vec::new();
            assert!(numbers.look_up(&moves, &mut found) && found.iter().eq(first.values()));
            assert!(!numbers.look_up(&[PackedMove(1 << 40)], &mut found) && found.last() == Some(&NO_NUMBER));
        }
    }
}
