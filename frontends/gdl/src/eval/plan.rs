//! Join plans: the order in which the literals of a rule are looked up.

use super::table::{Access, Table};
use crate::normal::{Atom, Literal, Rule, Term, TermId, Terms};

/// What a step of a plan does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Goes through all rows of a positive literal that match what is bound.
    Scan {
        /// Its position in the body.
        literal: usize,
        /// The index to use; `None` for all rows.
        index: Option<usize>,
        /// Per part of the index's key the term to look for; `Err` for the name of a function.
        key: Vec<Result<TermId, u32>>,
        /// Variables that it binds.
        binds: Vec<u32>,
    },
    /// Looks a positive literal up that is bound completely.
    Find {
        /// Its position in the body.
        literal: usize,
    },
    /// Tests a negative literal or `distinct`.
    Test {
        /// Its position in the body.
        literal: usize,
    },
}

/// An order of the literals of a rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// Rows of all tables used when the plan was made.
    pub(crate) size: usize,
}

/// Makes plans.
pub(crate) struct Planner<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) tables: &'a mut [Table],
}

impl Planner<'_> {
    /// Plans a rule. `first` is the literal that is scanned first (over new rows); `delayed` says which tests wait until
    /// the end because they are not decided by tables.
    ///
    /// `None` if the rule is unsafe: a variable is bound by no positive literal.
    pub(crate) fn plan(&mut self, rule: &Rule, first: Option<usize>) -> Option<Plan> {
        let mut bound = vec![false; rule.vars.len()];
        let mut left: Vec<usize> = (0..rule.body.len()).collect();
        let mut plan = Plan { steps: Vec::new(), size: self.size(rule) };
        if let Some(first) = first {
            left.retain(|&literal| literal != first);
            if let Some(Literal::Pos(atom)) = rule.body.get(first) {
                let binds = self.binds(atom, &bound);
                mark(&mut bound, &binds);
                plan.steps.push(Step::Scan { literal: first, index: None, key: Vec::new(), binds });
            }
        }
        loop {
            // Tests, and look-ups of what is bound, come as soon as they can.
            left.retain(|&literal| {
                let Some(condition) = rule.body.get(literal) else { return false };
                if !self.is_bound(condition, &bound) {
                    return true;
                }
                plan.steps.push(match condition {
                    Literal::Pos(_) => Step::Find { literal },
                    Literal::Neg(_) | Literal::Distinct(..) => Step::Test { literal },
                });
                false
            });
            let Some(best) = self.cheapest(rule, &left, &bound) else { break };
            left.retain(|&literal| literal != best);
            let Some(Literal::Pos(atom)) = rule.body.get(best) else { break };
            let (accesses, key) = self.key(atom, &bound);
            let table = &mut self.tables[atom.relation.index()];
            let index = (!accesses.is_empty()).then(|| table.index(&accesses));
            let binds = self.binds(atom, &bound);
            mark(&mut bound, &binds);
            plan.steps.push(Step::Scan { literal: best, index, key, binds });
        }
        let mut head = Vec::new();
        rule.head.args.iter().for_each(|&arg| self.terms.variables_of(arg, &mut head));
        let safe = left.is_empty() && head.iter().all(|&var| bound.get(var as usize) == Some(&true));
        safe.then_some(plan)
    }

    /// Rows of all tables that a rule reads.
    pub(crate) fn size(&self, rule: &Rule) -> usize {
        let positive = |literal: &Literal| match literal {
            Literal::Pos(atom) => self.tables.get(atom.relation.index()).map(Table::len),
            _ => None,
        };
        rule.body.iter().filter_map(positive).sum()
    }

    fn cheapest(&self, rule: &Rule, left: &[usize], bound: &[bool]) -> Option<usize> {
        let cost = |&literal: &usize| {
            let Some(Literal::Pos(atom)) = rule.body.get(literal) else { return None };
            let (accesses, _) = self.key(atom, bound);
            let table = &self.tables[atom.relation.index()];
            Some((literal, table.fan_out(self.terms, &accesses)))
        };
        let costs = left.iter().filter_map(cost);
        costs.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))).map(|(literal, _)| literal)
    }

    fn is_bound(&self, literal: &Literal, bound: &[bool]) -> bool {
        let term = |&arg: &TermId| self.term_is_bound(arg, bound);
        match literal {
            Literal::Pos(atom) | Literal::Neg(atom) => atom.args.iter().all(term),
            Literal::Distinct(a, b) => term(a) && term(b),
        }
    }

    fn term_is_bound(&self, term: TermId, bound: &[bool]) -> bool {
        if self.terms.is_ground(term) {
            return true;
        }
        match self.terms.get(term) {
            Term::Constant(_) => true,
            Term::Variable(var) => bound.get(var as usize) == Some(&true),
            Term::Compound(_, args) => args.iter().all(|&arg| self.term_is_bound(arg, bound)),
        }
    }

    fn binds(&self, atom: &Atom, bound: &[bool]) -> Vec<u32> {
        let mut vars = Vec::new();
        atom.args.iter().for_each(|&arg| self.terms.variables_of(arg, &mut vars));
        vars.retain(|&var| bound.get(var as usize) == Some(&false));
        vars
    }

    /// The parts of an atom that are bound.
    fn key(&self, atom: &Atom, bound: &[bool]) -> (Vec<Access>, Vec<Result<TermId, u32>>) {
        let (mut accesses, mut key) = (Vec::new(), Vec::new());
        let mut stack: Vec<(TermId, Vec<u8>)> = Vec::new();
        for (position, &arg) in atom.args.iter().enumerate().rev() {
            stack.push((arg, vec![u8::try_from(position).unwrap_or(u8::MAX)]));
        }
        while let Some((term, path)) = stack.pop() {
            if path.contains(&u8::MAX) {
                continue;
            }
            if self.term_is_bound(term, bound) {
                accesses.push(Access { path: path.into(), functor: false });
                key.push(Ok(term));
            } else if let Term::Compound(functor, args) = self.terms.get(term) {
                accesses.push(Access { path: path.as_slice().into(), functor: true });
                key.push(Err(functor.index() as u32));
                for (position, &arg) in args.iter().enumerate().rev() {
                    let mut inner = path.clone();
                    inner.push(u8::try_from(position).unwrap_or(u8::MAX));
                    stack.push((arg, inner));
                }
            }
        }
        (accesses, key)
    }
}

fn mark(bound: &mut [bool], vars: &[u32]) {
    for &var in vars {
        if let Some(slot) = bound.get_mut(var as usize) {
            *slot = true;
        }
    }
}
