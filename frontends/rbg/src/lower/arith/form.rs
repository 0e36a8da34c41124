//! What an expression computes: a linear form if it has one, else a program.

use super::{Arithmetic, Leaf};
use crate::ast::{Arith, ArithId, Operator};
use rg_ir::ids::Id;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A constant plus multiples of leaves.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) constant: i128,
    pub(super) terms: BTreeMap<Leaf, i128>,
    /// Greatest absolute value that any part of the expression can have.
    peak: i128,
}

impl Linear {
    /// The value for these values of the leaves, in the order of the terms.
    pub(super) fn value(&self, leaves: &[i64]) -> i128 {
        self.constant + self.terms.values().zip(leaves).map(|(factor, &leaf)| factor * i128::from(leaf)).sum::<i128>()
    }
}

/// A step of a stack machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Number(i64),
    /// Position among the leaves.
    Leaf(usize),
    Apply(Operator),
}

/// An expression, examined.
pub(super) struct Form {
    pub(super) leaves: Vec<Leaf>,
    pub(super) linear: Option<Linear>,
    pub(super) code: Vec<Instruction>,
}

impl Form {
    /// The code with its leaves numbered as in `leaves`, a sorted superset of its own.
    pub(super) fn rebase(&self, leaves: &[Leaf]) -> Vec<Instruction> {
        let renumber = |i: usize| self.leaves.get(i).and_then(|l| leaves.binary_search(l).ok()).unwrap_or(0);
        self.code
            .iter()
            .map(|&instruction| match instruction {
                Instruction::Leaf(i) => Instruction::Leaf(renumber(i)),
                other => other,
            })
            .collect()
    }
}

fn constant(value: i128) -> Linear {
    Linear { constant: value, terms: BTreeMap::new(), peak: value.abs() }
}

/// The linear form of `a operator b`, if it has one whose parts all fit 64 bits.
fn linear(operator: Operator, a: Linear, b: Linear) -> Option<Linear> {
    let result = match operator {
        Operator::Add => combine_into(a, b, 1),
        Operator::Subtract => combine_into(a, b, -1),
        Operator::Multiply => {
            let (mut form, factor) = if b.terms.is_empty() { (a, b) } else { (b, a) };
            if !factor.terms.is_empty() {
                return None;
            }
            let n = factor.constant;
            form.constant *= n;
            form.terms.values_mut().for_each(|f| *f *= n);
            form.terms.retain(|_, f| *f != 0);
            form.peak = form.peak.max(factor.peak).max(form.peak * factor.peak);
            form
        }
        Operator::Divide => {
            if !a.terms.is_empty() || !b.terms.is_empty() {
                return None;
            }
            let peak = a.peak.max(b.peak);
            Linear { peak, ..constant(a.constant.checked_div(b.constant)?) }
        }
    };
    (result.peak <= i128::from(i64::MAX)).then_some(result)
}

pub(super) fn combine(a: &Linear, b: &Linear, sign: i128) -> Linear {
    combine_into(a.clone(), b.clone(), sign)
}

/// `a + sign · b`; the smaller map goes into the larger one.
fn combine_into(a: Linear, b: Linear, sign: i128) -> Linear {
    let peak = a.peak + b.peak;
    let constant = a.constant + sign * b.constant;
    let (mut large, small, large_sign, small_sign) =
        if a.terms.len() >= b.terms.len() { (a.terms, b.terms, 1, sign) } else { (b.terms, a.terms, sign, 1) };
    if large_sign != 1 {
        large.values_mut().for_each(|f| *f *= large_sign);
    }
    for (leaf, factor) in small {
        let sum = large.entry(leaf).or_default();
        *sum += small_sign * factor;
        if *sum == 0 {
            large.remove(&leaf);
        }
    }
    Linear { constant, terms: large, peak }
}

/// The value of an expression; `None` after a division by zero or an overflow of 64 bits.
pub(super) fn run(code: &[Instruction], leaves: &[i64]) -> Option<i64> {
    let mut stack: Vec<i64> = Vec::with_capacity(4);
    for &instruction in code {
        let value = match instruction {
            Instruction::Number(n) => n,
            Instruction::Leaf(i) => *leaves.get(i)?,
            Instruction::Apply(operator) => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                match operator {
                    Operator::Add => a.checked_add(b)?,
                    Operator::Subtract => a.checked_sub(b)?,
                    Operator::Multiply => a.checked_mul(b)?,
                    Operator::Divide => a.checked_div(b)?,
                }
            }
        };
        stack.push(value);
    }
    stack.pop()
}

impl Arithmetic<'_> {
    /// Linear in the size of the expression (times a logarithm of its leaves).
    pub(super) fn form(&self, root: ArithId) -> Form {
        let arith = |id: ArithId| self.description.rules.arith.get(id.index()).map(|&(a, _)| a);
        // Preorder with the right side first, reversed, is the postorder a stack machine wants.
        let mut order = Vec::new();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            order.push(id);
            if let Some(Arith::Binary(_, a, b)) = arith(id) {
                stack.extend([a, b]);
            }
        }
        order.reverse();
        let leaf = |a: Arith| match a {
            Arith::Cell(cell) => Some(Leaf::from(cell)),
            Arith::Count(piece) => Some(Leaf::Count(piece)),
            Arith::Number(_) | Arith::Binary(..) => None,
        };
        // What can only be 0 is not a leaf: so every dimension of a table at least doubles it, and there are few.
        let leaf = |a: Arith| leaf(a).filter(|&leaf| self.greatest(leaf) > 0);
        let mut leaves: Vec<Leaf> = order.iter().filter_map(|&id| leaf(arith(id)?)).collect();
        leaves.sort_unstable();
        leaves.dedup();
        let position: FxHashMap<Leaf, usize> = leaves.iter().enumerate().map(|(i, &l)| (l, i)).collect();
        let mut values: Vec<Option<Linear>> = Vec::new();
        let mut code = Vec::with_capacity(order.len());
        for a in order.into_iter().filter_map(arith) {
            let (instruction, value) = match a {
                Arith::Number(n) => (Instruction::Number(n.into()), Some(constant(n.into()))),
                Arith::Binary(operator, ..) => {
                    let (b, a) = (values.pop().flatten(), values.pop().flatten());
                    (Instruction::Apply(operator), a.zip(b).and_then(|(a, b)| linear(operator, a, b)))
                }
                Arith::Cell(_) | Arith::Count(_) => match leaf(a) {
                    Some(leaf) => {
                        let peak = self.greatest(leaf).into();
                        let value = Linear { constant: 0, terms: BTreeMap::from([(leaf, 1)]), peak };
                        (Instruction::Leaf(position.get(&leaf).copied().unwrap_or(0)), Some(value))
                    }
                    None => (Instruction::Number(0), Some(constant(0))),
                },
            };
            code.push(instruction);
            values.push(value);
        }
        Form { leaves, linear: values.pop().flatten(), code }
    }
}
