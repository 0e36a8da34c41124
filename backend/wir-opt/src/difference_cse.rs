//! What is left of sets from which the same set is taken, where it is known to have what else they have.
//!
//! A keeper who turns pieces round asks first whether the line from the second square on ends as it should, and then walks
//! from the first one, which was asked for before. Both are what is left of a line without the pieces of one kind, and where
//! the first square has such a piece, they are the same.

use super::compose_tables::masks;
use super::entries::{Entries, Found, number};
use rg_ir::invariant::Invariant;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wir::uses::definitions;
use wir::{Block, FnId, Inst, Op, Program, Reg};

/// Most sets that are compared with one.
const MAX_SETS: usize = 64;

/// Does so in all functions of a program; those that it changed.
pub(super) fn unite_all(program: &mut Program) -> Vec<FnId> {
    (0..program.functions.len()).filter(|&id| unite(program, id)).map(|id| id as FnId).collect()
}

/// Lets sets that are the same where they stand be one, in the function of that number; whether there were any. Linear in the
/// function times the length of tables.
fn unite(program: &mut Program, function: usize) -> bool {
    let Some(of) = program.functions.get_mut(function) else { return false };
    let mut body = std::mem::take(&mut of.body);
    let ops = definitions(&body);
    let mut search =
        Search { program, ops, entries: Found::default(), cuts: Vec::new(), facts: Vec::new(), changed: false };
    search.block(&mut body);
    let changed = search.changed;
    if let Some(of) = program.functions.get_mut(function) {
        of.body = body;
    }
    changed
}

/// A set that has at least one bit of each of these masks where the index is that.
struct Fact {
    set: Reg,
    masks: Rc<Entries>,
}

/// What is left of the entries of a table without a set.
struct Cut {
    left: Reg,
    without: Reg,
    of: Rc<Entries>,
}

struct Search<'p> {
    program: &'p Program,
    ops: FxHashMap<Reg, Op>,
    entries: Found,
    /// What was computed in blocks that are open.
    cuts: Vec<Cut>,
    /// What is known in them.
    facts: Vec<Fact>,
    changed: bool,
}

impl Search<'_> {
    fn block(&mut self, block: &mut Block) {
        let (cuts, facts) = (self.cuts.len(), self.facts.len());
        for inst in &mut block.insts {
            match inst {
                Inst::Let { to, op } => {
                    if let Op::AndNot(of, without) = *op
                        && let Some(of) = self.of(of)
                    {
                        match self.same(&of, without) {
                            Some(known) => {
                                *op = Op::Or(known, known);
                                self.changed = true;
                            }
                            None => self.cuts.push(Cut { left: *to, without, of }),
                        }
                    }
                }
                Inst::If { cond, then, other, .. } => {
                    let (facts, cond) = (self.facts.len(), *cond);
                    self.know(cond, true);
                    self.block(then);
                    self.facts.truncate(facts);
                    self.know(cond, false);
                    self.block(other);
                    self.facts.truncate(facts);
                }
                inst => wir::uses::inner_mut(inst).for_each(|block| self.block(block)),
            }
        }
        self.cuts.truncate(cuts);
        self.facts.truncate(facts);
    }

    fn of(&mut self, register: Reg) -> Option<Rc<Entries>> {
        let ops = |register| self.ops.get(&register).copied();
        self.entries.entries(self.program, &ops, register)
    }

    /// Notes what a condition tells, if it is that a set has the one bit of a mask.
    fn know(&mut self, cond: Reg, holds: bool) {
        let zero = |register| number(&|register| self.ops.get(&register).copied(), register) == Some(0);
        let tested = match self.ops.get(&cond) {
            Some(&Op::Ne(tested, nothing)) if holds && zero(nothing) => tested,
            Some(&Op::Eq(tested, nothing)) if !holds && zero(nothing) => tested,
            _ if holds => cond,
            _ => return,
        };
        let Some(&op) = self.ops.get(&tested) else { return };
        if let Some((set, values, index)) = masks(self.program, &self.ops, &mut self.entries, tested, op) {
            self.facts.push(Fact { set, masks: Rc::new(Entries { index, values, depth: 1 }) });
            return;
        }
        let Op::And(a, b) = op else { return };
        for (set, mask) in [(a, b), (b, a)] {
            if let Some(masks) = self.of(mask)
                && masks.values.iter().all(|mask| mask.count_ones() <= 1)
            {
                self.facts.push(Fact { set, masks });
            }
        }
    }

    /// A set that is the same as what is left of entries without a set.
    fn same(&self, of: &Entries, without: Reg) -> Option<Reg> {
        let facts: Vec<&Fact> = self.facts.iter().filter(|fact| fact.set == without && fact.masks.fits(of)).collect();
        if facts.is_empty() {
            return None;
        }
        let cuts = self.cuts.iter().rev().take(MAX_SETS);
        let mut cuts = cuts.filter(|cut| cut.without == without && cut.of.fits(of));
        let same = cuts.find(|cut| {
            cut.of.values.iter().zip(&of.values).enumerate().all(|(index, (a, b))| {
                let masks = facts.iter().map(|fact| {
                    fact.masks.values.get(index).copied().invariant_or(0, "the masks of a fact are as many as its sets")
                });
                // With no bit to have, nobody comes here.
                masks.clone().any(|mask| mask == 0) || masks.fold(a ^ b, |left, mask| left & !mask) == 0
            })
        })?;
        Some(same.left)
    }
}
