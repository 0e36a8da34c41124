//! Strongly connected components.

use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::NodeId;
use rg_ir::ids::Id;

/// The strongly connected component of every node below `bound`, in the graph of these pairs. Components are numbered so
/// that edges between different ones lead from larger numbers to smaller ones. O(nodes + edges).
pub fn components(bound: usize, edges: impl Iterator<Item = (NodeId, NodeId)>) -> Vec<usize> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(bound, 0);
    (0..bound).for_each(|_| {
        graph.add_node(());
    });
    for (from, to) in edges.filter(|(from, to)| from.index() < bound && to.index() < bound) {
        graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
    }
    let mut component = vec![0; bound];
    for (number, members) in petgraph::algo::kosaraju_scc(&graph).iter().enumerate() {
        for member in members {
            if let Some(slot) = component.get_mut(member.index()) {
                *slot = number;
            }
        }
    }
    component
}
