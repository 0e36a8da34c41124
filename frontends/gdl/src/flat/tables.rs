//! The rows of static relations.

use super::{Arg, Atom, Flat, Literal, Rel, Rule};
use crate::normal::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most rows of all tables together.
const MAX_ROWS: usize = 400_000;

/// Most rows that are looked at while tables are made.
const MAX_WORK: usize = 4_000_000;

/// The rows of one relation, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<TermId>>,
    set: FxHashSet<Vec<TermId>>,
}

impl Table {
    pub(crate) fn rows(&self) -> &[Vec<TermId>] {
        &self.rows
    }

    pub(crate) fn contains(&self, row: &[TermId]) -> bool {
        self.set.contains(row)
    }

    fn insert(&mut self, row: Vec<TermId>) -> bool {
        let new = self.set.insert(row.clone());
        if new {
            self.rows.push(row);
        }
        new
    }
}

/// The tables of all static relations, what is true at first included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    tables: FxHashMap<Rel, Table>,
    empty: Table,
}

/// Rows by the values in some of their places.
#[derive(Default)]
struct Index {
    places: Vec<usize>,
    /// How many rows are in it.
    done: usize,
    numbers: FxHashMap<Vec<TermId>, Vec<usize>>,
}

impl Index {
    fn get(&self, key: &[TermId]) -> Option<&Vec<usize>> {
        self.numbers.get(key)
    }
}

struct Builder<'f> {
    flat: &'f Flat,
    tables: Tables,
    /// Per relation and places.
    indexes: FxHashMap<(Rel, Vec<usize>), Index>,
    rows: usize,
    work: usize,
}

impl Tables {
    /// Evaluates the static relations, each after those it depends on; what depends on itself again and again until
    /// nothing is new.
    ///
    /// # Errors
    /// The relation at which that was too much.
    pub(crate) fn new(flat: &Flat, wanted: impl IntoIterator<Item = Rel>) -> Result<Self, Rel> {
        let indexes = FxHashMap::default();
        let mut builder = Builder { flat, tables: Tables::default(), indexes, rows: 0, work: 0 };
        let order = builder.order(wanted);
        for component in order {
            builder.component(&component)?;
        }
        Ok(builder.tables)
    }

    /// The rows of a relation; none if it is not static.
    pub(crate) fn of(&self, rel: Rel) -> &Table {
        self.tables.get(&rel).unwrap_or(&self.empty)
    }
}

impl Builder<'_> {
    /// The static relations that are needed, in components, dependencies first.
    fn order(&self, wanted: impl IntoIterator<Item = Rel>) -> Vec<Vec<Rel>> {
        let mut graph: petgraph::graphmap::DiGraphMap<u32, ()> = petgraph::graphmap::DiGraphMap::new();
        let mut stack: Vec<Rel> = wanted.into_iter().filter(|&rel| self.flat.relation(rel).is_static).collect();
        let mut seen = FxHashSet::default();
        while let Some(rel) = stack.pop() {
            if !seen.insert(rel) {
                continue;
            }
            graph.add_node(rel.0);
            for rule in self.flat.rules_of(rel) {
                for literal in &rule.body {
                    if let Literal::Pos(atom) | Literal::Neg(atom) = literal {
                        graph.add_edge(rel.0, atom.rel.0, ());
                        stack.push(atom.rel);
                    }
                }
            }
        }
        petgraph::algo::tarjan_scc(&graph).into_iter().map(|list| list.into_iter().map(Rel).collect()).collect()
    }

    fn component(&mut self, rels: &[Rel]) -> Result<(), Rel> {
        loop {
            let mut changed = false;
            for &rel in rels {
                for rule in self.flat.rules_of(rel) {
                    let rows = self.solve(rule).ok_or(rel)?;
                    let table = self.tables.tables.entry(rel).or_default();
                    for row in rows {
                        if table.insert(row) {
                            changed = true;
                            self.rows += 1;
                        }
                    }
                    if self.rows > MAX_ROWS {
                        return Err(rel);
                    }
                }
            }
            if !changed || !rels.iter().any(|&rel| self.flat.relation(rel).recursive) {
                return Ok(());
            }
        }
    }

    /// The rows that a rule yields now; `None` if that is too much.
    fn solve(&mut self, rule: &Rule) -> Option<Vec<Vec<TermId>>> {
        let mut partial = Partial { width: rule.vars as usize, count: 1, values: vec![None; rule.vars as usize] };
        // The same variables are bound in all.
        let mut bound = vec![false; rule.vars as usize];
        for literal in plan(rule) {
            partial = self.extended(literal, &partial, &bound)?;
            if partial.count > MAX_ROWS {
                return None;
            }
            if let Literal::Pos(atom) = literal {
                for &arg in &atom.args {
                    if let Arg::Var(var) = arg
                        && let Some(bound) = bound.get_mut(var as usize)
                    {
                        *bound = true;
                    }
                }
            }
        }
        Some(partial.envs().filter_map(|env| rule.head.args.iter().map(|&arg| value(arg, env)).collect()).collect())
    }

    fn extended(&mut self, literal: &Literal, partial: &Partial, bound: &[bool]) -> Option<Partial> {
        let mut next = Partial { width: partial.width, count: 0, values: Vec::new() };
        let mut row: Vec<TermId> = Vec::new();
        match literal {
            Literal::Distinct(a, b) => {
                for env in partial.envs() {
                    self.spend(1)?;
                    if value(*a, env) != value(*b, env) {
                        next.push(env);
                    }
                }
            }
            Literal::Neg(atom) => {
                for env in partial.envs() {
                    self.spend(1)?;
                    row.clear();
                    row.extend(atom.args.iter().filter_map(|&arg| value(arg, env)));
                    if row.len() < atom.args.len() || !self.tables.of(atom.rel).contains(&row) {
                        next.push(env);
                    }
                }
            }
            Literal::Pos(atom) => {
                let is_bound = |arg: Arg| match arg {
                    Arg::Is(_) => true,
                    Arg::Var(var) => bound.get(var as usize).copied().unwrap_or(false),
                };
                let places = (0..).zip(&atom.args).filter(|&(_, &arg)| is_bound(arg)).map(|(place, _)| place).collect();
                let index = self.index(atom.rel, places);
                let table = self.tables.of(atom.rel);
                let mut work = self.work;
                for env in partial.envs() {
                    work += 1;
                    row.clear();
                    row.extend(atom.args.iter().filter(|&&arg| is_bound(arg)).filter_map(|&arg| value(arg, env)));
                    let numbers = index.as_ref().map(|index| index.get(row.as_slice()).map_or(&[][..], Vec::as_slice));
                    let matching = numbers.map_or(table.rows.len(), <[usize]>::len);
                    for at in 0..matching {
                        work += 1;
                        let number = numbers.map_or(Some(at), |numbers| numbers.get(at).copied());
                        let Some(row) = number.and_then(|number| table.rows.get(number)) else { continue };
                        next.push(env);
                        if !bind(atom, row, next.last()) {
                            next.pop();
                        }
                    }
                    if work > MAX_WORK {
                        return None;
                    }
                }
                self.work = work;
                if let Some(index) = index {
                    self.indexes.insert((atom.rel, index.places.clone()), index);
                }
            }
        }
        Some(next)
    }

    /// Counts work, as long as it is not too much.
    fn spend(&mut self, work: usize) -> Option<()> {
        self.work += work;
        (self.work <= MAX_WORK).then_some(())
    }

    /// Takes the index of a relation by some places, with all of its rows; `None` if there are no places.
    fn index(&mut self, rel: Rel, places: Vec<usize>) -> Option<Index> {
        if places.is_empty() {
            return None;
        }
        let known = self.indexes.remove(&(rel, places.clone()));
        let mut index = known.unwrap_or_else(|| Index { places, ..Index::default() });
        let rows = self.tables.of(rel).rows();
        for (number, row) in rows.iter().enumerate().skip(index.done) {
            let key: Vec<TermId> = index.places.iter().filter_map(|&place| row.get(place).copied()).collect();
            index.numbers.entry(key).or_default().push(number);
        }
        index.done = rows.len();
        Some(index)
    }
}

/// What variables may stand for, one behind the other.
struct Partial {
    /// How many variables there are.
    width: usize,
    count: usize,
    values: Vec<Option<TermId>>,
}

impl Partial {
    fn envs(&self) -> impl Iterator<Item = &[Option<TermId>]> {
        (0..self.count).map(|at| self.values.get(at * self.width..(at + 1) * self.width).unwrap_or_default())
    }

    fn push(&mut self, env: &[Option<TermId>]) {
        self.values.extend_from_slice(env);
        self.count += 1;
    }

    fn last(&mut self) -> &mut [Option<TermId>] {
        let start = self.values.len().saturating_sub(self.width);
        self.values.get_mut(start..).unwrap_or_default()
    }

    fn pop(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.values.truncate(self.count * self.width);
    }
}

/// The literals of a rule in an order in which much is bound early.
fn plan(rule: &Rule) -> Vec<&Literal> {
    let mut left: Vec<&Literal> = rule.body.iter().collect();
    let mut bound = vec![false; rule.vars as usize];
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_bound = |var: &u32| bound.get(*var as usize).copied().unwrap_or(false);
        let rank = |literal: &&Literal| {
            let free = literal.vars().iter().filter(|var| !is_bound(var)).count();
            match literal {
                Literal::Pos(atom) => (usize::from(free == atom.args.len()), free),
                // Tests wait for their variables.
                _ => (if free == 0 { 0 } else { 2 }, free),
            }
        };
        let Some(best) = (0..left.len()).min_by_key(|&index| left.get(index).map(rank)) else { break };
        let literal = left.remove(best);
        for var in literal.vars() {
            if let Some(bound) = bound.get_mut(var as usize) {
                *bound = true;
            }
        }
        order.push(literal);
    }
    order
}

/// What an argument stands for.
pub(crate) fn value(arg: Arg, env: &[Option<TermId>]) -> Option<TermId> {
    match arg {
        Arg::Is(term) => Some(term),
        Arg::Var(var) => env.get(var as usize).copied().flatten(),
    }
}

/// Makes the arguments of an atom a row, if they can be.
pub(crate) fn bind(atom: &Atom, row: &[TermId], env: &mut [Option<TermId>]) -> bool {
    atom.args.iter().zip(row).all(|(&arg, &term)| match value(arg, env) {
        Some(bound) => bound == term,
        None => {
            if let Arg::Var(var) = arg
                && let Some(slot) = env.get_mut(var as usize)
            {
                *slot = Some(term);
            }
            true
        }
    })
}
