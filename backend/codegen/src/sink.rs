//! Where the moves of a function go.

use crate::{Run, SideExit};

/// The most moves of a set, and those that are written at once.
const MOST: usize = 64;
const AT_ONCE: usize = 4;

/// Takes emissions.
pub(crate) enum Sink<'a> {
    /// The first entries of a list, and their number; what comes after them is room.
    List(&'a mut Vec<u64>, usize),
    /// Only their number.
    Tally(u64),
    /// Sets, and their number of moves.
    Sets(&'a mut Vec<Run>, u64),
}

/// Puts the moves that `emit` finds into a list. If it takes a side exit, the list is empty.
pub(crate) fn list(moves: &mut Vec<u64>, emit: impl FnOnce(Sink<'_>) -> Result<u64, SideExit>) -> Result<(), SideExit> {
    let count = emit(Sink::List(moves, 0));
    moves.truncate(count.unwrap_or(0) as usize);
    count.map(|_| ())
}

/// Puts the sets of moves that `emit` finds into a list; their number of moves.
pub(crate) fn sets(runs: &mut Vec<Run>, emit: impl FnOnce(Sink<'_>) -> Result<u64, SideExit>) -> Result<u64, SideExit> {
    runs.clear();
    emit(Sink::Sets(runs, 0))
}

impl Sink<'_> {
    /// How many moves there are.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Sink::List(_, count) => *count as u64,
            Sink::Tally(count) | Sink::Sets(_, count) => *count,
        }
    }

    /// One move.
    pub(crate) fn one(&mut self, base: u64) {
        match self {
            Sink::List(moves, count) => {
                match moves.get_mut(*count) {
                    Some(place) => *place = base,
                    None => moves.push(base),
                }
                *count += 1;
            }
            Sink::Tally(count) => *count += 1,
            Sink::Sets(..) => self.set(base, 1, 0),
        }
    }

    /// `base + (i << shift)` for each bit i of `set`, in ascending order; `shift` is taken modulo 64.
    #[inline(never)]
    pub(crate) fn set(&mut self, base: u64, mut set: u64, shift: u8) {
        match self {
            Sink::List(moves, count) => {
                if moves.len() < *count + MOST {
                    moves.resize(2 * (*count + MOST), 0);
                }
                let room = moves.get_mut(*count..*count + MOST).unwrap_or_default();
                // Some more than there are, so that there are less decisions.
                for places in room.as_chunks_mut::<AT_ONCE>().0 {
                    if set == 0 {
                        break;
                    }
                    for place in places {
                        let element = u64::from(set.trailing_zeros());
                        *place = base.wrapping_add(element << (shift & 63));
                        *count += usize::from(set != 0);
                        set &= set.wrapping_sub(1);
                    }
                }
            }
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
