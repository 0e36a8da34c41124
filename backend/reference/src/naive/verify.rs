//! Tests claims in the searches of one state.

use super::probe::{Arrival, Probe};
use super::search::{Found, Search};
use super::{Cells, Naive};
use engine::model::Model;
use engine::state::{Moves, State, Tag};
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Pragma, Symbol, TypeId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Searches for continuations per state at most; they are many times dearer than what they are compared with.
const MAX_SEARCHES: u32 = 60;

/// A claim that a search contradicts.
pub(crate) struct Violated {
    /// Position of the pragma.
    pub(crate) pragma: usize,
    /// What was found.
    pub(crate) what: String,
}

/// What is claimed of a node.
enum Claim {
    Disjoint {
        edges: Vec<EdgeId>,
        exhaustive: bool,
    },
    Unique,
    Repeat(Vec<Range<usize>>),
    Tags {
        count: u64,
        exact: bool,
    },
    Apply(Apply),
    /// Every continuation is one of the pragmas of the node.
    Exhaustive,
}

/// A `@simpleApply`.
struct Apply {
    to: NodeId,
    tags: Vec<(Symbol, Option<TypeId>)>,
    assignments: Vec<(ExprId, ExprId)>,
    /// Whether the last assignment ends the move.
    ends: bool,
}

/// Tests claims.
pub(crate) struct Verifier {
    pub(crate) naive: Naive,
    claims: FxHashMap<NodeId, Vec<(usize, Claim)>>,
    /// Pragmas not refuted yet.
    open: FxHashSet<usize>,
    repeated: FixedBitSet,
    all: FixedBitSet,
}

impl Verifier {
    /// Collects the claims of a game.
    pub(crate) fn new(naive: Naive) -> Self {
        let bound = naive.game.automaton.node_bound();
        let mut new = Self {
            claims: FxHashMap::default(),
            open: FxHashSet::default(),
            repeated: FixedBitSet::with_capacity(bound),
            all: FixedBitSet::with_capacity(bound),
            naive,
        };
        for pragma in 0..new.naive.game.pragmas.len() {
            for (node, claim) in new.claims_of(pragma) {
                if matches!(claim, Claim::Unique) { &mut new.repeated } else { &mut new.all }.insert(node.index());
                new.claims.entry(node).or_default().push((pragma, claim));
                new.open.insert(pragma);
            }
        }
        new
    }

    /// Whether nothing is left to test.
    pub(crate) fn done(&self) -> bool {
        self.open.is_empty()
    }

    /// The tags of a move as text.
    pub(crate) fn text(&self, tags: &[Tag]) -> String {
        let names = tags.iter().map(|tag| self.naive.game.name(Symbol::from_index(tag.0 as usize)));
        names.collect::<Vec<_>>().join(" ")
    }

    /// Claims about the shape of the automaton that are wrong.
    pub(crate) fn shapes(&self) -> Vec<Violated> {
        let game = &self.naive.game;
        let wrong = game.pragmas.iter().enumerate().filter_map(|(pragma, decl)| {
            let Pragma::Iterator { nodes, variable } = &decl.pragma else { return None };
            let what = not_an_iterator(game, *nodes, *variable)?;
            Some(Violated { pragma, what })
        });
        wrong.collect()
    }

    fn claims_of(&self, pragma: usize) -> Vec<(NodeId, Claim)> {
        let game = &self.naive.game;
        let Some(decl) = game.pragmas.get(pragma) else { return Vec::new() };
        let find = |name: &Symbol| game.find_node(*name);
        match &decl.pragma {
            Pragma::Disjoint { exhaustive, node, targets } => find(node)
                .and_then(|node| Some((node, listed(game, node, targets)?)))
                .map(|(node, edges)| (node, Claim::Disjoint { edges, exhaustive: *exhaustive }))
                .into_iter()
                .collect(),
            Pragma::Unique(nodes) => nodes.iter().filter_map(find).map(|node| (node, Claim::Unique)).collect(),
            Pragma::Repeat { nodes, variables } => {
                let range = |var: VarId| {
                    let offset = self.naive.offsets[var];
                    offset..offset + self.naive.size(game.vars[var].ty)
                };
                let ranges = || variables.iter().filter_map(|&name| game.find_var(name)).map(range).collect();
                nodes.iter().filter_map(find).map(|node| (node, Claim::Repeat(ranges()))).collect()
            }
            Pragma::TagIndex { nodes, index } | Pragma::TagMaxIndex { nodes, index } => {
                let exact = matches!(decl.pragma, Pragma::TagIndex { .. });
                let claim = |node| (node, Claim::Tags { count: *index, exact });
                nodes.iter().filter_map(find).map(claim).collect()
            }
            Pragma::SimpleApply { exhaustive, from, to, tags, assignments } => {
                let (Some(from), Some(to)) = (find(from), find(to)) else { return Vec::new() };
                let ends = assignments.last().is_some_and(|&(lhs, rhs)| game.ends_move(&Label::Assign { lhs, rhs }));
                let tags = tags.iter().map(|tag| (tag.name, tag.ty)).collect();
                let apply = Claim::Apply(Apply { to, tags, assignments: assignments.clone(), ends });
                let whole = exhaustive.then_some((from, Claim::Exhaustive));
                std::iter::once((from, apply)).chain(whole).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Searches for the moves of a state. The moves, unless the search fails; the claims found wrong; and the number of
    /// steps of the search.
    pub(crate) fn state(&mut self, state: &State) -> (Option<Moves>, Vec<Violated>, u64) {
        let (cells, node) = self.naive.unpack(state);
        let mut search = Search::new(&self.naive);
        search.probe = Some(Probe::new(self.repeated.clone(), self.all.clone()));
        let found = search.moves(cells, node).is_ok();
        let steps = search.steps;
        let arrivals = search.probe.take().map(|probe| probe.arrivals).unwrap_or_default();
        let mut wrong = Vec::new();
        let mut test =
            Test { naive: &mut self.naive, groups: FxHashMap::default(), continuations: None, searches: MAX_SEARCHES };
        for arrival in &arrivals {
            test.continuations = None;
            let claims = self.claims.get(&arrival.node).map_or(&[][..], |list| list);
            for (pragma, claim) in claims {
                if !self.open.contains(pragma) {
                    continue;
                }
                if let Some(what) = test.claim(arrival, *pragma, claim, claims) {
                    self.open.remove(pragma);
                    wrong.push(Violated { pragma: *pragma, what });
                }
            }
        }
        let mut moves = Moves::new();
        let found = found && self.naive.moves(state, &mut moves).is_ok();
        (found.then_some(moves), wrong, steps)
    }
}

/// Arrivals that a `@repeat` takes to be the same: search, node, tags, pragma, listed values.
type Group = (u32, NodeId, Vec<u32>, usize, Vec<u32>);

struct Test<'a> {
    naive: &'a mut Naive,
    /// The states of the first arrivals.
    groups: FxHashMap<Group, Cells>,
    /// The continuations of the arrival at hand.
    continuations: Option<Found>,
    /// Searches for continuations that may still be made.
    searches: u32,
}

impl Test<'_> {
    /// What is wrong with a claim at an arrival.
    fn claim(&mut self, at: &Arrival, pragma: usize, claim: &Claim, all: &[(usize, Claim)]) -> Option<String> {
        let game = &self.naive.game;
        let name = game.node_name(at.node);
        let tags = || at.tags.iter().map(|&tag| symbol_name(game, tag)).collect::<Vec<_>>().join(" ");
        match claim {
            Claim::Disjoint { .. } | Claim::Apply(_) | Claim::Exhaustive if at.again => None,
            Claim::Disjoint { edges, exhaustive } => {
                if at.target.is_none() && at.node == game.end() {
                    return None;
                }
                let mut search = Search::new(self.naive);
                let mut open = 0;
                for &id in edges {
                    open += usize::from(!search.successors(&at.cells, game.automaton.edge(id).label).ok()?.is_empty());
                }
                let wrong = open > 1 || (open == 0 && *exhaustive);
                wrong.then(|| format!("{open} of the edges of `{name}` can be taken"))
            }
            Claim::Unique => {
                let what = || format!("two walks with the tags `{}` arrive at `{name}` in the same state", tags());
                at.again.then(what)
            }
            Claim::Tags { count, exact } => {
                let found = at.tags.len() as u64;
                let wrong = if *exact { found != *count } else { found > *count };
                (wrong && at.target.is_none()).then(|| format!("a walk arrives at `{name}` after {found} tags"))
            }
            Claim::Repeat(ranges) => {
                let listed = ranges.iter().flat_map(|range| at.cells.get(range.clone()).unwrap_or(&[]));
                let group = (at.search, at.node, at.tags.clone(), pragma, listed.copied().collect());
                let first = self.groups.entry(group).or_insert_with(|| at.cells.clone()).clone();
                if first == at.cells || self.interchangeable(at, first)? {
                    return None;
                }
                let game = &self.naive.game;
                let tags = at.tags.iter().map(|&tag| symbol_name(game, tag)).collect::<Vec<_>>().join(" ");
                let name = game.node_name(at.node);
                Some(format!("two walks with the tags `{tags}` arrive at `{name}` and are not interchangeable"))
            }
            Claim::Apply(apply) if at.target.is_none() => self.apply(at, apply),
            Claim::Exhaustive if at.target.is_none() => {
                let continuations = self.continuations(at)?.clone();
                let game = &self.naive.game;
                let applies =
                    || all.iter().filter_map(|(_, claim)| if let Claim::Apply(a) = claim { Some(a) } else { None });
                let covered = |tags: &&Vec<u32>| applies().any(|apply| binding(game, apply, tags).is_some());
                let left = continuations.keys().find(|tags| !covered(tags))?;
                let left = left.iter().map(|&tag| symbol_name(game, tag)).collect::<Vec<_>>().join(" ");
                Some(format!("no pragma covers the continuation `{left}` from `{}`", game.node_name(at.node)))
            }
            Claim::Apply(_) | Claim::Exhaustive => None,
        }
    }

    /// Whether two arrivals have the same continuations; `None` if the search fails.
    fn interchangeable(&mut self, at: &Arrival, first: Cells) -> Option<bool> {
        match at.target {
            Some(target) => {
                self.searches = self.searches.checked_sub(1)?;
                let mut search = Search::new(self.naive);
                let now = search.reaches(&at.cells, at.node, target).ok()?;
                Some(now == search.reaches(&first, at.node, target).ok()?)
            }
            None => Some(self.search(at.cells.clone(), at.node)? == self.search(first, at.node)?),
        }
    }

    /// The tags that can follow at a node, with the states they lead to; `None` if there were too many searches.
    fn search(&mut self, cells: Cells, node: NodeId) -> Option<Found> {
        self.searches = self.searches.checked_sub(1)?;
        Search::new(self.naive).moves(cells, node).ok()
    }

    /// The tags that can follow an arrival, with the states they lead to; `None` if the search fails.
    fn continuations(&mut self, at: &Arrival) -> Option<&Found> {
        if self.continuations.is_none() {
            self.continuations = Some(self.search(at.cells.clone(), at.node)?);
        }
        self.continuations.as_ref()
    }

    /// Compares every continuation that a `@simpleApply` speaks of with what its assignments lead to.
    fn apply(&mut self, at: &Arrival, apply: &Apply) -> Option<String> {
        let continuations = self.continuations(at)?.clone();
        for (tags, outcomes) in &continuations {
            let Some(bound) = binding(&self.naive.game, apply, tags) else { continue };
            let after = self.execute(&at.cells, apply, &bound)?;
            let same = if apply.ends {
                outcomes.keys().eq([&(self.naive.canonical(after, apply.to), apply.to)])
            } else {
                let rest = tags.get(apply.tags.len()..).unwrap_or(&[]);
                let found = self.search(after, apply.to)?;
                found.get(rest).is_some_and(|others| others.keys().eq(outcomes.keys()))
            };
            if !same {
                let game = &self.naive.game;
                let tags = tags.iter().map(|&tag| symbol_name(game, tag)).collect::<Vec<_>>().join(" ");
                let name = game.node_name(at.node);
                return Some(format!("the continuation `{tags}` from `{name}` leads to another state"));
            }
        }
        None
    }

    /// The state after the assignments; `None` if one cannot be executed.
    fn execute(&mut self, cells: &Cells, apply: &Apply, bound: &FxHashMap<Symbol, Symbol>) -> Option<Cells> {
        let mut cells = cells.clone();
        for &(lhs, rhs) in &apply.assignments {
            let lhs = substitute(&mut self.naive.game, lhs, bound);
            let rhs = substitute(&mut self.naive.game, rhs, bound);
            cells = self.naive.assign(&cells, lhs, self.naive.eval(&cells, rhs).ok()?).ok()?;
        }
        Some(cells)
    }
}

fn symbol_name(game: &Game, symbol: u32) -> &str {
    game.name(Symbol::from_index(symbol as usize))
}

/// What the names of a `@simpleApply` are bound to, if the continuation begins with its tags.
fn binding(game: &Game, apply: &Apply, tags: &[u32]) -> Option<FxHashMap<Symbol, Symbol>> {
    if tags.len() < apply.tags.len() || (apply.ends && tags.len() != apply.tags.len()) {
        return None;
    }
    let mut bound = FxHashMap::default();
    for (&(name, ty), &tag) in apply.tags.iter().zip(tags) {
        let tag = Symbol::from_index(tag as usize);
        match ty {
            None if name == tag => {}
            Some(ty) if game.types.contains(ty, tag) => {
                bound.insert(name, tag);
            }
            _ => return None,
        }
    }
    Some(bound)
}

/// The expression with bound names replaced.
fn substitute(game: &mut Game, root: ExprId, bound: &FxHashMap<Symbol, Symbol>) -> ExprId {
    let mut parts = Vec::new();
    game.exprs.preorder(root, |id, _| parts.push(id));
    // Parts have smaller ids than what they are part of.
    parts.sort_unstable();
    parts.dedup();
    let mut new: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for id in parts {
        let part = |id: ExprId| new.get(&id).copied().unwrap_or(id);
        let expr = match game.exprs.get(id) {
            Expr::Symbol(symbol) => Expr::Symbol(bound.get(&symbol).copied().unwrap_or(symbol)),
            Expr::Access(map, key) => Expr::Access(part(map), part(key)),
            Expr::Cast(ty, inner) => Expr::Cast(ty, part(inner)),
            leaf => leaf,
        };
        new.insert(id, game.exprs.intern(expr));
    }
    new.get(&root).copied().unwrap_or(root)
}

/// The edges of a `@disjoint` list; `None` if it does not name every edge to its targets.
fn listed(game: &Game, node: NodeId, targets: &[Symbol]) -> Option<Vec<EdgeId>> {
    let mut counts: FxHashMap<NodeId, usize> = FxHashMap::default();
    for &target in targets {
        *counts.entry(game.find_node(target)?).or_default() += 1;
    }
    let target = |id: &EdgeId| game.automaton.edge(*id).target;
    let edges = game.automaton.outgoing(node).iter().copied().filter(|id| counts.contains_key(&target(id)));
    let edges: Vec<EdgeId> = edges.collect();
    for id in &edges {
        if let Some(count) = counts.get_mut(&target(id)) {
            *count = count.checked_sub(1)?;
        }
    }
    counts.values().all(|&count| count == 0).then_some(edges)
}

/// What is wrong with an `@iterator` claim.
fn not_an_iterator(game: &Game, nodes: [Symbol; 3], variable: Symbol) -> Option<String> {
    let [p, q, r] = nodes;
    let found = game.find_node(p).zip(game.find_node(q)).zip(game.find_node(r)).zip(game.find_var(variable));
    let (((p, q), r), var) = found?;
    let bare = |mut expr: ExprId| loop {
        match game.exprs.get(expr) {
            Expr::Cast(_, inner) => expr = inner,
            other => return other,
        }
    };
    let only = |from: NodeId, to: NodeId| match game.automaton.outgoing(from) {
        [id] => Some(game.automaton.edge(*id)).filter(|edge| edge.target == to),
        _ => None,
    };
    let chooses = only(p, q).is_some_and(|edge| match edge.label {
        Label::AssignAny { lhs, .. } => bare(lhs) == Expr::Var(var),
        _ => false,
    });
    if !chooses {
        return Some(format!(
            "the choice of `{}` is not the only edge of `{}`",
            game.name(variable),
            game.node_name(p)
        ));
    }
    let tests = only(q, r).is_some_and(|edge| match edge.label {
        Label::Compare { lhs, rhs, negated: false } => match (bare(lhs), bare(rhs)) {
            (Expr::Access(map, key), Expr::Symbol(one)) => {
                let mut free = true;
                game.exprs.preorder(map, |_, part| free &= part != Expr::Var(var));
                free && bare(key) == Expr::Var(var) && game.name(one) == "1"
            }
            _ => false,
        },
        _ => false,
    });
    let what = || format!("no test of `{}` is the only edge of `{}`", game.name(variable), game.node_name(q));
    (!tests).then(what)
}
