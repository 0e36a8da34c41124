//! Tables of tables, and bits of words at places that tables tell.
//!
//! What is computed from entries of tables at one index, and from numbers, is an entry of one table at that index. And where
//! it is only asked whether a word has a bit whose position is such an entry, a table of masks tells, too.

use super::demanded::Demanded;
use super::entries::{Entries, Found, Member, number};
use super::tables::Added;
use super::{dce, gvn};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::uses::{definitions, inner_mut, reads};
use wir::{Block, FnId, Inst, Op, Program, Reg};

/// Most entries of all tables that are added to a program.
const MAX_ENTRIES: usize = 1 << 15;

/// How often a function is looked at, since what masks have in common is seen only when there are masks.
const MAX_ROUNDS: usize = 2;

/// Fewest masks for which a union is told by a comparison.
const MIN_MASKS: usize = 2;

/// Puts one table in the place of several. Linear in the program times the length of tables.
pub(super) fn compose(program: &mut Program) -> Vec<FnId> {
    let mut composer = Composer {
        added: Added::to(program, MAX_ENTRIES),
        ops: FxHashMap::default(),
        entries: Found::default(),
        demanded: Demanded::default(),
        reads: Vec::new(),
        registers: 0,
    };
    for id in 0..composer.added.program.functions.len() {
        composer.function(id as FnId);
    }
    Vec::new()
}

struct Composer<'p> {
    added: Added<'p>,
    /// The operations of the function.
    ops: FxHashMap<Reg, Op>,
    entries: Found,
    demanded: Demanded,
    /// How often each register is read.
    reads: Vec<u8>,
    registers: Reg,
}

impl Composer<'_> {
    fn function(&mut self, id: FnId) {
        for _ in 0..MAX_ROUNDS {
            if !self.changes(id) {
                break;
            }
            let Some(function) = self.added.program.functions.get(id as usize) else { return };
            let simpler = dce::sweep(&gvn::build(self.added.program, function));
            if let Some(function) = self.added.program.functions.get_mut(id as usize) {
                *function = simpler;
            }
        }
    }

    fn changes(&mut self, id: FnId) -> bool {
        let Some(function) = self.added.program.functions.get_mut(id as usize) else { return false };
        self.reads = reads(function);
        let mut body = std::mem::take(&mut function.body);
        self.registers = function.registers;
        self.entries = Found::default();
        self.ops = definitions(&body);
        let (program, ops, entries) = (&*self.added.program, &self.ops, &mut self.entries);
        // The comparison is one more, and each mask is two operations less.
        let mut pays = |parts: &[Reg]| {
            let mut mask =
                |part: &&Reg| ops.get(part).is_some_and(|&op| masks(program, ops, entries, **part, op).is_some());
            parts.iter().filter(|part| mask(part)).count() >= MIN_MASKS
        };
        self.demanded = Demanded::of(program, ops, &body, &mut pays);
        let changed = self.block(&mut body);
        if let Some(function) = self.added.program.functions.get_mut(id as usize) {
            (function.body, function.registers) = (body, self.registers);
        }
        changed
    }

    fn constant(&self, register: Reg) -> Option<u64> {
        number(&|register| self.ops.get(&register).copied(), register)
    }

    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            if let Inst::Let { to, op } = &mut inst
                && let Some(simpler) = self
                    .compared(*to, *op, &mut insts)
                    .or_else(|| self.of_first(*op, &mut insts))
                    .or_else(|| self.masked(*to, *op, &mut insts))
                    .or_else(|| self.composed(*to, *op))
            {
                *op = simpler;
                changed = true;
            }
            inner_mut(&mut inst).for_each(|block| changed |= self.block(block));
            insts.push(inst);
        }
        block.insts = insts;
        changed
    }

    /// A value as an entry of one table, if it is made of several, or of others that nothing else needs.
    fn composed(&mut self, register: Reg, op: Op) -> Option<Op> {
        let mut reads = op.reads();
        let is_private = |read: Reg| self.constant(read).is_none() && self.reads.get(read as usize) == Some(&1);
        if !matches!(op, Op::Table(..)) && !reads.any(is_private) {
            return None;
        }
        let entries = self.entries(register).filter(|entries| entries.depth > 1)?;
        self.added.number(entries.values.clone()).map(|table| Op::Table(table, entries.index))
    }

    /// Whether a set has the lowest or highest element of another one, without that element's number.
    fn of_first(&mut self, op: Op, insts: &mut Vec<Inst>) -> Option<Op> {
        let Op::And(shifted, one) = op else { return None };
        let Member { set, element, nothing } = Member::of(&|register| self.ops.get(&register).copied(), shifted)?;
        if self.constant(one) != Some(1) {
            return None;
        }
        let mut put = |op: Op| {
            insts.push(Inst::Let { to: self.registers, op });
            self.registers += 1;
            self.registers - 1
        };
        match *self.ops.get(&element)? {
            Op::Highest(from) => {
                // The number with the higher bit is the larger one.
                let (inside, others) = (put(Op::And(from, set)), put(Op::AndNot(from, set)));
                Some(Op::Less(others, inside))
            }
            Op::Lowest(from) => {
                let less = put(Op::Sub(nothing, from));
                let lowest = put(Op::And(from, less));
                let inside = put(Op::And(lowest, set));
                Some(Op::Ne(inside, nothing))
            }
            _ => None,
        }
    }

    /// A union that is 0 or 1 as a comparison of one of whose parts it only counts whether they are 0.
    fn compared(&mut self, to: Reg, op: Op, insts: &mut Vec<Inst>) -> Option<Op> {
        if !self.demanded.unions.contains(&to) {
            return None;
        }
        let (union, nothing) = (self.registers, self.registers + 1);
        self.registers += 2;
        insts.extend([Inst::Let { to: union, op }, Inst::Let { to: nothing, op: Op::Const(0) }]);
        Some(Op::Ne(union, nothing))
    }

    /// Whether a word has a bit, by a mask, if nothing else is demanded.
    fn masked(&mut self, to: Reg, op: Op, insts: &mut Vec<Inst>) -> Option<Op> {
        if !self.demanded.is_truth(to) {
            return None;
        }
        let (word, masks, index) = masks(self.added.program, &self.ops, &mut self.entries, to, op)?;
        let table = self.added.number(masks)?;
        let mask = self.registers;
        self.registers += 1;
        insts.push(Inst::Let { to: mask, op: Op::Table(table, index) });
        Some(Op::And(word, mask))
    }

    fn entries(&mut self, register: Reg) -> Option<Rc<Entries>> {
        let ops = |register| self.ops.get(&register).copied();
        self.entries.entries(self.added.program, &ops, register)
    }
}

/// The word of which a register tells whether it has a bit, and the masks of that bit by the value of another register.
pub(super) fn masks(
    program: &Program,
    ops: &FxHashMap<Reg, Op>,
    found: &mut Found,
    to: Reg,
    op: Op,
) -> Option<(Reg, Vec<u64>, Reg)> {
    let op_of = |register| ops.get(&register).copied();
    let constant = |register| number(&op_of, register);
    let tested = |register| {
        let Op::And(shifted, one) = op_of(register)? else { return None };
        match op_of(shifted)? {
            Op::Shr(word, by) if constant(one) == Some(1) => Some((word, by)),
            _ => None,
        }
    };
    let Op::And(a, b) = op else { return None };
    let (bit, also) = match () {
        () if constant(b) == Some(1) => (to, None),
        () if tested(a).is_some() => (a, Some(b)),
        () => (b, Some(a)),
    };
    let (mut word, position) = tested(bit)?;
    let position = found.entries(program, &op_of, position)?;
    let mut masks: Vec<u64> = position.values.iter().map(|&at| 1u64.wrapping_shl(at as u32)).collect();
    let mut only = |cond: &Entries, wanted: bool| {
        let fits = cond.fits(&position);
        let other = |&(_, value): &(&mut u64, &u64)| fits && (*value != 0) != wanted;
        masks.iter_mut().zip(&cond.values).filter(other).for_each(|(mask, _)| *mask = 0);
        fits
    };
    if let Some(Op::Select(cond, yes, no)) = op_of(word) {
        let (nothing, other, wanted) = if constant(yes) == Some(0) { (yes, no, false) } else { (no, yes, true) };
        if constant(nothing) == Some(0)
            && let Some(cond) = found.entries(program, &op_of, cond)
            && only(&cond, wanted)
        {
            word = other;
        }
    }
    if let Some(also) = also {
        // One bit is asked for, of a truth value.
        let entries = found.entries(program, &op_of, also)?;
        if entries.values.iter().any(|&value| value > 1) || !only(&entries, true) {
            return None;
        }
    }
    Some((word, masks, position.index))
}
