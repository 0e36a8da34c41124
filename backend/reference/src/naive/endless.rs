//! Moves without end: tags that a walk can repeat for ever before it ends its move.
//!
//! A state has infinitely many moves if a cycle of walks from it emits a tag and a move can still be ended from there. The
//! search for moves never ends then, since every round makes another label. Walks are therefore followed without their labels
//! here, as a graph of finitely many pairs of node and semistate, in which such a cycle is a strongly connected component
//! (Kosaraju) with an edge that emits a tag.

use super::search::Search;
use super::{Cells, Naive, Space};
use engine::Error;
use engine::state::State;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rg_ir::ids::Id;
use rg_ir::{Label, NodeId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Pairs of node and semistate that are looked at.
const MAX_PAIRS: usize = 50_000;

/// What can be repeated.
pub(crate) struct Endless {
    /// The tags of one round, at least one.
    pub(crate) tags: Vec<String>,
    /// Name of the node where the round begins.
    pub(crate) node: String,
    /// Whether a move can be ended after any number of rounds. If not, walks in the round are part of no move, but a search
    /// still goes round for ever.
    pub(crate) ends: bool,
}

/// Pairs that walks reach, by number; edges carry the tag that they emit.
type Walks = DiGraph<(), Option<u32>, u32>;

impl Naive {
    /// Tags that moves of a state can repeat without end; `None` if there are none, or the walks were not followed to
    /// the end. Time and memory are proportional to the pairs looked at and the steps between them.
    ///
    /// # Errors
    /// Those of the search for moves.
    pub(crate) fn endless(&self, state: &State) -> Result<Option<Endless>, Error> {
        let (cells, node) = self.unpack(state);
        let Some((walks, nodes, ending)) = self.walks(cells, node)? else { return Ok(None) };
        let found = ending_round(&walks, &ending).map(|round| (round, true));
        let Some((round, ends)) = found.or_else(|| any_round(&walks).map(|round| (round, false))) else {
            return Ok(None);
        };
        let name = |tag: u32| self.game.name(Symbol::from_index(tag as usize)).to_owned();
        let node = nodes.get(round.begin.index()).map(|&node| self.game.node_name(node).to_owned());
        Ok(Some(Endless { tags: round.tags.into_iter().map(name).collect(), node: node.unwrap_or_default(), ends }))
    }

    /// The graph of walks, the node of each pair, and the pairs at which a move can be ended.
    #[expect(clippy::type_complexity, reason = "used once")]
    fn walks(&self, cells: Cells, node: NodeId) -> Result<Option<(Walks, Vec<NodeId>, Vec<NodeIndex>)>, Error> {
        let mut search = Search::new(self);
        let mut walks = Walks::default();
        let mut numbers: FxHashMap<(NodeId, Cells), NodeIndex> = FxHashMap::default();
        let (mut nodes, mut ending) = (vec![node], Vec::new());
        let start = walks.add_node(());
        numbers.insert((node, cells.clone()), start);
        let mut queue = VecDeque::from([(start, node, cells)]);
        while let Some((at, node, cells)) = queue.pop_front() {
            if node == self.game.end() {
                continue;
            }
            for &id in self.game.automaton.outgoing(node) {
                let edge = self.game.automaton.edge(id);
                let tag = match edge.label {
                    Label::Tag(tag) => Some(tag.index() as u32),
                    Label::TagVar(var) => Some(self.read(&cells, Space::State, self.offsets[var])),
                    _ => None,
                };
                for next in search.successors(&cells, edge.label)? {
                    if self.game.ends_move(&edge.label) {
                        ending.push(at);
                        continue;
                    }
                    let target = *numbers.entry((edge.target, next)).or_insert_with_key(|(node, cells)| {
                        let new = walks.add_node(());
                        nodes.push(*node);
                        queue.push_back((new, *node, cells.clone()));
                        new
                    });
                    walks.add_edge(at, target, tag);
                }
            }
            if nodes.len() > MAX_PAIRS {
                return Ok(None);
            }
        }
        Ok(Some((walks, nodes, ending)))
    }
}

/// A cycle with a tag.
struct Round {
    begin: NodeIndex,
    tags: Vec<u32>,
}

/// A cycle with a tag from which a move can be ended.
fn ending_round(walks: &Walks, ending: &[NodeIndex]) -> Option<Round> {
    let mut reaches: FxHashSet<NodeIndex> = ending.iter().copied().collect();
    let mut open: Vec<NodeIndex> = ending.to_vec();
    while let Some(at) = open.pop() {
        let before = walks.neighbors_directed(at, petgraph::Direction::Incoming);
        open.extend(before.filter(|&source| reaches.insert(source)));
    }
    round(walks, &|at| reaches.contains(&at))
}

/// Any cycle with a tag.
fn any_round(walks: &Walks) -> Option<Round> {
    round(walks, &|_| true)
}

/// The cycle with a tag that begins nearest to the start, among pairs that fulfil a condition which all pairs of one strongly
/// connected component fulfil or none.
fn round(walks: &Walks, allowed: &dyn Fn(NodeIndex) -> bool) -> Option<Round> {
    let mut component = vec![0usize; walks.node_count()];
    for (number, members) in kosaraju_scc(walks).into_iter().enumerate() {
        for member in members {
            component[member.index()] = number;
        }
    }
    let inside = |a: NodeIndex, b: NodeIndex| component.get(a.index()) == component.get(b.index());
    let tagged = walks.edge_references().filter(|edge| edge.weight().is_some());
    let first = tagged.filter(|edge| inside(edge.source(), edge.target()) && allowed(edge.source()));
    let first = first.min_by_key(|edge| edge.source())?;
    let begin = first.source();
    let mut tags: Vec<u32> = first.weight().iter().copied().collect();
    tags.extend(way_back(walks, first.target(), begin, &inside));
    Some(Round { begin, tags })
}

/// The tags on a shortest way from one pair to another of the same component.
fn way_back(walks: &Walks, from: NodeIndex, to: NodeIndex, inside: &dyn Fn(NodeIndex, NodeIndex) -> bool) -> Vec<u32> {
    let mut before: FxHashMap<NodeIndex, (NodeIndex, Option<u32>)> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == to {
            break;
        }
        for edge in walks.edges(at).filter(|edge| inside(edge.target(), to)) {
            if edge.target() != from && !before.contains_key(&edge.target()) {
                before.insert(edge.target(), (at, *edge.weight()));
                queue.push_back(edge.target());
            }
        }
    }
    let mut tags = Vec::new();
    let mut at = to;
    while at != from
        && let Some(&(source, tag)) = before.get(&at)
    {
        tags.extend(tag);
        at = source;
    }
    tags.reverse();
    tags
}
