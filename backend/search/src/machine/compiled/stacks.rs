//! The stacks of a compiled search: writes that are undone, scopes of marks, and choice points.

use super::known::Wrote;
use super::listed;
use super::translate::{CHOICE, REST, Resumption, Translator, field, memory};
use crate::program::{FAIL, Op, Pc};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Label, InstBuilder, MemFlagsData, Value};

/// Slot number of an entry of the trail that restores the scope.
const SCOPE: i64 = u32::MAX as i64;
/// Slot number of the entry below it.
const LENGTH: i64 = crate::machine::LENGTH as i64;

impl Translator<'_, '_> {
    /// `cells[base + index] = value`, to be undone. The index comes with a number that is greater.
    pub(super) fn write(&mut self, base: u32, index: Option<(Value, u32)>, value: Value) -> Result<(), String> {
        self.known.fresh = false;
        let (index, reach) = (index.map(|(index, _)| index), index.map_or(1, |(_, reach)| reach));
        let (address, offset) = (index.map_or(self.cells, |index| self.address(false, index)), self.offset(base)?);
        if index.is_some() || self.known.goes_on_trail(base) {
            let (number, old) = match index {
                Some(index) => (self.builder.ins().iadd_imm_s(index, i64::from(base)), self.read(address, offset)),
                None => (self.builder.ins().iconst(I64, i64::from(base)), self.slot(base)?),
            };
            let top = self.builder.use_var(self.trail);
            if self.known.takes_room() {
                self.room(top, field::TRAIL_END);
            }
            self.push(top, number, old);
            self.known.put(if index.is_some() { Wrote::Some } else { Wrote::Cell(base) });
        }
        match index {
            Some(_) => self.known.forget(&(base..base.saturating_add(reach))),
            None => self.known.learn(base, value),
        }
        self.put(value, address, offset);
        Ok(())
    }

    /// Writes a cell.
    pub(super) fn put(&mut self, value: Value, address: Value, offset: i32) {
        match self.layout.shift {
            0 => self.builder.ins().istore8(memory(), value, address, offset),
            1 => self.builder.ins().istore16(memory(), value, address, offset),
            _ => self.builder.ins().istore32(memory(), value, address, offset),
        };
    }

    /// A pair on the trail, for which there is room.
    pub(super) fn push(&mut self, top: Value, first: Value, second: Value) {
        self.builder.ins().istore32(memory(), first, top, 0);
        self.builder.ins().istore32(memory(), second, top, 4);
        let top = self.builder.ins().iadd_imm_s(top, 8);
        self.builder.def_var(self.trail, top);
    }

    /// Undoes writes and scopes until the trail is as it was.
    pub(super) fn undo(&mut self, target: Value) {
        let [test, one, cell, scope, done] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.ins().jump(test, &[]);
        self.builder.switch_to_block(test);
        let top = self.builder.use_var(self.trail);
        let more = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, top, target);
        self.builder.ins().brif(more, one, &[], done, &[]);
        self.builder.switch_to_block(one);
        let top = self.builder.ins().iadd_imm_s(top, -8);
        self.builder.def_var(self.trail, top);
        let number = self.builder.ins().uload32(memory(), top, 0);
        let old = self.builder.ins().uload32(memory(), top, 4);
        if self.scoped {
            let is_scope = self.builder.ins().icmp_imm_s(IntCC::Equal, number, SCOPE);
            self.builder.ins().brif(is_scope, scope, &[], cell, &[]);
        } else {
            self.builder.ins().jump(cell, &[]);
        }
        self.builder.switch_to_block(cell);
        let address = self.address(false, number);
        match self.layout.shift {
            0 => self.builder.ins().istore8(memory(), old, address, 0),
            1 => self.builder.ins().istore16(memory(), old, address, 0),
            _ => self.builder.ins().istore32(memory(), old, address, 0),
        };
        self.builder.ins().jump(test, &[]);
        if self.scoped {
            self.builder.switch_to_block(scope);
            self.undo_scope(top, old, test);
        }
        self.builder.switch_to_block(done);
    }

    /// Undoes what is known to be on the trail since the topmost choice point.
    pub(super) fn undo_known(&mut self, since: &[Wrote]) -> Result<(), String> {
        for wrote in since.iter().rev() {
            let top = self.builder.use_var(self.trail);
            let top = self.builder.ins().iadd_imm_s(top, -8);
            let old = self.builder.ins().uload32(memory(), top, 4);
            self.builder.def_var(self.trail, top);
            match *wrote {
                Wrote::Cell(slot) => {
                    let offset = self.offset(slot)?;
                    self.put(old, self.cells, offset);
                }
                Wrote::Some => {
                    let number = self.builder.ins().uload32(memory(), top, 0);
                    let address = self.address(false, number);
                    self.put(old, address, 0);
                }
                Wrote::Scope => {
                    let next = self.builder.create_block();
                    self.undo_scope(top, old, next);
                    self.builder.switch_to_block(next);
                }
            }
        }
        Ok(())
    }

    /// Undoes the beginning of a scope: the upper one of its two entries is taken off already, and has the scope before.
    fn undo_scope(&mut self, top: Value, old: Value, test: Label) {
        if self.layout.hashed {
            let hashed = self.context(field::HASHED);
            let (some, none) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(hashed, some, &[], none, &[]);
            self.builder.switch_to_block(some);
            let forget = self.context(field::FORGET);
            let zero = self.builder.ins().iconst(I64, 0);
            self.builder.ins().call_indirect(self.helper, forget, &[self.this, zero]);
            self.builder.ins().jump(none, &[]);
            self.builder.switch_to_block(none);
        }
        self.builder.ins().store(memory(), old, self.this, field::SCOPE);
        let top = self.builder.ins().iadd_imm_s(top, -8);
        self.builder.def_var(self.trail, top);
        let length = self.builder.ins().uload32(memory(), top, 4);
        let length = self.builder.ins().ishl_imm_s(length, 3);
        let first = self.context(field::MARKED_FIRST);
        let until = self.builder.ins().iadd(first, length);
        let [again, mark] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.ins().jump(again, &[]);
        self.builder.switch_to_block(again);
        let marked = self.context(field::MARKED);
        let more = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, marked, until);
        self.builder.ins().brif(more, mark, &[], test, &[]);
        self.builder.switch_to_block(mark);
        let marked = self.builder.ins().iadd_imm_s(marked, -8);
        self.builder.ins().store(memory(), marked, self.this, field::MARKED);
        let at = self.builder.ins().uload32(memory(), marked, 0);
        let old = self.builder.ins().uload32(memory(), marked, 4);
        let address = self.mark_address(at);
        self.builder.ins().istore32(memory(), old, address, 0);
        self.builder.ins().jump(again, &[]);
    }

    pub(super) fn mark_address(&mut self, at: Value) -> Value {
        let marks = self.context(field::MARKS);
        let offset = self.builder.ins().ishl_imm_s(at, 2);
        self.builder.ins().iadd(marks, offset)
    }

    pub(super) fn open_scope(&mut self) {
        self.known.fresh = false;
        let top = self.builder.use_var(self.trail);
        for _ in 0..2 {
            if self.known.takes_room() {
                self.room(top, field::TRAIL_END);
            }
        }
        let (marked, first) = (self.context(field::MARKED), self.context(field::MARKED_FIRST));
        let length = self.builder.ins().isub(marked, first);
        let length = self.builder.ins().ushr_imm_s(length, 3);
        let number = self.builder.ins().iconst(I64, LENGTH);
        self.push(top, number, length);
        let top = self.builder.use_var(self.trail);
        let (number, scope) = (self.builder.ins().iconst(I64, SCOPE), self.context(field::SCOPE));
        self.push(top, number, scope);
        self.known.put(Wrote::Scope);
        let last = self.context(field::LAST_SCOPE);
        let last = self.builder.ins().iadd_imm_s(last, 1);
        self.builder.ins().store(memory(), last, self.this, field::LAST_SCOPE);
        self.builder.ins().store(memory(), last, self.this, field::SCOPE);
    }

    /// Makes a choice point.
    pub(super) fn choice(&mut self, pc: Pc, resumption: Resumption, next: Option<Value>) {
        let label = self.builder.create_block();
        let number = self.resumptions.len() as i64;
        self.resumptions.push((pc, resumption, label));
        self.known.choice(pc);
        let choices = self.builder.use_var(self.choices);
        self.room(choices, field::CHOICES_END);
        let number = self.builder.ins().iconst(I64, number);
        self.builder.ins().istore32(memory(), number, choices, 0);
        if let Some(next) = next {
            self.builder.ins().istore32(memory(), next, choices, 4);
        }
        let (trail, tags) = (self.builder.use_var(self.trail), self.builder.use_var(self.tags));
        self.builder.ins().store(memory(), trail, choices, 8);
        self.builder.ins().store(memory(), tags, choices, 16);
        let choices = self.builder.ins().iadd_imm_s(choices, CHOICE);
        self.builder.def_var(self.choices, choices);
    }

    /// The first of the entries `base + low..base + high` with a value, from a position on that is below `high`; there is
    /// a jump to `none` if there is none.
    pub(super) fn scan(&mut self, base: u32, value: u32, low: Value, high: u32, none: Label) -> Result<Value, String> {
        let [round, found, next] = std::array::from_fn(|_| self.builder.create_block());
        let at = self.builder.append_block_param(round, I64);
        self.builder.ins().jump(round, &[low.into()]);
        self.builder.switch_to_block(round);
        let (address, offset) = (self.address(false, at), self.offset(base)?);
        if self.layout.shift == 0 && cfg!(target_endian = "little") {
            if value > u32::from(u8::MAX) {
                return Err("no cell has this value".to_string());
            }
            // Eight at a time, wherever they begin; what is read behind the cells does not count.
            let anywhere = MemFlagsData::new().with_notrap();
            let word = self.builder.ins().load(I64, anywhere, address, offset);
            let all = self.builder.ins().iconst(I64, (u64::from(value) * 0x0101_0101_0101_0101).cast_signed());
            let zero_where = self.builder.ins().bxor(word, all);
            let less = self.builder.ins().iadd_imm_s(zero_where, -0x0101_0101_0101_0101);
            let bits = self.builder.ins().band_not(less, zero_where);
            let high_bits = self.builder.ins().iconst(I64, 0x8080_8080_8080_8080u64.cast_signed());
            let bits = self.builder.ins().band(bits, high_bits);
            let further = self.builder.ins().iadd_imm_s(at, 8);
            self.builder.ins().brif(bits, found, &[], next, &[]);
            self.builder.switch_to_block(next);
            let more = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, further, i64::from(high));
            self.builder.ins().brif(more, round, &[further.into()], none, &[]);
            self.builder.switch_to_block(found);
            let zeros = self.builder.ins().ctz(bits);
            let number = self.builder.ins().ushr_imm_s(zeros, 3);
            let at = self.builder.ins().iadd(at, number);
            let outside = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, at, i64::from(high));
            self.unless(outside, none);
            return Ok(at);
        }
        let entry = self.read(address, offset);
        let here = self.builder.ins().icmp_imm_s(IntCC::Equal, entry, i64::from(value));
        self.one_by_one(here, at, [round, found, next, none], high);
        Ok(at)
    }

    /// As [`Self::scan`], for entries with `tables[table + entry] == 1`.
    fn scan_where(&mut self, base: u32, table: u32, low: Value, high: u32, none: Label) -> Result<Value, String> {
        let [round, found, next] = std::array::from_fn(|_| self.builder.create_block());
        let at = self.builder.append_block_param(round, I64);
        self.builder.ins().jump(round, &[low.into()]);
        self.builder.switch_to_block(round);
        let number = self.load(false, base, at)?;
        let entry = self.load(true, table, number)?;
        let here = self.builder.ins().icmp_imm_s(IntCC::Equal, entry, 1);
        self.one_by_one(here, at, [round, found, next, none], high);
        Ok(at)
    }

    /// The end of a round that looks at one entry: on with the next one below `high`, unless it is found `here`.
    fn one_by_one(&mut self, here: Value, at: Value, [round, found, next, none]: [Label; 4], high: u32) {
        let further = self.builder.ins().iadd_imm_s(at, 1);
        self.builder.ins().brif(here, found, &[], next, &[]);
        self.builder.switch_to_block(next);
        let more = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, further, i64::from(high));
        self.builder.ins().brif(more, round, &[further.into()], none, &[]);
        self.builder.switch_to_block(found);
    }

    /// The next value of a choice of values by what cells hold.
    fn next_cell(&mut self, op: Op, from: Value, none: Label) -> Result<Value, String> {
        match op {
            Op::EachCell { high, base, value, .. } => self.scan(base, value, from, high, none),
            Op::EachWhere { high, base, table, .. } => self.scan_where(base, table, from, high, none),
            _ => Err("no choice of values".to_string()),
        }
    }

    /// A choice with a value known to be next, of which `more` says whether others can follow.
    pub(super) fn begin_each(&mut self, pc: Pc, value: Value, more: bool) {
        if more {
            let next = self.builder.ins().iadd_imm_s(value, 1);
            self.choice(pc, Resumption::Next, Some(next));
        }
    }

    pub(super) fn each(&mut self, pc: Pc, op: Op) -> Result<(), String> {
        if let Some(all) = self.found(pc)? {
            let fails = self.failing();
            let some = self.builder.create_block();
            self.builder.ins().brif(all, some, &[], fails, &[]);
            self.builder.switch_to_block(some);
            return self.take(pc, all, None);
        }
        match op {
            Op::Each { slot, low, high } => {
                if low >= high {
                    return self.fail();
                }
                let value = self.builder.ins().iconst(I64, i64::from(low));
                self.begin_each(pc, value, low + 1 < high);
                self.write(slot, None, value)
            }
            Op::EachCell { slot, low, high, .. } | Op::EachWhere { slot, low, high, .. } => {
                if low >= high {
                    return self.fail();
                }
                let from = self.builder.ins().iconst(I64, i64::from(low));
                let none = self.failing();
                let value = self.next_cell(op, from, none)?;
                self.begin_each(pc, value, true);
                self.write(slot, None, value)
            }
            Op::EachTable { slot, .. } => {
                let listed = listed(self.program, op);
                let Some(&first) = listed.first() else { return self.fail() };
                let number = self.builder.ins().iconst(I64, 0);
                self.begin_each(pc, number, listed.len() > 1);
                let value = self.builder.ins().iconst(I64, i64::from(first));
                self.write(slot, None, value)
            }
            Op::EachStore { base, first, count, list, len } => {
                if len == 0 {
                    return self.fail();
                }
                let number = self.builder.ins().iconst(I64, 0);
                self.begin_each(pc, number, len > 1);
                let value = self.load(true, list, number)?;
                self.store(base, first, count, value)
            }
            _ => Err("no choice of values".to_string()),
        }
    }

    /// The next value of a choice of values, whose choice point is given.
    pub(super) fn next(&mut self, pc: Pc, point: Value) -> Result<(), String> {
        let op = *self.program.code.get(pc as usize).ok_or("a program runs over its end")?;
        if self.finds(pc).is_some() {
            let rest = self.builder.ins().load(I64, memory(), point, REST);
            let (some, none) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(rest, some, &[], none, &[]);
            self.builder.switch_to_block(none);
            self.out_of_values(pc, point);
            self.builder.switch_to_block(some);
            self.take(pc, rest, Some(point))?;
            let target = self.label(pc + 1)?;
            self.builder.ins().jump(target, &[]);
            return Ok(());
        }
        let number = self.builder.ins().uload32(memory(), point, 4);
        match op {
            Op::Each { slot, high, .. } => {
                self.took(point, number, u64::from(high));
                self.write(slot, None, number)?;
            }
            Op::EachCell { slot, high, .. } | Op::EachWhere { slot, high, .. } => {
                let none = self.builder.create_block();
                let out = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, number, i64::from(high));
                self.unless(out, none);
                let found = self.next_cell(op, number, none)?;
                self.took(point, found, u64::MAX);
                self.write(slot, None, found)?;
                let target = self.label(pc + 1)?;
                self.builder.ins().jump(target, &[]);
                self.builder.switch_to_block(none);
                self.out_of_values(pc, point);
                return Ok(());
            }
            Op::EachTable { slot, .. } => {
                self.took(point, number, listed(self.program, op).len() as u64);
                let list = self.layout.lists.get(&pc).copied().ok_or("a list is missing")?;
                let value = self.name(list, number)?;
                self.write(slot, None, value)?;
            }
            Op::EachStore { base, first, count, list, len } => {
                self.took(point, number, u64::from(len));
                let value = self.load(true, list, number)?;
                self.store(base, first, count, value)?;
            }
            _ => return Err("no choice of values".to_string()),
        }
        let target = self.label(pc + 1)?;
        self.builder.ins().jump(target, &[]);
        Ok(())
    }

    /// Drops a choice point if its value is the last one of so many, or else notes the next one.
    pub(super) fn took(&mut self, point: Value, value: Value, count: u64) {
        let next = self.builder.ins().iadd_imm_s(value, 1);
        self.builder.ins().istore32(memory(), next, point, 4);
        if count == u64::MAX {
            return;
        }
        let choices = self.builder.use_var(self.choices);
        let more = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, next, count.cast_signed());
        let choices = self.builder.ins().select(more, choices, point);
        self.builder.def_var(self.choices, choices);
    }

    /// A store to a cell, if its keys are there.
    pub(super) fn store(&mut self, base: u32, first: u32, count: u32, value: Value) -> Result<(), String> {
        let (bounded, reach) = self.place(first, count);
        let done = self.builder.create_block();
        // What is read on the way to the write is only known there.
        let known = self.known.after_perhaps(&(base..base.saturating_add(reach)));
        let mut sum = None;
        for at in first..first + count {
            let (term, position) = self.position(at, 0)?;
            if !bounded {
                let none =
                    self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, position, i64::from(term.count));
                self.unless(none, done);
            }
            sum = Some(self.added(sum, position, term.stride));
        }
        self.write(base, sum.map(|sum| (sum, reach)), value)?;
        if !bounded {
            self.builder.ins().jump(done, &[]);
            self.builder.switch_to_block(done);
            self.known = known;
        }
        Ok(())
    }

    /// Whether a store is always made, and a number that is greater than the index of its cell.
    fn place(&self, first: u32, count: u32) -> (bool, u32) {
        let (mut bounded, mut last) = (true, 0u32);
        for term in first..first + count {
            let Some(term) = self.program.terms.get(term as usize) else { return (false, u32::MAX) };
            let greatest = self.layout.greatest.get(&term.value).filter(|_| term.convert == FAIL).copied();
            bounded &= greatest.is_some_and(|greatest| greatest < u64::from(term.count));
            let greatest = greatest.unwrap_or(u64::MAX).min(u64::from(term.count.saturating_sub(1)));
            last = last.saturating_add(u32::try_from(greatest).unwrap_or(u32::MAX).saturating_mul(term.stride));
        }
        (bounded, last.saturating_add(1))
    }

    pub(super) fn mark(&mut self, index: u32) -> Result<(), String> {
        let site = self.program.marks.get(index as usize).ok_or("a mark is missing")?;
        self.burn();
        if site.base == FAIL {
            let next = self.builder.create_block();
            let unremembered = field::UNREMEMBERED + if site.patient { 8 } else { 0 };
            let left = self.context(unremembered);
            let (waits, looks) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(left, waits, &[], looks, &[]);
            self.builder.switch_to_block(waits);
            let left = self.builder.ins().iadd_imm_s(left, -1);
            self.builder.ins().store(memory(), left, self.this, unremembered);
            self.builder.ins().jump(next, &[]);
            self.builder.switch_to_block(looks);
            let remember = self.context(field::REMEMBER);
            let index = self.builder.ins().iconst(I64, i64::from(index));
            let call = self.builder.ins().call_indirect(self.helper, remember, &[self.this, index]);
            let status = self.builder.inst_results(call).first().copied().ok_or("a result is missing")?;
            let wrong = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, status, 0);
            self.unless(wrong, self.halt);
            let seen = self.builder.ins().icmp_imm_s(IntCC::Equal, status, 0);
            let fails = self.failing();
            self.builder.ins().brif(seen, fails, &[], next, &[]);
            self.builder.switch_to_block(next);
            return Ok(());
        }
        let mut at = self.builder.ins().iconst(I64, i64::from(site.base));
        for &(slot, stride) in &site.slots {
            let value = self.slot(slot)?;
            at = self.added(Some(at), value, stride);
        }
        let address = self.mark_address(at);
        let (old, scope) = (self.builder.ins().uload32(memory(), address, 0), self.context(field::SCOPE));
        let seen = self.builder.ins().icmp(IntCC::Equal, old, scope);
        let fails = self.failing();
        self.unless(seen, fails);
        let marked = self.context(field::MARKED);
        self.room(marked, field::MARKED_END);
        self.builder.ins().istore32(memory(), at, marked, 0);
        self.builder.ins().istore32(memory(), old, marked, 4);
        let marked = self.builder.ins().iadd_imm_s(marked, 8);
        self.builder.ins().store(memory(), marked, self.this, field::MARKED);
        self.builder.ins().istore32(memory(), scope, address, 0);
        Ok(())
    }
}
