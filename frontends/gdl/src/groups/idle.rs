//! Rules that can never fire, by what groups and consequences say.
//!
//! Rules that were written for all cases of something, or by a program, have cases that cannot be: a piece that comes to where it
//! is, say. Such a rule says nothing, but what all rules of its relation have in common would be less.

use super::Context;
use crate::flat::Flat;
use crate::normal::RelationKind;

/// Most cases of the proof that a rule cannot fire.
const CASES: usize = 40;

/// Most cases of all such proofs for one game.
const TOTAL_CASES: usize = 4_000;

/// The rules of derived relations that cannot fire, by position in [`Flat::rules`]. A relation keeps one rule at least.
pub(crate) fn idle(context: &Context<'_>) -> Vec<usize> {
    let flat = context.flat;
    let (mut found, mut left) = (Vec::new(), TOTAL_CASES);
    for relation in &flat.relations {
        let is_asked = matches!(relation.kind, RelationKind::Helper | RelationKind::Legal);
        if relation.is_static || relation.recursive || !is_asked {
            continue;
        }
        let mut rules = relation.rules.len();
        for &index in &relation.rules {
            let Some(rule) = flat.rules.get(index).filter(|_| rules > 1 && left > 0) else { continue };
            let given = CASES.min(left);
            let mut budget = given;
            if context.impossible_in(rule, &mut budget) {
                found.push(index);
                rules -= 1;
            }
            left -= given - budget;
        }
    }
    found
}

/// The program without these rules.
pub(crate) fn without(mut flat: Flat, rules: &[usize]) -> Flat {
    let kept: Vec<usize> = (0..flat.rules.len()).filter(|index| !rules.contains(index)).collect();
    for relation in &mut flat.relations {
        relation.rules = relation.rules.iter().filter_map(|index| kept.binary_search(index).ok()).collect();
    }
    flat.rules = kept.iter().filter_map(|&index| flat.rules.get(index).cloned()).collect();
    flat
}
