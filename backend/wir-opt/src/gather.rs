//! Bits of some words brought side by side: each word times a number, and the highest bits of the sum.

use rg_ir::invariant::Invariant;

/// Numbers to multiply words with, and where in the window each bit arrives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gather {
    /// Per word.
    pub factors: Vec<u64>,
    /// Per bit, its position in the window: the highest bits of the sum.
    pub slots: Vec<u32>,
}

/// Steps after which no more numbers are tried.
const MAX_STEPS: usize = 2000;

/// Most bits that are gathered at once.
pub const MAX_BITS: usize = 8;

/// Finds a gathering of some different bits, each given as the number of its word and its position there, in a window of
/// `width` bits. All other bits of the words are 0, and so are all other bits of the window. At most [`MAX_STEPS`] steps.
pub fn gather(bits: &[(usize, u32)], words: usize, width: u32) -> Option<Gather> {
    if bits.len() > MAX_BITS || bits.len() > width as usize {
        return None;
    }
    let mut search =
        Search { bits, words, bottom: 64 - width, steps: 0, shifts: Vec::new(), slots: vec![None; bits.len()] };
    search.found().then(|| Gather {
        factors: (0..words).map(|word| search.factor(word)).collect(),
        slots: search.slots.iter().map(|slot| slot.invariant_or(0, "every bit that was gathered has a slot")).collect(),
    })
}

struct Search<'b> {
    bits: &'b [(usize, u32)],
    words: usize,
    /// Where the window begins.
    bottom: u32,
    steps: usize,
    /// By how much words are shifted; a word may be shifted by several numbers.
    shifts: Vec<(usize, u32)>,
    slots: Vec<Option<u32>>,
}

impl Search<'_> {
    fn factor(&self, word: usize) -> u64 {
        self.shifts.iter().filter(|&&(of, _)| of == word).fold(0, |sum: u64, &(_, by)| sum.wrapping_add(1 << by))
    }

    /// Brings the highest bit that has no slot yet to each that is free, and goes on from there.
    fn found(&mut self) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        let open = self.bits.iter().zip(&self.slots).filter(|(_, slot)| slot.is_none()).map(|(&bit, _)| bit);
        let Some((word, position)) = open.max_by_key(|&(_, position)| position) else { return self.works() };
        for slot in (0..64 - self.bottom).rev() {
            let Some(by) = (self.bottom + slot).checked_sub(position) else { continue };
            let before = self.slots.clone();
            if self.shift(word, by) {
                self.shifts.push((word, by));
                if self.found() {
                    return true;
                }
                self.shifts.pop();
            }
            self.slots = before;
        }
        false
    }

    /// Notes where in the window the bits of a word arrive; whether each of them is there once, and alone.
    fn shift(&mut self, word: usize, by: u32) -> bool {
        for (at, &(of, position)) in self.bits.iter().enumerate() {
            let Some(slot) = (position + by).checked_sub(self.bottom).filter(|_| of == word && position + by < 64)
            else {
                continue;
            };
            if self.slots.contains(&Some(slot)) {
                return false;
            }
            match self.slots.get_mut(at) {
                Some(old @ None) => *old = Some(slot),
                _ => return false,
            }
        }
        true
    }

    /// Whether no sum of what arrives below the window gets into it.
    fn works(&self) -> bool {
        let factors: Vec<u64> = (0..self.words).map(|word| self.factor(word)).collect();
        (0..1_u32 << self.bits.len()).all(|chosen| {
            let (mut sum, mut wanted) = (0_u64, 0_u64);
            for (at, (&(word, position), slot)) in self.bits.iter().zip(&self.slots).enumerate() {
                if chosen >> at & 1 == 1 {
                    let factor = factors.get(word).copied().invariant_or(0, "every word of a gathering has a factor");
                    sum = sum.wrapping_add(factor.wrapping_mul(1 << position));
                    wanted |= 1 << slot.invariant_or(0, "every bit that is tried has a slot");
                }
            }
            sum.checked_shr(self.bottom).unwrap_or(0) == wanted
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Gather, gather};

    /// Asks a gathering for all sets of its bits.
    fn check(bits: &[(usize, u32)], words: usize, width: u32) {
        let Gather { factors, slots } = gather(bits, words, width).unwrap();
        for chosen in 0..1_u32 << bits.len() {
            let mut given = vec![0_u64; words];
            let mut wanted = 0;
            for (at, &(word, position)) in bits.iter().enumerate().filter(|&(at, _)| chosen >> at & 1 == 1) {
                given[word] |= 1 << position;
                wanted |= 1_u64 << slots[at];
            }
            let sum = given.iter().zip(&factors).fold(0_u64, |sum, (&a, &b)| sum.wrapping_add(a.wrapping_mul(b)));
            assert_eq!(sum >> (64 - width), wanted, "{bits:?}");
        }
    }

    #[test]
    fn bits_come_together() {
        check(&[], 1, 1);
        check(&[(0, 63)], 1, 1);
        check(&[(0, 0), (0, 1), (0, 2)], 1, 3);
        check(&[(0, 9), (0, 17), (0, 18), (0, 36), (0, 37), (0, 45)], 1, 7);
        check(&[(1, 3), (0, 63), (0, 62), (1, 4), (0, 40)], 2, 6);
    }

    #[test]
    fn what_cannot_be_is_not_found() {
        // The highest bits cannot change places, and there are more of them than slots.
        assert_eq!(gather(&[(0, 63), (1, 63)], 2, 2), None);
        assert_eq!(gather(&[(0, 1), (0, 2)], 1, 1), None);
    }
}
