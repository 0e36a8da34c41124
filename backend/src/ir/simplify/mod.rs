//! Cheap passes on functions: constants, common subexpressions, dead code, code that a loop need not repeat, and
//! control flow that decides nothing.

mod build;
mod emission;
mod fold;
mod loops;
mod sweep;
mod tables;
mod truth;
mod unions;

pub use tables::drop_unused_tables;

use super::calls::called;
use super::{Block, FnId, Function, Inst, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How often the passes run at most.
const ROUNDS: usize = 4;

/// Simplifies all functions of a program that keeps the rules ([`super::verify`]); it keeps them, and does the same.
///
/// A loop without effects whose results nobody reads goes away even if it would never have ended.
/// Functions that others call lose the parameters that they do not need.
pub fn simplify(program: &mut Program) {
    let called: BTreeSet<FnId> = program.functions.iter().flat_map(|function| called(&function.body)).collect();
    let mut left: FxHashMap<FnId, Vec<bool>> = FxHashMap::default();
    for (id, index) in (0..).zip(0..program.functions.len()) {
        let Some(mut function) = program.functions.get(index).cloned() else { continue };
        // A function calls earlier ones only.
        drop_arguments(&mut function.body, &left);
        function = simplified(program, &function);
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
        match inst {
            Inst::Call { function, args, .. } => {
                if let Some(left) = left.get(function) {
                    let mut left = left.iter();
                    args.retain(|_| left.next() != Some(&false));
                }
            }
            Inst::If { then, other, .. } => {
                drop_arguments(then, left);
                drop_arguments(other, left);
            }
            Inst::Switch { cases, .. } => cases.iter_mut().for_each(|case| drop_arguments(case, left)),
            Inst::Each { body, .. } | Inst::Loop { body, .. } => drop_arguments(body, left),
            _ => {}
        }
    }
}

/// A function of a program that keeps the rules, simplified.
#[must_use]
pub fn simplified(program: &Program, function: &Function) -> Function {
    let mut best = sweep::sweep(function);
    for _ in 0..ROUNDS {
        let next = sweep::sweep(&build::build(program, &best));
        if next == best {
            break;
        }
        best = next;
    }
    best
}
