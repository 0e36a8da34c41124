//! Tests behind a choice of values: which values get past them can be found out before any of them is taken.
//!
//! Only tests that ask what cells hold are looked at, up to the first operation that does anything else. They stay where
//! they are, so nothing is lost but time if a value is thought to get past that does not.

use super::{FAIL, Op, Pc};

/// Tests that are looked at.
const MAX_LOOKED: u32 = 64;

/// Where a test that only asks what single cells hold goes on if it fails.
pub(crate) fn asks(op: Op) -> Option<Pc> {
    match op {
        Op::SlotEq { other, .. }
        | Op::SlotNe { other, .. }
        | Op::CellEq { other, .. }
        | Op::CellNe { other, .. }
        | Op::TableEq { other, .. }
        | Op::CellTableEq { other, .. }
        | Op::Eq { other, .. }
        | Op::Ne { other, .. } => Some(other),
        _ => None,
    }
}

/// Whether a search gets past the tests from `pc` on, if all ways through them end alike.
pub(crate) fn gets_past(code: &[Op], pc: Pc) -> Option<bool> {
    let mut left = MAX_LOOKED;
    ends(code, pc, &mut left)
}

fn ends(code: &[Op], pc: Pc, left: &mut u32) -> Option<bool> {
    if pc == FAIL {
        return Some(false);
    }
    let (Some(&op), Some(less)) = (code.get(pc as usize), left.checked_sub(1)) else { return Some(true) };
    *left = less;
    match op {
        Op::Fail => Some(false),
        // Only what is further on is looked at, so that this ends.
        Op::Jump(target) if target > pc => ends(code, target, left),
        _ => match asks(op) {
            Some(other) if other > pc => {
                let (then, otherwise) = (ends(code, pc + 1, left), ends(code, other, left));
                if then == otherwise { then } else { None }
            }
            _ => Some(true),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(value: u32, other: Pc) -> Op {
        Op::SlotEq { slot: 0, value, other }
    }

    #[test]
    fn what_all_values_or_none_get_past_is_told() {
        let write = Op::SetConstant { slot: 0, value: 0 };
        assert_eq!(gets_past(&[write], 0), Some(true));
        assert_eq!(gets_past(&[Op::Fail], 0), Some(false));
        assert_eq!(gets_past(&[is(1, FAIL), write], 0), None);
        assert_eq!(gets_past(&[is(1, 2), write, write], 0), Some(true));
        assert_eq!(gets_past(&[is(1, FAIL), Op::Fail], 0), Some(false));
        assert_eq!(gets_past(&[is(1, 2), Op::Jump(3), is(2, FAIL), write], 0), None);
    }

    #[test]
    fn nothing_is_followed_back_or_without_end() {
        assert_eq!(gets_past(&[Op::Jump(0)], 0), Some(true));
        assert_eq!(gets_past(&[is(1, 0), Op::Jump(0)], 0), Some(true));
        assert_eq!(gets_past(&[is(1, FAIL), is(2, 0)], 0), None);
        assert_eq!(gets_past(&[is(1, 9)], 0), Some(true));
        let long: Vec<Op> = (1..1_000_000).map(|pc| is(1, pc)).collect();
        assert_eq!(gets_past(&long, 0), Some(true));
    }
}
