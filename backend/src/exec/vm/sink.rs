//! Where the moves of a function go.

use crate::exec::Run;

/// Takes emissions.
pub(super) enum Sink<'a> {
    /// A list.
    List(&'a mut Vec<u64>),
    /// Only their number.
    Tally(u64),
    /// Sets, and their number of moves.
    Sets(&'a mut Vec<Run>, u64),
}

impl Sink<'_> {
    /// How many moves have been counted; lists know their length.
    pub(super) fn count(&self) -> u64 {
        match self {
            Sink::List(moves) => moves.len() as u64,
            Sink::Tally(count) | Sink::Sets(_, count) => *count,
        }
    }

    /// One move.
    pub(super) fn one(&mut self, base: u64) {
        match self {
            Sink::List(moves) => moves.push(base),
            Sink::Tally(count) => *count += 1,
            Sink::Sets(..) => self.set(base, 1, 0),
        }
    }

    /// `base + (i << shift)` for each bit i of `set`, in ascending order; `shift` is taken modulo 64.
    #[inline(never)]
    pub(super) fn set(&mut self, base: u64, mut set: u64, shift: u8) {
        match self {
            // The number is known beforehand, so the list grows at most once.
            Sink::List(moves) => moves.extend((0..set.count_ones()).map(|_| {
                let element = u64::from(set.trailing_zeros());
                set &= set.wrapping_sub(1);
                base.wrapping_add(element << (shift & 63))
            })),
            Sink::Tally(count) => *count += u64::from(set.count_ones()),
            Sink::Sets(runs, count) => {
                if set != 0 {
                    *count += u64::from(set.count_ones());
                    runs.push(Run { base, set, shift: u64::from(shift) });
                }
            }
        }
    }
}
