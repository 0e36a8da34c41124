//! Arguments that only remember where a derivation has been, and are not needed.
//!
//! In `(<= (path ?x ?y ?seen) (add ?x ?seen ?more) (edge ?x ?z) (path ?z ?y ?more))`, `?seen` is there so that no
//! derivation goes in a circle. Bottom-up there are as many such lists as there are ways; but without that argument, and
//! without the conditions on it (the *guards*), the same holds, if these guards forbid nothing but circles:
//!
//! Let all recursion of a group of relations be linear, and let one of its rules, the one that *pushes*, add an element
//! to the argument, while all others hand it on. A shortest derivation without the argument never has one atom twice. If
//! the element determines all arguments of the atom that are not handed on, it pushes no element twice, either. So it
//! is enough that the guards hold for every list of different elements. As guards only compare elements, one such list
//! per length will do, with symbols for the elements of which nothing is known but that they differ and what is true of
//! all of them: that is proven by resolution ([`proof`]).
//!
//! This is the redundancy of loop checks (Bol, Apt & Klop, *An analysis of loop checking mechanisms for logic programs*,
//! 1991) used the other way round.

mod proof;

use crate::eval::Strata;
use crate::normal::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term, TermId};
use proof::Proof;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most elements that may be pushed: so many lists are looked at.
const MAX_ELEMENTS: usize = 64;

/// Per relation of a group one of its arguments.
type Places = FxHashMap<RelationId, usize>;

/// Drops arguments that only remember, and rules that nothing asks for. Linear in the rules but for the proofs, which
/// have a budget.
pub fn forget(program: &mut Program) {
    let all: Vec<RelationId> = program.rules.iter().map(|rule| rule.head.relation).collect();
    let strata = Strata::new(program, &all, |_| true);
    let mut changed = false;
    for group in &strata.groups {
        let helpers = group.iter().all(|&relation| program.kind(relation) == RelationKind::Helper);
        let starts = group.iter().flat_map(|&rel| (0..program.relation(rel).arity).map(move |place| (rel, place)));
        for start in if helpers { starts.collect::<Vec<_>>() } else { Vec::new() } {
            let shortened = Memory::find(program, group, start).and_then(|memory| memory.shortened(program));
            if let Some(rules) = shortened {
                program.rules = rules;
                group.iter().for_each(|relation| program.relations[relation.index()].arity -= 1);
                changed = true;
                break;
            }
        }
    }
    if changed {
        drop_unused(program);
    }
}

/// Drops the rules of relations that nothing depends on.
fn drop_unused(program: &mut Program) {
    let reserved = |rule: &&Rule| program.kind(rule.head.relation) != RelationKind::Helper;
    let wanted: Vec<RelationId> = program.rules.iter().filter(reserved).map(|rule| rule.head.relation).collect();
    let strata = Strata::new(program, &wanted, |_| true);
    program.rules.retain(|rule| strata.group_of[rule.head.relation.index()] != usize::MAX);
}

/// A group of relations with arguments that remember.
struct Memory {
    places: Places,
    /// The rule that pushes.
    push: usize,
    /// The variable that is pushed.
    element: u32,
    /// What it can be.
    elements: Vec<TermId>,
    /// What the argument is where the group is asked from outside.
    starts: Vec<TermId>,
}

impl Memory {
    /// The arguments that remember together with this one, if they do, guards aside.
    fn find(program: &Program, group: &[RelationId], start: (RelationId, usize)) -> Option<Self> {
        let places = remembered(program, group, start)?;
        let mut pushes = Vec::new();
        for (index, rule) in own_rules(program, &places) {
            let (now, then) = step(program, rule, &places)?;
            if then.is_some_and(|then| then != now) {
                pushes.push(index);
            }
        }
        let [push] = *pushes.as_slice() else { return None };
        let mut starts = Vec::new();
        for rule in program.rules.iter().filter(|rule| !places.contains_key(&rule.head.relation)) {
            for atom in rule.body.iter().filter_map(Literal::atom) {
                let Some(&place) = places.get(&atom.relation) else { continue };
                let start = atom.args.get(place).copied().filter(|&start| program.terms.is_ground(start))?;
                if !starts.contains(&start) {
                    starts.push(start);
                }
            }
        }
        let (element, elements) = pushed(program, group, &places, push)?;
        Some(Self { places, push, element, elements, starts })
    }

    /// The rules without the arguments and their guards, if these never fail for different elements.
    fn shortened(&self, program: &Program) -> Option<Vec<Rule>> {
        let mut rules = Vec::new();
        let mut proof = Proof::new(program, &self.elements);
        let (mut handed, mut pushed) = (Vec::new(), Vec::new());
        for (index, rule) in program.rules.iter().enumerate() {
            let Some((now, then)) = step(program, rule, &self.places) else {
                rules.push(self.without(rule, &[]));
                continue;
            };
            let own: Vec<u32> = std::iter::once(now).chain(then).collect();
            let guards: Vec<usize> = (0..rule.body.len())
                .filter(|&at| {
                    let inside = rule.body[at].atom().is_some_and(|atom| self.places.contains_key(&atom.relation));
                    !inside && program.variables_of(&rule.body[at]).iter().any(|var| own.contains(var))
                })
                .collect();
            let literals: Vec<Literal> = guards.iter().map(|&at| rule.body[at].clone()).collect();
            let known = |var: &u32| own.contains(var) || index == self.push && *var == self.element;
            if !literals.iter().flat_map(|literal| program.variables_of(literal)).all(|var| known(&var)) {
                return None;
            }
            if index == self.push {
                pushed.push((now, then?, literals));
            } else {
                handed.push((now, literals));
            }
            let short = self.without(rule, &guards);
            if !is_safe(program, &short) {
                return None;
            }
            rules.push(short);
        }
        let (now, then, push) = pushed.pop()?;
        for &start in &self.starts {
            let mut list = start;
            for number in 0..=self.elements.len() {
                for (var, guards) in &handed {
                    proof.prove(guards, &[(*var, list)], None)?;
                }
                if number < self.elements.len() {
                    let element = proof.symbol(number);
                    list = proof.prove(&push, &[(now, list), (self.element, element)], Some(then))?;
                }
            }
        }
        Some(rules)
    }

    /// The rule without the argument and some conditions.
    fn without(&self, rule: &Rule, guards: &[usize]) -> Rule {
        let short = |atom: &Atom| match self.places.get(&atom.relation) {
            Some(&place) => {
                let kept = atom.args.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, &arg)| arg);
                Atom { relation: atom.relation, args: kept.collect() }
            }
            None => atom.clone(),
        };
        let kept = rule.body.iter().enumerate().filter(|(at, _)| !guards.contains(at));
        let body = kept.map(|(_, literal)| match literal {
            Literal::Pos(atom) => Literal::Pos(short(atom)),
            Literal::Neg(atom) => Literal::Neg(short(atom)),
            Literal::Distinct(a, b) => Literal::Distinct(*a, *b),
        });
        Rule { head: short(&rule.head), body: body.collect(), vars: rule.vars.clone(), span: rule.span }
    }
}

fn own_rules<'p>(program: &'p Program, places: &'p Places) -> impl Iterator<Item = (usize, &'p Rule)> {
    program.rules.iter().enumerate().filter(|(_, rule)| places.contains_key(&rule.head.relation))
}

fn variable(program: &Program, term: TermId) -> Option<u32> {
    match program.terms.get(term) {
        Term::Variable(var) => Some(var),
        _ => None,
    }
}

/// The only condition of a rule on a relation of the group; `Err` if there are more, or it is negated.
fn recursion<'r>(rule: &'r Rule, group: &[RelationId]) -> Result<Option<&'r Atom>, ()> {
    let mut found = None;
    for literal in &rule.body {
        if literal.atom().is_some_and(|atom| group.contains(&atom.relation)) {
            let Literal::Pos(atom) = literal else { return Err(()) };
            if found.replace(atom).is_some() {
                return Err(());
            }
        }
    }
    Ok(found)
}

/// The arguments of the group that hold what this one does, or what is made of it.
fn remembered(program: &Program, group: &[RelationId], start: (RelationId, usize)) -> Option<Places> {
    linked(program, group, start, |rule, now, atom| {
        let has = |var: u32| {
            let mut at = (0..atom.args.len()).filter(|&at| variable(program, atom.args[at]) == Some(var));
            at.next().filter(|_| at.next().is_none())
        };
        let others = rule.body.iter().filter_map(Literal::atom).filter(|other| !group.contains(&other.relation));
        let made = others.filter(|other| other.args.iter().any(|&arg| variable(program, arg) == Some(now)));
        let head: FxHashSet<u32> = rule.head.args.iter().filter_map(|&arg| variable(program, arg)).collect();
        let made = made.flat_map(|other| &other.args).filter_map(|&arg| variable(program, arg));
        let mut ends: Vec<usize> = made.filter(|var| !head.contains(var)).filter_map(has).collect();
        ends.dedup();
        has(now).or_else(|| <[usize; 1]>::try_from(ends).ok().map(|[end]| end))
    })
}

/// The arguments that an argument of a group is linked to by `link`, which gets a rule, the variable in its head, and its
/// condition on the group; `None` if two of one relation are.
fn linked(
    program: &Program,
    group: &[RelationId],
    start: (RelationId, usize),
    link: impl Fn(&Rule, u32, &Atom) -> Option<usize>,
) -> Option<Places> {
    let mut places = Places::from_iter([start]);
    let mut open = vec![start];
    while let Some((relation, place)) = open.pop() {
        for rule in program.rules.iter().filter(|rule| rule.head.relation == relation) {
            let Some(atom) = recursion(rule, group).ok()? else { continue };
            let now = variable(program, *rule.head.args.get(place)?)?;
            let then = link(rule, now, atom)?;
            match places.insert(atom.relation, then) {
                None => open.push((atom.relation, then)),
                Some(known) if known == then => {}
                Some(_) => return None,
            }
        }
    }
    // It is asked of all of them.
    group.iter().all(|relation| places.contains_key(relation)).then_some(places)
}

/// The variables that remember in a rule of the group, in its head and in its condition on the group; `None` if it is of
/// another relation, or they are something else, too.
fn step(program: &Program, rule: &Rule, places: &Places) -> Option<(u32, Option<u32>)> {
    let now = variable(program, *rule.head.args.get(*places.get(&rule.head.relation)?)?)?;
    let group: Vec<RelationId> = places.keys().copied().collect();
    let once = |atom: &Atom, var: u32| atom.args.iter().filter(|&&arg| has(program, arg, var)).count() == 1;
    if !once(&rule.head, now) {
        return None;
    }
    let Some(atom) = recursion(rule, &group).ok()? else { return Some((now, None)) };
    let then = variable(program, *atom.args.get(*places.get(&atom.relation)?)?)?;
    let apart = then == now || !rule.head.args.iter().any(|&arg| has(program, arg, then));
    (once(atom, then) && apart).then_some((now, Some(then)))
}

fn has(program: &Program, term: TermId, var: u32) -> bool {
    let mut found = Vec::new();
    program.terms.variables_of(term, &mut found);
    found.contains(&var)
}

/// The variable whose value the rule adds to what is remembered, and what it can be: it determines all arguments of the
/// head that are not handed on through the group.
fn pushed(program: &Program, group: &[RelationId], places: &Places, push: usize) -> Option<(u32, Vec<TermId>)> {
    let rule = program.rules.get(push)?;
    let relation = rule.head.relation;
    let (now, then) = step(program, rule, places)?;
    let handed_on = |place: usize| {
        linked(program, group, (relation, place), |_, now, atom| {
            let same = (0..atom.args.len()).filter(|&at| variable(program, atom.args[at]) == Some(now));
            let other = same.clone().next();
            same.into_iter().find(|&at| at == place).or(other)
        })
        .is_some()
    };
    let mut node: Vec<u32> = Vec::new();
    for (place, &arg) in rule.head.args.iter().enumerate() {
        if Some(&place) != places.get(&relation) && !handed_on(place) && !program.terms.is_ground(arg) {
            node.push(variable(program, arg)?);
        }
    }
    let mut guards: Vec<u32> = Vec::new();
    for literal in rule.body.iter().filter(|literal| !literal.atom().is_some_and(|a| group.contains(&a.relation))) {
        let vars = program.variables_of(literal);
        if vars.contains(&now) || then.is_some_and(|then| vars.contains(&then)) {
            guards.extend(vars);
        }
    }
    rule.body.iter().find_map(|literal| {
        let Literal::Pos(atom) = literal else { return None };
        let vars: Vec<u32> = atom.args.iter().map(|&arg| variable(program, arg)).collect::<Option<_>>()?;
        let facts: Vec<&Rule> = program.rules.iter().filter(|rule| rule.head.relation == atom.relation).collect();
        if vars.contains(&now)
            || then.is_some_and(|then| vars.contains(&then))
            || !facts.iter().all(|rule| rule.body.is_empty())
        {
            return None;
        }
        let place = vars.iter().position(|var| guards.contains(var))?;
        let element = *vars.get(place)?;
        let parts: Vec<usize> =
            node.iter().map(|var| vars.iter().position(|other| other == var)).collect::<Option<_>>()?;
        let mut found: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        for fact in facts {
            let value = *fact.head.args.get(place)?;
            let known: Vec<TermId> = parts.iter().filter_map(|&part| fact.head.args.get(part).copied()).collect();
            let plain = matches!(program.terms.get(value), Term::Constant(_));
            if !plain || found.insert(value, known.clone()).is_some_and(|other| other != known) {
                return None;
            }
        }
        let mut elements: Vec<TermId> = found.into_keys().collect();
        elements.sort_unstable();
        (elements.len() <= MAX_ELEMENTS).then_some((element, elements))
    })
}

/// Whether positive conditions bind all variables.
fn is_safe(program: &Program, rule: &Rule) -> bool {
    let (mut bound, mut used) = (Vec::new(), Vec::new());
    rule.head.args.iter().for_each(|&arg| program.terms.variables_of(arg, &mut used));
    for literal in &rule.body {
        let list = if matches!(literal, Literal::Pos(_)) { &mut bound } else { &mut used };
        program.add_variables_of(literal, list);
    }
    used.iter().all(|var| bound.contains(var))
}
