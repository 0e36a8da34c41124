//! Writes a function anew, with each operation in its simplest form, once, and as far outside as it can be.

use super::disjoint::Known;
use super::fold::{Facts, Rule, possible, rule, test};
use super::returned::Members;
use super::unions::Before;
use rg_ir::invariant::{Invariant, put};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cell::RefCell;
use wir::{Block, Function, Inst, Op, Program, Reg};

/// How often an operation is replaced by a simpler one.
const MAX_STEPS: usize = 32;

/// The function, simplified; dead code is left.
pub(super) fn build(program: &Program, function: &Function) -> Function {
    let count = function.registers as usize;
    let mut builder = Builder {
        program,
        names: vec![Reg::MAX; count],
        values: Vec::with_capacity(count),
        known: FxHashMap::with_capacity_and_hasher(count, FxBuildHasher),
        assumed: FxHashMap::default(),
        nonzero: FxHashSet::default(),
        few: FxHashSet::default(),
        versions: FxHashMap::default(),
        next_version: 0,
        open: Vec::new(),
        before: Before::of(function),
        entries: Known::default(),
        truths: FxHashMap::default(),
        entry_bits: RefCell::default(),
        members: Members::default(),
    };
    builder.enter(None);
    for param in 0..function.params {
        let value = builder.fresh(None, u64::MAX);
        builder.name(param, value);
    }
    builder.insts(&function.body.insts);
    let yields = builder.values_of(&function.body.yields);
    let insts = builder.leave().insts;
    let registers = builder.values.len() as u32;
    Function { name: function.name.clone(), params: function.params, registers, body: Block { insts, yields } }
}

/// What is known of a new register.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) op: Option<Op>,
    pub(super) possible: u64,
    /// Number of blocks around its definition.
    pub(super) level: usize,
    /// Its value in the current block, if that is certain there ([`Builder::assumed`]).
    pub(super) assumed: Option<u64>,
}

/// Something that has been computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Op(Op),
    /// A word of the state, as it was after so many changes.
    Word(u32, u32),
}

/// A block that is being written.
#[derive(Default)]
pub(super) struct Open {
    pub(super) insts: Vec<Inst>,
    /// If it is the body of a loop: the words that the loop writes.
    repeats: Option<FxHashSet<u32>>,
    keys: Vec<Key>,
    pub(super) assumed: Vec<Reg>,
    pub(super) nonzero: Vec<Reg>,
    pub(super) few: Vec<Reg>,
    /// Words written, with their versions before that.
    pub(super) written: Vec<(u32, u32)>,
}

pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    /// By old register.
    names: Vec<Reg>,
    /// By new register.
    pub(super) values: Vec<Value>,
    known: FxHashMap<Key, Reg>,
    /// Registers whose value is certain in the current block, because of the conditions around it.
    pub(super) assumed: FxHashMap<Reg, u64>,
    /// Registers that are certainly not 0 in the current block.
    pub(super) nonzero: FxHashSet<Reg>,
    /// Registers that certainly have no more than one bit in the current block.
    pub(super) few: FxHashSet<Reg>,
    versions: FxHashMap<u32, u32>,
    next_version: u32,
    pub(super) open: Vec<Open>,
    pub(super) before: Before,
    pub(super) entries: Known,
    /// By index: tables of truth values that were looked up.
    truths: FxHashMap<Reg, Vec<u32>>,
    /// By table: the bits that its entries have.
    pub(super) entry_bits: RefCell<FxHashMap<u32, u64>>,
    pub(super) members: Members,
}

impl Builder<'_> {
    pub(super) fn enter(&mut self, repeats: Option<FxHashSet<u32>>) {
        self.open.push(Open { repeats, ..Open::default() });
    }

    /// Ends a block; what was known only there is forgotten.
    pub(super) fn leave(&mut self) -> Open {
        let block = self.open.pop().unwrap_or_default();
        for key in &block.keys {
            self.known.remove(key);
        }
        for register in &block.assumed {
            self.assumed.remove(register);
            if let Some(value) = self.values.get_mut(*register as usize) {
                value.assumed = None;
            }
        }
        for register in &block.nonzero {
            self.nonzero.remove(register);
        }
        for register in &block.few {
            self.few.remove(register);
        }
        for &(word, version) in block.written.iter().rev() {
            self.versions.insert(word, version);
        }
        block
    }

    /// A word gets a value that is not known.
    fn forget(&mut self, word: u32) -> u32 {
        self.next_version += 1;
        let before = self.versions.insert(word, self.next_version).unwrap_or(0);
        if let Some(block) = self.open.last_mut() {
            block.written.push((word, before));
        }
        self.next_version
    }

    pub(super) fn forget_all(&mut self, words: impl IntoIterator<Item = u32>) {
        for word in words {
            self.forget(word);
        }
    }

    fn remember(&mut self, level: usize, key: Key, value: Reg) {
        if self.known.insert(key, value).is_none()
            && let Some(block) = self.open.get_mut(level)
        {
            block.keys.push(key);
        }
    }

    pub(super) fn level(&self) -> usize {
        self.open.len().saturating_sub(1)
    }

    pub(super) fn push(&mut self, inst: Inst) {
        if let Some(block) = self.open.last_mut() {
            block.insts.push(inst);
        }
    }

    fn fresh_at(&mut self, op: Option<Op>, possible: u64, level: usize) -> Reg {
        self.values.push(Value { op, possible, level, assumed: None });
        self.values.len() as Reg - 1
    }

    pub(super) fn fresh(&mut self, op: Option<Op>, possible: u64) -> Reg {
        self.fresh_at(op, possible, self.level())
    }

    pub(super) fn name(&mut self, old: Reg, new: Reg) {
        put(&mut self.names, old as usize, new, "registers are below their number");
    }

    pub(super) fn name_all(&mut self, old: &[Reg], new: &[Reg]) {
        old.iter().zip(new).for_each(|(&old, &new)| self.name(old, new));
    }

    pub(super) fn value_of(&self, old: Reg) -> Reg {
        self.named(old).invariant_or(Reg::MAX, "registers are defined before they are read")
    }

    /// The new register of an old one, if that has been defined.
    pub(super) fn named(&self, old: Reg) -> Option<Reg> {
        self.names.get(old as usize).copied().filter(|&name| name != Reg::MAX)
    }

    pub(super) fn values_of(&self, old: &[Reg]) -> Vec<Reg> {
        old.iter().map(|&register| self.value_of(register)).collect()
    }

    /// The register of an operation: one that has it already, or a new one.
    pub(super) fn put(&mut self, mut op: Op) -> Reg {
        for _ in 0..MAX_STEPS {
            match rule(self, op).or_else(|| self.returned(op)) {
                Some(Rule::Same(register)) => return register,
                Some(Rule::Constant(value)) => op = Op::Const(value),
                Some(Rule::Op(simpler)) => op = simpler,
                Some(Rule::With(make, first, number)) => {
                    let second = self.put(Op::Const(number));
                    op = make(first, second);
                }
                Some(Rule::WithLast(make, first, second, number)) => {
                    let third = self.put(Op::Const(number));
                    op = make(first, second, third);
                }
                None => match self.before_disjoint_write(op) {
                    Some(simpler) => op = simpler,
                    None => break,
                },
            }
        }
        if let Op::Table(table, index) = op
            && let Some(other) = self.opposite(table, index)
        {
            let zero = self.put(Op::Const(0));
            return self.put(Op::Eq(other, zero));
        }
        let key = match op {
            Op::Load(word) => Key::Word(word, self.versions.get(&word).copied().unwrap_or(0)),
            op => Key::Op(op),
        };
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        // Out of all loops in which it is always the same.
        let mut level = self.level();
        while let Some(written) = self.open.get(level).and_then(|block| block.repeats.as_ref()) {
            let inside = |register: Reg| self.values.get(register as usize).is_none_or(|value| value.level >= level);
            let changes = matches!(op, Op::Load(word) if written.contains(&word));
            if changes || op.reads().any(inside) {
                break;
            }
            level -= 1;
        }
        let bits = possible(self, op);
        let to = self.fresh_at(Some(op), bits, level);
        if let Some(block) = self.open.get_mut(level) {
            block.insts.push(Inst::Let { to, op });
        }
        self.remember(level, key, to);
        self.note_place(op);
        to
    }

    /// What was looked up by the same index that is true where an entry of a table of truth values is not.
    fn opposite(&mut self, table: u32, index: Reg) -> Option<Reg> {
        let tables = &self.program.tables;
        let entries = &tables.get(table as usize)?.entries;
        if self.entry_bits(table) > 1 {
            return None;
        }
        let others = self.truths.entry(index).or_default();
        let is_opposite = |&&other: &&u32| {
            let other = tables.get(other as usize).map_or(&[][..], |table| &table.entries);
            other.len() == entries.len() && other.iter().zip(entries).all(|(a, b)| a ^ b == 1)
        };
        let found = others.iter().find(is_opposite).copied();
        if !others.contains(&table) {
            others.push(table);
        }
        self.known.get(&Key::Op(Op::Table(found?, index))).copied()
    }

    pub(super) fn insts(&mut self, insts: &[Inst]) {
        insts.iter().for_each(|inst| self.inst(inst));
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Let { to, op } => {
                let value = match *op {
                    Op::Or(a, b) if !self.before.is_part(*to) => self.union(a, b),
                    _ => self.put(op.map_reads(|register| self.value_of(register))),
                };
                self.name(*to, value);
            }
            Inst::Store { word, value } => self.store(*word, *value),
            Inst::Peek { to, at } => {
                let (at, result) = (self.value_of(*at), self.fresh(None, u64::MAX));
                self.push(Inst::Peek { to: result, at });
                self.name(*to, result);
            }
            Inst::Poke { at, value } => {
                let (at, value) = (self.value_of(*at), self.value_of(*value));
                self.push(Inst::Poke { at, value });
            }
            Inst::If { cond, then, other, to } => {
                let mut cond = self.value_of(*cond);
                let (mut then, mut other) = (then, other);
                if let Some((inner, wanted)) = test(self, cond) {
                    cond = inner;
                    if !wanted {
                        (then, other) = (other, then);
                    }
                }
                match self.truth(cond) {
                    Some(true) => self.inline(then, to),
                    Some(false) => self.inline(other, to),
                    None => self.choose(cond, then, other, to),
                }
            }
            Inst::Switch { on, cases, to } => self.switch(*on, cases, to),
            Inst::Each { set, item, carried, body, to } => {
                let set = self.value_of(*set);
                self.each(set, *item, carried, body, to);
            }
            Inst::Loop { carried, body, to } => self.turns(carried, body, to),
            Inst::Call { function, args, to } => {
                let args = args.iter().map(|&arg| self.value_of(arg)).collect();
                let result = self.fresh(None, u64::MAX);
                self.push(Inst::Call { function: *function, args, to: result });
                self.name(*to, result);
            }
            Inst::Emit { base } => {
                let base = self.value_of(*base);
                self.push(Inst::Emit { base });
            }
            Inst::EmitSet { base, set, shift } => {
                let (base, set) = (self.value_of(*base), self.value_of(*set));
                self.emit_set(base, set, *shift);
            }
            Inst::SideExit { cond } => {
                let mut cond = self.value_of(*cond);
                let tested = test(self, cond);
                if let Some((inner, true)) = tested {
                    cond = inner;
                }
                if self.possible(cond) != 0 {
                    self.push(Inst::SideExit { cond });
                    if let Some((inner, false)) = tested {
                        self.assume_truth(inner);
                    }
                    // Not in a loop: what is computed with this could leave it.
                    if self.constant(cond).is_none() && self.open.last().is_some_and(|block| block.repeats.is_none()) {
                        self.assume(cond, 0);
                    }
                }
            }
        }
    }

    fn store(&mut self, word: u32, value: Reg) {
        let value = self.value_of(value);
        let version = self.versions.get(&word).copied().unwrap_or(0);
        if self.known.get(&Key::Word(word, version)) == Some(&value) {
            return;
        }
        self.push(Inst::Store { word, value });
        let version = self.forget(word);
        self.remember(self.level(), Key::Word(word, version), value);
    }

    pub(super) fn emit_set(&mut self, base: Reg, set: Reg, shift: u32) {
        match self.constant(set) {
            _ if self.possible(set) == 0 => {}
            Some(bits) if bits.is_power_of_two() => {
                let element = u64::from(bits.trailing_zeros()).wrapping_shl(shift);
                let element = self.put(Op::Const(element));
                let base = self.put(Op::Add(base, element));
                self.push(Inst::Emit { base });
            }
            _ => self.push(Inst::EmitSet { base, set, shift }),
        }
    }

    /// A block that always runs, and once.
    pub(super) fn inline(&mut self, block: &Block, to: &[Reg]) {
        self.insts(&block.insts);
        let values = self.values_of(&block.yields);
        self.name_all(to, &values);
    }
}
