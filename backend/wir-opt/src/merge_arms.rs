//! Cases of a choice that do the same with other numbers become one: what differs is looked up by the number of the case.
//!
//! Moves of a kind differ in the direction in which they go, say: their cases have the same instructions and read other
//! tables. As one case they are less code, and no jump that the processor has to guess.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use wir::uses::{definitions, inner};
use wir::{Block, Function, Inst, Op, Program, Reg, Table};

/// Most entries of a table that is made.
const MAX_ENTRIES: usize = 1 << 13;
/// Most entries of all tables that are made for one function.
const MAX_ALL: usize = 1 << 16;
/// Most cases that are compared.
const MAX_CASES: usize = 256;
/// Most numbers that can be looked up by one register.
const MAX_NUMBER: u64 = 1 << 10;

/// Unites cases of a function; the tables that this takes are added to the program. Returns whether there were any.
pub(super) fn unite(program: &mut Program, function: &mut Function) -> bool {
    let definitions = definitions(&function.body);
    let (registers, tables) = (function.registers, FxHashMap::default());
    let mut pass = MergeArms { program, definitions, registers, tables, room: MAX_ALL, united: false };
    pass.block(&mut function.body);
    function.registers = pass.registers;
    pass.united
}

struct MergeArms<'p> {
    program: &'p mut Program,
    definitions: FxHashMap<Reg, Op>,
    registers: Reg,
    /// Tables that were made.
    tables: FxHashMap<Vec<u64>, u32>,
    /// Entries of tables that may still be made.
    room: usize,
    united: bool,
}

/// Some cases that become one.
struct Uniting<'c> {
    /// The number of the case among them.
    on: Reg,
    /// By case: what its registers are called in the first one.
    names: &'c mut [FxHashMap<Reg, Reg>],
}

impl MergeArms<'_> {
    fn fresh(&mut self) -> Reg {
        self.registers += 1;
        self.registers - 1
    }

    fn put(&mut self, op: Op, insts: &mut Vec<Inst>) -> Reg {
        let to = self.fresh();
        self.definitions.insert(to, op);
        insts.push(Inst::Let { to, op });
        to
    }

    fn constant(&self, register: Reg) -> Option<u64> {
        match self.definitions.get(&register) {
            Some(Op::Const(number)) => Some(*number),
            _ => None,
        }
    }

    /// The greatest number that a register may be, as far as that is easily seen.
    fn most(&self, register: Reg) -> u64 {
        match self.definitions.get(&register) {
            Some(&Op::Const(number)) => number,
            Some(&Op::And(a, b)) => {
                let most = self.constant(a).or_else(|| self.constant(b));
                most.unwrap_or(u64::MAX)
            }
            Some(&Op::ShrBy(_, by)) => u64::MAX >> (by & 63),
            Some(&Op::Table(table, _)) => {
                let entries = self.program.tables.get(table as usize).map(|table| &table.entries);
                entries.and_then(|entries| entries.iter().max().copied()).unwrap_or(u64::MAX)
            }
            Some(Op::Eq(..) | Op::Ne(..) | Op::Less(..) | Op::Within(..)) => 1,
            Some(Op::Lowest(_) | Op::Highest(_) | Op::Count(_)) => 64,
            _ => u64::MAX,
        }
    }

    fn table(&mut self, mut entries: Vec<u64>) -> Option<u32> {
        let last = entries.last().copied()?;
        entries.resize(entries.len().next_power_of_two(), last);
        let length = entries.len();
        match self.tables.entry(entries) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(new) => {
                self.room = self.room.checked_sub(length).filter(|_| length <= MAX_ENTRIES)?;
                self.program.tables.push(Table { entries: new.key().clone() });
                Some(*new.insert(self.program.tables.len() as u32 - 1))
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in block.insts.drain(..) {
            match &mut inst {
                Inst::If { then, other, .. } => {
                    self.block(then);
                    self.block(other);
                }
                Inst::Switch { on, cases, to } => {
                    cases.iter_mut().for_each(|case| self.block(case));
                    let before = insts.len();
                    if let Some(united) = self.switch(*on, cases, to, &mut insts) {
                        self.united = true;
                        insts.extend(united);
                        continue;
                    }
                    insts.truncate(before);
                }
                Inst::Each { body, .. } | Inst::Loop { body, .. } => self.block(body),
                _ => {}
            }
            insts.push(inst);
        }
        block.insts = insts;
    }

    /// What takes the place of a choice between cases; what it needs before is added to `insts`.
    fn switch(&mut self, on: Reg, cases: &[Block], to: &[Reg], insts: &mut Vec<Inst>) -> Option<Vec<Inst>> {
        if cases.len() > MAX_CASES {
            return None;
        }
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        let mut shapes: Vec<Vec<u64>> = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            let mut shape = Vec::new();
            self.shape(case, &mut shape);
            match shapes.iter().position(|other| *other == shape) {
                Some(at) => kinds.get_mut(at)?.push(number),
                None => {
                    shapes.push(shape);
                    kinds.push(vec![number]);
                }
            }
        }
        if 2 * kinds.len() > cases.len() {
            return None;
        }
        // Too large numbers are the last case.
        let most = self.most(on);
        let on = if most < MAX_NUMBER {
            on
        } else {
            let last = self.put(Op::Const(cases.len() as u64 - 1), insts);
            let less = self.put(Op::Less(on, last), insts);
            self.put(Op::Select(less, on, last), insts)
        };
        let numbers = if most < MAX_NUMBER { most as usize + 1 } else { cases.len() };
        let case_of = |number: usize| number.min(cases.len() - 1);
        let place = |number: usize, of: &dyn Fn(usize, usize) -> usize| {
            let at = kinds.iter().position(|kind| kind.contains(&case_of(number)))?;
            let among = kinds.get(at)?.iter().position(|&case| case == case_of(number))?;
            Some(of(at, among) as u64)
        };
        let by = |of: &dyn Fn(usize, usize) -> usize| (0..numbers).map(|number| place(number, of)).collect();
        if let [_] = kinds[..] {
            let (mut united, yields) = self.united(on, &(0..numbers).map(case_of).collect::<Vec<_>>(), cases)?;
            united.extend(to.iter().zip(yields).map(|(&to, value)| Inst::Let { to, op: Op::Or(value, value) }));
            return Some(united);
        }
        let among: Option<Vec<u64>> = by(&|_, among| among);
        let kind: Option<Vec<u64>> = by(&|kind, _| kind);
        let (among, kind) = (self.table(among?)?, self.table(kind?)?);
        let (among, kind) = (self.put(Op::Table(among, on), insts), self.put(Op::Table(kind, on), insts));
        let mut blocks = Vec::with_capacity(kinds.len());
        for kind in &kinds {
            let (insts, yields) = match kind[..] {
                [case] => (cases.get(case)?.insts.clone(), cases.get(case)?.yields.clone()),
                _ => self.united(among, kind, cases)?,
            };
            blocks.push(Block { insts, yields });
        }
        Some(vec![Inst::Switch { on: kind, cases: blocks, to: to.to_vec() }])
    }

    /// One block for some cases, by the number of which among them it looks up what differs.
    fn united(&mut self, on: Reg, chosen: &[usize], cases: &[Block]) -> Option<(Vec<Inst>, Vec<Reg>)> {
        let chosen: Vec<&Block> = chosen.iter().map(|&case| cases.get(case)).collect::<Option<_>>()?;
        let mut names = vec![FxHashMap::default(); chosen.len()];
        let mut insts = Vec::new();
        let yields = self.unite(&mut Uniting { on, names: &mut names }, &chosen, &mut insts)?;
        Some((insts, yields))
    }

    /// What a block does, apart from numbers, tables and registers.
    fn shape(&self, block: &Block, shape: &mut Vec<u64>) {
        for inst in &block.insts {
            let kind = match inst {
                Inst::Let { op: Op::Const(_), .. } => continue,
                Inst::Let { op, .. } => 16 + kind(*op),
                Inst::Store { word, .. } => 256 + u64::from(*word),
                Inst::If { .. } => 0,
                Inst::Switch { cases, .. } => 1 << 33 | cases.len() as u64,
                Inst::Each { carried, .. } => 1 << 34 | carried.len() as u64,
                Inst::Loop { carried, .. } => 1 << 35 | carried.len() as u64,
                Inst::Call { function, .. } => 1 << 36 | u64::from(*function),
                Inst::Emit { .. } => 1,
                Inst::EmitSet { shift, .. } => 1 << 37 | u64::from(*shift),
                Inst::SideExit { .. } => 2,
                Inst::Peek { .. } => 3,
                Inst::Poke { .. } => 4,
            };
            shape.push(kind);
            inner(inst).for_each(|block| self.shape(block, shape));
        }
        shape.push(1 << 38 | block.yields.len() as u64);
    }

    /// Writes blocks that do the same as one. Returns what it yields; `None` if they do not do the same.
    fn unite(&mut self, uniting: &mut Uniting<'_>, blocks: &[&Block], insts: &mut Vec<Inst>) -> Option<Vec<Reg>> {
        let is_code = |inst: &&Inst| !matches!(inst, Inst::Let { op: Op::Const(_), .. });
        let codes: Vec<Vec<&Inst>> = blocks.iter().map(|block| block.insts.iter().filter(is_code).collect()).collect();
        for at in 0..codes.first()?.len() {
            let row: Vec<&Inst> = codes.iter().map(|code| code.get(at).copied()).collect::<Option<_>>()?;
            self.unite_row(uniting, &row, insts)?;
        }
        (0..blocks.first()?.yields.len())
            .map(|at| {
                let row: Vec<Reg> = blocks.iter().map(|block| block.yields.get(at).copied()).collect::<Option<_>>()?;
                self.operand(uniting, &row, insts)
            })
            .collect()
    }

    /// Gives what the cases define one name.
    fn define(&mut self, uniting: &mut Uniting<'_>, row: &[Reg]) -> Reg {
        let to = self.fresh();
        for (names, &register) in uniting.names.iter_mut().zip(row) {
            names.insert(register, to);
        }
        to
    }

    /// A register that all cases read, each under a name of its own.
    fn operand(&mut self, uniting: &mut Uniting<'_>, row: &[Reg], insts: &mut Vec<Inst>) -> Option<Reg> {
        let numbers: Option<Vec<u64>> = row.iter().map(|&register| self.constant(register)).collect();
        if let Some(numbers) = numbers {
            let &first = numbers.first()?;
            if numbers.iter().all(|&number| number == first) {
                return Some(self.put(Op::Const(first), insts));
            }
            let table = self.table(numbers)?;
            return Some(self.put(Op::Table(table, uniting.on), insts));
        }
        let mut named = row.iter().zip(uniting.names.iter());
        let mut name = || named.next().map(|(register, names)| names.get(register).copied().unwrap_or(*register));
        let first = name()?;
        while let Some(other) = name() {
            if other != first {
                return None;
            }
        }
        Some(first)
    }

    fn unite_row(&mut self, uniting: &mut Uniting<'_>, row: &[&Inst], insts: &mut Vec<Inst>) -> Option<()> {
        /// What the row has of one kind of instruction.
        macro_rules! all {
            ($pattern:pat => $value:expr) => {
                row.iter()
                    .map(|inst| if let $pattern = *inst { Some($value) } else { None })
                    .collect::<Option<Vec<_>>>()?
            };
        }
        match *row.first()? {
            Inst::Let { .. } => {
                let ops = all!(Inst::Let { op, .. } => *op);
                let op = self.operation(uniting, &ops, insts)?;
                let to = self.define(uniting, &all!(Inst::Let { to, .. } => *to));
                self.definitions.insert(to, op);
                insts.push(Inst::Let { to, op });
            }
            Inst::Store { word, .. } => {
                let value = self.operand(uniting, &all!(Inst::Store { value, .. } => *value), insts)?;
                insts.push(Inst::Store { word: *word, value });
            }
            Inst::SideExit { .. } => {
                let cond = self.operand(uniting, &all!(Inst::SideExit { cond } => *cond), insts)?;
                insts.push(Inst::SideExit { cond });
            }
            Inst::If { .. } => {
                let cond = self.operand(uniting, &all!(Inst::If { cond, .. } => *cond), insts)?;
                let then = self.arm(uniting, &all!(Inst::If { then, .. } => then))?;
                let other = self.arm(uniting, &all!(Inst::If { other, .. } => other))?;
                let to = self.define_all(uniting, &all!(Inst::If { to, .. } => &to[..]))?;
                insts.push(Inst::If { cond, then, other, to });
            }
            Inst::Call { function, args, .. } => {
                let all = all!(Inst::Call { args, .. } => &args[..]);
                let args = (0..args.len()).map(|at| {
                    let row: Vec<Reg> = all.iter().map(|args| args.get(at).copied()).collect::<Option<_>>()?;
                    self.operand(uniting, &row, insts)
                });
                let args = args.collect::<Option<Vec<_>>>()?;
                let to = self.define(uniting, &all!(Inst::Call { to, .. } => *to));
                insts.push(Inst::Call { function: *function, args, to });
            }
            // Cases with loops take their time anyway, and moves are made without emitting any.
            Inst::Switch { .. } | Inst::Each { .. } | Inst::Loop { .. } | Inst::Emit { .. } | Inst::EmitSet { .. } => {
                return None;
            }
            Inst::Peek { .. } | Inst::Poke { .. } => return None,
        }
        Some(())
    }

    fn define_all(&mut self, uniting: &mut Uniting<'_>, rows: &[&[Reg]]) -> Option<Vec<Reg>> {
        let define = |at: usize| {
            let row: Vec<Reg> = rows.iter().map(|row| row.get(at).copied()).collect::<Option<_>>()?;
            Some(self.define(uniting, &row))
        };
        (0..rows.first()?.len()).map(define).collect()
    }

    fn arm(&mut self, uniting: &mut Uniting<'_>, arms: &[&Block]) -> Option<Block> {
        let mut insts = Vec::new();
        let yields = self.unite(uniting, arms, &mut insts)?;
        Some(Block { insts, yields })
    }

    /// An operation that is the same in all cases, but for numbers and tables.
    fn operation(&mut self, uniting: &mut Uniting<'_>, ops: &[Op], insts: &mut Vec<Inst>) -> Option<Op> {
        let &first = ops.first()?;
        if ops.iter().any(|&op| kind(op) != kind(first)) {
            return None;
        }
        let count = first.reads().count();
        let mut reads = Vec::with_capacity(count);
        for at in 0..count {
            let row: Vec<Reg> = ops.iter().map(|op| op.reads().nth(at)).collect::<Option<_>>()?;
            reads.push(self.operand(uniting, &row, insts)?);
        }
        let mut rest = reads.iter().copied();
        let op = first.map_reads(|register| rest.next().unwrap_or(register));
        let same = |op: Op| op.map_reads(|_| 0);
        if ops.iter().all(|&op| same(op) == same(first)) {
            return Some(op);
        }
        let &operand = reads.first()?;
        match op {
            Op::Table(..) => {
                let of = |op: &Op| if let Op::Table(table, _) = op { Some(*table as usize) } else { None };
                let tables: Vec<usize> = ops.iter().map(of).collect::<Option<_>>()?;
                let read = |&table: &usize| self.program.tables.get(table).map(|table| table.entries.len());
                let length = tables.iter().map(read).collect::<Option<Vec<_>>>()?.into_iter().max()?;
                if length * tables.len().next_power_of_two() > MAX_ENTRIES {
                    return None;
                }
                let entries = tables.iter().flat_map(|&table| {
                    let entries = self.program.tables.get(table).map_or(&[][..], |table| &table.entries);
                    // They go round.
                    entries.iter().copied().cycle().take(length)
                });
                let mut entries: Vec<u64> = entries.collect();
                let last = entries.get(entries.len().checked_sub(length)?..)?.to_vec();
                while !(entries.len() / length).is_power_of_two() {
                    entries.extend_from_slice(&last);
                }
                let table = self.table(entries)?;
                let index = if self.most(operand) < length as u64 {
                    operand
                } else {
                    let mask = self.put(Op::Const(length as u64 - 1), insts);
                    self.put(Op::And(operand, mask), insts)
                };
                let row = self.put(Op::ShlBy(uniting.on, length.trailing_zeros()), insts);
                let index = self.put(Op::Or(row, index), insts);
                Some(Op::Table(table, index))
            }
            Op::ShlBy(..) | Op::ShrBy(..) => {
                let of = |op: &Op| match op {
                    Op::ShlBy(_, by) | Op::ShrBy(_, by) => Some(u64::from(*by)),
                    _ => None,
                };
                let by = self.table(ops.iter().map(of).collect::<Option<_>>()?)?;
                let by = self.put(Op::Table(by, uniting.on), insts);
                Some(if matches!(op, Op::ShlBy(..)) { Op::Shl(operand, by) } else { Op::Shr(operand, by) })
            }
            _ => None,
        }
    }
}

/// A number for each kind of operation, whatever it reads.
fn kind(op: Op) -> u64 {
    match op {
        Op::Const(_) => 0,
        Op::Not(_) => 1,
        Op::And(..) => 2,
        Op::Or(..) => 3,
        Op::Xor(..) => 4,
        Op::AndNot(..) => 5,
        Op::Shl(..) => 6,
        Op::Shr(..) => 7,
        Op::ShlBy(..) => 8,
        Op::ShrBy(..) => 9,
        Op::Add(..) => 10,
        Op::Sub(..) => 11,
        Op::Mul(..) => 12,
        Op::Eq(..) => 13,
        Op::Ne(..) => 14,
        Op::Less(..) => 15,
        Op::Select(..) => 16,
        Op::Count(_) => 17,
        Op::Lowest(_) => 18,
        Op::Highest(_) => 19,
        // As another operation, so that each word is one of its own.
        Op::Load(word) => 32 + u64::from(word),
        Op::Table(..) => 20,
        Op::Within(..) => 21,
    }
}
