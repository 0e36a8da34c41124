//! Choices whose values are found at once, as bits of a word: by what cells hold, or by the test that follows.

use super::translate::{CHOICE, REST, Resumption, Translator, memory};
use crate::program::{Op, Pc, gets_past};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I8X16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

/// Most numbers with which every cell is compared. Where there are more, all cells are looked up in one register, if their
/// values have room there.
const MAX_COMPARED: usize = 4;
/// Cells that are compared at once.
const LANES: u32 = 16;
/// Whether the processor compares so many.
const HAS_LANES: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// What a cell must hold.
pub(super) enum Holds {
    /// One of these numbers or, negated, none of them.
    Numbers(Vec<u8>, bool),
    /// A number with a byte of ones here.
    Marked([u8; LANES as usize]),
}

/// How the values of a choice are found.
pub(super) enum Found {
    /// By what the cells from `base + low` on hold.
    Cells { base: u32, holds: Holds },
    /// By the tests behind the choice alone.
    Tests,
}

impl Translator<'_, '_> {
    /// How the values of a choice are found, if that is done at once.
    pub(super) fn finds(&self, pc: Pc) -> Option<Found> {
        let op = *self.program.code.get(pc as usize)?;
        let (_, low, high) = range(op)?;
        if low >= high || high - low > u64::BITS {
            return None;
        }
        match op {
            Op::Each { .. } => gets_past(&self.program.code, pc + 1).is_none().then_some(Found::Tests),
            _ if !HAS_LANES || self.layout.shift != 0 => None,
            Op::EachCell { base, value, .. } => {
                Some(Found::Cells { base, holds: Holds::Numbers(vec![u8::try_from(value).ok()?], false) })
            }
            Op::EachWhere { base, table, .. } => {
                let mut fields = self.program.layout.vars.values();
                let field = fields.find(|field| field.offset <= base && base - field.offset < field.len)?;
                let values = self.program.layout.classes.members(field.class).len();
                let table = self.program.layout.tables.get(table as usize..(table as usize).checked_add(values)?)?;
                let all = |wanted: bool| {
                    let entries = table.iter().enumerate().filter(|&(_, &entry)| (entry == 1) == wanted);
                    entries.map(|(value, _)| u8::try_from(value).ok()).collect::<Option<Vec<u8>>>()
                };
                let (holds, not) = (all(true)?, all(false)?);
                let negated = not.len() < holds.len();
                let numbers = if negated { not } else { holds };
                if numbers.len() <= MAX_COMPARED {
                    return Some(Found::Cells { base, holds: Holds::Numbers(numbers, negated) });
                }
                let mut marked = [0; LANES as usize];
                if values > marked.len() || !looks_up() {
                    return None;
                }
                for (mark, &entry) in marked.iter_mut().zip(table) {
                    *mark = if entry == 1 { u8::MAX } else { 0 };
                }
                Some(Found::Cells { base, holds: Holds::Marked(marked) })
            }
            _ => None,
        }
    }

    /// The values of a choice, as bits from the lowest one on; `None` if they are not found at once.
    pub(super) fn found(&mut self, pc: Pc) -> Result<Option<Value>, String> {
        let op = self.program.code.get(pc as usize).copied().unwrap_or(Op::Fail);
        let (Some(found), Some((slot, low, high))) = (self.finds(pc), range(op)) else { return Ok(None) };
        let bits = match found {
            Found::Cells { base, holds } => self.cells_with(base + low, high - low, &holds)?,
            Found::Tests => self.every(high - low),
        };
        match gets_past(&self.program.code, pc + 1) {
            None => self.sift(pc, (slot, low), bits).map(Some),
            Some(_) => Ok(Some(bits)),
        }
    }

    /// Which of so many cells hold what they must.
    fn cells_with(&mut self, first: u32, count: u32, holds: &Holds) -> Result<Value, String> {
        let (mut numbers, mut marked, mut negates) = (Vec::new(), None, false);
        match holds {
            Holds::Numbers(values, negated) => {
                for &value in values {
                    let number = self.builder.ins().iconst(I8, i64::from(value));
                    numbers.push(self.builder.ins().splat(I8X16, number));
                }
                negates = *negated;
            }
            Holds::Marked(marks) => {
                let marks = self.builder.func.dfg.constants.insert(marks.as_slice().into());
                marked = Some(self.builder.ins().vconst(I8X16, marks));
            }
        }
        let mut all = self.builder.ins().iconst(I64, 0);
        for from in (0..count).step_by(LANES as usize) {
            // What is read behind the cells does not count.
            let anywhere = MemFlagsData::new().with_notrap();
            let offset = self.offset(first + from)?;
            let cells = self.builder.ins().load(I8X16, anywhere, self.cells, offset);
            // What is read behind them may be too much for a look-up, which gives zeros then.
            let mut here = marked.map(|marked| self.builder.ins().swizzle(marked, cells));
            for &number in &numbers {
                let same = self.builder.ins().icmp(IntCC::Equal, cells, number);
                here = Some(here.map_or(same, |here| self.builder.ins().bor(here, same)));
            }
            let Some(here) = here else { continue };
            let bits = self.builder.ins().vhigh_bits(I32, here);
            let bits = self.builder.ins().uextend(I64, bits);
            let bits = self.builder.ins().ishl_imm_s(bits, i64::from(from));
            all = self.builder.ins().bor(all, bits);
        }
        if negates {
            all = self.builder.ins().bnot(all);
        }
        let every = self.every(count);
        Ok(self.builder.ins().band(all, every))
    }

    /// The bits of so many values, at least one.
    fn every(&mut self, count: u32) -> Value {
        let every = u64::MAX >> (u64::BITS - count);
        self.builder.ins().iconst(I64, every.cast_signed())
    }

    /// Takes the first of the values that are left, of which there is one at least. The choice point is made or, if it is
    /// there, keeps the others.
    pub(super) fn take(&mut self, pc: Pc, left: Value, point: Option<Value>) -> Result<(), String> {
        let (slot, value, rest) = self.first(pc, left)?;
        match point {
            Some(point) => _ = self.builder.ins().store(memory(), rest, point, REST),
            None => {
                let point = self.builder.use_var(self.choices);
                self.choice(pc, Resumption::Next, None);
                self.builder.ins().store(memory(), rest, point, REST);
            }
        }
        self.write(slot, None, value)
    }

    /// The cell of a choice, the first of its values that are left, and the others.
    fn first(&mut self, pc: Pc, left: Value) -> Result<(u32, Value, Value), String> {
        let op = self.program.code.get(pc as usize).copied().unwrap_or(Op::Fail);
        let (slot, low, _) = range(op).ok_or("no choice of values")?;
        let first = self.builder.ins().ctz(left);
        let value = self.builder.ins().iadd_imm_s(first, i64::from(low));
        let less = self.builder.ins().iadd_imm_s(left, -1);
        Ok((slot, value, self.builder.ins().band(left, less)))
    }

    /// Goes on with the next value of the topmost choice point, made by this operation, where nothing but its value was
    /// written since: the trail has what was there before already.
    pub(super) fn skip(&mut self, pc: Pc) -> Result<(), String> {
        self.burn();
        let choices = self.builder.use_var(self.choices);
        let point = self.builder.ins().iadd_imm_s(choices, -CHOICE);
        let rest = self.builder.ins().load(I64, memory(), point, REST);
        let none = *self.direct.entry(pc).or_insert_with(|| self.builder.create_block());
        let some = self.builder.create_block();
        self.builder.ins().brif(rest, some, &[], none, &[]);
        self.builder.switch_to_block(some);
        let (slot, value, rest) = self.first(pc, rest)?;
        self.builder.ins().store(memory(), rest, point, REST);
        let offset = self.offset(slot)?;
        self.put(value, self.cells, offset);
        let target = self.label(pc + 1)?;
        self.builder.ins().jump(target, &[]);
        Ok(())
    }
}

/// Whether the processor looks up so many bytes at once.
fn looks_up() -> bool {
    #[cfg(target_arch = "x86_64")]
    let looks_up = std::arch::is_x86_feature_detected!("ssse3");
    #[cfg(not(target_arch = "x86_64"))]
    let looks_up = HAS_LANES;
    looks_up
}

/// The cell of a choice that has its values one after the other, and their bounds.
fn range(op: Op) -> Option<(u32, u32, u32)> {
    match op {
        Op::Each { slot, low, high } | Op::EachCell { slot, low, high, .. } | Op::EachWhere { slot, low, high, .. } => {
            Some((slot, low, high))
        }
        _ => None,
    }
}
