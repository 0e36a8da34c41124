//! Loops of a flow, by dominators: a loop has one node in which it is entered, its *head*. Where walks enter a circle in several nodes, a dispatch
//! becomes the only one.

use crate::flow::Flow;
use petgraph::algo::{dominators, kosaraju_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

/// The nodes of each loop, by heads.
#[derive(Default, Debug)]
pub(crate) struct Loops {
    pub(crate) bodies: FxHashMap<usize, FxHashSet<usize>>,
    /// By node: the last one that all walks to it come by, itself aside.
    pub(crate) dominator: FxHashMap<usize, usize>,
    /// Nodes in an order in which those come first that lead to others, loops aside.
    pub(crate) order: FxHashMap<usize, usize>,
}

impl Loops {
    /// Finds the loops, and changes the flow until each has a single head. Near-linear for each change.
    pub(crate) fn of(flow: &mut Flow) -> Self {
        loop {
            match Self::find(flow) {
                Ok(loops) => return loops,
                Err(entries) if entries.is_empty() => return Self::default(),
                Err(entries) => {
                    if entries.contains(&flow.entry) {
                        flow.begin_anew();
                    }
                    flow.dispatch(|_, arc| entries.contains(&arc.target));
                }
            }
        }
    }

    /// The loops; or else nodes in which one circle is entered.
    fn find(flow: &Flow) -> Result<Self, FxHashSet<usize>> {
        let graph = graph(flow);
        let dominators = dominators::simple_fast(&graph, NodeIndex::new(flow.entry));
        let dominates = |a: usize, b| {
            dominators.dominators(NodeIndex::new(b)).is_some_and(|mut all| all.any(|node| node.index() == a))
        };
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); flow.out.len()];
        for (node, arcs) in flow.out.iter().enumerate() {
            for arc in arcs {
                if let Some(list) = before.get_mut(arc.target) {
                    list.push(node);
                }
            }
        }
        let mut loops = Self::default();
        for (node, head) in retreating(flow) {
            if !dominates(head, node) {
                return Err(entries(flow, &graph));
            }
            let body = loops.bodies.entry(head).or_default();
            body.insert(head);
            let mut left = vec![node];
            while let Some(node) = left.pop() {
                if body.insert(node) {
                    left.extend(before.get(node).into_iter().flatten());
                }
            }
        }
        let mut search = petgraph::visit::DfsPostOrder::new(&graph, NodeIndex::new(flow.entry));
        let mut last = flow.out.len();
        while let Some(node) = search.next(&graph) {
            loops.order.insert(node.index(), last);
            last = last.saturating_sub(1);
        }
        let nodes = (0..flow.out.len()).map(NodeIndex::new);
        let immediate = |node| Some((node, dominators.immediate_dominator(node)?));
        loops.dominator = nodes.filter_map(immediate).map(|(node, above)| (node.index(), above.index())).collect();
        Ok(loops)
    }
}

fn graph(flow: &Flow) -> DiGraph<(), (), u32> {
    let mut graph = DiGraph::default();
    for _ in &flow.out {
        graph.add_node(());
    }
    for (node, arcs) in flow.out.iter().enumerate() {
        for arc in arcs {
            graph.add_edge(NodeIndex::new(node), NodeIndex::new(arc.target), ());
        }
    }
    graph
}

/// Arcs back to a node that a search in depth has not left: source and target.
fn retreating(flow: &Flow) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut found = Vec::new();
    let mut states = vec![State::New; flow.out.len()];
    let mut stack = vec![(flow.entry, 0)];
    if let Some(state) = states.get_mut(flow.entry) {
        *state = State::Open;
    }
    while let Some((node, next)) = stack.last_mut() {
        let node = *node;
        let Some(arc) = flow.arcs(node).get(*next) else {
            if let Some(state) = states.get_mut(node) {
                *state = State::Done;
            }
            stack.pop();
            continue;
        };
        *next += 1;
        let target = arc.target;
        match states.get(target) {
            Some(State::Open) => found.push((node, target)),
            Some(State::New) => {
                if let Some(state) = states.get_mut(target) {
                    *state = State::Open;
                }
                stack.push((target, 0));
            }
            Some(State::Done) | None => {}
        }
    }
    found
}

/// The nodes in which an outermost circle with several of them is entered; looks into circles with one.
fn entries(flow: &Flow, graph: &DiGraph<(), (), u32>) -> FxHashSet<usize> {
    let mut parts: Vec<FxHashSet<usize>> = vec![(0..flow.out.len()).collect()];
    while let Some(part) = parts.pop() {
        let inner = graph.filter_map(|node, ()| part.contains(&node.index()).then_some(node), |_, ()| Some(()));
        for component in kosaraju_scc(&inner) {
            let mut nodes: FxHashSet<usize> =
                component.iter().filter_map(|&node| inner.node_weight(node)).map(|node| node.index()).collect();
            if nodes.len() < 2 {
                continue;
            }
            let entered = |node: usize| {
                let before = graph.neighbors_directed(NodeIndex::new(node), petgraph::Direction::Incoming);
                node == flow.entry || before.into_iter().any(|before| !nodes.contains(&before.index()))
            };
            let entries: FxHashSet<usize> = nodes.iter().copied().filter(|&node| entered(node)).collect();
            if entries.len() > 1 {
                return entries;
            }
            nodes.retain(|node| !entries.contains(node));
            parts.push(nodes);
        }
    }
    FxHashSet::default()
}
