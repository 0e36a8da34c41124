//! What a graph or the body of a loop can come to: where its walks leave it, and where branches meet again.
//!
//! Each node has a *class*: the first of the targets that walks from it come to. Walks that leave for a later target are exceptions, such as a
//! `return()` in a block that goes on otherwise; where branches meet is asked without them. It is the node that all other walks come by, the
//! immediate postdominator.

use crate::flow::{Flow, OVER};
use petgraph::algo::dominators;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

/// How a target is reached from within blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Jump {
    Continue,
    Break,
    Return,
}

/// A graph or the body of a loop.
pub(crate) struct Scope {
    /// Where walks may leave it.
    pub(crate) targets: Vec<(usize, Jump)>,
    /// Where they may not, since no statement leads there.
    pub(crate) forbidden: Vec<usize>,
    class: FxHashMap<usize, usize>,
    meets: FxHashMap<usize, usize>,
}

/// The class of nodes that lead to a place which HRG has no name for, so that no class counts before it.
const LAST: usize = usize::MAX;

impl Scope {
    /// The scope of what can be reached from `start` without coming by a target. Near-linear. `None`: a walk leaves it for somewhere forbidden.
    pub(crate) fn new(flow: &Flow, start: usize, targets: Vec<(usize, Jump)>, forbidden: Vec<usize>) -> Option<Self> {
        let mut scope = Self { targets, forbidden, class: FxHashMap::default(), meets: FxHashMap::default() };
        let mut nodes: FxHashSet<usize> = FxHashSet::default();
        let mut order = Vec::new();
        let mut left = vec![start];
        let mut before: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        while let Some(node) = left.pop() {
            if !nodes.insert(node) {
                continue;
            }
            order.push(node);
            for arc in flow.arcs(node) {
                if scope.forbidden.contains(&arc.target) {
                    return None;
                }
                before.entry(arc.target).or_default().push(node);
                if arc.target != OVER && scope.target(arc.target).is_none() {
                    left.push(arc.target);
                }
            }
        }
        order.sort_unstable();
        let dead: Vec<usize> = order.iter().copied().filter(|&node| flow.arcs(node).is_empty()).collect();
        let sinks: Vec<usize> = scope.targets.iter().map(|(node, _)| *node).chain([OVER]).collect();
        for (class, &sink) in sinks.iter().enumerate() {
            scope.classify(class, before.get(&sink).cloned().unwrap_or_default(), &before);
        }
        scope.classify(sinks.len(), dead, &before);
        for (class, &sink) in sinks.iter().enumerate() {
            scope.postdominators(flow, &order, class, Some(sink));
        }
        scope.postdominators(flow, &order, sinks.len(), None);
        Some(scope)
    }

    /// The place of a node among the targets.
    fn target(&self, node: usize) -> Option<usize> {
        self.targets.iter().position(|(target, _)| *target == node)
    }

    /// The statement that leads to a target.
    pub(crate) fn jump(&self, node: usize) -> Option<Jump> {
        self.targets.iter().find(|(target, _)| *target == node).map(|(_, jump)| *jump)
    }

    /// The class of a node to which a walk comes.
    pub(crate) fn class_behind(&self, node: usize) -> usize {
        match self.target(node) {
            Some(class) => class,
            None if node == OVER => self.targets.len(),
            None => self.class(node),
        }
    }

    /// The class of a node in which a walk is.
    pub(crate) fn class(&self, node: usize) -> usize {
        self.class.get(&node).copied().unwrap_or(LAST)
    }

    /// Where all walks that leave a node meet, exceptions aside.
    pub(crate) fn meeting(&self, node: usize) -> Option<usize> {
        self.meets.get(&node).copied()
    }

    /// The nodes that all walks which come to a node come by, from it on, exceptions aside.
    pub(crate) fn chain(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let next = |node: &usize| if self.target(*node).is_some() { None } else { self.meeting(*node) };
        std::iter::successors(Some(node), next)
    }

    /// The first node that walks from all of some nodes come by.
    pub(crate) fn common(&self, nodes: &[usize]) -> Option<usize> {
        let (&first, rest) = nodes.split_first()?;
        let others: Vec<FxHashSet<usize>> = rest.iter().map(|&node| self.chain(node).collect()).collect();
        self.chain(first).find(|node| others.iter().all(|other| other.contains(node)))
    }

    fn classify(&mut self, class: usize, mut left: Vec<usize>, before: &FxHashMap<usize, Vec<usize>>) {
        while let Some(node) = left.pop() {
            if let std::collections::hash_map::Entry::Vacant(new) = self.class.entry(node) {
                new.insert(class);
                // What leads to a target leads there before it leads here.
                if self.target(node).is_none() {
                    left.extend(before.get(&node).into_iter().flatten());
                }
            }
        }
    }

    fn postdominators(&mut self, flow: &Flow, order: &[usize], class: usize, sink: Option<usize>) {
        let members: Vec<usize> = order.iter().copied().filter(|&node| self.class(node) == class).collect();
        let mut backwards: DiGraph<Option<usize>, (), u32> = DiGraph::default();
        let root = backwards.add_node(None);
        let indices: FxHashMap<usize, NodeIndex<u32>> =
            members.iter().map(|&node| (node, backwards.add_node(Some(node)))).collect();
        for (&node, &index) in members.iter().zip(members.iter().filter_map(|node| indices.get(node))) {
            let arcs = flow.arcs(node);
            if arcs.is_empty() && sink.is_none() {
                backwards.add_edge(root, index, ());
            }
            for arc in arcs {
                if sink == Some(arc.target) {
                    backwards.add_edge(root, index, ());
                } else if self.target(arc.target).is_none()
                    && let Some(&behind) = indices.get(&arc.target)
                {
                    backwards.add_edge(behind, index, ());
                }
            }
        }
        let dominators = dominators::simple_fast(&backwards, root);
        for (&node, &index) in &indices {
            let Some(above) = dominators.immediate_dominator(index) else { continue };
            let meets = match backwards.node_weight(above) {
                Some(Some(inner)) => Some(*inner),
                _ => sink.filter(|sink| *sink != OVER),
            };
            self.meets.extend(meets.map(|meets| (node, meets)));
        }
    }
}
