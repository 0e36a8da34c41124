//! Cheap passes on functions: constants, common subexpressions, dead code, code that a loop need not repeat, and
//! control flow that decides nothing.

mod arms;
mod bails;
mod build;
mod emission;
mod fold;
mod lazy;
mod loops;
mod sweep;
mod tables;
mod truth;
mod unions;

pub use tables::drop_unused_tables;

use super::calls::called;
use super::uses::inner_mut;
use super::{Block, FnId, Function, Inst, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How often the passes run at most: at first, and with those that move code.
const ROUNDS: [usize; 2] = [4, 2];

/// Simplifies all functions of a program that keeps the rules ([`super::verify`]); it keeps them, and does the same.
///
/// A loop without effects whose results nobody reads goes away even if it would never have ended. Functions that others call lose the parameters that they do not need.
pub fn simplify(program: &mut Program) {
    let called: BTreeSet<FnId> = program.functions.iter().flat_map(|function| called(&function.body)).collect();
    let mut left: FxHashMap<FnId, Vec<bool>> = FxHashMap::default();
    for (id, index) in (0..).zip(0..program.functions.len()) {
        if let Some(function) = program.functions.get_mut(index) {
            // It calls earlier ones only.
            drop_arguments(&mut function.body, &left);
        }
        let function = program.functions.get(index).map(|function| simplified(program, function));
        let Some(mut function) = function else { continue };
        if called.contains(&id) {
            let (swept, kept) = sweep::sweep_parameters(&function);
            function = swept;
            left.insert(id, kept);
        }
        if let Some(place) = program.functions.get_mut(index) {
            *place = function;
        }
    }
}

/// Takes the arguments of calls away for which there are no parameters any more.
fn drop_arguments(block: &mut Block, left: &FxHashMap<FnId, Vec<bool>>) {
    for inst in &mut block.insts {
        if let Inst::Call { function, args, .. } = inst
            && let Some(left) = left.get(function)
        {
            let mut left = left.iter();
            args.retain(|_| left.next() != Some(&false));
        }
        inner_mut(inst).for_each(|block| drop_arguments(block, left));
    }
}

/// A function of a program that keeps the rules, simplified.
#[must_use]
pub fn simplified(program: &Program, function: &Function) -> Function {
    let mut best = sweep::sweep(function);
    // Nothing moves before it is as simple as it can be where it stands.
    for (moving, rounds) in [false, true].into_iter().zip(ROUNDS) {
        for _ in 0..rounds {
            let mut before = best.clone();
            if moving {
                before = lazy::split(&before);
                bails::hoist(&mut before.body);
                before = arms::fill(program, &before);
            }
            let next = sweep::sweep(&build::build(program, &before));
            if next == best {
                break;
            }
            best = next;
        }
    }
    best
}
