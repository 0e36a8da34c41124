//! Where a check is asked in a state that it certainly cannot tell apart from the one in which the search began: its answer is
//! kept, and nobody need look at what was written since.
//!
//! All ways from the beginning are followed at once. On each, what tests have found out about cells is known until they are
//! written, so that a write can be seen to make no difference to the check.

use super::flow::{falls_through, target};
use crate::program::{Kinds, Op, Pc, Program, written_cell};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most facts that are known at once.
const MAX_FACTS: usize = 8;

/// A cell, as the first one of its run and the cell that holds its place there, and what it holds.
type Fact = (u32, u32, u32);

/// What is known where an operation begins: whether nothing was written that the check notices, and facts.
#[derive(Clone, PartialEq)]
struct Here {
    alike: bool,
    facts: Vec<Fact>,
}

/// The operations at which the state is one that the check cannot tell apart from the one at `entry`.
pub(super) fn alike(program: &Program, kinds: &Kinds, entry: Pc) -> FxHashSet<Pc> {
    let mut all: FxHashMap<Pc, Here> = FxHashMap::default();
    all.insert(entry, Here { alike: true, facts: Vec::new() });
    let mut open = vec![entry];
    while let Some(pc) = open.pop() {
        let (Some(&op), Some(here)) = (program.code.get(pc as usize), all.get(&pc)) else { continue };
        let here = here.clone();
        let elsewhere = target(op).map(|target| (target, here.clone()));
        let next = falls_through(&op).then(|| (pc + 1, here.after(program, kinds, op)));
        for (target, here) in elsewhere.into_iter().chain(next) {
            match all.get_mut(&target) {
                None => _ = all.insert(target, here),
                Some(known) => {
                    let (alike, facts) = (known.alike, known.facts.len());
                    known.alike &= here.alike;
                    known.facts.retain(|fact| here.facts.contains(fact));
                    if (alike, facts) == (known.alike, known.facts.len()) {
                        continue;
                    }
                }
            }
            open.push(target);
        }
    }
    all.into_iter().filter(|(_, here)| here.alike).map(|(pc, _)| pc).collect()
}

impl Here {
    /// What is known behind an operation.
    fn after(mut self, program: &Program, kinds: &Kinds, op: Op) -> Self {
        match op {
            Op::EachCell { slot, base, value, .. } => {
                self.writes(program, kinds, slot..slot.saturating_add(1), None);
                self.finds((base, slot, value));
            }
            Op::CellEq { base, slot, value, .. } => self.finds((base, slot, value)),
            Op::SetCell { base, slot, value, count } => {
                let old = self.facts.iter().find(|&&(first, index, _)| (first, index) == (base, slot));
                let change = old.map(|&(_, _, old)| (old, value));
                self.writes(program, kinds, base..base.saturating_add(count), change);
            }
            Op::Store { base, .. } | Op::EachStore { base, .. } => {
                let run = run(program, base);
                self.writes(program, kinds, run, None);
            }
            Op::Copy { .. } => self = Self { alike: false, facts: Vec::new() },
            _ => {
                if let Some(slot) = written_cell(op) {
                    self.writes(program, kinds, slot..slot.saturating_add(1), None);
                }
            }
        }
        self
    }

    /// Some of these cells is written; `change`: what it holds before and afterwards, if that is known.
    fn writes(&mut self, program: &Program, kinds: &Kinds, cells: std::ops::Range<u32>, change: Option<(u32, u32)>) {
        let unnoticed = |cell| match (kinds.row(cell), change) {
            (None, _) => true,
            (Some(row), Some((old, new))) => row.alike(old, new),
            (Some(_), None) => false,
        };
        self.alike = self.alike && cells.clone().all(unnoticed);
        self.facts.retain(|&(base, index, _)| {
            let run = run(program, base);
            !cells.contains(&index) && (run.end <= cells.start || cells.end <= run.start)
        });
    }

    fn finds(&mut self, fact: Fact) {
        if self.facts.len() < MAX_FACTS && !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }
}

/// The cells of the variable to which one belongs.
fn run(program: &Program, cell: u32) -> std::ops::Range<u32> {
    let mut fields = program.layout.vars.values();
    let field = fields.find(|field| field.offset <= cell && cell - field.offset < field.len);
    field.map_or(0..u32::MAX, |field| field.offset..field.offset + field.len)
}
