//! The loop that executes bytecode.

use super::group::Group;
use super::jump::STRAIGHT_ON;
use super::step::{Frame, Memory};

/// The most instructions that are done one after the other before this loop sees to it.
const AT_ONCE: usize = 256;

/// Executes a function whose arguments and constants are in the frame, for its result. `None` if it gives the case back
/// or meets the budget.
#[inline]
pub(super) fn run(code: &[Group], frame: &mut Frame, memory: &mut Memory<'_>) -> Option<u64> {
    let mut next = 0;
    while let Some(after) = some(code, next, AT_ONCE, frame, memory) {
        next = after;
    }
    memory.result.take()
}

/// As [`run`], and counts instructions.
pub(super) fn run_counted(code: &[Group], frame: &mut Frame, memory: &mut Memory<'_>, count: &mut u64) -> Option<u64> {
    let mut next = 0;
    while let Some(after) = some(code, next, 1, frame, memory) {
        *count += 1;
        next = after;
    }
    memory.result.take()
}

/// Executes some instructions, at most `most`; returns which one is next.
#[inline(always)]
fn some(code: &[Group], next: usize, most: usize, frame: &mut Frame, memory: &mut Memory<'_>) -> Option<usize> {
    let end = next.saturating_add(most).min(code.len());
    let (group, rest) = code.get(next..end)?.split_first()?;
    Some(match (group.run)(frame, memory, group, rest) {
        STRAIGHT_ON => end,
        next => next,
    })
}
