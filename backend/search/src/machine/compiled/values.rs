//! Values: cells, table entries, and what is computed of them.

use super::translate::{Translator, memory};
use crate::program::{Ex, ExId, FAIL, Term};
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

/// Loads in loads.
const MAX_NESTED: usize = 32;
/// Values in one function, those that are computed again counted again.
const MAX_LOADS: usize = 1 << 16;

impl Translator<'_, '_> {
    /// Address of a cell or table entry: `base + index`.
    pub(super) fn address(&mut self, table: bool, index: Value) -> Value {
        let start = if table { self.tables } else { self.cells };
        let index = match self.layout.shift {
            0 => index,
            shift => self.builder.ins().ishl_imm_s(index, i64::from(shift)),
        };
        self.builder.ins().iadd(start, index)
    }

    pub(super) fn offset(&self, at: u32) -> Result<i32, String> {
        i32::try_from(u64::from(at) << self.layout.shift).map_err(|error| error.to_string())
    }

    pub(super) fn read(&mut self, address: Value, offset: i32) -> Value {
        match self.layout.shift {
            0 => self.builder.ins().uload8(I64, memory(), address, offset),
            1 => self.builder.ins().uload16(I64, memory(), address, offset),
            _ => self.builder.ins().uload32(memory(), address, offset),
        }
    }

    pub(super) fn slot(&mut self, slot: u32) -> Result<Value, String> {
        if let Some(value) = self.known.value(slot) {
            return Ok(value);
        }
        let offset = self.offset(slot)?;
        let value = self.read(self.cells, offset);
        self.known.learn(slot, value);
        Ok(value)
    }

    /// `cells[base + index]` or `tables[base + index]`.
    pub(super) fn load(&mut self, table: bool, base: u32, index: Value) -> Result<Value, String> {
        let (address, offset) = (self.address(table, index), self.offset(base)?);
        Ok(self.read(address, offset))
    }

    pub(super) fn value(&mut self, ex: ExId, nested: usize) -> Result<Value, String> {
        self.loads += 1;
        if nested > MAX_NESTED || self.loads > MAX_LOADS {
            return Err("values nest too deep".to_string());
        }
        match *self.program.exprs.get(ex as usize).ok_or("a value is missing")? {
            Ex::Constant(value) => Ok(self.builder.ins().iconst(I64, i64::from(value))),
            Ex::Slot(slot) => self.slot(slot),
            Ex::Cell { base, slot } => {
                let index = self.slot(slot)?;
                self.load(false, base, index)
            }
            Ex::Table { base, slot } => {
                let index = self.slot(slot)?;
                self.load(true, base, index)
            }
            Ex::Load { table, base, first, count } => {
                let mut sum = None;
                for at in first..first + count {
                    let (term, position) = self.position(at, nested)?;
                    sum = Some(self.added(sum, position, term.stride));
                }
                let index = sum.unwrap_or_else(|| self.builder.ins().iconst(I64, 0));
                self.load(table, base, index)
            }
        }
    }

    pub(super) fn added(&mut self, sum: Option<Value>, position: Value, stride: u32) -> Value {
        let scaled = if stride == 1 { position } else { self.builder.ins().imul_imm_s(position, i64::from(stride)) };
        sum.map_or(scaled, |sum| self.builder.ins().iadd(sum, scaled))
    }

    pub(super) fn position(&mut self, term: u32, nested: usize) -> Result<(Term, Value), String> {
        let term = *self.program.terms.get(term as usize).ok_or("an index is missing")?;
        let value = self.value(term.value, nested + 1)?;
        let position = if term.convert == FAIL { value } else { self.load(true, term.convert, value)? };
        Ok((term, position))
    }
}
