//! Where the moves of a function go.

use crate::exec::Run;

/// Takes emissions.
pub(super) trait Sink {
    /// One move.
    fn one(&mut self, base: u64);

    /// `base + (i << shift)` for each bit i of `set`, in ascending order; `shift` is taken modulo 64.
    fn set(&mut self, base: u64, set: u64, shift: u8);

    /// An instruction begins.
    #[inline(always)]
    fn step(&mut self) {}
}

/// A list.
pub(super) struct List<'a>(pub(super) &'a mut Vec<u64>);

impl Sink for List<'_> {
    #[inline]
    fn one(&mut self, base: u64) {
        self.0.push(base);
    }

    #[inline]
    fn set(&mut self, base: u64, mut set: u64, shift: u8) {
        // The number is known beforehand, so the list grows at most once.
        self.0.extend((0..set.count_ones()).map(|_| {
            let element = u64::from(set.trailing_zeros());
            set &= set.wrapping_sub(1);
            base.wrapping_add(element << (shift & 63))
        }));
    }
}

/// Only their number.
pub(super) struct Tally(pub(super) u64);

impl Sink for Tally {
    #[inline]
    fn one(&mut self, _: u64) {
        self.0 += 1;
    }

    #[inline]
    fn set(&mut self, _: u64, set: u64, _: u8) {
        self.0 += u64::from(set.count_ones());
    }
}

/// Sets, and their number of moves.
pub(super) struct Sets<'a>(pub(super) &'a mut Vec<Run>, pub(super) u64);

impl Sink for Sets<'_> {
    #[inline]
    fn one(&mut self, base: u64) {
        self.set(base, 1, 0);
    }

    #[inline]
    fn set(&mut self, base: u64, set: u64, shift: u8) {
        if set != 0 {
            self.1 += u64::from(set.count_ones());
            self.0.push(Run { base, set, shift: u64::from(shift) });
        }
    }
}

/// Nowhere, but instructions are counted.
pub(super) struct Steps(pub(super) u64);

impl Sink for Steps {
    fn one(&mut self, _: u64) {}

    fn set(&mut self, _: u64, _: u64, _: u8) {}

    fn step(&mut self) {
        self.0 += 1;
    }
}
