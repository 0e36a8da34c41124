//! Exact arithmetic by tables.
//!
//! An expression is brought into one of two forms. A *linear* form is a constant plus multiples of leaves (variables,
//! scores, piece counts); everything else is *general*, a program for a stack machine. With few leaves the result is
//! tabulated over all their values, so it is exact whatever the operators do. A linear form with many leaves becomes a
//! chain of tables over partial sums; sums that the remaining leaves cannot bring back to where it matters are
//! merged into one on either side, which keeps the tables small.

mod form;

use crate::ast::{ArithId, Cell, Description, Relation};
use crate::codes;
use form::{Linear, combine, run};
use rg_ir::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most entries of one table.
pub(super) const MAX_ENTRIES: usize = 1 << 20;
/// Most leaves of a sum; its expression nests as deep.
const MAX_CHAIN: usize = 500;
/// Most operations to fill one table.
const MAX_WORK: usize = 1 << 26;

/// What an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Leaf {
    /// A variable: index.
    Variable(u32),
    /// A player's score: index of the player.
    Score(u32),
    /// How many vertices hold the piece: index.
    Count(u32),
}

impl From<Cell> for Leaf {
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Variable(index) => Leaf::Variable(index),
            Cell::Score(index) => Leaf::Score(index),
        }
    }
}

/// A chain of partial sums: `tables[i]` maps the sum so far and the value of leaf i + 1 to the next sum.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// First leaf and the sum after it.
    pub(super) first: (Leaf, Table),
    /// Further leaves.
    pub(super) then: Vec<(Leaf, Table)>,
}

impl Chain {
    /// The table that gives the final sum.
    pub(super) fn last(&self) -> &Table {
        self.then.last().map_or(&self.first.1, |(_, table)| table)
    }
}

/// Integers over one or more ranges, row-major.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// First value and number of values of each argument.
    pub(super) arguments: Vec<(i64, usize)>,
    /// The entries.
    pub(super) values: Vec<i64>,
}

impl Table {
    /// Least and greatest entry.
    pub(super) fn range(&self) -> (i64, i64) {
        (self.values.iter().min().copied().unwrap_or(0), self.values.iter().max().copied().unwrap_or(0))
    }
}

/// When an action is legal.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// In every state.
    Always,
    /// In no state.
    Never,
    /// Depending on one value: entry i is about `first + i`.
    One { subject: Subject, first: i64, accept: Vec<bool> },
    /// Depending on several leaves, row-major.
    Many { leaves: Vec<Leaf>, accept: Vec<bool> },
}

/// A value to look at.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// A leaf.
    Leaf(Leaf),
    /// A sum of many leaves.
    Chain(Chain),
}

/// A value to assign.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Always the same.
    Constant(i64),
    /// A leaf as it is, or a sum of many.
    Subject(Subject),
    /// A function of some leaves.
    Table(Vec<Leaf>, Table),
}

/// Answers questions about the arithmetic of one description.
pub(super) struct Arithmetic<'d> {
    description: &'d Description,
    compared: FxHashMap<(Relation, ArithId, ArithId), Rc<Test>>,
    assigned: FxHashMap<(Cell, ArithId), Rc<(Test, Source)>>,
}

impl<'d> Arithmetic<'d> {
    /// For this description.
    pub(super) fn new(description: &'d Description) -> Self {
        Self { description, compared: FxHashMap::default(), assigned: FxHashMap::default() }
    }

    /// When `left relation right` holds. Asked again, the answer is remembered.
    pub(super) fn compare(
        &mut self,
        relation: Relation,
        left: ArithId,
        right: ArithId,
        span: Span,
    ) -> Result<Rc<Test>, Box<Diagnostic>> {
        if let Some(known) = self.compared.get(&(relation, left, right)) {
            return Ok(Rc::clone(known));
        }
        let test = Rc::new(self.examine_comparison(relation, left, right, span)?);
        self.compared.insert((relation, left, right), Rc::clone(&test));
        Ok(test)
    }

    /// When `value` can be assigned to `target`, and what is assigned then. Asked again, the answer is remembered.
    pub(super) fn assign(
        &mut self,
        target: Cell,
        value: ArithId,
        span: Span,
    ) -> Result<Rc<(Test, Source)>, Box<Diagnostic>> {
        if let Some(known) = self.assigned.get(&(target, value)) {
            return Ok(Rc::clone(known));
        }
        let answer = Rc::new(self.examine_assignment(target, value, span)?);
        self.assigned.insert((target, value), Rc::clone(&answer));
        Ok(answer)
    }

    /// Greatest value of a leaf; the least is 0.
    pub(super) fn greatest(&self, leaf: Leaf) -> i64 {
        let d = self.description;
        match leaf {
            Leaf::Variable(i) => d.variables.get(i as usize).map_or(0, |v| v.bound.into()),
            Leaf::Score(i) => d.players.get(i as usize).map_or(0, |v| v.bound.into()),
            Leaf::Count(_) => i64::try_from(d.board.vertices.len()).unwrap_or(i64::MAX),
        }
    }

    fn examine_comparison(
        &self,
        relation: Relation,
        left: ArithId,
        right: ArithId,
        span: Span,
    ) -> Result<Test, Box<Diagnostic>> {
        let (a, b) = (self.form(left), self.form(right));
        let holds = |a: i64, b: i64| holds(relation, a.cmp(&b));
        if let (Some(x), Some(y)) = (&a.linear, &b.linear) {
            let difference = combine(x, y, -1);
            if difference.terms.len() > 2 {
                let accept = [-1, 0, 1].map(|sign| holds(sign, 0));
                let chain = self.chain(&difference, 0, 0, span)?;
                return Ok(one(Subject::Chain(chain), &accept, -1));
            }
            let leaves: Vec<Leaf> = difference.terms.keys().copied().collect();
            let accept = self.tabulate(&leaves, leaves.len(), span, |values| {
                holds(i64::try_from(difference.value(values).signum()).unwrap_or(0), 0)
            })?;
            return Ok(test(leaves, accept));
        }
        let mut leaves: Vec<Leaf> = a.leaves.iter().chain(&b.leaves).copied().collect();
        leaves.sort_unstable();
        leaves.dedup();
        let (left, right) = (a.rebase(&leaves), b.rebase(&leaves));
        let work = left.len() + right.len();
        let accept = self.tabulate(&leaves, work, span, |values| match (run(&left, values), run(&right, values)) {
            (Some(a), Some(b)) => holds(a, b),
            _ => false,
        })?;
        Ok(test(leaves, accept))
    }

    fn examine_assignment(&self, target: Cell, value: ArithId, span: Span) -> Result<(Test, Source), Box<Diagnostic>> {
        let bound = self.greatest(target.into());
        let form = self.form(value);
        if let Some(linear) = &form.linear
            && linear.terms.len() > 2
        {
            let chain = self.chain(linear, 0, bound, span)?;
            let (low, high) = chain.last().range();
            let accept: Vec<bool> = (low..=high).map(|v| (0..=bound).contains(&v)).collect();
            return Ok((one(Subject::Chain(chain.clone()), &accept, low), Source::Subject(Subject::Chain(chain))));
        }
        let (leaves, values) = match &form.linear {
            Some(linear) => {
                let leaves: Vec<Leaf> = linear.terms.keys().copied().collect();
                let values = self.tabulate(&leaves, leaves.len(), span, |v| i64::try_from(linear.value(v)).ok())?;
                (leaves, values)
            }
            None => {
                let values = self.tabulate(&form.leaves, form.code.len(), span, |v| run(&form.code, v))?;
                (form.leaves, values)
            }
        };
        let legal = |v: &Option<i64>| v.is_some_and(|v| (0..=bound).contains(&v));
        let accept: Vec<bool> = values.iter().map(legal).collect();
        let values: Vec<i64> = values.iter().map(|v| v.filter(|_| legal(v)).unwrap_or(0)).collect();
        let source = match (&leaves[..], &values[..]) {
            ([], values) => Source::Constant(values.first().copied().unwrap_or(0)),
            ([leaf], values) if (0..).zip(values).zip(&accept).all(|((i, &v), &legal)| !legal || i == v) => {
                Source::Subject(Subject::Leaf(*leaf))
            }
            _ => {
                let arguments = leaves.iter().map(|&leaf| (0, self.size(leaf))).collect();
                Source::Table(leaves.clone(), Table { arguments, values })
            }
        };
        Ok((test(leaves, accept), source))
    }

    /// The leaves an expression reads.
    pub(super) fn leaves(&self, id: ArithId) -> Vec<Leaf> {
        self.form(id).leaves
    }

    /// Number of values of a leaf.
    pub(super) fn size(&self, leaf: Leaf) -> usize {
        usize::try_from(self.greatest(leaf)).unwrap_or(usize::MAX).saturating_add(1)
    }

    fn tabulate<T>(
        &self,
        leaves: &[Leaf],
        work: usize,
        span: Span,
        mut entry: impl FnMut(&[i64]) -> T,
    ) -> Result<Vec<T>, Box<Diagnostic>> {
        let size = leaves.iter().try_fold(1usize, |n, &leaf| n.checked_mul(self.size(leaf)));
        let size = size.filter(|&n| n <= MAX_ENTRIES && n.checked_mul(work.max(1)).is_some_and(|w| w <= MAX_WORK));
        let Some(size) = size else { return Err(self.too_large(leaves, span)) };
        let mut values = vec![0i64; leaves.len()];
        let mut table = Vec::with_capacity(size);
        for _ in 0..size {
            table.push(entry(&values));
            for (value, &leaf) in values.iter_mut().zip(leaves).rev() {
                if *value < self.greatest(leaf) {
                    *value += 1;
                    break;
                }
                *value = 0;
            }
        }
        Ok(table)
    }

    /// The sum of a linear form, exact within `low..=high` and on the right side of it elsewhere.
    fn chain(&self, linear: &Linear, low: i64, high: i64, span: Span) -> Result<Chain, Box<Diagnostic>> {
        let terms: Vec<(Leaf, i128)> = linear.terms.iter().map(|(&leaf, &factor)| (leaf, factor)).collect();
        if terms.len() > MAX_CHAIN {
            let message = format!("a sum of {} different values is too long", terms.len());
            return Err(Box::new(
                Diagnostic::error(codes::SUM_TOO_LONG, span, message).help(format!("sums of {MAX_CHAIN} are fine")),
            ));
        }
        let extremes = |&(leaf, factor): &(Leaf, i128)| {
            let end = factor * i128::from(self.greatest(leaf));
            (end.min(0), end.max(0))
        };
        // What the leaves from position i on can add, at least and at most.
        let mut rest = vec![(0i128, 0i128)];
        for term in terms.iter().rev() {
            let (least, most) = rest.last().copied().unwrap_or_default();
            let (a, b) = extremes(term);
            rest.push((least + a, most + b));
        }
        rest.reverse();
        let mut range = (linear.constant, linear.constant);
        let mut tables = Vec::new();
        for (&(leaf, factor), &(least, most)) in terms.iter().zip(rest.iter().skip(1)) {
            let (below, above) = (i128::from(low) - most - 1, i128::from(high) - least + 1);
            let size = self.size(leaf);
            let sums = usize::try_from(range.1 - range.0 + 1).ok();
            let entries = sums.and_then(|n| n.checked_mul(size)).filter(|&n| n <= MAX_ENTRIES);
            let (Some(sums), Some(_)) = (sums, entries) else {
                return Err(self.too_large(&terms.iter().map(|t| t.0).collect::<Vec<_>>(), span));
            };
            let clamp = |v: i128| i64::try_from(v.clamp(below, above)).unwrap_or(0);
            let values: Vec<i64> = (range.0..=range.1)
                .flat_map(|sum| (0i128..).take(size).map(move |v| clamp(sum + factor * v)))
                .collect();
            let mut arguments = vec![(0, size)];
            if !tables.is_empty() {
                arguments.insert(0, (i64::try_from(range.0).unwrap_or(0), sums));
            }
            let table = Table { arguments, values };
            let (least, most) = table.range();
            range = (least.into(), most.into());
            tables.push((leaf, table));
        }
        let mut tables = tables.into_iter();
        match tables.next() {
            Some(first) => Ok(Chain { first, then: tables.collect() }),
            None => Err(self.too_large(&[], span)),
        }
    }

    fn too_large(&self, leaves: &[Leaf], span: Span) -> Box<Diagnostic> {
        let d = self.description;
        let named = |leaf: &Leaf| {
            let name = match *leaf {
                Leaf::Variable(i) => d.variables.get(i as usize).map(|v| &v.name),
                Leaf::Score(i) => d.players.get(i as usize).map(|v| &v.name),
                Leaf::Count(i) => d.pieces.get(i as usize),
            };
            format!("`{}` has the values 0 to {}", name.map_or("", |n| &n.text), self.greatest(*leaf))
        };
        let message = "arithmetic needs a table of more than a million entries";
        let diagnostic =
            Diagnostic::error(codes::TABLE_TOO_LARGE, span, message).help("lower the bounds of the variables");
        Box::new(leaves.iter().take(8).fold(diagnostic, |d, leaf| d.note(named(leaf))))
    }
}

fn holds(relation: Relation, order: std::cmp::Ordering) -> bool {
    match relation {
        Relation::Equal => order.is_eq(),
        Relation::NotEqual => order.is_ne(),
        Relation::Less => order.is_lt(),
        Relation::LessEqual => order.is_le(),
        Relation::Greater => order.is_gt(),
        Relation::GreaterEqual => order.is_ge(),
    }
}

fn test(leaves: Vec<Leaf>, accept: Vec<bool>) -> Test {
    match leaves[..] {
        [leaf] => one(Subject::Leaf(leaf), &accept, 0),
        _ if accept.iter().all(|&a| a) => Test::Always,
        _ if !accept.contains(&true) => Test::Never,
        _ => Test::Many { leaves, accept },
    }
}

/// A test of one value, `accept` about the values from `first` on. A chain takes only some values of its range.
fn one(subject: Subject, accept: &[bool], first: i64) -> Test {
    let (low, high) = match &subject {
        Subject::Leaf(_) => (i64::MIN, i64::MAX),
        Subject::Chain(chain) => chain.last().range(),
    };
    let possible: Vec<(i64, bool)> =
        (first..).zip(accept).map(|(v, &a)| (v, a)).filter(|(v, _)| (low..=high).contains(v)).collect();
    match possible.first() {
        _ if possible.iter().all(|&(_, a)| a) => Test::Always,
        Some(&(first, _)) if possible.iter().any(|&(_, a)| a) => {
            Test::One { subject, first, accept: possible.into_iter().map(|(_, a)| a).collect() }
        }
        _ => Test::Never,
    }
}
