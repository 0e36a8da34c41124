//! Relations between vertices: what an expression without tests of the state and without modifiers does.
//!
//! Rows (target sets) and relations are interned, so equal ones have equal ids whatever text they come from, and
//! every operation is done once per pair of operands. Relations are sparse: a source without targets has no entry.
//! All operations together are given a budget; beyond it they answer `None`, and the caller keeps the structure of the
//! expression instead.

use crate::ast::Board;
use indexmap::IndexSet;
use petgraph::graph::DiGraph;
use rg_ir::grid;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use std::rc::Rc;

/// Vertices (or row elements) all operations of one description may touch together.
pub(super) const BUDGET: u64 = 20_000_000;
/// Most targets of a source that become parallel branches; more are chosen through a helper variable.
pub(super) const MAX_BRANCHES: usize = 8;
/// Most directions among which those of a grid are looked for.
const MAX_DIRECTIONS: usize = 12;
/// Most entries of a table made from one relation.
const MAX_TABLE: usize = 1 << 20;

/// An interned set of vertices.
type RowId = u32;

/// An interned relation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct RelId(u32);

impl RelId {
    /// Position in a table of all relations.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Sources, ascending, each with its non-empty row.
type Entries = Box<[(u32, RowId)]>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Compose(RelId, RelId),
    Union(RelId, RelId),
    Star(RelId),
}

/// A partial function on vertices: sources, ascending, with their targets.
pub(super) type Map = Vec<(u32, u32)>;

/// How to express a relation in RG.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Nothing is related: no edge.
    Empty,
    /// Every vertex to itself: no action.
    Identity,
    /// These vertices to themselves: a test.
    Filter(Vec<u32>),
    /// The same targets from every source.
    Goto {
        /// Where to.
        targets: Vec<u32>,
        /// Where from; `None` is everywhere.
        sources: Option<Vec<u32>>,
    },
    /// At most one target each.
    Function(Map),
    /// Every function leads to one of the targets; two or more.
    Branches(Vec<Map>),
}

/// All relations of one description.
pub(super) struct Relations {
    vertices: u32,
    rows: IndexSet<Box<[u32]>, FxBuildHasher>,
    relations: IndexSet<Entries, FxBuildHasher>,
    memo: FxHashMap<Operation, RelId>,
    plans: RefCell<FxHashMap<RelId, Option<Rc<Plan>>>>,
    identity: Option<RelId>,
    /// Where vertices are, if the board is a grid.
    places: Option<Vec<(i64, i64)>>,
    budget: u64,
}

/// Where the vertices of a board are, along the first two of its directions that make a grid of it. O(labels² · vertices).
fn places(board: &Board) -> Option<Vec<(i64, i64)>> {
    let count = board.vertices.len();
    let mut steps = vec![vec![None; count]; board.labels.len().min(MAX_DIRECTIONS)];
    for (source, vertex) in board.vertices.iter().enumerate() {
        for &(label, target) in &vertex.edges {
            if let Some(slot) = steps.get_mut(label as usize).and_then(|step| step.get_mut(source)) {
                *slot = Some(target as usize);
            }
        }
    }
    let pairs =
        steps.iter().enumerate().flat_map(|(i, along)| steps.iter().skip(i + 1).map(move |other| (along, other)));
    pairs.into_iter().find_map(|(along, across)| grid::places(count, along, across))
}

impl Relations {
    /// No relations yet, and so much to spend.
    pub(super) fn new(board: &Board, budget: u64) -> Self {
        Self {
            vertices: u32::try_from(board.vertices.len()).unwrap_or(u32::MAX),
            rows: IndexSet::default(),
            relations: IndexSet::default(),
            memo: FxHashMap::default(),
            plans: RefCell::default(),
            identity: None,
            places: places(board),
            budget,
        }
    }

    /// The relations of all labels of the board, by label. O(vertices + edges).
    pub(super) fn shifts(&mut self, board: &Board) -> Vec<RelId> {
        let mut maps: Vec<Map> = vec![Map::new(); board.labels.len()];
        for (source, vertex) in (0u32..).zip(&board.vertices) {
            for &(label, target) in &vertex.edges {
                if let Some(map) = maps.get_mut(label as usize) {
                    map.push((source, target));
                }
            }
        }
        maps.into_iter().map(|map| self.function(map)).collect()
    }

    fn function(&mut self, map: Map) -> RelId {
        let entries: Vec<(u32, RowId)> = map.into_iter().map(|(s, t)| (s, self.row(vec![t]))).collect();
        self.relation(entries)
    }

    /// Nothing.
    pub(super) fn empty(&mut self) -> RelId {
        self.relation(Vec::new())
    }

    /// Every vertex to itself.
    pub(super) fn identity(&mut self) -> RelId {
        if let Some(known) = self.identity {
            return known;
        }
        let identity = self.filter(0..self.vertices);
        self.identity = Some(identity);
        identity
    }

    fn filter(&mut self, sources: impl IntoIterator<Item = u32>) -> RelId {
        self.function(sources.into_iter().map(|v| (v, v)).collect())
    }

    /// `{? a}`: the sources of `a`, each to itself; with `negated`, `{! a}`: the others.
    pub(super) fn check(&mut self, a: RelId, negated: bool) -> Option<RelId> {
        self.spend(self.vertices.into())?;
        let sources: Vec<u32> = self.entries(a).iter().map(|&(s, _)| s).collect();
        if !negated {
            return Some(self.filter(sources));
        }
        let mut inside = sources.into_iter().peekable();
        let outside: Vec<u32> = (0..self.vertices).filter(|v| inside.next_if_eq(v).is_none()).collect();
        Some(self.filter(outside))
    }

    /// First `a`, then `b`.
    pub(super) fn compose(&mut self, a: RelId, b: RelId) -> Option<RelId> {
        let operation = Operation::Compose(a, b);
        if let Some(&done) = self.memo.get(&operation) {
            return Some(done);
        }
        self.spend((self.entries(a).len() + self.entries(b).len()) as u64)?;
        let first = self.entries(a).to_vec();
        let second: FxHashMap<u32, RowId> = self.entries(b).iter().copied().collect();
        let mut images: FxHashMap<RowId, Option<RowId>> = FxHashMap::default();
        let mut entries = Vec::new();
        for (source, row) in first {
            let image = match images.get(&row) {
                Some(&image) => image,
                None => {
                    let parts: Vec<RowId> = self.row_of(row).iter().filter_map(|t| second.get(t).copied()).collect();
                    let image = self.union_rows(&parts)?;
                    images.insert(row, image);
                    image
                }
            };
            entries.extend(image.map(|image| (source, image)));
        }
        Some(self.done(operation, entries))
    }

    /// `a` or `b`.
    pub(super) fn union(&mut self, a: RelId, b: RelId) -> Option<RelId> {
        let operation = Operation::Union(a, b);
        if let Some(&done) = self.memo.get(&operation) {
            return Some(done);
        }
        self.spend((self.entries(a).len() + self.entries(b).len()) as u64)?;
        let mut merged: Vec<(u32, RowId)> = self.entries(a).iter().chain(self.entries(b)).copied().collect();
        merged.sort_by_key(|&(source, _)| source);
        let mut entries: Vec<(u32, RowId)> = Vec::with_capacity(merged.len());
        for (source, row) in merged {
            match entries.last_mut() {
                Some((last, old)) if *last == source => {
                    let both = [*old, row];
                    *old = self.union_rows(&both)?.unwrap_or(row);
                }
                _ => entries.push((source, row)),
            }
        }
        Some(self.done(operation, entries))
    }

    /// Any number of `a`: the reflexive transitive closure, by strongly connected components.
    pub(super) fn star(&mut self, a: RelId) -> Option<RelId> {
        let operation = Operation::Star(a);
        if let Some(&done) = self.memo.get(&operation) {
            return Some(done);
        }
        self.spend(self.vertices.into())?;
        let mut graph: DiGraph<(), (), u32> = DiGraph::new();
        for _ in 0..self.vertices {
            graph.add_node(());
        }
        for (source, row) in self.entries(a).to_vec() {
            self.spend(self.row_of(row).len() as u64)?;
            for &target in self.row_of(row) {
                graph.add_edge(source.into(), target.into(), ());
            }
        }
        let mut closure: Vec<Option<RowId>> = vec![None; self.vertices as usize];
        for component in petgraph::algo::kosaraju_scc(&graph) {
            let mut members: Vec<u32> = component.iter().filter_map(|v| u32::try_from(v.index()).ok()).collect();
            members.sort_unstable();
            let mut parts: Vec<RowId> =
                component.iter().flat_map(|&v| graph.neighbors(v)).filter_map(|v| *closure.get(v.index())?).collect();
            parts.push(self.row(members));
            let row = self.union_rows(&parts)?;
            for v in component {
                if let Some(cell) = closure.get_mut(v.index()) {
                    *cell = row;
                }
            }
        }
        let entries = (0u32..).zip(closure).filter_map(|(source, row)| Some((source, row?))).collect();
        Some(self.done(operation, entries))
    }

    /// Whether `a` relates nothing.
    pub(super) fn is_empty(&self, a: RelId) -> bool {
        self.entries(a).is_empty()
    }

    /// Whether every vertex has a target.
    pub(super) fn is_total(&self, a: RelId) -> bool {
        self.entries(a).len() == self.vertices as usize
    }

    /// Number of vertices of the board.
    pub(super) fn vertex_count(&self) -> usize {
        self.vertices as usize
    }

    /// The vertices that have targets, ascending.
    pub(super) fn sources(&self, a: RelId) -> impl Iterator<Item = u32> + '_ {
        self.entries(a).iter().map(|&(source, _)| source)
    }

    /// How to express `a`; `None` if every way is too large. Linear in the size of the relation, the first time.
    pub(super) fn plan(&self, a: RelId) -> Option<Rc<Plan>> {
        if let Some(known) = self.plans.borrow().get(&a) {
            return known.clone();
        }
        let plan = self.make_plan(a).map(Rc::new);
        self.plans.borrow_mut().insert(a, plan.clone());
        plan
    }

    fn make_plan(&self, a: RelId) -> Option<Plan> {
        let entries = self.entries(a);
        let Some(&(_, first)) = entries.first() else { return Some(Plan::Empty) };
        let degree = entries.iter().map(|&(_, row)| self.row_of(row).len()).max().unwrap_or(0);
        if degree == 1 {
            let map: Map = entries.iter().filter_map(|&(s, row)| Some((s, *self.row_of(row).first()?))).collect();
            if map.iter().all(|(s, t)| s == t) {
                return Some(if self.is_total(a) { Plan::Identity } else { Plan::Filter(self.sources(a).collect()) });
            }
            if entries.len() == 1 || entries.iter().any(|&(_, row)| row != first) {
                return Some(Plan::Function(map));
            }
        }
        if entries.iter().all(|&(_, row)| row == first) {
            let sources = (!self.is_total(a)).then(|| self.sources(a).collect());
            return Some(Plan::Goto { targets: self.row_of(first).to_vec(), sources });
        }
        if degree.checked_mul(entries.len()).is_none_or(|cells| cells > MAX_TABLE) {
            return None;
        }
        Some(Plan::Branches(self.functions(entries, degree)))
    }

    /// A relation with at most `degree` targets each as so many functions. Steps of one direction go into one function as far
    /// as possible: a set of vertices is then moved by one shift. Where the board is not a grid, a direction is the difference
    /// of two numbers.
    fn functions(&self, entries: &[(u32, RowId)], degree: usize) -> Vec<Map> {
        if degree > MAX_BRANCHES {
            let nth =
                |n: usize| entries.iter().filter_map(move |&(s, row)| Some((s, *self.row_of(row).get(n)?))).collect();
            return (0..degree).map(nth).collect();
        }
        let place = |vertex: u32| match &self.places {
            Some(places) => places.get(vertex as usize).copied().unwrap_or((0, 0)),
            None => (i64::from(vertex), 0),
        };
        let mut steps: FxHashMap<(i64, i64), Map> = FxHashMap::default();
        for &(source, row) in entries {
            for &target in self.row_of(row) {
                let (from, to) = (place(source), place(target));
                steps.entry((to.0 - from.0, to.1 - from.1)).or_default().push((source, target));
            }
        }
        let mut steps: Vec<((i64, i64), Map)> = steps.into_iter().collect();
        let distance = |map: &Map| map.first().map(|&(source, target)| i64::from(target) - i64::from(source));
        steps.sort_unstable_by_key(|(by, map)| (std::cmp::Reverse(map.len()), distance(map), *by));
        let mut functions: Vec<FxHashMap<u32, u32>> = vec![FxHashMap::default(); degree];
        for (_, map) in steps {
            let free = |function: &FxHashMap<u32, u32>| map.iter().filter(|(s, _)| !function.contains_key(s)).count();
            let best = (0..degree).max_by_key(|&at| {
                let function = functions.get(at);
                (function.map_or(0, free), std::cmp::Reverse(function.map_or(0, FxHashMap::len)), std::cmp::Reverse(at))
            });
            for (source, target) in map {
                let others = best.into_iter().chain(0..degree);
                let mut open = others.filter(|&at| functions.get(at).is_some_and(|f| !f.contains_key(&source)));
                if let Some(function) = open.next().and_then(|at| functions.get_mut(at)) {
                    function.insert(source, target);
                }
            }
        }
        let sorted = |function: FxHashMap<u32, u32>| {
            let mut map: Map = function.into_iter().collect();
            map.sort_unstable();
            map
        };
        functions.into_iter().map(sorted).collect()
    }

    fn entries(&self, a: RelId) -> &[(u32, RowId)] {
        self.relations.get_index(a.index()).map_or(&[], |entries| entries)
    }

    fn row_of(&self, row: RowId) -> &[u32] {
        self.rows.get_index(row as usize).map_or(&[], |row| row)
    }

    /// Interns a set of vertices, ascending.
    fn row(&mut self, row: Vec<u32>) -> RowId {
        u32::try_from(self.rows.insert_full(row.into()).0).unwrap_or(u32::MAX)
    }

    fn relation(&mut self, entries: Vec<(u32, RowId)>) -> RelId {
        RelId(u32::try_from(self.relations.insert_full(entries.into()).0).unwrap_or(u32::MAX))
    }

    fn done(&mut self, operation: Operation, entries: Vec<(u32, RowId)>) -> RelId {
        let id = self.relation(entries);
        self.memo.insert(operation, id);
        id
    }

    /// The union of rows; the inner `None` is the empty set.
    fn union_rows(&mut self, parts: &[RowId]) -> Option<Option<RowId>> {
        let mut parts = parts.to_vec();
        parts.sort_unstable();
        parts.dedup();
        if let [] | [_] = parts[..] {
            return Some(parts.first().copied());
        }
        let mut all: Vec<u32> = parts.iter().flat_map(|&row| self.row_of(row)).copied().collect();
        self.spend(all.len() as u64)?;
        all.sort_unstable();
        all.dedup();
        Some(Some(self.row(all)))
    }

    fn spend(&mut self, amount: u64) -> Option<()> {
        let left = self.budget.checked_sub(amount);
        self.budget = left.unwrap_or(0);
        left.map(|_| ())
    }
}
