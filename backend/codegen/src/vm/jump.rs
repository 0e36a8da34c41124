//! Where bytecode goes on.

use super::code::{Code, Slot};
use super::step::{Frame, Memory, Step};

/// Kinds of jumps.
pub(super) const JUMPS: usize = 16;

/// Where a function ends.
const NOWHERE: usize = usize::MAX;

/// Where instructions end that took no jump.
pub(super) const STRAIGHT_ON: usize = usize::MAX - 1;

/// The number of the jump that an instruction is, and its step, the number of which is the target.
pub(super) fn condition(code: Code<Slot>) -> Option<(usize, Step)> {
    let none = Step::default();
    Some(match code {
        Code::Jump { .. } => (0, none),
        Code::JumpIf { cond, .. } => (1, Step { a: cond, ..none }),
        Code::JumpUnless { cond, .. } => (2, Step { a: cond, ..none }),
        Code::JumpEq { a, b, .. } => (3, Step { a, b, ..none }),
        Code::JumpNe { a, b, .. } => (4, Step { a, b, ..none }),
        Code::JumpLess { a, b, .. } => (5, Step { a, b, ..none }),
        Code::JumpNotLess { a, b, .. } => (6, Step { a, b, ..none }),
        Code::JumpMeet { a, b, .. } => (7, Step { a, b, ..none }),
        Code::JumpApart { a, b, .. } => (8, Step { a, b, ..none }),
        Code::JumpBit { a, b, .. } => (9, Step { a, b, ..none }),
        Code::JumpNoBit { a, b, .. } => (10, Step { a, b, ..none }),
        Code::EachFirst { item, rest, set, .. } => (11, Step { to: item, a: rest, b: set, ..none }),
        Code::EachNext { item, rest, counted, .. } => (12, Step { to: item, a: rest, b: counted.into(), ..none }),
        Code::LoopIf { cond, .. } => (13, Step { a: cond, ..none }),
        Code::Switch { on, first, last } => {
            (14, Step { to: last as u16, a: on, b: (last >> 16) as u16, ..none }.with_number(first))
        }
        Code::Return { value } => (15, Step { a: value, b: 2, ..none }),
        Code::End {} => (15, Step { b: 1, ..none }),
        Code::Bail {} => (15, none),
        _ => return None,
    })
}

/// Does jump number `J`; returns where to go on, if not with the next instruction.
#[inline(always)]
pub(super) fn jump<const J: usize>(frame: &mut Frame, memory: &mut Memory<'_>, step: &Step) -> Option<usize> {
    let (a, b) = (frame[usize::from(step.a)], frame[usize::from(step.b)]);
    let jumps = match J {
        0 => true,
        1 => a != 0,
        2 => a == 0,
        3 => a == b,
        4 => a != b,
        5 => a < b,
        6 => a >= b,
        7 => a & b != 0,
        8 => a & b == 0,
        9 => a.wrapping_shr(b as u32) & 1 != 0,
        10 => a.wrapping_shr(b as u32) & 1 == 0,
        11 => b == 0 || !each(frame, step, b),
        12 => {
            a != 0 && {
                if step.b != 0 && !spend(memory) {
                    return Some(NOWHERE);
                }
                each(frame, step, a)
            }
        }
        13 => {
            a != 0 && {
                if !spend(memory) {
                    return Some(NOWHERE);
                }
                true
            }
        }
        14 => {
            let last = u64::from(step.to) | u64::from(step.b) << 16;
            let case = step.number() + a.min(last) as usize;
            return Some(memory.targets.get(case).map_or(NOWHERE, |&target| target as usize));
        }
        _ => {
            memory.result = match step.b {
                0 => None,
                1 => Some(0),
                _ => Some(a),
            };
            return Some(NOWHERE);
        }
    };
    jumps.then(|| step.number())
}

/// The lowest bit of a set that is not empty, and the others.
#[inline(always)]
fn each(frame: &mut Frame, step: &Step, set: u64) -> bool {
    frame[usize::from(step.to)] = u64::from(set.trailing_zeros());
    frame[usize::from(step.a)] = set & set.wrapping_sub(1);
    true
}

/// One more round of a loop, if there may be one.
#[inline(always)]
fn spend(memory: &mut Memory<'_>) -> bool {
    let left = memory.budget.checked_sub(1);
    memory.budget = left.unwrap_or(0);
    left.is_some()
}
