//! What is known of the values of registers: it saves instructions that Cranelift cannot know to be idle.

use cranelift_codegen::ir::Value;

use wir::{Op, Reg};

/// A register's value.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The word.
    pub(super) word: Value,
    /// The same as Cranelift likes it for conditions, if it is a truth value.
    pub(super) truth: Option<Value>,
    /// A truth value that is 1 where all bits of the word are 1, and 0 where it is 0.
    pub(super) mask: Option<Value>,
    /// A word whose highest bit is the truth value: several such words are joined with less than truth values are.
    pub(super) sign: Option<Value>,
    /// If it is the position of a highest bit: how many zeros are above that.
    pub(super) zeros: Option<Value>,
    /// The value is not greater than this.
    pub(super) most: u64,
    /// The value, if it is always the same.
    pub(super) constant: Option<u64>,
    /// How far its bits were shifted last: to the left by as many, or to the right by as many less than none.
    pub(super) shifted: Option<i32>,
    /// Bits that are always the same.
    pub(super) bits: Bits,
}

/// Bits of a word that are always 0, and those that are always 1.
#[derive(Clone, Copy, Default)]
pub(super) struct Bits {
    zeros: u64,
    ones: u64,
}

impl Bits {
    /// A number that is not greater than this.
    pub(super) fn up_to(most: u64) -> Self {
        Self { zeros: !ones(most), ones: 0 }
    }

    /// The bits that may be 1.
    pub(super) fn possible(self) -> u64 {
        !self.zeros
    }

    /// The bits of `mask`, if all of them are known.
    pub(super) fn of(self, mask: u64) -> Option<u64> {
        (mask & !(self.zeros | self.ones) == 0).then_some(self.ones & mask)
    }

    /// Both at once.
    fn and(self, other: Self) -> Self {
        Self { zeros: self.zeros | other.zeros, ones: self.ones | other.ones }
    }

    fn both(self, other: Self) -> Self {
        Self { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    fn not(self) -> Self {
        Self { zeros: self.ones, ones: self.zeros }
    }

    /// Of `a & b`.
    fn conjunction(self, other: Self) -> Self {
        Self { zeros: self.zeros | other.zeros, ones: self.ones & other.ones }
    }
}

/// The bits of the result of an operation that are clear from its operands.
pub(super) fn bits(op: Op, most: u64, of: impl Fn(Reg) -> Bits) -> Bits {
    let bits = match op {
        Op::Const(value) => Bits { zeros: !value, ones: value },
        Op::Not(a) => of(a).not(),
        Op::And(a, b) => of(a).conjunction(of(b)),
        Op::AndNot(a, b) => of(a).conjunction(of(b).not()),
        Op::Or(a, b) => of(a).not().conjunction(of(b).not()).not(),
        Op::ShlBy(a, by) if by < 64 => Bits { zeros: of(a).zeros << by | !(u64::MAX << by), ones: of(a).ones << by },
        Op::ShrBy(a, by) if by < 64 => Bits { zeros: of(a).zeros >> by | !(u64::MAX >> by), ones: of(a).ones >> by },
        Op::Select(_, a, b) => of(a).both(of(b)),
        _ => Bits::default(),
    };
    bits.and(Bits::up_to(most))
}

impl Known {
    /// A word of which nothing is known.
    pub(super) fn word(word: Value) -> Self {
        let (most, bits) = (u64::MAX, Bits::default());
        Self { word, truth: None, mask: None, sign: None, zeros: None, most, constant: None, shifted: None, bits }
    }

    /// Whether it has no bit in common with another, since the bits of one word were shifted out where those of the other
    /// were shifted in.
    pub(super) fn is_disjoint_from(&self, other: &Self) -> bool {
        self.shifted.zip(other.shifted).is_some_and(|(a, b)| a.abs_diff(b) == 64)
    }

    /// Whether it is 0.
    pub(super) fn is_zero(&self) -> bool {
        self.most == 0
    }
}

/// All bits up to the highest one of a value.
fn ones(value: u64) -> u64 {
    u64::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}

/// What the value of an operation is not greater than; `of` says it for registers and `table` for tables.
pub(super) fn most(op: Op, of: impl Fn(Reg) -> u64, table: impl Fn(u32) -> u64) -> u64 {
    let shifted = |a: u64, by: u64| {
        if by <= u64::from(a.leading_zeros()) { a.checked_shl(by as u32).unwrap_or(0) } else { u64::MAX }
    };
    match op {
        Op::Const(value) => value,
        Op::Not(_) | Op::Sub(..) | Op::Load(_) => u64::MAX,
        Op::And(a, b) => of(a).min(of(b)),
        Op::Or(a, b) | Op::Xor(a, b) => ones(of(a) | of(b)),
        Op::AndNot(a, _) | Op::Shr(a, _) => of(a),
        // An amount is taken modulo 64.
        Op::Shl(a, b) => shifted(of(a), of(b).min(63)),
        Op::ShlBy(a, by) => shifted(of(a), u64::from(by)),
        Op::ShrBy(a, by) => of(a).checked_shr(by).unwrap_or(0),
        Op::Add(a, b) => of(a).saturating_add(of(b)),
        Op::Mul(a, b) => of(a).saturating_mul(of(b)),
        Op::Eq(..) | Op::Ne(..) | Op::Less(..) | Op::Within(..) => 1,
        Op::Select(_, a, b) => of(a).max(of(b)),
        Op::Count(a) => u64::from(64 - of(a).leading_zeros()),
        Op::Lowest(_) | Op::Highest(_) => 64,
        Op::Table(index, _) => table(index),
    }
}

/// The value of an operation, if that is clear from its operands.
pub(super) fn value(op: Op, of: impl Fn(Reg) -> Known) -> Option<u64> {
    // Whether one is a constant beyond all values of the other.
    let disjoint = |a, b| {
        let (a, b) = (of(a), of(b));
        a.constant.is_some_and(|a| a > b.most) || b.constant.is_some_and(|b| b > a.most)
    };
    let constant = op.evaluate(&[], |register| of(register).constant);
    constant.or_else(|| match op {
        Op::Eq(a, b) => disjoint(a, b).then_some(0),
        Op::Ne(a, b) => disjoint(a, b).then_some(1),
        Op::Less(a, b) => {
            let (least, most) = (of(b).constant.unwrap_or(0), of(a).most);
            if most < least {
                return Some(1);
            }
            let (least, most) = (of(a).constant.unwrap_or(0), of(b).most);
            (least >= most).then_some(0)
        }
        _ => None,
    })
}
