//! Values because of which fluents are not groups.
//!
//! Where two rules yield different values for one key, and one of them says which value, that value is the exception: as a
//! kind of fluents of its own ([`crate::flat::separate()`]) it leaves the others a group. What is found here is only worth
//! trying: whether it is a group is proven afterwards.

use super::refute::{self, Order};
use super::{BUDGET, Context, Group, determines, yields_two};
use crate::flat::{Apart, Arg, Rule};
use crate::normal::TermId;

/// Kinds with fewer fluents stay as they are: flags are not many.
const MIN_FLUENTS: usize = 1_024;

/// Most values that become kinds of their own.
const MAX_APART: usize = 6;

/// Most cases of all proofs that look for exceptions.
const MAX_CASES: usize = 10_000;

/// Arguments of fluents in which some rules give values and others do not, where that may matter: there are many fluents
/// of the kind, and at first there is at most one value for each of the other arguments.
fn suspects(context: &Context<'_>) -> Vec<Group> {
    let mut found = Vec::new();
    for (fluent, kind) in context.flat.fluents.iter().enumerate() {
        let arity = context.flat.relation(kind.truth).arity;
        let size = |place| context.domains.at(kind.truth, place).map_or(0, |domain| domain.values().len());
        if arity < 2 || (0..arity).map(size).fold(1usize, usize::saturating_mul) < MIN_FLUENTS {
            continue;
        }
        for place in 0..arity {
            let given = context.flat.rules_of(kind.next).filter(|rule| given(rule, place).is_some()).count();
            let mixed = given > 0 && given < context.flat.rules_of(kind.next).count();
            if mixed && determines(context.tables.of(kind.init).rows(), &[place]) {
                let key = (0..arity).filter(|&other| other != place).collect();
                found.push(Group { fluent, key, value: vec![place], exactly_one: false });
            }
        }
    }
    found
}

/// The first of the suspects that is not a group, with values without which it may be one.
pub(crate) fn exceptions(context: &mut Context<'_>, groups: &[Group]) -> Option<Apart> {
    let mut total = MAX_CASES;
    let suspects = suspects(context);
    suspects.iter().filter(|suspect| groups.iter().all(|group| group.fluent != suspect.fluent)).find_map(|suspect| {
        let values = blamed(context, groups, suspect, &mut total)?;
        Some(Apart { fluent: suspect.fluent, place: *suspect.value.first()?, values })
    })
}

/// The value that a rule gives in an argument.
fn given(rule: &Rule, place: usize) -> Option<TermId> {
    rule.head.args.get(place).copied().and_then(Arg::constant)
}

/// The values that rules give which contradict a group; `None` if that is not the reason, or not the only one.
fn blamed(context: &mut Context<'_>, groups: &[Group], group: &Group, total: &mut usize) -> Option<Vec<TermId>> {
    let kind = *context.flat.fluents.get(group.fluent)?;
    let place = *group.value.first()?;
    let given = |rule: &Rule| given(rule, place);
    let assumed: Vec<Group> = groups.iter().chain([group]).cloned().collect();
    context.assume(&assumed);
    context.order.set(Order::Fewest);
    let mut values: Vec<TermId> = Vec::new();
    // Rules that give no value come first: where they contradict each other, nothing helps.
    let mut order: Vec<&Rule> = context.flat.rules_of(kind.next).collect();
    order.sort_by_key(|rule| given(rule).is_some());
    'pairs: for (index, first) in order.iter().enumerate() {
        for second in order.iter().skip(index) {
            let suspects = [given(second), given(first)];
            if suspects.iter().flatten().any(|value| values.contains(value)) {
                continue;
            }
            let Some(facts) = yields_two(context, group, first, second) else { continue };
            let mut budget = BUDGET.min(*total);
            let before = budget;
            let refuted = refute::refuted(facts, &mut budget);
            *total -= before - budget;
            if refuted {
                continue;
            }
            match suspects.into_iter().flatten().next().filter(|_| values.len() < MAX_APART) {
                Some(value) => values.push(value),
                None => {
                    values.clear();
                    break 'pairs;
                }
            }
        }
    }
    context.assume(groups);
    (!values.is_empty()).then_some(values)
}
