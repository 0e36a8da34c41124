//! Tables of ground tuples with indexes on parts of arguments.

use crate::normal::{Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// No row.
const NONE: u32 = u32::MAX;

/// Rows that are looked at to estimate the selectivity of a key.
const SAMPLE: usize = 2048;

/// A part of a tuple: an argument, then positions inside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Access {
    pub(crate) path: Box<[u8]>,
    /// The name of the function there instead of the whole term.
    pub(crate) functor: bool,
}

/// The tuples of a relation, in the order of their insertion, without duplicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    arity: usize,
    cells: Vec<TermId>,
    len: usize,
    /// The last row of every hash of a tuple.
    rows: FxHashMap<u64, u32>,
    /// Per row the one before with the same hash.
    same_hash: Vec<u32>,
    indexes: Vec<Index>,
}

/// Rows by the values of some parts.
#[derive(Clone, Debug)]
struct Index {
    key: Vec<Access>,
    /// First and last row of every hash of a value.
    heads: FxHashMap<u64, (u32, u32)>,
    /// Per row the next one with the same hash.
    next: Vec<u32>,
}

impl Table {
    pub(crate) fn new(arity: usize) -> Self {
        Self { arity, ..Self::default() }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The tuple of a row.
    pub(crate) fn row(&self, row: u32) -> &[TermId] {
        let first = row as usize * self.arity;
        self.cells.get(first..first + self.arity).unwrap_or(&[])
    }

    /// All tuples in order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[TermId]> {
        (0..self.len).map(|row| self.row(row as u32))
    }

    /// The row of a tuple.
    pub(crate) fn find(&self, tuple: &[TermId]) -> Option<u32> {
        let mut at = self.rows.get(&hash(tuple)).copied()?;
        while at != NONE {
            if self.row(at) == tuple {
                return Some(at);
            }
            at = self.same_hash.get(at as usize).copied().unwrap_or(NONE);
        }
        None
    }

    /// Adds a tuple; `None` if it is there already.
    pub(crate) fn insert(&mut self, tuple: &[TermId]) -> Option<u32> {
        if self.find(tuple).is_some() {
            return None;
        }
        let row = u32::try_from(self.len).ok().filter(|&row| row != NONE)?;
        self.same_hash.push(self.rows.insert(hash(tuple), row).unwrap_or(NONE));
        self.cells.extend_from_slice(tuple);
        self.len += 1;
        Some(row)
    }

    /// The number of the index with that key, made if there is none. O(rows) the first time.
    pub(crate) fn index(&mut self, key: &[Access]) -> usize {
        self.indexes.iter().position(|index| index.key == key).unwrap_or_else(|| {
            self.indexes.push(Index { key: key.to_vec(), heads: FxHashMap::default(), next: Vec::new() });
            self.indexes.len() - 1
        })
    }

    /// Enters new rows into an index.
    pub(crate) fn refresh(&mut self, terms: &Terms, index: usize) {
        let (arity, cells) = (self.arity, &self.cells);
        let Some(index) = self.indexes.get_mut(index) else { return };
        let mut value = Vec::with_capacity(index.key.len());
        for row in index.next.len()..self.len {
            index.next.push(NONE);
            let tuple = cells.get(row * arity..(row + 1) * arity).unwrap_or(&[]);
            if !read(terms, tuple, &index.key, &mut value) {
                continue;
            }
            let row = row as u32;
            match index.heads.get_mut(&hash(&value)) {
                Some((_, last)) => {
                    if let Some(next) = index.next.get_mut(*last as usize) {
                        *next = row;
                    }
                    *last = row;
                }
                None => {
                    index.heads.insert(hash(&value), (row, row));
                }
            }
        }
    }

    /// The first row that may have that value of an index's key. Rows come in ascending order; some may have another
    /// value with the same hash.
    pub(crate) fn first(&self, index: usize, value: &[u32]) -> Option<u32> {
        self.indexes.get(index)?.heads.get(&hash(value)).map(|&(first, _)| first)
    }

    /// The row after `row` that may have the same value.
    pub(crate) fn next(&self, index: usize, row: u32) -> Option<u32> {
        self.indexes.get(index)?.next.get(row as usize).copied().filter(|&next| next != NONE)
    }

    /// An estimate of how many rows have one value of a key. O(1) or a bounded sample.
    pub(crate) fn fan_out(&self, terms: &Terms, key: &[Access]) -> f64 {
        let rows = self.len as f64;
        if key.is_empty() || self.len == 0 {
            return rows;
        }
        if let Some(index) = self.indexes.iter().find(|index| index.key == key && index.next.len() == self.len) {
            return rows / (index.heads.len().max(1) as f64);
        }
        let stride = self.len.div_ceil(SAMPLE);
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let (mut value, mut sampled, mut matching) = (Vec::new(), 0usize, 0usize);
        for row in (0..self.len).step_by(stride.max(1)) {
            sampled += 1;
            if read(terms, self.row(row as u32), key, &mut value) {
                matching += 1;
                seen.insert(hash(&value));
            }
        }
        let distinct = seen.len() as f64;
        let share = matching as f64 / sampled.max(1) as f64;
        // Values that are as good as unique in the sample are taken for unique in the table.
        let scale = if distinct * 2.0 > matching as f64 { rows * share / (matching.max(1) as f64) } else { 1.0 };
        (rows * share / (distinct * scale).max(1.0)).max(share)
    }
}

fn hash<T: Hash>(values: &[T]) -> u64 {
    let mut hasher = FxHasher::default();
    values.iter().for_each(|value| value.hash(&mut hasher));
    hasher.finish()
}

/// Reads the parts of a tuple into `value`; `false` if one of them is not there.
fn read(terms: &Terms, tuple: &[TermId], key: &[Access], value: &mut Vec<u32>) -> bool {
    value.clear();
    for access in key {
        let Some((&first, rest)) = access.path.split_first() else { return false };
        let Some(mut at) = tuple.get(first as usize).copied() else { return false };
        for &position in rest {
            match terms.arg(at, position as usize) {
                Some(next) => at = next,
                None => return false,
            }
        }
        value.push(match (access.functor, terms.get(at)) {
            (true, Term::Compound(word, _)) => word.index() as u32,
            (true, _) => return false,
            (false, _) => at.index() as u32,
        });
    }
    true
}
