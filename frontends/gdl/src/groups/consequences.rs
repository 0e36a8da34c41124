//! What holds wherever an atom of a derived relation holds, by whichever rule it was derived.
//!
//! Consequences of a relation are atoms about the state and about what is done, over the relation's arguments and constants.
//! Those of all relations are the greatest fixed point of: an atom is a consequence if each of the rules has it in its body,
//! or has an atom there whose consequence it is. That is right by induction on derivations, which are finite. What is done is
//! legal, so that it has the consequences of that.
//!
//! A counter needs more than single atoms: that a fluent `(count x)` holds for some `x`, by which a table determines an argument. So
//! such pairs are consequences, too.
//!
//! A long chain of relations, each of which asks for the one before, says by many cases what its first rule asked for. As a
//! consequence it is there at once.

use crate::eval::components;
use crate::flat::{Arg, Atom, Flat, Literal, Rel, Rule, Tables};
use crate::normal::RelationKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most consequences of one relation that are looked for.
const MAX_CONSEQUENCES: usize = 48;

/// Largest table of which rows are consequences.
const MAX_ROWS: usize = 1_000;

/// Most ways to write one consequence with a relation's arguments.
const MAX_WAYS: usize = 8;

/// The variable of a consequence that stands for some value, not for an argument.
const SOME: Arg = Arg::Var(u32::MAX);

/// Most consequences that are looked at for relations that depend on each other; with more, these have no consequences.
const MAX_WORK: usize = 1_000_000;

/// Atoms that follow together: one, or a fluent and a row of a table that have a variable in common.
pub(super) type Consequence = Vec<Atom>;

/// The consequences of all relations. Their variables are numbered like the relations' arguments.
#[derive(Debug, Default)]
pub(super) struct Consequences {
    of: FxHashMap<Rel, Vec<Consequence>>,
}

/// What is assumed of relations that depend on each other; of those that are missing, everything.
type Assumed = FxHashMap<Rel, Vec<Consequence>>;

/// What consequences are looked for in.
#[derive(Clone, Copy)]
struct Program<'f> {
    flat: &'f Flat,
    /// The places of static relations that are determined by the others.
    determined: &'f FxHashMap<Rel, Vec<usize>>,
}

impl Consequences {
    /// Relations are looked at after those that they depend on; those that depend on each other, until nothing changes. O(atoms
    /// in bodies, with their consequences) per round.
    pub(super) fn new(flat: &Flat, tables: &Tables) -> Self {
        let determined = determined(flat, tables);
        let (mut found, program) = (Self::default(), Program { flat, determined: &determined });
        let needs: Vec<Vec<usize>> = flat
            .relations
            .iter()
            .enumerate()
            .map(|(index, relation)| {
                let rules = relation.rules.iter().filter_map(|&rule| flat.rules.get(rule));
                let asked = rules.flat_map(|rule| rule.body.iter().filter_map(positive)).map(|atom| atom.rel);
                let done = flat.moves.iter().filter(|kind| kind.does.index() == index).map(|kind| kind.legal);
                let mut needs: Vec<usize> = asked.chain(done).map(Rel::index).collect();
                needs.sort_unstable();
                needs.dedup();
                needs
            })
            .collect();
        for component in components(&needs, 0..needs.len()) {
            let rels: Vec<Rel> = component.iter().filter_map(|&index| u32::try_from(index).ok()).map(Rel).collect();
            found.component(program, &rels);
        }
        found
    }

    /// The consequences of a relation.
    fn of(&self, rel: Rel) -> &[Consequence] {
        self.of.get(&rel).map_or(&[], |list| list)
    }

    /// The consequences of an atom.
    pub(super) fn of_atom(&self, atom: &Atom) -> impl Iterator<Item = Consequence> {
        self.of(atom.rel).iter().map(|consequence| instance(consequence, &atom.args))
    }

    /// Whether some relation has any.
    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    fn component(&mut self, program: Program<'_>, rels: &[Rel]) {
        let [rel] = rels else { return self.derived(program, rels) };
        let done = program.flat.moves.iter().find(|kind| kind.does == *rel);
        match done.map(|kind| self.of(kind.legal).to_vec()) {
            Some(list) => self.add(*rel, list),
            None => self.derived(program, rels),
        }
    }

    fn add(&mut self, rel: Rel, list: Vec<Consequence>) {
        if !list.is_empty() {
            self.of.insert(rel, list);
        }
    }

    /// The consequences of relations that depend on each other.
    fn derived(&mut self, program: Program<'_>, rels: &[Rel]) {
        let flat = program.flat;
        let is_derived = |&rel: &Rel| {
            let relation = flat.relation(rel);
            !relation.is_static && !matches!(relation.kind, RelationKind::Next | RelationKind::Sees)
        };
        // What is done and is legal by what is done would be its own reason.
        if !rels.iter().all(is_derived) || rels.iter().any(|&rel| flat.relation(rel).kind == RelationKind::Does) {
            return;
        }
        let mut assumed = Assumed::default();
        let mut work = 0usize;
        let mut changed = true;
        while changed {
            changed = false;
            for rule in rels.iter().flat_map(|&rel| flat.rules_of(rel)) {
                let Some(implied) = self.implied(program, rule, rels, &assumed) else { continue };
                work += 1 + implied.len();
                match assumed.get_mut(&rule.head.rel) {
                    Some(list) => {
                        let before = list.len();
                        list.retain(|one| implied.contains(&instance(one, &rule.head.args)));
                        changed |= list.len() < before;
                        work += before;
                    }
                    None => {
                        assumed.insert(rule.head.rel, general(&rule.head.args, &implied));
                        changed = true;
                    }
                }
                if work > MAX_WORK {
                    return;
                }
            }
        }
        for (rel, list) in assumed {
            self.add(rel, list);
        }
    }

    /// What holds wherever a body does; `None` if it is assumed that it never holds.
    fn implied(&self, program: Program<'_>, rule: &Rule, rels: &[Rel], assumed: &Assumed) -> Option<Implied> {
        let mut implied = Implied::default();
        for atom in rule.body.iter().filter_map(positive) {
            match program.flat.relation(atom.rel).kind {
                RelationKind::True => {
                    implied.insert(vec![atom.clone()]);
                    implied.steps(program, atom, rule);
                }
                RelationKind::Does => implied.insert(vec![atom.clone()]),
                _ => {}
            }
            let list = if rels.contains(&atom.rel) { assumed.get(&atom.rel)? } else { self.of(atom.rel) };
            list.iter().for_each(|consequence| implied.insert(instance(consequence, &atom.args)));
        }
        Some(implied)
    }
}

/// Consequences in the order in which they were found.
#[derive(Default)]
struct Implied {
    order: Vec<Consequence>,
    set: FxHashSet<Consequence>,
}

impl Implied {
    fn insert(&mut self, consequence: Consequence) {
        if self.set.insert(consequence.clone()) {
            self.order.push(consequence);
        }
    }

    /// A fluent with one variable, and rows of tables in which that determines another one.
    fn steps(&mut self, program: Program<'_>, fluent: &Atom, rule: &Rule) {
        let [var] = variables(fluent)[..] else { return };
        let some = |atom: &Atom| atom.map(&|arg| if arg == Arg::Var(var) { SOME } else { arg });
        for row in rule.body.iter().filter_map(positive) {
            let vars = variables(row);
            if vars.len() != 2 || !vars.contains(&var) {
                continue;
            }
            let is_other =
                |place: &usize| row.args.get(*place).is_some_and(|arg| arg.var().is_some_and(|own| own != var));
            if program.determined.get(&row.rel).is_some_and(|places| places.iter().any(is_other)) {
                self.insert(vec![some(fluent), some(row)]);
            }
        }
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    fn contains(&self, consequence: &Consequence) -> bool {
        self.set.contains(consequence)
    }
}

/// The places of relations with tables that are determined by the others.
fn determined(flat: &Flat, tables: &Tables) -> FxHashMap<Rel, Vec<usize>> {
    let rels = flat.rels();
    let mut found = FxHashMap::default();
    for rel in rels.filter(|&rel| flat.relation(rel).is_static) {
        let (arity, rows) = (flat.relation(rel).arity, tables.of(rel).rows());
        if arity >= 2 && !rows.is_empty() && rows.len() <= MAX_ROWS {
            found.insert(rel, (0..arity).filter(|&place| super::determines(rows, &[place])).collect());
        }
    }
    found
}

/// The variables of an atom.
fn variables(atom: &Atom) -> Vec<u32> {
    let mut vars: Vec<u32> = atom.vars().collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

fn positive(literal: &Literal) -> Option<&Atom> {
    match literal {
        Literal::Pos(atom) => Some(atom),
        Literal::Neg(_) | Literal::Distinct(..) => None,
    }
}

/// A consequence for these arguments.
fn instance(consequence: &Consequence, args: &[Arg]) -> Consequence {
    let value = |arg: Arg| arg.var().and_then(|place| args.get(place as usize)).copied().unwrap_or(arg);
    consequence.iter().map(|atom| atom.map(&value)).collect()
}

/// A consequence with this in the place of the variable that stands for some value.
pub(super) fn with_some(consequence: &Consequence, some: Arg) -> Consequence {
    consequence.iter().map(|atom| atom.map(&|arg| if arg == SOME { some } else { arg })).collect()
}

/// The place of the variable that stands for some value in the first atom.
pub(super) fn place_of_some(consequence: &Consequence) -> Option<usize> {
    consequence.first()?.args.iter().position(|&arg| arg == SOME)
}

/// The consequences with the arguments of a rule's head for what stands there, in all ways; those with other variables have
/// none.
fn general(head: &[Arg], implied: &Implied) -> Vec<Consequence> {
    let mut found = Vec::new();
    for consequence in &implied.order {
        let mut ways: Vec<Vec<Arg>> = vec![Vec::new()];
        for &arg in consequence.iter().flat_map(|atom| &atom.args) {
            let places = (0..).zip(head).filter(|(_, own)| **own == arg).map(|(place, _)| Arg::Var(place));
            let itself = Some(arg).filter(|&arg| arg == SOME || arg.constant().is_some());
            let choices: Vec<Arg> = places.chain(itself).collect();
            ways = ways
                .iter()
                .flat_map(|way| choices.iter().map(|&choice| [way.as_slice(), &[choice]].concat()))
                .take(MAX_WAYS)
                .collect();
        }
        for way in ways {
            let mut args = way.into_iter();
            let atoms = consequence.iter();
            found.push(
                atoms.map(|atom| Atom { rel: atom.rel, args: args.by_ref().take(atom.args.len()).collect() }).collect(),
            );
        }
        found.truncate(MAX_CONSEQUENCES);
    }
    found
}

#[cfg(test)]
mod tests;
