//! Which choice point is topmost where an operation begins, as far as that is the same however a search comes there: then
//! backtracking from there is a jump.
//!
//! The choice points that there are at an operation are followed along all ways, by the operations that made them. Where
//! ways meet, those are known that are on top on all of them.

use super::flow::{falls_through, target};
use crate::program::{Op, Pc, Program};
use rustc_hash::FxHashMap;

/// Most choice points that are followed.
const MAX_FOLLOWED: usize = 8;

/// Stands for the place below all choice points of a function.
pub(super) const FLOOR: Pc = Pc::MAX;

/// By operation, the one that made the topmost choice point, or [`FLOOR`] if there is none. Some choices of values have
/// choice points that stay until there is none left.
pub(super) fn tops(program: &Program, entry: Pc, reached: &[Pc], stays: impl Fn(Pc) -> bool) -> FxHashMap<Pc, Pc> {
    let mut stacks: FxHashMap<Pc, Vec<Pc>> = FxHashMap::default();
    stacks.insert(entry, vec![FLOOR]);
    let mut open = vec![entry];
    while let Some(pc) = open.pop() {
        let (Some(&op), Some(stack)) = (program.code.get(pc as usize), stacks.get(&pc)) else { continue };
        let stack = stack.clone();
        let elsewhere = target(op).map(|target| (target, stack.clone()));
        let next = falls_through(&op).then(|| (pc + 1, after(op, pc, &stays, stack)));
        for (target, stack) in elsewhere.into_iter().chain(next) {
            match stacks.get_mut(&target) {
                None => _ = stacks.insert(target, stack),
                Some(known) => {
                    let same =
                        known.iter().rev().zip(stack.iter().rev()).take_while(|(one, other)| one == other).count();
                    if same == known.len() {
                        continue;
                    }
                    known.drain(..known.len() - same);
                }
            }
            open.push(target);
        }
    }
    reached.iter().filter_map(|&pc| Some((pc, *stacks.get(&pc)?.last()?))).collect()
}

/// The choice points at the next operation.
fn after(op: Op, pc: Pc, stays: impl Fn(Pc) -> bool, mut stack: Vec<Pc>) -> Vec<Pc> {
    match op {
        // These stay until there is no value left.
        Op::Try(_) | Op::EachCell { .. } | Op::EachWhere { .. } => stack.push(pc),
        Op::Each { .. } if stays(pc) => stack.push(pc),
        // These do not, so they may be there or not.
        Op::Each { .. } | Op::EachTable { .. } | Op::EachStore { .. } => stack.clear(),
        _ => {}
    }
    let surplus = stack.len().saturating_sub(MAX_FOLLOWED);
    stack.drain(..surplus);
    stack
}
