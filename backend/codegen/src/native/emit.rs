//! Emission of moves.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I64, I64X2};
use cranelift_codegen::ir::{Block as Label, BlockArg, FuncRef, InstBuilder, MemFlagsData, Value};

use super::known::Known;
use super::ops::amount;
use super::translate::{Pack, Sink, Translator, memory};
use super::wide::Wide;

/// A function that cannot emit more than this does not look whether the buffer is full: whoever calls it sees to it.
pub(super) const MOST_UNCHECKED: u64 = 8192;

/// Moves that a round of the loop over a set writes, wanted or not; then it counts only those that are.
const AT_ONCE: i64 = 4;

/// From how many moves on a set is written byte by byte after the first few.
const MANY: i64 = 20;

/// A set that can be such a number may have enough moves to write all of them at once.
const LARGE: u64 = 1 << 32;

/// Sets of so many bytes are written byte by byte in any case.
const AS_BYTES: i64 = 2;

/// Moves that a byte may have.
const PER_BYTE: i64 = 8;

/// Free places that one emission needs.
pub(super) const AT_MOST: u64 = 64 + PER_BYTE as u64;

/// Bytes of a set of moves.
const RUN: i64 = 24;

impl Translator<'_, '_> {
    /// [`wir::Inst::Emit`].
    pub(super) fn emit(&mut self, base: Value) -> Result<(), String> {
        match self.source.sink {
            Sink::List if self.packs.is_some() => {
                let one = self.constant(1);
                self.pack_truth(base, one);
            }
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

    /// [`wir::Inst::EmitSet`].
    pub(super) fn emit_set(&mut self, base: Value, set: Known, shift: u32) -> Result<(), String> {
        let (by, Known { word: set, most, bits, .. }) = (amount(shift)?, set);
        match self.source.sink {
            Sink::List if self.packs.is_some() && most <= 1 => self.pack_truth(base, set),
            Sink::List if self.packs.is_some() => self.pack_set(base, set, bits.possible(), by),
            Sink::List => {
                self.check(self.source.shape.moves, 8 * AT_MOST.cast_signed())?;
                match self.callees.wide.filter(|_| most >= LARGE && !self.one_by_one) {
                    _ if most <= 1 => self.list_truth(base, set),
                    Some(wide) => self.list_wide(wide, base, set, by),
                    None => self.list_set(base, set, by),
                }
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

    /// Writes one move, which counts if the truth value is 1.
    fn list_truth(&mut self, base: Value, truth: Value) {
        let cursor = self.builder.use_var(self.cursor);
        self.builder.ins().store(memory(), base, cursor, 0);
        let bytes = self.builder.ins().ishl_imm_u(truth, 3);
        let next = self.builder.ins().iadd(cursor, bytes);
        self.builder.def_var(self.cursor, next);
    }

    /// All moves at once.
    fn list_wide(&mut self, wide: Wide<FuncRef>, base: Value, set: Value, by: i64) {
        let start = self.builder.use_var(self.cursor);
        let moves = self.builder.ins().popcnt(set);
        let by = self.constant(by);
        self.builder.ins().call(wide.words, &[set, start, base, by, moves]);
        let bytes = self.builder.ins().ishl_imm_u(moves, 3);
        let end = self.builder.ins().iadd(start, bytes);
        self.builder.def_var(self.cursor, end);
    }

    /// The first few moves at once; of the others, few in the same way, and many byte by byte.
    fn list_set(&mut self, base: Value, set: Value, by: i64) {
        let start = self.builder.use_var(self.cursor);
        let moves = self.builder.ins().popcnt(set);
        let bytes = self.builder.ins().ishl_imm_u(moves, 3);
        let end = self.builder.ins().iadd(start, bytes);
        let [first, more, round, many, done] = std::array::from_fn(|_| self.label());
        self.builder.ins().brif(set, first, &[], done, &[]);

        self.builder.switch_to_block(first);
        self.builder.seal_block(first);
        let (rest, cursor) = self.list_few(base, set, by, start);
        self.builder.ins().brif(rest, more, &[], done, &[]);
        self.builder.switch_to_block(more);
        self.builder.seal_block(more);
        let dense = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, moves, MANY);
        let left = [BlockArg::Value(rest), BlockArg::Value(cursor)];
        self.builder.ins().brif(dense, many, &[], round, &left);

        let rest_then = self.builder.append_block_param(round, I64);
        let cursor_then = self.builder.append_block_param(round, I64);
        self.builder.switch_to_block(round);
        let (left, next) = self.list_few(base, rest_then, by, cursor_then);
        self.builder.ins().brif(left, round, &[BlockArg::Value(left), BlockArg::Value(next)], done, &[]);
        self.builder.seal_block(round);

        self.builder.switch_to_block(many);
        self.builder.seal_block(many);
        self.list_bytes(base, rest, by, cursor, done);
        self.builder.switch_to_block(done);
        self.builder.seal_block(done);
        self.builder.def_var(self.cursor, end);
    }

    /// Writes the first few moves of a set, wanted or not. Returns the others, and the place after these.
    fn list_few(&mut self, base: Value, mut rest: Value, by: i64, cursor: Value) -> (Value, Value) {
        for place in 0..AT_ONCE {
            let element = self.builder.ins().ctz(rest);
            let element = self.builder.ins().ishl_imm_u(element, by);
            let word = self.builder.ins().iadd(base, element);
            self.builder.ins().store(memory(), word, cursor, (8 * place) as i32);
            rest = self.without_lowest(rest);
        }
        (rest, self.builder.ins().iadd_imm_s(cursor, 8 * AT_ONCE))
    }

    /// Writes the moves of a set, which is not empty, by a table of the places in each byte: eight moves at once, two in a
    /// register, of which those count that there are. Goes to `done`.
    fn list_bytes(&mut self, base: Value, set: Value, by: i64, start: Value, done: Label) {
        let round = self.label();
        let rest = self.builder.append_block_param(round, I64);
        let cursor = self.builder.append_block_param(round, I64);
        let first = self.builder.append_block_param(round, I64);
        let symbol = self.builder.ins().symbol_value(I64, self.symbol);
        let enter = [BlockArg::Value(set), BlockArg::Value(start), BlockArg::Value(base)];
        self.builder.ins().jump(round, &enter);

        self.builder.switch_to_block(round);
        let byte = self.builder.ins().band_imm_u(rest, 0xff);
        // Eight words of four bytes each.
        let row = self.builder.ins().ishl_imm_u(byte, 5);
        let row = self.builder.ins().iadd(symbol, row);
        let bases = self.builder.ins().splat(I64X2, first);
        for pair in 0..PER_BYTE as i32 / 2 {
            let flags = memory().with_readonly().with_can_move();
            let places = self.builder.ins().uload32x2(flags, row, self.source.tables.bits + 8 * pair);
            let places = if by == 0 { places } else { self.builder.ins().ishl_imm_u(places, by) };
            let words = self.builder.ins().iadd(places, bases);
            self.builder.ins().store(memory(), words, cursor, 16 * pair);
        }
        let moves = self.builder.ins().popcnt(byte);
        let bytes = self.builder.ins().ishl_imm_u(moves, 3);
        let next = self.builder.ins().iadd(cursor, bytes);
        let left = self.builder.ins().ushr_imm_u(rest, PER_BYTE);
        let first = self.builder.ins().iadd_imm_s(first, PER_BYTE << by);
        let again = [BlockArg::Value(left), BlockArg::Value(next), BlockArg::Value(first)];
        self.builder.ins().brif(left, round, &again, done, &[]);
        self.builder.seal_block(round);
    }

    /// Writes the element of one move, which counts if the truth value is 1.
    fn pack_truth(&mut self, base: Value, truth: Value) {
        let cursor = self.builder.use_var(self.cursor);
        let zero = self.constant(0);
        self.builder.ins().istore8(memory(), zero, cursor, 0);
        self.pieces.iter_mut().for_each(|pieces| pieces.push(zero));
        let end = self.builder.ins().iadd(cursor, truth);
        self.builder.def_var(self.cursor, end);
        self.pack(Pack { base, by: 0, end });
    }

    /// Writes the elements of a set, eight at once for each byte that it may have; all of them if there are no more. No other
    /// bits than those of `possible` are in it.
    fn pack_set(&mut self, base: Value, set: Value, possible: u64, by: i64) {
        let symbol = self.builder.ins().symbol_value(I64, self.symbol);
        let mut cursor = self.builder.use_var(self.cursor);
        let flags = memory().with_readonly().with_can_move();
        let parts = i64::from((64 - possible.leading_zeros()).div_ceil(8));
        // Where the next set begins does not wait for the bytes of this one.
        let moves = self.builder.ins().popcnt(set);
        let end = self.builder.ins().iadd(cursor, moves);
        self.builder.def_var(self.cursor, end);
        if let Some(few) = self.source.tables.few.iter().find(|few| parts > 1 && possible & !few.possible == 0) {
            let together = self.builder.ins().imul_imm_s(set, few.factor.cast_signed());
            let together = self.builder.ins().ushr_imm_u(together, i64::from(64 - few.width));
            let row = self.builder.ins().ishl_imm_u(together, 3);
            let row = self.builder.ins().iadd(symbol, row);
            let elements = self.builder.ins().load(I64, flags, row, few.offset);
            self.pieces.iter_mut().for_each(|pieces| pieces.push(elements));
            self.builder.ins().store(MemFlagsData::new().with_notrap(), elements, cursor, 0);
            return self.pack(Pack { base, by, end });
        }
        if let Some(wide) = self.callees.wide.filter(|_| parts > AS_BYTES) {
            self.builder.ins().call(wide.bytes, &[set, cursor]);
            self.pieces = None;
            return self.pack(Pack { base, by, end });
        }
        for part in 0..parts {
            let byte = self.builder.ins().ushr_imm_u(set, PER_BYTE * part);
            let byte = if part == PER_BYTE - 1 { byte } else { self.builder.ins().band_imm_u(byte, 0xff) };
            let row = self.builder.ins().ishl_imm_u(byte, 3);
            let row = self.builder.ins().iadd(symbol, row);
            let places = self.builder.ins().load(I64, flags, row, self.source.tables.packed);
            let first = self.constant(0x0101_0101_0101_0101 * PER_BYTE * part);
            let elements = self.builder.ins().iadd(places, first);
            self.pieces.iter_mut().for_each(|pieces| pieces.push(elements));
            // At any byte.
            self.builder.ins().store(MemFlagsData::new().with_notrap(), elements, cursor, 0);
            if part + 1 < parts {
                let moves = self.builder.ins().popcnt(byte);
                cursor = self.builder.ins().iadd(cursor, moves);
            }
        }
        self.pack(Pack { base, by, end });
    }

    fn pack(&mut self, pack: Pack) {
        self.packs.get_or_insert_default().push(pack);
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
        let next = self.label();
        self.builder.ins().brif(short, self.full, &[], next, &[]);
        self.builder.switch_to_block(next);
        self.builder.seal_block(next);
        Ok(())
    }
}
