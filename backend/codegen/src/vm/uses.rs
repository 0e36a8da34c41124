//! What a function does how often.

use wir::{Block, Inst, Reg};

/// The most rounds of `each` loops that a block runs, apart from those in other loops.
pub(super) fn rounds(block: &Block) -> u64 {
    let of_inst = |inst: &Inst| match inst {
        Inst::If { then, other, .. } => rounds(then).max(rounds(other)),
        Inst::Switch { cases, .. } => cases.iter().map(rounds).max().unwrap_or(0),
        Inst::Each { body, .. } => rounds(body).saturating_add(1).saturating_mul(64),
        _ => 0,
    };
    block.insts.iter().map(of_inst).fold(0, u64::saturating_add)
}

/// How often registers are read and words are written.
pub(super) struct Uses {
    /// Number of reads, and the loop of the last one.
    pub(super) reads: Vec<(u32, u32)>,
    /// By word of the state: number of instructions that write it.
    pub(super) stores: Vec<u32>,
    /// Loops begun so far.
    pub(super) loops: u32,
}

impl Uses {
    fn read(&mut self, register: Reg, inside: u32) {
        if let Some((count, last)) = self.reads.get_mut(register as usize) {
            (*count, *last) = (count.saturating_add(1), inside);
        }
    }

    /// Loops are numbered in the order in which they begin, from 1.
    pub(super) fn block(&mut self, block: &Block, inside: u32) {
        for inst in &block.insts {
            match inst {
                Inst::Let { op, .. } => op.reads().for_each(|register| self.read(register, inside)),
                Inst::Store { word, value } => {
                    self.read(*value, inside);
                    if let Some(stores) = self.stores.get_mut(*word as usize) {
                        *stores = stores.saturating_add(1);
                    }
                }
                Inst::If { cond, then, other, .. } => {
                    self.read(*cond, inside);
                    self.block(then, inside);
                    self.block(other, inside);
                }
                Inst::Switch { on, cases, .. } => {
                    self.read(*on, inside);
                    cases.iter().for_each(|case| self.block(case, inside));
                }
                Inst::Each { set, carried, body, .. } => {
                    self.read(*set, inside);
                    self.repeated(carried, body, inside);
                }
                Inst::Loop { carried, body, .. } => self.repeated(carried, body, inside),
                // Calls are inlined before.
                Inst::Call { .. } | Inst::Peek { .. } | Inst::Poke { .. } => {}
                Inst::Emit { base: value } | Inst::SideExit { cond: value } => self.read(*value, inside),
                Inst::EmitSet { base, set, .. } => {
                    self.read(*base, inside);
                    self.read(*set, inside);
                }
            }
        }
        block.yields.iter().for_each(|&register| self.read(register, inside));
    }

    fn repeated(&mut self, carried: &[(Reg, Reg)], body: &Block, inside: u32) {
        carried.iter().for_each(|&(_, first)| self.read(first, inside));
        self.loops += 1;
        self.block(body, self.loops);
    }
}
