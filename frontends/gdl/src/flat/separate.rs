//! Values of an argument of fluents that are kinds of fluents of their own.
//!
//! Often all but a few values of an argument exclude each other: every rule keeps to one piece per cell, only a rule for
//! castling puts a king on a cell whatever is there. With the king's fluents apart, the others are a map from cells to
//! pieces. The rules stay the same but for the names of relations: `true (piece p x y)` becomes `true@piece` of three
//! arguments where `p` is no such value, and `true@piece_king` of two where it is.

use super::convert::{classify, renumber};
use super::{Arg, Atom, Flat, Fluent, Literal, Rel, Relation, Rule, Tables};
use crate::domains::Domains;
use crate::normal::{RelationKind, TermId};
use rustc_hash::FxHashMap;

/// Most copies of one rule.
const MAX_COPIES: usize = 64;

/// An argument of a kind of fluents with the values that are kinds of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Apart {
    /// Position in [`Flat::fluents`].
    pub(crate) fluent: usize,
    pub(crate) place: usize,
    pub(crate) values: Vec<TermId>,
}

/// The relations of one kind of fluents: initial, true, next.
type Trio = [Rel; 3];

struct Separator<'f> {
    flat: &'f Flat,
    tables: &'f Tables,
    place: usize,
    /// The relations of the kind.
    whole: Trio,
    /// Those of the values, without the argument.
    parts: Vec<(TermId, Trio)>,
    /// Says what the other values are.
    others: Rel,
}

/// What a variable in the argument is: one of the values, by position, or another.
type Case = FxHashMap<u32, Option<usize>>;

/// The same rules with values apart; `None` if a rule had too many copies. Linear in the copies.
pub(crate) fn separate(flat: &Flat, tables: &Tables, domains: &Domains, apart: &Apart) -> Option<Flat> {
    let kind = *flat.fluents.get(apart.fluent)?;
    let whole = [kind.init, kind.truth, kind.next];
    let mut new = flat.clone();
    let mut declare = |relation: Relation| {
        new.relations.push(relation);
        u32::try_from(new.relations.len() - 1).map(Rel).ok()
    };
    let mut parts = Vec::new();
    for &value in &apart.values {
        let mut trio = whole;
        for rel in &mut trio {
            let old = flat.relation(*rel);
            let relation = Relation { arity: old.arity.checked_sub(1)?, rules: Vec::new(), ..old.clone() };
            *rel = declare(relation)?;
        }
        parts.push((value, trio));
    }
    let helper = Relation {
        kind: RelationKind::Helper,
        shapes: Vec::new(),
        arity: 1,
        is_static: true,
        ..flat.relation(kind.truth).clone()
    };
    let others = declare(helper)?;
    let separator = Separator { flat, tables, place: apart.place, whole, parts, others };
    let mut rules: Vec<Rule> = Vec::new();
    for relation in &flat.relations {
        for rule in relation.rules.iter().filter_map(|&index| flat.rules.get(index)) {
            rules.extend(separator.copies(rule)?);
        }
    }
    let values = domains.at(kind.truth, apart.place)?.values();
    let span = rules.first()?.span;
    rules.extend(values.iter().filter(|value| !apart.values.contains(value)).map(|&value| {
        let head = Atom { rel: others, args: vec![Arg::Is(value)] };
        Rule { head, body: Vec::new(), vars: 0, span }
    }));
    new.relations.iter_mut().for_each(|relation| relation.rules.clear());
    for (index, rule) in rules.iter().enumerate() {
        new.relations.get_mut(rule.head.rel.index())?.rules.push(index);
    }
    new.rules = rules;
    for &(value, [init, truth, next]) in &separator.parts {
        new.fluents.push(Fluent { init, truth, next, fixed: Some((apart.place, value)), ..kind });
    }
    classify(&mut new);
    Some(new)
}

impl Separator<'_> {
    /// A rule, once for every case of the variables in the argument that can be.
    fn copies(&self, rule: &Rule) -> Option<Vec<Rule>> {
        let mut vars: Vec<u32> = Vec::new();
        for atom in std::iter::once(&rule.head).chain(rule.body.iter().filter_map(Literal::atom)) {
            let var = self.argument(atom).and_then(Arg::var);
            vars.extend(var.filter(|var| !vars.contains(var)));
        }
        let mut cases = vec![Case::default()];
        for &var in &vars {
            let each = (0..self.parts.len()).map(Some).chain([None]);
            let with = |what: Option<usize>| {
                let set = move |mut case: Case| {
                    case.insert(var, what);
                    case
                };
                cases.iter().cloned().map(set)
            };
            cases = each.flat_map(with).collect();
            if cases.len() > MAX_COPIES {
                return None;
            }
        }
        Some(cases.iter().filter_map(|case| self.copy(rule, case)).collect())
    }

    /// What stands in the argument of an atom about the kind of fluents.
    fn argument(&self, atom: &Atom) -> Option<Arg> {
        self.whole.contains(&atom.rel).then(|| atom.args.get(self.place).copied()).flatten()
    }

    /// The rule in one case; `None` if it is never true then.
    fn copy(&self, rule: &Rule, case: &Case) -> Option<Rule> {
        let value = |arg: Arg| {
            let part = arg.var().and_then(|var| case.get(&var).copied().flatten()).and_then(|at| self.parts.get(at));
            part.map_or(arg, |&(value, _)| Arg::Is(value))
        };
        let mut body = Vec::new();
        // A variable that is bound by one of the other fluents is another value.
        let mut known: Vec<Arg> = Vec::new();
        for literal in &rule.body {
            let literal = literal.map(&value);
            match &literal {
                Literal::Pos(atom) => {
                    if !self.is_possible(atom, case) {
                        return None;
                    }
                    known.extend(self.argument(atom));
                    body.push(Literal::Pos(self.renamed(atom)));
                }
                Literal::Neg(atom) => body.push(Literal::Neg(self.renamed(atom))),
                Literal::Distinct(a, b) if a == b => return None,
                Literal::Distinct(..) => body.push(literal),
            }
        }
        let mut other: Vec<u32> = case.iter().filter(|(_, what)| what.is_none()).map(|(&var, _)| var).collect();
        other.sort_unstable();
        let unknown = other.into_iter().map(Arg::Var).filter(|arg| !known.contains(arg));
        body.extend(unknown.map(|arg| Literal::Pos(Atom { rel: self.others, args: vec![arg] })));
        let (head, body, vars) = renumber(self.renamed(&rule.head.map(&value)), body);
        Some(Rule { head, body, vars, span: rule.span })
    }

    /// Whether an atom can be true in a case: a static one needs a row.
    fn is_possible(&self, atom: &Atom, case: &Case) -> bool {
        let relation = self.flat.relation(atom.rel);
        if !relation.is_static || matches!(relation.kind, RelationKind::Base | RelationKind::Input) {
            return true;
        }
        let is_part = |term: &TermId| self.parts.iter().any(|(value, _)| value == term);
        let mut rows = self.tables.of(atom.rel).rows().iter();
        rows.any(|row| {
            atom.args.iter().zip(row).all(|(arg, term)| match arg {
                Arg::Is(constant) => constant == term,
                Arg::Var(var) => !case.contains_key(var) || !is_part(term),
            })
        })
    }

    /// An atom about one of the values as an atom about the kind of fluents that it is.
    fn renamed(&self, atom: &Atom) -> Atom {
        let part = self.argument(atom).and_then(|arg| self.parts.iter().find(|(value, _)| Arg::Is(*value) == arg));
        let at = self.whole.iter().position(|&rel| rel == atom.rel);
        let Some(&rel) = part.and_then(|(_, trio)| trio.get(at?)) else { return atom.clone() };
        let mut args = atom.args.clone();
        args.remove(self.place);
        Atom { rel, args }
    }
}
