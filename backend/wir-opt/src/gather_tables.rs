//! Functions of a small number and a few bits as tables.
//!
//! Where code asks of one place after another, that `x` has a neighbour here and none beyond, what it comes to is a function
//! of `x` and of some bits of larger words, whose positions are functions of `x`. Those bits are brought side by side
//! ([`super::gather`]), and with `x` before them they are the index of a table. If what each bit contributes can be united,
//! there are several tables with fewer bits each.

use super::evaluated::{Dense, Evaluated, Outlook, gathered};
use super::gather::MAX_BITS;
use super::tables::Added;
use rg_ir::invariant::Invariant;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use wir::uses::{definitions, inner_mut, read_by, reads, results};
use wir::{Block, FnId, Function, Inst, Op, Program, Reg};

/// How many tables have to be asked at one index, so that it is worth looking at what becomes of it.
const MIN_TABLES: usize = 6;
/// Longest blocks that are looked at, and most registers in each of which the value is the place.
const MAX_BLOCK: usize = 1 << 14;
const MAX_ASKED: usize = 64;
/// Largest number of places.
const MAX_PLACES: usize = 256;
/// Most bits of the index of one table, next to the place.
const MAX_PART: u32 = 4;
/// Most words that bits are taken from.
const MAX_WORDS: usize = 3;
/// Most operations that are evaluated for one function.
const MAX_WORK: usize = 1 << 23;
/// Most entries of all tables that are added to a program.
const MAX_ENTRIES: usize = 1 << 17;

/// Puts tables in the place of larger code. Returns the functions that have changed, with what is now idle.
pub(super) fn tabulate(program: &mut Program) -> Vec<FnId> {
    let mut changed = Vec::new();
    let mut functions = std::mem::take(&mut program.functions);
    let mut added = Added::to(program, MAX_ENTRIES);
    for (id, function) in (0..).zip(&mut functions) {
        let ops = definitions(&function.body);
        let mut tabulator =
            Tabulator { added: &mut added, reads: reads(function), ops, registers: function.registers, found: false };
        let Function { body, .. } = function;
        tabulator.block(body);
        let (registers, found) = (tabulator.registers, tabulator.found);
        function.registers = registers;
        if found {
            changed.push(id);
        }
    }
    program.functions = functions;
    changed
}

struct Tabulator<'a, 'p> {
    added: &'a mut Added<'p>,
    reads: Vec<u8>,
    /// The operations of all registers.
    ops: FxHashMap<Reg, Op>,
    registers: u32,
    found: bool,
}

/// An operation whose value depends on nothing but the place and some bits.
struct Node {
    op: Op,
    /// The bits, by number, a bit each.
    bits: u64,
}

/// A bit of a word, at a position that depends on the place.
struct Bit {
    /// What chooses between the words, if there are two.
    chosen: Option<Reg>,
    words: [Reg; 2],
    /// A register, or a constant.
    position: Result<Reg, u32>,
}

/// What depends on one place and some bits in a block.
struct Cluster {
    place: Reg,
    nodes: BTreeMap<Reg, Node>,
    /// In the order of `nodes`.
    order: Vec<Reg>,
    bits: Vec<Bit>,
    /// The registers that are a bit.
    tests: FxHashMap<Reg, usize>,
}

impl Tabulator<'_, '_> {
    fn block(&mut self, block: &mut Block) {
        block.insts.iter_mut().for_each(|inst| inner_mut(inst).for_each(|block| self.block(block)));
        if block.insts.len() > MAX_BLOCK {
            return;
        }
        let mut demanded: BTreeMap<Reg, usize> = BTreeMap::new();
        for inst in &block.insts {
            if let Inst::Let { op: Op::Table(_, index), .. } = inst {
                *demanded.entry(*index).or_default() += 1;
            }
        }
        for place in
            demanded.into_iter().filter(|&(_, count)| count >= MIN_TABLES).map(|(place, _)| place).take(MAX_ASKED)
        {
            let mut changed = block.clone();
            let cluster = self.cluster(&changed, place);
            self.regroup(&mut changed, &cluster);
            let cluster = self.cluster(&changed, place);
            let mut found = false;
            for functions in cluster.functions(&changed) {
                found |= self.replaced(&mut changed, &cluster, &functions).is_some();
            }
            if found {
                *block = changed;
                self.found = true;
            }
        }
    }

    /// In unions of several parts, first unites those that depend on one place and some bits.
    fn regroup(&mut self, block: &mut Block, cluster: &Cluster) {
        let mut unions: FxHashMap<Reg, [Reg; 2]> = FxHashMap::default();
        let mut within: FxHashSet<Reg> = FxHashSet::default();
        for inst in &block.insts {
            let &Inst::Let { to, op: Op::Or(a, b) } = inst else { continue };
            let once = |register: &Reg| unions.contains_key(register) && self.reads.get(*register as usize) == Some(&1);
            within.extend([a, b].iter().filter(|register| once(register)));
            unions.insert(to, [a, b]);
        }
        let depends = |register: &Reg| {
            let bits = cluster.nodes.get(register).map_or(0, |node| node.bits);
            bits != 0 && !cluster.tests.contains_key(register)
        };
        let mut insts = Vec::with_capacity(block.insts.len());
        let mut gone: FxHashSet<Reg> = FxHashSet::default();
        for mut inst in std::mem::take(&mut block.insts) {
            if let Inst::Let { to, op } = &mut inst
                && let Some(&parts) = unions.get(to)
                && !within.contains(to)
            {
                let (mut left, mut ours, mut others, mut old) = (parts.to_vec(), Vec::new(), Vec::new(), Vec::new());
                while let Some(part) = left.pop() {
                    match unions.get(&part).filter(|_| within.contains(&part)) {
                        Some(parts) => {
                            old.push(part);
                            left.extend(parts);
                        }
                        None if depends(&part) => ours.push(part),
                        None => others.push(part),
                    }
                }
                if ours.len() > 1 && !others.is_empty() {
                    gone.extend(old);
                    let [ours, others] = [ours, others].map(|parts| self.united(&mut insts, parts));
                    if let (Some(ours), Some(others)) = (ours, others) {
                        *op = Op::Or(ours, others);
                    }
                }
            }
            insts.push(inst);
        }
        insts.retain(|inst| !results(inst).any(|to| gone.contains(&to)));
        block.insts = insts;
    }

    fn united(&mut self, code: &mut Vec<Inst>, parts: Vec<Reg>) -> Option<Reg> {
        parts.into_iter().reduce(|union, part| {
            let union = self.put(code, Op::Or(union, part));
            self.reads.resize(self.registers as usize, 1);
            union
        })
    }

    fn constant(&self, register: Reg) -> Option<u64> {
        match self.ops.get(&register) {
            Some(Op::Const(value)) => Some(*value),
            _ => None,
        }
    }

    /// All operations of a block that depend on a place and bits only.
    fn cluster(&self, block: &Block, place: Reg) -> Cluster {
        let mut cluster =
            Cluster { place, nodes: BTreeMap::new(), order: Vec::new(), bits: Vec::new(), tests: FxHashMap::default() };
        for inst in &block.insts {
            let &Inst::Let { to, op } = inst else { continue };
            let bits = match op {
                Op::Const(_) | Op::Load(_) => continue,
                Op::Table(_, index) if index == place => 0,
                _ => match self.bit(&cluster, op) {
                    Some(_) if cluster.bits.len() == 64 => continue,
                    Some(bit) => {
                        cluster.tests.insert(to, cluster.bits.len());
                        cluster.bits.push(bit);
                        1 << (cluster.bits.len() - 1)
                    }
                    None => {
                        let known = |bits: Option<u64>, register: Reg| match cluster.nodes.get(&register) {
                            Some(node) => bits.map(|bits| bits | node.bits),
                            None => bits.filter(|_| self.constant(register).is_some()),
                        };
                        let Some(bits) = op.reads().fold(Some(0), known) else { continue };
                        bits
                    }
                },
            };
            cluster.nodes.insert(to, Node { op, bits });
            cluster.order.push(to);
        }
        cluster
    }

    /// If an operation takes a bit out of a word at a position that depends on the place only: which.
    fn bit(&self, cluster: &Cluster, op: Op) -> Option<Bit> {
        let Op::And(a, b) = op else { return None };
        let shifted = if self.constant(a) == Some(1) { b } else { Some(a).filter(|_| self.constant(b) == Some(1))? };
        let fixed = |register: Reg| cluster.nodes.get(&register).is_some_and(|node| node.bits == 0);
        let given = |register: Reg| !cluster.nodes.contains_key(&register) && self.constant(register).is_none();
        let (word, position) = match *self.ops.get(&shifted)? {
            Op::Shr(word, by) if fixed(by) => (word, Ok(by)),
            Op::ShrBy(word, by) => (word, Err(by)),
            _ => return None,
        };
        match self.ops.get(&word) {
            Some(&Op::Select(chosen, yes, no)) if fixed(chosen) && given(yes) && given(no) => {
                Some(Bit { chosen: Some(chosen), words: [yes, no], position })
            }
            _ => given(word).then_some(Bit { chosen: None, words: [word; 2], position }),
        }
    }

    /// Puts tables in the place of some functions of the same bits, if that is less code.
    fn replaced(&mut self, block: &mut Block, cluster: &Cluster, functions: &[Reg]) -> Option<()> {
        let idle = self.idle(block, cluster, functions);
        // There is at least one word, and one part.
        if idle < worth(1, 1, functions.len()) {
            return None;
        }
        let evaluated = self.evaluated(cluster, functions)?;
        let base = evaluated.base();
        let (width, gathered) = gathered(&evaluated)?;
        let parts = if base.is_some() { width.div_ceil(MAX_PART) } else { 1 };
        let size = width.div_ceil(parts);
        let words = evaluated.words.len();
        let entries = (evaluated.places << size) * parts as usize * functions.len() + 2 * words * evaluated.places;
        if size > MAX_PART || idle < worth(words, parts as usize, functions.len()) || entries > self.added.room() {
            return None;
        }
        // The bits as one number.
        let at = block.insts.iter().position(|inst| results(inst).any(|to| functions.contains(&to)))?;
        let is_word = |inst: &Inst| results(inst).any(|to| evaluated.words.contains(&to));
        if block.insts.iter().skip(at).any(is_word) {
            return None;
        }
        let mut code: Vec<Inst> = Vec::new();
        let mut sum: Option<Reg> = None;
        for (number, &word) in evaluated.words.iter().enumerate() {
            let masks = (0..evaluated.places).map(|place| evaluated.mask(place, number)).collect();
            let factors = gathered
                .iter()
                .map(|gather| {
                    gather.factors.get(number).copied().invariant_or(0, "every word of a gathering has a factor")
                })
                .collect();
            let mask = self.table(&mut code, masks, cluster.place)?;
            let kept = self.put(&mut code, Op::And(word, mask));
            let factor = self.table(&mut code, factors, cluster.place)?;
            let moved = self.put(&mut code, Op::Mul(kept, factor));
            sum = Some(sum.map_or(moved, |sum| self.put(&mut code, Op::Add(sum, moved))));
        }
        let window = self.put(&mut code, Op::ShrBy(sum?, 64 - width));
        let place = self.put(&mut code, Op::ShlBy(cluster.place, size));
        let mut unions: Vec<Option<Reg>> = vec![None; functions.len()];
        for part in 0..parts {
            let low = part * size;
            let mut bits = if low == 0 { window } else { self.put(&mut code, Op::ShrBy(window, low)) };
            if low + size < width {
                let mask = self.put(&mut code, Op::Const((1 << size) - 1));
                bits = self.put(&mut code, Op::And(bits, mask));
            }
            let index = self.put(&mut code, Op::Or(place, bits));
            for (function, union) in unions.iter_mut().enumerate() {
                let entries = evaluated.part(&gathered, function, base.unwrap_or(0), low..low + size);
                let entry = self.table(&mut code, entries, index)?;
                *union = Some(union.map_or(entry, |union| self.put(&mut code, Op::Or(union, entry))));
            }
        }
        for inst in &mut block.insts {
            if let Inst::Let { to, op } = inst
                && let Some(function) = functions.iter().position(|function| function == to)
                && let Some(&Some(union)) = unions.get(function)
            {
                *op = Op::Or(union, union);
            }
        }
        block.insts.splice(at..at, code);
        Some(())
    }

    /// How many operations nobody needs any more if some functions are found in another way.
    fn idle(&self, block: &Block, cluster: &Cluster, functions: &[Reg]) -> usize {
        let mut read: FxHashMap<Reg, u8> = FxHashMap::default();
        let mut idle = 0;
        for inst in block.insts.iter().rev() {
            let &Inst::Let { to, op } = inst else { continue };
            let part = cluster.nodes.contains_key(&to) || matches!(op, Op::Shr(..) | Op::ShrBy(..) | Op::Select(..));
            let unread = read.get(&to).is_some_and(|read| self.reads.get(to as usize) == Some(read));
            if functions.contains(&to) || part && unread {
                idle += 1;
                op.reads().for_each(|register| {
                    let count = read.entry(register).or_default();
                    *count = count.saturating_add(1);
                });
            }
        }
        idle
    }

    /// The values of some functions of the same bits, for every place and all sets of bits.
    fn evaluated(&self, cluster: &Cluster, functions: &[Reg]) -> Option<Evaluated> {
        let mut needed: FxHashSet<Reg> = functions.iter().copied().collect();
        let mut bits: Vec<usize> = Vec::new();
        for &register in cluster.order.iter().rev().filter(|register| cluster.nodes.contains_key(register)) {
            if !needed.contains(&register) {
                continue;
            }
            match (cluster.tests.get(&register), cluster.nodes.get(&register)) {
                (Some(&bit), _) => {
                    bits.push(bit);
                    let Bit { chosen, position, .. } = cluster.bits.get(bit)?;
                    needed.extend(chosen.iter().chain(position.iter()).copied());
                }
                (None, Some(node)) => needed.extend(node.op.reads()),
                (None, None) => {}
            }
        }
        bits.sort_unstable();
        let order: Vec<Reg> = cluster.order.iter().copied().filter(|register| needed.contains(register)).collect();
        let places = order.iter().filter_map(|register| match cluster.nodes.get(register)?.op {
            Op::Table(table, index) if index == cluster.place => {
                self.added.program.tables.get(table as usize).map(|table| table.entries.len())
            }
            _ => None,
        });
        let places = places.max()?;
        if bits.len() > MAX_BITS || places > MAX_PLACES || (places << bits.len()) * order.len() > MAX_WORK {
            return None;
        }
        let mut evaluated = Evaluated {
            places,
            bits: bits.len(),
            functions: functions.len(),
            values: Vec::new(),
            sources: Vec::new(),
            words: Vec::new(),
        };
        let mut outlook = Outlook::default();
        let ops = self.dense(cluster, &order, &bits)?;
        let slots: FxHashMap<Reg, usize> = order.iter().copied().zip(0..).collect();
        let mut values: Vec<u64> = vec![0; order.len()];
        let wanted: Vec<usize> = functions.iter().filter_map(|function| slots.get(function).copied()).collect();
        for place in 0..places {
            for set in 0..evaluated.sets() {
                for (at, (op, _)) in ops.iter().enumerate().filter(|(_, (_, varies))| set == 0 || *varies) {
                    let value = op.value(self.added.program, place, set, &values)?;
                    if let Some(slot) = values.get_mut(at) {
                        *slot = value;
                    }
                }
                evaluated.values.extend(wanted.iter().filter_map(|&at| values.get(at)));
            }
            let value = |register: &Reg| values.get(*slots.get(register)?).copied();
            for &bit in &bits {
                let Bit { chosen, words: [yes, no], position } = cluster.bits.get(bit)?;
                let chosen = chosen.map_or(Some(1), |chosen| value(&chosen))?;
                let word = if chosen != 0 { *yes } else { *no };
                let position = match position {
                    Ok(register) => (value(register)? % 64) as u32,
                    Err(by) => by % 64,
                };
                let number = evaluated.words.iter().position(|&other| other == word);
                let number = number.unwrap_or_else(|| {
                    evaluated.words.push(word);
                    evaluated.words.len() - 1
                });
                evaluated.sources.push(Some((number, position)));
            }
            outlook.see(&evaluated, place);
            if outlook.needs_long_tables(MAX_PART) {
                return None;
            }
        }
        evaluated.keep_what_matters();
        (evaluated.words.len() <= MAX_WORDS).then_some(evaluated)
    }

    /// Operations in order, whose registers are numbers of operations before them, and whether they depend on bits.
    fn dense(&self, cluster: &Cluster, order: &[Reg], bits: &[usize]) -> Option<Vec<(Dense, bool)>> {
        let slots: FxHashMap<Reg, u32> = order.iter().copied().zip(0..).collect();
        let mut ops = Vec::with_capacity(order.len());
        for register in order {
            let node = cluster.nodes.get(register)?;
            let mut constants = [None; 3];
            let dense = match (cluster.tests.get(register), node.op) {
                (Some(bit), _) => Dense::Bit(bits.binary_search(bit).ok()?),
                (None, Op::Table(table, index)) if index == cluster.place => Dense::Table(table, None),
                (None, Op::Table(table, index)) => Dense::Table(table, Some(*slots.get(&index)?)),
                (None, op) => {
                    let mut numbers = (0..).zip(op.reads()).map(|(at, register)| {
                        let constant = self.constant(register);
                        let slot = constants.get_mut(at)?;
                        *slot = constant;
                        // A constant is found by the number of the operand.
                        if constant.is_some() { Some(u32::MAX - at as u32) } else { slots.get(&register).copied() }
                    });
                    let numbers = [numbers.next().flatten(), numbers.next().flatten(), numbers.next().flatten()];
                    let mut next = numbers.into_iter();
                    Dense::Op(op.map_reads(|_| next.next().flatten().unwrap_or(u32::MAX - 3)), constants)
                }
            };
            ops.push((dense, node.bits != 0));
        }
        Some(ops)
    }

    fn put(&mut self, code: &mut Vec<Inst>, op: Op) -> Reg {
        let to = self.registers;
        self.registers += 1;
        self.ops.insert(to, op);
        code.push(Inst::Let { to, op });
        to
    }

    fn table(&mut self, code: &mut Vec<Inst>, entries: Vec<u64>, index: Reg) -> Option<Reg> {
        let table = self.added.number(entries)?;
        Some(self.put(code, Op::Table(table, index)))
    }
}

/// How many operations have to be idle so that it pays to look up functions of the bits of some words in some parts.
fn worth(words: usize, parts: usize, functions: usize) -> usize {
    let code = 5 * words + parts * (3 + 2 * functions);
    code + code / 2
}

impl Cluster {
    /// What others need that depends on some bits: groups of registers that depend on the same.
    fn functions(&self, block: &Block) -> Vec<Vec<Reg>> {
        let mut read: FxHashSet<Reg> = block.yields.iter().copied().collect();
        for inst in &block.insts {
            if !results(inst).any(|to| self.nodes.contains_key(&to)) {
                read_by(inst, &mut read);
            }
        }
        let mut groups: BTreeMap<u64, Vec<Reg>> = BTreeMap::new();
        for &register in self.order.iter().filter(|register| read.contains(register)) {
            let bits = self.nodes.get(&register).map(|node| node.bits).invariant_or(0, "what is in order is a node");
            if !self.tests.contains_key(&register) && bits.count_ones() > 1 {
                groups.entry(bits).or_default().push(register);
            }
        }
        // What depends on fewer of the same bits is found with the others.
        let mut joined: Vec<(u64, Vec<Reg>)> = Vec::new();
        let mut groups: Vec<(u64, Vec<Reg>)> = groups.into_iter().collect();
        groups.sort_by_key(|(bits, _)| std::cmp::Reverse(bits.count_ones()));
        for (bits, mut functions) in groups {
            match joined.iter_mut().find(|(all, _)| bits & !*all == 0) {
                Some((_, others)) => others.append(&mut functions),
                None => joined.push((bits, functions)),
            }
        }
        joined.into_iter().map(|(_, functions)| functions).collect()
    }
}
