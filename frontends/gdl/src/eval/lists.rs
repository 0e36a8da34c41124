//! Interned lists of numbers.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// No list.
const NONE: u32 = u32::MAX;

/// Lists without duplicates, numbered in the order of their insertion, in one piece of memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    cells: Vec<u32>,
    /// Where each list ends.
    ends: Vec<usize>,
    /// The last list of every hash.
    last: FxHashMap<u64, u32>,
    /// Per list the one before with the same hash.
    same_hash: Vec<u32>,
}

impl Lists {
    /// Number of lists.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A list.
    pub(crate) fn get(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let from = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let to = self.ends.get(number).copied().unwrap_or(from);
        self.cells.get(from..to).unwrap_or(&[])
    }

    /// All lists in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.get(number as u32))
    }

    /// The number of a list, entered if it is new (then its number is the former [`Lists::len`]).
    pub(crate) fn intern(&mut self, list: &[u32]) -> u32 {
        let mut hasher = FxHasher::default();
        list.iter().for_each(|&cell| hasher.write_u32(cell));
        let hash = hasher.finish();
        let mut at = self.last.get(&hash).copied().unwrap_or(NONE);
        while at != NONE {
            if self.get(at) == list {
                return at;
            }
            at = self.same_hash.get(at as usize).copied().unwrap_or(NONE);
        }
        let number = u32::try_from(self.len()).unwrap_or(NONE);
        self.cells.extend_from_slice(list);
        self.ends.push(self.cells.len());
        self.same_hash.push(self.last.insert(hash, number).unwrap_or(NONE));
        number
    }
}
