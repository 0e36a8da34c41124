//! The values of variables as registers, to be carried through blocks.

use super::lane::{Lane, Sets, Store, Val};
use super::{Failure, Lifter};
use rg_ir::VarId;
use rg_ir::ids::Id;
use std::rc::Rc;
use wir::Reg;

impl Lifter<'_> {
    /// The registers it takes to hold variables: per variable the kind of its store.
    pub(super) fn shape_of(&mut self, vars: &[VarId]) -> Vec<(VarId, Shape)> {
        vars.iter()
            .filter_map(|&var| {
                let store = self.function.blank.get(var.index())?;
                Some((
                    var,
                    match store {
                        Store::Dead => return None,
                        Store::Scalar(_) => Shape::Scalar,
                        Store::Cells(cells) => Shape::Cells(cells.len()),
                        Store::Sets(sets) => Shape::Sets(sets.of.iter().map(|set| set.len()).collect()),
                    },
                ))
            })
            .collect()
    }

    /// The values of variables as registers; what is dead is 0.
    pub(super) fn flat(&mut self, lane: &Lane, shape: &[(VarId, Shape)]) -> Result<Vec<Reg>, Failure> {
        let choice = || Failure::new("a loop makes a choice");
        let mut regs = Vec::new();
        let zero = self.function.builder.constant(0);
        for (var, shape) in shape {
            let store = lane.vars.get(var.index());
            match (shape, store) {
                (Shape::Scalar, Some(Store::Scalar(value))) => {
                    regs.push(value.reg(&mut self.function.builder).ok_or_else(choice)?);
                }
                (Shape::Cells(_), Some(Store::Cells(cells))) => {
                    for cell in cells.iter() {
                        regs.push(cell.reg(&mut self.function.builder).ok_or_else(choice)?);
                    }
                }
                (Shape::Sets(_), Some(Store::Sets(sets))) if sets.pending.is_empty() => {
                    regs.extend(sets.of.iter().flat_map(|set| set.iter()));
                }
                (Shape::Scalar, _) => regs.push(zero),
                (Shape::Cells(len), _) => regs.extend(std::iter::repeat_n(zero, *len)),
                (Shape::Sets(words), _) => regs.extend(std::iter::repeat_n(zero, words.iter().sum())),
            }
        }
        Ok(regs)
    }

    /// The inverse of [`Lifter::flat`].
    pub(super) fn unflat(&mut self, lane: &mut Lane, shape: &[(VarId, Shape)], mut regs: &[Reg]) {
        let mut take = |count: usize| {
            let (first, rest) = regs.split_at(count.min(regs.len()));
            regs = rest;
            first
        };
        for (var, shape) in shape {
            let store = match shape {
                Shape::Scalar => Store::Scalar(take(1).first().map_or(Val::Const(0), |&reg| Val::Reg(reg))),
                Shape::Cells(len) => Store::Cells(take(*len).iter().map(|&reg| Val::Reg(reg)).collect()),
                Shape::Sets(words) => Store::Sets(Sets {
                    of: words.iter().map(|&words| take(words).into()).collect(),
                    pending: Rc::from([]),
                }),
            };
            if let Some(slot) = lane.vars.get_mut(var.index()) {
                *slot = store;
            }
        }
    }
}

/// See [`Lifter::shape_of`].
pub(super) enum Shape {
    Scalar,
    Cells(usize),
    Sets(Vec<usize>),
}
