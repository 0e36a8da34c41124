//! The tree of UCT: states with statistics of their moves.

use super::Options;
use crate::Situation;
use crate::budget::{Budget, Meter};
use crate::payoffs::{Payoffs, Scale};
use crate::simple::any;
use backend::{Error, Moves, PlayoutStats, Reasoner, Rng, State, Turn};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// No node.
const NONE: u32 = u32::MAX;

struct Node {
    state: State,
    turn: Turn,
    /// The legal moves, once they were listed.
    edges: Vec<Edge>,
    visits: u32,
    /// The last simulation that came by.
    stamp: u64,
    /// The scores, if the play is over here, or if the tree below shows how it ends.
    end: Option<Box<[f64]>>,
}

struct Edge {
    /// Where the move leads, or [`NONE`] yet.
    child: u32,
    visits: u32,
    /// Sum of the mover's payoffs.
    sum: f64,
    /// The same for RAVE: of simulations in which the mover made this move here or later.
    rave: (u32, f64),
    /// Digest of the move's name, if RAVE needs it.
    name: u64,
    /// What the mover gets for certain, if that is known.
    solved: Option<f64>,
}

/// Statistics of a move at the root.
#[derive(Clone, Copy, Default)]
pub(super) struct Tried {
    pub(super) visits: u64,
    /// Sum of the mover's payoffs.
    pub(super) sum: f64,
    /// What the mover gets for certain.
    pub(super) solved: Option<f64>,
}

impl Tried {
    /// What the move is worth: for certain, or on the average.
    pub(super) fn value(&self) -> Option<f64> {
        self.solved.or((self.visits > 0).then(|| self.sum / self.visits as f64))
    }
}

/// Statistics of the moves at the root, and the work for them.
#[derive(Default)]
pub(super) struct Root {
    pub(super) edges: Vec<Tried>,
    pub(super) playouts: u64,
    pub(super) nodes: u64,
}

impl Root {
    pub(super) fn add(&mut self, other: Self) {
        self.edges.resize(self.edges.len().max(other.edges.len()), Tried::default());
        for (edge, more) in self.edges.iter_mut().zip(other.edges) {
            edge.visits += more.visits;
            edge.sum += more.sum;
            edge.solved = edge.solved.or(more.solved);
        }
        self.playouts += other.playouts;
        self.nodes += other.nodes;
    }
}

/// A tree, and everything one thread needs to let it grow.
pub(super) struct Tree {
    options: Options,
    payoffs: Payoffs,
    rng: Rng,
    nodes: Vec<Node>,
    /// Nodes by state, where equal states share one.
    table: FxHashMap<State, u32>,
    scale: Scale,
    /// The greatest payoff there is.
    best: f64,
    simulation: u64,
    moves: Moves,
    stats: PlayoutStats,
    /// Moves of the present simulation, from the root on.
    path: Vec<(u32, u32)>,
    /// Names of the moves of the present playout with their movers.
    played: Vec<(usize, u64)>,
    values: Vec<f64>,
}

impl Tree {
    pub(super) fn new(options: Options, payoffs: Payoffs, seed: u64) -> Self {
        Self {
            best: payoffs.greatest(),
            options,
            payoffs,
            rng: Rng::new(seed),
            nodes: Vec::new(),
            table: FxHashMap::default(),
            scale: Scale::new(),
            simulation: 0,
            moves: Moves::new(),
            stats: PlayoutStats::default(),
            path: Vec::new(),
            played: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Grows the tree from `state` until the budget is used up, by one simulation at least; if there is but one move, by
    /// none.
    pub(super) fn search(&mut self, situation: &Situation<'_>, state: &State, budget: Budget) -> Result<Root, Error> {
        let reasoner = situation.reasoner;
        let mut meter = budget.start(situation.stop);
        self.root(reasoner, state)?;
        let forced = self.nodes.first().is_some_and(|root| root.edges.len() <= 1);
        while !forced && (meter.playouts == 0 || !meter.is_over()) && !self.is_solved() {
            let before = self.nodes.len();
            self.simulate(reasoner)?;
            meter.playouts += 1;
            // Where the tree has all there is, simulations are what is left to count.
            meter.nodes += (self.nodes.len() - before).max(1) as u64;
        }
        Ok(self.summary(&meter))
    }

    fn summary(&self, meter: &Meter<'_>) -> Root {
        let edges = self.nodes.first().map_or(&[][..], |root| &root.edges);
        let tried = |edge: &Edge| Tried { visits: u64::from(edge.visits), sum: edge.sum, solved: edge.solved };
        let edges = edges.iter().map(tried).collect();
        Root { edges, playouts: meter.playouts, nodes: self.nodes.len() as u64 }
    }

    fn is_solved(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.end.is_some())
    }

    /// Makes the node of a state, with its moves, the first one; of the others only those below it stay.
    fn root(&mut self, reasoner: &Reasoner, state: &State) -> Result<(), Error> {
        let known = match (self.options.keep, self.options.table) {
            (false, _) => None,
            (true, true) => self.table.get(state).map(|&at| at as usize),
            (true, false) => self.nodes.iter().position(|node| node.state == *state),
        };
        let old = std::mem::take(&mut self.nodes);
        self.table.clear();
        match known {
            Some(first) => self.retain(old, first),
            None => {
                self.scale = Scale::new();
                self.node(reasoner, state.clone());
            }
        }
        self.list(reasoner, 0)
    }

    /// Takes over the nodes below `first`, in the order of a breadth-first walk.
    fn retain(&mut self, old: Vec<Node>, first: usize) {
        let mut places = vec![NONE; old.len()];
        let mut order = vec![first];
        if let Some(place) = places.get_mut(first) {
            *place = 0;
        }
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            for edge in old.get(at).map_or(&[][..], |node| &node.edges) {
                if let Some(place) = places.get_mut(edge.child as usize).filter(|place| **place == NONE) {
                    *place = order.len() as u32;
                    order.push(edge.child as usize);
                }
            }
        }
        let mut old: Vec<Option<Node>> = old.into_iter().map(Some).collect();
        for at in order {
            let Some(mut node) = old.get_mut(at).and_then(Option::take) else { continue };
            for edge in &mut node.edges {
                edge.child = places.get(edge.child as usize).copied().unwrap_or(NONE);
            }
            if self.options.table {
                self.table.insert(node.state.clone(), self.nodes.len() as u32);
            }
            self.nodes.push(node);
        }
    }

    /// The node of a state, new if there is none to share.
    fn node(&mut self, reasoner: &Reasoner, state: State) -> u32 {
        let fresh = self.nodes.len() as u32;
        if self.options.table {
            let at = *self.table.entry(state.clone()).or_insert(fresh);
            if at != fresh {
                return at;
            }
        }
        let turn = reasoner.turn(&state);
        let end = (turn == Turn::End).then(|| self.payoffs.of(reasoner, &state).into());
        self.nodes.push(Node { state, turn, edges: Vec::new(), visits: 0, stamp: 0, end });
        fresh
    }

    /// Lists the moves of a node, if that has not been done.
    fn list(&mut self, reasoner: &Reasoner, at: u32) -> Result<(), Error> {
        let named = self.options.rave.is_some();
        let Some(node) = self.nodes.get_mut(at as usize).filter(|node| node.edges.is_empty()) else { return Ok(()) };
        reasoner.legal_moves(&node.state, &mut self.moves)?;
        let moves = &self.moves;
        let edge = |index| {
            let name = if named { name(moves, index) } else { 0 };
            Edge { child: NONE, visits: 0, sum: 0.0, rave: (0, 0.0), name, solved: None }
        };
        node.edges = (0..moves.len()).map(edge).collect();
        Ok(())
    }

    /// One simulation: down the tree, one node more, a random playout, and the result back up.
    fn simulate(&mut self, reasoner: &Reasoner) -> Result<(), Error> {
        self.simulation += 1;
        self.path.clear();
        self.played.clear();
        let mut at = 0;
        loop {
            let full = self.nodes.len() >= self.options.max_nodes;
            let Some(node) = self.nodes.get_mut(at as usize) else { return Ok(()) };
            // A play may come by a state again; the tree is then left, so that it ends.
            let again = node.stamp == self.simulation;
            node.stamp = self.simulation;
            if let Some(end) = &node.end {
                self.values.clear();
                self.values.extend_from_slice(end);
                break;
            }
            if again || (at != 0 && node.edges.is_empty() && (node.visits == 0 || full)) {
                let state = node.state.clone();
                self.playout(reasoner, state)?;
                break;
            }
            self.list(reasoner, at)?;
            let index = self.select(at);
            self.path.push((at, index));
            at = match self.edge(at, index).map_or(NONE, |edge| edge.child) {
                NONE => self.grow(reasoner, at, index)?,
                child => child,
            };
        }
        self.scale.see(&self.values);
        self.back_up(at);
        Ok(())
    }

    fn edge(&self, at: u32, index: u32) -> Option<&Edge> {
        self.nodes.get(at as usize)?.edges.get(index as usize)
    }

    /// The node that a move leads to for the first time.
    fn grow(&mut self, reasoner: &Reasoner, at: u32, index: u32) -> Result<u32, Error> {
        let Some(mut state) = self.nodes.get(at as usize).map(|node| node.state.clone()) else { return Ok(0) };
        reasoner.legal_moves(&state, &mut self.moves)?;
        reasoner.apply(&mut state, &self.moves, index as usize)?;
        let child = self.node(reasoner, state);
        if let Some(edge) = self.nodes.get_mut(at as usize).and_then(|node| node.edges.get_mut(index as usize)) {
            edge.child = child;
        }
        Ok(child)
    }

    /// The move to go on with.
    fn select(&mut self, at: u32) -> u32 {
        let Some(node) = self.nodes.get(at as usize) else { return 0 };
        let count = node.edges.len().max(1);
        if node.turn == Turn::Random {
            return any(&mut self.rng, count) as u32;
        }
        let visits: u64 = node.edges.iter().map(|edge| u64::from(edge.visits)).sum();
        let log = (visits.max(1) as f64).ln();
        // The first of equals from a random place on.
        let start = any(&mut self.rng, count);
        let (mut best, mut choice) = (f64::NEG_INFINITY, start);
        for offset in 0..count {
            let index = if start + offset < count { start + offset } else { start + offset - count };
            let Some(edge) = node.edges.get(index) else { continue };
            let urgency = self.urgency(edge, log);
            if urgency > best {
                (best, choice) = (urgency, index);
            }
        }
        choice as u32
    }

    /// How much a move wants to be tried. `log`: logarithm of the visits of all.
    fn urgency(&self, edge: &Edge, log: f64) -> f64 {
        let mean = |(visits, sum): (u32, f64)| self.scale.unit(sum / f64::from(visits));
        let visits = f64::from(edge.visits);
        let rave = self.options.rave.filter(|_| edge.rave.0 > 0).map(|equal| {
            // The weight of RAVE falls with the visits (Gelly and Silver, 2007).
            ((equal / (3.0 * visits + equal)).sqrt(), mean(edge.rave))
        });
        if let Some(value) = edge.solved {
            return self.scale.unit(value); // there is nothing to explore
        }
        let own = (edge.visits > 0).then(|| mean((edge.visits, edge.sum)));
        let value = match (own, rave) {
            (Some(own), Some((weight, rave))) => (1.0 - weight) * own + weight * rave,
            (Some(own), None) => own,
            (None, Some((_, rave))) => rave,
            (None, None) => return self.options.first_play.unwrap_or(f64::MAX),
        };
        value + self.options.exploration * (log / visits.max(1.0)).sqrt()
    }

    /// A random playout. For RAVE the moves have to be known, otherwise the engine does it alone.
    fn playout(&mut self, reasoner: &Reasoner, mut state: State) -> Result<(), Error> {
        self.values.clear();
        if self.options.rave.is_none() {
            reasoner.playout_from(&state, &mut self.rng, &mut self.stats)?;
            self.values.extend(self.payoffs.last(&self.stats));
            return Ok(());
        }
        let limit = backend::Limits::default().plies;
        for _ in 0..limit {
            let turn = reasoner.turn(&state);
            if turn == Turn::End {
                self.values = self.payoffs.of(reasoner, &state);
                return Ok(());
            }
            reasoner.legal_moves(&state, &mut self.moves)?;
            let index = any(&mut self.rng, self.moves.len());
            if let Turn::Player(player) = turn {
                self.played.push((player, name(&self.moves, index)));
            }
            reasoner.apply(&mut state, &self.moves, index)?;
        }
        // It does not end within the limit: the engine says so.
        reasoner.playout_from(&state, &mut self.rng, &mut self.stats)?;
        self.values.extend(self.payoffs.last(&self.stats));
        Ok(())
    }

    /// Adds the values of the simulation to everything on its way, which ended at node `leaf`.
    fn back_up(&mut self, leaf: u32) {
        if let Some(node) = self.nodes.get_mut(leaf as usize) {
            node.visits = node.visits.saturating_add(1);
        }
        let rave = self.options.rave.is_some();
        let mut later: FxHashSet<(usize, u64)> =
            if rave { self.played.iter().copied().collect() } else { FxHashSet::default() };
        let mut child = leaf;
        for &(at, index) in self.path.iter().rev() {
            let below = self.nodes.get(child as usize).and_then(|node| node.end.clone());
            child = at;
            let Some(node) = self.nodes.get_mut(at as usize) else { continue };
            node.visits = node.visits.saturating_add(1);
            let mover = match node.turn {
                Turn::Player(mover) => mover,
                Turn::Random | Turn::End => usize::MAX,
            };
            let value = self.values.get(mover).copied().unwrap_or(0.0);
            if let (Some(end), false) = (below, mover == usize::MAX) {
                node.learn(index as usize, mover, end, self.best);
            }
            if let Some(edge) = node.edges.get_mut(index as usize) {
                edge.visits = edge.visits.saturating_add(1);
                edge.sum += value;
                if rave {
                    later.insert((mover, edge.name));
                }
            }
            if rave && mover != usize::MAX {
                for edge in node.edges.iter_mut().filter(|edge| later.contains(&(mover, edge.name))) {
                    edge.rave = (edge.rave.0.saturating_add(1), edge.rave.1 + value);
                }
            }
        }
    }
}

impl Node {
    /// Notes that a move leads to these scores for certain. If nothing better is possible, so does the node. `best`: the
    /// greatest payoff there is.
    fn learn(&mut self, index: usize, mover: usize, end: Box<[f64]>, best: f64) {
        let value = end.get(mover).copied().unwrap_or(0.0);
        if let Some(edge) = self.edges.get_mut(index) {
            edge.solved = Some(value);
        }
        let known = self.edges.iter().try_fold(f64::NEG_INFINITY, |most, edge| Some(edge.solved?.max(most)));
        if self.end.is_none() && (value >= best || known == Some(value)) {
            self.end = Some(end);
        }
    }
}

/// Digest of a move's tags and outcome.
fn name(moves: &Moves, index: usize) -> u64 {
    let mut hasher = FxHasher::default();
    (moves.tags(index), moves.outcome(index)).hash(&mut hasher);
    hasher.finish()
}
