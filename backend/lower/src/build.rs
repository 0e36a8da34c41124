//! Builds functions of the reasoner program: folds constants, and shares what was computed before in scope.

use rg_ir::cancel;
use rg_ir::invariant::Invariant;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use wir::{Block, Function, Inst, Op, Reg, Table};

/// How deep sums are looked through for parts that a mask leaves nothing of.
const STRIPPED: u32 = 8;
/// Entries of tables are computed beforehand if there are no more than this: a larger table is read from memory that is farther away.
const MAX_TABLED: usize = 1 << 12;
/// Most operations behind a register that are looked at.
const MAX_BEHIND: usize = 256;

/// A function under construction.
pub(super) struct Builder {
    registers: Reg,
    /// The operation behind each register that has one.
    ops: Vec<Option<Op>>,
    known: FxHashMap<Op, Reg>,
    /// The bits that each register can have.
    bits: Vec<u64>,
    /// The numbers that some registers can be, a bit for each.
    numbers: FxHashMap<Reg, Rc<[u64]>>,
    scopes: Vec<Scope>,
    /// Blocks so far.
    blocks: u64,
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
    /// By hash of the entries, the numbers of tables: large ones are hashed once.
    numbers: FxHashMap<u64, Vec<u32>>,
}

impl Tables {
    /// The number of a table with these entries, padded to a power of two: indices that are too large count as the last one.
    pub(super) fn number(&self, mut entries: Vec<u64>) -> u32 {
        let last = entries.last().copied().invariant_or(0, "a table has entries");
        entries.resize(entries.len().max(1).next_power_of_two(), last);
        let mut hasher = FxHasher::default();
        entries.hash(&mut hasher);
        let mut known = self.0.borrow_mut();
        let Known { list, numbers } = &mut *known;
        let numbers = numbers.entry(hasher.finish()).or_default();
        let is_same = |number: &u32| list.get(*number as usize).is_some_and(|table| table.entries == entries);
        if let Some(number) = numbers.iter().copied().find(is_same) {
            return number;
        }
        let number = list.len() as u32;
        numbers.push(number);
        list.push(Table { entries });
        number
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
        Self { registers: params, ops, known, bits, numbers: FxHashMap::default(), scopes, blocks: 0, tables }
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
        self.scopes.last().map(|scope| scope.block).invariant_or(0, "code is in a scope")
    }

    /// Whether code is appended to a block, or to one inside it.
    pub(super) fn is_open(&self, block: u64) -> bool {
        self.scopes.iter().any(|scope| scope.block == block)
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

    /// Whether a register is computed from another, as far as so many operations between them tell.
    pub(super) fn depends(&self, reg: Reg, on: Reg, depth: u32) -> bool {
        let depends = |read| depth > 0 && self.depends(read, on, depth - 1);
        reg == on || self.op_of(reg).is_some_and(|op| op.reads().any(depends))
    }

    /// The value of an operation, given those of the registers that it reads.
    pub(super) fn evaluate(&self, op: Op, value: impl Fn(Reg) -> Option<u64>) -> Option<u64> {
        let value = |reg| value(reg).or_else(|| self.constant_of(reg));
        op.evaluate(&self.tables.0.borrow().list, value)
    }

    /// Whether a register is the same wherever a function that writes nothing is: a function of the state alone, not of what a
    /// loop goes round with. O(operations behind it, up to a bound).
    pub(super) fn is_of_state(&self, reg: Reg) -> bool {
        let (mut work, mut seen) = (vec![reg], FxHashSet::default());
        while let Some(reg) = work.pop() {
            if !seen.insert(reg) {
                continue;
            }
            let Some(op) = self.op_of(reg).filter(|_| seen.len() < MAX_BEHIND) else { return false };
            work.extend(op.reads());
        }
        true
    }

    /// The bits that a register may have, as far as its operations tell.
    pub(super) fn possible_bits(&self, reg: Reg) -> u64 {
        self.bits.get(reg as usize).copied().unwrap_or(u64::MAX)
    }

    /// How many bits a register may have at once, as far as so many operations tell.
    pub(super) fn most_bits(&self, reg: Reg, depth: u32) -> u32 {
        let of = |reg| self.most_bits(reg, depth.saturating_sub(1));
        let most = match self.op_of(reg).filter(|_| depth > 0) {
            Some(Op::And(a, b)) => of(a).min(of(b)),
            Some(Op::AndNot(a, _) | Op::ShlBy(a, _) | Op::ShrBy(a, _)) => of(a),
            Some(Op::Or(a, b) | Op::Xor(a, b)) => of(a).saturating_add(of(b)),
            Some(Op::Select(_, a, b)) => of(a).max(of(b)),
            Some(Op::Table(table, _)) => {
                let counts = |entries: &[u64]| entries.iter().map(|entry| entry.count_ones()).max();
                self.tables.read(table, counts).flatten().unwrap_or(u64::BITS)
            }
            _ => u64::BITS,
        };
        most.min(self.possible_bits(reg).count_ones())
    }

    /// Notes that a register has no other bits than these.
    pub(super) fn bound(&mut self, reg: Reg, bits: u64) {
        if let Some(known) = self.bits.get_mut(reg as usize) {
            *known &= bits;
        }
    }

    /// Notes that a register is one of some numbers, given by a bit for each.
    pub(super) fn confine(&mut self, reg: Reg, numbers: Rc<[u64]>) {
        let most = numbers.iter().rposition(|&word| word != 0);
        let most = most.and_then(|at| Some(64 * at as u64 + u64::from(numbers.get(at)?.ilog2())));
        if let Some(bits) = most.and_then(|most| (most + 1).checked_next_power_of_two()) {
            self.bound(reg, bits - 1);
        }
        self.numbers.insert(reg, numbers);
    }

    /// The numbers that a register is confined to, if it is.
    pub(super) fn confined(&self, reg: Reg) -> Option<&Rc<[u64]>> {
        self.numbers.get(&reg)
    }

    /// Whether a register may be a number.
    fn may_be(&self, reg: Reg, number: usize) -> bool {
        let confined = self.numbers.get(&reg);
        let is_one = |words: &Rc<[u64]>| words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
        number as u64 & !self.possible_bits(reg) == 0 && confined.is_none_or(is_one)
    }

    fn bits_of(&self, op: Op) -> u64 {
        let of = |reg| self.possible_bits(reg);
        match op {
            Op::Const(value) => value,
            Op::And(a, b) => of(a) & of(b),
            Op::Or(a, b) | Op::Xor(a, b) | Op::Select(_, a, b) => of(a) | of(b),
            Op::AndNot(a, b) => of(a) & self.constant_of(b).map_or(u64::MAX, |b| !b),
            Op::Shl(one, by) if self.constant_of(one) == Some(1) && of(by) < 64 => {
                let places = (0..64).filter(|&place| self.may_be(by, place));
                places.fold(0, |all, place| all | 1 << place)
            }
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

    /// The value of an entry of a table that does not exist yet. Entries that are never looked up are as the others are.
    pub(super) fn looked_up(&mut self, mut entries: Vec<u64>, index: Reg) -> Reg {
        let padded = entries.len().max(1).next_power_of_two();
        if self.possible_bits(index) < padded as u64 {
            let may_be = |number: usize| self.may_be(index, number);
            // The last one stands for all behind it.
            let behind = (entries.len()..padded).any(may_be);
            let mut meant: Vec<bool> = (0..entries.len()).map(may_be).collect();
            meant.last_mut().iter_mut().for_each(|last| **last |= behind);
            let first = meant.iter().position(|&meant| meant).and_then(|at| entries.get(at).copied());
            if let (Some(first), Some(last)) = (first, meant.iter().rposition(|&meant| meant)) {
                entries.truncate(last + 1);
                entries.iter_mut().zip(&meant).filter(|(_, meant)| !**meant).for_each(|(entry, _)| *entry = first);
            }
        }
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
            Some(Op::Table(table, index))
                if self.tables.read(table, |entries| entries.len() <= MAX_TABLED).unwrap_or(false) =>
            {
                Some((table, index))
            }
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
    pub(super) fn is_truth(&self, reg: Reg) -> bool {
        self.possible_bits(reg) < 2
    }

    /// A constant.
    pub(super) fn constant(&mut self, value: u64) -> Reg {
        self.op(Op::Const(value))
    }

    /// The value of an operation: a known register, or a new one.
    pub(super) fn op(&mut self, op: Op) -> Reg {
        cancel::check();
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
    pub(super) fn exit_if(&mut self, cond: Reg) {
        if self.constant_of(cond) != Some(0) {
            self.push(Inst::SideExit { cond });
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
