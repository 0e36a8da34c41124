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
//! steps are without a test `v != c` in between (a ranking function, Floyd 1967). To a fixed point; each round is
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
    /// By component of the region, whether it is a loop that terminates.
    pub(super) loops_end: Vec<bool>,
}

/// Analyses an area.
pub(super) fn of(lifter: &Lifter<'_>, area: &Area) -> Certainty {
    let loops = Loops { lifter, constants: Constants::new(lifter.game, lifter.known.values) };
    let components = || area.region.members.iter().zip(&area.region.cyclic);
    let ends = components().map(|(members, &cyclic)| cyclic && loops.end(&links(lifter, area, members), MAX_ROUNDS));
    let loops_end: Vec<bool> = ends.collect();
    if !matches!(area.goal, Goal::List(_) | Goal::Check(_)) {
        return Certainty { nodes: FxHashSet::default(), loops_end };
    }
    let marked = lifter.known.walks.map_or(&[][..], |walks| walks.marked);
    // Walks with one label that meet again are cut off there.
    let may_meet = |node: &NodeId| {
        area.goal == Goal::List(Labels::Compared) && marked.get(node.index()).is_some_and(|&is_marked| is_marked)
    };
    let mut nodes: FxHashSet<NodeId> = area.region.component.keys().copied().filter(|node| !may_meet(node)).collect();
    keep_supported(lifter, area, &mut nodes);
    for ((members, &cyclic), &whole_ends) in components().zip(&loops_end) {
        let inside: Vec<NodeId> = members.iter().copied().filter(|node| nodes.contains(node)).collect();
        if cyclic && !whole_ends && !loops.end(&links(lifter, area, &inside), MAX_ROUNDS) {
            inside.iter().for_each(|node| {
                nodes.remove(node);
            });
        }
    }
    keep_supported(lifter, area, &mut nodes);
    Certainty { nodes, loops_end }
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
    /// Whether all walks along some edges terminate. Edges that a walk takes a bounded number of times are taken out, until there is no cycle.
    ///
    /// `rounds` is how often a walk may go round at most: loops inside loops multiply.
    fn end(&self, links: &[Link], rounds: usize) -> bool {
        cycles(links).into_iter().all(|cycle| {
            let found = cycle.iter().find_map(|&(_, _, id)| self.countdown(&cycle, id));
            found.is_some_and(|found| {
                let rounds = rounds / self.values(found.var).len().max(2);
                let rest = cycle.into_iter().filter(|(_, _, id)| !self.is_step(&found, *id));
                rounds > 0 && self.end(&rest.collect::<Vec<_>>(), rounds)
            })
        })
    }

    /// How a cycle counts down the variable that an edge tests, if it does.
    fn countdown(&self, cycle: &[Link], test: EdgeId) -> Option<Countdown> {
        let (var, last) = self.tested(test)?;
        let mut step = None;
        for &(_, _, id) in cycle {
            let (lhs, rhs) = match self.lifter.game.automaton.edge(id).label {
                Label::Assign { lhs, rhs } => (lhs, Some(rhs)),
                Label::AssignAny { lhs, .. } => (lhs, None),
                _ => continue,
            };
            if path(self.lifter.game, lhs).0 == Expr::Var(var) && *step.get_or_insert(rhs?) != rhs? {
                return None;
            }
        }
        let found = Countdown { var, step: step?, last };
        let steps: Vec<Link> = cycle.iter().copied().filter(|(_, _, id)| self.is_step(&found, *id)).collect();
        let no_tests = cycle.iter().copied().filter(|(_, _, id)| self.tested(*id) != Some((var, last)));
        let behind = reached(steps.iter().map(|&(_, target, _)| target).collect(), &no_tests.collect::<Vec<_>>());
        let always_tested = steps.iter().all(|(source, _, _)| !behind.contains(source));
        (always_tested && self.leads_to_last(&found)).then_some(found)
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

    /// Whether an edge steps the variable.
    fn is_step(&self, countdown: &Countdown, id: EdgeId) -> bool {
        match self.lifter.game.automaton.edge(id).label {
            Label::Assign { lhs, .. } => path(self.lifter.game, lhs).0 == Expr::Var(countdown.var),
            _ => false,
        }
    }

    /// The values that a variable can have, those of other types that are assigned to it included.
    fn values(&self, var: VarId) -> &[Symbol] {
        let form = self.lifter.known.numbers.vars.get(var).and_then(|form| form.as_ref().ok());
        form.map_or(&[], |form| self.lifter.known.numbers.members(form.class))
    }

    /// Whether steps lead from every value of a variable to the last one.
    fn leads_to_last(&self, countdown: &Countdown) -> bool {
        let members = self.values(countdown.var);
        let next = |value: Symbol| self.constants.eval(countdown.step, &|var| (var == countdown.var).then_some(value));
        !members.is_empty()
            && members.iter().all(|&first| {
                let mut values = std::iter::successors(Some(first), |&value| next(value)).take(members.len() + 1);
                values.any(|value| value == countdown.last)
            })
    }
}
