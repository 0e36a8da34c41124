//! K5: what may depend on what, directly or through other relations.

use crate::ast::{Description, Name, Word};
use crate::codes;
use rg_ir::{Diagnostic, Report};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The atoms in the bodies of the rules of a relation, each relation once: the first occurrence.
pub(super) type Uses = FxHashMap<Word, Vec<Name>>;

/// What every relation depends on directly. Linear.
pub(super) fn uses(description: &Description) -> Uses {
    let mut seen = FxHashSet::default();
    let mut uses = Uses::default();
    for rule in &description.rules {
        let head = rule.head.name.word;
        let list = uses.entry(head).or_default();
        for literal in &rule.body {
            literal.atoms(&mut |atom, _| {
                if seen.insert((head, atom.name.word)) {
                    list.push(atom.name);
                }
            });
        }
    }
    uses
}

/// Relations and what they must not depend on.
const FORBIDDEN: &[(&[Word], &[Word])] = &[
    (
        &[Word::ROLE, Word::BASE, Word::INPUT, Word::INIT],
        &[Word::TRUE, Word::DOES, Word::NEXT, Word::LEGAL, Word::GOAL, Word::TERMINAL],
    ),
    (&[Word::LEGAL, Word::GOAL, Word::TERMINAL], &[Word::DOES]),
];

/// Reports every forbidden dependency, with a shortest way. Linear.
pub(super) fn run(description: &Description, report: &mut Report) {
    let uses = uses(description);
    for (from, to) in FORBIDDEN {
        for &start in *from {
            search(description, &uses, start, to, report);
        }
    }
}

/// Breadth-first from a relation to each of those it must not depend on.
fn search(description: &Description, uses: &Uses, start: Word, forbidden: &[Word], report: &mut Report) {
    let mut reached: FxHashMap<Word, (Word, Name)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(relation) = queue.pop_front() {
        for &name in uses.get(&relation).into_iter().flatten() {
            if name.word == start || reached.contains_key(&name.word) {
                continue;
            }
            reached.insert(name.word, (relation, name));
            if forbidden.contains(&name.word) {
                found(description, start, name.word, &reached, report);
            } else {
                queue.push_back(name.word);
            }
        }
    }
}

/// Reports the dependency of `start` on `end`.
fn found(
    description: &Description,
    start: Word,
    end: Word,
    reached: &FxHashMap<Word, (Word, Name)>,
    report: &mut Report,
) {
    let text = |word| description.words.spelling(word);
    // The names on the way, the last one first.
    let mut way = Vec::new();
    let mut at = end;
    while let Some(&(before, name)) = reached.get(&at).filter(|_| at != start) {
        way.push(name);
        at = before;
    }
    let inner: Vec<&str> = way.iter().skip(1).rev().map(|name| text(name.word)).collect();
    let via = if inner.is_empty() { String::new() } else { format!(" via {}", inner.join(" → ")) };
    let message = format!("`{}` depends on `{}`{via}", text(start), text(end));
    // The first step stands in a rule of the relation itself.
    let Some(&first) = way.last() else { return };
    let mut error = Diagnostic::error(codes::K5_DEPENDENCY, first.span, message);
    for name in way.iter().rev().skip(1) {
        error = error.also(name.span, "and this");
    }
    report.push(error.help(if end == Word::DOES {
        "moves are only known to `next` and `sees`"
    } else {
        "it must be the same in all states"
    }));
}
