//! How control flows through a program.

use crate::program::{FAIL, Op, Pc, Program};
use std::collections::BTreeMap;

/// The operations that can run after one, in order.
pub(super) fn reached(program: &Program, entry: Pc) -> Result<Vec<Pc>, String> {
    let mut seen = fixedbitset::FixedBitSet::with_capacity(program.code.len());
    let mut stack = vec![entry];
    while let Some(pc) = stack.pop() {
        let op = program.code.get(pc as usize).ok_or("a program runs over its end")?;
        if seen.put(pc as usize) {
            continue;
        }
        stack.extend(target(*op));
        if falls_through(op) {
            stack.push(pc + 1);
        }
    }
    Ok(seen.ones().map(|pc| pc as Pc).collect())
}

/// Where an operation goes on if not with the one after it.
pub(super) fn target(mut op: Op) -> Option<Pc> {
    op.target_mut().copied().filter(|&target| target != FAIL)
}

/// Whether an operation can go on with the one after it.
pub(super) fn falls_through(op: &Op) -> bool {
    !matches!(op, Op::Jump(_) | Op::Fail | Op::Finish(_) | Op::FinishWith { .. } | Op::Accept)
}

/// The operations that are come to otherwise than from the one before, with the number of ways to each.
pub(super) fn leaders(program: &Program, entry: Pc, reached: &[Pc]) -> BTreeMap<Pc, u32> {
    let mut leaders = BTreeMap::from([(entry, 1)]);
    let ops = || reached.iter().filter_map(|&pc| Some((pc, *program.code.get(pc as usize)?)));
    for (pc, op) in ops() {
        // Where the next value of a choice goes on.
        let next = op.chooses().then_some(pc + 1);
        for leader in target(op).into_iter().chain(next) {
            *leaders.entry(leader).or_insert(0) += 1;
        }
    }
    for (pc, _) in ops().filter(|(_, op)| falls_through(op)) {
        leaders.entry(pc + 1).and_modify(|ways| *ways += 1);
    }
    leaders
}
