//! Plays that come back to a position: cycles among the positions that were looked at.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rg_ir::invariant::Invariant;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Moves looked at in the search for a shortest cycle.
const MAX_VISITS: u64 = 20_000_000;

/// Which positions follow on which, by number.
#[derive(Default)]
pub(super) struct Graph {
    targets: Vec<Vec<usize>>,
}

/// A way to a position, and from there back to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lasso {
    /// The position.
    pub(super) entry: usize,
    /// The positions after it, up to itself again.
    pub(super) cycle: Vec<usize>,
    /// Whether no other has fewer moves from the start to the end of the cycle.
    pub(super) shortest: bool,
}

impl Graph {
    /// Sets what follows on a position.
    pub(super) fn set(&mut self, position: usize, mut targets: Vec<usize>) {
        targets.sort_unstable();
        targets.dedup();
        if self.targets.len() <= position {
            self.targets.resize(position + 1, Vec::new());
        }
        if let Some(slot) = self.targets.get_mut(position) {
            *slot = targets;
        }
    }

    fn after(&self, position: usize) -> &[usize] {
        self.targets.get(position).map_or(&[], Vec::as_slice)
    }

    /// The lasso with the fewest moves; `None` if there are no cycles. `depths` are the distances of all positions from the
    /// start, and do not fall. Linear for finding out whether there are any; the shortest one takes time proportional to the
    /// moves on cycles that are near enough, for each of their positions.
    pub(super) fn shortest_lasso(&self, depths: &[u32]) -> Option<Lasso> {
        let component = self.components(depths.len());
        let depth = |at: usize| depths.get(at).copied().unwrap_or(u32::MAX);
        let of = |at: usize| component.get(at).copied().invariant_or(0, "every position has a component");
        let mut best: Option<(u32, Lasso)> = None;
        let mut visits = 0;
        for entry in (0..depths.len()).filter(|&at| of(at) != 0) {
            let limit = best.as_ref().map_or(u32::MAX, |(length, _)| *length);
            if depth(entry).saturating_add(1) >= limit {
                break;
            }
            if visits > MAX_VISITS {
                if let Some((_, lasso)) = &mut best {
                    lasso.shortest = false;
                }
                break;
            }
            let inside = |at: usize| of(at) == of(entry);
            if let Some(cycle) = self.cycle(entry, limit - depth(entry), &inside, &mut visits) {
                let length = depth(entry).saturating_add(cycle.len() as u32);
                best = Some((length, Lasso { entry, cycle, shortest: true }));
            }
        }
        best.map(|(_, lasso)| lasso)
    }

    /// The number of the strong component of each position, from 1; 0 where there is no cycle.
    fn components(&self, positions: usize) -> Vec<u32> {
        let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(positions, 0);
        (0..positions).for_each(|_| {
            graph.add_node(());
        });
        for (from, targets) in self.targets.iter().enumerate() {
            for &to in targets {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            }
        }
        let mut component = vec![0; positions];
        for (members, number) in kosaraju_scc(&graph).into_iter().zip(1u32..) {
            let alone = |&at: &NodeIndex| !self.after(at.index()).contains(&at.index());
            if members.len() == 1 && members.first().is_none_or(alone) {
                continue;
            }
            for member in members {
                if let Some(slot) = component.get_mut(member.index()) {
                    *slot = number;
                }
            }
        }
        component
    }

    /// The shortest cycle through a position, if it has fewer than `limit` moves.
    fn cycle(&self, entry: usize, limit: u32, inside: &dyn Fn(usize) -> bool, visits: &mut u64) -> Option<Vec<usize>> {
        let mut parents: FxHashMap<usize, usize> = FxHashMap::default();
        let mut queue = VecDeque::from([(entry, 0u32)]);
        while let Some((at, moves)) = queue.pop_front() {
            if moves + 1 >= limit {
                return None;
            }
            for &next in self.after(at) {
                *visits += 1;
                if next == entry {
                    let mut cycle = vec![entry];
                    let mut back = at;
                    while back != entry {
                        cycle.push(back);
                        back = *parents.get(&back)?;
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if inside(next) && !parents.contains_key(&next) {
                    parents.insert(next, at);
                    queue.push_back((next, moves + 1));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(usize, &[usize])]) -> Graph {
        let mut graph = Graph::default();
        for (from, targets) in edges {
            graph.set(*from, targets.to_vec());
        }
        graph
    }

    #[test]
    fn without_cycles_there_is_no_lasso() {
        assert_eq!(graph(&[(0, &[1, 2]), (1, &[3]), (2, &[3])]).shortest_lasso(&[0, 1, 1, 2]), None);
        assert_eq!(Graph::default().shortest_lasso(&[]), None);
    }

    #[test]
    fn a_position_that_follows_on_itself() {
        let lasso = graph(&[(0, &[1]), (1, &[1])]).shortest_lasso(&[0, 1]).unwrap();
        assert_eq!((lasso.entry, lasso.cycle, lasso.shortest), (1, vec![1], true));
    }

    /// A long cycle through the start, and a short one further on: the sum counts.
    #[test]
    fn the_way_to_the_cycle_counts() {
        let far = graph(&[(0, &[1]), (1, &[2]), (2, &[3]), (3, &[0, 2])]);
        let lasso = far.shortest_lasso(&[0, 1, 2, 3]).unwrap();
        assert_eq!((lasso.entry, lasso.cycle), (0, vec![1, 2, 3, 0]), "four moves either way: the first one found");
        let longer = graph(&[(0, &[1]), (1, &[2, 1]), (2, &[3]), (3, &[0])]);
        let lasso = longer.shortest_lasso(&[0, 1, 2, 3]).unwrap();
        assert_eq!((lasso.entry, lasso.cycle), (1, vec![1]));
    }
}
