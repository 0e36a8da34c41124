//! Numbers by words: a hash table with open addressing, for one look-up after the other.

/// See the module.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// Words with their numbers; a power of two, at most half of it taken.
    slots: Vec<(u64, u32)>,
    count: usize,
}

/// What stands for the number of a word that has none.
pub(crate) const NO_NUMBER: u32 = u32::MAX;

impl Default for Numbers {
    fn default() -> Self {
        Self { slots: vec![(0, NO_NUMBER); 64], count: 0 }
    }
}

impl Numbers {
    /// Where a word is, or would be.
    fn place(&self, word: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the upper bits of the product are mixed best.
        let mut at = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while let Some(&(other, number)) = self.slots.get(at) {
            if number == NO_NUMBER || other == word {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a word, or [`NO_NUMBER`]. O(1) on average.
    pub(crate) fn get(&self, word: u64) -> u32 {
        self.slots.get(self.place(word)).map_or(NO_NUMBER, |&(_, number)| number)
    }

    /// Gives a word a number, which is not [`NO_NUMBER`].
    pub(crate) fn insert(&mut self, word: u64, number: u32) {
        if 2 * (self.count + 1) > self.slots.len() {
            let larger = vec![(0, NO_NUMBER); 2 * self.slots.len()];
            let old = std::mem::replace(&mut self.slots, larger);
            self.count = 0;
            old.into_iter()
                .filter(|&(_, number)| number != NO_NUMBER)
                .for_each(|(word, number)| self.insert(word, number));
        }
        let at = self.place(word);
        if let Some(slot) = self.slots.get_mut(at) {
            self.count += usize::from(slot.1 == NO_NUMBER);
            *slot = (word, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_numbers() {
        let mut numbers = Numbers::default();
        let words: Vec<u64> = (0..1000u64).map(|at| (at * at) << (at % 50)).collect();
        let mut first = std::collections::BTreeMap::new();
        for (&word, number) in words.iter().zip(0..) {
            if numbers.get(word) == NO_NUMBER {
                numbers.insert(word, number);
                first.insert(word, number);
            }
        }
        assert!(first.iter().all(|(&word, &number)| numbers.get(word) == number));
        assert_eq!((numbers.count, numbers.get(12_345_678_901)), (first.len(), NO_NUMBER));
    }
}
