//! A step of a walk under way: what has been asked so far, and what variables hold.

use crate::term::{Atom, Literal, PlaceId, Relation, Term, Values, Variable};
use rg_ir::{ConstId, NodeId, Symbol, TypeId, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An assignment of an entry of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Write {
    pub(crate) var: VarId,
    pub(crate) keys: Vec<Term>,
    pub(crate) value: Term,
    /// Whether it is an entry of a small map: its keys are symbols, by which walks are told apart.
    pub(crate) small: bool,
}

/// Where the entries of a map come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// A variable, as the state has it.
    Var(VarId),
    Const(ConstId),
    /// A variable, as it was when the walk of the move that is made was at that node.
    Then(NodeId, VarId),
}

/// A map, or the part of it that is left when its first keys are given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Whole {
    pub(crate) source: Source,
    pub(crate) keys: Vec<Term>,
}

/// What a walk has changed, and its move so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct Store {
    /// Who makes the move; nobody as long as the keeper prepares it, and in checks.
    pub(crate) mover: Option<Term>,
    /// Assigned variables that are no maps.
    pub(crate) scalars: BTreeMap<VarId, Term>,
    /// Assigned entries of maps, oldest first.
    pub(crate) writes: Vec<Write>,
    /// Maps that are assigned as a whole, and variables that are relations of the move, and what they were then; `writes` has what was assigned to
    /// their entries since.
    pub(crate) wholes: BTreeMap<VarId, Whole>,
    /// Maps of which entries were collected, see [`crate::collect`].
    pub(crate) collected: BTreeSet<VarId>,
    pub(crate) tags: Vec<Term>,
    /// Per tag and player 1 if the player sees it and 0 otherwise; empty where everybody sees all.
    pub(crate) seen: Vec<Term>,
}

impl Store {
    /// The maps of which entries are assigned.
    pub(crate) fn written(&self) -> BTreeSet<VarId> {
        self.writes.iter().map(|write| write.var).chain(self.collected.iter().copied()).collect()
    }
}

/// A condition on a place: the slots are arguments once all places are known.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) place: PlaceId,
    pub(crate) slots: Vec<Term>,
    pub(crate) negated: bool,
}

/// The body of a rule in the making, with the store that it leads to.
#[derive(Clone, Default, Debug)]
pub(crate) struct Path {
    pub(crate) vars: Vec<Variable>,
    bound: Vec<Option<Term>>,
    pub(crate) literals: Vec<Literal>,
    pub(crate) calls: Vec<Call>,
    /// What is written, if that is collected.
    pub(crate) writes: Option<Write>,
    pub(crate) store: Store,
}

impl Path {
    /// A path whose first variables are these.
    pub(crate) fn new(vars: Vec<Variable>, store: Store) -> Self {
        let bound = vec![None; vars.len()];
        Self { vars, bound, store, ..Self::default() }
    }

    /// A new variable.
    pub(crate) fn fresh(&mut self, name: &Rc<str>, ty: TypeId, values: Values) -> Term {
        let number = u32::try_from(self.vars.len()).unwrap_or(u32::MAX);
        self.vars.push(Variable { name: name.clone(), ty: Some(ty), values });
        self.bound.push(None);
        Term::Var(number)
    }

    /// What a term stands for, as far as that is known.
    pub(crate) fn resolve(&self, mut term: Term) -> Term {
        while let Term::Var(number) = term {
            match self.bound.get(number as usize).copied().flatten() {
                Some(next) => term = next,
                None => break,
            }
        }
        term
    }

    /// The symbols that a term may stand for.
    pub(crate) fn values(&self, term: Term) -> Values {
        match self.resolve(term) {
            Term::Symbol(symbol) => Rc::new(BTreeSet::from([symbol])),
            Term::Var(number) => self.vars.get(number as usize).map(|var| var.values.clone()).unwrap_or_default(),
        }
    }

    /// Leaves a term only values that satisfy a condition; whether there are any.
    pub(crate) fn restrict(&mut self, term: Term, keep: impl Fn(&Symbol) -> bool) -> bool {
        match self.resolve(term) {
            Term::Symbol(symbol) => keep(&symbol),
            Term::Var(number) => {
                let Some(var) = self.vars.get_mut(number as usize) else { return false };
                if !var.values.iter().all(&keep) {
                    var.values = Rc::new(var.values.iter().copied().filter(|symbol| keep(symbol)).collect());
                }
                !var.values.is_empty()
            }
        }
    }

    /// Demands that two terms are equal; whether they can be.
    pub(crate) fn unify(&mut self, a: Term, b: Term) -> bool {
        match (self.resolve(a), self.resolve(b)) {
            (a, b) if a == b => true,
            (Term::Symbol(_), Term::Symbol(_)) => false,
            (var @ Term::Var(number), Term::Symbol(symbol)) | (Term::Symbol(symbol), var @ Term::Var(number)) => {
                let possible = self.values(var).contains(&symbol);
                self.bind(number, Term::Symbol(symbol));
                possible && self.consistent()
            }
            (Term::Var(a), Term::Var(b)) => {
                let (older, newer) = (a.min(b), a.max(b));
                let values = self.values(Term::Var(newer));
                self.bind(newer, Term::Var(older));
                self.restrict(Term::Var(older), |symbol| values.contains(symbol)) && self.consistent()
            }
        }
    }

    fn bind(&mut self, number: u32, term: Term) {
        if let Some(bound) = self.bound.get_mut(number as usize) {
            *bound = Some(term);
        }
    }

    /// Whether no terms that must differ have become equal.
    fn consistent(&self) -> bool {
        self.literals.iter().all(|literal| match literal {
            Literal::Differ(a, b) => self.resolve(*a) != self.resolve(*b),
            Literal::Holds(_) | Literal::Fails(_) => true,
        })
    }

    /// Demands that two terms differ; whether they can.
    pub(crate) fn differ(&mut self, a: Term, b: Term) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b {
            return false;
        }
        if !self.surely_differ(a, b) {
            self.literals.push(Literal::Differ(a, b));
        }
        match (a, b) {
            (Term::Var(_), Term::Symbol(symbol)) => self.restrict(a, |other| *other != symbol),
            (Term::Symbol(symbol), Term::Var(_)) => self.restrict(b, |other| *other != symbol),
            _ => true,
        }
    }

    /// Whether two terms are known to differ.
    pub(crate) fn surely_differ(&self, a: Term, b: Term) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        match (a, b) {
            (Term::Symbol(a), Term::Symbol(b)) => a != b,
            _ if a == b => false,
            _ => {
                let known = |literal: &Literal| match literal {
                    Literal::Differ(x, y) => {
                        let pair = (self.resolve(*x), self.resolve(*y));
                        pair == (a, b) || pair == (b, a)
                    }
                    Literal::Holds(_) | Literal::Fails(_) => false,
                };
                self.values(a).is_disjoint(&self.values(b)) || self.literals.iter().any(known)
            }
        }
    }

    /// The last argument of a positive condition with these other arguments, if there is one.
    pub(crate) fn known(&self, relation: Relation, keys: &[Term]) -> Option<Term> {
        self.literals.iter().filter_map(Literal::positive).find_map(|atom| {
            let (value, others) = atom.args.split_last()?;
            let same = atom.relation == relation
                && others.len() == keys.len()
                && others.iter().zip(keys).all(|(a, b)| self.resolve(*a) == self.resolve(*b));
            same.then_some(*value)
        })
    }

    /// Adds a positive condition.
    pub(crate) fn holds(&mut self, relation: Relation, args: impl Into<Vec<Term>>) {
        self.literals.push(Literal::Holds(Atom::new(relation, args)));
    }
}
