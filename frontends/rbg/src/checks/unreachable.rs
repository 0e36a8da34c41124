//! Rules that no walk reaches, because nothing passes what stands before them.
//!
//! `{}` never holds. So nothing passes a sequence with it, alternatives that all have it, a check of something that nothing passes, and the negated
//! check of what always holds.

use rg_ir::Diagnostic;
use rg_ir::ids::Id;
use rustc_hash::FxHashSet;

use super::Sink;
use crate::ast::{Description, Origin, Rule, RuleId, Rules};
use crate::codes;

/// How an expression can be passed.
#[derive(Clone, Copy, Default)]
struct Passage {
    /// Not at all, in no state.
    never: bool,
    /// In every state, where it begins.
    always: bool,
}

/// Reports the first rules behind what nothing passes. What comes from a macro, or was given to one, is reported if none of its copies can be reached.
/// Linear.
pub(super) fn check(description: &Description, sink: &mut Sink<'_>) {
    let rules = &description.rules;
    let passages = passages(description);
    if !passages.iter().any(|passage| passage.never) {
        return;
    }
    let reached = reached(rules, &passages);
    let is_reached = |id: RuleId| reached.get(id.index()) == Some(&true);
    let nodes = || (0..rules.nodes.len()).map(RuleId::from_index).zip(&rules.nodes);
    let copies = nodes().filter(|(id, (_, origin))| is_reached(*id) && origin.expansion.is_some());
    let copies: FxHashSet<(u32, u32)> = copies.map(|(_, (_, origin))| place(*origin)).collect();
    for (_, (rule, _)) in nodes().filter(|(id, _)| is_reached(*id)) {
        let Rule::Concat(parts) = rule else { continue };
        let Some(last) = parts.iter().position(|part| passages.get(part.index()).is_some_and(|passage| passage.never))
        else {
            continue;
        };
        let origin = |at: usize| rules.nodes.get(parts.get(at)?.index()).map(|(_, origin)| *origin);
        let (Some(wall), Some(first)) = (origin(last), origin(last + 1)) else { continue };
        if first.expansion.is_some() && copies.contains(&place(first)) {
            continue;
        }
        let before = last.checked_sub(1).and_then(|before| rules.nodes.get(parts.get(before)?.index()));
        let ends = matches!(before, Some((Rule::Switch { player: None, .. }, _)));
        sink.push(first, finding(first, wall, ends));
    }
}

fn finding(first: Origin, wall: Origin, ends: bool) -> Diagnostic {
    let (message, label) = match ends {
        true => ("this is never reached: the game ends before it", "the end of the game"),
        false => ("this is never reached: nothing passes what stands before it", "nothing passes this"),
    };
    let help = "only what stands before a test that never holds, or in another alternative, can be part of a move";
    Diagnostic::warning(codes::UNREACHABLE, first.span, message).also(wall.span, label).help(help)
}

fn place(origin: Origin) -> (u32, u32) {
    (origin.span.start, origin.span.end)
}

/// How each expression can be passed; parts come before the whole.
fn passages(description: &Description) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::with_capacity(description.rules.nodes.len());
    for (rule, _) in &description.rules.nodes {
        let of = |id: &RuleId| passages.get(id.index()).copied().unwrap_or_default();
        let passage = match rule {
            Rule::Sum(parts) => Passage {
                never: parts.iter().all(|part| of(part).never),
                always: parts.iter().any(|part| of(part).always),
            },
            Rule::Concat(parts) => Passage {
                never: parts.iter().any(|part| of(part).never),
                always: parts.iter().all(|part| of(part).always),
            },
            Rule::Star(_) => Passage { never: false, always: true },
            Rule::On(pieces) => Passage { never: pieces.is_empty(), always: pieces.len() == description.pieces.len() },
            Rule::Check { negated: false, rule } => of(rule),
            Rule::Check { negated: true, rule } => Passage { never: of(rule).always, always: of(rule).never },
            Rule::Shift(_)
            | Rule::Off { .. }
            | Rule::Assign { .. }
            | Rule::Compare { .. }
            | Rule::Switch { .. }
            | Rule::Dot => Passage::default(),
        };
        passages.push(passage);
    }
    passages
}

/// Which expressions some walk reaches, as far as [`Passage`]s tell.
fn reached(rules: &Rules, passages: &[Passage]) -> Vec<bool> {
    let mut reached = vec![false; rules.nodes.len()];
    let mark = |reached: &mut Vec<bool>, id: RuleId| {
        if let Some(slot) = reached.get_mut(id.index()) {
            *slot = true;
        }
    };
    mark(&mut reached, rules.root);
    for (index, (rule, _)) in rules.nodes.iter().enumerate().rev() {
        if reached.get(index) != Some(&true) {
            continue;
        }
        match rule {
            Rule::Sum(parts) => parts.iter().for_each(|&part| mark(&mut reached, part)),
            Rule::Concat(parts) => {
                for &part in parts {
                    mark(&mut reached, part);
                    if passages.get(part.index()).is_some_and(|passage| passage.never) {
                        break;
                    }
                }
            }
            Rule::Star(inner) | Rule::Check { rule: inner, .. } => mark(&mut reached, *inner),
            _ => {}
        }
    }
    reached
}
