//! Choice points: backtracking, and the next value of an `Each`.

use super::{Cell, Halt, Machine, Shared};
use crate::program::{FAIL, Op, Pc};
use rg_ir::invariant::Invariant;

/// A choice point.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pc: Pc,
    trail: u32,
    tags: u32,
    /// Next value for an `Each`, [`FAIL`] for a plain choice.
    next: u32,
}

impl<W: Cell> Machine<W> {
    /// Restores the latest choice point at or above `floor` and returns where it continues.
    #[inline(always)]
    pub(super) fn backtrack(&mut self, shared: &Shared<W>, floor: usize) -> Result<Option<Pc>, Halt> {
        loop {
            if self.choices.len() <= floor {
                return Ok(None);
            }
            let Some(&Choice { pc, trail, tags, next }) = self.choices.last() else { return Ok(None) };
            self.undo(trail);
            self.tags.truncate(tags as usize);
            self.steps += 1;
            if next == FAIL {
                self.choices.pop();
                return Ok(Some(pc));
            }
            if let Some(pc) = self.next_value(shared, pc, next) {
                return Ok(Some(pc));
            }
        }
    }

    /// Goes on with an `Each` operation from value `next`; the choice point on top is its own, and is dropped when no
    /// value is left after this one. `None` if there is no value any more.
    #[inline(always)]
    pub(super) fn next_value(&mut self, shared: &Shared<W>, pc: Pc, next: u32) -> Option<Pc> {
        match shared.program.code[pc as usize] {
            Op::Each { slot, high, .. }
            | Op::EachCell { slot, high, .. }
            | Op::EachWhere { slot, high, .. }
            | Op::EachTable { slot, high, .. } => {
                let value = self.chosen(shared, shared.program.code[pc as usize], next);
                self.take_value(slot, value, high)
            }
            Op::EachStore { base, first, count, list, len } => {
                let value = shared
                    .tables
                    .get((list + next) as usize)
                    .map(|v| v.get())
                    .invariant_or(0, "lists of entries are in the tables");
                let place = self.place(shared, base, first, count);
                if next + 1 >= len {
                    self.choices.pop();
                } else if let Some(choice) = self.choices.last_mut() {
                    choice.next = next + 1;
                }
                if let Some(slot) = place {
                    self.set(slot, value);
                }
                Some(())
            }
            _ => {
                self.choices.pop();
                None
            }
        }
        .map(|()| pc + 1)
    }

    /// The first value of a choice from `next` on.
    #[inline(always)]
    fn chosen(&self, shared: &Shared<W>, op: Op, next: u32) -> u32 {
        match op {
            Op::EachCell { high, base, value, .. } => {
                let cells = &self.cells[(base + next) as usize..(base + high) as usize];
                cells.iter().position(|&c| c.get() == value).map_or(high, |n| next + n as u32)
            }
            Op::EachWhere { high, base, table, .. } => {
                let cells = &self.cells[(base + next) as usize..(base + high) as usize];
                let holds = |c: &W| shared.tables[(table + c.get()) as usize].get() == 1;
                cells.iter().position(holds).map_or(high, |n| next + n as u32)
            }
            Op::EachTable { high, base, value, .. } => {
                let table = &shared.tables[(base + next) as usize..(base + high) as usize];
                table.iter().position(|&c| c.get() == value).map_or(high, |n| next + n as u32)
            }
            _ => next,
        }
    }

    #[inline(always)]
    pub(super) fn take_value(&mut self, slot: u32, value: u32, high: u32) -> Option<()> {
        if value + 1 >= high {
            self.choices.pop();
            if value >= high {
                return None;
            }
        } else if let Some(choice) = self.choices.last_mut() {
            choice.next = value + 1;
        }
        self.set(slot, value);
        Some(())
    }

    #[inline(always)]
    pub(super) fn choice(&mut self, pc: Pc, next: u32) {
        let (trail, tags) = (self.trail.len() as u32, self.tags.len() as u32);
        self.choices.push(Choice { pc, trail, tags, next });
    }
}
