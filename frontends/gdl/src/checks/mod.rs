//! The checks of a whole description (section 5 of the specification).
//!
//! What is wrong with one form by itself (L1 to S6) is found while reading it. Checks that need states (5.5) are not
//! made here.

mod cycles;
mod declared;
mod dependencies;
mod near;
mod reserved;
mod safety;
mod scope;
mod terms;
pub(crate) mod unknown;
mod vocabulary;

pub(crate) use near::{Counts, binding};
pub(crate) use safety::{suggesting, unbound};
pub(crate) use vocabulary::reserved_arity;

use crate::ast::{Description, Literal, Name};
use crate::{codes, lenient};
use rg_ir::{Diagnostic, Report};
use rustc_hash::FxHashSet;

/// Reports everything that is wrong or strange. Near-linear.
pub(crate) fn run(description: &Description, report: &mut Report) {
    vocabulary::run(description, report);
    reserved::run(description, report);
    terms::run(description, report);
    declared::run(description, report);
    let reading = lenient::read(description);
    let rules = reading.as_ref().map_or(description, |reading| &reading.description);
    safety::run(rules, report);
    for finding in reading.iter().flat_map(|reading| &reading.findings) {
        report.push(finding.clone());
    }
    for rule in &description.rules {
        rule.body.iter().for_each(|literal| negations(literal, report));
    }
    // What is strange beside errors, and dependencies between relations that are not what they seem, would only repeat what was said.
    if !report.failed() {
        terms::unread(description, report);
        near::run(description, report);
        dependencies::run(rules, report);
        cycles::run(rules, report);
    }
    // A rule for `goal` may be among what is wrong.
    if !report.failed() {
        reserved::without_goal(description, report);
    }
}

/// S7: negations of anything but atoms.
fn negations(literal: &Literal, report: &mut Report) {
    match literal {
        Literal::Atom(_) | Literal::Distinct(..) => {}
        Literal::Or(parts, _) | Literal::And(parts, _) => parts.iter().for_each(|part| negations(part, report)),
        Literal::Not(inner, span) => {
            let (operator, meaning) = match **inner {
                Literal::Atom(_) => return,
                Literal::Distinct(..) => ("distinct", "equality of the terms"),
                Literal::Not(..) => ("not", "what is negated twice"),
                Literal::Or(..) => ("or", "a conjunction of negations"),
                Literal::And(..) => ("and", "a disjunction of negations"),
            };
            let message = format!("negation of `{operator}` rewritten as {meaning}");
            report.push(Diagnostic::warning(codes::S7_NEGATION, *span, message));
            negations(inner, report);
        }
    }
}

/// The words that findings so far have a suggestion about.
fn settled(report: &Report) -> FxHashSet<String> {
    let edits = report.findings().iter().flat_map(|finding| &finding.fixes).flat_map(|fix| &fix.edits);
    edits.flat_map(|edit| [Some(&edit.text), edit.instead_of.as_ref()]).flatten().cloned().collect()
}

/// A name as the user wrote it.
fn shown(description: &Description, name: Name) -> &str {
    description.words.spelling(name.word)
}
