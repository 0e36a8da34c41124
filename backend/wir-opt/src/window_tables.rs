//! Functions of a small number and a few neighbouring bits of one word as a table.
//!
//! A walk that was written out, such as a stone that falls as far as nothing is below it, asks of one set whether the first
//! square of a line is in it, the first two, and so on, and chooses by the answers. All of that is a function of the square
//! where the line begins and of some bits of the set. If for every square these are near each other, they are brought to the
//! lowest place by a shift that depends on the square, and with the square before them they are the index of a table.
//! [`super::gather_tables`] does the same for single bits that are further apart.

use super::entries::number;
use super::tables::Added;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use wir::uses::{definitions, inner_mut, read_by, results};
use wir::{Block, FnId, Function, Inst, Op, Program, Reg};

/// How many tables have to be asked at one index, so that it is worth looking at what becomes of it.
const MIN_TABLES: usize = 6;
/// How many questions about the word.
const MIN_TESTS: usize = 4;
/// Longest blocks that are looked at, and most pairs of a place and a word.
const MAX_BLOCK: usize = 1 << 12;
const MAX_PAIRS: usize = 16;
/// Largest number of places.
const MAX_PLACES: usize = 128;
/// Most neighbouring bits.
const MAX_SPAN: u32 = 6;
/// Most operations that are evaluated for each entry.
const MAX_NEEDED: usize = 1 << 8;
/// Most entries of one table.
const MAX_TABLE: usize = 1 << 12;
/// Operations that take the place of others, of which there have to be twice as many.
const CODE: usize = 6;
/// Most entries of all tables that are added to a program.
const MAX_ENTRIES: usize = 1 << 16;

/// Puts tables in the place of larger code. Returns the functions that have changed, with what is now idle.
pub(super) fn span(program: &mut Program) -> Vec<FnId> {
    let mut functions = std::mem::take(&mut program.functions);
    let mut added = Added::to(program, MAX_ENTRIES);
    let changed = |(id, function): (FnId, &mut Function)| {
        let mut spans = Spans { added: &mut added, ops: definitions(&function.body), registers: function.registers };
        let found = spans.block(&mut function.body);
        function.registers = spans.registers;
        found.then_some(id)
    };
    let changed = (0..).zip(&mut functions).filter_map(changed).collect();
    program.functions = functions;
    changed
}

struct Spans<'a, 'p> {
    added: &'a mut Added<'p>,
    /// The operations of all registers.
    ops: FxHashMap<Reg, Op>,
    registers: Reg,
}

/// A register whose value depends on nothing but the place and bits of the word at positions that depend on the place.
#[derive(Clone, Copy)]
struct Node {
    op: Op,
    /// Whether it depends on the word.
    varies: bool,
    /// How many questions about the word there are in all that it is made of so far.
    tests: usize,
}

/// A place, a word, and what depends on nothing else.
struct Cluster {
    place: Reg,
    /// All places are below it.
    places: usize,
    word: Reg,
    /// In the order of the code, with the index of the instruction.
    nodes: BTreeMap<usize, (Reg, Node)>,
    by_register: FxHashMap<Reg, Node>,
}

impl Spans<'_, '_> {
    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        for inst in &mut block.insts {
            inner_mut(inst).for_each(|block| changed |= self.block(block));
        }
        if block.insts.len() > MAX_BLOCK {
            return changed;
        }
        for (place, word) in self.pairs(block) {
            changed |= self.replaced(block, place, word).is_some();
        }
        changed
    }

    /// The places at which many tables are demanded, each with the words that are asked about.
    fn pairs(&self, block: &Block) -> Vec<(Reg, Reg)> {
        let mut demanded: BTreeMap<Reg, usize> = BTreeMap::new();
        let mut words: BTreeMap<(Reg, Reg), usize> = BTreeMap::new();
        for inst in &block.insts {
            let &Inst::Let { op, .. } = inst else { continue };
            match op {
                Op::Table(_, index) => *demanded.entry(index).or_default() += 1,
                Op::And(a, b) | Op::AndNot(a, b) | Op::Shr(b, a) => {
                    for (entry, word) in [(a, b), (b, a)] {
                        if let Some(Op::Table(_, place)) = self.ops.get(&entry) {
                            *words.entry((*place, word)).or_default() += 1;
                        }
                    }
                }
                _ => {}
            }
        }
        let is_asked = |place: &Reg| demanded.get(place).is_some_and(|&count| count >= MIN_TABLES);
        let many = |((place, _), count): &((Reg, Reg), usize)| *count >= MIN_TESTS && is_asked(place);
        words.into_iter().filter(many).map(|(pair, _)| pair).take(MAX_PAIRS).collect()
    }

    fn constant(&self, register: Reg) -> Option<u64> {
        number(&|register| self.ops.get(&register).copied(), register)
    }

    /// The bits that a register may have, as far as that is easily seen.
    fn possible(&self, register: Reg) -> u64 {
        match self.ops.get(&register) {
            Some(&Op::Const(value)) => value,
            Some(&Op::And(a, b)) => self.constant(a).or_else(|| self.constant(b)).unwrap_or(u64::MAX),
            Some(&Op::AndNot(a, _)) => self.constant(a).unwrap_or(u64::MAX),
            Some(&Op::Table(table, _)) => {
                let table = self.added.program.tables.get(table as usize);
                table.map_or(u64::MAX, |table| table.entries.iter().fold(0, |all, entry| all | entry))
            }
            _ => u64::MAX,
        }
    }

    /// What depends on nothing but a place and bits of a word.
    fn cluster(&self, block: &Block, place: Reg, word: Reg) -> Option<Cluster> {
        // A table takes the place modulo its length, so all are asked as if they were as long as the longest.
        let most = self.possible(place);
        let lengths = block.insts.iter().filter_map(|inst| match inst {
            Inst::Let { op: Op::Table(table, index), .. } if *index == place => {
                self.added.program.tables.get(*table as usize).map(|table| table.entries.len())
            }
            _ => None,
        });
        let longest = lengths.max()?;
        let bounded = most < MAX_PLACES as u64;
        let places = if bounded { (most as usize + 1).next_power_of_two() } else { longest };
        let by_register = FxHashMap::default();
        let mut cluster = Cluster { place, places, word, nodes: BTreeMap::new(), by_register };
        if places > MAX_PLACES {
            return None;
        }
        let mut tests = 0;
        for (at, inst) in block.insts.iter().enumerate() {
            let &Inst::Let { to, op } = inst else { continue };
            if to == word {
                continue;
            }
            let node = match op {
                Op::Const(_) | Op::Load(_) => continue,
                Op::Table(_, index) if index == place => Node { op, varies: false, tests: 0 },
                _ if self.test(&cluster, op).is_some() => {
                    tests += 1;
                    Node { op, varies: true, tests }
                }
                _ => {
                    let known = |register: Reg| match cluster.by_register.get(&register) {
                        _ if register == word => None,
                        Some(node) => Some(node.varies),
                        None if register == place && bounded => Some(false),
                        None => self.constant(register).map(|_| false),
                    };
                    let reads: Option<Vec<bool>> = op.reads().map(known).collect();
                    let Some(reads) = reads else { continue };
                    Node { op, varies: reads.contains(&true), tests }
                }
            };
            cluster.nodes.insert(at, (to, node));
            cluster.by_register.insert(to, node);
        }
        Some(cluster)
    }

    /// If an operation asks about bits of the word at positions that the place tells: where these come from, and whether that
    /// is one position, or a set of them.
    fn test(&self, cluster: &Cluster, op: Op) -> Option<(Reg, bool)> {
        let fixed = |register: Reg| cluster.by_register.get(&register).is_some_and(|node| !node.varies);
        match op {
            Op::AndNot(mask, word) if word == cluster.word && fixed(mask) => Some((mask, false)),
            Op::And(a, b) => {
                let (mask, word) = if b == cluster.word { (a, b) } else { (b, a) };
                if word == cluster.word && fixed(mask) {
                    return Some((mask, false));
                }
                let (shifted, one) = if self.constant(b) == Some(1) { (a, b) } else { (b, a) };
                match *self.ops.get(&shifted)? {
                    Op::Shr(word, by) if word == cluster.word && fixed(by) && self.constant(one) == Some(1) => {
                        Some((by, true))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Puts a table in the place of the first register to which all that is asked so far leads.
    fn replaced(&mut self, block: &mut Block, place: Reg, word: Reg) -> Option<()> {
        let cluster = self.cluster(block, place, word)?;
        let (at, to) = cluster.outcome(block)?;
        let needed = cluster.needed(at, to, |register| self.ops.get(&register).copied());
        if needed.len() > MAX_NEEDED || idle(block, &needed) < 2 * CODE {
            return None;
        }
        let bits = self.bits(&cluster, &needed)?;
        let low = |bits: u64| if bits == 0 { 0 } else { bits.trailing_zeros() };
        let span = bits.iter().map(|&bits| 64 - bits.leading_zeros() - low(bits).min(63)).max()?;
        if !(1..=MAX_SPAN).contains(&span) || cluster.places << span > MAX_TABLE.min(self.added.room()) {
            return None;
        }
        let mut entries = Vec::with_capacity(cluster.places << span);
        for (at, &bits) in bits.iter().enumerate() {
            let row = entries.len();
            for set in 0..1_u64 << span {
                // What makes no difference is as if it were nothing.
                let word = set.wrapping_shl(low(bits)) & bits;
                let entry = match word.wrapping_shr(low(bits)) {
                    same if same < set => entries.get(row + same as usize).copied()?,
                    _ => self.values(&cluster, &needed, at as u64, word)?.get(&to).copied()?,
                };
                entries.push(entry);
            }
        }
        let shifts = self.added.number(bits.iter().map(|&bits| u64::from(low(bits))).collect())?;
        let table = self.added.number(entries)?;
        let mut code = Vec::new();
        let index = if self.possible(place) < cluster.places as u64 {
            place
        } else {
            let mask = self.put(&mut code, Op::Const(cluster.places as u64 - 1));
            self.put(&mut code, Op::And(place, mask))
        };
        let shift = self.put(&mut code, Op::Table(shifts, place));
        let moved = self.put(&mut code, Op::Shr(word, shift));
        let mask = self.put(&mut code, Op::Const((1 << span) - 1));
        let near = self.put(&mut code, Op::And(moved, mask));
        let row = self.put(&mut code, Op::ShlBy(index, span));
        let index = self.put(&mut code, Op::Or(row, near));
        code.push(Inst::Let { to, op: Op::Table(table, index) });
        self.ops.insert(to, Op::Table(table, index));
        block.insts.splice(at..=at, code);
        Some(())
    }

    /// By place, the bits of the word that are asked about.
    fn bits(&self, cluster: &Cluster, needed: &FxHashSet<usize>) -> Option<Vec<u64>> {
        let possible = self.possible(cluster.word);
        let mut all = Vec::with_capacity(cluster.places);
        for place in 0..cluster.places {
            let values = self.values(cluster, needed, place as u64, 0)?;
            let mut bits = 0;
            for (register, node) in needed.iter().filter_map(|index| cluster.nodes.get(index)) {
                if let Some((of, is_position)) = self.test(cluster, node.op).filter(|_| values.contains_key(register)) {
                    let of = values.get(&of).copied()?;
                    bits |= if is_position { 1_u64.wrapping_shl(of as u32) } else { of };
                }
            }
            all.push(bits & possible);
        }
        Some(all)
    }

    /// The values of what is needed at a place for a word.
    fn values(
        &self,
        cluster: &Cluster,
        needed: &FxHashSet<usize>,
        place: u64,
        word: u64,
    ) -> Option<FxHashMap<Reg, u64>> {
        let mut values: FxHashMap<Reg, u64> = FxHashMap::default();
        for (_, (to, node)) in cluster.nodes.iter().filter(|(index, _)| needed.contains(index)) {
            let value = match (self.test(cluster, node.op), node.op) {
                (Some((by, true)), _) => word.wrapping_shr(values.get(&by).copied()? as u32) & 1,
                (_, op) => op.evaluate(&self.added.program.tables, |register| match register {
                    _ if register == cluster.place => Some(place),
                    _ if register == cluster.word => Some(word),
                    _ => values.get(&register).copied().or_else(|| self.constant(register)),
                })?,
            };
            values.insert(*to, value);
        }
        Some(values)
    }

    fn put(&mut self, code: &mut Vec<Inst>, op: Op) -> Reg {
        let to = self.registers;
        self.registers += 1;
        self.ops.insert(to, op);
        code.push(Inst::Let { to, op });
        to
    }
}

impl Cluster {
    /// The first register that depends on enough questions and to which all those before it lead: its index, and itself.
    fn outcome(&self, block: &Block) -> Option<(usize, Reg)> {
        let mut last: FxHashMap<Reg, usize> = block.yields.iter().map(|&register| (register, usize::MAX)).collect();
        for (at, inst) in block.insts.iter().enumerate().rev() {
            let mut read = FxHashSet::default();
            read_by(inst, &mut read);
            for register in read {
                last.entry(register).or_insert(at);
            }
        }
        let mut open = 0;
        for (&at, &(to, node)) in self.nodes.iter().filter(|(_, (_, node))| node.varies) {
            if open <= at && node.tests >= MIN_TESTS {
                return Some((at, to));
            }
            open = open.max(last.get(&to).copied().unwrap_or(0));
        }
        None
    }

    /// The indices of all that a register is made of.
    fn needed(&self, at: usize, to: Reg, op: impl Fn(Reg) -> Option<Op>) -> FxHashSet<usize> {
        let (mut registers, mut needed) = (FxHashSet::from_iter([to]), FxHashSet::default());
        for (&index, (register, node)) in self.nodes.range(..=at).rev() {
            if registers.contains(register) {
                needed.insert(index);
                registers.extend(node.op.reads());
                // A bit of the word is two operations, of which the first is no node.
                registers.extend(node.op.reads().filter_map(&op).flat_map(|op| match op {
                    Op::Shr(word, by) if word == self.word => Some(by),
                    _ => None,
                }));
            }
        }
        needed
    }
}

/// How many results nothing but what is needed reads.
fn idle(block: &Block, needed: &FxHashSet<usize>) -> usize {
    let mut others = FxHashSet::from_iter(block.yields.iter().copied());
    for (_, inst) in block.insts.iter().enumerate().filter(|(at, _)| !needed.contains(at)) {
        // The first of the two operations for a bit is idle as well.
        if !matches!(inst, Inst::Let { op: Op::Shr(..), .. }) {
            read_by(inst, &mut others);
        }
    }
    let results = needed.iter().filter_map(|&at| block.insts.get(at)).flat_map(results);
    results.filter(|to| !others.contains(to)).count()
}
