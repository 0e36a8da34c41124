//! What follows from what is known: resolution on goals, whose variables are chosen and given back on a trail, so that no attempt
//! copies the facts.

use super::facts::{Facts, MAX_SCAN, agrees, chosen_rows, walk};
use crate::flat::{Arg, Atom, Literal};
use crate::normal::RelationKind;

/// Facts, and what was chosen for variables on the way to where a proof is.
pub(super) struct Entailment<'f, 'c> {
    facts: &'f Facts<'c>,
    bindings: Vec<Option<Arg>>,
    /// Variables in the order in which they were chosen.
    trail: Vec<u32>,
}

/// How far an attempt had come: how many variables there were, and how many of them were chosen.
type Mark = (usize, usize);

impl<'f, 'c> Entailment<'f, 'c> {
    pub(super) fn of(facts: &'f Facts<'c>) -> Self {
        Self { facts, bindings: facts.bindings.clone(), trail: Vec::new() }
    }

    /// Numbers for `count` new variables: the first of them.
    pub(super) fn fresh(&mut self, count: u32) -> u32 {
        let first = u32::try_from(self.bindings.len()).unwrap_or(u32::MAX);
        self.bindings.resize(self.bindings.len() + count as usize, None);
        first
    }

    /// Whether a list of conditions follows. Variables from `local` on may be chosen freely.
    pub(super) fn follows(&mut self, literals: &[Literal], local: u32, depth: usize) -> bool {
        // Atoms first, since they choose.
        let mut order: Vec<&Literal> = literals.iter().filter(|literal| matches!(literal, Literal::Pos(_))).collect();
        order.extend(literals.iter().filter(|literal| !matches!(literal, Literal::Pos(_))));
        self.all_follow(&order, local, depth)
    }

    /// Runs an attempt, and takes back what it chose.
    fn attempt(&mut self, try_it: impl FnOnce(&mut Self) -> bool) -> bool {
        let mark = (self.bindings.len(), self.trail.len());
        let follows = try_it(self);
        self.take_back(mark);
        follows
    }

    fn take_back(&mut self, (vars, chosen): Mark) {
        for var in self.trail.drain(chosen..) {
            if let Some(slot) = self.bindings.get_mut(var as usize) {
                *slot = None;
            }
        }
        self.bindings.truncate(vars);
    }

    fn walk(&self, arg: Arg) -> Arg {
        walk(&self.bindings, arg)
    }

    fn all_follow(&mut self, literals: &[&Literal], local: u32, depth: usize) -> bool {
        let Some((&first, rest)) = literals.split_first() else { return true };
        match first {
            Literal::Pos(atom) => {
                let atom = atom.map(&|arg| self.walk(arg));
                self.is_known(&atom, rest, local, depth) || self.is_derived(&atom, rest, local, depth)
            }
            Literal::Neg(atom) => {
                let atom = atom.map(&|arg| self.walk(arg));
                self.facts.denies(&atom) && self.all_follow(rest, local, depth)
            }
            Literal::Distinct(a, b) => {
                let (a, b) = (self.walk(*a), self.walk(*b));
                let known = |&(x, y): &(Arg, Arg)| {
                    let pair = (self.walk(x), self.walk(y));
                    pair == (a, b) || pair == (b, a)
                };
                let differ = matches!((a, b), (Arg::Is(_), Arg::Is(_))) && a != b;
                (differ || self.facts.distinct.iter().any(known)) && self.all_follow(rest, local, depth)
            }
        }
    }

    /// Whether an atom is known, or a row of a table, such that the rest follows as well.
    fn is_known(&mut self, atom: &Atom, rest: &[&Literal], local: u32, depth: usize) -> bool {
        let facts = self.facts;
        let known = facts.positive.iter().filter(|known| known.atom.rel == atom.rel);
        for known in known {
            if self.attempt(|own| {
                own.choose(&atom.args, known.atom.args.iter().copied(), local) && own.all_follow(rest, local, depth)
            }) {
                return true;
            }
        }
        let rows = facts.context.tables.of(atom.rel).rows();
        let like = facts.context.rows_like(atom.rel, &atom.args);
        let rows = chosen_rows(rows.get(..MAX_SCAN).unwrap_or(rows), like.as_deref());
        for row in rows.filter(|row| agrees(&atom.args, row)) {
            if self.attempt(|own| {
                own.choose(&atom.args, row.iter().map(|&term| Arg::Is(term)), local)
                    && own.all_follow(rest, local, depth)
            }) {
                return true;
            }
        }
        false
    }

    /// Whether rules yield an atom such that the rest follows as well.
    fn is_derived(&mut self, atom: &Atom, rest: &[&Literal], local: u32, depth: usize) -> bool {
        let relation = self.facts.context.flat.relation(atom.rel);
        let derived = !relation.is_static && !relation.recursive && relation.kind == RelationKind::Helper;
        if !derived || depth == 0 {
            return false;
        }
        if atom.vars().any(|var| var >= local) {
            return self.attempt(|own| own.resolves(atom, rest, local, depth - 1));
        }
        self.derives(atom, depth - 1) && self.all_follow(rest, local, depth)
    }

    /// Whether some rule yields the atom, none of whose variables may be chosen.
    fn derives(&mut self, atom: &Atom, depth: usize) -> bool {
        self.facts.context.flat.rules_of(atom.rel).any(|rule| {
            self.attempt(|own| {
                let first = own.fresh(rule.vars);
                let head: Vec<Arg> = rule.head.args.iter().map(|arg| arg.shifted(first)).collect();
                if !own.choose(&head, atom.args.iter().copied(), first) {
                    return false;
                }
                let body: Vec<Literal> =
                    rule.body.iter().map(|literal| literal.map(&|arg| arg.shifted(first))).collect();
                own.follows(&body, first, depth)
            })
        })
    }

    /// Whether the only rule of an atom's relation yields it, with variables that may be chosen, and the rest follows then.
    fn resolves(&mut self, atom: &Atom, rest: &[&Literal], local: u32, depth: usize) -> bool {
        let mut rules = self.facts.context.flat.rules_of(atom.rel);
        let (Some(rule), None) = (rules.next(), rules.next()) else { return false };
        let first = self.fresh(rule.vars);
        for (head, &arg) in rule.head.args.iter().zip(&atom.args) {
            match (self.walk(head.shifted(first)), self.walk(arg)) {
                (a, b) if a == b => {}
                (Arg::Var(var), other) | (other, Arg::Var(var)) if var >= local => self.bind(var, other),
                _ => return false,
            }
        }
        let body: Vec<Literal> = rule.body.iter().map(|literal| literal.map(&|arg| arg.shifted(first))).collect();
        let is_positive = |literal: &&Literal| matches!(literal, Literal::Pos(_));
        let (mut order, others): (Vec<&Literal>, Vec<&Literal>) =
            body.iter().chain(rest.iter().copied()).partition(is_positive);
        order.extend(others);
        self.all_follow(&order, local, depth)
    }

    /// Chooses free variables of `pattern` so that it is `args`; whether that is possible.
    fn choose(&mut self, pattern: &[Arg], args: impl Iterator<Item = Arg>, local: u32) -> bool {
        for (&pattern, arg) in pattern.iter().zip(args) {
            let (pattern, arg) = (self.walk(pattern), self.walk(arg));
            match pattern {
                _ if pattern == arg => {}
                Arg::Var(var) if var >= local => self.bind(var, arg),
                _ => return false,
            }
        }
        true
    }

    fn bind(&mut self, var: u32, arg: Arg) {
        if let Some(slot) = self.bindings.get_mut(var as usize) {
            *slot = Some(arg);
            self.trail.push(var);
        }
    }
}
