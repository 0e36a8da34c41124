//! The memory of a tree: nodes, and the edges of all nodes in one piece.

use crate::simple::any;
use backend::{PackedMove, Rng, State, Turn};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// No certain end.
pub(super) const NONE: u32 = u32::MAX;

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    /// To a state without a node.
    Unknown,
    /// To a node.
    Node(u32),
    /// To certain scores: a number for [`Nodes::end`].
    End(u32),
}

/// Stands for no player.
const CHANCE: u32 = u32::MAX;

/// Certain scores among which equal ones are looked for.
const ENDS: usize = 64;

/// A state in which a player has a choice. All of it is in one line of the cache.
#[repr(align(64))]
#[derive(Clone)]
pub(super) struct Node {
    pub(super) state: State,
    /// The player to move; [`CHANCE`] for `random`.
    mover: u32,
    /// Where its edges begin, and how many there are. Those that were tried are the first ones.
    first: u32,
    count: u32,
    tried: u32,
    /// Edges of which it is not known for certain what they lead to.
    open: u32,
    pub(super) visits: u32,
    /// The last simulation that came by.
    pub(super) stamp: u32,
    /// The scores, if the tree below shows how the game ends: a number for [`Nodes::end`].
    pub(super) end: u32,
}

impl Node {
    /// Numbers of its edges.
    pub(super) fn edges(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Numbers of those that were tried.
    pub(super) fn tried(&self) -> Range<usize> {
        self.first as usize..(self.first + self.tried) as usize
    }

    /// The player to move; `None` for `random`.
    pub(super) fn mover(&self) -> Option<usize> {
        (self.mover != CHANCE).then_some(self.mover as usize)
    }

    /// Whether some edge was not tried yet.
    pub(super) fn has_untried(&self) -> bool {
        self.tried < self.count
    }
}

/// A move at a node.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) packed: PackedMove,
    /// Sum of the mover's payoffs.
    pub(super) sum: f64,
    pub(super) visits: u32,
}

/// What a simulation looks at on its way down, apart from the rest of an edge so that many fit into the cache.
#[derive(Clone, Copy)]
pub(super) struct Bandit {
    /// What the move is worth: for certain, or on the average.
    pub(super) mean: f32,
    /// The reciprocal of the square root of the visits; 0 if there is nothing to explore.
    pub(super) width: f32,
    pub(super) to: To,
}

/// A move that was not tried.
const UNTRIED: Bandit = Bandit { mean: 0.0, width: 0.0, to: To::Unknown };

/// Statistics of a move for RAVE: of simulations in which the mover made it at its node or later.
#[derive(Clone, Copy, Default)]
pub(super) struct Rave {
    /// Digest of the move's name.
    pub(super) name: u64,
    pub(super) visits: u32,
    pub(super) sum: f64,
}

/// All nodes; the first one is the root.
#[derive(Clone, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    bandits: Vec<Bandit>,
    /// Per edge, if RAVE is on.
    raves: Vec<Rave>,
    /// Certain scores, those of all players one after the other.
    ends: Vec<f64>,
    players: usize,
    /// Nodes by digest of the state, if equal states share one.
    table: FxHashMap<u64, u32>,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.bandits.clear();
        self.raves.clear();
        self.ends.clear();
        self.table.clear();
    }

    pub(super) fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    pub(super) fn node_mut(&mut self, at: u32) -> Option<&mut Node> {
        self.nodes.get_mut(at as usize)
    }

    pub(super) fn edge(&self, at: usize) -> Option<&Edge> {
        self.edges.get(at)
    }

    /// Where an edge leads.
    pub(super) fn to(&self, edge: usize) -> To {
        self.bandits.get(edge).map_or(To::Unknown, |bandit| bandit.to)
    }

    /// Lets an edge lead to a node.
    pub(super) fn connect(&mut self, edge: usize, child: u32) {
        if let Some(bandit) = self.bandits.get_mut(edge) {
            bandit.to = To::Node(child);
        }
    }

    /// The edges of a node.
    pub(super) fn edges_of(&self, at: u32) -> &[Edge] {
        self.node(at).and_then(|node| self.edges.get(node.edges())).unwrap_or(&[])
    }

    pub(super) fn bandits(&self, range: Range<usize>) -> &[Bandit] {
        self.bandits.get(range).unwrap_or(&[])
    }

    pub(super) fn raves(&self, range: Range<usize>) -> &[Rave] {
        self.raves.get(range).unwrap_or(&[])
    }

    pub(super) fn raves_mut(&mut self, range: Range<usize>) -> &mut [Rave] {
        self.raves.get_mut(range).unwrap_or_default()
    }

    /// Certain scores of all players.
    pub(super) fn end(&self, number: u32) -> &[f64] {
        let first = number as usize * self.players;
        self.ends.get(first..first + self.players).unwrap_or(&[])
    }

    /// Notes certain scores.
    pub(super) fn add_end(&mut self, values: &[f64]) -> u32 {
        self.players = values.len().max(1);
        // Most games have few.
        if let Some(same) = self.ends.chunks_exact(self.players).take(ENDS).position(|end| end == values) {
            return same as u32;
        }
        self.ends.extend_from_slice(values);
        (self.ends.len() / self.players).saturating_sub(1) as u32
    }

    /// The node of a state that has been met before, if equal states share nodes.
    pub(super) fn shared(&self, state: &State) -> Option<u32> {
        let at = *self.table.get(&digest(state))?;
        self.node(at).filter(|node| node.state == *state).map(|_| at)
    }

    /// The node of a state, whether equal states share nodes or not.
    pub(super) fn find(&self, state: &State) -> Option<u32> {
        self.shared(state).or_else(|| self.nodes.iter().position(|node| node.state == *state).map(|at| at as u32))
    }

    /// A new node with its moves; with `names`, RAVE has statistics.
    pub(super) fn add(&mut self, state: &State, turn: Turn, moves: &[PackedMove], names: &[u64]) -> u32 {
        let (at, first) = (self.nodes.len() as u32, self.edges.len() as u32);
        let edge = |&packed: &PackedMove| Edge { packed, sum: 0.0, visits: 0 };
        self.edges.extend(moves.iter().map(edge));
        self.bandits.resize(self.edges.len(), UNTRIED);
        self.raves.extend(names.iter().map(|&name| Rave { name, ..Rave::default() }));
        let count = moves.len() as u32;
        let state = state.clone();
        let mover = match turn {
            Turn::Player(mover) => mover as u32,
            Turn::Random | Turn::End => CHANCE,
        };
        self.nodes.push(Node { state, mover, first, count, tried: 0, open: count, visits: 0, stamp: 0, end: NONE });
        at
    }

    /// Lets equal states share a node from now on.
    pub(super) fn share(&mut self, at: u32) {
        if let Some(node) = self.nodes.get(at as usize) {
            self.table.entry(digest(&node.state)).or_insert(at);
        }
    }

    /// An edge that was not tried, each equally likely, as the next one of those that were.
    pub(super) fn any_untried(&mut self, at: u32, rng: &mut Rng) -> usize {
        let Some(node) = self.nodes.get(at as usize) else { return 0 };
        let next = node.tried().end;
        let drawn = next + any(rng, (node.count - node.tried) as usize);
        self.try_edge(at, drawn)
    }

    /// Puts an edge that was not tried behind those that were; where it is then.
    pub(super) fn try_edge(&mut self, at: u32, edge: usize) -> usize {
        let Some(node) = self.nodes.get_mut(at as usize) else { return edge };
        let next = node.tried().end;
        if edge >= next && node.edges().contains(&edge) {
            node.tried += 1;
            self.edges.swap(next, edge);
            self.bandits.swap(next, edge);
            if !self.raves.is_empty() {
                self.raves.swap(next, edge);
            }
            return next;
        }
        edge
    }

    /// Adds the payoff of some visits to an edge.
    pub(super) fn count(&mut self, edge: usize, visits: u32, value: f64) {
        if let (Some(edge), Some(bandit)) = (self.edges.get_mut(edge), self.bandits.get_mut(edge)) {
            edge.visits = edge.visits.saturating_add(visits);
            edge.sum += f64::from(visits) * value;
            if !matches!(bandit.to, To::End(_)) {
                let visits = edge.visits as f32;
                (bandit.mean, bandit.width) = (edge.sum as f32 / visits, visits.sqrt().recip());
            }
        }
    }

    /// Notes that an edge of a node leads to certain scores. If nothing better is possible, so does the node. `best`: the
    /// greatest payoff there is.
    pub(super) fn learn(&mut self, at: u32, edge: usize, mover: usize, end: u32, best: f64) {
        let value = self.end(end).get(mover).copied().unwrap_or(0.0);
        let (Some(node), Some(bandit)) = (self.nodes.get_mut(at as usize), self.bandits.get_mut(edge)) else { return };
        if matches!(bandit.to, To::End(_)) {
            return;
        }
        *bandit = Bandit { mean: value as f32, width: 0.0, to: To::End(end) };
        node.open = node.open.saturating_sub(1);
        if node.end == NONE && value >= best {
            node.end = end;
        } else if node.end == NONE && node.open == 0 {
            let range = node.edges();
            let bandits = self.bandits.get(range).unwrap_or(&[]).iter();
            let best = bandits.reduce(|best, other| if other.mean > best.mean { other } else { best });
            if let (Some(Bandit { to: To::End(end), .. }), Some(node)) = (best, self.nodes.get_mut(at as usize)) {
                node.end = *end;
            }
        }
    }

    /// Only the nodes below `root`, which becomes the first one, in the order of a breadth-first walk.
    pub(super) fn retain(&mut self, root: u32) {
        let old = std::mem::take(self);
        self.players = old.players;
        let shared = !old.table.is_empty();
        let mut places = vec![NONE; old.nodes.len()];
        let mut order = vec![root];
        if let Some(place) = places.get_mut(root as usize) {
            *place = 0;
        }
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            for bandit in old.node(at).map_or(&[][..], |node| old.bandits(node.edges())) {
                let To::Node(child) = bandit.to else { continue };
                if let Some(place) = places.get_mut(child as usize).filter(|place| **place == NONE) {
                    *place = order.len() as u32;
                    order.push(child);
                }
            }
        }
        let mut nodes: Vec<Option<Node>> = old.nodes.into_iter().map(Some).collect();
        for (new, at) in order.into_iter().enumerate() {
            let Some(mut node) = nodes.get_mut(at as usize).and_then(Option::take) else { continue };
            let range = node.edges();
            node.first = self.edges.len() as u32;
            self.edges.extend_from_slice(old.edges.get(range.clone()).unwrap_or(&[]));
            self.bandits.extend(old.bandits.get(range.clone()).unwrap_or(&[]).iter().map(|bandit| {
                let place = |child: u32| places.get(child as usize).copied().unwrap_or(NONE);
                let to = if let To::Node(child) = bandit.to { To::Node(place(child)) } else { bandit.to };
                Bandit { to, ..*bandit }
            }));
            self.raves.extend_from_slice(old.raves.get(range).unwrap_or(&[]));
            self.nodes.push(node);
            if shared {
                self.share(new as u32);
            }
        }
        self.ends = old.ends;
    }
}

fn digest(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}
