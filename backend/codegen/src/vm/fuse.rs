//! Instructions for operations and conditions, with the operations that wait for them as parts.

use super::code::Code;
use super::flatten::{Flattener, Kind, Label, Value};
use wir::{Op, Reg};

impl Flattener<'_> {
    /// Computes an operation into a new register.
    pub(super) fn compute(&mut self, op: Op) -> Value {
        let code = match op {
            Op::Const(value) => return self.constant(value),
            Op::And(a, b) => self.and(a, b),
            Op::AndNot(a, b) => self.and_not(a, b),
            Op::Or(a, b) => self.or(a, b),
            Op::Add(a, b) => self.add(a, b),
            Op::Table(table, index) => {
                let at = self.place_of(table);
                match self.pending(index) {
                    Some(Op::Highest(a)) => Code::TopEntry { to: 0, a: self.value(a), at: self.constant(at) },
                    _ => Code::Table { to: 0, index: self.value(index), at: self.constant(at) },
                }
            }
            Op::Load(word) => Code::Load { to: 0, word },
            Op::Select(cond, yes, no) => {
                let (a, b) = (self.value(cond), self.value(yes));
                match self.pending(no) {
                    Some(Op::Select(cond, yes, no)) => {
                        Code::Pick { to: 0, a, b, c: self.value(cond), d: self.value(yes), e: self.value(no) }
                    }
                    _ => Code::Select { to: 0, cond: a, yes: b, no: self.value(no) },
                }
            }
            Op::Not(a) => Code::Not { to: 0, a: self.value(a) },
            Op::Count(a) => Code::Count { to: 0, a: self.value(a) },
            Op::Lowest(a) => Code::Lowest { to: 0, a: self.value(a) },
            Op::Highest(a) => Code::Highest { to: 0, a: self.value(a) },
            Op::ShlBy(a, by) => Code::ShlBy { to: 0, a: self.value(a), by: by as u8 },
            Op::ShrBy(a, by) => Code::ShrBy { to: 0, a: self.value(a), by: by as u8 },
            Op::Xor(a, b) => self.xor(a, b),
            Op::Shl(a, b) => Code::Shl { to: 0, a: self.value(a), b: self.value(b) },
            Op::Shr(a, b) => Code::Shr { to: 0, a: self.value(a), b: self.value(b) },
            Op::Sub(a, b) => Code::Sub { to: 0, a: self.value(a), b: self.value(b) },
            Op::Mul(a, b) => Code::Mul { to: 0, a: self.value(a), b: self.value(b) },
            Op::Eq(a, b) => Code::Eq { to: 0, a: self.value(a), b: self.value(b) },
            Op::Ne(a, b) => Code::Ne { to: 0, a: self.value(a), b: self.value(b) },
            Op::Less(a, b) => Code::Less { to: 0, a: self.value(a), b: self.value(b) },
            Op::Within(table, width, row, word) => {
                let at = self.rows_of(table, width);
                let (row, word, at) = (self.value(row), self.value(word), self.constant(at));
                Code::Within { to: 0, row, word, at, width: width as u8 }
            }
        };
        self.result(code)
    }

    /// A new register for what an instruction computes.
    pub(super) fn result(&mut self, code: Code<Value>) -> Value {
        let result = self.fresh(Kind::Free);
        self.push(code.map(|read| read, |_| result));
        result
    }

    /// The first of two registers that waits for something that `part` can use, what that is, and the other register.
    pub(super) fn part<T>(&self, a: Reg, b: Reg, part: impl Fn(&Self, Op) -> Option<T>) -> Option<(T, Reg)> {
        let found = |register| self.pending(register).and_then(|op| part(self, op));
        found(a).map(|t| (t, b)).or_else(|| found(b).map(|t| (t, a)))
    }

    fn and(&mut self, a: Reg, b: Reg) -> Code<Value> {
        let to = 0;
        if let Some((shift, b)) = self.part(a, b, |_, op| Shift::of(op)) {
            let (a, b) = (self.value(shift.value), self.value(b));
            let by = shift.by;
            return if shift.left { Code::ShlAnd { to, a, b, by } } else { Code::ShrAnd { to, a, b, by } };
        }
        if let Some(((value, at), _)) = self.bit(a, b) {
            if let Some(Op::Table(table, index)) = self.pending(at) {
                let place = self.place_of(table);
                return Code::BitOfEntry {
                    to,
                    a: self.value(value),
                    index: self.value(index),
                    at: self.constant(place),
                };
            }
            return Code::Bit { to, a: self.value(value), b: self.value(at) };
        }
        if let Some(((left, low), c)) = self.part(a, b, Self::funnel) {
            let (a, b, c) = (self.value(left.value), self.value(low), self.value(c));
            return Code::FunnelAnd { to, a, b, c, by: left.by };
        }
        let bits = |this: &Self, op| match op {
            Op::And(x, y) => this.bit(x, y),
            _ => None,
        };
        if let Some((((value, at), _), c)) = self.part(a, b, bits) {
            return Code::AndBit { to, a: self.value(c), b: self.value(value), c: self.value(at) };
        }
        let parts = |this: &Self, op| match op {
            Op::And(..) | Op::AndNot(..) | Op::Not(_) | Op::Or(..) | Op::Eq(..) | Op::Ne(..) => Some(op),
            Op::Select(_, yes, no) if this.is_constant(yes, 0) || this.is_constant(no, 0) => Some(op),
            _ => None,
        };
        match self.part(a, b, parts) {
            Some((Op::Eq(x, y), c)) => Code::AndEq { to, a: self.value(c), b: self.value(x), c: self.value(y) },
            Some((Op::Ne(x, y), c)) => Code::AndNe { to, a: self.value(c), b: self.value(x), c: self.value(y) },
            Some((Op::Select(cond, yes, no), other)) => {
                let (unless, kept) = if self.is_constant(yes, 0) { (true, no) } else { (false, yes) };
                let (a, b, c) = (self.value(other), self.value(kept), self.value(cond));
                if unless { Code::AndUnless { to, a, b, c } } else { Code::AndIf { to, a, b, c } }
            }
            Some((Op::And(x, y), c)) => Code::And3 { to, a: self.value(x), b: self.value(y), c: self.value(c) },
            Some((Op::AndNot(x, y), c)) => Code::AndAndNot { to, a: self.value(x), b: self.value(c), c: self.value(y) },
            Some((Op::Or(x, y), c)) => Code::OrAnd { to, a: self.value(x), b: self.value(y), c: self.value(c) },
            Some((Op::Not(x), c)) => Code::AndNot { to, a: self.value(c), b: self.value(x) },
            _ => Code::And { to, a: self.value(a), b: self.value(b) },
        }
    }

    /// If this is the upper word of two that are shifted: the shift of the upper one, and the lower one.
    pub(super) fn funnel(&self, op: Op) -> Option<(Shift, Reg)> {
        let Op::Or(x, y) = op else { return None };
        let shift = |register| self.pending(register).and_then(Shift::of);
        let (x, y) = (shift(x)?, shift(y)?);
        let (left, right) = if x.left { (x, y) } else { (y, x) };
        (left.left && !right.left && left.by > 0 && left.by + right.by == 64).then_some((left, right.value))
    }

    /// `(value >> at) & 1` if that is what the conjunction of two registers is.
    pub(super) fn bit(&self, a: Reg, b: Reg) -> Option<((Reg, Reg), Reg)> {
        let shifted = |_: &Self, op| match op {
            Op::Shr(value, at) => Some((value, at)),
            _ => None,
        };
        self.part(a, b, shifted).filter(|&(_, one)| self.is_constant(one, 1))
    }

    fn and_not(&mut self, a: Reg, b: Reg) -> Code<Value> {
        let to = 0;
        if let Some(Op::Not(x)) = self.pending(b) {
            return Code::And { to, a: self.value(a), b: self.value(x) };
        }
        if let Some(Op::And(x, y)) = self.pending(b)
            && let Some(((value, at), _)) = self.bit(x, y)
        {
            return Code::AndNotBit { to, a: self.value(a), b: self.value(value), c: self.value(at) };
        }
        if let Some(shift) = self.pending(a).and_then(Shift::of) {
            let (a, b) = (self.value(shift.value), self.value(b));
            let by = shift.by;
            return if shift.left { Code::ShlAndNot { to, a, b, by } } else { Code::ShrAndNot { to, a, b, by } };
        }
        if let Some(Op::And(x, y)) = self.pending(a) {
            return Code::AndAndNot { to, a: self.value(x), b: self.value(y), c: self.value(b) };
        }
        Code::AndNot { to, a: self.value(a), b: self.value(b) }
    }

    fn add(&mut self, a: Reg, b: Reg) -> Code<Value> {
        let to = 0;
        let shifted = |_: &Self, op| match op {
            Op::ShlBy(x, by) => Some((x, by)),
            _ => None,
        };
        match self.part(a, b, shifted) {
            Some(((x, by), c)) => Code::ShlAdd { to, a: self.value(x), b: self.value(c), by: by as u8 },
            None => Code::Add { to, a: self.value(a), b: self.value(b) },
        }
    }

    fn xor(&mut self, a: Reg, b: Reg) -> Code<Value> {
        let less = |this: &Self, op| match op {
            Op::Add(x, y) if this.is_constant(y, u64::MAX) => Some((x, None)),
            Op::Sub(x, y) => match this.pending(y) {
                Some(Op::Eq(z, zero)) if this.is_constant(zero, 0) => Some((x, Some(z))),
                _ => None,
            },
            _ => None,
        };
        match self.part(a, b, less) {
            Some(((x, None), c)) if x == c => Code::UpTo { to: 0, a: self.value(c) },
            Some(((x, Some(z)), c)) if x == c => Code::Through { to: 0, a: self.value(c), b: self.value(z) },
            _ => Code::Xor { to: 0, a: self.value(a), b: self.value(b) },
        }
    }

    /// Gives the case back if one of some conditions holds.
    pub(super) fn give_back(&mut self, conditions: &[Reg]) {
        match *conditions {
            [] => {}
            [cond] => self.branch(cond, true, self.exit),
            [first, ref others @ ..] => {
                let mut any = self.value(first);
                for &cond in others {
                    let code = match self.pending(cond) {
                        Some(Op::And(a, b)) => Code::AndOr { to: 0, a: self.value(a), b: self.value(b), c: any },
                        _ => Code::Or { to: 0, a: self.value(cond), b: any },
                    };
                    any = self.result(code);
                }
                self.push(Code::JumpIf { cond: any, target: self.exit });
            }
        }
    }

    /// Jumps if a condition has this truth value.
    pub(super) fn branch(&mut self, mut cond: Reg, mut wanted: bool, target: Label) {
        let code = loop {
            match self.pending(cond) {
                Some(Op::Ne(a, b)) if self.is_constant(b, 0) => cond = a,
                Some(Op::Eq(a, b)) if self.is_constant(b, 0) => (cond, wanted) = (a, !wanted),
                Some(Op::Eq(a, b)) => break Code::JumpEq { a: self.value(a), b: self.value(b), target },
                Some(Op::Ne(a, b)) => break Code::JumpNe { a: self.value(a), b: self.value(b), target },
                Some(Op::Less(a, b)) => break Code::JumpLess { a: self.value(a), b: self.value(b), target },
                Some(Op::And(a, b)) => {
                    if let Some(((value, at), _)) = self.bit(a, b) {
                        break Code::JumpBit { a: self.value(value), b: self.value(at), target };
                    }
                    break Code::JumpMeet { a: self.value(a), b: self.value(b), target };
                }
                _ => break Code::JumpIf { cond: self.value(cond), target },
            }
        };
        let code = if wanted { Some(code) } else { code.inverted() };
        code.into_iter().for_each(|code| self.push(code));
    }
}

/// A shift by a constant.
pub(super) struct Shift {
    pub(super) value: Reg,
    pub(super) by: u8,
    pub(super) left: bool,
}

impl Shift {
    pub(super) fn of(op: Op) -> Option<Self> {
        match op {
            Op::ShlBy(value, by) => Some(Self { value, by: by as u8, left: true }),
            Op::ShrBy(value, by) => Some(Self { value, by: by as u8, left: false }),
            _ => None,
        }
    }
}
