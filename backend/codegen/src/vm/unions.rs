//! Instructions for unions of any number of parts.

use super::code::Code;
use super::flatten::{Flattener, Value};
use super::fuse::Shift;
use wir::{Op, Reg};

/// The parts of a union, by what becomes of them.
#[derive(Default)]
struct Parts {
    /// Values as they are.
    plain: Vec<Reg>,
    /// Both sides of conjunctions.
    masked: Vec<(Reg, Reg)>,
    /// What an instruction unites with something else by itself.
    others: Vec<Op>,
    /// Two words that are shifted together, the upper one to the left by so many places.
    shifted: Vec<(Reg, Reg, u32)>,
}

impl Parts {
    /// Puts two shifted words together that stand shifted.
    fn funnels(&mut self) {
        let mut from = 0;
        while let Some(&op) = self.others.get(from) {
            let other = |other: &Op| match (op, *other) {
                (Op::ShlBy(_, by), Op::ShrBy(_, down)) => by > 0 && by.checked_add(down) == Some(64),
                _ => false,
            };
            if let (Op::ShlBy(high, by), Some(at)) = (op, self.others.iter().position(other))
                && let Some(&Op::ShrBy(low, _)) = self.others.get(at)
            {
                self.shifted.push((high, low, by));
                self.others.remove(from.max(at));
                self.others.remove(from.min(at));
                from = from.saturating_sub(usize::from(at < from));
            } else {
                from += 1;
            }
        }
    }
}

/// A part of a union.
enum Made {
    Nothing,
    Value(Value),
    /// What an instruction computes that has not been written yet.
    Code(Code<Value>),
}

impl Flattener<'_> {
    pub(super) fn or(&mut self, a: Reg, b: Reg) -> Code<Value> {
        if let Some((left, low)) = self.funnel(Op::Or(a, b)) {
            return Code::Funnel { to: 0, a: self.value(left.value), b: self.value(low), by: left.by };
        }
        let Parts { mut plain, masked, mut others, mut shifted } = self.parts(a, b);
        let mut made = Made::Nothing;
        if plain.is_empty() && masked.len() < 2 {
            // Something has to be there first.
            made = match others.pop() {
                Some(op) => Made::Value(self.compute(op)),
                None => shifted.pop().map_or(Made::Nothing, |(high, low, by)| {
                    let (a, b) = (self.value(high), self.value(low));
                    Made::Code(Code::Funnel { to: 0, a, b, by: by as u8 })
                }),
            };
        }
        plain.reverse();
        made = self.plain(made, plain);
        for pair in masked.chunks(2) {
            let before = self.made(made);
            made = Made::Code(match (pair, before) {
                (&[(a, b), (c, d)], e) => {
                    let (a, b, c, d) = (self.value(a), self.value(b), self.value(c), self.value(d));
                    Code::MaskedOr { to: 0, a, b, c, d, e: e.unwrap_or_else(|| self.constant(0)) }
                }
                (&[(a, b), ..], Some(c)) => Code::AndOr { to: 0, a: self.value(a), b: self.value(b), c },
                (&[(a, b), ..], None) => Code::And { to: 0, a: self.value(a), b: self.value(b) },
                ([], c) => Code::Copy { to: 0, from: c.unwrap_or_else(|| self.constant(0)) },
            });
        }
        for op in others {
            let before = self.made(made).unwrap_or_else(|| self.constant(0));
            made = Made::Code(self.united(op, before));
        }
        for (high, low, by) in shifted {
            let c = self.made(made).unwrap_or_else(|| self.constant(0));
            let (a, b) = (self.value(high), self.value(low));
            made = Made::Code(Code::FunnelOr { to: 0, a, b, c, by: by as u8 });
        }
        match made {
            Made::Code(code) => code,
            Made::Value(from) => Code::Copy { to: 0, from },
            Made::Nothing => Code::Copy { to: 0, from: self.constant(0) },
        }
    }

    /// The value of what is made so far.
    fn made(&mut self, made: Made) -> Option<Value> {
        match made {
            Made::Nothing => None,
            Made::Value(value) => Some(value),
            Made::Code(code) => Some(self.result(code)),
        }
    }

    /// The parts of the union of two registers.
    fn parts(&self, a: Reg, b: Reg) -> Parts {
        let (mut parts, mut left) = (Parts::default(), vec![b, a]);
        while let Some(register) = left.pop() {
            match self.pending(register) {
                // Two shifted words are better kept together.
                Some(op @ Op::Or(..)) if self.funnel(op).is_some() => parts.others.push(op),
                Some(Op::Or(x, y)) => left.extend([y, x]),
                Some(op @ Op::And(x, y)) => {
                    let shifted = self.part(x, y, |_, op| Shift::of(op)).is_some();
                    if self.bit(x, y).is_some() {
                        parts.plain.push(register);
                    } else if shifted || self.part(x, y, Self::funnel).is_some() {
                        parts.others.push(op);
                    } else {
                        parts.masked.push((x, y));
                    }
                }
                Some(op @ (Op::AndNot(..) | Op::ShlBy(..) | Op::ShrBy(..))) => parts.others.push(op),
                Some(op @ Op::Select(_, _, no)) if self.is_constant(no, 0) => parts.others.push(op),
                _ => parts.plain.push(register),
            }
        }
        parts.funnels();
        parts
    }

    /// The union of what is made so far and values as they are, which are taken from the end.
    fn plain(&mut self, mut made: Made, mut left: Vec<Reg>) -> Made {
        let to = 0;
        if matches!(made, Made::Nothing) {
            made = left.pop().map_or(Made::Nothing, |register| Made::Value(self.value(register)));
        }
        while let Some(register) = left.pop() {
            let Some(a) = self.made(made) else { return Made::Nothing };
            let b = self.value(register);
            let mut next = || left.pop().map(|register| self.value(register));
            made = Made::Code(match (next(), next(), next()) {
                (Some(c), Some(d), e) => Code::Or5 { to, a, b, c, d, e: e.unwrap_or(d) },
                (Some(c), ..) => Code::Or3 { to, a, b, c },
                _ => Code::Or { to, a, b },
            });
        }
        made
    }

    /// The union of what an operation makes and a value.
    fn united(&mut self, op: Op, value: Value) -> Code<Value> {
        let to = 0;
        let shifted = match op {
            Op::And(x, y) => self.part(x, y, |_, op| Shift::of(op)),
            _ => None,
        };
        match (op, shifted) {
            (_, Some((Shift { value: shifted, by, left }, mask))) => {
                let (a, b, c) = (self.value(shifted), self.value(mask), value);
                if left { Code::ShlAndOr { to, a, b, c, by } } else { Code::ShrAndOr { to, a, b, c, by } }
            }
            (Op::Or(..), _) if let Some((left, low)) = self.funnel(op) => {
                let (a, b) = (self.value(left.value), self.value(low));
                Code::FunnelOr { to, a, b, c: value, by: left.by }
            }
            (Op::And(x, y), _) if let Some(((left, low), mask)) = self.part(x, y, Self::funnel) => {
                let (a, b, c) = (self.value(left.value), self.value(low), self.value(mask));
                Code::FunnelAndOr { to, a, b, c, e: value, by: left.by }
            }
            (Op::AndNot(x, y), _) => Code::AndNotOr { to, a: self.value(x), b: self.value(y), c: value },
            (Op::ShlBy(x, by), _) => Code::ShlOr { to, a: self.value(x), b: value, by: by as u8 },
            (Op::ShrBy(x, by), _) => Code::ShrOr { to, a: self.value(x), b: value, by: by as u8 },
            (Op::Select(cond, yes, _), _) => {
                let a = self.value(cond);
                match self.pending(yes) {
                    Some(Op::Table(table, index)) if !matches!(self.pending(index), Some(Op::Highest(_))) => {
                        let place = self.place_of(table);
                        let (index, at) = (self.value(index), self.constant(place));
                        Code::EntryIfOr { to, a, index, at, d: value }
                    }
                    _ => Code::IfOr { to, a, b: self.value(yes), c: value },
                }
            }
            (op, _) => {
                let a = self.compute(op);
                Code::Or { to, a, b: value }
            }
        }
    }
}
