//! Functions of a place and of some bits, evaluated for all places and all sets of bits.

use super::gather::{Gather, gather};
use rg_ir::invariant::{Invariant, put};
use wir::{Op, Program, Reg};

/// Functions of the same bits, evaluated everywhere.
pub(super) struct Evaluated {
    pub(super) places: usize,
    /// Number of bits.
    pub(super) bits: usize,
    pub(super) functions: usize,
    /// By place, set of bits, and function.
    pub(super) values: Vec<u64>,
    /// By place and bit, the number of its word and its position; `None` if it makes no difference there.
    pub(super) sources: Vec<Option<(usize, u32)>>,
    pub(super) words: Vec<Reg>,
}

impl Evaluated {
    fn at(&self, place: usize, set: usize, function: usize) -> u64 {
        self.values
            .get(((place << self.bits) + set) * self.functions + function)
            .copied()
            .invariant_or(0, "functions are evaluated for every place and set")
    }

    pub(super) fn sets(&self) -> usize {
        1 << self.bits
    }

    /// Whether at some place a bit makes a difference.
    fn matters(&self, place: usize, bit: usize) -> bool {
        (0..self.sets()).any(|set| {
            (0..self.functions)
                .any(|function| self.at(place, set, function) != self.at(place, set ^ 1 << bit, function))
        })
    }

    /// A set of bits whose values all others have as well, each bit adding what it adds there, if there is one.
    pub(super) fn base(&self) -> Option<usize> {
        let all = |test: &dyn Fn(usize, usize, usize) -> bool| {
            (0..self.places)
                .all(|place| (0..self.functions).all(|function| (0..self.sets()).all(|set| test(place, set, function))))
        };
        let mut base = 0;
        for bit in 0..self.bits {
            let grows = |place: usize, set: usize, function: usize| {
                self.at(place, set & !(1 << bit), function) & !self.at(place, set | 1 << bit, function) == 0
            };
            base |= usize::from(!all(&grows)) << bit;
        }
        all(&|place, set, function| self.unites(base, place, set, function)).then_some(base)
    }

    /// Whether a value is that of a base with what each bit adds to it.
    fn unites(&self, base: usize, place: usize, set: usize, function: usize) -> bool {
        let with = |bit: usize| self.at(place, base & !(1 << bit) | set & 1 << bit, function);
        let union = (0..self.bits).fold(self.at(place, base, function), |all, bit| all | with(bit));
        union == self.at(place, set, function)
    }
}

/// What can be said of functions before they are evaluated at all places.
#[derive(Default)]
pub(super) struct Outlook {
    /// The bits that somewhere add something to a value, and those that somewhere take something away.
    adding: u64,
    removing: u64,
    /// Whether there is a place at which what bits do cannot be united.
    divided: bool,
    /// The largest number of bits that make a difference at one place.
    needed: usize,
}

impl Outlook {
    /// Takes note of the values at a place.
    pub(super) fn see(&mut self, evaluated: &Evaluated, place: usize) {
        let mut needed: Vec<(usize, u32)> = Vec::new();
        let mut base = 0;
        for bit in 0..evaluated.bits {
            let (mut adds, mut removes) = (false, false);
            for set in (0..evaluated.sets()).filter(|set| set >> bit & 1 == 0) {
                for function in 0..evaluated.functions {
                    let without = evaluated.at(place, set, function);
                    let with = evaluated.at(place, set | 1 << bit, function);
                    adds |= with & !without != 0;
                    removes |= without & !with != 0;
                }
            }
            self.adding |= u64::from(adds) << bit;
            self.removing |= u64::from(removes) << bit;
            base |= usize::from(removes) << bit;
            needed.extend(evaluated.source(place, bit).filter(|_| adds || removes));
        }
        needed.sort_unstable();
        needed.dedup();
        self.needed = self.needed.max(needed.len());
        // A bit that makes no difference here is in the base or not.
        let unites = |set| (0..evaluated.functions).all(|function| evaluated.unites(base, place, set, function));
        self.divided |= self.adding & self.removing != 0 || !(0..evaluated.sets()).all(unites);
    }

    /// Whether a table needs more than `most` bits of index for certain. If the bits' effects are not a union ([`Evaluated::base`]), one
    /// table has to be indexed by all of them.
    pub(super) fn needs_long_tables(&self, most: u32) -> bool {
        self.divided && self.needed > most as usize
    }
}

/// How the bits of every place are brought side by side, in a window of so many bits.
pub(super) fn gathered(evaluated: &Evaluated) -> Option<(u32, Vec<Gather>)> {
    let needed: Vec<Vec<(usize, u32)>> = (0..evaluated.places).map(|place| evaluated.needed(place)).collect();
    let most = needed.iter().map(Vec::len).max().filter(|&most| most > 0)? as u32;
    (most..most + 3).find_map(|width| {
        let all: Option<Vec<Gather>> = needed.iter().map(|bits| gather(bits, evaluated.words.len(), width)).collect();
        Some((width, all?))
    })
}

impl Evaluated {
    /// Forgets bits at places where they make no difference.
    pub(super) fn keep_what_matters(&mut self) {
        for place in 0..self.places {
            for bit in (0..self.bits).filter(|&bit| !self.matters(place, bit)).collect::<Vec<_>>() {
                put(&mut self.sources, place * self.bits + bit, None, "every bit of every place has a source");
            }
        }
    }

    /// Where a bit is to be found at a place, if it makes a difference there.
    fn source(&self, place: usize, bit: usize) -> Option<(usize, u32)> {
        self.sources.get(place * self.bits + bit).copied().flatten()
    }

    /// The bits that make a difference at a place, each once.
    fn needed(&self, place: usize) -> Vec<(usize, u32)> {
        let mut needed: Vec<(usize, u32)> = (0..self.bits).filter_map(|bit| self.source(place, bit)).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// The bits of a word that make a difference at a place.
    pub(super) fn mask(&self, place: usize, word: usize) -> u64 {
        self.needed(place).into_iter().filter(|&(of, _)| of == word).fold(0, |mask, (_, position)| mask | 1 << position)
    }

    /// The table of a function with those bits that arrive in a part of the window; all others are as in `base`.
    pub(super) fn part(
        &self,
        gathered: &[Gather],
        function: usize,
        base: usize,
        part: std::ops::Range<u32>,
    ) -> Vec<u64> {
        let size = part.end - part.start;
        let mut entries = Vec::with_capacity(self.places << size);
        for (place, gather) in gathered.iter().enumerate() {
            let needed = self.needed(place);
            let slot = |bit: usize| {
                let at = needed.binary_search(&self.source(place, bit)?).ok()?;
                gather.slots.get(at).copied().filter(|slot| part.contains(slot)).map(|slot| slot - part.start)
            };
            let slots: Vec<Option<u32>> = (0..self.bits).map(slot).collect();
            for index in 0..1_usize << size {
                let set = slots.iter().enumerate().fold(base, |set, (bit, slot)| match slot {
                    Some(slot) => set & !(1 << bit) | (index >> slot & 1) << bit,
                    None => set,
                });
                entries.push(self.at(place, set, function));
            }
        }
        entries
    }
}

/// An operation to be evaluated often.
pub(super) enum Dense {
    /// One of the bits.
    Bit(usize),
    /// A table, asked at an operation's value, or at the place.
    Table(u32, Option<u32>),
    /// Any other; registers are numbers of operations, or count down from the highest for constants.
    Op(Op, [Option<u64>; 3]),
}

impl Dense {
    pub(super) fn value(&self, program: &Program, place: usize, set: usize, values: &[u64]) -> Option<u64> {
        match self {
            Dense::Bit(bit) => Some((set >> bit & 1) as u64),
            Dense::Table(table, at) => {
                let index = at.map_or(Some(place as u64), |at| values.get(at as usize).copied())?;
                let entries = &program.tables.get(*table as usize)?.entries;
                entries.get(index as usize & entries.len().wrapping_sub(1)).copied()
            }
            Dense::Op(op, constants) => op.evaluate(&program.tables, |register| {
                let constant = || constants.get((u32::MAX - register) as usize).copied().flatten();
                values.get(register as usize).copied().or_else(constant)
            }),
        }
    }
}
