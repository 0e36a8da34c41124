//! Truth tables of conditions: what is always true, never, or the same as a part of it.

use super::fold::{Facts, Rule};
use wir::{Op, Reg};

/// How deep conditions are looked into.
const MAX_DEPTH: u32 = 6;

/// By number of a variable: where it is true in a table of all cases.
const VARIABLES: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// What a condition is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Atom {
    /// A truth value.
    Register(Reg),
    /// Whether two registers are equal.
    Equal(Reg, Reg),
}

/// What conditions are made of, and the tables of those that were looked into.
struct Atoms {
    /// The first `count` are in use: there are no more variables than places in a table.
    list: [Atom; VARIABLES.len()],
    count: usize,
    /// The same condition has the same table, however deep it was met.
    tables: Tables,
}

/// Tables of conditions. Most rules look into a few only, for which no memory is allocated.
struct Tables {
    first: [(Reg, u64); FIRST],
    more: Vec<(Reg, u64)>,
    count: usize,
}

/// Tables that are kept in place.
const FIRST: usize = 16;

impl Tables {
    fn get(&self, register: Reg) -> Option<u64> {
        let found = |&&(known, _): &&(Reg, u64)| known == register;
        let first = self.first.iter().take(self.count).find(found);
        first.or_else(|| self.more.iter().find(found)).map(|&(_, table)| table)
    }

    fn push(&mut self, register: Reg, table: u64) {
        match self.first.get_mut(self.count) {
            Some(slot) => *slot = (register, table),
            None => self.more.push((register, table)),
        }
        self.count += 1;
    }

    fn truncate(&mut self, count: usize) {
        self.more.truncate(count.saturating_sub(FIRST));
        self.count = count;
    }
}

impl Atoms {
    fn new() -> Self {
        let tables = Tables { first: [(0, 0); FIRST], more: Vec::new(), count: 0 };
        Self { list: [Atom::Register(0); VARIABLES.len()], count: 0, tables }
    }

    fn variable(&mut self, atom: Atom) -> Option<u64> {
        let known = self.list.iter().take(self.count).position(|&known| known == atom);
        let index = known.unwrap_or(self.count);
        if known.is_none() {
            *self.list.get_mut(index)? = atom;
            self.count += 1;
        }
        VARIABLES.get(index).copied()
    }
}

/// What an operation on truth values is in all cases, if that is simpler.
pub(super) fn rule(facts: &impl Facts, op: Op) -> Option<Rule> {
    // Whether two words are equal is a variable, and no part of it can tell that.
    if !is_connective(op) || !op.reads().all(|register| is_truth(facts, register)) {
        return None;
    }
    let mut atoms = Atoms::new();
    let table = of_op(facts, op, &mut atoms, MAX_DEPTH)??;
    match table {
        0 => return Some(Rule::Constant(0)),
        u64::MAX => return Some(Rule::Constant(1)),
        _ => {}
    }
    // The same variables have the same places, so tables can be compared.
    let part = op.reads().find(|&part| is_truth(facts, part) && of(facts, part, &mut atoms, MAX_DEPTH) == Some(table));
    if let Some(part) = part {
        return Some(Rule::Same(part));
    }
    if matches!(op, Op::Eq(..) | Op::Ne(..)) {
        return None;
    }
    atoms.list.iter().take(atoms.count).zip(VARIABLES).find_map(|(atom, holds)| match *atom {
        Atom::Register(register) if table == holds => Some(Rule::Same(register)),
        Atom::Register(register) if table == !holds => Some(Rule::With(Op::Eq, register, 0)),
        Atom::Equal(a, b) if table == holds => Some(Rule::Op(Op::Eq(a, b))),
        Atom::Equal(a, b) if table == !holds => Some(Rule::Op(Op::Ne(a, b))),
        _ => None,
    })
}

/// Whether an operation on truth values is one on all cases of a table.
fn is_connective(op: Op) -> bool {
    matches!(op, Op::And(..) | Op::Or(..) | Op::AndNot(..) | Op::Xor(..) | Op::Ne(..) | Op::Eq(..) | Op::Select(..))
}

fn is_truth(facts: &impl Facts, register: Reg) -> bool {
    facts.possible(register) <= 1
}

/// The table of an operation: `None` if it is none on truth values, `Some(None)` if there are too many variables.
fn of_op(facts: &impl Facts, op: Op, atoms: &mut Atoms, depth: u32) -> Option<Option<u64>> {
    let depth = depth.checked_sub(1)?;
    let truths = op.reads().all(|register| is_truth(facts, register));
    let table = match op {
        Op::Eq(a, b) if !truths => atoms.variable(Atom::Equal(a.min(b), a.max(b))),
        Op::Ne(a, b) if !truths => atoms.variable(Atom::Equal(a.min(b), a.max(b))).map(|table| !table),
        _ if !truths => return None,
        Op::And(a, b) => pair(facts, a, b, atoms, depth).map(|(a, b)| a & b),
        Op::Or(a, b) => pair(facts, a, b, atoms, depth).map(|(a, b)| a | b),
        Op::AndNot(a, b) => pair(facts, a, b, atoms, depth).map(|(a, b)| a & !b),
        Op::Xor(a, b) | Op::Ne(a, b) => pair(facts, a, b, atoms, depth).map(|(a, b)| a ^ b),
        Op::Eq(a, b) => pair(facts, a, b, atoms, depth).map(|(a, b)| !(a ^ b)),
        Op::Select(cond, yes, no) => {
            let cond = of(facts, cond, atoms, depth);
            let values = pair(facts, yes, no, atoms, depth);
            cond.zip(values).map(|(cond, (yes, no))| cond & yes | !cond & no)
        }
        _ => return None,
    };
    Some(table)
}

fn pair(facts: &impl Facts, a: Reg, b: Reg, atoms: &mut Atoms, depth: u32) -> Option<(u64, u64)> {
    Some((of(facts, a, atoms, depth)?, of(facts, b, atoms, depth)?))
}

/// The table of a truth value.
fn of(facts: &impl Facts, register: Reg, atoms: &mut Atoms, depth: u32) -> Option<u64> {
    if let Some(value) = facts.constant(register) {
        return Some(if value == 0 { 0 } else { u64::MAX });
    }
    if let Some(table) = atoms.tables.get(register) {
        return Some(table);
    }
    let known = (atoms.count, atoms.tables.count);
    let mut table = facts.definition(register).and_then(|op| of_op(facts, op, atoms, depth)).flatten();
    if table.is_none() {
        // What is made of too many others is a variable itself.
        atoms.count = known.0;
        atoms.tables.truncate(known.1);
        table = atoms.variable(Atom::Register(register));
    }
    if let Some(table) = table {
        atoms.tables.push(register, table);
    }
    table
}
