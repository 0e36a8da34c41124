//! Where the rest of a walk is certain: whatever the state, exactly one walk leads from there to the end of the search.
//!
//! ```text
//! list at n:  while toAdd != 0 { board[hole] += 1; toAdd -= 1; hole = next[hole] }; player = keeper
//!        =>   n: record the move
//! ```
//!
//! A search that only asks which moves there are, or whether there is a walk, stops there: what comes is neither executed nor undone.
//! No condition is evaluated for that: tests that exclude each other, one of which always holds, let one walk through. Loops have to terminate:
//! some variable is only ever stepped through a constant map, `v = map[v]`, which leads from every value to `c`, and no two
//! steps are without a test `v != c` in between (a ranking function, Floyd 1967). Or there is a test `v == w` in between, where nothing
//! is written to `w`, and the map leads from no value to itself: that holds once. To a fixed point; each round is
//! linear in the region, and the proof for a loop is so in the loop, times its nesting and the values of the variable.

use super::super::Lifter;
use super::super::numbers::path;
use super::area::Area;
use super::constant::Constants;
use super::parting::Parting;
use super::{Goal, Labels};
use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::ids::Id;
use rg_ir::{EdgeId, Expr, ExprId, Label, NodeId, Symbol, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most rounds of loops whose end is proven, those inside them multiplied: longer ones are counted.
const MAX_ROUNDS: usize = 1 << 20;

/// An edge between two nodes of a loop.
type Link = (NodeId, NodeId, EdgeId);

/// How a variable goes through its values, to one for which a loop is left.
struct Countdown {
    var: VarId,
    /// What each step assigns.
    step: ExprId,
    /// The value to which all others lead.
    last: Symbol,
}

/// Proves that loops terminate.
struct Loops<'l, 'g> {
    lifter: &'l Lifter<'g>,
    constants: Constants<'l>,
}

/// Where the walks of an area are certain, and where they cannot go on for ever.
#[derive(Default)]
pub(super) struct Certainty {
    /// The nodes from which the rest of each walk is certain; see the module.
    pub(super) nodes: FxHashSet<NodeId>,
    /// By component of the region that is a loop which terminates, how often a walk goes round at most.
    pub(super) rounds: Vec<Option<usize>>,
}

/// Analyses an area.
pub(super) fn of(lifter: &Lifter<'_>, area: &Area) -> Certainty {
    let loops = Loops { lifter, constants: Constants::new(lifter.game, lifter.known.values) };
    let components = || area.region.members.iter().zip(&area.region.cyclic);
    let rounds = components().map(|(members, &cyclic)| loops.rounds(&links(lifter, area, members)).filter(|_| cyclic));
    let rounds: Vec<Option<usize>> = rounds.collect();
    if !matches!(area.goal, Goal::List(_) | Goal::Check(_)) {
        return Certainty { nodes: FxHashSet::default(), rounds };
    }
    let marked = lifter.known.walks.map_or(&[][..], |walks| walks.marked);
    // Walks with one label that meet again are cut off there.
    let may_meet = |node: &NodeId| {
        area.goal == Goal::List(Labels::Compared) && marked.get(node.index()).is_some_and(|&is_marked| is_marked)
    };
    let mut nodes: FxHashSet<NodeId> = area.region.component.keys().copied().filter(|node| !may_meet(node)).collect();
    keep_supported(lifter, area, &mut nodes);
    for ((members, &cyclic), whole) in components().zip(&rounds) {
        let inside: Vec<NodeId> = members.iter().copied().filter(|node| nodes.contains(node)).collect();
        if cyclic && whole.is_none() && loops.rounds(&links(lifter, area, &inside)).is_none() {
            inside.iter().for_each(|node| {
                nodes.remove(node);
            });
        }
    }
    keep_supported(lifter, area, &mut nodes);
    Certainty { nodes, rounds }
}

/// Takes out nodes from which walks do not go on among the others: the greatest fixed point.
fn keep_supported(lifter: &Lifter<'_>, area: &Area, nodes: &mut FxHashSet<NodeId>) {
    let mut count = usize::MAX;
    while nodes.len() < count {
        count = nodes.len();
        // Against the walking order, so that few rounds are needed.
        for &node in area.region.members.iter().rev().flat_map(|members| members.iter().rev()) {
            if nodes.contains(&node) && !goes_on(lifter, area, node, nodes) {
                nodes.remove(&node);
            }
        }
    }
}

/// Whether exactly one walk goes on from a node, whatever the state, and stays where the rest is certain.
fn goes_on(lifter: &Lifter<'_>, area: &Area, node: NodeId, certain: &FxHashSet<NodeId>) -> bool {
    if area.goal == Goal::Check(node) {
        return true;
    }
    let automaton = &lifter.game.automaton;
    let ways = automaton.outgoing(node);
    let leads = |&id: &EdgeId| area.ends(lifter, id) || certain.contains(&automaton.edge(id).target);
    match ways {
        [] => false,
        [only] => leads(only) && is_unconditional(area, &automaton.edge(*only).label),
        _ => match area.parting(lifter, node) {
            Parting::Tests { exhaustive: true } => ways.iter().all(leads),
            // Which of the two holds is part of a move's word.
            Parting::Checks => matches!(area.goal, Goal::Check(_)) && ways.iter().all(leads),
            Parting::Tests { exhaustive: false } | Parting::Open => false,
        },
    }
}

/// Whether a walk always takes an edge, and the search need not show that.
fn is_unconditional(area: &Area, label: &Label) -> bool {
    match label {
        Label::Skip | Label::Assign { .. } => true,
        Label::Tag(_) | Label::TagVar(_) => !area.needs_tags,
        Label::Compare { .. } | Label::Reach { .. } | Label::AssignAny { .. } => false,
    }
}

/// The edges among some nodes.
fn links(lifter: &Lifter<'_>, area: &Area, nodes: &[NodeId]) -> Vec<Link> {
    let automaton = &lifter.game.automaton;
    let all: FxHashSet<NodeId> = nodes.iter().copied().collect();
    let sources = nodes.iter().copied().filter(|&node| area.goal != Goal::Check(node));
    let from = |node: NodeId| automaton.outgoing(node).iter().map(move |&id| (node, automaton.edge(id).target, id));
    let inside = sources.flat_map(from);
    inside.filter(|(_, target, id)| all.contains(target) && !area.ends(lifter, *id)).collect()
}

/// The strongly connected components that have edges.
fn cycles(links: &[Link]) -> Vec<Vec<Link>> {
    let mut graph: DiGraph<NodeId, ()> = DiGraph::new();
    let mut indices: FxHashMap<NodeId, NodeIndex> = FxHashMap::default();
    for &(from, to, _) in links {
        let [a, b] = [from, to].map(|node| *indices.entry(node).or_insert_with(|| graph.add_node(node)));
        graph.add_edge(a, b, ());
    }
    let mut component: FxHashMap<NodeId, usize> = FxHashMap::default();
    let components = petgraph::algo::kosaraju_scc(&graph);
    for (number, members) in components.iter().enumerate() {
        component.extend(members.iter().filter_map(|&index| Some((*graph.node_weight(index)?, number))));
    }
    let mut cycles: Vec<Vec<Link>> = vec![Vec::new(); components.len()];
    for &link in links {
        if let (Some(&from), Some(to)) = (component.get(&link.0), component.get(&link.1))
            && from == *to
            && let Some(cycle) = cycles.get_mut(from)
        {
            cycle.push(link);
        }
    }
    cycles.retain(|cycle| !cycle.is_empty());
    cycles
}

/// The nodes to which some edges lead from some nodes, and these.
fn reached(mut open: Vec<NodeId>, links: &[Link]) -> FxHashSet<NodeId> {
    let mut targets: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    for &(source, target, _) in links {
        targets.entry(source).or_default().push(target);
    }
    let mut reached = FxHashSet::default();
    while let Some(node) = open.pop() {
        if reached.insert(node) {
            open.extend(targets.get(&node).into_iter().flatten());
        }
    }
    reached
}

impl Loops<'_, '_> {
    /// How often walks along some edges go round at most, if all of them terminate. Edges that a walk takes a bounded number of times are
    /// taken out, until there is no cycle; the numbers of nested loops are multiplied. `None` also beyond [`MAX_ROUNDS`].
    fn rounds(&self, links: &[Link]) -> Option<usize> {
        let mut sum = 0usize;
        for cycle in cycles(links) {
            let mut counted = cycle.iter().find_map(|&(_, _, id)| {
                let found = self.countdown(&cycle, id)?;
                Some((found.var, self.values(found.var).len().max(2)))
            });
            counted = counted.or_else(|| Some((self.equal_once(&cycle)?, 2)));
            let (var, times) = counted?;
            let rest: Vec<Link> = cycle.into_iter().filter(|(_, _, id)| !self.is_step(var, *id)).collect();
            sum = sum.saturating_add(times.saturating_mul(self.rounds(&rest)?.max(1)));
        }
        Some(sum).filter(|&sum| sum <= MAX_ROUNDS)
    }

    /// A variable that each round steps to another value, behind a test that it is equal to a variable to which nothing is written.
    fn equal_once(&self, cycle: &[Link]) -> Option<VarId> {
        let single = |expr: ExprId| match path(self.lifter.game, expr) {
            (Expr::Var(var), keys) if keys.is_empty() => Some(var),
            _ => None,
        };
        let tested = |id: EdgeId| match self.lifter.game.automaton.edge(id).label {
            Label::Compare { lhs, rhs, negated: false } => Some([single(lhs)?, single(rhs)?]),
            _ => None,
        };
        let pairs = cycle.iter().filter_map(|&(_, _, id)| tested(id)).flat_map(|[a, b]| [(a, b), (b, a)]);
        let holds_once = |&(var, other): &(VarId, VarId)| {
            let Some(step) = self.only_step(cycle, var) else { return false };
            let is_test = |id: EdgeId| tested(id).is_some_and(|pair| pair == [var, other] || pair == [other, var]);
            let without_steps: Vec<Link> = cycle.iter().copied().filter(|(_, _, id)| !self.is_step(var, *id)).collect();
            !cycle.iter().any(|(_, _, id)| self.is_step(other, *id))
                && cycles(&without_steps).is_empty()
                && self.is_tested_between_steps(cycle, var, is_test)
                && self
                    .values(var)
                    .iter()
                    .all(|&value| self.stepped((var, step), value).is_some_and(|next| next != value))
        };
        pairs.into_iter().find(holds_once).map(|(var, _)| var)
    }

    /// How a cycle counts down the variable that an edge tests, if it does.
    fn countdown(&self, cycle: &[Link], test: EdgeId) -> Option<Countdown> {
        let (var, last) = self.tested(test)?;
        let found = Countdown { var, step: self.only_step(cycle, var)?, last };
        let is_test = |id: EdgeId| self.tested(id) == Some((var, last));
        (self.is_tested_between_steps(cycle, var, is_test) && self.leads_to_last(&found)).then_some(found)
    }

    /// What all edges of a cycle that write to a variable assign, if there are some and it is the same for all.
    fn only_step(&self, cycle: &[Link], var: VarId) -> Option<ExprId> {
        let mut step = None;
        for &(_, _, id) in cycle.iter().filter(|(_, _, id)| self.is_step(var, *id)) {
            let Label::Assign { rhs, .. } = self.lifter.game.automaton.edge(id).label else { return None };
            if *step.get_or_insert(rhs) != rhs {
                return None;
            }
        }
        step
    }

    /// Whether no walk goes from one edge that writes to a variable to another without a test in between.
    fn is_tested_between_steps(&self, cycle: &[Link], var: VarId, is_test: impl Fn(EdgeId) -> bool) -> bool {
        let steps: Vec<Link> = cycle.iter().copied().filter(|(_, _, id)| self.is_step(var, *id)).collect();
        let no_tests: Vec<Link> = cycle.iter().copied().filter(|(_, _, id)| !is_test(*id)).collect();
        let behind = reached(steps.iter().map(|&(_, target, _)| target).collect(), &no_tests);
        steps.iter().all(|(source, _, _)| !behind.contains(source))
    }

    /// The single variable and the symbol of a test that they differ.
    fn tested(&self, id: EdgeId) -> Option<(VarId, Symbol)> {
        let Label::Compare { lhs, rhs, negated: true } = self.lifter.game.automaton.edge(id).label else { return None };
        match (path(self.lifter.game, lhs), path(self.lifter.game, rhs)) {
            ((Expr::Var(var), keys), (Expr::Symbol(symbol), _))
            | ((Expr::Symbol(symbol), _), (Expr::Var(var), keys)) => keys.is_empty().then_some((var, symbol)),
            _ => None,
        }
    }

    /// Whether an edge writes to a variable.
    fn is_step(&self, var: VarId, id: EdgeId) -> bool {
        match self.lifter.game.automaton.edge(id).label {
            Label::Assign { lhs, .. } | Label::AssignAny { lhs, .. } => path(self.lifter.game, lhs).0 == Expr::Var(var),
            _ => false,
        }
    }

    /// The value of a variable after a step, if that depends on its value alone.
    fn stepped(&self, (var, step): (VarId, ExprId), value: Symbol) -> Option<Symbol> {
        self.constants.eval(step, &|other| (other == var).then_some(value))
    }

    /// The values that a variable can have, those of other types that are assigned to it included.
    fn values(&self, var: VarId) -> &[Symbol] {
        let form = self.lifter.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        form.map_or(&[], |form| self.lifter.known.numbers.members(form.class))
    }

    /// Whether steps lead from every value of a variable to the last one: backwards from that, linear in the values.
    fn leads_to_last(&self, countdown: &Countdown) -> bool {
        let members = self.values(countdown.var);
        let mut before: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
        for &value in members {
            if let Some(next) = self.stepped((countdown.var, countdown.step), value) {
                before.entry(next).or_default().push(value);
            }
        }
        let (mut leading, mut open) = (FxHashSet::default(), vec![countdown.last]);
        while let Some(value) = open.pop() {
            if leading.insert(value) {
                open.extend(before.get(&value).into_iter().flatten());
            }
        }
        !members.is_empty() && members.iter().all(|value| leading.contains(value))
    }
}
