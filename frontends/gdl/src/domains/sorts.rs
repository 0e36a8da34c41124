//! Domains by sorts, for rules that use one relation for things of two sorts.
//!
//! A sheet of chess may say with one relation which files and which ranks are next to each other. By arguments alone, a king then leaves a file for
//! a rank, and every relation has all of both everywhere. Here constants are parted into sorts, and each relation has its domains once for each
//! combination of sorts that its rules can yield (a *signature*), so that what goes with a file is a file. Any partition is sound: a signature is no
//! more than a case.
//!
//! A sort is what tables have in one column, joined where two columns overlap. A column that only unites sorts is none: it is the relation for both.

use super::{Domain, Domains};
use crate::flat::{Arg, Flat, Literal, Rel, Rule, Tables};
use crate::normal::TermId;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Most pairs of a signature and a condition that are looked at, for all rounds together.
const MAX_WORK: usize = 1 << 21;

/// A sort, by one of its constants.
type Sort = TermId;
/// The domains of the arguments of one relation, by their sorts.
type Signatures = IndexMap<Vec<Sort>, Vec<Domain>, FxBuildHasher>;

/// The partition of the constants.
struct Sorts {
    parent: FxHashMap<TermId, TermId>,
    sizes: FxHashMap<TermId, usize>,
}

impl Sorts {
    /// Near-linear in the columns: what stands in an argument of a relation that has a table is what is in that column.
    fn of(flat: &Flat, tables: &Tables, plain: &Domains) -> Self {
        let columns = flat.rels().filter(|&rel| !tables.of(rel).rows().is_empty());
        let columns =
            columns.flat_map(|rel| (0..flat.relation(rel).arity).filter_map(move |place| plain.at(rel, place)));
        let mut columns: Vec<&Domain> = columns.collect();
        columns.sort_by_key(|column| column.values().len());
        let mut sorts = Self { parent: FxHashMap::default(), sizes: FxHashMap::default() };
        for column in columns {
            if column.values().iter().any(|&term| sorts.size(sorts.sort(term)) == 1) {
                let mut terms = column.values().to_vec();
                terms.sort_unstable();
                terms.windows(2).for_each(|pair| {
                    if let [one, other] = *pair {
                        sorts.join(one, other);
                    }
                });
            }
        }
        sorts
    }

    fn sort(&self, mut term: TermId) -> Sort {
        while let Some(&parent) = self.parent.get(&term) {
            term = parent;
        }
        term
    }

    fn size(&self, sort: Sort) -> usize {
        self.sizes.get(&sort).copied().unwrap_or(1)
    }

    fn join(&mut self, one: TermId, other: TermId) {
        let (one, other) = (self.sort(one), self.sort(other));
        if one != other {
            let (small, large) = if self.size(one) < self.size(other) { (one, other) } else { (other, one) };
            self.sizes.insert(large, self.size(one) + self.size(other));
            self.parent.insert(small, large);
        }
    }

    /// Whether a domain has several values of each of two sorts.
    fn are_mixed(&self, domain: &Domain) -> bool {
        let mut counts: FxHashMap<Sort, usize> = FxHashMap::default();
        for &term in domain.values() {
            *counts.entry(self.sort(term)).or_default() += 1;
        }
        counts.values().filter(|&&count| count > 1).count() > 1
    }
}

/// The work was more than it is worth.
struct TooMuch;

/// The fixed point over signatures.
struct Sorted<'a> {
    flat: &'a Flat,
    sorts: Sorts,
    all: Vec<Signatures>,
    work: usize,
    /// What a rule adds in this round.
    new: Vec<Vec<Vec<TermId>>>,
}

/// The domains of a program in which some fluent has values of several sorts in one argument, by sorts; `None` if there is none, or if that would be
/// too much work. `plain` are its domains by arguments.
pub(super) fn by_sorts(flat: &Flat, tables: &Tables, plain: &Domains) -> Option<Domains> {
    let sorts = Sorts::of(flat, tables, plain);
    let is_mixed = |rel: Rel| {
        (0..flat.relation(rel).arity).any(|place| plain.at(rel, place).is_some_and(|domain| sorts.are_mixed(domain)))
    };
    if !flat.fluents.iter().any(|fluent| is_mixed(fluent.truth)) {
        return None;
    }
    let all = vec![Signatures::default(); flat.relations.len()];
    let mut sorted = Sorted { flat, sorts, all, work: 0, new: Vec::new() };
    for rel in flat.rels() {
        for row in tables.of(rel).rows() {
            let row: Vec<Vec<TermId>> = row.iter().map(|&term| vec![term]).collect();
            sorted.add(rel, &row);
        }
    }
    sorted.solve().ok()?;
    let mut domains = Domains::default();
    for rel in flat.rels() {
        let Some(signatures) = sorted.all.get(rel.index()) else { continue };
        for arguments in signatures.values() {
            for (place, domain) in arguments.iter().enumerate() {
                domains.add(rel, place, domain.order.clone());
            }
        }
    }
    Some(domains)
}

impl Sorted<'_> {
    fn solve(&mut self) -> Result<(), TooMuch> {
        let links = super::links(self.flat);
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to) in &links {
                let Some(signatures) = self.all.get(from.index()).cloned() else { continue };
                for arguments in signatures.values() {
                    let values: Vec<Vec<TermId>> = arguments.iter().map(|domain| domain.order.clone()).collect();
                    changed |= self.add(to, &values);
                }
            }
            let flat = self.flat;
            for rule in flat.rules.iter().filter(|rule| !flat.relation(rule.head.rel).is_static) {
                let mut values: Vec<Option<Vec<TermId>>> = vec![None; rule.vars as usize];
                self.join(rule, 0, &mut values)?;
                for row in std::mem::take(&mut self.new) {
                    changed |= self.add(rule.head.rel, &row);
                }
            }
        }
        Ok(())
    }

    /// Takes a signature of each condition of a rule from one on, such that each variable has one sort, and notes what the head can be then.
    fn join(&mut self, rule: &Rule, at: usize, values: &mut Vec<Option<Vec<TermId>>>) -> Result<(), TooMuch> {
        let Some(literal) = rule.body.get(at) else {
            self.yielded(rule, 0, values, &mut Vec::new());
            return Ok(());
        };
        let Literal::Pos(atom) = literal else { return self.join(rule, at + 1, values) };
        let count = self.all.get(atom.rel.index()).map_or(0, IndexMap::len);
        for number in 0..count {
            self.work += 1;
            if self.work > MAX_WORK {
                return Err(TooMuch);
            }
            let Some((_, domains)) = self.all.get(atom.rel.index()).and_then(|all| all.get_index(number)) else {
                break;
            };
            let mut bound = Vec::new();
            let fits = atom.args.iter().zip(domains).all(|(&arg, domain)| match arg {
                Arg::Is(term) => domain.contains(term),
                Arg::Var(var) => {
                    let Some(slot) = values.get_mut(var as usize) else { return false };
                    let kept = match slot {
                        None => domain.order.clone(),
                        Some(list) => list.iter().copied().filter(|&term| domain.contains(term)).collect(),
                    };
                    let is_possible = !kept.is_empty();
                    bound.push((var as usize, slot.replace(kept)));
                    is_possible
                }
            });
            let result = if fits { self.join(rule, at + 1, values) } else { Ok(()) };
            for (var, before) in bound.into_iter().rev() {
                values.iter_mut().skip(var).take(1).for_each(|slot| slot.clone_from(&before));
            }
            result?;
        }
        Ok(())
    }

    /// Notes the arguments of a head from one on. What no condition binds has every sort that it is bound to before.
    fn yielded(&mut self, rule: &Rule, at: usize, values: &[Option<Vec<TermId>>], row: &mut Vec<Vec<TermId>>) {
        let Some(&arg) = rule.head.args.get(at) else {
            self.new.push(row.clone());
            return;
        };
        let options = match arg {
            Arg::Is(term) => vec![vec![term]],
            Arg::Var(var) => match values.get(var as usize).cloned().flatten() {
                Some(values) => vec![values],
                None => self.of_bound(rule.head.rel, at),
            },
        };
        for option in options {
            row.push(option);
            self.yielded(rule, at + 1, values, row);
            row.pop();
        }
    }

    fn of_bound(&self, rel: Rel, place: usize) -> Vec<Vec<TermId>> {
        let Some(&(from, at)) = self.flat.bound.get(&(rel, place)) else { return Vec::new() };
        let mut parts: IndexMap<Sort, Domain> = IndexMap::new();
        for (sorts, domains) in self.all.get(from.index()).into_iter().flatten() {
            let (Some(&sort), Some(domain)) = (sorts.get(at), domains.get(at)) else { continue };
            for &term in domain.values() {
                parts.entry(sort).or_default().insert(term);
            }
        }
        parts.into_values().map(|domain| domain.order).collect()
    }

    /// Adds what can stand in the arguments of a relation, values of one sort for each; whether something is new.
    fn add(&mut self, rel: Rel, row: &[Vec<TermId>]) -> bool {
        let sorts: Option<Vec<Sort>> = row.iter().map(|values| Some(self.sorts.sort(*values.first()?))).collect();
        let (Some(sorts), Some(signatures)) = (sorts, self.all.get_mut(rel.index())) else { return false };
        let is_new = !signatures.contains_key(&sorts);
        let domains = signatures.entry(sorts).or_insert_with(|| vec![Domain::default(); row.len()]);
        let mut changed = is_new;
        for (domain, values) in domains.iter_mut().zip(row) {
            changed |= values.iter().fold(false, |changed, &term| domain.insert(term) | changed);
        }
        changed
    }
}
