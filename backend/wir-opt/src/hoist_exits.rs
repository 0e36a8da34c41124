//! A side exit is taken before anything else is decided: what follows knows then that it is not so.

use rustc_hash::{FxHashMap, FxHashSet};
use wir::uses::{inner_mut, results};
use wir::{Block, Inst, Op, Reg};

/// Operations that may move with a condition.
const MAX_MOVED: usize = 12;

/// Moves side exits of the block and of those inside before branches and loops that they do not depend on; whether there are any.
pub(super) fn hoist(block: &mut Block) -> bool {
    let composite = |inst: &Inst| {
        matches!(
            inst,
            Inst::If { .. } | Inst::Switch { .. } | Inst::Each { .. } | Inst::Loop { .. } | Inst::Call { .. }
        )
    };
    let mut changed = false;
    for inst in &mut block.insts {
        inner_mut(inst).for_each(|block| changed |= hoist(block));
    }
    let insts = &block.insts;
    if !insts.iter().any(composite) || !insts.iter().any(|inst| matches!(inst, Inst::SideExit { .. })) {
        return changed;
    }
    // By register: where it is defined, and from where on it could be.
    let mut at: FxHashMap<Reg, (usize, usize)> = FxHashMap::default();
    let mut moves: FxHashMap<usize, usize> = FxHashMap::default();
    // The choices and loops so far.
    let mut choices: Vec<usize> = Vec::new();
    for (index, inst) in insts.iter().enumerate() {
        choices.extend(composite(inst).then_some(index));
        let earliest = match inst {
            Inst::Let { op: Op::Load(_), .. } => index + 1,
            Inst::Let { op, .. } => op.reads().map(|read| at.get(&read).map_or(0, |place| place.1)).max().unwrap_or(0),
            _ => index + 1,
        };
        at.extend(results(inst).map(|register| (register, (index, earliest))));
        let Inst::SideExit { cond } = inst else { continue };
        let earliest = at.get(cond).map_or(0, |place| place.1);
        // The first choice behind all that cannot move; what is before that one stays where it is.
        let Some(&choice) = choices.iter().find(|&&choice| choice >= earliest) else { continue };
        let mut to = 0;
        let (mut slice, mut left) = (FxHashSet::default(), vec![*cond]);
        while let Some(register) = left.pop() {
            match at.get(&register) {
                Some(&(place, _)) if place < choice => to = to.max(place + 1),
                Some(&(place, _)) if slice.insert(place) => {
                    if let Some(Inst::Let { op, .. }) = insts.get(place) {
                        left.extend(op.reads());
                    }
                }
                _ => {}
            }
        }
        if slice.len() <= MAX_MOVED {
            for place in slice.into_iter().chain([index]) {
                let earlier = moves.entry(place).or_insert(to);
                *earlier = (*earlier).min(to);
            }
        }
    }
    if moves.is_empty() {
        return changed;
    }
    let mut placed: Vec<((usize, bool, usize), Inst)> = Vec::with_capacity(insts.len());
    for (index, inst) in block.insts.drain(..).enumerate() {
        let key = moves.get(&index).map_or((index, true, index), |&to| (to, false, index));
        placed.push((key, inst));
    }
    placed.sort_by_key(|(key, _)| *key);
    block.insts.extend(placed.into_iter().map(|(_, inst)| inst));
    true
}
