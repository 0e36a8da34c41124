//! Which positive atoms a literal stands beside, negations pushed inward and without writing disjunctions out.

use crate::ast::{Atom, Literal, Rule, Term, Word};
use rustc_hash::FxHashMap;

/// Most equalities of a conjunction that bind variables.
const MAX_EQUALITIES: usize = 1000;

/// The positive atoms beside a literal.
#[derive(Default)]
pub(super) struct Scope<'a> {
    /// The atoms.
    pub(super) atoms: Vec<&'a Atom>,
    /// How often a variable is bound by them, or by every branch of a disjunction.
    bound: FxHashMap<Word, u32>,
}

/// A literal without parts, with negations pushed inward.
pub(super) enum Leaf<'a> {
    /// An atom, and whether it is negated.
    Atom(&'a Atom, bool),
    /// `distinct`, or (negated) equality.
    Distinct(&'a [Term; 2]),
}

/// Calls `visit` for every leaf of the body of a rule, and `head` for the scope of the head. A literal in a disjunction
/// stands beside those of its branch and those around the disjunction. Linear, up to the depth of nesting.
pub(super) fn walk<'a>(rule: &'a Rule, visit: &mut impl FnMut(&Leaf<'a>, &Scope<'a>), head: impl FnOnce(&Scope<'a>)) {
    let mut scope = Scope::default();
    let parts: Vec<(&Literal, bool)> = rule.body.iter().map(|literal| (literal, false)).collect();
    conjunction(&parts, &mut scope, visit, |scope| head(scope));
}

impl<'a> Scope<'a> {
    /// Whether a variable is bound.
    pub(super) fn binds(&self, variable: Word) -> bool {
        self.bound.get(&variable).is_some_and(|&count| count > 0)
    }

    /// Whether all variables of one of two terms are bound.
    fn binds_one_of(&self, terms: &[Term; 2]) -> bool {
        terms.iter().any(|term| {
            let mut all = true;
            term.variables(&mut |name| all &= self.binds(name.word));
            all
        })
    }

    fn bind(&mut self, variable: Word) {
        *self.bound.entry(variable).or_default() += 1;
    }

    fn unbind(&mut self, variable: Word) {
        if let Some(count) = self.bound.get_mut(&variable) {
            *count = count.saturating_sub(1);
        }
    }
}

/// Visits a conjunction of literals, each with whether it is negated; `then` sees the scope behind it.
fn conjunction<'a>(
    literals: &[(&'a Literal, bool)],
    scope: &mut Scope<'a>,
    visit: &mut impl FnMut(&Leaf<'a>, &Scope<'a>),
    then: impl FnOnce(&mut Scope<'a>),
) {
    // Flattened: leaves and disjunctions.
    let (mut leaves, mut choices, mut equal) = (Vec::new(), Vec::new(), Vec::new());
    let mut stack: Vec<(&Literal, bool)> = literals.iter().rev().copied().collect();
    while let Some((literal, negated)) = stack.pop() {
        match literal {
            Literal::Atom(atom) => leaves.push(Leaf::Atom(atom, negated)),
            Literal::Distinct(terms, _) => {
                leaves.push(Leaf::Distinct(terms));
                equal.extend((negated && equal.len() < MAX_EQUALITIES).then_some(terms));
            }
            Literal::Not(inner, _) => stack.push((inner, !negated)),
            Literal::And(parts, _) if !negated => stack.extend(parts.iter().rev().map(|part| (part, negated))),
            Literal::Or(parts, _) if negated => stack.extend(parts.iter().rev().map(|part| (part, negated))),
            Literal::And(parts, _) | Literal::Or(parts, _) => choices.push((parts, negated)),
        }
    }
    let atoms = scope.atoms.len();
    let mut bound = Vec::new();
    for leaf in &leaves {
        if let Leaf::Atom(atom, false) = leaf {
            scope.atoms.push(atom);
            atom.variables(&mut |name| bound.push(name.word));
        }
    }
    for (parts, negated) in &choices {
        bound.extend(parts.iter().map(|part| binds(part, *negated)).reduce(intersection).unwrap_or_default());
    }
    bound.iter().for_each(|&variable| scope.bind(variable));
    // What equals something bound is bound.
    while let Some(at) = equal.iter().position(|terms| scope.binds_one_of(terms)) {
        for term in equal.swap_remove(at).iter() {
            term.variables(&mut |name| {
                scope.bind(name.word);
                bound.push(name.word);
            });
        }
    }
    for leaf in &leaves {
        visit(leaf, scope);
    }
    for (parts, negated) in choices {
        for part in parts {
            // Recursion is limited by the depth of the text.
            branch((part, negated), scope, visit);
        }
    }
    then(scope);
    bound.iter().for_each(|&variable| scope.unbind(variable));
    scope.atoms.truncate(atoms);
}

fn branch<'a>(part: (&'a Literal, bool), scope: &mut Scope<'a>, visit: &mut impl FnMut(&Leaf<'a>, &Scope<'a>)) {
    conjunction(&[part], scope, visit, |_| {});
}

/// The variables that a literal binds, sorted.
fn binds(literal: &Literal, negated: bool) -> Vec<Word> {
    let mut words = Vec::new();
    match literal {
        Literal::Atom(atom) if !negated => atom.variables(&mut |name| words.push(name.word)),
        Literal::Distinct(terms, _) if negated => {
            if terms.iter().any(Term::is_ground) {
                terms.iter().for_each(|term| term.variables(&mut |name| words.push(name.word)));
            }
        }
        Literal::Atom(_) | Literal::Distinct(..) => {}
        Literal::Not(inner, _) => return binds(inner, !negated),
        Literal::And(parts, _) | Literal::Or(parts, _) => {
            let all = parts.iter().map(|part| binds(part, negated));
            if matches!(literal, Literal::And(..)) == negated {
                words = all.reduce(intersection).unwrap_or_default();
            } else {
                words = all.flatten().collect();
            }
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// What is in both of two sorted lists.
fn intersection(mut left: Vec<Word>, right: Vec<Word>) -> Vec<Word> {
    left.retain(|word| right.binary_search(word).is_ok());
    left
}
