//! Which values of a choice get past the tests behind it: asked of all of them before one is taken, without a jump where a
//! test is as likely to hold as not.

use super::translate::Translator;
use crate::program::{Op, Pc, asks, gets_past};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

/// Most tests that are asked for one choice.
const MAX_ASKED: u32 = 24;

/// Whether a value gets past tests.
enum Past {
    Yes,
    No,
    /// As this is 1 or 0.
    If(Value),
}

impl Translator<'_, '_> {
    /// Of some values, as bits from that of `low` on, those that get past the tests behind the choice of a cell.
    pub(super) fn sift(&mut self, pc: Pc, (slot, low): (u32, u32), bits: Value) -> Result<Value, String> {
        let [round, done] = std::array::from_fn(|_| self.builder.create_block());
        let [left, all] = std::array::from_fn(|_| self.builder.append_block_param(round, I64));
        let result = self.builder.append_block_param(done, I64);
        let none = self.builder.ins().iconst(I64, 0);
        self.builder.ins().brif(bits, round, &[bits.into(), none.into()], done, &[none.into()]);
        self.builder.switch_to_block(round);
        let first = self.builder.ins().ctz(left);
        let value = self.builder.ins().iadd_imm_s(first, i64::from(low));
        let before = self.known.clone();
        self.known.learn(slot, value);
        let mut asked = MAX_ASKED;
        let past = self.past(pc + 1, &mut asked)?;
        self.known = before;
        let bit = match past {
            Past::Yes => self.builder.ins().iconst(I64, 1),
            Past::No => none,
            Past::If(passes) => self.builder.ins().uextend(I64, passes),
        };
        let bit = self.builder.ins().ishl(bit, first);
        let all = self.builder.ins().bor(all, bit);
        let less = self.builder.ins().iadd_imm_s(left, -1);
        let left = self.builder.ins().band(left, less);
        self.builder.ins().brif(left, round, &[left.into(), all.into()], done, &[all.into()]);
        self.builder.switch_to_block(done);
        Ok(result)
    }

    /// Whether a search gets past the tests from `pc` on, of which at most so many are asked.
    fn past(&mut self, pc: Pc, asked: &mut u32) -> Result<Past, String> {
        let code = self.program.code.as_slice();
        match gets_past(code, pc) {
            Some(true) => return Ok(Past::Yes),
            Some(false) => return Ok(Past::No),
            None => {}
        }
        let op = code.get(pc as usize).copied().unwrap_or(Op::Fail);
        if let Op::Jump(target) = op {
            return self.past(target, asked);
        }
        let Some(other) = asks(op) else { return Ok(Past::Yes) };
        let Some(less) = asked.checked_sub(1) else { return Ok(Past::Yes) };
        *asked = less;
        let mut holds = self.holds(op)?;
        let mut then = pc + 1;
        // Tests that fail to the same place are one.
        while let Some(&op) = code.get(then as usize)
            && asks(op) == Some(other)
            && let Some(less) = asked.checked_sub(1)
        {
            *asked = less;
            let also = self.holds(op)?;
            holds = self.builder.ins().band(holds, also);
            then += 1;
        }
        let fails = |translator: &mut Self| translator.builder.ins().bxor_imm_s(holds, 1);
        Ok(match (gets_past(code, then), gets_past(code, other)) {
            (Some(true), Some(true)) => Past::Yes,
            (Some(false), Some(false)) => Past::No,
            (Some(true), Some(false)) => Past::If(holds),
            (Some(false), Some(true)) => Past::If(fails(self)),
            (Some(true), None) => {
                let rest = self.past(other, asked)?;
                self.either(holds, rest)
            }
            (None, Some(true)) => {
                let fails = fails(self);
                let rest = self.past(then, asked)?;
                self.either(fails, rest)
            }
            (Some(false), None) => {
                let fails = fails(self);
                let rest = self.past(other, asked)?;
                self.both(fails, rest)
            }
            (None, Some(false)) => {
                let rest = self.past(then, asked)?;
                self.both(holds, rest)
            }
            (None, None) => self.one_way(holds, then, other, asked)?,
        })
    }

    fn either(&mut self, passes: Value, rest: Past) -> Past {
        match rest {
            Past::Yes => Past::Yes,
            Past::No => Past::If(passes),
            Past::If(also) => Past::If(self.builder.ins().bor(passes, also)),
        }
    }

    fn both(&mut self, passes: Value, rest: Past) -> Past {
        match rest {
            Past::Yes => Past::If(passes),
            Past::No => Past::No,
            Past::If(also) => Past::If(self.builder.ins().band(passes, also)),
        }
    }

    /// Where both ways on have tests, only those of one are asked.
    fn one_way(&mut self, holds: Value, then: Pc, other: Pc, asked: &mut u32) -> Result<Past, String> {
        let [yes, no, met] = std::array::from_fn(|_| self.builder.create_block());
        let result = self.builder.append_block_param(met, I8);
        self.builder.ins().brif(holds, yes, &[], no, &[]);
        let known = self.known.clone();
        for (block, pc) in [(yes, then), (no, other)] {
            self.builder.switch_to_block(block);
            self.known = known.clone();
            let past = match self.past(pc, asked)? {
                Past::Yes => self.builder.ins().iconst(I8, 1),
                Past::No => self.builder.ins().iconst(I8, 0),
                Past::If(passes) => passes,
            };
            self.builder.ins().jump(met, &[past.into()]);
        }
        self.known = known;
        self.builder.switch_to_block(met);
        Ok(Past::If(result))
    }

    /// Whether a test holds.
    fn holds(&mut self, test: Op) -> Result<Value, String> {
        let (equal, left, right) = match test {
            Op::Eq { left, right, .. } | Op::Ne { left, right, .. } => {
                let (left, right) = (self.value(left, 0)?, self.value(right, 0)?);
                (matches!(test, Op::Eq { .. }), left, Ok(right))
            }
            Op::SlotEq { slot, value, .. } => (true, self.slot(slot)?, Err(value)),
            Op::SlotNe { slot, value, .. } => (false, self.slot(slot)?, Err(value)),
            Op::CellEq { base, slot, value, .. } | Op::CellNe { base, slot, value, .. } => {
                let index = self.slot(slot)?;
                let left = self.load(false, base, index)?;
                (matches!(test, Op::CellEq { .. }), left, Err(value))
            }
            Op::TableEq { base, slot, value, .. } => {
                let index = self.slot(slot)?;
                (true, self.load(true, base, index)?, Err(value))
            }
            Op::CellTableEq { base, slot, table, value, .. } => {
                let index = self.slot(slot)?;
                let number = self.load(false, base, index)?;
                (true, self.load(true, table, number)?, Err(value))
            }
            _ => return Err("no test of a value".to_string()),
        };
        let how = if equal { IntCC::Equal } else { IntCC::NotEqual };
        Ok(match right {
            Ok(right) => self.builder.ins().icmp(how, left, right),
            Err(value) => self.builder.ins().icmp_imm_s(how, left, i64::from(value)),
        })
    }
}
