//! What only one arm of a choice reads is computed there.

use rustc_hash::{FxHashMap, FxHashSet};
use wir::uses::{inner_mut, read_by};
use wir::{Block, Inst, Op, Reg};

/// Where a register is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Site {
    /// Only in this arm of the instruction at this index.
    Arm(usize, usize),
    /// Elsewhere.
    Other,
}

/// Moves operations from before choices into the only arms that read them.
pub(super) fn sink(block: &mut Block) {
    let mut sites: FxHashMap<Reg, Site> = FxHashMap::default();
    let note = |sites: &mut FxHashMap<Reg, Site>, register: Reg, site: Site| {
        let known = sites.entry(register).or_insert(site);
        if *known != site {
            *known = Site::Other;
        }
    };
    block.yields.iter().for_each(|&register| note(&mut sites, register, Site::Other));
    // By arm, from the last to the first.
    let mut sunk: FxHashMap<(usize, usize), Vec<Inst>> = FxHashMap::default();
    let mut kept: Vec<(usize, Inst)> = Vec::with_capacity(block.insts.len());
    for (index, inst) in block.insts.drain(..).enumerate().rev() {
        let mut arms: Vec<&Block> = Vec::new();
        match &inst {
            Inst::Let { to, op } if !matches!(op, Op::Const(_) | Op::Load(_)) => {
                if let Some(&Site::Arm(at, arm)) = sites.get(to) {
                    op.reads().for_each(|register| note(&mut sites, register, Site::Arm(at, arm)));
                    sunk.entry((at, arm)).or_default().push(inst);
                    continue;
                }
                op.reads().for_each(|register| note(&mut sites, register, Site::Other));
            }
            Inst::If { cond, then, other, .. } => {
                note(&mut sites, *cond, Site::Other);
                arms.extend([then, other]);
            }
            Inst::Switch { on, cases, .. } => {
                note(&mut sites, *on, Site::Other);
                arms.extend(cases);
            }
            inst => {
                let mut read = FxHashSet::default();
                read_by(inst, &mut read);
                read.into_iter().for_each(|register| note(&mut sites, register, Site::Other));
            }
        }
        for (arm, inside) in arms.into_iter().enumerate() {
            let mut read: FxHashSet<Reg> = inside.yields.iter().copied().collect();
            inside.insts.iter().for_each(|inst| read_by(inst, &mut read));
            read.into_iter().for_each(|register| note(&mut sites, register, Site::Arm(index, arm)));
        }
        kept.push((index, inst));
    }
    for (index, mut inst) in kept.into_iter().rev() {
        for (arm, inside) in inner_mut(&mut inst).enumerate() {
            if let Some(mut first) = sunk.remove(&(index, arm)) {
                first.reverse();
                first.append(&mut inside.insts);
                inside.insts = first;
            }
            sink(inside);
        }
        block.insts.push(inst);
    }
}
