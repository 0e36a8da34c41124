//! Operations with constants, and those that come to nothing.

use super::build::Builder;
use wir::{Op, Reg};

/// A number with all bits.
const ALL: u64 = u64::MAX;

impl Builder {
    /// For an intersection with a number that leaves all of some bits: the other part of it. Truth values stay what they
    /// are.
    fn unmasked(&self, reg: Reg, bits: u64) -> Option<Reg> {
        let Op::And(a, b) = self.op_of(reg).filter(|_| bits > 1 && !self.is_truth(reg))? else { return None };
        let covers = |mask: Reg| self.constant_of(mask).is_some_and(|mask| bits & !mask == 0);
        if covers(b) { Some(a) } else { covers(a).then_some(b) }
    }

    /// What an operation is as well: a register, or an operation that is no harder.
    pub(super) fn simplified(&mut self, op: Op) -> Result<Reg, Op> {
        // What a number leaves is left of the other anyway.
        let unmasked =
            |a: Reg, b: Reg| self.unmasked(b, self.possible_bits(a)).filter(|_| self.constant_of(a).is_none());
        let op = match op {
            Op::And(a, b) => match (unmasked(a, b), unmasked(b, a)) {
                (Some(b), _) => Op::And(a, b),
                (_, Some(a)) => Op::And(a, b),
                _ => op,
            },
            Op::AndNot(a, b) => unmasked(a, b).map_or(op, |b| Op::AndNot(a, b)),
            _ => op,
        };
        self.folded(op)
    }

    fn folded_and(&self, a: Reg, b: Reg) -> Result<Reg, Op> {
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(0), _) | (_, Some(0)) => Err(Op::Const(0)),
            (Some(ALL), _) => Ok(b),
            (_, Some(ALL)) => Ok(a),
            (_, Some(y)) if self.possible_bits(a) & !y == 0 => Ok(a),
            (Some(x), _) if self.possible_bits(b) & !x == 0 => Ok(b),
            (None, Some(y)) if self.possible_bits(a) & y == 0 => Err(Op::Const(0)),
            (Some(x), None) if self.possible_bits(b) & x == 0 => Err(Op::Const(0)),
            _ if a == b => Ok(a),
            _ => Err(Op::And(a.min(b), a.max(b))),
        }
    }

    fn folded_and_not(&mut self, a: Reg, b: Reg) -> Result<Reg, Op> {
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(0), _) | (_, Some(ALL)) => Err(Op::Const(0)),
            (_, Some(0)) => Ok(a),
            (_, Some(y)) => {
                let mask = self.constant(!y);
                Err(Op::And(a.min(mask), a.max(mask)))
            }
            (Some(x), None) if self.possible_bits(b) & x == 0 => Ok(a),
            _ if a == b => Err(Op::Const(0)),
            _ => Err(Op::AndNot(a, b)),
        }
    }

    fn folded(&mut self, op: Op) -> Result<Reg, Op> {
        let value = |reg| self.constant_of(reg);
        let fold = |value: u64| Err(Op::Const(value));
        if let Some(value) = op.evaluate(&[], value) {
            return fold(value);
        }
        match op {
            Op::Const(_) | Op::Load(_) | Op::Table(..) | Op::Within(..) => Err(op),
            Op::Not(_) | Op::Count(_) | Op::Lowest(_) | Op::Highest(_) => Err(op),
            Op::And(a, b) => self.folded_and(a, b),
            Op::Or(a, b) => match (value(a), value(b)) {
                (Some(ALL), _) | (_, Some(ALL)) => fold(ALL),
                (Some(0), _) => Ok(b),
                (_, Some(0)) => Ok(a),
                _ if a == b => Ok(a),
                _ => Err(Op::Or(a.min(b), a.max(b))),
            },
            Op::Xor(a, b) => match (value(a), value(b)) {
                (Some(0), _) => Ok(b),
                (_, Some(0)) => Ok(a),
                _ if a == b => fold(0),
                _ => Err(Op::Xor(a.min(b), a.max(b))),
            },
            Op::AndNot(a, b) => self.folded_and_not(a, b),
            Op::Shl(a, b) => match (value(a), value(b)) {
                (_, Some(y)) => self.simplified(Op::ShlBy(a, (y & 63) as u32)),
                (Some(0), _) => fold(0),
                _ => Err(op),
            },
            Op::Shr(a, b) => match (value(a), value(b)) {
                (_, Some(y)) => self.simplified(Op::ShrBy(a, (y & 63) as u32)),
                (Some(0), _) => fold(0),
                _ => Err(op),
            },
            Op::ShlBy(a, 0) | Op::ShrBy(a, 0) => Ok(a),
            Op::ShlBy(..) | Op::ShrBy(..) => Err(op),
            Op::Add(a, b) => match (value(a), value(b)) {
                (Some(0), _) => Ok(b),
                (_, Some(0)) => Ok(a),
                _ => Err(Op::Add(a.min(b), a.max(b))),
            },
            Op::Sub(a, b) => match (value(a), value(b)) {
                (_, Some(0)) => Ok(a),
                _ => Err(op),
            },
            Op::Mul(a, b) => match (value(a), value(b)) {
                (Some(0), _) | (_, Some(0)) => fold(0),
                (Some(1), _) => Ok(b),
                (_, Some(1)) => Ok(a),
                _ => Err(Op::Mul(a.min(b), a.max(b))),
            },
            Op::Eq(a, b) => match (value(a), value(b)) {
                (_, Some(1)) if self.is_truth(a) => Ok(a),
                _ if a == b => fold(1),
                _ => Err(op),
            },
            Op::Ne(a, b) => match (value(a), value(b)) {
                (_, Some(0)) if self.is_truth(a) => Ok(a),
                _ if a == b => fold(0),
                _ => Err(op),
            },
            Op::Less(a, b) if a == b => fold(0),
            Op::Less(..) => Err(op),
            Op::Select(c, a, b) => match value(c) {
                Some(0) => Ok(b),
                Some(_) => Ok(a),
                None if a == b => Ok(a),
                None if value(a) == Some(1) && value(b) == Some(0) && self.is_truth(c) => Ok(c),
                None => Err(op),
            },
        }
    }
}
