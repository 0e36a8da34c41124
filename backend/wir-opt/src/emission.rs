//! Loops that emit a move per element of a set become emissions of a set.

use super::fold::Facts;
use super::gvn::Builder;
use wir::{Block, Inst, Op, Reg};

/// How deep sums are looked into.
const MAX_DEPTH: u32 = 8;

impl Builder<'_> {
    /// If the body of a loop over a set only emits a constant plus the shifted element: emits the set instead.
    pub(super) fn emits_set(&mut self, body: &Block, item: Reg, set: Reg, outside: usize) -> bool {
        let Some((Inst::Emit { base }, before)) = body.insts.split_last() else { return false };
        if !before.iter().all(|inst| matches!(inst, Inst::Let { .. })) {
            return false;
        }
        let mut parts = Vec::new();
        let Some(shift) = self.element(*base, item, outside, &mut parts, MAX_DEPTH) else { return false };
        let mut base = self.put(Op::Const(0));
        for part in parts {
            base = self.put(Op::Add(base, part));
        }
        self.emit_set(base, set, shift);
        true
    }

    /// If a register is the sum of the element, shifted, and of registers from outside: the shift, and those.
    fn element(&self, register: Reg, item: Reg, outside: usize, parts: &mut Vec<Reg>, depth: u32) -> Option<u32> {
        if register == item {
            return Some(0);
        }
        let depth = depth.checked_sub(1)?;
        let (a, b) = match self.definition(register)? {
            Op::Add(a, b) => (a, b),
            Op::Or(a, b) if self.possible(a) & self.possible(b) == 0 => (a, b),
            Op::ShlBy(a, by) if a == item => return Some(by),
            _ => return None,
        };
        let is_outside = |register: Reg| self.values.get(register as usize).is_some_and(|value| value.level <= outside);
        let (part, rest) = if is_outside(a) { (a, b) } else { (b, a) };
        if !is_outside(part) {
            return None;
        }
        parts.push(part);
        self.element(rest, item, outside, parts, depth)
    }
}
