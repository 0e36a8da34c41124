//! The one table of pure operations: operands, text, and the value on constants. The type [`Op`], what reads and renames operands, the
//! printer, the parser and constant folding are made from it; the engines match on [`Op`], so that the compiler names what lacks a
//! new operation.

use super::{MAX_WIDTH, Reg, Table};

/// Defines the operations on registers alone. For each: its documentation, name of the variant, name in text, operands, and value.
macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident $text:literal ($($operand:ident),+) = $value:expr;)*) => {
        /// A pure operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Op {
            /// A constant.
            Const(u64),
            $($(#[$doc])* $variant($(operations!(@reg $operand)),+),)*
            /// Shift left by a constant below 64.
            ShlBy(Reg, u32),
            /// Logical shift right by a constant below 64.
            ShrBy(Reg, u32),
            /// A word of the state.
            Load(u32),
            /// An entry of a constant table; the index is taken modulo the table's length.
            Table(u32, Reg),
            /// 1 if one of the entries of a row of a constant table has no bit that a word has not, else 0: table, number of entries,
            /// row, word. Rows begin as far from each other as [`stride`](super::stride) says; the row is taken modulo their number.
            Within(u32, u32, Reg, Reg),
        }

        impl Op {
            /// Its name in the text form of programs; constants have none.
            #[must_use]
            pub fn mnemonic(self) -> &'static str {
                match self {
                    $(Op::$variant(..) => $text,)*
                    Op::Const(_) => "",
                    Op::ShlBy(..) => "shl",
                    Op::ShrBy(..) => "shr",
                    Op::Load(_) => "load",
                    Op::Table(..) => "table",
                    Op::Within(..) => "within",
                }
            }

            /// The operation of this name that has registers as operands only, and how many.
            pub(crate) fn on_registers(name: &str) -> Option<(usize, fn([Reg; 3]) -> Op)> {
                match name {
                    $($text => Some((
                        [$(stringify!($operand)),+].len(),
                        |[$($operand),+, ..]| Op::$variant($($operand),+),
                    )),)*
                    _ => None,
                }
            }

            /// The same operation on other registers, which are asked for in order.
            #[must_use]
            pub fn map_reads(self, mut name: impl FnMut(Reg) -> Reg) -> Self {
                match self {
                    $(Op::$variant($($operand),+) => Op::$variant($(name($operand)),+),)*
                    Op::Const(_) | Op::Load(_) => self,
                    Op::ShlBy(a, by) => Op::ShlBy(name(a), by),
                    Op::ShrBy(a, by) => Op::ShrBy(name(a), by),
                    Op::Table(table, a) => Op::Table(table, name(a)),
                    Op::Within(table, width, a, b) => Op::Within(table, width, name(a), name(b)),
                }
            }

            /// Its value, given those of the registers that are constant; `None` if that does not decide it, and for words of the
            /// state. Constant in time, but for tables linear in what is read: a table whose entries are all the same is a constant.
            pub fn evaluate(self, tables: &[Table], constant: impl Fn(Reg) -> Option<u64>) -> Option<u64> {
                if let Op::Select(cond, yes, no) = self {
                    return constant(if constant(cond)? != 0 { yes } else { no });
                }
                Some(match self {
                    $(Op::$variant($($operand),+) => {
                        $(let $operand = constant($operand)?;)+
                        $value
                    })*
                    Op::Const(value) => value,
                    Op::ShlBy(a, by) => constant(a)?.wrapping_shl(by),
                    Op::ShrBy(a, by) => constant(a)?.wrapping_shr(by),
                    Op::Load(_) => return None,
                    Op::Table(table, index) => {
                        let entries = &tables.get(table as usize)?.entries;
                        let first = *entries.first()?;
                        if entries.iter().all(|&entry| entry == first) {
                            return Some(first);
                        }
                        *entries.get((constant(index)? & (entries.len() as u64).wrapping_sub(1)) as usize)?
                    }
                    Op::Within(table, width, row, word) => {
                        let row = tables.get(table as usize)?.row(constant(row)?, width);
                        let word = constant(word)?;
                        u64::from(row.iter().any(|&entry| entry & !word == 0))
                    }
                })
            }
        }
    };
    (@reg $operand:ident) => { Reg };
}

operations! {
    /// All bits flipped.
    Not "not" (a) = !a;
    /// Bitwise and.
    And "and" (a, b) = a & b;
    /// Bitwise or.
    Or "or" (a, b) = a | b;
    /// Bitwise exclusive or.
    Xor "xor" (a, b) = a ^ b;
    /// The first and not the second.
    AndNot "andnot" (a, b) = a & !b;
    /// Shift left; the amount is taken modulo 64.
    Shl "shl" (a, b) = a.wrapping_shl(b as u32);
    /// Logical shift right; the amount is taken modulo 64.
    Shr "shr" (a, b) = a.wrapping_shr(b as u32);
    /// Wrapping sum.
    Add "add" (a, b) = a.wrapping_add(b);
    /// Wrapping difference.
    Sub "sub" (a, b) = a.wrapping_sub(b);
    /// Wrapping product.
    Mul "mul" (a, b) = a.wrapping_mul(b);
    /// 1 if equal, else 0.
    Eq "eq" (a, b) = u64::from(a == b);
    /// 1 if different, else 0.
    Ne "ne" (a, b) = u64::from(a != b);
    /// 1 if the first is less as an unsigned number, else 0.
    Less "less" (a, b) = u64::from(a < b);
    /// The second if the first is not 0, else the third.
    Select "select" (a, b, c) = if a != 0 { b } else { c };
    /// Number of bits.
    Count "count" (a) = u64::from(a.count_ones());
    /// Position of the lowest bit, 64 for 0.
    Lowest "lowest" (a) = u64::from(a.trailing_zeros());
    /// Position of the highest bit, 64 for 0.
    Highest "highest" (a) = a.checked_ilog2().map_or(64, u64::from);
}

impl Op {
    /// The registers it reads, in order.
    #[inline]
    pub fn reads(self) -> impl Iterator<Item = Reg> {
        let (mut all, mut count) = ([0; 3], 0);
        let _ = self.map_reads(|register| {
            if let Some(slot) = all.get_mut(count) {
                *slot = register;
                count += 1;
            }
            register
        });
        all.into_iter().take(count)
    }

    /// The table it reads.
    #[inline]
    #[must_use]
    pub fn table(self) -> Option<u32> {
        match self {
            Op::Table(table, _) | Op::Within(table, ..) => Some(table),
            _ => None,
        }
    }
}

/// How far rows of so many entries are from each other: the next power of two. Behind its entries, a row has others that
/// count for nothing.
#[must_use]
pub fn stride(width: u32) -> usize {
    width.min(MAX_WIDTH).next_power_of_two() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found_by_name() {
        for op in [Op::Not(1), Op::AndNot(1, 2), Op::Select(1, 2, 3), Op::Less(1, 2), Op::Highest(1)] {
            let (count, make) = Op::on_registers(op.mnemonic()).unwrap();
            assert_eq!((op, count), (make([1, 2, 3]), op.reads().count()));
        }
        assert!(Op::on_registers("load").is_none() && Op::on_registers("").is_none());
    }

    #[test]
    fn values_of_the_edges() {
        let value = |op: Op, values: [u64; 3]| op.evaluate(&[], |register| values.get(register as usize).copied());
        for (op, values, expected) in [
            (Op::Lowest(0), [0; 3], 64),
            (Op::Highest(0), [0; 3], 64),
            (Op::Highest(0), [u64::MAX, 0, 0], 63),
            (Op::Shl(0, 1), [1, 65, 0], 2),
            (Op::Sub(0, 1), [0, 1, 0], u64::MAX),
            (Op::Select(0, 1, 2), [0, 5, 6], 6),
        ] {
            assert_eq!(value(op, values), Some(expected), "{op}");
        }
        assert_eq!(value(Op::Load(0), [0; 3]), None);
        assert_eq!(value(Op::And(0, 9), [0; 3]), None);
    }
}
