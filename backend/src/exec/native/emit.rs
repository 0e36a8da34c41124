//! Emission of moves.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};

use super::ops::amount;
use super::translate::{Sink, Translator, memory};

/// A function that cannot emit more than this does not look whether the buffer is full: whoever calls it sees to it.
pub(super) const MOST_UNCHECKED: u64 = 8192;

/// Moves that a round of the loop over a set writes, wanted or not; then it counts only those that are.
const AT_ONCE: i64 = 4;

/// Free places that one emission needs.
pub(super) const AT_MOST: u64 = 64 + AT_ONCE as u64;

/// Bytes of a set of moves.
const RUN: i64 = 24;

impl Translator<'_, '_> {
    /// [`crate::ir::Inst::Emit`].
    pub(super) fn emit(&mut self, base: Value) -> Result<(), String> {
        match self.source.sink {
            Sink::List => {
                self.check(self.source.shape.moves, 8)?;
                let cursor = self.builder.use_var(self.cursor);
                self.builder.ins().store(memory(), base, cursor, 0);
                let next = self.builder.ins().iadd_imm_s(cursor, 8);
                self.builder.def_var(self.cursor, next);
            }
            Sink::Count => {
                let one = self.constant(1);
                self.add(one);
            }
            Sink::Runs => {
                let one = self.constant(1);
                self.run(base, one, 0)?;
                self.add(one);
            }
            Sink::Call | Sink::Inner => return Err("a move in a function that is not for that".to_string()),
        }
        Ok(())
    }

    /// [`crate::ir::Inst::EmitSet`].
    pub(super) fn emit_set(&mut self, base: Value, set: Value, shift: u32) -> Result<(), String> {
        let by = amount(shift)?;
        match self.source.sink {
            Sink::List => {
                self.check(self.source.shape.moves, 8 * AT_MOST.cast_signed())?;
                self.list_set(base, set, by);
            }
            Sink::Count => {
                let moves = self.builder.ins().popcnt(set);
                self.add(moves);
            }
            Sink::Runs => {
                self.run(base, set, by)?;
                let moves = self.builder.ins().popcnt(set);
                self.add(moves);
            }
            Sink::Call | Sink::Inner => return Err("moves in a function that is not for that".to_string()),
        }
        Ok(())
    }

    fn list_set(&mut self, base: Value, set: Value, by: i64) {
        let start = self.builder.use_var(self.cursor);
        let (round, done) = (self.builder.create_block(), self.builder.create_block());
        let mut rest = self.builder.append_block_param(round, I64);
        let cursor = self.builder.append_block_param(round, I64);
        let moves = self.builder.ins().popcnt(set);
        let bytes = self.builder.ins().ishl_imm_u(moves, 3);
        let end = self.builder.ins().iadd(start, bytes);
        let enter = [BlockArg::Value(set), BlockArg::Value(start)];
        self.builder.ins().brif(set, round, &enter, done, &[]);

        self.builder.switch_to_block(round);
        for place in 0..AT_ONCE {
            let element = self.builder.ins().ctz(rest);
            let element = self.builder.ins().ishl_imm_u(element, by);
            let word = self.builder.ins().iadd(base, element);
            self.builder.ins().store(memory(), word, cursor, (8 * place) as i32);
            rest = self.without_lowest(rest);
        }
        let next = self.builder.ins().iadd_imm_s(cursor, 8 * AT_ONCE);
        let again = [BlockArg::Value(rest), BlockArg::Value(next)];
        self.builder.ins().brif(rest, round, &again, done, &[]);
        self.builder.seal_block(round);
        self.builder.switch_to_block(done);
        self.builder.seal_block(done);
        self.builder.def_var(self.cursor, end);
    }

    /// Writes a set of moves; an empty one does not count.
    fn run(&mut self, base: Value, set: Value, by: i64) -> Result<(), String> {
        self.check(self.source.shape.runs, RUN)?;
        let cursor = self.builder.use_var(self.cursor);
        let by = self.constant(by);
        self.builder.ins().store(memory(), base, cursor, 0);
        self.builder.ins().store(memory(), set, cursor, 8);
        self.builder.ins().store(memory(), by, cursor, 16);
        let after = self.builder.ins().iadd_imm_s(cursor, RUN);
        let next = self.builder.ins().select(set, after, cursor);
        self.builder.def_var(self.cursor, next);
        Ok(())
    }

    /// More moves.
    fn add(&mut self, moves: Value) {
        let total = self.builder.use_var(self.total);
        let total = self.builder.ins().iadd(total, moves);
        self.builder.def_var(self.total, total);
    }

    /// Goes to where the full buffer is reported unless so many bytes are free. `most` is what the function may emit.
    fn check(&mut self, most: u64, bytes: i64) -> Result<(), String> {
        if most <= MOST_UNCHECKED {
            return Ok(());
        }
        let limit = self.limit.ok_or_else(|| "a buffer is missing".to_string())?;
        let cursor = self.builder.use_var(self.cursor);
        let free = self.builder.ins().isub(limit, cursor);
        let short = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, free, bytes);
        let next = self.builder.create_block();
        self.builder.ins().brif(short, self.full, &[], next, &[]);
        self.builder.switch_to_block(next);
        self.builder.seal_block(next);
        Ok(())
    }
}
