//! Tree search for games with hidden information, over information sets, with a tree for every player (Cowling, Powley and
//! Whitehouse, 2012: MO-ISMCTS).
//!
//! Each simulation plays in one state drawn from the belief of the player to move. A node of a player's tree stands for
//! everything that player may have been digests; which moves are legal there may depend on the state, so a move is compared
//! with others as often as it could have been chosen.

use crate::belief::{Belief, Possible, digested, places};
use crate::budget::Meter;
use crate::payoffs::{Payoffs, Scale};
use crate::simple::any;
use crate::uct::Options;
use crate::{Agent, Choice, Insight, Knowledge, Situation};
use backend::{Error, Moves, PlayoutStats, Reasoner, Rng, State, Tag, Turn};
use rustc_hash::FxHashMap;

/// Worlds that simulations start from.
const SAMPLES: usize = 512;

/// Factor of the term of exploration.
const EXPLORATION: f64 = 0.7;

/// A move by name: its tags, and its number among those with equal tags.
type Name = (Box<[Tag]>, u32);

/// Statistics of a move.
#[derive(Clone, Copy, Default)]
struct Stats {
    visits: u32,
    /// How often it could have been chosen.
    offers: u32,
    /// Sum of the mover's payoffs.
    sum: f64,
}

/// All that a player may know at some point of the game: the statistics of the moves it had there.
type Node = FxHashMap<Name, Stats>;

/// The agent for hidden information.
#[derive(Clone)]
pub(crate) struct Ismcts {
    options: Options,
    payoffs: Payoffs,
    belief: Belief,
    rng: Rng,
    /// Per player, nodes by the digest of what it was digests.
    trees: Vec<FxHashMap<u64, Node>>,
    nodes: usize,
    scale: Scale,
    stats: PlayoutStats,
    values: Vec<f64>,
    /// The choices of the present simulation: player, digest, move.
    path: Vec<(usize, u64, Name)>,
    /// How many there were.
    length: u32,
}

impl Ismcts {
    pub(crate) fn new(options: Options, payoffs: Payoffs, belief: Belief, seed: u64) -> Self {
        Self {
            options,
            payoffs,
            belief,
            rng: Rng::new(seed),
            trees: Vec::new(),
            nodes: 0,
            scale: Scale::new(),
            stats: PlayoutStats::default(),
            values: Vec::new(),
            path: Vec::new(),
            length: 0,
        }
    }

    /// Plays from one world to the end: by the trees as long as all moves were tried, then at random.
    fn simulate(&mut self, reasoner: &Reasoner, world: Possible) -> Result<(), Error> {
        let Possible { mut state, mut digests } = world;
        let (mut moves, mut events) = (Moves::new(), Vec::new());
        self.path.clear();
        let limit = backend::Limits::default().plies;
        for _ in 0..limit {
            let turn = reasoner.turn(&state);
            let Turn::Player(player) = turn else {
                if turn == Turn::End {
                    self.finish(self.payoffs.of(reasoner, &state));
                    return Ok(());
                }
                reasoner.legal_moves(&state, &mut moves)?;
                let index = any(&mut self.rng, moves.len());
                step(reasoner, &mut state, &mut digests, &moves, index, &mut events)?;
                continue;
            };
            reasoner.legal_moves(&state, &mut moves)?;
            let digest = digests.get(player).copied().unwrap_or(0);
            let (index, fresh) = self.select(player, digest, &moves);
            self.path.push((player, digest, name(&moves, index)));
            step(reasoner, &mut state, &mut digests, &moves, index, &mut events)?;
            if fresh {
                break;
            }
        }
        let values = if reasoner.is_terminal(&state) {
            self.payoffs.of(reasoner, &state)
        } else {
            reasoner.playout_from(&state, &mut self.rng, &mut self.stats)?;
            self.payoffs.last(&self.stats).collect()
        };
        self.finish(values);
        Ok(())
    }

    /// A move of the tree, and whether it is tried for the first time.
    fn select(&mut self, player: usize, digest: u64, moves: &Moves) -> (usize, bool) {
        let names: Vec<Name> = (0..moves.len()).map(|index| name(moves, index)).collect();
        let full = self.nodes >= self.options.max_nodes;
        let Some(tree) = self.trees.get_mut(player) else { return (any(&mut self.rng, moves.len()), true) };
        if full && !tree.contains_key(&digest) {
            return (any(&mut self.rng, moves.len()), true);
        }
        let node = tree.entry(digest).or_insert_with(|| {
            self.nodes += 1;
            Node::default()
        });
        let start = any(&mut self.rng, moves.len());
        let (mut best, mut choice, mut fresh) = (f64::NEG_INFINITY, start, true);
        for offset in 0..names.len() {
            let index = (start + offset) % names.len();
            let Some(name) = names.get(index) else { continue };
            let stats = match node.get_mut(name) {
                Some(stats) => stats,
                None => node.entry(name.clone()).or_default(),
            };
            stats.offers = stats.offers.saturating_add(1);
            let urgency = if stats.visits == 0 {
                self.options.first_play.unwrap_or(f64::MAX)
            } else {
                let visits = f64::from(stats.visits);
                let log = f64::from(stats.offers).ln();
                self.scale.unit(stats.sum / visits)
                    + self.options.exploration.unwrap_or(EXPLORATION) * (log / visits).sqrt()
            };
            if urgency > best {
                (best, choice, fresh) = (urgency, index, stats.visits == 0);
            }
        }
        (choice, fresh)
    }

    /// Reports what has been found out about the moves at the root.
    fn report(&self, player: usize, digest: u64, moves: &Moves, depth: u32, meter: &mut Meter<'_>) {
        let Some(root) = self.trees.get(player).and_then(|tree| tree.get(&digest)) else { return };
        let stats = |index: usize| Some((index, root.get(&name(moves, index)).filter(|stats| stats.visits > 0)?));
        let found = (0..moves.len()).filter_map(stats);
        let tried =
            |(index, stats): (usize, &Stats)| (index, u64::from(stats.visits), stats.sum / f64::from(stats.visits));
        let moves: Vec<_> = found.map(tried).collect();
        let line: Vec<usize> = moves.iter().max_by_key(|tried| tried.1).map(|tried| tried.0).into_iter().collect();
        let (playouts, nodes) = (meter.playouts, self.nodes as u64);
        meter.report(&Insight { playouts, nodes, depth, moves: &moves, line: &line });
    }

    /// Adds the values of a simulation to the choices made in it.
    fn finish(&mut self, values: Vec<f64>) {
        self.scale.see(&values);
        self.length = self.path.len() as u32;
        for (player, digest, name) in self.path.drain(..) {
            let node = self.trees.get_mut(player).and_then(|tree| tree.get_mut(&digest));
            if let Some(stats) = node.and_then(|node| node.get_mut(&name)) {
                stats.visits = stats.visits.saturating_add(1);
                stats.sum += values.get(player).copied().unwrap_or(0.0);
            }
        }
        self.values = values;
    }
}

impl Agent for Ismcts {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Choice, Error> {
        let Situation { reasoner, player, moves, knowledge, .. } = *situation;
        let Knowledge::Observations(history) = knowledge else { return Ok(Choice::default()) };
        let random = Choice { index: any(&mut self.rng, moves.len()), ..Choice::default() };
        let mut meter: Meter<'_> = self.options.budget.start(situation);
        let worlds = self.belief.possible(situation, history, SAMPLES, &meter, &mut self.rng)?;
        let mut fitting = Vec::new();
        let mut listed = Moves::new();
        for world in worlds {
            if meter.is_late() && !fitting.is_empty() {
                break;
            }
            reasoner.legal_moves(&world.state, &mut listed)?;
            if places(moves, &listed).is_some() {
                fitting.push(world);
            }
        }
        let Some(digest) = fitting.first().and_then(|world| world.digests.get(player)).copied() else {
            return Ok(random);
        };
        self.trees = vec![FxHashMap::default(); reasoner.players().len()];
        (self.nodes, self.scale) = (0, Scale::new());
        let mut depth = 0;
        while moves.len() > 1 && (meter.playouts == 0 || !meter.is_over()) {
            let at = any(&mut self.rng, fitting.len());
            let Some(world) = fitting.get(at).cloned() else { break };
            self.simulate(reasoner, world)?;
            meter.playouts += 1;
            // Where the trees have all there is, simulations are what is left to count.
            meter.nodes = (meter.nodes + 1).max(self.nodes as u64);
            depth = depth.max(self.length);
            if meter.is_due() {
                self.report(player, digest, moves, depth, &mut meter);
            }
        }
        let root = self.trees.get(player).and_then(|tree| tree.get(&digest));
        let stats = |index: usize| root.and_then(|root| root.get(&name(moves, index))).copied().unwrap_or_default();
        let most = (0..moves.len()).map(|index| stats(index).visits).max().unwrap_or(0);
        let equals: Vec<usize> = (0..moves.len()).filter(|&index| stats(index).visits == most).collect();
        let index = equals.get(any(&mut self.rng, equals.len())).copied().unwrap_or(random.index);
        let value = (most > 0).then(|| stats(index).sum / f64::from(most));
        Ok(Choice { index, value, playouts: meter.playouts, nodes: self.nodes as u64, depth: 0 })
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// Makes a move and adds what the players observe of it to their digests.
fn step(
    reasoner: &Reasoner,
    state: &mut State,
    digests: &mut [u64],
    moves: &Moves,
    index: usize,
    events: &mut Vec<backend::Event>,
) -> Result<(), Error> {
    events.clear();
    reasoner.apply_logged(state, moves, index, events)?;
    for (player, digest) in digests.iter_mut().enumerate() {
        *digest = digested(*digest, events, player, moves.outcome(index));
    }
    Ok(())
}

fn name(moves: &Moves, index: usize) -> Name {
    (moves.tags(index).into(), moves.outcome(index))
}
