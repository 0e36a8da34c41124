//! What is known of registers while a function is written anew.

use super::build::Builder;
use super::fold::Facts;
use crate::ir::{Op, Program, Reg};

/// How deep unions are looked into for a part that is not empty.
const MAX_PARTS: u32 = 4;

impl Facts for Builder<'_> {
    fn constant(&self, register: Reg) -> Option<u64> {
        if let Some(&value) = self.assumed.get(&register) {
            return Some(value);
        }
        match self.definition(register)? {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    fn truth(&self, register: Reg) -> Option<bool> {
        let constant = self.constant(register).map(|value| value != 0);
        constant.or_else(|| self.is_some(register, MAX_PARTS).then_some(true))
    }

    fn possible(&self, register: Reg) -> u64 {
        let known = self.values.get(register as usize).map_or(u64::MAX, |value| value.possible);
        self.assumed.get(&register).copied().unwrap_or(known)
    }

    fn definition(&self, register: Reg) -> Option<Op> {
        self.values.get(register as usize)?.op
    }

    fn program(&self) -> &Program {
        self.program
    }
}

impl Builder<'_> {
    /// Whether a register is certainly not 0, as far as so many parts of it tell.
    fn is_some(&self, register: Reg, depth: u32) -> bool {
        let Some(less) = depth.checked_sub(1) else { return false };
        match self.definition(register) {
            _ if self.nonzero.contains(&register) => true,
            Some(Op::Const(value)) => value != 0,
            Some(Op::Or(a, b)) => self.is_some(a, less) || self.is_some(b, less),
            // One bit is somewhere.
            Some(Op::Shl(one, _)) => self.constant(one) == Some(1),
            _ => false,
        }
    }
}
