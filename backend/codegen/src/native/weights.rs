//! How often blocks run, and what machine code makes of that: what seldom runs stands apart from the rest.

use super::translate::Translator;
use cranelift_codegen::ir::Block as Label;
use rustc_hash::FxHashMap;
use wir::uses::inner;
use wir::{Block, Function, Inst};

/// An arm is taken seldom if that is less than once in so many times: where all arms of a choice stand in line, any way through
/// it jumps once; where one stands apart, that way jumps twice and the other one, if there are two, never.
const SELDOM: u64 = 4;

/// How often the blocks of a function ran, if that was counted.
#[derive(Default)]
pub(super) struct Weights {
    /// By address of the block.
    counts: FxHashMap<usize, u64>,
}

impl Weights {
    /// The counts of a function, in the order of [`wir::profile::Profile`]; none if nobody counted.
    pub(super) fn of(function: &Function, counts: &[u64]) -> Self {
        let mut weights = Self::default();
        if !counts.is_empty() {
            weights.add(&function.body, &mut counts.iter().copied());
        }
        weights
    }

    fn add(&mut self, block: &Block, counts: &mut impl Iterator<Item = u64>) {
        let Some(count) = counts.next() else { return };
        self.counts.insert(address(block), count);
        for inst in &block.insts {
            match inst {
                // Its moves.
                Inst::EmitSet { .. } => _ = counts.next(),
                _ => inner(inst).for_each(|block| self.add(block, counts)),
            }
        }
    }

    fn count(&self, block: &Block) -> u64 {
        self.counts.get(&address(block)).copied().unwrap_or(0)
    }
}

fn address(block: &Block) -> usize {
    std::ptr::from_ref(block).addr()
}

impl Translator<'_, '_> {
    /// A label, apart from the rest if code for blocks that seldom run is being made.
    pub(super) fn label(&mut self) -> Label {
        let label = self.builder.create_block();
        if self.cold {
            self.builder.set_cold_block(label);
        }
        label
    }

    /// Begins with an arm of a choice at its label; [`Translator::arms`] says whether it is seldom taken. Whoever begins puts
    /// `cold` back in the end.
    pub(super) fn arm(&mut self, label: Label, seldom: bool) {
        self.cold |= seldom;
        if self.cold {
            self.builder.set_cold_block(label);
        }
        self.builder.switch_to_block(label);
    }

    /// By arm of a choice, whether it is seldom taken: none if the choice was never met, or nobody counted.
    pub(super) fn arms<'b>(&self, arms: impl IntoIterator<Item = &'b Block>) -> Vec<bool> {
        let counts: Vec<u64> = arms.into_iter().map(|arm| self.weights.count(arm)).collect();
        let all = counts.iter().fold(0, |all: u64, &count| all.saturating_add(count));
        counts.iter().map(|&count| count.saturating_mul(SELDOM) < all).collect()
    }
}
