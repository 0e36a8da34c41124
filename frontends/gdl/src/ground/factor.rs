//! Recursion that only hands its results through is turned round.
//!
//! ```text
//! count(inner, 0, W) is asked;  count(P, N, W) :- add(P, N, M), after(P, Q), count(Q, M, W)
//! ```
//!
//! Evaluated bottom-up, `count` has an atom for every N and W, and if it counts two things, for all combinations of four
//! numbers. Since W is only handed through, it is enough to know with which P and N the relation is asked, beginning with
//! the constants it is asked for: `asked(Q, M) :- asked(P, N), add(P, N, M), after(P, Q)`, and the result follows where
//! the recursion ends. This is the right-linear case of magic sets (Naughton, Ramakrishnan, Sagiv & Ullman 1989).

use crate::normal::{Atom, Literal, Program, Relation, RelationId, RelationKind, Rule, Term, TermId};
use rg_ir::Span;
use std::collections::BTreeMap;

/// Most different constants that a relation is asked for.
const MAX_SEEDS: usize = 16;

/// Turns all relations round that can be. Linear in the rules times the relations that can.
pub(super) fn factor(program: &mut Program) {
    for index in 0..program.relations.len() {
        let Ok(number) = u32::try_from(index) else { return };
        if let Some(plan) = Plan::new(program, RelationId(number)) {
            plan.run(program);
        }
    }
}

/// What is known about a relation that can be turned round.
struct Plan {
    relation: RelationId,
    /// The arguments that are constants wherever the relation is asked from outside.
    asked: Vec<usize>,
    /// The others: what it yields.
    results: Vec<usize>,
    /// Its rules, by number, with the position of the recursive literal.
    rules: Vec<(usize, Option<usize>)>,
    /// The constants that it is asked for, and where: rule and literal.
    seeds: BTreeMap<Vec<TermId>, Vec<(usize, usize)>>,
}

impl Plan {
    fn new(program: &Program, relation: RelationId) -> Option<Self> {
        if program.kind(relation) != RelationKind::Helper {
            return None;
        }
        let is_own = |literal: &Literal| literal.atom().is_some_and(|atom| atom.relation == relation);
        let (mut rules, mut outside) = (Vec::new(), Vec::new());
        for (number, rule) in program.rules.iter().enumerate() {
            let own = (0..).zip(&rule.body).filter(|(_, literal)| is_own(literal)).map(|(position, _)| position);
            let own: Vec<usize> = own.collect();
            if rule.head.relation != relation {
                outside.extend(own.into_iter().map(|position| (number, position)));
                continue;
            }
            match own.as_slice() {
                [] => rules.push((number, None)),
                [only] => rules.push((number, Some(*only))),
                _ => return None,
            }
        }
        if outside.is_empty() || rules.iter().all(|(_, recursive)| recursive.is_none()) {
            return None;
        }
        let atom_at = |(rule, position): (usize, usize)| program.rules.get(rule)?.body.get(position)?.atom();
        let is_asked = |place: &usize| {
            let constant = |&at: &(usize, usize)| {
                atom_at(at).and_then(|atom| atom.args.get(*place)).is_some_and(|&arg| program.terms.is_ground(arg))
            };
            outside.iter().all(constant)
        };
        let (asked, results): (Vec<usize>, Vec<usize>) =
            (0..program.relation(relation).arity).partition(|place| is_asked(place));
        if asked.is_empty() || results.is_empty() {
            return None;
        }
        let mut seeds: BTreeMap<Vec<TermId>, Vec<(usize, usize)>> = BTreeMap::new();
        for &at in &outside {
            seeds.entry(pick(&atom_at(at)?.args, &asked)).or_default().push(at);
        }
        let plan = Self { relation, asked, results, rules, seeds };
        let fits =
            plan.seeds.len() <= MAX_SEEDS && plan.rules.iter().all(|&rule| plan.fits(program, rule) == Some(true));
        fits.then_some(plan)
    }

    /// Whether a rule hands its results through, and knows with what it asks again.
    fn fits(&self, program: &Program, (rule, recursive): (usize, Option<usize>)) -> Option<bool> {
        let rule = program.rules.get(rule)?;
        let Some(position) = recursive else { return Some(true) };
        let Literal::Pos(again) = rule.body.get(position)? else { return Some(false) };
        let mut elsewhere = Vec::new();
        let mut bound = Vec::new();
        for arg in pick(&rule.head.args, &self.asked) {
            program.terms.variables_of(arg, &mut bound);
        }
        for (_, literal) in rule.body.iter().enumerate().filter(|&(other, _)| other != position) {
            program.add_variables_of(literal, &mut elsewhere);
            if matches!(literal, Literal::Pos(_)) {
                program.add_variables_of(literal, &mut bound);
            }
        }
        elsewhere.extend(&bound);
        // A term that grows on the way would be built without end.
        let flat = |&arg: &TermId| match program.terms.get(arg) {
            Term::Variable(var) => bound.contains(&var),
            Term::Constant(_) => true,
            Term::Compound(..) => false,
        };
        if !pick(&again.args, &self.asked).iter().all(flat) {
            return Some(false);
        }
        let results = pick(&rule.head.args, &self.results);
        let mut seen: Vec<u32> = Vec::new();
        let handed = results.iter().all(|&arg| match program.terms.get(arg) {
            Term::Variable(var) => {
                let fresh = !seen.contains(&var) && !elsewhere.contains(&var);
                seen.push(var);
                fresh
            }
            _ => false,
        });
        Some(handed && results == pick(&again.args, &self.results))
    }

    fn run(self, program: &mut Program) {
        for (seed, places) in &self.seeds {
            let asking = add_relation(program, self.relation, "asked", self.asked.len());
            let result = add_relation(program, self.relation, "result", self.results.len());
            let span = places.first().and_then(|&(rule, _)| program.rules.get(rule)).map(|rule| rule.span);
            let fact = Atom { relation: asking, args: seed.as_slice().into() };
            program.rules.push(Rule {
                head: fact,
                body: Vec::new(),
                vars: Vec::new(),
                span: span.unwrap_or(Span::NONE),
            });
            for &(number, recursive) in &self.rules {
                let Some(rule) = program.rules.get(number).cloned() else { continue };
                let atom = |relation, args: &[TermId], places| Atom { relation, args: pick(args, places).into() };
                let mut body = rule.body;
                let head = match recursive.map(|position| body.remove(position)) {
                    Some(Literal::Pos(again)) => atom(asking, &again.args, &self.asked),
                    _ => atom(result, &rule.head.args, &self.results),
                };
                body.push(Literal::Pos(atom(asking, &rule.head.args, &self.asked)));
                program.rules.push(Rule { head, body, vars: rule.vars, span: rule.span });
            }
            for &(rule, position) in places {
                let Some(literal) = program.rules.get_mut(rule).and_then(|rule| rule.body.get_mut(position)) else {
                    continue;
                };
                if let Literal::Pos(atom) | Literal::Neg(atom) = literal {
                    *atom = Atom { relation: result, args: pick(&atom.args, &self.results).into() };
                }
            }
        }
    }
}

fn pick(args: &[TermId], places: &[usize]) -> Vec<TermId> {
    places.iter().filter_map(|&place| args.get(place).copied()).collect()
}

fn add_relation(program: &mut Program, of: RelationId, what: &str, arity: usize) -> RelationId {
    let name = format!("{}_{what}_{}", program.relation(of).name, program.relations.len()).into();
    program.relations.push(Relation { name, arity, kind: RelationKind::Helper });
    RelationId((program.relations.len() - 1) as u32)
}
