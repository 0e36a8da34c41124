//! Whether an entry of one of several tables is a part of a set, asked of all of them at once.
//!
//! Code that looks for three or more in a row asks of one set that so many lines through a square, each an entry of a table of
//! its own at that square, are parts of it: `t1[i] ⊆ x | t2[i] ⊆ x | …`. The lines through a square are put into one row of
//! one table ([`Op::Within`]), which is one or two lines of the cache instead of many, and is asked two entries at once. What
//! says no more in any row is left out: `a ⊆ x` whenever `b ⊆ x`, if `a` is a part of `b`.

use super::entries::number;
use super::tables::Added;
use super::{dce, gvn};
use rustc_hash::{FxHashMap, FxHashSet};
use wir::uses::{definitions, inner_mut, reads};
use wir::{Block, FnId, Inst, MAX_WIDTH, Op, Program, Reg, stride};

/// Most tables that are asked together.
const MAX_TOGETHER: usize = MAX_WIDTH as usize;

/// From so many tables on, they are asked together.
const FEW_TABLES: usize = 3;

/// Most entries of all tables that are added to a program.
const MAX_ENTRIES: usize = 1 << 16;

/// Asks tables together. Linear in the program, times the length of tables and the square of the number of those that are
/// asked together, which is at most [`MAX_WIDTH`].
pub(super) fn together(program: &mut Program) -> Vec<FnId> {
    let mut added = Added::to(program, MAX_ENTRIES);
    let mut functions = std::mem::take(&mut added.program.functions);
    for function in &mut functions {
        let (reads, ops) = (reads(function), definitions(&function.body));
        let mut asking = Asking { added: &mut added, reads, ops, registers: function.registers };
        let changed = asking.block(&mut function.body);
        function.registers = asking.registers;
        if changed {
            *function = dce::sweep(&gvn::build(added.program, function));
        }
    }
    added.program.functions = functions;
    Vec::new()
}

struct Asking<'a, 'p> {
    added: &'a mut Added<'p>,
    /// How often each register is read.
    reads: Vec<u8>,
    ops: FxHashMap<Reg, Op>,
    registers: Reg,
}

/// Questions about a word at one index, each with its table.
struct Group {
    index: Reg,
    word: Reg,
    tables: Vec<(Reg, u32)>,
}

impl Asking<'_, '_> {
    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        let at = |(at, inst): (usize, &Inst)| if let Inst::Let { to, .. } = inst { Some((*to, at)) } else { None };
        let home: FxHashMap<Reg, usize> = block.insts.iter().enumerate().filter_map(at).collect();
        // Of a union of unions the whole is looked at, which comes after its parts.
        let mut united = FxHashSet::default();
        let mut anew: Vec<(usize, Vec<Inst>)> = Vec::new();
        for (at, inst) in block.insts.iter().enumerate().rev() {
            if let Inst::Let { to, op: Op::Or(a, b) } = *inst
                && !united.contains(&to)
            {
                let parts = self.parts([a, b], &home, &mut united);
                anew.extend(self.union(to, parts, &home).map(|insts| (at, insts)));
            }
        }
        if !anew.is_empty() {
            changed = true;
            for (at, inst) in std::mem::take(&mut block.insts).into_iter().enumerate() {
                match anew.pop_if(|(next, _)| *next == at) {
                    Some((_, insts)) => block.insts.extend(insts),
                    None => block.insts.push(inst),
                }
            }
        }
        for inst in &mut block.insts {
            inner_mut(inst).for_each(|block| changed |= self.block(block));
        }
        changed
    }

    /// The operation of a register of this block that is read once.
    fn private(&self, register: Reg, home: &FxHashMap<Reg, usize>) -> Option<Op> {
        let is_private = home.contains_key(&register) && self.reads.get(register as usize) == Some(&1);
        self.ops.get(&register).copied().filter(|_| is_private)
    }

    /// The parts of a union; adds the unions that it is made of.
    fn parts(&self, both: [Reg; 2], home: &FxHashMap<Reg, usize>, united: &mut FxHashSet<Reg>) -> Vec<Reg> {
        let (mut parts, mut left) = (Vec::new(), Vec::from(both));
        while let Some(register) = left.pop() {
            match self.private(register, home) {
                Some(Op::Or(a, b)) => {
                    united.insert(register);
                    left.extend([a, b]);
                }
                _ => parts.push(register),
            }
        }
        parts
    }

    /// A union with tables that are asked together, if there are enough of them.
    fn union(&mut self, to: Reg, parts: Vec<Reg>, home: &FxHashMap<Reg, usize>) -> Option<Vec<Inst>> {
        let mut groups: Vec<Group> = Vec::new();
        let mut others = Vec::new();
        for part in parts {
            let Some((table, index, word)) = self.tested(part, home) else {
                others.push(part);
                continue;
            };
            let fits =
                |group: &&mut Group| (group.index, group.word) == (index, word) && group.tables.len() < MAX_TOGETHER;
            match groups.iter_mut().find(fits) {
                Some(group) => group.tables.push((part, table)),
                None => groups.push(Group { index, word, tables: vec![(part, table)] }),
            }
        }
        let mut insts = Vec::new();
        for Group { index, word, tables } in groups {
            match self.rows(&tables) {
                Some((table, width)) => {
                    let op = Op::Within(table, width, index, word);
                    insts.push(Inst::Let { to: self.registers, op });
                    others.push(self.registers);
                    self.registers += 1;
                }
                None => others.extend(tables.iter().map(|(part, _)| part)),
            }
        }
        if insts.is_empty() {
            return None;
        }
        while let [.., a, b] = *others {
            others.truncate(others.len() - 2);
            others.push(self.registers);
            insts.push(Inst::Let { to: self.registers, op: Op::Or(a, b) });
            self.registers += 1;
        }
        if let Some(Inst::Let { to: last, .. }) = insts.last_mut() {
            *last = to;
        }
        Some(insts)
    }

    /// If a register asks whether an entry of a table is a part of a word: the table, the index and the word.
    fn tested(&self, part: Reg, home: &FxHashMap<Reg, usize>) -> Option<(u32, Reg, Reg)> {
        let Op::Eq(rest, zero) = self.private(part, home)? else { return None };
        let Op::AndNot(entry, word) = self.private(rest, home)? else { return None };
        if number(&|register| self.ops.get(&register).copied(), zero) != Some(0) {
            return None;
        }
        match self.ops.get(&entry)? {
            &Op::Table(table, index) => Some((table, index, word)),
            _ => None,
        }
    }

    /// A table with the entries of several next to each other, and how many of them there are.
    fn rows(&mut self, tables: &[(Reg, u32)]) -> Option<(u32, u32)> {
        if tables.len() < FEW_TABLES {
            return None;
        }
        let entries =
            |&(_, table): &(Reg, u32)| self.added.program.tables.get(table as usize).map(|table| &table.entries);
        let tables: Vec<&Vec<u64>> = tables.iter().map(entries).collect::<Option<_>>()?;
        let len = tables.iter().map(|entries| entries.len()).max()?;
        // The number of entries is a power of two.
        let entry = |entries: &&Vec<u64>, row: usize| entries.get(row & entries.len().wrapping_sub(1)).copied();
        let row =
            |row: usize| tables.iter().map(|entries| entry(entries, row)).collect::<Option<Vec<u64>>>().map(least);
        let rows: Vec<Vec<u64>> = (0..len).map(row).collect::<Option<_>>()?;
        let width = rows.iter().map(Vec::len).max().filter(|&width| width >= FEW_TABLES)?;
        // Two are asked at once.
        let width = width.next_multiple_of(2) as u32;
        let mut all = Vec::with_capacity(len * stride(width));
        for row in rows {
            let last = row.last().copied()?;
            all.extend(row);
            all.resize(all.len().next_multiple_of(stride(width)), last);
        }
        self.added.number(all).map(|table| (table, width))
    }
}

/// The sets that have no other one as a part, each once.
fn least(mut sets: Vec<u64>) -> Vec<u64> {
    sets.sort_unstable_by_key(|&set| (set.count_ones(), set));
    let mut least: Vec<u64> = Vec::with_capacity(sets.len());
    for set in sets {
        if !least.iter().any(|&part| part & !set == 0) {
            least.push(set);
        }
    }
    least
}
