//! Parameters that functions do not need, and the arguments for them.

use super::dce;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wir::calls::called;
use wir::effects::Effects;
use wir::uses::inner_mut;
use wir::{Block, FnId, Function, Inst, Program};

/// Takes away the parameters that functions do not need, and what they were computed from where they are called.
pub(super) fn drop(program: &mut Program) -> Vec<FnId> {
    // Searches stay as they are, with what they call.
    let (searches, others): (Vec<_>, Vec<_>) =
        program.functions.iter().partition(|function| Effects::of(&function.body).memory);
    let called_by = |functions: &[&Function]| functions.iter().flat_map(|function| called(&function.body)).collect();
    let (searched, mut called): (BTreeSet<FnId>, BTreeSet<FnId>) = (called_by(&searches), called_by(&others));
    called.retain(|id| !searched.contains(id));
    let mut left: FxHashMap<FnId, Vec<bool>> = FxHashMap::default();
    for (id, function) in (0..).zip(&mut program.functions) {
        // It calls earlier ones only.
        if drop_arguments(&mut function.body, &left) {
            *function = dce::sweep(function);
        }
        if called.contains(&id) {
            let (swept, kept) = dce::sweep_parameters(function);
            *function = swept;
            left.insert(id, kept);
        }
    }
    Vec::new()
}

/// Takes the arguments of calls away for which there are no parameters any more, and says whether there were any.
fn drop_arguments(block: &mut Block, left: &FxHashMap<FnId, Vec<bool>>) -> bool {
    let mut dropped = false;
    for inst in &mut block.insts {
        if let Inst::Call { function, args, .. } = inst
            && let Some(left) = left.get(function)
        {
            let (mut left, before) = (left.iter(), args.len());
            args.retain(|_| left.next() != Some(&false));
            dropped |= args.len() < before;
        }
        inner_mut(inst).for_each(|block| dropped |= drop_arguments(block, left));
    }
    dropped
}
