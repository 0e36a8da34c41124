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
type Index = FxHashMap<Vec<TermId>, Vec<usize>>;

struct Builder<'f> {
    flat: &'f Flat,
    tables: Tables,
    /// Per relation and places: how many rows are in the index, and the index.
    indexes: FxHashMap<(Rel, Vec<usize>), (usize, Index)>,
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
        let plan = plan(rule);
        let mut partial: Vec<Vec<Option<TermId>>> = vec![vec![None; rule.vars as usize]];
        for literal in plan {
            let mut next = Vec::new();
            for env in &partial {
                self.extend(literal, env, &mut next)?;
            }
            partial = next;
            if partial.len() > MAX_ROWS {
                return None;
            }
        }
        Some(partial.iter().filter_map(|env| rule.head.args.iter().map(|&arg| value(arg, env)).collect()).collect())
    }

    fn extend(&mut self, literal: &Literal, env: &[Option<TermId>], next: &mut Vec<Vec<Option<TermId>>>) -> Option<()> {
        self.work += 1;
        match literal {
            Literal::Distinct(a, b) => {
                if value(*a, env) != value(*b, env) {
                    next.push(env.to_vec());
                }
            }
            Literal::Neg(atom) => {
                let row: Option<Vec<TermId>> = atom.args.iter().map(|&arg| value(arg, env)).collect();
                if !row.is_some_and(|row| self.tables.of(atom.rel).contains(&row)) {
                    next.push(env.to_vec());
                }
            }
            Literal::Pos(atom) => {
                for row in self.matching(atom, env) {
                    self.work += 1;
                    let Some(row) = self.tables.of(atom.rel).rows.get(row) else { continue };
                    let mut env = env.to_vec();
                    if bind(atom, row, &mut env) {
                        next.push(env);
                    }
                }
            }
        }
        (self.work <= MAX_WORK).then_some(())
    }

    /// Positions of rows that agree with what is bound.
    fn matching(&mut self, atom: &Atom, env: &[Option<TermId>]) -> Vec<usize> {
        let table = self.tables.of(atom.rel);
        let (mut places, mut key) = (Vec::new(), Vec::new());
        for (place, &arg) in atom.args.iter().enumerate() {
            if let Some(value) = value(arg, env) {
                places.push(place);
                key.push(value);
            }
        }
        if places.is_empty() {
            return (0..table.rows.len()).collect();
        }
        let (done, index) = self.indexes.entry((atom.rel, places.clone())).or_default();
        for (number, row) in table.rows.iter().enumerate().skip(*done) {
            let key: Vec<TermId> = places.iter().filter_map(|&place| row.get(place).copied()).collect();
            index.entry(key).or_default().push(number);
        }
        *done = table.rows.len();
        index.get(&key).cloned().unwrap_or_default()
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
