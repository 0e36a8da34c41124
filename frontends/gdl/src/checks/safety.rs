//! Variables that nothing binds: S8 and R1.

use super::near::{self, Counts};
use super::scope::{self, Leaf, Scope};
use super::shown;
use crate::ast::{Description, Name, Rule};
use crate::codes;
use rg_ir::diag::Fix;
use rg_ir::{Diagnostic, Report};
use rustc_hash::FxHashSet;

/// Checks every rule. Linear.
pub(super) fn run(description: &Description, report: &mut Report) {
    let counts = Counts::of(description);
    for rule in &description.rules {
        if rule.body.is_empty() {
            fact(description, rule, report);
        } else {
            safe(description, &counts, rule, report);
        }
    }
}

fn fact(description: &Description, rule: &Rule, report: &mut Report) {
    let mut seen = FxHashSet::default();
    rule.head.variables(&mut |name| {
        if seen.insert(name.word) {
            let message = format!("fact has variable `{}`; facts must be ground", shown(description, name));
            let error = Diagnostic::error(codes::S8_FACT, name.span, message);
            report.push(error.help("add conditions that say which values the variable takes"));
        }
    });
}

/// The variables of a rule that nothing binds, each with its place: those of the head first.
pub(crate) fn unbound(rule: &Rule) -> Vec<(Name, &'static str)> {
    let mut seen = FxHashSet::default();
    let mut heads: Vec<(Name, &str)> = Vec::new();
    let mut found: Vec<(Name, &str)> = Vec::new();
    if rule.body.is_empty() {
        rule.head.variables(&mut |name| {
            if seen.insert((name.word, "fact")) {
                found.push((name, "fact"));
            }
        });
        return found;
    }
    let mut look = |name: Name, place: &'static str, scope: &Scope<'_>| {
        if !scope.binds(name.word) && seen.insert((name.word, place)) {
            found.push((name, place));
        }
    };
    let mut visit = |leaf: &Leaf<'_>, scope: &Scope<'_>| match leaf {
        Leaf::Atom(_, false) => {}
        Leaf::Atom(atom, true) => atom.variables(&mut |name| look(name, "negation", scope)),
        Leaf::Distinct(terms) => {
            terms.iter().for_each(|term| term.variables(&mut |name| look(name, "`distinct`", scope)));
        }
    };
    scope::walk(rule, &mut visit, |scope| {
        rule.head.variables(&mut |name| {
            if !scope.binds(name.word) && heads.iter().all(|(other, _)| other.word != name.word) {
                heads.push((name, "head"));
            }
        });
    });
    heads.append(&mut found);
    heads
}

fn safe(description: &Description, counts: &Counts, rule: &Rule, report: &mut Report) {
    for (name, place) in unbound(rule) {
        let variable = shown(description, name);
        let message = format!("unsafe rule: variable `{variable}` in the {place} is bound by no positive literal");
        let error = Diagnostic::error(codes::R1_UNSAFE, name.span, message);
        let error = error.help("add a positive condition with the variable, in every branch of an `or`");
        report.push(suggesting(error, near::binding(description, counts, rule, name)));
    }
}

/// The finding with a suggestion of [`near::binding`], if there is one, in place of its help and before its fixes.
pub(crate) fn suggesting(mut finding: Diagnostic, meant: Option<(String, Fix)>) -> Diagnostic {
    if let Some((help, fix)) = meant {
        finding.help = Some(help);
        finding.fixes.insert(0, fix);
    }
    finding
}
