//! What bytecode does between jumps: operations on the slots of a frame.

use super::code::{Code, Slot};
use crate::sink::Sink;
use rg_ir::invariant::{Invariant, put};
use wir::stride;

/// Slots of a frame: as many as there are names for them, so that no access can fail.
pub(super) const SLOTS: usize = 1 << Slot::BITS;

/// The first slot that may hold a constant; those before are for the state, the argument and the values of a function.
pub(super) const FIRST_CONSTANT: usize = SLOTS / 4;

/// What functions compute with.
pub(super) type Frame = [u64; SLOTS];

/// What a function works on, other than its frame.
pub(super) struct Memory<'m> {
    /// All constant tables, one after the other.
    pub(super) tables: &'m [u64],
    /// The state, unless it is in the frame.
    pub(super) state: &'m mut [u64],
    /// Targets of switches.
    pub(super) targets: &'m [u32],
    /// Where moves go.
    pub(super) sink: Sink<'m>,
    /// Rounds of loops until it is enough.
    pub(super) budget: u64,
    /// What the function returns.
    pub(super) result: Option<u64>,
}

/// The slots of an operation, and what else it needs.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Step {
    pub(super) to: Slot,
    pub(super) a: Slot,
    pub(super) b: Slot,
    pub(super) c: Slot,
    /// A number, or a fourth slot.
    pub(super) by: u16,
    pub(super) e: Slot,
}

impl Step {
    /// A number of 32 bits, in the place of `c` and `by`.
    pub(super) fn with_number(self, number: u32) -> Self {
        Self { c: number as u16, by: (number >> 16) as u16, ..self }
    }

    /// See [`Step::with_number`].
    #[inline(always)]
    pub(super) fn number(&self) -> usize {
        usize::from(self.c) | usize::from(self.by) << 16
    }
}

/// Defines the operations: how they are written in [`Code`], which fields of a step have what, and what they compute.
macro_rules! kinds {
    ($($number:literal $name:ident { $($field:ident: $place:ident),* } [$($arg:ident),*] $value:expr;)*) => {
        /// The number of the operation of an instruction that computes a value of registers, and its step.
        pub(super) fn kind(code: Code<Slot>) -> Option<(usize, Step)> {
            Some(match code {
                $(Code::$name { to, $($field),* } => {
                    let mut step = Step { to, ..Step::default() };
                    $(step.$place = $field.into();)*
                    ($number, step)
                })*
                Code::Load { to, word } => (LOAD, Step { to, ..Step::default() }.with_number(word)),
                Code::Store { value, word } => (STORE, Step { a: value, ..Step::default() }.with_number(word)),
                Code::Emit { base } => (EMIT, Step { a: base, ..Step::default() }),
                Code::EmitSet { base, set, shift } => {
                    (EMIT_SET, Step { a: base, b: set, by: shift.into(), ..Step::default() })
                }
                _ => return None,
            })
        }

        /// Does operation number `K`.
        #[inline(always)]
        pub(super) fn step<const K: usize>(frame: &mut Frame, memory: &mut Memory<'_>, step: &Step) {
            let get = |slot: Slot| frame[usize::from(slot)];
            let value = match K {
                $($number => {
                    $(let $arg = value_of!(step, get, memory, $arg);)*
                    $value
                })*
                LOAD => memory.state.get(step.number()).copied().invariant_or(0, "a state has all words that are loaded"),
                STORE => {
                    let value = get(step.a);
                    put(memory.state, step.number(), value, "a state has all words that are stored");
                    return;
                }
                EMIT => return memory.sink.one(get(step.a)),
                EMIT_SET => return memory.sink.set(get(step.a), get(step.b), step.by as u8),
                _ => return,
            };
            frame[usize::from(step.to)] = value;
        }
    };
}

macro_rules! value_of {
    ($step:ident, $get:ident, $memory:ident, a) => {
        $get($step.a)
    };
    ($step:ident, $get:ident, $memory:ident, b) => {
        $get($step.b)
    };
    ($step:ident, $get:ident, $memory:ident, c) => {
        $get($step.c)
    };
    ($step:ident, $get:ident, $memory:ident, d) => {
        $get($step.by)
    };
    ($step:ident, $get:ident, $memory:ident, e) => {
        $get($step.e)
    };
    ($step:ident, $get:ident, $memory:ident, by) => {
        u32::from($step.by)
    };
    ($step:ident, $get:ident, $memory:ident, tables) => {
        $memory.tables
    };
}

/// Operations that are done three at a time.
pub(super) const IN_THREES: usize = 12;
/// Operations that are done in pairs.
pub(super) const IN_PAIRS: usize = 50;
/// All operations.
pub(super) const KINDS: usize = 61;

const LOAD: usize = 58;
const STORE: usize = 59;
const EMIT: usize = 60;
const EMIT_SET: usize = 25;

// The most frequent ones come first.
kinds! {
    0 And { a: a, b: b } [a, b] a & b;
    1 Table { index: a, at: b } [a, b, tables] entry(tables, a, b);
    2 Or { a: a, b: b } [a, b] a | b;
    3 AndNot { a: a, b: b } [a, b] a & !b;
    4 Select { cond: a, yes: b, no: c } [a, b, c] if a != 0 { b } else { c };
    5 Or3 { a: a, b: b, c: c } [a, b, c] a | b | c;
    6 Eq { a: a, b: b } [a, b] u64::from(a == b);
    7 FunnelAnd { a: a, b: b, c: c, by: by } [a, b, c, by] funnel(a, b, by) & c;
    8 AndAndNot { a: a, b: b, c: c } [a, b, c] a & b & !c;
    9 Copy { from: a } [a] a;
    10 AndOr { a: a, b: b, c: c } [a, b, c] (a & b) | c;
    11 ShrAnd { a: a, b: b, by: by } [a, b, by] a.wrapping_shr(by) & b;
    12 ShrBy { a: a, by: by } [a, by] a.wrapping_shr(by);
    13 ShlBy { a: a, by: by } [a, by] a.wrapping_shl(by);
    14 And3 { a: a, b: b, c: c } [a, b, c] a & b & c;
    15 Shl { a: a, b: b } [a, b] a.wrapping_shl(b as u32);
    16 Ne { a: a, b: b } [a, b] u64::from(a != b);
    17 Xor { a: a, b: b } [a, b] a ^ b;
    18 Highest { a: a } [a] u64::from(a.checked_ilog2().unwrap_or(64));
    19 ShrAndOr { a: a, b: b, c: c, by: by } [a, b, c, by] (a.wrapping_shr(by) & b) | c;
    20 Add { a: a, b: b } [a, b] a.wrapping_add(b);
    21 Sub { a: a, b: b } [a, b] a.wrapping_sub(b);
    22 ShlAnd { a: a, b: b, by: by } [a, b, by] a.wrapping_shl(by) & b;
    23 ShlAndOr { a: a, b: b, c: c, by: by } [a, b, c, by] (a.wrapping_shl(by) & b) | c;
    24 Bit { a: a, b: b } [a, b] a.wrapping_shr(b as u32) & 1;
    26 Funnel { a: a, b: b, by: by } [a, b, by] funnel(a, b, by);
    27 OrAnd { a: a, b: b, c: c } [a, b, c] (a | b) & c;
    28 AndNotOr { a: a, b: b, c: c } [a, b, c] (a & !b) | c;
    29 MaskedOr { a: a, b: b, c: c, d: by, e: e } [a, b, c, d, e] (a & b) | (c & d) | e;
    30 Pick { a: a, b: b, c: c, d: by, e: e } [a, b, c, d, e] if a != 0 { b } else if c != 0 { d } else { e };
    31 TopEntry { a: a, at: b } [a, b, tables] entry(tables, u64::from(a.checked_ilog2().unwrap_or(64)), b);
    32 UpTo { a: a } [a] a ^ a.wrapping_sub(1);
    33 Through { a: a, b: b } [a, b] a ^ a.wrapping_sub(u64::from(b == 0));
    34 AndUnless { a: a, b: b, c: c } [a, b, c] if c == 0 { a & b } else { 0 };
    35 Or5 { a: a, b: b, c: c, d: by, e: e } [a, b, c, d, e] a | b | c | d | e;
    36 AndBit { a: a, b: b, c: c } [a, b, c] a & b.wrapping_shr(c as u32) & 1;
    37 AndNotBit { a: a, b: b, c: c } [a, b, c] a & !(b.wrapping_shr(c as u32) & 1);
    38 BitOfEntry { a: a, index: b, at: c } [a, b, c, tables] a.wrapping_shr(entry(tables, b, c) as u32) & 1;
    39 AndEq { a: a, b: b, c: c } [a, b, c] a & u64::from(b == c);
    40 AndNe { a: a, b: b, c: c } [a, b, c] a & u64::from(b != c);
    41 IfOr { a: a, b: b, c: c } [a, b, c] if a != 0 { b | c } else { c };
    42 EntryIfOr { a: a, index: b, at: c, d: by } [a, b, c, d, tables] if a != 0 { entry(tables, b, c) | d } else { d };
    43 ShlOr { a: a, b: b, by: by } [a, b, by] a.wrapping_shl(by) | b;
    44 ShrOr { a: a, b: b, by: by } [a, b, by] a.wrapping_shr(by) | b;
    45 Lowest { a: a } [a] u64::from(a.trailing_zeros());
    46 Not { a: a } [a] !a;
    47 Shr { a: a, b: b } [a, b] a.wrapping_shr(b as u32);
    48 FunnelOr { a: a, b: b, c: c, by: by } [a, b, c, by] funnel(a, b, by) | c;
    49 FunnelAndOr { a: a, b: b, c: c, by: by, e: e } [a, b, c, by, e] (funnel(a, b, by) & c) | e;
    50 Less { a: a, b: b } [a, b] u64::from(a < b);
    51 Count { a: a } [a] u64::from(a.count_ones());
    52 Mul { a: a, b: b } [a, b] a.wrapping_mul(b);
    53 ShlAdd { a: a, b: b, by: by } [a, b, by] a.wrapping_shl(by).wrapping_add(b);
    54 ShlAndNot { a: a, b: b, by: by } [a, b, by] a.wrapping_shl(by) & !b;
    55 ShrAndNot { a: a, b: b, by: by } [a, b, by] a.wrapping_shr(by) & !b;
    56 AndIf { a: a, b: b, c: c } [a, b, c] if c != 0 { a & b } else { 0 };
    57 Within { row: a, word: b, at: c, width: by } [a, b, c, by, tables] within(tables, a, b, c, by);
}

/// Where a table is, as a constant: its start and its length less one.
pub(super) fn place(start: u32, mask: u32) -> u64 {
    u64::from(start) << 32 | u64::from(mask)
}

/// The entry of a table that is at a place.
#[inline(always)]
fn entry(tables: &[u64], index: u64, place: u64) -> u64 {
    tables
        .get(((place >> 32) + (index & place & 0xffff_ffff)) as usize)
        .copied()
        .invariant_or(0, "a table has the entries that its place says")
}

/// The upper word of two that are shifted to the left by 1 to 63.
#[inline(always)]
fn funnel(high: u64, low: u64, by: u32) -> u64 {
    high.wrapping_shl(by) | low.wrapping_shr(by.wrapping_neg())
}

/// Whether one of the first entries of a row of the table that is at a place has no bit that a word has not.
fn within(tables: &[u64], row: u64, word: u64, place: u64, width: u32) -> u64 {
    let from = (place >> 32) as usize + (row & place & 0xffff_ffff) as usize * stride(width);
    let entries = tables.get(from..).and_then(|rest| rest.get(..width as usize)).unwrap_or_default();
    entries.iter().fold(0, |any, &entry| any | u64::from(entry & !word == 0))
}
