//! The loop that executes bytecode.

use super::group::Group;
use super::step::{Frame, Memory};

/// Executes a function whose arguments and constants are in the frame, for its result. `None` if it gives the case back
/// or meets the budget.
#[inline]
pub(super) fn run(code: &[Group], frame: &mut Frame, memory: &mut Memory<'_>) -> Option<u64> {
    let mut next = 0;
    while let Some(group) = code.get(next) {
        next = (group.run)(frame, memory, group, next);
    }
    memory.result.take()
}

/// As [`run`], and counts instructions.
pub(super) fn run_counted(code: &[Group], frame: &mut Frame, memory: &mut Memory<'_>, count: &mut u64) -> Option<u64> {
    let mut next = 0;
    while let Some(group) = code.get(next) {
        *count += 1;
        next = (group.run)(frame, memory, group, next);
    }
    memory.result.take()
}
