//! Pure operations.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I16, I32, I64, I64X2};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::known::{self, Bits, Known};
use super::tables::Place;
use super::translate::{Translator, memory};
use wir::{Op, Reg, stride};

/// An error of this module.
const SPECIAL: &str = "this operation has a translation of its own";

/// For so many uses of a mask, each of them decides anew: a conditional move is less than making the mask.
const FEW_READS: u8 = 2;

impl Translator<'_, '_> {
    /// Value of an operation that is to become a register's.
    pub(super) fn op(&mut self, to: Reg, op: Op) -> Result<Known, String> {
        // Everything has a value from here on.
        for register in op.reads() {
            self.known(register)?;
        }
        // Not used: it is there for its type.
        let nothing = Known::word(Value::from_u32(0));
        let of = |register| self.known(register).unwrap_or(nothing);
        let table = |table: u32| self.source.tables.places.get(table as usize).map_or(u64::MAX, |place| place.most);
        let (value, most) = (known::value(op, of), known::most(op, |register| of(register).most, table));
        if let Some(constant) = value.or((most == 0).then_some(0)) {
            self.make_checked(op)?;
            let word = self.constant(constant.cast_signed());
            let bits = known::bits(Op::Const(constant), constant, |_| Bits::default());
            return Ok(Known { constant: Some(constant), most: constant, bits, ..Known::word(word) });
        }
        let bits = known::bits(op, most, |register| of(register).bits);
        let known = match op {
            Op::And(a, b) => self.and(a, b, How::Keep)?,
            Op::AndNot(a, b) => self.and(a, b, How::Drop)?,
            // A sum, since Cranelift would make a double shift, which takes twice as long as two shifts on some processors.
            Op::Or(a, b) if self.known(a)?.is_disjoint_from(&self.known(b)?) => Known::word(self.make(Op::Add(a, b))?),
            Op::Or(a, b) => self.bitwise(a, b, |translator, a, b| translator.builder.ins().bor(a, b))?,
            Op::ShlBy(_, by) => Known { shifted: Some(by as i32), ..Known::word(self.make(op)?) },
            Op::ShrBy(_, by) => Known { shifted: Some(-(by as i32)), ..Known::word(self.make(op)?) },
            Op::Highest(a) => {
                let word = self.word(a)?;
                Known { zeros: Some(self.builder.ins().clz(word)), ..Known::word(self.make(op)?) }
            }
            Op::Xor(a, b) => self.bitwise(a, b, |translator, a, b| translator.builder.ins().bxor(a, b))?,
            Op::Eq(a, b) => self.comparison(IntCC::Equal, a, b)?,
            Op::Ne(a, b) => self.comparison(IntCC::NotEqual, a, b)?,
            Op::Less(a, b) => self.comparison(IntCC::UnsignedLessThan, a, b)?,
            Op::Within(table, width, row, word) => self.within(table, width, row, word)?,
            Op::Select(cond, a, b) => self.select(cond, a, b)?,
            Op::Sub(zero, truth) if self.known(zero)?.is_zero() => {
                let few = self.reads.get(to as usize).is_some_and(|&reads| reads <= FEW_READS);
                let mask = self.known(truth)?.truth.filter(|_| few);
                Known { mask, ..Known::word(self.make(op)?) }
            }
            _ => Known::word(self.make(op)?),
        };
        Ok(Known { most, bits, ..known })
    }

    /// The word of an operation that is not one of truth values.
    fn make(&mut self, op: Op) -> Result<Value, String> {
        Ok(match op {
            Op::Const(value) => self.constant(value.cast_signed()),
            Op::Not(a) => {
                let a = self.word(a)?;
                self.builder.ins().bnot(a)
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
                let flags = if self.source.shape.stores { memory() } else { memory().with_readonly().with_can_move() };
                self.load(word, flags)?
            }
            Op::Table(table, index) => self.entry(table, index)?,
            Op::And(..) | Op::Or(..) | Op::Xor(..) | Op::AndNot(..) => return Err(SPECIAL.to_string()),
            Op::Eq(..) | Op::Ne(..) | Op::Less(..) | Op::Within(..) | Op::Select(..) => return Err(SPECIAL.to_string()),
        })
    }

    /// The errors of an operation whose value is known without it.
    fn make_checked(&self, op: Op) -> Result<(), String> {
        match op {
            Op::ShlBy(_, by) | Op::ShrBy(_, by) => amount(by).map(|_| ()),
            Op::Table(table, _) | Op::Within(table, ..) => self.place(table).map(drop),
            _ => Ok(()),
        }
    }

    /// The bits of `a` that `b` keeps or drops; a choice if one of them is a mask.
    fn and(&mut self, a: Reg, b: Reg, how: How) -> Result<Known, String> {
        let (first, second) = (self.known(a)?, self.known(b)?);
        let truth = first.truth.zip(second.truth).map(|(a, b)| how.bits(self, a, b));
        let zero = self.constant(0);
        let word = match (first.mask, second.mask) {
            (_, Some(mask)) => how.choose(self, mask, first.word, zero),
            (Some(mask), None) if how == How::Keep => how.choose(self, mask, second.word, zero),
            _ => how.bits(self, first.word, second.word),
        };
        Ok(Known { truth, ..Known::word(word) })
    }

    fn select(&mut self, cond: Reg, a: Reg, b: Reg) -> Result<Known, String> {
        let (chosen, other) = (self.known(a)?, self.known(b)?);
        match self.known(cond)?.constant {
            Some(0) => return Ok(other),
            Some(_) => return Ok(chosen),
            None => {}
        }
        let cond = self.condition(cond)?;
        let truth = chosen.truth.zip(other.truth).map(|(a, b)| self.builder.ins().select(cond, a, b));
        Ok(Known { truth, ..Known::word(self.builder.ins().select(cond, chosen.word, other.word)) })
    }

    /// Bitwise operations of truth values are truth values.
    fn bitwise(&mut self, a: Reg, b: Reg, make: fn(&mut Self, Value, Value) -> Value) -> Result<Known, String> {
        let (a, b) = (self.known(a)?, self.known(b)?);
        if let Some((a, b)) = a.sign.zip(b.sign) {
            let sign = make(self, a, b);
            let truth = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, sign, 0);
            let word = self.builder.ins().ushr_imm_u(sign, 63);
            return Ok(Known { truth: Some(truth), sign: Some(sign), ..Known::word(word) });
        }
        let truth = a.truth.zip(b.truth).map(|(a, b)| make(self, a, b));
        Ok(Known { truth, ..Known::word(make(self, a.word, b.word)) })
    }

    fn comparison(&mut self, code: IntCC, a: Reg, b: Reg) -> Result<Known, String> {
        let (a, b) = (self.known(a)?, self.known(b)?);
        // Only of 0 the highest bit changes.
        let changes = code == IntCC::Equal && b.is_zero() && a.bits.of(1 << 63) == Some(0);
        let sign = changes.then(|| self.builder.ins().iadd_imm_s(a.word, -1));
        let truth = match (code, a.truth) {
            (IntCC::Equal, Some(truth)) if b.is_zero() => self.builder.ins().icmp_imm_u(code, truth, 0),
            (IntCC::NotEqual, Some(truth)) if b.is_zero() => truth,
            _ => self.builder.ins().icmp(code, a.word, b.word),
        };
        Ok(Known { truth: Some(truth), sign, ..Known::word(self.builder.ins().uextend(I64, truth)) })
    }

    fn place(&self, table: u32) -> Result<Place, String> {
        let place = self.source.tables.places.get(table as usize).copied();
        place.ok_or_else(|| format!("there is no table {table}"))
    }

    /// Whether an entry of a row has no bit that a word has not: two entries at once, and no branch.
    fn within(&mut self, table: u32, width: u32, row: Reg, word: Reg) -> Result<Known, String> {
        let (place, row, word) = (self.place(table)?, self.known(row)?, self.word(word)?);
        let step = stride(width) as u64;
        if place.entry != I64 || width == 0 || step > place.mask + 1 {
            return Err(format!("a row of {width} entries in table {table}"));
        }
        let last = place.mask / step;
        let row = if row.most <= last { row.word } else { self.builder.ins().band_imm_u(row.word, last.cast_signed()) };
        let scaled = self.builder.ins().ishl_imm_u(row, i64::from((8 * step).trailing_zeros()));
        let base = self.builder.ins().symbol_value(I64, self.symbol);
        let address = self.builder.ins().iadd(base, scaled);
        let flags = memory().with_readonly().with_can_move();
        let at = |entry: u32| place.offset + 8 * entry.cast_signed();
        let mut found = Vec::new();
        if width > 1 {
            let outside = self.builder.ins().bnot(word);
            let outside = self.builder.ins().splat(I64X2, outside);
            let zero = self.builder.ins().iconst(I64, 0);
            let none = self.builder.ins().splat(I64X2, zero);
            for pair in 0..width / 2 {
                let entries = self.builder.ins().load(I64X2, flags, address, at(2 * pair));
                // The second operand can be one in memory.
                let beyond = self.builder.ins().band(outside, entries);
                found.push(self.builder.ins().icmp(IntCC::Equal, beyond, none));
            }
        }
        let mut truth = self.any(found).map(|all| self.builder.ins().vany_true(all));
        if width % 2 == 1 {
            let entry = self.builder.ins().load(I64, flags, address, at(width - 1));
            let outside = self.builder.ins().band_not(entry, word);
            let last = self.builder.ins().icmp_imm_u(IntCC::Equal, outside, 0);
            truth = Some(truth.map_or(last, |truth| self.builder.ins().bor(truth, last)));
        }
        let truth = truth.ok_or_else(|| SPECIAL.to_string())?;
        Ok(Known { truth: Some(truth), ..Known::word(self.builder.ins().uextend(I64, truth)) })
    }

    /// The union of vectors, in as few steps one after the other as it takes.
    fn any(&mut self, mut parts: Vec<Value>) -> Option<Value> {
        while parts.len() > 1 {
            let pairs = parts.chunks(2).filter_map(|pair| match *pair {
                [a, b] => Some(self.builder.ins().bor(a, b)),
                _ => pair.first().copied(),
            });
            parts = pairs.collect();
        }
        parts.pop()
    }

    fn entry(&mut self, table: u32, index: Reg) -> Result<Value, String> {
        let place = self.place(table)?;
        let known = self.known(index)?;
        let (index, offset) = match known.zeros.zip(place.by_zeros) {
            Some(by_zeros) => by_zeros,
            None if known.most <= place.mask => (known.word, place.offset),
            None => (self.builder.ins().band_imm_u(known.word, place.mask.cast_signed()), place.offset),
        };
        let scaled = self.builder.ins().ishl_imm_u(index, i64::from(place.entry.bytes().trailing_zeros()));
        let base = self.builder.ins().symbol_value(I64, self.symbol);
        let address = self.builder.ins().iadd(base, scaled);
        let flags = memory().with_readonly().with_can_move();
        Ok(match place.entry {
            I8 => self.builder.ins().uload8(I64, flags, address, offset),
            I16 => self.builder.ins().uload16(I64, flags, address, offset),
            I32 => self.builder.ins().uload32(flags, address, offset),
            _ => self.builder.ins().load(I64, flags, address, offset),
        })
    }
}

/// What the second operand does with bits of the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Keep,
    Drop,
}

impl How {
    fn bits(self, translator: &mut Translator<'_, '_>, a: Value, b: Value) -> Value {
        match self {
            How::Keep => translator.builder.ins().band(a, b),
            How::Drop => translator.builder.ins().band_not(a, b),
        }
    }

    fn choose(self, translator: &mut Translator<'_, '_>, mask: Value, a: Value, zero: Value) -> Value {
        match self {
            How::Keep => translator.builder.ins().select(mask, a, zero),
            How::Drop => translator.builder.ins().select(mask, zero, a),
        }
    }
}

/// A constant amount of a shift.
pub(super) fn amount(by: u32) -> Result<i64, String> {
    if by < 64 { Ok(i64::from(by)) } else { Err(format!("a shift by {by}")) }
}
