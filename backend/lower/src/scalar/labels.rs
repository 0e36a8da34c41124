//! Which walks of a decision have labels of their own: those of all pairs differ, so that moves need not be compared.
//!
//! Two walks are followed side by side from where they part, with the values that single variables have on them where these are known: a
//! choice gives each value in turn, assignments and tests are evaluated. A pair is come to if two walks with equal tags so far may be
//! there; the labels are unique if none of its pairs has both walks at their ends. Rays from one square in two directions, for
//! example, never meet, which only the values show. Walks that part because tests exclude each other are not of one state.
//! Nodes that no walk comes back to with the same values before it has shown a tag need no marks then.
//!
//! Values that are not known may be equal. The number of places and pairs is limited ([`MAX_STEPS`], [`MAX_WORK`]): beyond that
//! nothing is known. Time is linear in both.

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
/// Most steps and pairs of walks that are looked at side by side, for one decision.
const MAX_WORK: usize = 1 << 20;

/// What is known of the labels of all decisions.
#[derive(Default)]
pub(super) struct WalkLabels {
    /// The decisions whose walks have labels of their own.
    pub(super) unique: FxHashSet<NodeId>,
    /// The nodes to which only these lead.
    told_apart: FxHashSet<NodeId>,
    /// Nodes that a walk may come back to with the same values before it has shown a tag, as far as values are known here.
    revisited: FxHashSet<NodeId>,
}

impl WalkLabels {
    /// Whether no search for moves comes to a node twice with the same values and the same tags; `ends` if it is in a loop that ends, so
    /// that no single walk does.
    pub(super) fn is_visited_once(&self, node: NodeId, ends: bool) -> bool {
        self.told_apart.contains(&node) && (ends || !self.revisited.contains(&node))
    }
}

/// A node, and the values that single variables have there, if they are known and matter.
type Place = (NodeId, Box<[Option<Symbol>]>);

/// Number of a place.
type PlaceId = u32;

/// What a step shows of itself, and where it leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Silent(PlaceId),
    /// A tag, if it is known.
    Tag(Option<Symbol>, PlaceId),
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
    places: Vec<Place>,
    numbers: FxHashMap<Place, PlaceId>,
    steps: Vec<Step>,
    /// By step, its edge.
    edges: Vec<EdgeId>,
    /// By place, its first step.
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
    let known = lifter.known.walks.map_or(&[][..], |walks| walks.unique_labels);
    for &start in starts.iter().filter(|&&start| region.contains(start)) {
        let mut walks = Walks {
            game,
            region: &region,
            live: &live,
            constants: &constants,
            vars: &vars,
            places: Vec::new(),
            numbers: FxHashMap::default(),
            steps: Vec::new(),
            edges: Vec::new(),
            first: Vec::new(),
        };
        if walks.explore(start).is_none() {
            // Nothing is known of any node that it leads to.
            return WalkLabels { told_apart: FxHashSet::default(), ..found };
        }
        let nodes = walks.places.iter().map(|(node, _)| *node);
        if known.get(start.index()) == Some(&true) || walks.are_labels_unique(partings) == Some(true) {
            found.unique.insert(start);
            found.told_apart.extend(nodes);
            found.revisited.extend(walks.revisited());
        } else {
            together.extend(nodes);
        }
    }
    found.told_apart.retain(|node| !together.contains(node));
    found
}

impl<'a> Walks<'a> {
    /// All places that walks from a node come to, and their steps; `None` if there are too many, or something has no form here.
    fn explore(&mut self, start: NodeId) -> Option<()> {
        self.place(start, vec![None; self.vars.len()]);
        let mut at = 0;
        while let Some((node, values)) = self.places.get(at).cloned() {
            self.first.push(self.steps.len() as u32);
            for &id in self.game.automaton.outgoing(node) {
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

    /// The number of a place.
    fn place(&mut self, node: NodeId, mut values: Vec<Option<Symbol>>) -> PlaceId {
        let live = self.live.get(node.index()).and_then(Option::as_ref);
        for (value, var) in values.iter_mut().zip(self.vars) {
            if !live.is_some_and(|live| live.contains(var.index())) {
                *value = None;
            }
        }
        let next = self.places.len() as PlaceId;
        let place = (node, values.into_boxed_slice());
        *self.numbers.entry(place).or_insert_with_key(|place| {
            self.places.push(place.clone());
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
                let place = self.place(edge.target, after);
                self.steps.push(Step::Tag(Some(symbol), place));
                return Some(());
            }
            Label::TagVar(var) => {
                let shown = value_of(var);
                let place = self.place(edge.target, after);
                self.steps.push(Step::Tag(shown, place));
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
                    let place = self.place(edge.target, after.clone());
                    self.steps.push(Step::Silent(place));
                }
                return (self.steps.len() <= MAX_STEPS).then_some(());
            }
        }
        let place = self.place(edge.target, after);
        self.steps.push(Step::Silent(place));
        Some(())
    }

    /// The numbers of the steps from a place.
    fn steps_of(&self, place: PlaceId) -> std::ops::Range<u32> {
        let first = |at: usize| self.first.get(at).copied().unwrap_or(0);
        first(place as usize)..first(place as usize + 1)
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
        let is_symbol = |expr: ExprId| matches!(path(self.game, expr), (Expr::Symbol(_), _));
        let differ = rhs != other_rhs && is_symbol(rhs) && is_symbol(other_rhs);
        lhs == other_lhs && (rhs == other_rhs && negated != other_negated || differ && !negated && !other_negated)
    }

    /// Whether no two walks have one label; `None` if there are too many pairs.
    fn are_labels_unique(&self, partings: &[Parting]) -> Option<bool> {
        let (shown, seen) = (FxHashMap::default(), FxHashSet::default());
        let mut pairs = Pairs { walks: self, shown, seen, open: Vec::new(), work: 0 };
        for (number, (node, _)) in (0..).zip(&self.places) {
            if matches!(partings.get(node.index()), Some(Parting::Tests { .. } | Parting::Checks)) {
                continue;
            }
            if !pairs.part(number)? {
                return Some(false);
            }
        }
        pairs.differ()
    }

    /// The nodes that a walk may come back to with the same values before it has shown a tag.
    fn revisited(&self) -> Vec<NodeId> {
        let mut graph: DiGraph<NodeId, ()> = DiGraph::new();
        let indices: Vec<_> = self.places.iter().map(|(node, _)| graph.add_node(*node)).collect();
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
    /// By place, the steps at which walks from there show their next tag, or end.
    shown: FxHashMap<PlaceId, Rc<[u32]>>,
    seen: FxHashSet<(PlaceId, PlaceId)>,
    open: Vec<(PlaceId, PlaceId)>,
    work: usize,
}

/// What some walks show next.
#[derive(Default)]
struct Next {
    /// Where they are behind each tag.
    behind: FxHashMap<Symbol, Vec<Behind>>,
    /// Where they are behind tags that are not known.
    unknown: Vec<Behind>,
    /// The ways of those that are over.
    over: Vec<Option<EdgeId>>,
}

/// Where a walk is, and the way along which it parted from others, if it has just done so.
type Behind = (PlaceId, Option<EdgeId>);

impl Pairs<'_, '_> {
    /// Lets walks part at a place, one along each step. Whether no two of them have one label already; `None` if there are too many.
    fn part(&mut self, place: PlaceId) -> Option<bool> {
        let steps = self.walks.steps_of(place);
        if steps.len() < 2 {
            return Some(true);
        }
        let mut before = Next::default();
        for step in steps {
            let shown = match self.walks.step(step) {
                Step::Silent(place) => self.shown_from(place)?,
                Step::Tag(..) | Step::End => Rc::from([step]),
            };
            let way = self.walks.edges.get(step as usize).copied();
            for &step in &*shown {
                if !self.meet(&before, (step, way))? {
                    return Some(false);
                }
            }
            shown.iter().for_each(|&step| before.add(self.walks.step(step), way));
        }
        Some(true)
    }

    /// Whether the labels of all pairs differ at last; `None` if there are too many.
    fn differ(&mut self) -> Option<bool> {
        while let Some((one, other)) = self.open.pop() {
            let mut next = Next::default();
            self.shown_from(one)?.iter().for_each(|&step| next.add(self.walks.step(step), None));
            for &step in &*self.shown_from(other)? {
                if !self.meet(&next, (step, None))? {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Adds the pairs of a walk that makes a step and others that show the same tag. Walks that have just parted are told by their `way`: of
    /// two ways with tests that exclude each other, only one is open. Whether they do not have one label already.
    fn meet(&mut self, others: &Next, (step, way): (u32, Option<EdgeId>)) -> Option<bool> {
        let (tag, place) = match self.walks.step(step) {
            Step::End => return Some(others.over.iter().all(|&other| self.walks.exclude(way, other))),
            Step::Tag(tag, place) => (tag, place),
            Step::Silent(_) => return Some(true),
        };
        let same = others.behind.iter().filter(|(other, _)| tag.is_none_or(|tag| tag == **other));
        for &(other, other_way) in same.flat_map(|(_, places)| places).chain(&others.unknown) {
            self.spend(1)?;
            if self.walks.exclude(way, other_way) {
                continue;
            }
            if other == place {
                return Some(false);
            }
            let pair = (place.min(other), place.max(other));
            if self.seen.insert(pair) {
                self.open.push(pair);
            }
        }
        Some(true)
    }

    /// The steps at which walks from a place show their next tag, or end.
    fn shown_from(&mut self, place: PlaceId) -> Option<Rc<[u32]>> {
        if let Some(shown) = self.shown.get(&place) {
            return Some(shown.clone());
        }
        let (mut shown, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![place]);
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            let steps = self.walks.steps_of(place);
            self.spend(steps.len())?;
            for step in steps {
                match self.walks.step(step) {
                    Step::Silent(next) => open.push(next),
                    Step::Tag(..) | Step::End => shown.push(step),
                }
            }
        }
        let shown: Rc<[u32]> = shown.into();
        self.shown.insert(place, shown.clone());
        Some(shown)
    }

    /// `None` if there has been too much work.
    fn spend(&mut self, work: usize) -> Option<()> {
        self.work += work;
        (self.work <= MAX_WORK).then_some(())
    }
}

impl Next {
    fn add(&mut self, step: Step, way: Option<EdgeId>) {
        match step {
            Step::Tag(Some(tag), place) => self.behind.entry(tag).or_default().push((place, way)),
            Step::Tag(None, place) => self.unknown.push((place, way)),
            Step::End => self.over.push(way),
            Step::Silent(_) => {}
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
