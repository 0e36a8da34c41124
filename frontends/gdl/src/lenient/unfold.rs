//! Unfolding: a relation with unsafe rules is replaced, where it is asked, by what these rules say.
//!
//! `(<= (other ?x ?y) (distinct ?x ?y))` alone has no instances that could be listed; in `(<= (legal ?r (go ?y)) (true (at
//! ?x)) (cell ?y) (other ?x ?y))` it is the condition `(distinct ?x ?y)`. A rule can be unfolded if its unbound variables
//! are arguments of its head and its relation does not depend on itself; under a negation, all its variables must be.

use super::takes_values;
use crate::ast::{Atom, Compound, Description, Literal, Name, Rule, Term, Word};
use crate::checks::{reserved_arity, unbound};
use crate::codes;
use rg_ir::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most names and variables in the rules that unfolding makes.
const MAX_SIZE: usize = 200_000;

/// A description after unfolding, with the warnings about it.
pub(super) struct Unfolded {
    pub(super) description: Description,
    pub(super) findings: Vec<Diagnostic>,
}

/// Unfolds all relations with unsafe rules, as far as that leaves no unsafe rule; `None` otherwise.
pub(super) fn unfold(description: &Description) -> Option<Unfolded> {
    let wrong = |rule: &&Rule| reserved_arity(rule.head.name.word).is_some() && !unbound(rule).is_empty();
    let wrong = description.rules.iter().filter(wrong).map(|rule| rule.span).collect();
    let mut unfolder = Unfolder { description: description.clone(), wrong, renamed: 0, size: 0 };
    let mut findings = Vec::new();
    while let Some(relation) = unfolder.next()? {
        let (own, rest): (Vec<Rule>, Vec<Rule>) = std::mem::take(&mut unfolder.description.rules)
            .into_iter()
            .partition(|rule| rule.head.name.word == relation.0 && rule.head.arity() == relation.1);
        let (open, kept): (Vec<Rule>, Vec<Rule>) = own.into_iter().partition(|rule| !unbound(rule).is_empty());
        let has_table = !kept.is_empty();
        findings.extend(open.iter().map(|rule| finding(&unfolder.description, rule)));
        let mut rules = Vec::with_capacity(rest.len() + kept.len());
        for rule in rest {
            rules.push(unfolder.rule(rule, relation, &open, has_table)?);
        }
        rules.extend(kept);
        unfolder.description.rules = rules;
    }
    Some(Unfolded { description: unfolder.description, findings })
}

fn finding(description: &Description, rule: &Rule) -> Diagnostic {
    let (name, _) = unbound(rule).into_iter().next().unwrap_or((rule.head.name, ""));
    let (head, variable) = (description.words.spelling(rule.head.name.word), description.words.spelling(name.word));
    let message =
        format!("no positive literal binds `{variable}`: read into the rules that ask for `{head}`, which do");
    let warning = Diagnostic::warning(codes::BOUND_BY_CALLERS, name.span, message);
    warning.help("add a positive condition that says which values the variable takes")
}

struct Unfolder {
    description: Description,
    /// Rules that are errors whatever is unfolded.
    wrong: FxHashSet<Span>,
    /// How many copies of rules were made: their variables are called by that.
    renamed: usize,
    /// Names and variables in these copies.
    size: usize,
}

impl Unfolder {
    /// The next relation to unfold, by name and arity; `None` inside if there is none left, outside if one cannot be.
    fn next(&self) -> Option<Option<(Word, usize)>> {
        for rule in &self.description.rules {
            if unbound(rule).is_empty() || self.wrong.contains(&rule.span) {
                continue;
            }
            let relation = (rule.head.name.word, rule.head.arity());
            let is_own = reserved_arity(relation.0).is_none();
            if !is_own || !takes_values(rule) || self.depends_on_itself(relation.0) {
                return None;
            }
            return Some(Some(relation));
        }
        Some(None)
    }

    fn depends_on_itself(&self, relation: Word) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![relation];
        while let Some(word) = stack.pop() {
            for rule in self.description.rules.iter().filter(|rule| rule.head.name.word == word) {
                let mut found = false;
                rule.body.iter().for_each(|literal| {
                    literal.atoms(&mut |atom: &Atom, _| {
                        found |= atom.name.word == relation;
                        if seen.insert(atom.name.word) {
                            stack.push(atom.name.word);
                        }
                    });
                });
                if found {
                    return true;
                }
            }
        }
        false
    }

    /// A rule with the relation unfolded in its body.
    fn rule(&mut self, rule: Rule, relation: (Word, usize), open: &[Rule], has_table: bool) -> Option<Rule> {
        let mut asks = false;
        rule.body.iter().for_each(|literal| {
            literal.atoms(&mut |atom: &Atom, _| asks |= atom.name.word == relation.0 && atom.arity() == relation.1);
        });
        if !asks {
            return Some(rule);
        }
        let body = rule.body.iter().map(|literal| self.literal(literal, false, relation, open, has_table));
        let body = body.collect::<Option<Vec<_>>>()?;
        Some(Rule { body, ..rule })
    }

    /// Recursion is limited by the depth of the text, and by the number of relations that are unfolded.
    fn literal(
        &mut self,
        literal: &Literal,
        negated: bool,
        relation: (Word, usize),
        open: &[Rule],
        has_table: bool,
    ) -> Option<Literal> {
        let mut inner = |parts: &[Literal]| {
            parts.iter().map(|part| self.literal(part, negated, relation, open, has_table)).collect::<Option<Vec<_>>>()
        };
        Some(match literal {
            Literal::Distinct(..) => literal.clone(),
            Literal::Or(parts, span) => Literal::Or(inner(parts)?, *span),
            Literal::And(parts, span) => Literal::And(inner(parts)?, *span),
            Literal::Not(part, span) => {
                Literal::Not(Box::new(self.literal(part, !negated, relation, open, has_table)?), *span)
            }
            Literal::Atom(atom) if (atom.name.word, atom.arity()) != relation => literal.clone(),
            Literal::Atom(atom) => {
                let mut ways = Vec::new();
                for rule in open {
                    ways.extend(self.way(atom, rule, negated)?);
                }
                if has_table {
                    ways.push(literal.clone());
                }
                match ways.len() {
                    0 => never(atom.span),
                    1 => ways.pop()?,
                    _ => Literal::Or(ways, atom.span),
                }
            }
        })
    }

    /// What a rule says about an atom: an empty list if its head is another. `None` if it cannot be said.
    fn way(&mut self, atom: &Atom, rule: &Rule, negated: bool) -> Option<Option<Literal>> {
        let mut count = 0;
        rule.head.names(&mut |_| count += 1);
        rule.body.iter().for_each(|literal| literal.atoms(&mut |atom: &Atom, _| atom.names(&mut |_| count += 1)));
        self.size += count + 1;
        if self.size > MAX_SIZE {
            return None;
        }
        let mut binding = Binding { values: FxHashMap::default(), conditions: Vec::new(), span: atom.span };
        for (own, asked) in rule.head.args.iter().zip(&atom.args) {
            match binding.matches(own, asked) {
                Fit::Yes => {}
                Fit::No => return Some(None),
                Fit::Open => return None,
            }
        }
        self.renamed += 1;
        let local = self.locals(rule, &mut binding.values);
        if negated && local {
            return None;
        }
        let mut parts = std::mem::take(&mut binding.conditions);
        parts.extend(rule.body.iter().map(|literal| binding.literal(literal)));
        Some(Some(match parts.len() {
            0 => Literal::Not(Box::new(never(atom.span)), atom.span),
            1 => parts.pop()?,
            _ => Literal::And(parts, atom.span),
        }))
    }

    /// Gives the variables of a body that its head does not have names of their own; whether there are any.
    fn locals(&mut self, rule: &Rule, values: &mut FxHashMap<Word, Term>) -> bool {
        let mut locals: Vec<Name> = Vec::new();
        let mut note = |name: Name| {
            if !values.contains_key(&name.word) && !locals.iter().any(|other| other.word == name.word) {
                locals.push(name);
            }
        };
        for literal in &rule.body {
            literal.atoms(&mut |atom: &Atom, _| atom.variables(&mut note));
            literal.distinct(&mut |terms| terms.iter().for_each(|term| term.variables(&mut note)));
        }
        for name in &locals {
            let words = &mut self.description.words;
            let (text, spelling) = (words.text(name.word).to_owned(), words.spelling(name.word).to_owned());
            // Readers refuse quotes in names.
            let fresh = words.intern_as(&format!("{text}'{}", self.renamed), &spelling);
            values.insert(name.word, Term::Variable(Name { word: fresh, span: name.span }));
        }
        !locals.is_empty()
    }
}

/// A condition that never holds.
fn never(span: Span) -> Literal {
    let term = || Term::Constant(Name { word: Word::RANDOM, span });
    Literal::Distinct(Box::new([term(), term()]), span)
}

/// What the variables of a rule stand for where it is unfolded.
struct Binding {
    values: FxHashMap<Word, Term>,
    /// Terms of the atom that must be equal.
    conditions: Vec<Literal>,
    span: Span,
}

/// Whether an argument of a head can be one of an atom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Yes,
    No,
    /// That depends on the values of variables inside of a function.
    Open,
}

impl Binding {
    /// Makes an argument of the head one of the atom.
    fn matches(&mut self, own: &Term, asked: &Term) -> Fit {
        match (own, asked) {
            (Term::Variable(name), _) => {
                if let Some(value) = self.values.get(&name.word).cloned() {
                    self.equal(value, asked.clone());
                } else {
                    self.values.insert(name.word, asked.clone());
                }
                Fit::Yes
            }
            (Term::Constant(name), Term::Constant(other)) if name.word == other.word => Fit::Yes,
            (Term::Function(own), Term::Function(asked))
                if own.name.word == asked.name.word && own.arity() == asked.arity() =>
            {
                let parts = own.args.iter().zip(&asked.args);
                parts.fold(Fit::Yes, |fit, (own, asked)| if fit == Fit::Yes { self.matches(own, asked) } else { fit })
            }
            (_, Term::Variable(_)) if !own.is_ground() => Fit::Open,
            (_, Term::Variable(_)) => {
                self.equal(own.clone(), asked.clone());
                Fit::Yes
            }
            _ => Fit::No,
        }
    }

    fn equal(&mut self, left: Term, right: Term) {
        if !left.same(&right) {
            let distinct = Literal::Distinct(Box::new([left, right]), self.span);
            self.conditions.push(Literal::Not(Box::new(distinct), self.span));
        }
    }

    /// Recursion is limited by the depth of the text.
    fn term(&self, term: &Term) -> Term {
        match term {
            Term::Variable(name) => self.values.get(&name.word).cloned().unwrap_or_else(|| term.clone()),
            Term::Constant(_) => term.clone(),
            Term::Function(compound) => Term::Function(self.compound(compound)),
        }
    }

    fn compound(&self, compound: &Compound) -> Compound {
        Compound { args: compound.args.iter().map(|arg| self.term(arg)).collect(), ..compound.clone() }
    }

    fn literal(&self, literal: &Literal) -> Literal {
        let all = |parts: &[Literal]| parts.iter().map(|part| self.literal(part)).collect();
        match literal {
            Literal::Atom(atom) => Literal::Atom(self.compound(atom)),
            Literal::Distinct(terms, span) => {
                Literal::Distinct(Box::new([self.term(&terms[0]), self.term(&terms[1])]), *span)
            }
            Literal::Not(inner, span) => Literal::Not(Box::new(self.literal(inner)), *span),
            Literal::Or(parts, span) => Literal::Or(all(parts), *span),
            Literal::And(parts, span) => Literal::And(all(parts), *span),
        }
    }
}
