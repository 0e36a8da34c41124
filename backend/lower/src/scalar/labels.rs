//! Which walks of a decision have labels of their own: those of all pairs differ, so that moves need not be compared.
//!
//! Two walks are followed side by side from where they part, with the values that single variables have on them where these are known: a
//! choice gives each value in turn, assignments and tests are evaluated. A pair of points is reached if two walks with equal tags so far
//! may be at them; the labels are unique if no pair is reached from which both walks end. Rays from one square in two directions, for
//! example, never meet, which only the values show. Walks that part because tests exclude each other are not of one state.
//! Nodes that no walk comes back to with the same values before its next tag need no marks then.
//!
//! Values that are not known may be equal. The numbers of points, of edges that are evaluated and of pairs are limited ([`MAX_STEPS`],
//! [`MAX_EDGES`], [`MAX_WORK`]): beyond that nothing is known. Time is linear in all three.

use super::super::Lifter;
use super::super::numbers::path;
use super::super::region::{self, Region, ends};
use super::constant::Constants;
use super::parting::Parting;
use fixedbitset::FixedBitSet;
use passes::analysis::Liveness;
use petgraph::graph::DiGraph;
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Game, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most steps of single walks, for one decision.
const MAX_STEPS: usize = 1 << 16;
/// Most edges that are evaluated for one decision, once for each point from which they lead: most may be tests that fail.
const MAX_EDGES: usize = 1 << 22;
/// Most steps and pairs of walks that are looked at side by side, for one decision.
const MAX_WORK: usize = 1 << 20;

/// What is known of the labels of all decisions.
#[derive(Default)]
pub(super) struct WalkLabels {
    /// The decisions whose walks have labels of their own.
    pub(super) unique: FxHashSet<NodeId>,
    /// The nodes to which only these lead, and where no two walks with equal tags meet that lead nowhere.
    distinct: FxHashSet<NodeId>,
    /// Nodes that a walk may come back to with the same values before its next tag, as far as values are known here.
    revisited: FxHashSet<NodeId>,
}

impl WalkLabels {
    /// Whether no search for moves visits a node twice with the same values and the same tags; `ends` if the node is in a loop that
    /// terminates, so that no single walk does.
    pub(super) fn is_visited_once(&self, node: NodeId, ends: bool) -> bool {
        self.distinct.contains(&node) && (ends || !self.revisited.contains(&node))
    }
}

/// A node, and the values that single variables have there, if they are known and matter.
type Point = (NodeId, Box<[Option<Symbol>]>);

/// Number of a point.
type PointId = u32;

/// What a step shows of itself, and where it leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Silent(PointId),
    /// A tag, if it is known.
    Tag(Option<Symbol>, PointId),
    /// The move is over.
    End,
}

/// The walks of one decision.
struct Walks<'a> {
    game: &'a Game,
    region: &'a Region,
    live: &'a [Option<FixedBitSet>],
    constants: &'a Constants<'a>,
    /// Single variables.
    vars: &'a [VarId],
    points: Vec<Point>,
    numbers: FxHashMap<Point, PointId>,
    steps: Vec<Step>,
    /// By step, its edge.
    edges: Vec<EdgeId>,
    /// By point, its first step.
    first: Vec<u32>,
}

/// Finds out which labels are unique. `game` has all tags.
pub(super) fn solve(lifter: &Lifter<'_>, game: &Game, partings: &[Parting]) -> WalkLabels {
    let starts: Vec<NodeId> = lifter.known.nodes.iter().copied().filter(|&node| node != game.end()).collect();
    let region = Region::new(game, region::Goal::Moves, &starts);
    let liveness = Liveness::solve(game);
    let nodes = (0..game.automaton.node_bound()).map(NodeId::from_index);
    let live: Vec<Option<FixedBitSet>> = nodes.map(|node| liveness.at(node).cloned()).collect();
    let is_single = |var: &VarId| {
        game.vars.get(*var).is_some_and(|decl| game.shape(decl.ty).is_some_and(|shape| shape.keys.is_empty()))
    };
    let vars: Vec<VarId> = game.vars.ids().filter(is_single).collect();
    let constants = Constants::new(game, lifter.known.values);
    let mut found = WalkLabels::default();
    let mut together: FxHashSet<NodeId> = FxHashSet::default();
    for &start in starts.iter().filter(|&&start| region.contains(start)) {
        let mut walks = Walks {
            game,
            region: &region,
            live: &live,
            constants: &constants,
            vars: &vars,
            points: Vec::new(),
            numbers: FxHashMap::default(),
            steps: Vec::new(),
            edges: Vec::new(),
            first: Vec::new(),
        };
        if walks.explore(start).is_none() {
            // Nothing is known of any node that it leads to.
            return WalkLabels { distinct: FxHashSet::default(), ..found };
        }
        let nodes = walks.points.iter().map(|(node, _)| *node);
        let dead = walks.dead_ends();
        let mut pairs = Pairs::new(&walks, &dead);
        if pairs.are_unique(partings) == Some(true) {
            found.unique.insert(start);
            found.distinct.extend(nodes);
            found.revisited.extend(walks.revisited());
            together.extend(walks.nodes_from(&pairs.met));
        } else {
            together.extend(nodes);
        }
    }
    found.distinct.retain(|node| !together.contains(node));
    found
}

impl<'a> Walks<'a> {
    /// All points that walks from a node reach, and their steps; `None` if there are too many, or where an entry of a map is chosen.
    fn explore(&mut self, start: NodeId) -> Option<()> {
        self.point(start, vec![None; self.vars.len()]);
        let (mut at, mut left) = (0, MAX_EDGES);
        while let Some((node, values)) = self.points.get(at).cloned() {
            self.first.push(self.steps.len() as u32);
            let edges = self.game.automaton.outgoing(node);
            left = left.checked_sub(edges.len())?;
            for &id in edges {
                self.walk(id, &values)?;
                self.edges.resize(self.steps.len(), id);
            }
            if self.steps.len() > MAX_STEPS {
                return None;
            }
            at += 1;
        }
        self.first.push(self.steps.len() as u32);
        Some(())
    }

    /// The number of a point.
    fn point(&mut self, node: NodeId, mut values: Vec<Option<Symbol>>) -> PointId {
        let live = self.live.get(node.index()).and_then(Option::as_ref);
        for (value, var) in values.iter_mut().zip(self.vars) {
            if !live.is_some_and(|live| live.contains(var.index())) {
                *value = None;
            }
        }
        let next = self.points.len() as PointId;
        let point = (node, values.into_boxed_slice());
        *self.numbers.entry(point).or_insert_with_key(|point| {
            self.points.push(point.clone());
            next
        })
    }

    /// The steps along an edge, with these values before it.
    fn walk(&mut self, id: EdgeId, values: &[Option<Symbol>]) -> Option<()> {
        let edge = self.game.automaton.edge(id);
        if ends(self.game, region::Goal::Moves, &edge.label, edge.target) {
            self.steps.push(Step::End);
            return Some(());
        }
        if !self.region.contains(edge.target) {
            return Some(());
        }
        let value_of = |var: VarId| values.get(self.vars.binary_search(&var).ok()?).copied().flatten();
        let mut after = values.to_vec();
        let mut set = |var: VarId, value: Option<Symbol>| {
            if let Some(slot) = self.vars.binary_search(&var).ok().and_then(|at| after.get_mut(at)) {
                *slot = value;
            }
        };
        match edge.label {
            Label::Skip | Label::Reach { .. } => {}
            Label::Tag(symbol) => {
                let point = self.point(edge.target, after);
                self.steps.push(Step::Tag(Some(symbol), point));
                return Some(());
            }
            Label::TagVar(var) => {
                let tag = value_of(var);
                let point = self.point(edge.target, after);
                self.steps.push(Step::Tag(tag, point));
                return Some(());
            }
            Label::Compare { lhs, rhs, negated } => {
                let [left, right] = [lhs, rhs].map(|expr| self.constants.eval(expr, &value_of));
                if left.zip(right).is_some_and(|(left, right)| (left == right) == negated) {
                    return Some(());
                }
                for (expr, value) in [(lhs, right), (rhs, left)] {
                    if let (false, Some(var), Some(_)) = (negated, single_var(self.game, expr), value) {
                        set(var, value);
                    }
                }
            }
            Label::Assign { lhs, rhs } => {
                if let Some(var) = single_var(self.game, lhs) {
                    set(var, self.constants.eval(rhs, &value_of));
                }
            }
            Label::AssignAny { lhs, ty } => {
                let at = self.vars.binary_search(&single_var(self.game, lhs)?).ok()?;
                for &member in self.game.types.members(ty) {
                    *after.get_mut(at)? = Some(member);
                    let point = self.point(edge.target, after.clone());
                    self.steps.push(Step::Silent(point));
                }
                return (self.steps.len() <= MAX_STEPS).then_some(());
            }
        }
        let point = self.point(edge.target, after);
        self.steps.push(Step::Silent(point));
        Some(())
    }

    /// The numbers of the steps from a point.
    fn steps_of(&self, point: PointId) -> std::ops::Range<u32> {
        let first = |at: usize| self.first.get(at).copied().unwrap_or(0);
        first(point as usize)..first(point as usize + 1)
    }

    fn step(&self, number: u32) -> Step {
        self.steps.get(number as usize).copied().unwrap_or(Step::End)
    }

    /// Whether two ways from one node are tests that cannot both hold in one state.
    fn exclude(&self, one: Option<EdgeId>, other: Option<EdgeId>) -> bool {
        let test = |way: Option<EdgeId>| match self.game.automaton.edge(way?).label {
            Label::Compare { lhs, rhs, negated } => Some((lhs, rhs, negated)),
            _ => None,
        };
        let Some(((lhs, rhs, negated), (other_lhs, other_rhs, other_negated))) = test(one).zip(test(other)) else {
            return false;
        };
        let symbol = |expr: ExprId| match path(self.game, expr) {
            (Expr::Symbol(symbol), _) => Some(symbol),
            _ => None,
        };
        let differ = symbol(rhs).zip(symbol(other_rhs)).is_some_and(|(one, other)| one != other);
        lhs == other_lhs && (rhs == other_rhs && negated != other_negated || differ && !negated && !other_negated)
    }

    /// By point, whether no walk goes on from there to the end of a move.
    fn dead_ends(&self) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.points.len()];
        let mut open = Vec::new();
        for number in 0..self.points.len() {
            for step in self.steps_of(number as PointId) {
                match self.step(step) {
                    Step::End => open.push(number),
                    Step::Silent(to) | Step::Tag(_, to) => {
                        if let Some(list) = before.get_mut(to as usize) {
                            list.push(number);
                        }
                    }
                }
            }
        }
        let mut dead = vec![true; self.points.len()];
        while let Some(point) = open.pop() {
            if let Some(slot) = dead.get_mut(point).filter(|dead| **dead) {
                *slot = false;
                open.extend(before.get(point).into_iter().flatten());
            }
        }
        dead
    }

    /// The nodes of some points and of those to which they lead.
    fn nodes_from(&self, points: &FxHashSet<PointId>) -> Vec<NodeId> {
        let (mut seen, mut open) = (FxHashSet::default(), points.iter().copied().collect::<Vec<_>>());
        while let Some(point) = open.pop() {
            if !seen.insert(point) {
                continue;
            }
            for step in self.steps_of(point) {
                if let Step::Silent(to) | Step::Tag(_, to) = self.step(step) {
                    open.push(to);
                }
            }
        }
        seen.into_iter().filter_map(|point| self.points.get(point as usize)).map(|(node, _)| *node).collect()
    }

    /// The nodes that a walk may come back to with the same values before its next tag.
    fn revisited(&self) -> Vec<NodeId> {
        let mut graph: DiGraph<NodeId, ()> = DiGraph::new();
        let indices: Vec<_> = self.points.iter().map(|(node, _)| graph.add_node(*node)).collect();
        for (number, &from) in (0..).zip(&indices) {
            for step in self.steps_of(number) {
                if let Step::Silent(to) = self.step(step)
                    && let Some(&to) = indices.get(to as usize)
                {
                    graph.add_edge(from, to, ());
                }
            }
        }
        let components = petgraph::algo::kosaraju_scc(&graph);
        let goes_round =
            |members: &&Vec<_>| members.len() > 1 || members.first().is_some_and(|&one| graph.contains_edge(one, one));
        let found = components.iter().filter(goes_round).flatten();
        found.filter_map(|&index| graph.node_weight(index).copied()).collect()
    }
}

/// Pairs of walks with equal tags so far.
struct Pairs<'p, 'g> {
    walks: &'p Walks<'g>,
    /// By point, whether no walk goes on to the end.
    dead: &'p [bool],
    /// By point, what comes next.
    ahead: FxHashMap<PointId, Rc<Ahead>>,
    /// Dead ends where two walks with equal tags meet.
    met: FxHashSet<PointId>,
    seen: FxHashSet<(PointId, PointId)>,
    open: Vec<(PointId, PointId)>,
    work: usize,
}

/// What comes next on walks from a point.
#[derive(Default)]
struct Ahead {
    /// The steps at which they show their next tag, or end.
    steps: Vec<u32>,
    /// The dead ends to which they come before that.
    dead: Vec<PointId>,
}

/// What some walks show next.
#[derive(Default)]
struct Next {
    /// The dead ends to which they come before that.
    dead: FxHashSet<PointId>,
    /// Where they are behind each tag.
    behind: FxHashMap<Symbol, Vec<Behind>>,
    /// Where they are behind tags that are not known.
    unknown: Vec<Behind>,
    /// The ways of those that are over.
    over: Vec<Option<EdgeId>>,
}

/// Where a walk is, and the way along which it parted from others, if it has just done so.
type Behind = (PointId, Option<EdgeId>);

impl<'p, 'g> Pairs<'p, 'g> {
    fn new(walks: &'p Walks<'g>, dead: &'p [bool]) -> Self {
        let (ahead, met, seen) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
        Self { walks, dead, ahead, met, seen, open: Vec::new(), work: 0 }
    }

    /// Whether no two walks have one label; `None` if there are too many pairs.
    fn are_unique(&mut self, partings: &[Parting]) -> Option<bool> {
        for (number, (node, _)) in (0..).zip(&self.walks.points) {
            if matches!(partings.get(node.index()), Some(Parting::Tests { .. } | Parting::Checks)) {
                continue;
            }
            if !self.part(number)? {
                return Some(false);
            }
        }
        self.differ()
    }

    /// Lets walks part at a point, one along each step. Whether no two of them have one label already; `None` if there are too many.
    fn part(&mut self, point: PointId) -> Option<bool> {
        let steps = self.walks.steps_of(point);
        if steps.len() < 2 {
            return Some(true);
        }
        let mut before = Next::default();
        for step in steps {
            let ahead = match self.walks.step(step) {
                Step::Silent(point) => self.ahead_of(point)?,
                Step::Tag(..) | Step::End => Rc::new(Ahead { steps: vec![step], dead: Vec::new() }),
            };
            let way = self.walks.edges.get(step as usize).copied();
            if !self.meet_all(&before, &ahead, way)? {
                return Some(false);
            }
            before.add(self.walks, &ahead, way);
        }
        Some(true)
    }

    /// Whether the labels of all pairs differ at last; `None` if there are too many.
    fn differ(&mut self) -> Option<bool> {
        while let Some((one, other)) = self.open.pop() {
            let mut next = Next::default();
            next.add(self.walks, &*self.ahead_of(one)?, None);
            let ahead = self.ahead_of(other)?;
            if !self.meet_all(&next, &ahead, None)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Adds the pairs of walks that go on in one way and others. Whether none of them have one label already.
    fn meet_all(&mut self, others: &Next, ahead: &Ahead, way: Option<EdgeId>) -> Option<bool> {
        self.met.extend(ahead.dead.iter().filter(|point| others.dead.contains(point)));
        for &step in &ahead.steps {
            if !self.meet(others, (step, way))? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Adds the pairs of a walk that makes a step and others that show the same tag. Walks that have just parted have a `way`: of
    /// two ways with tests that exclude each other, only one is open. Whether they do not have one label already.
    fn meet(&mut self, others: &Next, (step, way): (u32, Option<EdgeId>)) -> Option<bool> {
        let (tag, point) = match self.walks.step(step) {
            Step::End => return Some(others.over.iter().all(|&other| self.walks.exclude(way, other))),
            Step::Tag(tag, point) => (tag, point),
            Step::Silent(_) => return Some(true),
        };
        let same = others.behind.iter().filter(|(other, _)| tag.is_none_or(|tag| tag == **other));
        for &(other, other_way) in same.flat_map(|(_, points)| points).chain(&others.unknown) {
            self.spend(1)?;
            if self.walks.exclude(way, other_way) {
                continue;
            }
            if other == point {
                return Some(false);
            }
            let pair = (point.min(other), point.max(other));
            if self.seen.insert(pair) {
                self.open.push(pair);
            }
        }
        Some(true)
    }

    /// What comes next on walks from a point.
    fn ahead_of(&mut self, point: PointId) -> Option<Rc<Ahead>> {
        if let Some(ahead) = self.ahead.get(&point) {
            return Some(ahead.clone());
        }
        let (mut ahead, mut seen, mut open) = (Ahead::default(), FxHashSet::default(), vec![point]);
        while let Some(point) = open.pop() {
            if !seen.insert(point) {
                continue;
            }
            if self.dead.get(point as usize) == Some(&true) {
                ahead.dead.push(point);
            }
            let steps = self.walks.steps_of(point);
            self.spend(1 + steps.len())?;
            for step in steps {
                match self.walks.step(step) {
                    Step::Silent(next) => open.push(next),
                    Step::Tag(..) | Step::End => ahead.steps.push(step),
                }
            }
        }
        let ahead = Rc::new(ahead);
        self.ahead.insert(point, ahead.clone());
        Some(ahead)
    }

    /// `None` if there has been too much work.
    fn spend(&mut self, work: usize) -> Option<()> {
        self.work += work;
        (self.work <= MAX_WORK).then_some(())
    }
}

impl Next {
    /// Adds walks that go on in one way.
    fn add(&mut self, walks: &Walks<'_>, ahead: &Ahead, way: Option<EdgeId>) {
        self.dead.extend(&ahead.dead);
        for &step in &ahead.steps {
            match walks.step(step) {
                Step::Tag(Some(tag), point) => self.behind.entry(tag).or_default().push((point, way)),
                Step::Tag(None, point) => self.unknown.push((point, way)),
                Step::End => self.over.push(way),
                Step::Silent(_) => {}
            }
        }
    }
}

/// The variable that an expression is, casts apart; `None` for an entry of a map.
fn single_var(game: &Game, expr: ExprId) -> Option<VarId> {
    match path(game, expr) {
        (Expr::Var(var), keys) if keys.is_empty() => Some(var),
        _ => None,
    }
}
