//! What can stand in each argument of each relation (section 9.1): a superset, by arguments.

mod sorts;

use crate::flat::{Arg, Flat, Literal, Rel, Tables};
use crate::normal::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The values of the arguments of flat relations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    sets: FxHashMap<(Rel, usize), Domain>,
}

/// Values in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domain {
    order: Vec<TermId>,
    set: FxHashSet<TermId>,
}

impl Domain {
    pub(crate) fn values(&self) -> &[TermId] {
        &self.order
    }

    pub(crate) fn contains(&self, term: TermId) -> bool {
        self.set.contains(&term)
    }

    fn insert(&mut self, term: TermId) -> bool {
        let new = self.set.insert(term);
        if new {
            self.order.push(term);
        }
        new
    }
}

impl Domains {
    /// What relations can have in their arguments: static ones have their rows, others what their rules can yield. Where that mixes sorts, each
    /// combination of sorts is followed by itself.
    pub(crate) fn new(flat: &Flat, tables: &Tables) -> Self {
        let plain = Self::by_arguments(flat, tables);
        sorts::by_sorts(flat, tables, &plain).unwrap_or(plain)
    }

    /// The least fixed point, each argument by itself. Rounds until nothing is new; each round is linear in the rules times the domains.
    fn by_arguments(flat: &Flat, tables: &Tables) -> Self {
        let mut domains = Self::default();
        for rel in flat.rels() {
            for row in tables.of(rel).rows() {
                for (place, &term) in row.iter().enumerate() {
                    domains.sets.entry((rel, place)).or_default().insert(term);
                }
            }
        }
        let links = links(flat);
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to) in &links {
                for place in 0..flat.relation(from).arity {
                    let values = domains.at(from, place).map(|domain| domain.order.clone()).unwrap_or_default();
                    changed |= domains.add(to, place, values);
                }
            }
            for rule in flat.rules.iter().filter(|rule| !flat.relation(rule.head.rel).is_static) {
                let Some(values) = domains.of_rule(rule.vars, &rule.body) else { continue };
                for (place, &arg) in rule.head.args.iter().enumerate() {
                    let new = match arg {
                        Arg::Is(term) => vec![term],
                        Arg::Var(var) => match values.get(var as usize).cloned().flatten() {
                            Some(values) => values,
                            None => domains.of_bound(flat, rule.head.rel, place),
                        },
                    };
                    changed |= domains.add(rule.head.rel, place, new);
                }
            }
        }
        domains
    }

    /// What is bound there by what is asked before.
    fn of_bound(&self, flat: &Flat, rel: Rel, place: usize) -> Vec<TermId> {
        let bound = flat.bound.get(&(rel, place)).and_then(|&(rel, place)| self.at(rel, place));
        bound.map(|domain| domain.order.clone()).unwrap_or_default()
    }

    /// What can stand there; `None` if nothing can.
    pub(crate) fn at(&self, rel: Rel, place: usize) -> Option<&Domain> {
        self.sets.get(&(rel, place))
    }

    /// All combinations of values of the first `count` arguments, unless they are more than `limit`.
    pub(crate) fn tuples(&self, rel: Rel, count: usize, limit: usize) -> Option<Vec<Vec<TermId>>> {
        let mut all: Vec<Vec<TermId>> = vec![Vec::new()];
        for place in 0..count {
            let values = self.at(rel, place)?.values();
            if all.len().saturating_mul(values.len()) > limit {
                return None;
            }
            all =
                all.iter().flat_map(|tuple| values.iter().map(|&term| [tuple.as_slice(), &[term]].concat())).collect();
        }
        Some(all)
    }

    /// The values that each variable of a body can have: those of all its places in positive atoms. `None` for variables
    /// that have no such place; `None` altogether if the body cannot be true.
    pub(crate) fn of_rule(&self, vars: u32, body: &[Literal]) -> Option<Vec<Option<Vec<TermId>>>> {
        let mut values: Vec<Option<Vec<TermId>>> = vec![None; vars as usize];
        for literal in body {
            let Literal::Pos(atom) = literal else { continue };
            for (place, &arg) in atom.args.iter().enumerate() {
                let here = self.at(atom.rel, place)?;
                match arg {
                    Arg::Is(term) => {
                        if !here.contains(term) {
                            return None;
                        }
                    }
                    Arg::Var(var) => {
                        let Some(slot) = values.get_mut(var as usize) else { continue };
                        match slot {
                            None => *slot = Some(here.order.clone()),
                            Some(list) => list.retain(|&term| here.contains(term)),
                        }
                        if slot.as_ref().is_some_and(Vec::is_empty) {
                            return None;
                        }
                    }
                }
            }
        }
        Some(values)
    }

    fn add(&mut self, rel: Rel, place: usize, values: Vec<TermId>) -> bool {
        if values.is_empty() {
            return false;
        }
        let domain = self.sets.entry((rel, place)).or_default();
        values.into_iter().fold(false, |changed, term| domain.insert(term) | changed)
    }
}

/// Relations whose atoms are atoms of others, too.
fn links(flat: &Flat) -> Vec<(Rel, Rel)> {
    let fluents = flat.fluents.iter().flat_map(|fluent| [(fluent.init, fluent.truth), (fluent.next, fluent.truth)]);
    fluents.chain(flat.moves.iter().map(|kind| (kind.legal, kind.does))).collect()
}
