//! Data-flow problems on the automaton, and their solution by a worklist (catalogue of passes, section 9).
//!
//! A problem is a type that implements [`Analysis`]: facts that form a lattice of finite height, a join in place, and a
//! transfer along edges. The walks inside a reachability check are followed too, as the problem says in
//! [`Analysis::check`]: forward, what holds where a check is made holds where its walks start; nothing flows back into
//! the walk that makes the check. Backward, what is needed where a check's walks start is needed where the check is made.

use fixedbitset::FixedBitSet;
use rg_ir::cancel;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Game, Label, NodeId};

/// The direction in which facts flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the source of an edge to its target.
    Forward,
    /// From the target of an edge to its source.
    Backward,
}

/// A data-flow problem.
pub trait Analysis {
    /// What is known at a node.
    type Fact: Clone;

    /// The direction of the flow.
    const DIRECTION: Direction;

    /// Facts that hold without any edge: the initial values at `begin`, or, backward, what is needed after the last
    /// step. A node that is named here or comes to be reached has a fact, others have none (bottom).
    fn boundary(&self, game: &Game) -> Vec<(NodeId, Self::Fact)>;

    /// What `fact` becomes along the edge; `false` if the edge cannot be walked, so that nothing flows.
    fn transfer(&self, game: &Game, id: EdgeId, edge: &Edge, fact: &mut Self::Fact) -> bool;

    /// Joins `other` into `fact`; whether that changed it.
    fn join(&self, fact: &mut Self::Fact, other: &Self::Fact) -> bool;

    /// Forward: what holds at the start of a check that is made where `fact` holds. Backward: what is needed where a
    /// check is made at whose start `fact` is needed. `None`: nothing flows (checks are not looked into).
    fn check(&self, fact: &Self::Fact) -> Option<Self::Fact> {
        Some(fact.clone())
    }
}

/// The least solution: a fact per node.
#[derive(Clone, Debug)]
pub struct Solution<F> {
    facts: Vec<Option<F>>,
}

impl<F> Solution<F> {
    /// What is known at a node; `None` if nothing reaches it.
    ///
    /// Forward it is what holds when a walk comes by the node; backward what is needed from there on.
    pub fn at(&self, node: NodeId) -> Option<&F> {
        self.facts.get(node.index())?.as_ref()
    }
}

/// Solves a problem. Nodes are taken in reverse postorder (backward: postorder), so that O(edges · (loop depth + 2))
/// transfers are made for the usual problems, and O(edges · height of the lattice) for any.
pub fn solve<A: Analysis>(game: &Game, analysis: &A) -> Solution<A::Fact> {
    let automaton = &game.automaton;
    let forward = A::DIRECTION == Direction::Forward;
    let order = order(game, forward);
    let mut facts: Vec<Option<A::Fact>> = Vec::new();
    facts.resize_with(automaton.node_bound(), || None);
    // Backward, a check makes its start flow into every node that makes it.
    let mut checked_at: Vec<Vec<NodeId>> = vec![Vec::new(); if forward { 0 } else { automaton.node_bound() }];
    if !forward {
        for (_, edge) in automaton.edges() {
            if let Label::Reach { from, .. } = edge.label {
                checked_at[from.index()].push(edge.source);
            }
        }
        for sources in &mut checked_at {
            sources.sort_unstable();
            sources.dedup();
        }
    }
    let mut work = Worklist::new(order);
    let flow = |node: NodeId, fact: &A::Fact, facts: &mut Vec<Option<A::Fact>>, work: &mut Worklist| {
        let changed = match &mut facts[node.index()] {
            Some(known) => analysis.join(known, fact),
            unknown => {
                *unknown = Some(fact.clone());
                true
            }
        };
        if changed {
            work.insert(node);
        }
    };
    for (node, fact) in analysis.boundary(game) {
        flow(node, &fact, &mut facts, &mut work);
    }
    // What is known at the node, and behind an edge: made once, so that facts with memory of their own keep it.
    let (mut here, mut behind): (Option<A::Fact>, Option<A::Fact>) = (None, None);
    while let Some(node) = work.pop() {
        cancel::check();
        let Some(known) = &facts[node.index()] else { continue };
        let fact = copied(&mut here, known);
        for &id in if forward { automaton.outgoing(node) } else { automaton.incoming(node) } {
            let edge = automaton.edge(id);
            if let (true, Label::Reach { from, .. }) = (forward, edge.label)
                && let Some(inside) = analysis.check(fact)
            {
                flow(from, &inside, &mut facts, &mut work);
            }
            let after = copied(&mut behind, fact);
            if analysis.transfer(game, id, edge, after) {
                flow(if forward { edge.target } else { edge.source }, after, &mut facts, &mut work);
            }
        }
        if let Some(sources) = checked_at.get(node.index()) {
            for &source in sources {
                if let Some(outside) = analysis.check(fact) {
                    flow(source, &outside, &mut facts, &mut work);
                }
            }
        }
    }
    Solution { facts }
}

/// Copies a fact to a place.
fn copied<'p, F: Clone>(place: &'p mut Option<F>, fact: &F) -> &'p mut F {
    match place {
        Some(old) => {
            old.clone_from(fact);
            old
        }
        None => place.insert(fact.clone()),
    }
}

/// Nodes to look at again, each once, in a given order.
pub(crate) struct Worklist {
    /// The place of each node in the order.
    places: Vec<u32>,
    /// The node at each place.
    nodes: Vec<NodeId>,
    waiting: FixedBitSet,
    /// No place below this one is waiting.
    first: usize,
}

impl Worklist {
    /// An empty list; nodes come in the order of `numbers`, and those with equal numbers in that of their ids.
    pub(crate) fn new(numbers: Vec<u32>) -> Self {
        // Numbers and ids together are words, which are sorted quickly.
        let mut sorted: Vec<u64> = (0..).zip(&numbers).map(|(id, &number)| u64::from(number) << 32 | id).collect();
        sorted.sort_unstable();
        let nodes: Vec<NodeId> = sorted.into_iter().map(|word| NodeId::from_index(word as u32 as usize)).collect();
        let mut places = numbers;
        for (place, node) in (0u32..).zip(&nodes) {
            places[node.index()] = place;
        }
        let waiting = FixedBitSet::with_capacity(nodes.len());
        Self { places, nodes, waiting, first: 0 }
    }

    /// Adds a node.
    pub(crate) fn insert(&mut self, node: NodeId) {
        if let Some(&place) = self.places.get(node.index()) {
            self.waiting.insert(place as usize);
            self.first = self.first.min(place as usize);
        }
    }

    /// Takes the first node out.
    pub(crate) fn pop(&mut self) -> Option<NodeId> {
        let place = next_one(&self.waiting, self.first)?;
        self.waiting.set(place, false);
        self.first = place + 1;
        self.nodes.get(place).copied()
    }
}

/// The first element of a set that is not below `from`.
fn next_one(set: &FixedBitSet, from: usize) -> Option<usize> {
    let words = set.as_slice();
    let bits = usize::BITS as usize;
    let mut at = from / bits;
    let mut word = words.get(at).copied()? & (usize::MAX << (from % bits));
    while word == 0 {
        at += 1;
        word = words.get(at).copied()?;
    }
    Some(at * bits + word.trailing_zeros() as usize)
}

/// Reverse postorder numbers of all nodes (postorder, backward), from `begin` and the starts of checks.
pub(crate) fn order(game: &Game, forward: bool) -> Vec<u32> {
    let automaton = &game.automaton;
    let mut number = vec![u32::MAX; automaton.node_bound()];
    let mut seen = FixedBitSet::with_capacity(automaton.node_bound());
    let starts = automaton.edges().filter_map(|(_, edge)| match edge.label {
        Label::Reach { from, .. } => Some(from),
        _ => None,
    });
    let starts: Vec<NodeId> = std::iter::once(game.begin()).chain(starts).collect();
    let mut finished = 0u32;
    let mut stack: Vec<(NodeId, usize)> = Vec::new();
    // What checks walk comes after the main part, so it is numbered first.
    for start in starts.into_iter().rev() {
        if seen.put(start.index()) {
            continue;
        }
        stack.push((start, 0));
        while let Some((node, next)) = stack.last_mut() {
            let (node, at) = (*node, *next);
            *next += 1;
            match automaton.outgoing(node).get(at) {
                Some(&id) => {
                    let target = automaton.edge(id).target;
                    if !seen.put(target.index()) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    stack.pop();
                    number[node.index()] = finished;
                    finished += 1;
                }
            }
        }
    }
    if forward {
        for number in &mut number {
            *number = u32::MAX - *number;
        }
    }
    number
}
