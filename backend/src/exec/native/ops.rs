//! Pure operations.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::translate::{Translator, memory};
use crate::ir::{Op, Reg};

/// A value as a word, and for truth values as a condition.
type Both = (Value, Option<Value>);

impl Translator<'_, '_> {
    /// Value of an operation.
    pub(super) fn op(&mut self, op: Op) -> Result<Both, String> {
        let value = match op {
            Op::Const(value) => self.constant(value.cast_signed()),
            Op::Not(a) => {
                let a = self.word(a)?;
                self.builder.ins().bnot(a)
            }
            Op::And(a, b) => return self.bitwise(a, b, |translator, a, b| translator.builder.ins().band(a, b)),
            Op::Or(a, b) => return self.bitwise(a, b, |translator, a, b| translator.builder.ins().bor(a, b)),
            Op::Xor(a, b) => return self.bitwise(a, b, |translator, a, b| translator.builder.ins().bxor(a, b)),
            Op::AndNot(a, b) => {
                return self.bitwise(a, b, |translator, a, b| translator.builder.ins().band_not(a, b));
            }
            Op::Shl(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                self.builder.ins().ishl(a, b)
            }
            Op::Shr(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                self.builder.ins().ushr(a, b)
            }
            Op::ShlBy(a, by) => {
                let (a, by) = (self.word(a)?, amount(by)?);
                self.builder.ins().ishl_imm_u(a, by)
            }
            Op::ShrBy(a, by) => {
                let (a, by) = (self.word(a)?, amount(by)?);
                self.builder.ins().ushr_imm_u(a, by)
            }
            Op::Add(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                self.builder.ins().iadd(a, b)
            }
            Op::Sub(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                self.builder.ins().isub(a, b)
            }
            Op::Mul(a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                self.builder.ins().imul(a, b)
            }
            Op::Eq(a, b) => return self.comparison(IntCC::Equal, a, b),
            Op::Ne(a, b) => return self.comparison(IntCC::NotEqual, a, b),
            Op::Less(a, b) => return self.comparison(IntCC::UnsignedLessThan, a, b),
            Op::Select(cond, a, b) => {
                let truth = self.truth(a).zip(self.truth(b));
                let (cond, a, b) = (self.condition(cond)?, self.word(a)?, self.word(b)?);
                let truth = truth.map(|(a, b)| self.builder.ins().select(cond, a, b));
                return Ok((self.builder.ins().select(cond, a, b), truth));
            }
            Op::Count(a) => {
                let a = self.word(a)?;
                self.builder.ins().popcnt(a)
            }
            // Cranelift's count of trailing zeros is 64 for 0, too.
            Op::Lowest(a) => {
                let a = self.word(a)?;
                self.builder.ins().ctz(a)
            }
            Op::Highest(a) => {
                let a = self.word(a)?;
                let above = self.builder.ins().clz(a);
                let last = self.constant(63);
                let position = self.builder.ins().isub(last, above);
                let none = self.constant(64);
                self.builder.ins().select(a, position, none)
            }
            Op::Load(word) => {
                let offset = self.word_offset(word)?;
                let flags = if self.source.shape.stores { memory() } else { memory().with_readonly().with_can_move() };
                self.builder.ins().load(I64, flags, self.state, offset)
            }
            Op::Table(table, index) => self.entry(table, index)?,
        };
        Ok((value, None))
    }

    /// Bitwise operations of truth values are truth values.
    fn bitwise(&mut self, a: Reg, b: Reg, make: fn(&mut Self, Value, Value) -> Value) -> Result<Both, String> {
        let truth = match (self.truth(a), self.truth(b)) {
            (Some(a), Some(b)) => Some(make(self, a, b)),
            _ => None,
        };
        let (a, b) = (self.word(a)?, self.word(b)?);
        Ok((make(self, a, b), truth))
    }

    fn comparison(&mut self, code: IntCC, a: Reg, b: Reg) -> Result<Both, String> {
        let (a, b) = (self.word(a)?, self.word(b)?);
        let truth = self.builder.ins().icmp(code, a, b);
        Ok((self.builder.ins().uextend(I64, truth), Some(truth)))
    }

    fn entry(&mut self, table: u32, index: Reg) -> Result<Value, String> {
        let place = self.source.tables.places.get(table as usize).copied();
        let place = place.ok_or_else(|| format!("there is no table {table}"))?;
        let index = self.word(index)?;
        let index = self.builder.ins().band_imm_u(index, place.mask.cast_signed());
        let scaled = self.builder.ins().ishl_imm_u(index, i64::from(place.entry.bytes().trailing_zeros()));
        let base = self.builder.ins().symbol_value(I64, self.symbol);
        let address = self.builder.ins().iadd(base, scaled);
        let flags = memory().with_readonly().with_can_move();
        Ok(match place.entry {
            I8 => self.builder.ins().uload8(I64, flags, address, place.offset),
            I16 => self.builder.ins().uload16(I64, flags, address, place.offset),
            I32 => self.builder.ins().uload32(flags, address, place.offset),
            _ => self.builder.ins().load(I64, flags, address, place.offset),
        })
    }
}

/// A constant amount of a shift.
pub(super) fn amount(by: u32) -> Result<i64, String> {
    if by < 64 { Ok(i64::from(by)) } else { Err(format!("a shift by {by}")) }
}
