//! Cheap passes on functions: constants, common subexpressions, dead code, code that a loop need not repeat, and
//! control flow that decides nothing.

mod build;
mod emission;
mod fold;
mod loops;
mod sweep;
mod tables;
mod truth;

pub use tables::drop_unused_tables;

use super::{Function, Program};

/// How often the passes run at most.
const ROUNDS: usize = 4;

/// Simplifies all functions of a program that keeps the rules ([`super::verify`]); it keeps them, and does the same.
///
/// A loop without effects whose results nobody reads goes away even if it would never have ended.
pub fn simplify(program: &mut Program) {
    for index in 0..program.functions.len() {
        if let Some(function) = program.functions.get(index).map(|function| simplified(program, function))
            && let Some(place) = program.functions.get_mut(index)
        {
            *place = function;
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
