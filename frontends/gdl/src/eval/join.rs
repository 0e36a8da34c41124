//! Runs join plans.

use super::limits::{Exceeded, Meter};
use super::plan::{Plan, Step};
use super::table::Table;
use crate::normal::{Literal, RelationId, Rule, Term, TermId, Terms};

/// The rows of a literal that count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// One instance of a rule.
pub(crate) struct Instance<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) tables: &'a mut [Table],
    pub(crate) meter: &'a mut Meter,
    /// Values of the variables.
    pub(crate) values: &'a [Option<TermId>],
    /// Per literal of the body the row that matches a positive one.
    pub(crate) rows: &'a [u32],
}

/// Finds the instances of a rule.
pub(crate) struct Joiner<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) tables: &'a mut [Table],
    pub(crate) meter: &'a mut Meter,
    pub(crate) rule: &'a Rule,
    pub(crate) plan: &'a Plan,
    /// Rows that count, per literal of the body.
    pub(crate) ranges: &'a [Range],
    /// Whether the table of a negated relation is complete, per relation: then it decides.
    pub(crate) complete: &'a [bool],
    values: Vec<Option<TermId>>,
    rows: Vec<u32>,
    key: Vec<u32>,
    tuple: Vec<TermId>,
}

impl<'a> Joiner<'a> {
    pub(crate) fn new(
        terms: &'a mut Terms,
        tables: &'a mut [Table],
        meter: &'a mut Meter,
        rule: &'a Rule,
        plan: &'a Plan,
        ranges: &'a [Range],
        complete: &'a [bool],
    ) -> Self {
        for step in &plan.steps {
            if let (Step::Scan { literal, index: Some(index), .. }, body) = (step, &rule.body)
                && let Some(Literal::Pos(atom)) = body.get(*literal)
            {
                tables[atom.relation.index()].refresh(terms, *index);
            }
        }
        let (values, rows) = (vec![None; rule.vars.len()], vec![0; rule.body.len()]);
        Self { terms, tables, meter, rule, plan, ranges, complete, values, rows, key: Vec::new(), tuple: Vec::new() }
    }

    /// Calls `emit` for every instance. Recursion is as deep as the body is long.
    pub(crate) fn run(&mut self, emit: &mut dyn FnMut(Instance<'_>) -> Result<(), Exceeded>) -> Result<(), Exceeded> {
        self.step(0, emit)
    }

    fn relation(&self) -> RelationId {
        self.rule.head.relation
    }

    fn step(
        &mut self,
        number: usize,
        emit: &mut dyn FnMut(Instance<'_>) -> Result<(), Exceeded>,
    ) -> Result<(), Exceeded> {
        let (plan, rule) = (self.plan, self.rule);
        let Some(step) = plan.steps.get(number) else {
            return emit(Instance {
                terms: self.terms,
                tables: self.tables,
                meter: self.meter,
                values: &self.values,
                rows: &self.rows,
            });
        };
        match step {
            Step::Test { literal } => {
                let holds = match rule.body.get(*literal) {
                    Some(&Literal::Distinct(a, b)) => self.value(a) != self.value(b),
                    Some(Literal::Neg(atom)) if self.complete[atom.relation.index()] => {
                        self.instantiate(&atom.args);
                        self.tables[atom.relation.index()].find(&self.tuple).is_none()
                    }
                    _ => true,
                };
                if holds { self.step(number + 1, emit) } else { Ok(()) }
            }
            Step::Find { literal } => {
                let Some(Literal::Pos(atom)) = rule.body.get(*literal) else { return Ok(()) };
                self.instantiate(&atom.args);
                let range = self.ranges[*literal];
                match self.tables[atom.relation.index()].find(&self.tuple) {
                    Some(row) if (range.from..range.to).contains(&row) => {
                        self.rows[*literal] = row;
                        self.step(number + 1, emit)
                    }
                    _ => Ok(()),
                }
            }
            Step::Scan { literal, index, key, binds } => {
                let Some(Literal::Pos(atom)) = rule.body.get(*literal) else { return Ok(()) };
                let (relation, range) = (atom.relation.index(), self.ranges[*literal]);
                let mut at = match index {
                    None => Some(range.from),
                    Some(index) => {
                        self.key.clear();
                        for part in key {
                            let value = match part {
                                Ok(term) => self.value(*term).index() as u32,
                                Err(functor) => *functor,
                            };
                            self.key.push(value);
                        }
                        self.tables[relation].first(*index, &self.key)
                    }
                };
                while let Some(row) = at.filter(|&row| row < range.to) {
                    self.meter.tick(self.relation())?;
                    if row >= range.from && self.matches(relation, row, &atom.args) {
                        self.rows[*literal] = row;
                        self.step(number + 1, emit)?;
                    }
                    for &var in binds {
                        self.values[var as usize] = None;
                    }
                    at = match index {
                        None => Some(row + 1),
                        Some(index) => self.tables[relation].next(*index, row),
                    };
                }
                Ok(())
            }
        }
    }

    /// Matches a row with the arguments of an atom, and binds variables.
    fn matches(&mut self, relation: usize, row: u32, args: &[TermId]) -> bool {
        let (terms, values) = (&*self.terms, &mut self.values);
        let row = self.tables[relation].row(row);
        args.iter().zip(row).all(|(&pattern, &value)| unify(terms, values, pattern, value))
    }

    /// The value of a term whose variables are bound.
    fn value(&mut self, term: TermId) -> TermId {
        value(self.terms, &self.values, term)
    }

    fn instantiate(&mut self, args: &[TermId]) {
        self.tuple.clear();
        for &arg in args {
            let value = value(self.terms, &self.values, arg);
            self.tuple.push(value);
        }
    }
}

/// The value of a term whose variables are bound.
pub(crate) fn value(terms: &mut Terms, values: &[Option<TermId>], term: TermId) -> TermId {
    match terms.get(term) {
        Term::Constant(_) => term,
        Term::Variable(var) => values.get(var as usize).copied().flatten().unwrap_or(term),
        Term::Compound(..) if terms.is_ground(term) => term,
        Term::Compound(..) => terms.substitute(term, &|var| values.get(var as usize).copied().flatten()),
    }
}

/// Matches a pattern with a ground term. Recursion is as deep as the pattern.
fn unify(terms: &Terms, values: &mut [Option<TermId>], pattern: TermId, ground: TermId) -> bool {
    if terms.is_ground(pattern) {
        return pattern == ground;
    }
    match (terms.get(pattern), terms.get(ground)) {
        (Term::Variable(var), _) => match values.get_mut(var as usize) {
            Some(Some(value)) => *value == ground,
            Some(slot) => {
                *slot = Some(ground);
                true
            }
            None => false,
        },
        (Term::Compound(f, xs), Term::Compound(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| unify(terms, values, x, y))
        }
        _ => false,
    }
}
