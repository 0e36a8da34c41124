//! Parts of an automaton that occur several times.
//!
//! A *repeat* is a set of copies of one part: each copy is entered at one node only, and all do the same, step by step,
//! until they leave the part. Copies are found from groups of nodes whose next few steps look alike, and grown from there
//! side by side; so no two parts are compared that do not begin alike.

use crate::effects::fixed;
use crate::plain::Plain;
use fixedbitset::FixedBitSet;
use rg_ir::ids::Id;
use rg_ir::{Edge, EdgeId, Game, Label, NodeId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// How many steps ahead nodes have to look alike to be tried as the beginnings of copies. Few steps find copies that
/// soon part, many those that go on together for long and have false friends.
const DEPTHS: [usize; 2] = [4, 16];

/// The least number of copies.
pub const MIN_COPIES: usize = 3;

/// Copies of one part.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// The nodes of the part, the one where it is entered first; of each, its copies.
    pub nodes: Vec<Vec<NodeId>>,
    /// Where the part is left; no two are equal.
    pub exits: Vec<Exit>,
    /// Edges of one copy.
    pub edges: usize,
}

/// A way out of a part.
#[derive(Clone, Debug)]
pub struct Exit {
    /// Edges of the *first* copy that take this way.
    pub edges: Vec<EdgeId>,
    /// Where it leads to from each copy.
    pub targets: Vec<NodeId>,
}

impl Exit {
    /// Whether it leads from all copies to the same node.
    pub fn is_common(&self) -> bool {
        self.targets.windows(2).all(|pair| pair.first() == pair.last())
    }
}

impl Repeat {
    /// The number of copies.
    pub fn copies(&self) -> usize {
        self.nodes.first().map_or(0, Vec::len)
    }

    /// The nodes where the copies are entered.
    pub fn entries(&self) -> &[NodeId] {
        self.nodes.first().map_or(&[], |entries| entries)
    }
}

/// What copies are compared by.
pub struct Finder<'g> {
    game: &'g Game,
    fixed: FixedBitSet,
    /// Per node its steps in ascending order of the labels; none if two have the same label, so that it is not clear
    /// which step of a copy is which.
    steps: Vec<Vec<Step>>,
    /// How much may still be looked at.
    work: usize,
}

#[derive(Clone, Copy)]
struct Step {
    label: u32,
    edge: EdgeId,
    target: NodeId,
}

impl<'g> Finder<'g> {
    /// Prepares the search; all of it together looks at no more than a fixed multiple of the size of the automaton.
    pub fn new(game: &'g Game) -> Self {
        let plain = Plain::of(game);
        let mut labels: FxHashMap<Label, u32> = FxHashMap::default();
        let mut steps: Vec<Vec<Step>> = vec![Vec::new(); game.automaton.node_bound()];
        for (id, edge) in game.automaton.edges() {
            let fresh = u32::try_from(labels.len()).unwrap_or(u32::MAX);
            let label = *labels.entry(plain.label(game, &edge.label)).or_insert(fresh);
            if let Some(steps) = steps.get_mut(edge.source.index()) {
                steps.push(Step { label, edge: id, target: edge.target });
            }
        }
        for steps in &mut steps {
            steps.sort_unstable_by_key(|step| step.label);
            if !steps.is_sorted_by(|a, b| a.label < b.label) {
                steps.clear();
            }
        }
        let work = 64 * (game.automaton.node_count() + game.automaton.edge_count());
        Self { game, fixed: fixed(game), steps, work }
    }

    fn steps(&self, node: NodeId) -> &[Step] {
        self.steps.get(node.index()).map_or(&[], |steps| steps)
    }

    /// The repeat for which `value` is greatest, and at least 1; the first of those with the same value.
    pub fn best(&mut self, value: impl Fn(&Repeat) -> usize) -> Option<Repeat> {
        let mut best: Option<(usize, Repeat)> = None;
        for group in self.groups() {
            if self.work == 0 {
                break;
            }
            let Some(repeat) = self.grow(group) else { continue };
            let value = value(&repeat);
            if value > best.as_ref().map_or(0, |(value, _)| *value) {
                best = Some((value, repeat));
            }
        }
        best.map(|(_, repeat)| repeat)
    }

    /// Groups of nodes that look alike, the largest first.
    fn groups(&self) -> Vec<Vec<NodeId>> {
        let mut look: Vec<u64> = vec![0; self.steps.len()];
        for node in self.fixed.ones() {
            if let Some(look) = look.get_mut(node) {
                *look = node as u64 + 1;
            }
        }
        let mut groups: FxHashMap<(usize, u64), Vec<NodeId>> = FxHashMap::default();
        let mut depth = 0;
        for wanted in DEPTHS {
            while depth < wanted {
                look = (0..self.steps.len()).map(|node| self.look(&look, node)).collect();
                depth += 1;
            }
            for node in self.game.automaton.nodes() {
                if let Some(&look) = look.get(node.index()).filter(|_| self.may_be_copied(node)) {
                    groups.entry((depth, look)).or_default().push(node);
                }
            }
        }
        let mut groups: Vec<Vec<NodeId>> = groups.into_values().filter(|group| group.len() >= MIN_COPIES).collect();
        groups.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        groups.dedup();
        groups
    }

    fn look(&self, before: &[u64], node: usize) -> u64 {
        if self.fixed.contains(node) {
            return before.get(node).copied().unwrap_or(0);
        }
        let mut hasher = FxHasher::default();
        for step in self.steps(NodeId::from_index(node)) {
            (step.label, before.get(step.target.index())).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn may_be_copied(&self, node: NodeId) -> bool {
        !self.fixed.contains(node.index()) && !self.steps(node).is_empty()
    }

    /// Whether nodes are different, may be copied, and have the same labels.
    fn alike(&self, nodes: &[NodeId]) -> bool {
        let labels = |node: NodeId| self.steps(node).iter().map(|step| step.label);
        let Some(&first) = nodes.first() else { return false };
        let mut sorted = nodes.to_vec();
        sorted.sort_unstable();
        sorted.is_sorted_by(|a, b| a < b)
            && nodes.iter().all(|&node| self.may_be_copied(node) && labels(node).eq(labels(first)))
    }

    /// The largest part that is entered at `entries` only.
    fn grow(&mut self, entries: Vec<NodeId>) -> Option<Repeat> {
        if !self.alike(&entries) {
            return None;
        }
        let copies = entries.len();
        let mut places: FxHashMap<NodeId, (usize, usize)> = FxHashMap::default();
        places.extend(entries.iter().enumerate().map(|(copy, &node)| (node, (copy, 0))));
        let mut nodes = vec![entries];
        let mut at = 0;
        while let Some(row) = nodes.get(at) {
            for targets in self.targets(row) {
                self.work = self.work.saturating_sub(copies);
                if targets.iter().all(|node| !places.contains_key(node)) && self.alike(&targets) {
                    places.extend(targets.iter().enumerate().map(|(copy, &node)| (node, (copy, nodes.len()))));
                    nodes.push(targets);
                }
            }
            at += 1;
            if self.work == 0 {
                return None;
            }
        }
        self.close(&mut nodes, &places);
        Some(self.finish(nodes))
    }

    /// Where the steps of copies of one node lead to, step by step.
    fn targets(&self, row: &[NodeId]) -> Vec<Vec<NodeId>> {
        let width = row.first().map_or(0, |&node| self.steps(node).len());
        let target = |node: NodeId, step: usize| self.steps(node).get(step).map(|step| step.target);
        (0..width).filter_map(|step| row.iter().map(|&node| target(node, step)).collect()).collect()
    }

    /// Takes out nodes that are entered from outside of their copy, or where a move may end that leads out of it; then
    /// what is next to those is looked at again.
    fn close(&self, nodes: &mut Vec<Vec<NodeId>>, places: &FxHashMap<NodeId, (usize, usize)>) {
        let automaton = &self.game.automaton;
        let mut inside = FixedBitSet::with_capacity(nodes.len());
        inside.insert_range(..);
        let mut work: Vec<usize> = (1..nodes.len()).collect();
        while let Some(number) = work.pop() {
            let Some(row) = nodes.get(number).filter(|_| inside.contains(number)) else { continue };
            let outside = |copy: usize, node: NodeId| {
                places.get(&node).is_none_or(|&(other, number)| other != copy || !inside.contains(number))
            };
            let open = |(copy, &node): (usize, &NodeId)| {
                let entered = automaton.incoming(node).iter().any(|&id| outside(copy, automaton.edge(id).source));
                let ends = |id: EdgeId| {
                    let edge = automaton.edge(id);
                    self.game.ends_move(&edge.label) && outside(copy, edge.target)
                };
                entered || automaton.outgoing(node).iter().any(|&id| ends(id))
            };
            if row.iter().enumerate().any(open) {
                inside.set(number, false);
                let Some(&node) = row.first() else { continue };
                let sources = automaton.incoming(node).iter().map(|&id| automaton.edge(id).source);
                let next = automaton.outgoing(node).iter().map(|&id| automaton.edge(id).target).chain(sources);
                work.extend(next.filter_map(|node| places.get(&node)).map(|&(_, number)| number).filter(|&at| at > 0));
            }
        }
        let mut number = 0;
        nodes.retain(|_| {
            number += 1;
            inside.contains(number - 1)
        });
    }

    fn finish(&self, nodes: Vec<Vec<NodeId>>) -> Repeat {
        let first: FxHashMap<NodeId, usize> =
            nodes.iter().enumerate().filter_map(|(number, row)| Some((*row.first()?, number))).collect();
        let mut exits: Vec<Exit> = Vec::new();
        let mut known: FxHashMap<Vec<NodeId>, usize> = FxHashMap::default();
        let mut edges = 0;
        for row in &nodes {
            let steps = row.first().map_or(&[][..], |&node| self.steps(node));
            for (step, targets) in steps.iter().zip(self.targets(row)) {
                edges += 1;
                let inner = first.get(&step.target).and_then(|&number| nodes.get(number));
                if inner == Some(&targets) {
                    continue;
                }
                let number = *known.entry(targets.clone()).or_insert_with(|| {
                    exits.push(Exit { edges: Vec::new(), targets });
                    exits.len() - 1
                });
                if let Some(exit) = exits.get_mut(number) {
                    exit.edges.push(step.edge);
                }
            }
        }
        Repeat { nodes, exits, edges }
    }
}

/// Whether a move ends on a way out. `player` is then assigned by the last edge within the part.
pub fn ends_move(game: &Game, exit: &Exit) -> bool {
    let edge = |&id: &EdgeId| -> &Edge { game.automaton.edge(id) };
    exit.edges.iter().map(edge).any(|edge| game.ends_move(&edge.label))
}
