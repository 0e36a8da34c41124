//! Regions: the part of the automaton that one search walks, with steps instead of labels.

use super::Op;
use super::layout::Layout;
use super::step::{Step, Test};
use fixedbitset::FixedBitSet;
use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::ids::Id;
use rg_ir::{Game, NodeId, VarId};
use rustc_hash::FxHashMap;

/// Number of values up to which tests are merged at once. Every list of values needs a table of all values, so among
/// more of them a list must be long enough.
const FEW_VALUES: usize = 4096;

/// What a search looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Moves: walks to the next assignment to `player`.
    Moves,
    /// A walk to this node. Tags are nothing, and assignments to `player` are like any other.
    Check(NodeId),
}

/// One way on.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    /// What happens.
    pub(super) step: Step,
    /// Where it leads: index into [`Region::nodes`]; for [`Step::Finish`] meaningless.
    pub(super) target: usize,
    /// The automaton node it leads to.
    pub(super) node: NodeId,
}

/// The nodes a search can come by that lead somewhere.
#[derive(Debug)]
pub(super) struct Region {
    /// What is searched.
    pub(super) kind: Kind,
    /// Nodes; entries first.
    pub(super) nodes: Vec<NodeId>,
    /// Number of entries.
    pub(super) entries: usize,
    /// Ways on, per node, in order.
    pub(super) alternatives: Vec<Vec<Alternative>>,
    /// Number of ways to each node, an entry counting as one.
    pub(super) arrivals: Vec<u32>,
    /// Per node: the source and variable of a way here that writes a constant or any value of a type, and so forgets
    /// what was there.
    pub(super) forgets: Vec<Option<(usize, VarId)>>,
    /// Per node: its strongly connected component, tags being no ways.
    pub(super) component: Vec<usize>,
    /// See [`Region::source`].
    sources: Vec<Option<(usize, usize)>>,
}

impl Region {
    /// Collects the region of a search from `entries`. `steps` is indexed by edge. Near-linear in the region's size.
    pub(super) fn new(game: &Game, layout: &Layout, steps: &[Step], kind: Kind, entries: &[NodeId]) -> Self {
        let mut local: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut nodes: Vec<NodeId> = Vec::new();
        for &entry in entries {
            local.entry(entry).or_insert_with(|| {
                nodes.push(entry);
                nodes.len() - 1
            });
        }
        let entries = nodes.len();
        let mut alternatives: Vec<Vec<Alternative>> = Vec::new();
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            next += 1;
            let mut list: Vec<Alternative> = Vec::new();
            let closed = match kind {
                Kind::Check(to) => node == to,
                Kind::Moves => node == game.end(),
            };
            let edges = if closed { &[][..] } else { game.automaton.outgoing(node) };
            for &id in edges {
                let target = game.automaton.edge(id).target;
                let step = match (steps.get(id.index()), kind) {
                    (None | Some(Step::Never), _) => continue,
                    (Some(Step::Tag(_)), Kind::Check(_)) => Step::Skip,
                    (Some(Step::Finish { op, var }), Kind::Check(_)) => {
                        Step::Write { op: *op, var: *var, scalar: true }
                    }
                    (Some(step), _) => step.clone(),
                };
                let index = if matches!(step, Step::Finish { .. }) {
                    usize::MAX
                } else {
                    *local.entry(target).or_insert_with(|| {
                        nodes.push(target);
                        nodes.len() - 1
                    })
                };
                list.push(Alternative { step, target: index, node: target });
            }
            alternatives.push(merge(layout, list));
        }
        let mut region = Self {
            kind,
            nodes,
            entries,
            alternatives,
            arrivals: Vec::new(),
            forgets: Vec::new(),
            component: Vec::new(),
            sources: Vec::new(),
        };
        region.prune();
        region.component = region.components();
        region.arrivals = vec![0; region.nodes.len()];
        for count in region.arrivals.iter_mut().take(entries) {
            *count = 1;
        }
        region.forgets = vec![None; region.nodes.len()];
        region.sources = vec![None; region.nodes.len()];
        for (source, list) in region.alternatives.iter().enumerate() {
            for (way, alternative) in list.iter().enumerate() {
                let Some(count) = region.arrivals.get_mut(alternative.target) else { continue };
                *count += 1;
                region.sources[alternative.target] = (*count == 1).then_some((source, way));
                if let Step::Write { op: Op::SetConstant { .. }, var, .. } | Step::Each { var, .. } = alternative.step {
                    region.forgets[alternative.target] = Some((source, var));
                }
            }
        }
        region
    }

    /// The only way to a node: its source, and which of the ways there it is.
    pub(super) fn source(&self, index: usize) -> Option<(usize, usize)> {
        self.sources.get(index).copied().flatten()
    }

    /// Per node: its strongly connected component, tags being no ways.
    fn components(&self) -> Vec<usize> {
        let count = self.nodes.len();
        let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(count, count);
        (0..count).for_each(|_| _ = graph.add_node(()));
        for (source, list) in self.alternatives.iter().enumerate() {
            for way in list.iter().filter(|way| way.target < count && !matches!(way.step, Step::Tag(_))) {
                graph.add_edge(NodeIndex::new(source), NodeIndex::new(way.target), ());
            }
        }
        let mut component = vec![0; count];
        for (number, members) in petgraph::algo::kosaraju_scc(&graph).into_iter().enumerate() {
            members.into_iter().for_each(|member| component[member.index()] = number);
        }
        component
    }

    /// Whether a step begins a scope. A map write within a component begins none.
    pub(super) fn opens(&self, step: &Step, source: usize, target: usize) -> bool {
        match step {
            Step::Tag(_) => self.kind == Kind::Moves,
            Step::Write { scalar: false, .. } | Step::Each { scalar: false, .. } => {
                self.component.get(source) != self.component.get(target)
            }
            _ => false,
        }
    }

    /// Whether a way leads back to a node without a tag.
    pub(super) fn is_on_silent_cycle(&self, node: usize) -> bool {
        let list = self.alternatives.get(node).map_or(&[][..], |list| list);
        let mut silent = list.iter().filter(|way| !matches!(way.step, Step::Tag(_)));
        // A way inside a component is on a cycle.
        silent.any(|way| self.component.get(way.target) == self.component.get(node))
    }

    /// The nodes that walks from an entry can come by.
    pub(super) fn reached(&self, entry: usize) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.nodes.len());
        let mut open = vec![entry];
        reached.insert(entry);
        while let Some(node) = open.pop() {
            for target in self.alternatives.get(node).map_or(&[][..], |list| list).iter().map(|way| way.target) {
                if target < reached.len() && !reached.put(target) {
                    open.push(target);
                }
            }
        }
        reached
    }

    /// Whether the search is over at this node.
    pub(super) fn is_target(&self, index: usize) -> bool {
        matches!(self.kind, Kind::Check(to) if self.nodes.get(index) == Some(&to))
    }

    /// Drops ways that lead nowhere.
    fn prune(&mut self) {
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut useful = vec![false; self.nodes.len()];
        let mut stack = Vec::new();
        for (index, list) in self.alternatives.iter().enumerate() {
            let finishes = list.iter().any(|a| matches!(a.step, Step::Finish { .. }));
            if finishes || self.is_target(index) {
                useful[index] = true;
                stack.push(index);
            }
            for alternative in list {
                if let Some(list) = back.get_mut(alternative.target) {
                    list.push(index);
                }
            }
        }
        while let Some(index) = stack.pop() {
            for &source in &back[index] {
                if !useful[source] {
                    useful[source] = true;
                    stack.push(source);
                }
            }
        }
        for list in &mut self.alternatives {
            list.retain(|a| matches!(a.step, Step::Finish { .. }) || useful.get(a.target).copied().unwrap_or(false));
        }
    }
}

/// Merges parallel membership tests of one value into one, and drops repeated ways.
fn merge(layout: &Layout, list: Vec<Alternative>) -> Vec<Alternative> {
    let mut merged: Vec<Alternative> = Vec::with_capacity(list.len());
    // Membership tests per target and value.
    let mut counts: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    for alternative in &list {
        if let Step::Test(Test::In { value, negated: false, .. }) = alternative.step {
            *counts.entry((alternative.target, value)).or_insert(0) += 1;
        }
    }
    let count = |target, value| counts.get(&(target, value)).copied().unwrap_or(0);
    // Position of the first membership test per target and value, so that wide nodes stay linear.
    let mut tests: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    let mut skips: FxHashMap<usize, ()> = FxHashMap::default();
    for alternative in list {
        match &alternative.step {
            Step::Test(Test::In { value, class, list, negated: false })
                if layout.classes.members(*class).len() <= FEW_VALUES.max(64 * count(alternative.target, *value)) =>
            {
                if let Some(&at) = tests.get(&(alternative.target, *value)) {
                    if let Some(Step::Test(Test::In { list: first, .. })) = merged.get_mut(at).map(|a| &mut a.step) {
                        first.extend(list);
                    }
                    continue;
                }
                tests.insert((alternative.target, *value), merged.len());
            }
            Step::Skip if skips.insert(alternative.target, ()).is_some() => continue,
            _ => {}
        }
        merged.push(alternative);
    }
    for alternative in &mut merged {
        if let Step::Test(Test::In { list, .. }) = &mut alternative.step {
            list.sort_unstable();
            list.dedup();
        }
    }
    merged
}
