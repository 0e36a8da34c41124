//! Rules for single operations.

use super::truth;
use wir::{Op, Program, Reg};

/// What is known of registers.
pub(super) trait Facts {
    /// Its value, if that is always the same.
    fn constant(&self, register: Reg) -> Option<u64>;

    /// Whether it is not 0, if that is known.
    fn truth(&self, register: Reg) -> Option<bool>;

    /// Whether it is known to have one bit or none.
    fn few(&self, register: Reg) -> bool;

    /// The bits that it may have.
    fn possible(&self, register: Reg) -> u64;

    /// How it is made.
    fn definition(&self, register: Reg) -> Option<Op>;

    /// The program.
    fn program(&self) -> &Program;

    /// The bits that entries of a table have.
    fn entry_bits(&self, table: u32) -> u64 {
        let table = self.program().tables.get(table as usize);
        table.map_or(u64::MAX, |table| table.entries.iter().fold(0, |all, entry| all | entry))
    }
}

/// What an operation is as well.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// A number.
    Constant(u64),
    /// A register.
    Same(Reg),
    /// Another operation.
    Op(Op),
    /// Another operation, whose second argument is a number.
    With(fn(Reg, Reg) -> Op, Reg, u64),
    /// Another operation, whose third argument is a number.
    WithLast(fn(Reg, Reg, Reg) -> Op, Reg, Reg, u64),
}

/// A simpler form of an operation, if there is one.
pub(super) fn rule(facts: &impl Facts, op: Op) -> Option<Rule> {
    let value = op.evaluate(&facts.program().tables, |register| facts.constant(register));
    if let Some(value) = value {
        return Some(Rule::Constant(value)).filter(|_| !matches!(op, Op::Const(_)));
    }
    if possible(facts, op) == 0 {
        return Some(Rule::Constant(0));
    }
    if let Some(rule) = truth::rule(facts, op) {
        return Some(rule);
    }
    match op {
        Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) | Op::Mul(a, b) | Op::Eq(a, b) | Op::Ne(a, b) => {
            commutative(facts, op, a, b)
        }
        _ => other(facts, op),
    }
}

/// Numbers come second, and of two registers the later one.
fn commutative(facts: &impl Facts, op: Op, a: Reg, b: Reg) -> Option<Rule> {
    let order = |register: Reg| (facts.constant(register).is_some(), register);
    if order(a) > order(b) {
        return Some(Rule::Op(swapped(op)));
    }
    if a == b {
        return match op {
            Op::And(..) | Op::Or(..) => Some(Rule::Same(a)),
            Op::Xor(..) | Op::Ne(..) => Some(Rule::Constant(0)),
            Op::Eq(..) => Some(Rule::Constant(1)),
            _ => None,
        };
    }
    let left = facts.possible(a);
    if let Some(rule) = masks(facts, op, a, b).or_else(|| masks(facts, op, b, a)) {
        return Some(rule);
    }
    let Some(number) = facts.constant(b) else {
        return match (op, facts.definition(a), facts.definition(b)) {
            (Op::And(..), _, Some(Op::Not(x))) => Some(Rule::Op(Op::AndNot(a, x))),
            (Op::And(..), Some(Op::Not(x)), _) => Some(Rule::Op(Op::AndNot(b, x))),
            // What has some bits, and what has the others.
            (Op::Or(..), Some(Op::And(x, y)), Some(Op::AndNot(z, without)))
            | (Op::Or(..), Some(Op::AndNot(z, without)), Some(Op::And(x, y)))
                if (x, y) == (z, without) || (x, y) == (without, z) =>
            {
                Some(Rule::Same(z))
            }
            _ => absorbed(facts, op, a, b).or_else(|| absorbed(facts, op, b, a)),
        };
    };
    match (op, number) {
        (Op::Eq(..), 0) if facts.truth(a) == Some(true) => Some(Rule::Constant(0)),
        (Op::Ne(..), 0) if facts.truth(a) == Some(true) => Some(Rule::Constant(1)),
        (Op::And(..), _) if left & !number == 0 => Some(Rule::Same(a)),
        (Op::And(..), _) => match facts.definition(a) {
            Some(Op::And(x, c)) => Some(Rule::With(Op::And, x, number & facts.constant(c)?)),
            _ => None,
        },
        (Op::Or(..) | Op::Xor(..) | Op::Add(..), 0) | (Op::Mul(..), 1) => Some(Rule::Same(a)),
        (Op::Or(..), u64::MAX) => Some(Rule::Constant(number)),
        (Op::Or(..), _) if left & !number == 0 => Some(Rule::Constant(number)),
        (Op::Or(..), _) => match facts.definition(a) {
            Some(Op::Or(x, c)) => Some(Rule::With(Op::Or, x, number | facts.constant(c)?)),
            _ => None,
        },
        (Op::Xor(..), u64::MAX) => Some(Rule::Op(Op::Not(a))),
        (Op::Add(..), _) => match facts.definition(a) {
            Some(Op::Add(x, c)) => Some(Rule::With(Op::Add, x, number.wrapping_add(facts.constant(c)?))),
            _ => None,
        },
        (Op::Mul(..), _) if number.is_power_of_two() => Some(Rule::Op(Op::ShlBy(a, number.trailing_zeros()))),
        (Op::Eq(..), _) if number & !left != 0 => Some(Rule::Constant(0)),
        (Op::Ne(..), _) if number & !left != 0 => Some(Rule::Constant(1)),
        (Op::Eq(..), 1) | (Op::Ne(..), 0) if left == 1 => Some(Rule::Same(a)),
        (Op::Ne(..), 1) if left == 1 => Some(Rule::With(Op::Eq, a, 0)),
        (Op::Eq(..), 0) => match facts.definition(a) {
            Some(Op::Eq(x, y)) => Some(Rule::Op(Op::Ne(x, y))),
            Some(Op::Ne(x, y)) => Some(Rule::Op(Op::Eq(x, y))),
            _ => test(facts, a).map(|(x, wanted)| Rule::With(if wanted { Op::Eq } else { Op::Ne }, x, 0)),
        },
        (Op::Ne(..), 0) => test(facts, a).map(|(x, wanted)| Rule::With(if wanted { Op::Ne } else { Op::Eq }, x, 0)),
        _ => None,
    }
}

/// Rules for an intersection or union of a word with what is made of it.
fn absorbed(facts: &impl Facts, op: Op, a: Reg, made: Reg) -> Option<Rule> {
    match (op, facts.definition(made)?) {
        (Op::And(..), Op::Or(x, y)) | (Op::Or(..), Op::And(x, y)) if x == a || y == a => Some(Rule::Same(a)),
        (Op::And(..), Op::AndNot(_, without)) if without == a => Some(Rule::Constant(0)),
        // Where there is one bit or none, nothing is left without the lowest.
        (Op::And(..), Op::Add(x, less)) if x == a && facts.constant(less) == Some(u64::MAX) => {
            facts.few(a).then_some(Rule::Constant(0))
        }
        (Op::And(..), Op::AndNot(x, _)) if x == a => Some(Rule::Same(made)),
        (Op::Or(..), Op::AndNot(x, _)) if x == a => Some(Rule::Same(a)),
        // Of sets, what is new is often needed as well, and then this would be more to remember.
        (Op::Or(..), Op::AndNot(x, without)) if without == a && facts.possible(a) | facts.possible(x) == 1 => {
            Some(Rule::Op(Op::Or(a, x)))
        }
        _ => None,
    }
}

/// If a register is 0 less a truth value: that.
fn mask(facts: &impl Facts, register: Reg) -> Option<Reg> {
    match facts.definition(register)? {
        Op::Sub(zero, truth) if facts.constant(zero) == Some(0) && facts.possible(truth) <= 1 => Some(truth),
        _ => None,
    }
}

/// Rules for operations with masks that are made from truth values, and for truth values that are negated.
fn masks(facts: &impl Facts, op: Op, a: Reg, b: Reg) -> Option<Rule> {
    match (op, facts.definition(b)) {
        (Op::And(..), Some(Op::Eq(x, zero))) if facts.possible(a) | facts.possible(x) == 1 => {
            (facts.constant(zero) == Some(0)).then_some(Rule::Op(Op::AndNot(a, x)))
        }
        (Op::And(..), _) => mask(facts, b).map(|truth| Rule::WithLast(Op::Select, truth, a, 0)),
        (Op::Or(..), _) => mask(facts, b).filter(|&truth| truth == a).map(|_| Rule::Same(b)),
        (Op::Eq(..), Some(Op::Sub(x, y))) if facts.constant(a) == Some(0) => Some(Rule::Op(Op::Eq(x, y))),
        (Op::Ne(..), Some(Op::Sub(x, y))) if facts.constant(a) == Some(0) => Some(Rule::Op(Op::Ne(x, y))),
        _ => None,
    }
}

fn swapped(op: Op) -> Op {
    match op {
        Op::And(a, b) => Op::And(b, a),
        Op::Or(a, b) => Op::Or(b, a),
        Op::Xor(a, b) => Op::Xor(b, a),
        Op::Add(a, b) => Op::Add(b, a),
        Op::Mul(a, b) => Op::Mul(b, a),
        Op::Eq(a, b) => Op::Eq(b, a),
        Op::Ne(a, b) => Op::Ne(b, a),
        op => op,
    }
}

fn other(facts: &impl Facts, op: Op) -> Option<Rule> {
    let constant = |register| facts.constant(register);
    let amount = |number: u64| (number % 64) as u32;
    match op {
        Op::Not(a) => match facts.definition(a) {
            Some(Op::Not(x)) => Some(Rule::Same(x)),
            _ => None,
        },
        Op::AndNot(a, b) if facts.possible(a) & facts.possible(b) == 0 => Some(Rule::Same(a)),
        Op::AndNot(a, b) if a == b => Some(Rule::Constant(0)),
        Op::AndNot(a, b) => match (constant(a), constant(b), facts.definition(b)) {
            (Some(u64::MAX), ..) => Some(Rule::Op(Op::Not(b))),
            (_, Some(number), _) => Some(Rule::With(Op::And, a, !number)),
            (.., Some(Op::Not(x))) => Some(Rule::Op(Op::And(a, x))),
            _ => None,
        },
        Op::Shl(a, b) => match (constant(a), constant(b), facts.definition(b)) {
            (_, Some(by), _) => Some(Rule::Op(Op::ShlBy(a, amount(by)))),
            // The bit at the place of the only bit.
            (Some(1), _, Some(Op::Lowest(x) | Op::Highest(x))) if facts.few(x) && facts.truth(x) == Some(true) => {
                Some(Rule::Same(x))
            }
            _ => None,
        },
        Op::Shr(a, b) => constant(b).map(|by| Rule::Op(Op::ShrBy(a, amount(by)))),
        Op::ShlBy(a, 0) | Op::ShrBy(a, 0) => Some(Rule::Same(a)),
        Op::ShlBy(a, by) => match facts.definition(a)? {
            Op::ShlBy(x, before) => Some(shifted(Op::ShlBy, x, by + before)),
            // A part of a word goes back to where it was.
            Op::ShrBy(x, before) if before == by => Some(Rule::With(Op::And, x, u64::MAX.wrapping_shl(by))),
            Op::And(part, mask) => match (facts.definition(part)?, constant(mask)?) {
                (Op::ShrBy(x, before), mask) if before == by => Some(Rule::With(Op::And, x, mask.wrapping_shl(by))),
                _ => None,
            },
            _ => None,
        },
        Op::ShrBy(a, by) => match facts.definition(a)? {
            Op::ShrBy(x, before) => Some(shifted(Op::ShrBy, x, by + before)),
            Op::ShlBy(x, before) if before == by => Some(Rule::With(Op::And, x, u64::MAX.wrapping_shr(by))),
            _ => None,
        },
        Op::Sub(a, b) if a == b => Some(Rule::Constant(0)),
        Op::Sub(a, b) => match constant(b)? {
            0 => Some(Rule::Same(a)),
            number => Some(Rule::With(Op::Add, a, number.wrapping_neg())),
        },
        Op::Less(a, b) if a == b => Some(Rule::Constant(0)),
        Op::Less(a, b) => match (constant(a), constant(b)) {
            (Some(0), _) => Some(Rule::With(Op::Ne, b, 0)),
            (_, Some(1)) => Some(Rule::With(Op::Eq, a, 0)),
            // No value is larger than all its possible bits.
            (_, Some(number)) if facts.possible(a) < number => Some(Rule::Constant(1)),
            (Some(number), _) if number >= facts.possible(b) => Some(Rule::Constant(0)),
            _ => None,
        },
        Op::Select(cond, yes, no) => select(facts, cond, yes, no),
        _ => None,
    }
}

fn shifted(make: fn(Reg, u32) -> Op, value: Reg, by: u32) -> Rule {
    if by < 64 { Rule::Op(make(value, by)) } else { Rule::Constant(0) }
}

fn select(facts: &impl Facts, cond: Reg, yes: Reg, no: Reg) -> Option<Rule> {
    let chosen = facts.truth(cond).map(|truth| if truth { yes } else { no });
    if let Some(chosen) = chosen.or((yes == no).then_some(yes)) {
        return Some(Rule::Same(chosen));
    }
    if let Some((cond, wanted)) = test(facts, cond) {
        return Some(Rule::Op(if wanted { Op::Select(cond, yes, no) } else { Op::Select(cond, no, yes) }));
    }
    match (facts.definition(yes), facts.definition(no)) {
        (Some(Op::Select(inner, x, _)), _) if inner == cond => return Some(Rule::Op(Op::Select(cond, x, no))),
        (_, Some(Op::Select(inner, _, y))) if inner == cond => return Some(Rule::Op(Op::Select(cond, yes, y))),
        _ => {}
    }
    match (facts.constant(yes), facts.constant(no)) {
        (Some(1), Some(0)) => Some(Rule::With(Op::Ne, cond, 0)),
        (Some(0), Some(1)) => Some(Rule::With(Op::Eq, cond, 0)),
        (Some(x), Some(y)) if x == y => Some(Rule::Constant(x)),
        _ => None,
    }
}

/// If a condition only compares a register with 0: the register, and whether it must not be 0.
pub(super) fn test(facts: &impl Facts, cond: Reg) -> Option<(Reg, bool)> {
    match facts.definition(cond)? {
        Op::Ne(a, b) if facts.constant(b) == Some(0) => Some((a, true)),
        Op::Eq(a, b) if facts.constant(b) == Some(0) => Some((a, false)),
        Op::Select(a, yes, no) => match (facts.constant(yes)?, facts.constant(no)?) {
            (1.., 0) => Some((a, true)),
            (0, 1..) => Some((a, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The bits that an operation may yield.
pub(super) fn possible(facts: &impl Facts, op: Op) -> u64 {
    let of = |register| facts.possible(register);
    /// All bits up to the highest.
    fn below(bits: u64) -> u64 {
        u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
    }
    match op {
        Op::Const(value) => value,
        Op::And(a, b) => of(a) & of(b),
        Op::Or(a, b) | Op::Xor(a, b) => of(a) | of(b),
        Op::AndNot(a, b) => of(a) & !facts.constant(b).unwrap_or(0),
        Op::ShlBy(a, by) => of(a).wrapping_shl(by),
        Op::ShrBy(a, by) => of(a).wrapping_shr(by),
        Op::Shr(a, _) => below(of(a)),
        Op::Shl(a, _) if of(a) == 0 => 0,
        Op::Add(a, b) if of(a) & of(b) == 0 => of(a) | of(b),
        Op::Add(a, b) => below(of(a) | of(b)).wrapping_mul(2) | 1,
        Op::Mul(a, b) if of(a) == 0 || of(b) == 0 => 0,
        Op::Eq(..) | Op::Ne(..) | Op::Less(..) | Op::Within(..) => 1,
        Op::Select(_, yes, no) => of(yes) | of(no),
        Op::Count(a) => below(u64::from(of(a).count_ones())),
        Op::Lowest(_) | Op::Highest(_) => 0x7f,
        Op::Table(table, _) => facts.entry_bits(table),
        Op::Not(_) | Op::Shl(..) | Op::Sub(..) | Op::Mul(..) | Op::Load(_) => u64::MAX,
    }
}
