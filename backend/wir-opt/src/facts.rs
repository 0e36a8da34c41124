//! What is known of registers while a function is written anew.

use super::fold::Facts;
use super::gvn::Builder;
use wir::{Op, Program, Reg};

/// How deep unions are looked into for a part that is not empty.
const MAX_PARTS: u32 = 4;

impl Facts for Builder<'_> {
    fn constant(&self, register: Reg) -> Option<u64> {
        let known = self.values.get(register as usize)?;
        known.assumed.or(match known.op {
            Some(Op::Const(value)) => Some(value),
            _ => None,
        })
    }

    fn truth(&self, register: Reg) -> Option<bool> {
        let constant = self.constant(register).map(|value| value != 0);
        constant.or_else(|| self.is_some(register, MAX_PARTS).then_some(true))
    }

    fn few(&self, register: Reg) -> bool {
        let entries = |table: u32| self.program.tables.get(table as usize).map_or(&[][..], |table| &table.entries);
        match self.definition(register) {
            _ if self.few.contains(&register) => true,
            Some(Op::Table(table, _)) => entries(table).iter().all(|entry| entry.count_ones() <= 1),
            _ => false,
        }
    }

    fn possible(&self, register: Reg) -> u64 {
        self.values.get(register as usize).map_or(u64::MAX, |value| value.assumed.unwrap_or(value.possible))
    }

    fn definition(&self, register: Reg) -> Option<Op> {
        self.values.get(register as usize)?.op
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn entry_bits(&self, table: u32) -> u64 {
        *self.entry_bits.borrow_mut().entry(table).or_insert_with(|| {
            let table = self.program.tables.get(table as usize);
            table.map_or(u64::MAX, |table| table.entries.iter().fold(0, |all, entry| all | entry))
        })
    }
}

impl Builder<'_> {
    /// In the current block a register has this value.
    pub(super) fn assume(&mut self, register: Reg, value: u64) {
        if let Some(known) = self.values.get_mut(register as usize) {
            known.assumed = Some(value);
        }
        if self.assumed.insert(register, value).is_none()
            && let Some(open) = self.open.last_mut()
        {
            open.assumed.push(register);
        }
        if value == 0
            && let Some(set) = self.but_lowest(register)
            && self.few.insert(set)
            && let Some(open) = self.open.last_mut()
        {
            open.few.push(set);
        }
    }

    /// If a register is a set without its lowest element, `x & (x - 1)`: that set.
    fn but_lowest(&self, register: Reg) -> Option<Reg> {
        let Op::And(a, b) = self.definition(register)? else { return None };
        let is_less = |less: Reg, set: Reg| match self.definition(less) {
            Some(Op::Add(x, number)) => x == set && self.constant(number) == Some(u64::MAX),
            _ => false,
        };
        if is_less(b, a) { Some(a) } else { Some(b).filter(|&b| is_less(a, b)) }
    }

    /// In the current block a register is not 0.
    pub(super) fn assume_truth(&mut self, register: Reg) {
        if self.nonzero.insert(register)
            && let Some(open) = self.open.last_mut()
        {
            open.nonzero.push(register);
        }
    }

    /// Whether a register is certainly not 0, as far as so many parts of it tell.
    fn is_some(&self, register: Reg, depth: u32) -> bool {
        let Some(less) = depth.checked_sub(1) else { return false };
        match self.definition(register) {
            _ if self.nonzero.contains(&register) => true,
            Some(Op::Const(value)) => value != 0,
            Some(Op::Or(a, b)) => self.is_some(a, less) || self.is_some(b, less),
            Some(Op::Table(table, _)) => {
                self.program.tables.get(table as usize).is_some_and(|table| !table.entries.contains(&0))
            }
            // One bit is somewhere.
            Some(Op::Shl(one, _)) => self.constant(one) == Some(1),
            _ => false,
        }
    }
}
