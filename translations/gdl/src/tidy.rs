//! Simplification: rules that can never matter are left out, relations with one rule and one use are written where they are used, and variables
//! that nothing else binds get their types.

use crate::codes;
use crate::rules::{Refused, Rules, invalid};
use crate::term::{Atom, Literal, Relation, Rule, Term, Variable};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rg_ir::{ConstId, Diagnostic, Span, Symbol, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Relations with at most so many conditions in their only rule are written where they are used, however often.
const SHORT: usize = 1;

/// Simplifies a program.
///
/// # Errors
/// A variable is of no type, or a relation depends on its own negation.
pub(crate) fn tidy(known: &Rules<'_>, mut rules: Vec<Rule>) -> Result<(Vec<Rule>, Strange), Refused> {
    loop {
        rg_ir::cancel::check();
        while drop_impossible(&mut rules) {}
        drop_unused(&mut rules);
        if !inline(&mut rules) {
            break;
        }
    }
    rules.retain_mut(merge_reads);
    let strange = strange(known, &rules);
    stratified(&rules)?;
    let groups = groups(&rules, &Literal::positive);
    for rule in &mut rules {
        drop_types(known, &strange, rule);
        bind(rule, &groups)?;
        renumber(rule);
    }
    let mut seen = FxHashSet::default();
    rules.retain(|rule| seen.insert((rule.head.clone(), rule.body.clone())));
    Ok((rules, strange))
}

/// Leaves out rules that need what no rule yields, and conditions that are always true; whether there were any.
fn drop_impossible(rules: &mut Vec<Rule>) -> bool {
    let heads: FxHashSet<Relation> = rules.iter().map(|rule| rule.head.relation).collect();
    let certain: FxHashSet<Relation> = rules
        .iter()
        .filter(|rule| rule.body.is_empty() && rule.head.args.is_empty() && rule.head.relation.is_own())
        .map(|rule| rule.head.relation)
        .collect();
    let never = |atom: &Atom| atom.relation.is_own() && !heads.contains(&atom.relation);
    let mut changed = false;
    rules.retain_mut(|rule| {
        let impossible = rule.body.iter().any(|literal| match literal {
            Literal::Holds(atom) => never(atom) || *atom == rule.head,
            Literal::Fails(atom) => certain.contains(&atom.relation),
            Literal::Differ(a, b) => a == b,
        });
        let before = rule.body.len();
        rule.body.retain(|literal| match literal {
            Literal::Holds(atom) => !certain.contains(&atom.relation),
            Literal::Fails(atom) => !never(atom),
            Literal::Differ(a, b) => !matches!((a, b), (Term::Symbol(a), Term::Symbol(b)) if a != b),
        });
        let mut seen = FxHashSet::default();
        rule.body.retain(|literal| seen.insert(literal.clone()));
        changed |= impossible || rule.body.len() < before;
        !impossible
    });
    changed
}

/// Leaves out rules of relations that nothing asks for.
fn drop_unused(rules: &mut Vec<Rule>) {
    let mut by_head: FxHashMap<Relation, Vec<usize>> = FxHashMap::default();
    for (index, rule) in rules.iter().enumerate() {
        by_head.entry(rule.head.relation).or_default().push(index);
    }
    let mut used: FxHashSet<Relation> = by_head.keys().copied().filter(|&relation| !relation.is_own()).collect();
    let mut pending: Vec<Relation> = used.iter().copied().collect();
    while let Some(relation) = pending.pop() {
        for &index in by_head.get(&relation).into_iter().flatten() {
            for literal in rules.get(index).into_iter().flat_map(|rule| &rule.body) {
                if let Literal::Holds(atom) | Literal::Fails(atom) = literal
                    && used.insert(atom.relation)
                {
                    pending.push(atom.relation);
                }
            }
        }
    }
    rules.retain(|rule| used.contains(&rule.head.relation));
}

/// Writes relations of one rule where they are used, if that is in one place, or the rule is short; whether there are any.
fn inline(rules: &mut Vec<Rule>) -> bool {
    let mut count: FxHashMap<Relation, usize> = FxHashMap::default();
    let (mut uses, mut negated): (FxHashMap<Relation, usize>, FxHashSet<Relation>) = Default::default();
    for rule in rules.iter() {
        *count.entry(rule.head.relation).or_default() += 1;
        for literal in &rule.body {
            match literal {
                Literal::Holds(atom) => *uses.entry(atom.relation).or_default() += 1,
                Literal::Fails(atom) => drop(negated.insert(atom.relation)),
                Literal::Differ(..) => {}
            }
        }
    }
    let fits = |rule: &&Rule| {
        let relation = rule.head.relation;
        let once = uses.get(&relation).copied().unwrap_or_default() <= 1;
        let recursive = rule.body.iter().any(|literal| match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.relation == relation,
            Literal::Differ(..) => false,
        });
        // A condition that holds in one rule and fails in another shows that they exclude each other.
        // What only says that there is something has fewer instances than that.
        let plain = relation.is_own() && !negated.contains(&relation) && !matches!(relation, Relation::Through(_));
        plain && count.get(&relation) == Some(&1) && !recursive && (once || rule.body.len() <= SHORT)
    };
    // What is written elsewhere must not ask for what is written elsewhere itself in this round.
    let mut chosen: FxHashMap<Relation, Rule> = FxHashMap::default();
    for rule in rules.iter().filter(fits) {
        let asks = |literal: &Literal| literal.positive().is_some_and(|atom| chosen.contains_key(&atom.relation));
        if uses.contains_key(&rule.head.relation) && !rule.body.iter().any(asks) {
            chosen.insert(rule.head.relation, rule.clone());
        }
    }
    let mut changed = false;
    rules.retain_mut(|rule| {
        loop {
            let place = rule
                .body
                .iter()
                .position(|literal| literal.positive().is_some_and(|atom| chosen.contains_key(&atom.relation)));
            let Some(place) = place else { return true };
            let Literal::Holds(atom) = rule.body.remove(place) else { return true };
            let Some(inner) = chosen.get(&atom.relation) else { return true };
            changed = true;
            if !substitute(rule, place, &atom, inner) {
                return false;
            }
        }
    });
    changed
}

/// Writes the body of a rule in place of an atom that it yields; whether that is possible.
fn substitute(rule: &mut Rule, place: usize, atom: &Atom, inner: &Rule) -> bool {
    let offset = u32::try_from(rule.vars.len()).unwrap_or(u32::MAX);
    let shift = |term: Term| match term {
        Term::Var(number) => Term::Var(number.saturating_add(offset)),
        Term::Symbol(_) => term,
    };
    rule.vars.extend(inner.vars.iter().cloned());
    let mut bound: FxHashMap<u32, Term> = FxHashMap::default();
    let resolve = |bound: &FxHashMap<u32, Term>, mut term: Term| {
        while let Term::Var(number) = term {
            match bound.get(&number) {
                Some(&next) => term = next,
                None => break,
            }
        }
        term
    };
    for (&asked, &given) in atom.args.iter().zip(&inner.head.args) {
        match (resolve(&bound, asked), resolve(&bound, shift(given))) {
            (a, b) if a == b => {}
            (Term::Symbol(_), Term::Symbol(_)) => return false,
            (Term::Var(a), Term::Var(b)) => drop(bound.insert(a.max(b), Term::Var(a.min(b)))),
            (Term::Var(number), symbol) | (symbol, Term::Var(number)) => drop(bound.insert(number, symbol)),
        }
    }
    let body = inner.body.iter().map(|literal| literal.map(shift));
    rule.body.splice(place..place, body);
    for literal in &mut rule.body {
        *literal = literal.map(|term| resolve(&bound, term));
    }
    rule.head.args.iter_mut().for_each(|term| *term = resolve(&bound, *term));
    true
}

/// Makes conditions that read one entry one condition; whether the rule can still fire.
fn merge_reads(rule: &mut Rule) -> bool {
    loop {
        let mut first: FxHashMap<(Relation, Vec<Term>), Term> = FxHashMap::default();
        let mut equal = None;
        for atom in rule.body.iter().filter_map(Literal::positive) {
            if let (Relation::Fluent(_) | Relation::Then(..) | Relation::Constant(_), Some((&value, keys))) =
                (atom.relation, atom.args.split_last())
            {
                let known = *first.entry((atom.relation, keys.to_vec())).or_insert(value);
                if known != value {
                    equal = Some((known, value));
                    break;
                }
            }
        }
        let (from, to) = match equal {
            None => break,
            Some((Term::Symbol(_), Term::Symbol(_))) => return false,
            Some((Term::Var(a), Term::Var(b))) => (Term::Var(a.max(b)), Term::Var(a.min(b))),
            Some((var @ Term::Var(_), symbol) | (symbol, var @ Term::Var(_))) => (var, symbol),
        };
        let change = |term: Term| if term == from { to } else { term };
        rule.head.args.iter_mut().for_each(|term| *term = change(*term));
        rule.body.iter_mut().for_each(|literal| *literal = literal.map(change));
    }
    let mut seen = FxHashSet::default();
    rule.body.retain(|literal| seen.insert(literal.clone()));
    rule.body.iter().all(|literal| !matches!(literal, Literal::Differ(a, b) if a == b))
}

/// Symbols outside of the key type that a constant is asked for, per key.
pub(crate) type Strange = FxHashMap<(ConstId, usize), BTreeSet<Symbol>>;

/// Which symbols constants are asked for that are no keys of theirs: their facts must have the defaults for these, too.
pub(crate) fn strange(known: &Rules<'_>, rules: &[Rule]) -> Strange {
    let mut found = Strange::default();
    for rule in rules {
        for atom in rule.body.iter().filter_map(Literal::positive) {
            let Relation::Constant(id) = atom.relation else { continue };
            for (index, (arg, (keys, _))) in atom.args.iter().zip(&known.consts[id].keys).enumerate() {
                let more: Vec<Symbol> = match arg {
                    Term::Symbol(symbol) => [*symbol].into_iter().filter(|symbol| !keys.contains(symbol)).collect(),
                    Term::Var(number) => match rule.vars.get(*number as usize) {
                        Some(var) => var.values.difference(keys).copied().collect(),
                        None => Vec::new(),
                    },
                };
                if !more.is_empty() {
                    found.entry((id, index)).or_default().extend(more);
                }
            }
        }
    }
    found
}

/// Leaves out types of what is a key of a relation of the game anyway.
fn drop_types(known: &Rules<'_>, strange: &Strange, rule: &mut Rule) {
    let mut keys: FxHashMap<Term, Vec<TypeId>> = FxHashMap::default();
    for atom in rule.body.iter().filter_map(Literal::positive) {
        let shape = match atom.relation {
            Relation::Fluent(var) => &known.vars[var].shape,
            Relation::Constant(id) => &known.consts[id].shape,
            _ => continue,
        };
        for (index, (&arg, &ty)) in atom.args.iter().zip(&shape.keys).enumerate() {
            let plain = match atom.relation {
                Relation::Constant(id) => !strange.contains_key(&(id, index)),
                _ => true,
            };
            if plain {
                keys.entry(arg).or_default().push(ty);
            }
        }
    }
    let types = &known.game.types;
    rule.body.retain(|literal| match literal.positive() {
        Some(Atom { relation: Relation::Type(ty), args }) => {
            let known = args.first().and_then(|arg| keys.get(arg));
            !known.is_some_and(|keys| keys.iter().any(|&key| types.subset(key, *ty)))
        }
        _ => true,
    });
}

/// Demands that no relation depends on its own negation.
fn stratified(rules: &[Rule]) -> Result<(), Refused> {
    let groups = groups(rules, &Literal::atom);
    for rule in rules {
        let Some(own) = groups.get(&rule.head.relation) else { continue };
        let negated = |literal: &Literal| match literal {
            Literal::Fails(atom) => groups.get(&atom.relation) == Some(own),
            Literal::Holds(_) | Literal::Differ(..) => false,
        };
        if rule.body.iter().any(negated) {
            let message = "a check depends on its own failure; rules of GDL may not be recursive through `not`";
            return Err(Box::new(Diagnostic::error(codes::NEGATION, Span::NONE, message)));
        }
    }
    Ok(())
}

/// The groups of relations that depend on each other by conditions of some kind, by number.
fn groups(rules: &[Rule], kind: &dyn Fn(&Literal) -> Option<&Atom>) -> FxHashMap<Relation, usize> {
    let mut graph: DiGraphMap<Relation, ()> = DiGraphMap::new();
    for rule in rules {
        for atom in rule.body.iter().filter_map(kind).filter(|atom| atom.relation.is_own()) {
            graph.add_edge(rule.head.relation, atom.relation, ());
        }
    }
    let groups = tarjan_scc(&graph).into_iter().enumerate();
    groups.flat_map(|(number, members)| members.into_iter().map(move |member| (member, number))).collect()
}

/// Adds types for variables that nothing binds: a rule must be safe, and what a recursive condition has must come from the head or from elsewhere.
fn bind(rule: &mut Rule, groups: &FxHashMap<Relation, usize>) -> Result<(), Refused> {
    let own = groups.get(&rule.head.relation);
    let is_recursive = |atom: &Atom| own.is_some() && groups.get(&atom.relation) == own;
    let (mut bound, mut recursive): (FxHashSet<Term>, FxHashSet<Term>) = Default::default();
    for atom in rule.body.iter().filter_map(Literal::positive) {
        if is_recursive(atom) { recursive.extend(&atom.args) } else { bound.extend(&atom.args) }
    }
    let in_head: FxHashSet<Term> = rule.head.args.iter().copied().collect();
    let terms = rule.head.args.iter().copied().chain(rule.body.iter().flat_map(Literal::terms));
    let mut seen = FxHashSet::default();
    let mut types = Vec::new();
    for term in terms.filter(|term| seen.insert(*term)) {
        let Term::Var(number) = term else { continue };
        let fine = bound.contains(&term) || recursive.contains(&term) && in_head.contains(&term);
        if fine {
            continue;
        }
        let ty = rule.vars.get(number as usize).and_then(|var| var.ty);
        let ty = ty.ok_or_else(|| invalid(Span::NONE, "a tag of a move depends on nothing"))?;
        types.push(Literal::Holds(Atom::new(Relation::Type(ty), [term])));
    }
    rule.body.splice(0..0, types);
    Ok(())
}

/// Numbers the variables of a rule in the order in which they occur, and forgets the others.
fn renumber(rule: &mut Rule) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut vars: Vec<Variable> = Vec::new();
    let mut number = |term: Term| match term {
        Term::Symbol(_) => term,
        Term::Var(old) => Term::Var(*numbers.entry(old).or_insert_with(|| {
            vars.extend(rule.vars.get(old as usize).cloned());
            u32::try_from(vars.len().saturating_sub(1)).unwrap_or(u32::MAX)
        })),
    };
    rule.head.args.iter_mut().for_each(|term| *term = number(*term));
    for literal in &mut rule.body {
        *literal = literal.map(&mut number);
    }
    rule.vars = vars;
}
