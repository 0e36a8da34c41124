//! Builds functions of the reasoner program: folds constants, and shares what was computed before in scope.

use crate::ir::{Block, Function, Inst, Op, Reg, Table};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// How deep sums are looked through for parts that a mask leaves nothing of.
const STRIPPED: u32 = 8;

/// A function under construction.
pub(super) struct Builder {
    registers: Reg,
    /// The operation behind each register that has one.
    ops: Vec<Option<Op>>,
    known: FxHashMap<Op, Reg>,
    /// The bits that each register can have.
    bits: Vec<u64>,
    scopes: Vec<Scope>,
    /// Blocks so far.
    blocks: u64,
    /// The numbers that a register can hold, for those that choose one of few: a bit each.
    domains: FxHashMap<Reg, Rc<[u64]>>,
    tables: Tables,
}

#[derive(Default)]
struct Scope {
    /// Its number.
    block: u64,
    insts: Vec<Inst>,
    /// What ceases to be known at the end of the block.
    added: Vec<Op>,
}

/// Blocks that were left for a while.
pub(super) struct Suspended {
    scopes: Vec<Scope>,
    known: Vec<(Op, Reg)>,
}

/// The tables of a program under construction, which all of its functions share.
#[derive(Clone, Default)]
pub(super) struct Tables(Rc<RefCell<Known>>);

#[derive(Default)]
struct Known {
    list: Vec<Table>,
    numbers: FxHashMap<Table, u32>,
}

impl Tables {
    /// The number of a table with these entries, padded to a power of two: indices that are too large count as the last one.
    pub(super) fn number(&self, mut entries: Vec<u64>) -> u32 {
        let last = entries.last().copied().unwrap_or(0);
        entries.resize(entries.len().max(1).next_power_of_two(), last);
        let table = Table { entries };
        let mut known = self.0.borrow_mut();
        let Known { list, numbers } = &mut *known;
        *numbers.entry(table).or_insert_with_key(|table| {
            list.push(table.clone());
            list.len() as u32 - 1
        })
    }

    /// What is made of the entries of a table.
    pub(super) fn read<T>(&self, table: u32, read: impl FnOnce(&[u64]) -> T) -> Option<T> {
        self.0.borrow().list.get(table as usize).map(|table| read(&table.entries))
    }

    /// A table whose entries are made of those of two tables; `None` if these are not equally long.
    pub(super) fn of_both(&self, a: u32, b: u32, entry: impl Fn(u64, u64) -> u64) -> Option<Vec<u64>> {
        let known = self.0.borrow();
        let (a, b) = (&known.list.get(a as usize)?.entries, &known.list.get(b as usize)?.entries);
        (a.len() == b.len()).then(|| a.iter().zip(b).map(|(&a, &b)| entry(a, b)).collect())
    }

    /// All of them by number.
    pub(super) fn all(&self) -> Vec<Table> {
        self.0.borrow().list.clone()
    }
}

impl Builder {
    /// A function with so many parameters.
    pub(super) fn new(params: u32, tables: &Tables) -> Self {
        let (ops, bits) = (vec![None; params as usize], vec![u64::MAX; params as usize]);
        let (known, scopes, tables) = (FxHashMap::default(), vec![Scope::default()], tables.clone());
        Self { registers: params, ops, known, bits, scopes, blocks: 0, domains: FxHashMap::default(), tables }
    }

    /// A register that something else than an operation defines.
    pub(super) fn fresh(&mut self) -> Reg {
        self.ops.push(None);
        self.bits.push(u64::MAX);
        self.registers += 1;
        self.registers - 1
    }

    /// Appends an instruction.
    pub(super) fn push(&mut self, inst: Inst) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insts.push(inst);
        }
    }

    /// Begins a block inside the present one.
    pub(super) fn open(&mut self) {
        self.blocks += 1;
        self.scopes.push(Scope { block: self.blocks, ..Scope::default() });
    }

    /// The number of the present block.
    pub(super) fn block(&self) -> u64 {
        self.scopes.last().map_or(0, |scope| scope.block)
    }

    /// Whether code is appended to a block, or to one inside it.
    pub(super) fn is_open(&self, block: u64) -> bool {
        self.scopes.iter().any(|scope| scope.block == block)
    }

    /// Notes that a register holds one of some numbers, a bit each.
    pub(super) fn chosen_from(&mut self, reg: Reg, numbers: &[u64]) {
        self.domains.insert(reg, numbers.into());
    }

    /// The numbers that a register that is chosen may hold.
    pub(super) fn domain(&self, reg: Reg) -> Option<impl Iterator<Item = u64>> {
        let words = self.domains.get(&reg)?;
        let numbers = (0..)
            .zip(words.iter())
            .flat_map(|(i, &word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * i + bit));
        Some(numbers)
    }

    /// Ends a block begun with [`Builder::open`].
    pub(super) fn close(&mut self, yields: Vec<Reg>) -> Block {
        let scope = self.scopes.pop().unwrap_or_default();
        for op in scope.added {
            self.known.remove(&op);
        }
        Block { insts: scope.insts, yields }
    }

    /// Drops all blocks beyond a depth.
    pub(super) fn unwind(&mut self, depth: usize) {
        while self.depth() > depth.max(1) {
            self.close(Vec::new());
        }
    }

    /// Appends the instructions of a block that was closed and whose registers are to be known after all.
    pub(super) fn splice(&mut self, block: Block) {
        let Some(scope) = self.scopes.last_mut() else { return };
        for inst in block.insts {
            if let Inst::Let { to, op } = inst
                && let std::collections::hash_map::Entry::Vacant(entry) = self.known.entry(op)
            {
                entry.insert(to);
                scope.added.push(op);
            }
            scope.insts.push(inst);
        }
    }

    /// Leaves the blocks beyond a depth for a while, to append to the one around them.
    pub(super) fn suspend(&mut self, depth: usize) -> Suspended {
        let scopes = self.scopes.split_off(depth.clamp(1, self.scopes.len()));
        let added = scopes.iter().flat_map(|scope| scope.added.iter());
        let known = added.filter_map(|op| Some((*op, self.known.remove(op)?))).collect();
        Suspended { scopes, known }
    }

    /// Goes on with the blocks that were left.
    pub(super) fn resume(&mut self, suspended: Suspended) {
        self.scopes.extend(suspended.scopes);
        for (op, reg) in suspended.known {
            self.known.entry(op).or_insert(reg);
        }
    }

    /// How deep blocks are nested.
    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Number of registers so far, a measure of the size of the code.
    pub(super) fn size(&self) -> usize {
        self.registers as usize
    }

    /// The finished function.
    pub(super) fn finish(mut self, name: String, params: u32, yields: Vec<Reg>) -> Function {
        let body = self.close(yields);
        Function { name, params, registers: self.registers, body }
    }

    /// The constant that a register is known to hold.
    pub(super) fn constant_of(&self, reg: Reg) -> Option<u64> {
        match self.op_of(reg) {
            Some(Op::Const(value)) => Some(value),
            _ if self.possible_bits(reg) == 0 => Some(0),
            _ => None,
        }
    }

    /// The operation behind a register.
    pub(super) fn op_of(&self, reg: Reg) -> Option<Op> {
        self.ops.get(reg as usize).copied().flatten()
    }

    /// The bits that a register may have, as far as its operations tell.
    pub(super) fn possible_bits(&self, reg: Reg) -> u64 {
        self.bits.get(reg as usize).copied().unwrap_or(u64::MAX)
    }

    /// Notes that a register has no other bits than these.
    pub(super) fn bound(&mut self, reg: Reg, bits: u64) {
        if let Some(known) = self.bits.get_mut(reg as usize) {
            *known &= bits;
        }
    }

    fn bits_of(&self, op: Op) -> u64 {
        let of = |reg| self.possible_bits(reg);
        match op {
            Op::Const(value) => value,
            Op::And(a, b) => of(a) & of(b),
            Op::Or(a, b) | Op::Xor(a, b) | Op::Select(_, a, b) => of(a) | of(b),
            Op::AndNot(a, b) => of(a) & self.constant_of(b).map_or(u64::MAX, |b| !b),
            Op::ShlBy(a, by) => of(a) << (by & 63),
            Op::ShrBy(a, by) => of(a) >> (by & 63),
            Op::Eq(..) | Op::Ne(..) | Op::Less(..) => 1,
            Op::Count(_) | Op::Lowest(_) | Op::Highest(_) => 0x7f,
            Op::Table(table, _) => {
                let all = self.tables.read(table, |entries| entries.iter().fold(0, |all, entry| all | entry));
                all.unwrap_or(u64::MAX)
            }
            _ => u64::MAX,
        }
    }

    /// The value of an entry of a table that does not exist yet.
    pub(super) fn looked_up(&mut self, entries: Vec<u64>, index: Reg) -> Reg {
        match entries.split_first() {
            Some((&first, rest)) if rest.iter().all(|&entry| entry == first) => self.constant(first),
            _ => {
                let table = self.tables.number(entries);
                self.op(Op::Table(table, index))
            }
        }
    }

    /// An operation on entries of tables as an entry of another table: its entries, and the index.
    fn tabled(&self, op: Op) -> Option<(Vec<u64>, Reg)> {
        let entry = |reg| match self.op_of(reg) {
            Some(Op::Table(table, index)) => Some((table, index)),
            _ => None,
        };
        let each = |reg, change: &dyn Fn(u64) -> u64| {
            let (table, index) = entry(reg)?;
            let entries = self.tables.read(table, |entries| entries.iter().map(|&entry| change(entry)).collect())?;
            Some((entries, index))
        };
        let both = |a, b, change: &dyn Fn(u64, u64) -> u64| {
            if let Some(value) = self.constant_of(b) {
                return each(a, &|entry| change(entry, value));
            }
            let ((s, index), (t, other)) = (entry(a)?, entry(b)?);
            (index == other).then(|| self.tables.of_both(s, t, change)).flatten().map(|entries| (entries, index))
        };
        match op {
            Op::ShlBy(a, by) => each(a, &|entry| entry << (by & 63)),
            Op::ShrBy(a, by) => each(a, &|entry| entry >> (by & 63)),
            Op::And(a, b) if self.constant_of(a).is_some() => both(b, a, &|a, b| a & b),
            Op::And(a, b) => both(a, b, &|a, b| a & b),
            Op::Or(a, b) if self.constant_of(a).is_none() && self.constant_of(b).is_none() => both(a, b, &|a, b| a | b),
            Op::AndNot(a, b) => both(a, b, &|a, b| a & !b),
            _ => None,
        }
    }

    /// Whether a register is known to be 0 or 1.
    fn is_truth(&self, reg: Reg) -> bool {
        self.possible_bits(reg) < 2
    }

    /// A constant.
    pub(super) fn constant(&mut self, value: u64) -> Reg {
        self.op(Op::Const(value))
    }

    /// The value of an operation: a known register, or a new one.
    pub(super) fn op(&mut self, op: Op) -> Reg {
        match self.simplified(op) {
            Ok(reg) => reg,
            Err(op) => {
                if let Some(&reg) = self.known.get(&op) {
                    return reg;
                }
                if let Some((entries, index)) = self.tabled(op) {
                    return self.looked_up(entries, index);
                }
                let to = self.registers;
                self.registers += 1;
                self.ops.push(Some(op));
                self.bits.push(self.bits_of(op));
                self.known.insert(op, to);
                if let Some(scope) = self.scopes.last_mut() {
                    scope.added.push(op);
                    scope.insts.push(Inst::Let { to, op });
                }
                to
            }
        }
    }

    /// For an intersection with a number that leaves all of some bits: the other part of it. Truth values stay what they
    /// are.
    fn unmasked(&self, reg: Reg, bits: u64) -> Option<Reg> {
        let Op::And(a, b) = self.op_of(reg).filter(|_| bits > 1 && !self.is_truth(reg))? else { return None };
        let covers = |mask: Reg| self.constant_of(mask).is_some_and(|mask| bits & !mask == 0);
        if covers(b) { Some(a) } else { covers(a).then_some(b) }
    }

    fn simplified(&mut self, op: Op) -> Result<Reg, Op> {
        // What a number leaves is left of the other anyway.
        let unmasked =
            |a: Reg, b: Reg| self.unmasked(b, self.possible_bits(a)).filter(|_| self.constant_of(a).is_none());
        let op = match op {
            Op::And(a, b) => match (unmasked(a, b), unmasked(b, a)) {
                (Some(b), _) => Op::And(a, b),
                (_, Some(a)) => Op::And(a, b),
                _ => op,
            },
            Op::AndNot(a, b) => unmasked(a, b).map_or(op, |b| Op::AndNot(a, b)),
            _ => op,
        };
        self.folded(op)
    }

    fn folded(&mut self, op: Op) -> Result<Reg, Op> {
        const ALL: u64 = u64::MAX;
        let value = |reg| self.constant_of(reg);
        let fold = |value: u64| Err(Op::Const(value));
        match op {
            Op::Const(_) | Op::Load(_) | Op::Table(..) => Err(op),
            Op::Not(a) => match value(a) {
                Some(a) => fold(!a),
                None => Err(op),
            },
            Op::And(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(x & y),
                (Some(0), _) | (_, Some(0)) => fold(0),
                (Some(ALL), _) => Ok(b),
                (_, Some(ALL)) => Ok(a),
                (_, Some(y)) if self.possible_bits(a) & !y == 0 => Ok(a),
                (Some(x), _) if self.possible_bits(b) & !x == 0 => Ok(b),
                (None, Some(y)) if self.possible_bits(a) & y == 0 => fold(0),
                (Some(x), None) if self.possible_bits(b) & x == 0 => fold(0),
                _ if a == b => Ok(a),
                _ => Err(Op::And(a.min(b), a.max(b))),
            },
            Op::Or(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(x | y),
                (Some(ALL), _) | (_, Some(ALL)) => fold(ALL),
                (Some(0), _) => Ok(b),
                (_, Some(0)) => Ok(a),
                _ if a == b => Ok(a),
                _ => Err(Op::Or(a.min(b), a.max(b))),
            },
            Op::Xor(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(x ^ y),
                (Some(0), _) => Ok(b),
                (_, Some(0)) => Ok(a),
                _ if a == b => fold(0),
                _ => Err(Op::Xor(a.min(b), a.max(b))),
            },
            Op::AndNot(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(x & !y),
                (Some(0), _) | (_, Some(ALL)) => fold(0),
                (_, Some(0)) => Ok(a),
                (_, Some(y)) => {
                    let mask = self.constant(!y);
                    Err(Op::And(a.min(mask), a.max(mask)))
                }
                (Some(x), None) if self.possible_bits(b) & x == 0 => Ok(a),
                _ if a == b => fold(0),
                _ => Err(op),
            },
            Op::Shl(a, b) => match (value(a), value(b)) {
                (_, Some(y)) => self.simplified(Op::ShlBy(a, (y & 63) as u32)),
                (Some(0), _) => fold(0),
                _ => Err(op),
            },
            Op::Shr(a, b) => match (value(a), value(b)) {
                (_, Some(y)) => self.simplified(Op::ShrBy(a, (y & 63) as u32)),
                (Some(0), _) => fold(0),
                _ => Err(op),
            },
            Op::ShlBy(a, by) => match value(a) {
                Some(x) => fold(x << (by & 63)),
                None if by == 0 => Ok(a),
                None => Err(op),
            },
            Op::ShrBy(a, by) => match value(a) {
                Some(x) => fold(x >> (by & 63)),
                None if by == 0 => Ok(a),
                None => Err(op),
            },
            Op::Add(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(x.wrapping_add(y)),
                (Some(0), _) => Ok(b),
                (_, Some(0)) => Ok(a),
                _ => Err(Op::Add(a.min(b), a.max(b))),
            },
            Op::Sub(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(x.wrapping_sub(y)),
                (_, Some(0)) => Ok(a),
                _ => Err(op),
            },
            Op::Mul(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(x.wrapping_mul(y)),
                (Some(0), _) | (_, Some(0)) => fold(0),
                (Some(1), _) => Ok(b),
                (_, Some(1)) => Ok(a),
                _ => Err(Op::Mul(a.min(b), a.max(b))),
            },
            Op::Eq(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(u64::from(x == y)),
                (_, Some(1)) if self.is_truth(a) => Ok(a),
                _ if a == b => fold(1),
                _ => Err(op),
            },
            Op::Ne(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(u64::from(x != y)),
                (_, Some(0)) if self.is_truth(a) => Ok(a),
                _ if a == b => fold(0),
                _ => Err(op),
            },
            Op::Less(a, b) => match (value(a), value(b)) {
                (Some(x), Some(y)) => fold(u64::from(x < y)),
                _ if a == b => fold(0),
                _ => Err(op),
            },
            Op::Select(c, a, b) => match value(c) {
                Some(0) => Ok(b),
                Some(_) => Ok(a),
                None if a == b => Ok(a),
                None if value(a) == Some(1) && value(b) == Some(0) && self.is_truth(c) => Ok(c),
                None => Err(op),
            },
            Op::Count(a) => value(a).map_or(Err(op), |x| fold(u64::from(x.count_ones()))),
            Op::Lowest(a) => value(a).map_or(Err(op), |x| fold(u64::from(x.trailing_zeros()))),
            Op::Highest(a) => match value(a) {
                Some(0) => fold(64),
                Some(x) => fold(u64::from(63 - x.leading_zeros())),
                None => Err(op),
            },
        }
    }

    pub(super) fn and(&mut self, a: Reg, b: Reg) -> Reg {
        let a = self.stripped(a, self.possible_bits(b), STRIPPED);
        let b = self.stripped(b, self.possible_bits(a), STRIPPED);
        self.op(Op::And(a, b))
    }

    /// A register without the parts that have none of the bits that count.
    fn stripped(&mut self, reg: Reg, bits: u64, depth: u32) -> Reg {
        let possible = self.possible_bits(reg);
        if possible & bits == 0 {
            return self.constant(0);
        }
        match self.op_of(reg) {
            Some(Op::Or(a, b)) if possible & !bits != 0 && depth > 0 => {
                let (left, right) = (self.stripped(a, bits, depth - 1), self.stripped(b, bits, depth - 1));
                if (left, right) == (a, b) { reg } else { self.or(left, right) }
            }
            _ => reg,
        }
    }

    pub(super) fn or(&mut self, a: Reg, b: Reg) -> Reg {
        self.op(Op::Or(a, b))
    }

    pub(super) fn and_not(&mut self, a: Reg, b: Reg) -> Reg {
        self.op(Op::AndNot(a, b))
    }

    /// 1 for 0, and 0 for 1.
    pub(super) fn negation(&mut self, truth: Reg) -> Reg {
        match self.op_of(truth) {
            Some(Op::Eq(a, b)) => return self.op(Op::Ne(a, b)),
            Some(Op::Ne(a, b)) => return self.op(Op::Eq(a, b)),
            _ => {}
        }
        let zero = self.constant(0);
        self.op(Op::Eq(truth, zero))
    }

    /// All bits set for 1, none for 0.
    pub(super) fn splat(&mut self, truth: Reg) -> Reg {
        let zero = self.constant(0);
        self.op(Op::Sub(zero, truth))
    }

    /// Gives the case back if `cond` is not 0.
    pub(super) fn bail(&mut self, cond: Reg) {
        if self.constant_of(cond) != Some(0) {
            self.push(Inst::Bail { cond });
        }
    }

    /// The case of a number, or the last, with so many results.
    pub(super) fn switch(&mut self, on: Reg, cases: Vec<Block>, results: usize) -> Vec<Reg> {
        let to: Vec<Reg> = (0..results).map(|_| self.fresh()).collect();
        for (i, &to) in to.iter().enumerate() {
            let yields =
                cases.iter().map(|case| case.yields.get(i).map_or(u64::MAX, |&value| self.possible_bits(value)));
            let bits = yields.fold(0, |all, bits| all | bits);
            self.bound(to, bits);
        }
        self.push(Inst::Switch { on, cases, to: to.clone() });
        to
    }

    /// `if cond { then } else { other }` with as many results.
    pub(super) fn if_else(&mut self, cond: Reg, then: Block, other: Block) -> Vec<Reg> {
        let to: Vec<Reg> = then.yields.iter().map(|_| self.fresh()).collect();
        for ((&to, &a), &b) in to.iter().zip(&then.yields).zip(&other.yields) {
            let bits = self.possible_bits(a) | self.possible_bits(b);
            self.bound(to, bits);
        }
        self.push(Inst::If { cond, then, other, to: to.clone() });
        to
    }
}
