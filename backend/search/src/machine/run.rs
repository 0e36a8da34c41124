//! The loop that executes operations.

use super::{Cell, Goal, Halt, Machine, Shared};
use crate::program::{FAIL, Op, Pc};
use engine::ErrorKind;
use engine::state::{Moves, Tag};
use rg_ir::NodeId;
use rg_ir::ids::Id;

impl<W: Cell> Machine<W> {
    /// Runs from `pc` until the goal is met (`true`) or the search is exhausted (`false`).
    #[expect(clippy::too_many_lines, reason = "an arm for each operation")]
    pub(super) fn run(&mut self, shared: &Shared<W>, entry: Pc, goal: Goal, moves: &mut Moves) -> Result<bool, Halt> {
        let floor = self.choices.len();
        let code = shared.program.code.as_slice();
        let mut pc = entry;
        loop {
            // A test that fails yields where to go on; everything else goes on with the next operation.
            let other = match code[pc as usize] {
                Op::Jump(target) => {
                    pc = target;
                    continue;
                }
                Op::Try(alternative) => {
                    self.choice(alternative, FAIL);
                    pc += 1;
                    continue;
                }
                Op::SlotEq { slot, value, other } => (self.slot(slot) != value).then_some(other),
                Op::SlotNe { slot, value, other } => (self.slot(slot) == value).then_some(other),
                Op::CellEq { base, slot, value, other } => (self.cell(base, slot) != value).then_some(other),
                Op::CellNe { base, slot, value, other } => (self.cell(base, slot) == value).then_some(other),
                Op::TableEq { base, slot, value, other } => (self.table(shared, base, slot) != value).then_some(other),
                Op::CellTableEq { base, slot, table, value, other } => {
                    let number = shared.tables[(table + self.cell(base, slot)) as usize].get();
                    (number != value).then_some(other)
                }
                Op::Eq { left, right, other } => (!self.equal(shared, left, right)).then_some(other),
                Op::Ne { left, right, other } => self.equal(shared, left, right).then_some(other),
                Op::MapEq { map, other } => (!self.maps_equal(shared, map)).then_some(other),
                Op::MapNe { map, other } => self.maps_equal(shared, map).then_some(other),
                Op::SetConstant { slot, value } => {
                    self.set(slot, value);
                    None
                }
                Op::SetTable { slot, base, from } => {
                    let value = self.table(shared, base, from);
                    self.set(slot, value);
                    None
                }
                Op::Step { slot, base, from, not } => {
                    let value = self.table(shared, base, from);
                    if value == not {
                        Some(FAIL)
                    } else {
                        self.set(slot, value);
                        None
                    }
                }
                Op::SetCell { base, slot, value, count } => {
                    let key = self.slot(slot);
                    if key < count {
                        self.set(base + key, value);
                    }
                    None
                }
                Op::Set { slot, value } => {
                    let value = self.eval(shared, value);
                    self.set(slot, value);
                    None
                }
                Op::Store { base, first, count, value } => {
                    let value = self.eval(shared, value);
                    if let Some(slot) = self.place(shared, base, first, count) {
                        self.set(slot, value);
                    }
                    None
                }
                Op::Copy { map } => {
                    self.copy_map(shared, map);
                    None
                }
                Op::Each { low, .. }
                | Op::EachCell { low, .. }
                | Op::EachWhere { low, .. }
                | Op::EachTable { low, .. } => {
                    self.choice(pc, low);
                    self.next_value(shared, pc, low).is_none().then_some(FAIL)
                }
                Op::EachStore { .. } => {
                    self.choice(pc, 0);
                    self.next_value(shared, pc, 0).is_none().then_some(FAIL)
                }
                Op::Tag(_) | Op::TagSlot { .. } | Op::TagPair { .. } if self.repeats(shared, pc)? => Some(FAIL),
                Op::Tag(tag) => self.tag(shared, Tag(tag.index() as u32))?,
                Op::TagSlot { slot, names } => {
                    let name = shared.program.names[(names + self.slot(slot)) as usize];
                    self.tag(shared, Tag(name.index() as u32))?
                }
                Op::Scope => {
                    self.open_scope();
                    None
                }
                Op::Mark(index) => (!self.mark(shared, index)?).then_some(FAIL),
                Op::Reach { entry, negated, check, other } => {
                    (self.reach(shared, entry, check, moves)? == negated).then_some(other)
                }
                Op::TagPair { slot, names, tag } => {
                    let name = shared.program.names[(names + self.slot(slot)) as usize];
                    match self.tag(shared, Tag(name.index() as u32))? {
                        None => self.tag(shared, Tag(tag.index() as u32))?,
                        fail => fail,
                    }
                }
                Op::Finish(node) => {
                    if self.finish(shared, node, goal, moves)? {
                        self.choices.truncate(floor);
                        return Ok(true);
                    }
                    Some(FAIL)
                }
                Op::FinishWith { slot, value, node } => {
                    self.set(slot, value);
                    if self.finish(shared, node, goal, moves)? {
                        self.choices.truncate(floor);
                        return Ok(true);
                    }
                    Some(FAIL)
                }
                Op::Accept => {
                    self.choices.truncate(floor);
                    return Ok(true);
                }
                Op::Fail => Some(FAIL),
            };
            match other {
                None => pc += 1,
                Some(FAIL) => {
                    if self.steps > self.allowed {
                        self.allow_more(moves)?;
                    }
                    match self.backtrack(shared, floor)? {
                        Some(next) => pc = next,
                        None => return Ok(false),
                    }
                }
                Some(target) => pc = target,
            }
        }
    }

    /// A move is complete; returns whether the search is over.
    #[inline(always)]
    fn finish(&mut self, shared: &Shared<W>, node: NodeId, goal: Goal, moves: &mut Moves) -> Result<bool, Halt> {
        match goal {
            Goal::Labelled if self.tags.len() < self.wanted.len() => Ok(false),
            Goal::First | Goal::Labelled => {
                self.reset_dead(shared, node);
                self.node = node;
                Ok(true)
            }
            Goal::All => self.record(shared, node, moves).map(|()| false),
        }
    }

    /// Puts the variables that are dead at `node` back to their initial values.
    pub(super) fn reset_dead(&mut self, shared: &Shared<W>, node: NodeId) {
        if !shared.keep_dead {
            shared.program.resets.apply(node, &mut self.cells, &shared.initial);
        }
    }

    /// Emits a tag; [`FAIL`] if no move with it is wanted.
    #[inline(always)]
    fn tag(&mut self, shared: &Shared<W>, tag: Tag) -> Result<Option<Pc>, Halt> {
        if self.goal == Goal::Labelled && self.depth == 0 && self.wanted.get(self.tags.len()) != Some(&tag) {
            return Ok(Some(FAIL));
        }
        if self.tags.len() as u64 >= shared.limits.tags {
            return Err(self.limit("tags in one move", shared.limits.tags));
        }
        if let Some((cells, seen)) = &shared.program.visible {
            let mask = cells.iter().take(64).enumerate();
            let mask = mask.fold(0, |m, (i, &cell)| m | u64::from(self.slot(cell) == *seen) << i);
            self.masks.truncate(self.tags.len());
            self.masks.push(mask);
        }
        if self.exact {
            self.lengthen(tag);
        }
        self.tags.push(tag);
        Ok(None)
    }

    fn reach(&mut self, shared: &Shared<W>, entry: Pc, check: u32, moves: &mut Moves) -> Result<bool, Halt> {
        if entry == FAIL {
            return Ok(false);
        }
        if self.depth >= shared.limits.check_depth {
            let node = shared.program.checks.get(check as usize).copied();
            let limit = shared.limits.check_depth;
            return Err(Halt { kind: ErrorKind::Recursion, what: "reachability checks", limit, node });
        }
        // Checks that succeed never backtrack, so their steps are counted here.
        self.steps += 1;
        if self.steps > self.allowed {
            self.allow_more(moves)?;
        }
        let trail = self.trail.len() as u32;
        let outer = self.check;
        self.open_scope();
        self.check = self.scope;
        self.depth += 1;
        let found = self.run(shared, entry, Goal::First, moves)?;
        self.depth -= 1;
        self.check = outer;
        self.undo(trail);
        Ok(found)
    }
}
