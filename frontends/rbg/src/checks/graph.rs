//! The rules as an automaton, for checks only, and strongly connected components.

use rg_ir::ids::Id;

use crate::ast::{Rule, RuleId, Rules};

/// Edges of a graph, grouped by their source.
pub(super) struct Adjacency {
    first: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    /// Groups `edges` between nodes below `nodes`. Linear.
    pub(super) fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0u32; nodes + 1];
        for (from, _) in edges.clone() {
            if let Some(slot) = first.get_mut(from as usize + 1) {
                *slot += 1;
            }
        }
        let mut total = 0;
        for slot in &mut first {
            total += *slot;
            *slot = total;
        }
        let mut next = first.clone();
        let mut targets = vec![0; total as usize];
        for (from, to) in edges {
            if let Some(position) = next.get_mut(from as usize) {
                if let Some(slot) = targets.get_mut(*position as usize) {
                    *slot = to;
                }
                *position += 1;
            }
        }
        Self { first, targets }
    }

    /// Number of nodes.
    fn nodes(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// The targets of a node's edges.
    pub(super) fn of(&self, node: u32) -> &[u32] {
        let bound = |at: u32| self.first.get(at as usize).map_or(0, |&b| b as usize);
        self.targets.get(bound(node)..bound(node + 1)).unwrap_or_default()
    }

    /// Everything that can be reached from `starts`, themselves included. Linear.
    pub(super) fn reachable(&self, starts: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut seen = vec![false; self.nodes()];
        let mut stack: Vec<u32> = starts.into_iter().collect();
        while let Some(node) = stack.pop() {
            let Some(slot) = seen.get_mut(node as usize).filter(|seen| !**seen) else { continue };
            *slot = true;
            stack.extend_from_slice(self.of(node));
        }
        seen
    }

    /// The component of every node; two nodes are in one iff each can be reached from the other. Tarjan's algorithm
    /// with an explicit stack; linear.
    pub(super) fn components(&self) -> Vec<u32> {
        const NEW: u32 = u32::MAX;
        let count = self.nodes();
        let mut component = vec![NEW; count];
        // Order of discovery, lowered to the earliest node of the stack that can be reached.
        let mut low = vec![NEW; count];
        let mut open: Vec<u32> = Vec::new();
        let mut discovered = 0;
        let mut found = 0;
        let mut path: Vec<(u32, u32, usize)> = Vec::new();
        let get = |list: &[u32], node: u32| list.get(node as usize).copied().unwrap_or(NEW);
        let mut roots = 0..u32::try_from(count).unwrap_or(u32::MAX);
        loop {
            let Some((node, order, next)) = path.pop() else {
                let Some(root) = roots.find(|&node| get(&low, node) == NEW) else { return component };
                set(&mut low, root, discovered);
                path.push((root, discovered, 0));
                open.push(root);
                discovered += 1;
                continue;
            };
            if let Some(&target) = self.of(node).get(next) {
                path.push((node, order, next + 1));
                if get(&low, target) == NEW {
                    set(&mut low, target, discovered);
                    path.push((target, discovered, 0));
                    open.push(target);
                    discovered += 1;
                } else if get(&component, target) == NEW {
                    let lowest = get(&low, node).min(get(&low, target));
                    set(&mut low, node, lowest);
                }
                continue;
            }
            if get(&low, node) == order {
                while let Some(member) = open.pop() {
                    set(&mut component, member, found);
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, ..)) = path.last() {
                let lowest = get(&low, parent).min(get(&low, node));
                set(&mut low, parent, lowest);
            }
        }
    }
}

fn set(list: &mut [u32], node: u32, value: u32) {
    if let Some(slot) = list.get_mut(node as usize) {
        *slot = value;
    }
}

/// An edge of the automaton.
#[derive(Clone, Copy)]
pub(super) struct Arrow {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The action on it; `None` is an edge that does nothing.
    pub(super) action: Option<RuleId>,
}

/// Thompson's automaton of the rules. The automata of checks are parts of their own; the check is an edge.
pub(super) struct Automaton {
    pub(super) nodes: usize,
    pub(super) arrows: Vec<Arrow>,
}

/// The node before an expression; the one behind it has the next number.
pub(super) fn entry(id: RuleId) -> u32 {
    id.0.saturating_mul(2)
}

/// The node behind an expression.
pub(super) fn exit(id: RuleId) -> u32 {
    entry(id) | 1
}

impl Automaton {
    /// Builds the automaton. Linear.
    pub(super) fn new(rules: &Rules) -> Self {
        let mut arrows = Vec::with_capacity(3 * rules.nodes.len());
        let mut arrow = |from, to, action| arrows.push(Arrow { from, to, action });
        for (index, (rule, _)) in rules.nodes.iter().enumerate() {
            let id = RuleId::from_index(index);
            match rule {
                Rule::Sum(parts) => {
                    for &part in parts {
                        arrow(entry(id), entry(part), None);
                        arrow(exit(part), exit(id), None);
                    }
                }
                Rule::Concat(parts) => {
                    let mut at = entry(id);
                    for &part in parts {
                        arrow(at, entry(part), None);
                        at = exit(part);
                    }
                    arrow(at, exit(id), None);
                }
                Rule::Star(inner) => {
                    // The same node before and after each round.
                    arrow(entry(id), entry(*inner), None);
                    arrow(exit(*inner), entry(id), None);
                    arrow(entry(id), exit(id), None);
                }
                _ => arrow(entry(id), exit(id), Some(id)),
            }
        }
        Self { nodes: 2 * rules.nodes.len(), arrows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_two_rings_and_a_bridge() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 5)];
        let graph = Adjacency::new(6, edges.into_iter());
        let component = graph.components();
        assert_eq!(component[0], component[1]);
        assert_eq!(component[0], component[2]);
        assert_eq!(component[3], component[4]);
        assert_ne!(component[0], component[3]);
        assert_ne!(component[5], component[0]);
        assert_eq!(graph.reachable([3]), [false, false, false, true, true, false]);
    }

    #[test]
    fn long_paths_do_not_recurse() {
        let n = 200_000u32;
        let graph = Adjacency::new(n as usize, (0..n - 1).map(|i| (i, i + 1)));
        let component = graph.components();
        assert_ne!(component[0], component[1]);
    }
}
