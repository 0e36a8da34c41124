//! One tree of UCT, and everything that one thread needs to let it grow.

use super::Options;
use super::nodes::{NONE, Nodes, To};
use crate::budget::{Budget, Meter};
use crate::payoffs::{Payoffs, Scale};
use crate::simple::any;
use crate::{Insight, Situation};
use backend::{Error, Moves, PackedMove, PlayoutStats, Reasoner, Rng, State, Turn};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The factor of exploration is looked up by this many bits of the number of visits behind the first one.
const LOG_BITS: u32 = 5;

/// Factor of the term of exploration: in short matches of four games 0.2 to 0.4 did about as well, and 0.7 worse.
const EXPLORATION: f64 = 0.3;

/// Plies of the playouts of a simulation that are worth the way down the tree, and the most playouts for that.
const WORK: u64 = 64;
const MAX_PLAYOUTS: u64 = 4;

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

/// Statistics of the moves at the root, by their indices, and the work for them.
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

/// The tree.
#[derive(Clone)]
pub(super) struct Tree {
    options: Options,
    payoffs: Payoffs,
    rng: Rng,
    nodes: Nodes,
    scale: Scale,
    /// The greatest payoff there is.
    best: f64,
    /// The square roots of the logarithms of numbers, by their first bits.
    logs: Vec<f32>,
    simulation: u32,
    /// Length of the longest branch.
    depth: u32,
    /// Playouts of the present simulation.
    weight: u32,
    /// Where the present simulation is.
    state: State,
    packed: Vec<PackedMove>,
    moves: Moves,
    names: Vec<u64>,
    stats: PlayoutStats,
    /// Nodes and edges of the present simulation, from the root on.
    path: Vec<(u32, usize)>,
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
            nodes: Nodes::default(),
            scale: Scale::new(),
            logs: logs(),
            simulation: 0,
            depth: 0,
            weight: 1,
            state: State::default(),
            packed: Vec::new(),
            moves: Moves::new(),
            names: Vec::new(),
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
        let mut meter = budget.start(situation);
        self.depth = 0;
        self.root(reasoner, state)?;
        let forced = self.nodes.edges_of(0).len() <= 1;
        while !forced && (meter.playouts == 0 || !meter.is_over()) && !self.is_solved() {
            let before = self.nodes.len();
            let left = budget.playouts.map_or(u64::MAX, |limit| limit.saturating_sub(meter.playouts).max(1));
            self.weight = u32::try_from(left).unwrap_or(u32::MAX).min(self.playouts());
            self.simulate(reasoner)?;
            meter.playouts += u64::from(self.weight);
            // Where a simulation adds no node, it is what is left to count.
            meter.nodes += (self.nodes.len() - before).max(1) as u64;
            self.depth = self.depth.max(self.path.len() as u32);
            if meter.is_due() {
                self.report(reasoner, state, &mut meter)?;
            }
        }
        self.summary(reasoner, state, &meter)
    }

    /// Playouts of a simulation: where they are short, the way down the tree would take longer than one of them.
    fn playouts(&self) -> u32 {
        let worth = || (WORK * self.stats.plays).div_ceil(self.stats.plies.max(1)).clamp(1, MAX_PLAYOUTS) as u32;
        if self.options.rave.is_some() { 1 } else { self.options.playouts.unwrap_or_else(worth) }
    }

    /// Reports what has been found out so far.
    fn report(&mut self, reasoner: &Reasoner, state: &State, meter: &mut Meter<'_>) -> Result<(), Error> {
        let root = self.summary(reasoner, state, meter)?;
        let tried = |(index, edge): (usize, &Tried)| Some((index, edge.visits, edge.value()?));
        let moves: Vec<_> = root.edges.iter().enumerate().filter_map(tried).collect();
        let line = self.line(reasoner)?;
        meter.report(&Insight {
            playouts: root.playouts,
            nodes: root.nodes,
            depth: self.depth,
            moves: &moves,
            line: &line,
        });
        Ok(())
    }

    /// The moves that are made most often, from the root on.
    fn line(&mut self, reasoner: &Reasoner) -> Result<Vec<usize>, Error> {
        let (mut line, mut at) = (Vec::new(), Some(0));
        while let Some(node) = at.take().and_then(|at| self.nodes.node(at)).filter(|_| line.len() < self.depth as usize)
        {
            let visits = |index: &usize| self.nodes.edge(*index).map_or(0, |edge| edge.visits);
            let Some(most) = node.tried().max_by_key(visits) else { break };
            reasoner.packed_moves(&node.state, &mut self.packed)?;
            let Some(edge) = self.nodes.edge(most) else { break };
            line.extend(self.packed.iter().position(|packed| *packed == edge.packed));
            if let To::Node(child) = self.nodes.to(most) {
                at = Some(child);
            }
        }
        Ok(line)
    }

    /// The moves at the root by their indices, of which the tree knows no more than how they are packed.
    fn summary(&mut self, reasoner: &Reasoner, state: &State, meter: &Meter<'_>) -> Result<Root, Error> {
        reasoner.packed_moves(state, &mut self.packed)?;
        let Some(root) = self.nodes.node(0) else { return Ok(Root::default()) };
        let packed = |index: usize| Some((self.nodes.edge(index)?.packed, index));
        let places: FxHashMap<PackedMove, usize> = root.edges().filter_map(packed).collect();
        let tried = |packed: &PackedMove| {
            let place = places.get(packed).and_then(|&index| Some((index, self.nodes.edge(index)?)));
            let Some((index, edge)) = place else { return Tried::default() };
            let solved = match (self.nodes.to(index), root.mover()) {
                (To::End(end), Some(mover)) => self.nodes.end(end).get(mover).copied(),
                _ => None,
            };
            Tried { visits: u64::from(edge.visits), sum: edge.sum, solved }
        };
        let edges = self.packed.iter().map(tried).collect();
        Ok(Root { edges, playouts: meter.playouts, nodes: self.nodes.len() as u64 })
    }

    fn is_solved(&self) -> bool {
        self.nodes.node(0).is_some_and(|root| root.end != NONE)
    }

    /// Makes the node of a state the first one; of the others only those below it stay.
    fn root(&mut self, reasoner: &Reasoner, state: &State) -> Result<(), Error> {
        match self.nodes.find(state).filter(|_| self.options.keep) {
            Some(at) => self.nodes.retain(at),
            None => {
                self.nodes.clear();
                self.scale = Scale::new();
                self.state.clone_from(state);
                self.add(reasoner)?;
            }
        }
        Ok(())
    }

    /// A node for the present state.
    fn add(&mut self, reasoner: &Reasoner) -> Result<u32, Error> {
        if self.options.table
            && let Some(at) = self.nodes.shared(&self.state)
        {
            return Ok(at);
        }
        reasoner.packed_moves(&self.state, &mut self.packed)?;
        if self.options.rave.is_some() {
            reasoner.legal_moves(&self.state, &mut self.moves)?;
            self.names.clear();
            self.names.extend((0..self.moves.len()).map(|index| name(&self.moves, index)));
        }
        let at = self.nodes.add(&self.state, reasoner.turn(&self.state), &self.packed, &self.names);
        if self.options.table {
            self.nodes.share(at);
        }
        Ok(at)
    }

    /// One simulation: down the tree, one node more where a move was tried before, random playouts, and their mean back up.
    fn simulate(&mut self, reasoner: &Reasoner) -> Result<(), Error> {
        self.simulation = self.simulation.wrapping_add(1);
        self.path.clear();
        self.played.clear();
        let mut at = 0;
        loop {
            let Some(node) = self.nodes.node_mut(at) else { return Ok(()) };
            if node.end != NONE {
                let end = node.end;
                self.known(end);
                break;
            }
            // A game may reach a state again; the tree is then left, so that it ends.
            if node.stamp == self.simulation {
                self.state.clone_from(&node.state);
                self.playout(reasoner)?;
                break;
            }
            node.stamp = self.simulation;
            let index = self.select(at);
            self.path.push((at, index));
            match self.nodes.to(index) {
                To::Node(child) => {
                    at = child;
                    continue;
                }
                To::End(end) => {
                    self.known(end);
                    break;
                }
                To::Unknown => {}
            }
            let (Some(edge), Some(node)) = (self.nodes.edge(index), self.nodes.node(at)) else { return Ok(()) };
            let (packed, visits) = (edge.packed, edge.visits);
            self.state.clone_from(&node.state);
            reasoner.apply_packed(&mut self.state, packed)?;
            let over = reasoner.is_terminal(&self.state);
            if !over && visits > 0 && self.nodes.len() < self.options.max_nodes {
                let child = self.add(reasoner)?;
                self.nodes.connect(index, child);
                at = child;
                continue;
            }
            self.playout(reasoner)?;
            if over {
                let end = self.nodes.add_end(&self.values);
                self.solve(at, index, end);
            }
            break;
        }
        self.scale.see(&self.values);
        self.back_up();
        Ok(())
    }

    /// Takes certain scores for the values of the simulation.
    fn known(&mut self, end: u32) {
        self.values.clear();
        self.values.extend_from_slice(self.nodes.end(end));
    }

    /// Notes that an edge of a node leads to certain scores.
    fn solve(&mut self, at: u32, index: usize, end: u32) {
        if let Some(mover) = self.nodes.node(at).and_then(|node| node.mover()) {
            self.nodes.learn(at, index, mover, end, self.best);
        }
    }

    /// The edge to go on with.
    fn select(&mut self, at: u32) -> usize {
        let Some(node) = self.nodes.node(at) else { return 0 };
        if node.mover().is_none() {
            return node.edges().start + any(&mut self.rng, node.edges().len());
        }
        if self.options.rave.is_some() {
            return self.select_by_rave(at);
        }
        let untried = node.has_untried();
        let least = match self.options.first_play {
            None if untried => return self.nodes.any_untried(at, &mut self.rng),
            Some(urgency) if untried => self.scale.raw(urgency) as f32,
            _ => f32::NEG_INFINITY,
        };
        let factor = self.exploration(node.visits);
        let (mut best, mut choice) = (least, usize::MAX);
        // The first of equals: they are in random order.
        for (index, bandit) in node.tried().zip(self.nodes.bandits(node.tried())) {
            let urgency = bandit.mean + factor * bandit.width;
            if urgency > best {
                (best, choice) = (urgency, index);
            }
        }
        match choice {
            usize::MAX if untried => self.nodes.any_untried(at, &mut self.rng),
            usize::MAX => node.edges().start,
            _ => choice,
        }
    }

    /// The factor of the term of exploration at a node, in the units of the game.
    fn exploration(&self, visits: u32) -> f32 {
        let log = self.logs.get(first_bits(visits)).copied().unwrap_or_default();
        (self.options.exploration.unwrap_or(EXPLORATION) * self.scale.width()) as f32 * log
    }

    /// As [`Tree::select`], with the statistics of RAVE, whose weight falls with the visits (Gelly and Silver, 2007).
    fn select_by_rave(&mut self, at: u32) -> usize {
        let Some(node) = self.nodes.node(at) else { return 0 };
        let equal = self.options.rave.unwrap_or(0.0) as f32;
        let factor = self.exploration(node.visits);
        let fresh = self.options.first_play.map_or(f32::MAX, |urgency| self.scale.raw(urgency) as f32);
        let (range, tried) = (node.edges(), node.tried().end);
        let start = any(&mut self.rng, range.len());
        let (mut best, mut choice) = (f32::NEG_INFINITY, range.start + start);
        let edges = range.clone().zip(self.nodes.bandits(range.clone())).zip(self.nodes.raves(range));
        let later = edges.clone().skip(start);
        for ((index, bandit), rave) in later.chain(edges.take(start)) {
            let after = rave.sum as f32 / rave.visits.max(1) as f32;
            let urgency = match (index < tried, rave.visits > 0) {
                (true, _) if bandit.width == 0.0 => bandit.mean,
                (true, true) => {
                    let visits = (bandit.width * bandit.width).recip();
                    let weight = (equal / (3.0 * visits + equal)).sqrt();
                    (1.0 - weight) * bandit.mean + weight * after + factor * bandit.width
                }
                (true, false) => bandit.mean + factor * bandit.width,
                (false, true) => after + factor,
                (false, false) => fresh,
            };
            if urgency > best {
                (best, choice) = (urgency, index);
            }
        }
        self.nodes.try_edge(at, choice)
    }

    /// Random playouts from the present state, and their mean. For RAVE the moves have to be known, so that there is but one;
    /// otherwise the engine does it alone.
    fn playout(&mut self, reasoner: &Reasoner) -> Result<(), Error> {
        let limit = if self.options.rave.is_some() { backend::Limits::default().plies } else { 0 };
        for _ in 0..limit {
            let turn = reasoner.turn(&self.state);
            if turn == Turn::End {
                break;
            }
            reasoner.legal_moves(&self.state, &mut self.moves)?;
            let index = any(&mut self.rng, self.moves.len());
            if let Turn::Player(player) = turn {
                self.played.push((player, name(&self.moves, index)));
            }
            reasoner.apply(&mut self.state, &self.moves, index)?;
        }
        self.values.clear();
        for count in 0..self.weight {
            // If it does not end within the limit, the engine says so.
            reasoner.playout_from(&self.state, &mut self.rng, &mut self.stats)?;
            let last = self.payoffs.last(&self.stats);
            if count == 0 {
                self.values.extend(last);
            } else {
                self.values.iter_mut().zip(last).for_each(|(sum, value)| *sum += value);
            }
        }
        let weight = f64::from(self.weight);
        self.values.iter_mut().for_each(|sum| *sum /= weight);
        Ok(())
    }

    /// Adds the values of the simulation to everything on its way.
    fn back_up(&mut self) {
        let rave = self.options.rave.is_some();
        let mut later: FxHashSet<(usize, u64)> = self.played.iter().copied().collect();
        for step in (0..self.path.len()).rev() {
            let Some(&(at, index)) = self.path.get(step) else { continue };
            let Some(node) = self.nodes.node_mut(at) else { continue };
            node.visits = node.visits.saturating_add(self.weight);
            let range = node.edges();
            let Some(mover) = node.mover() else {
                self.nodes.count(index, self.weight, 0.0);
                continue;
            };
            if let To::Node(child) = self.nodes.to(index)
                && let Some(end) = self.nodes.node(child).map(|child| child.end).filter(|&end| end != NONE)
            {
                self.nodes.learn(at, index, mover, end, self.best);
            }
            let value = self.values.get(mover).copied().unwrap_or(0.0);
            self.nodes.count(index, self.weight, value);
            if rave {
                let own = index - range.start;
                let raves = self.nodes.raves_mut(range);
                later.extend(raves.get(own).map(|rave| (mover, rave.name)));
                for rave in raves.iter_mut().filter(|rave| later.contains(&(mover, rave.name))) {
                    rave.visits = rave.visits.saturating_add(1);
                    rave.sum += value;
                }
            }
        }
    }
}

/// The first bits of a number in binary digits, with their place.
fn first_bits(number: u32) -> usize {
    let one = 1f32.to_bits() >> (f32::MANTISSA_DIGITS - 1 - LOG_BITS);
    let bits = (number.max(1) as f32).to_bits() >> (f32::MANTISSA_DIGITS - 1 - LOG_BITS);
    (bits - one) as usize
}

/// The square roots of the logarithms of numbers, by [`first_bits`].
fn logs() -> Vec<f32> {
    let number = |place: u32| {
        let exponent = place >> LOG_BITS;
        let rest = (place & ((1 << LOG_BITS) - 1)) as f32 / (1 << LOG_BITS) as f32;
        (1.0 + rest) * (exponent as f32).exp2()
    };
    (0..33 << LOG_BITS).map(|place| number(place).ln().sqrt()).collect()
}

/// Digest of a move's tags and outcome.
fn name(moves: &Moves, index: usize) -> u64 {
    let mut hasher = FxHasher::default();
    (moves.tags(index), moves.outcome(index)).hash(&mut hasher);
    hasher.finish()
}
