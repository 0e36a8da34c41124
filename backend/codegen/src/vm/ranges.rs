//! Live ranges of the registers of a flat function.
//!
//! Item number i reads at time 2i and writes at time 2i + 1. A range is a list of segments [from, to): two registers
//! whose segments do not overlap can share a slot.

use super::code::Code;
use super::flatten::{Flat, Item, Kind, Label, Value};
use fixedbitset::FixedBitSet;

/// Segments in ascending order, without overlaps.
pub(super) type Range = Vec<(u32, u32)>;

/// The ranges of all registers; those of constants, arguments and words that never change are empty.
pub(super) fn ranges(flat: &Flat) -> Vec<Range> {
    let count = flat.kinds.len();
    let mut scan = Scan {
        flat,
        live: FixedBitSet::with_capacity(count),
        until: vec![0; count],
        ranges: vec![Vec::new(); count],
        at_label: flat.labels.iter().map(|info| (None, info.jumps)).collect(),
        ends: Vec::new(),
    };
    for (index, item) in flat.items.iter().enumerate().rev() {
        scan.item(index as u32, item);
    }
    scan.finish()
}

/// Whether two ranges overlap.
pub(super) fn overlap(a: &Range, b: &Range) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        if x.1 <= y.0 {
            a.next();
        } else if y.1 <= x.0 {
            b.next();
        } else {
            return true;
        }
    }
    false
}

/// The union of two ranges that do not overlap.
pub(super) fn union(a: &Range, b: &Range) -> Range {
    let mut all: Vec<(u32, u32)> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    let mut merged: Range = Vec::with_capacity(all.len());
    for (from, to) in all {
        match merged.last_mut() {
            Some(last) if last.1 >= from => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// Goes through the items from the last to the first.
struct Scan<'a> {
    flat: &'a Flat,
    /// The registers whose value is needed from here on.
    live: FixedBitSet,
    /// By live register: the end of its current segment.
    until: Vec<u32>,
    /// Segments found so far, the last ones first.
    ranges: Vec<Range>,
    /// By label: what is live there, as long as jumps to it may come.
    at_label: Vec<(Option<FixedBitSet>, u32)>,
    /// Ends of the loops around.
    ends: Vec<u32>,
}

impl Scan<'_> {
    fn tracked(&self, value: Value) -> bool {
        matches!(self.flat.kinds.get(value as usize), Some(Kind::Free | Kind::Changing(_)))
    }

    /// The value is needed up to a time.
    fn need(&mut self, value: Value, until: u32) {
        if self.tracked(value)
            && !self.live.put(value as usize)
            && let Some(end) = self.until.get_mut(value as usize)
        {
            *end = until;
        }
    }

    /// The register gets its value at a time. If nobody needs it, it still occupies a slot at that time.
    fn set(&mut self, value: Value, at: u32) {
        if !self.tracked(value) {
            return;
        }
        let index = value as usize;
        let live = self.live.contains(index);
        let end = self.until.get(index).copied().filter(|_| live).unwrap_or(at + 1);
        self.live.set(index, false);
        if let Some(range) = self.ranges.get_mut(index) {
            range.push((at, end.max(at + 1)));
        }
    }

    /// What is live is only what is live at a label.
    fn go(&mut self, label: Label, time: u32) {
        let there = self.seen(label);
        let gone: Vec<usize> = self.live.difference(&there).collect();
        for index in gone {
            self.live.set(index, false);
            if let (Some(&end), Some(range)) = (self.until.get(index), self.ranges.get_mut(index))
                && end > time
            {
                range.push((time, end));
            }
        }
        there.ones().for_each(|index| self.need(index as Value, time));
    }

    /// What is live at a label is live, too.
    fn may_go(&mut self, label: Label, time: u32) {
        let there = self.seen(label);
        there.ones().for_each(|index| self.need(index as Value, time));
    }

    /// What is live at a label that a jump goes to.
    fn seen(&mut self, label: Label) -> FixedBitSet {
        let Some((live, jumps)) = self.at_label.get_mut(label as usize) else { return FixedBitSet::new() };
        *jumps = jumps.saturating_sub(1);
        if *jumps == 0 { live.take() } else { live.clone() }.unwrap_or_default()
    }

    fn item(&mut self, index: u32, item: &Item) {
        let (read, write, after) = (2 * index, 2 * index + 1, 2 * index + 2);
        match item {
            Item::Code(code) => self.code(*code, index),
            Item::Moves(moves, _) => {
                moves.iter().for_each(|&(to, _)| self.set(to, write));
                moves.iter().for_each(|&(_, from)| self.need(from, read + 1));
            }
            Item::Label(label) => self.label(*label, read),
            Item::Switch(on, labels) => {
                for (number, &label) in labels.iter().enumerate() {
                    if number == 0 { self.go(label, after) } else { self.may_go(label, after) }
                }
                self.need(*on, read + 1);
            }
        }
    }

    fn code(&mut self, code: Code<Value>, index: u32) {
        let (read, write, after) = (2 * index, 2 * index + 1, 2 * index + 2);
        match code.target() {
            Some(head) if code.is_back() => {
                self.ends.push(after);
                let info = self.flat.labels.get(head as usize);
                for &value in info.and_then(|info| info.anew.as_ref()).into_iter().flatten() {
                    self.need(value, after);
                }
            }
            Some(label) if code.is_final() => self.go(label, after),
            Some(label) => self.may_go(label, after),
            None if code.is_final() => {
                // The end of the function: nothing is live but the changed state, unless a side exit is taken.
                self.live.clone().ones().for_each(|index| self.close(index, after));
                if !matches!(code, Code::Bail {}) {
                    self.flat.changing.iter().for_each(|&value| self.need(value, after));
                }
            }
            None => {}
        }
        let mut read_values = [None; 5];
        let mut slots = read_values.iter_mut();
        let mut written = [None; 2];
        let mut written_slots = written.iter_mut();
        let mut note = |value| slots.next().into_iter().for_each(|slot| *slot = Some(value));
        let mut note_write = |value| written_slots.next().into_iter().for_each(|slot| *slot = Some(value));
        code.map(&mut note, &mut note_write);
        written.into_iter().flatten().for_each(|value| self.set(value, write));
        read_values.into_iter().flatten().for_each(|value| self.need(value, read + 1));
    }

    fn close(&mut self, index: usize, time: u32) {
        self.live.set(index, false);
        if let (Some(&end), Some(range)) = (self.until.get(index), self.ranges.get_mut(index))
            && end > time
        {
            range.push((time, end));
        }
    }

    fn label(&mut self, label: Label, time: u32) {
        let Some(info) = self.flat.labels.get(label as usize) else { return };
        if let Some(anew) = &info.anew {
            // What the loop does not set anew before each round has to stay over the whole loop.
            let end = self.ends.pop().unwrap_or(time);
            let through: Vec<usize> = self.live.ones().filter(|&index| !anew.contains(&(index as Value))).collect();
            for index in through {
                let (Some(until), Some(range)) = (self.until.get_mut(index), self.ranges.get_mut(index)) else {
                    continue;
                };
                *until = (*until).max(end);
                while let Some((_, to)) = range.pop_if(|&mut (from, _)| from < end) {
                    *until = (*until).max(to);
                }
            }
        }
        if info.jumps > 0
            && let Some((live, _)) = self.at_label.get_mut(label as usize)
        {
            *live = Some(self.live.clone());
        }
    }

    fn finish(mut self) -> Vec<Range> {
        let live: Vec<usize> = self.live.ones().collect();
        live.into_iter().for_each(|index| self.close(index, 0));
        for range in &mut self.ranges {
            range.reverse();
            *range = union(range, &Vec::new());
        }
        self.ranges
    }
}
