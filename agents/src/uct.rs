//! Monte Carlo tree search with the bandit rule UCB1 (Kocsis and Szepesvári, 2006), for any number of players: everybody
//! maximises its own mean (max^n), and chance is sampled. Where the tree reaches the end of the game, values are certain and
//! handed up (Winands, Björnsson and Saito, 2008).

mod nodes;
mod tree;

use crate::belief::Belief;
use crate::budget::Budget;
use crate::ismcts::Ismcts;
use crate::payoffs::Payoffs;
use crate::simple::any;
use crate::{Agent, Choice, Knowledge, Situation};
use backend::{Error, Rng, State};
use std::cmp::Ordering;
use tree::{Root, Tree};

/// Options of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Options {
    pub(crate) budget: Budget,
    /// Factor of the term of exploration, if it was given; values are scaled to the range from 0 to 1.
    pub(crate) exploration: Option<f64>,
    /// Urgency of a move not tried yet, where a mean with its term of exploration stands for one that was; `None`: it is
    /// tried before any other is tried again.
    pub(crate) first_play: Option<f64>,
    /// Number of visits at which RAVE and the mean weigh the same; `None`: no RAVE.
    pub(crate) rave: Option<f64>,
    /// Whether equal states share a node.
    pub(crate) table: bool,
    /// Whether the tree is kept from one move to the next.
    pub(crate) keep: bool,
    /// Threads, each with a tree of its own.
    pub(crate) threads: usize,
    /// Playouts of a simulation, which counts as that many visits; `None`: as many as are worth the way down the tree.
    pub(crate) playouts: Option<u32>,
    /// Greatest number of nodes of a tree.
    pub(crate) max_nodes: usize,
    /// An option that was given and means nothing for information sets.
    pub(crate) open_only: Option<&'static str>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            budget: Budget::default(),
            exploration: None,
            first_play: None,
            rave: None,
            table: true,
            keep: true,
            threads: 1,
            playouts: None,
            max_nodes: 1_000_000,
            open_only: None,
        }
    }
}

/// The agent.
#[derive(Clone)]
pub(crate) struct Uct {
    options: Options,
    trees: Vec<Tree>,
    rng: Rng,
    /// For games with hidden information.
    hidden: Ismcts,
}

impl Uct {
    pub(crate) fn new(options: Options, payoffs: &Payoffs, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let trees = (0..options.threads.max(1)).map(|_| Tree::new(options, payoffs.clone(), rng.next_u64())).collect();
        let hidden = Ismcts::new(options, payoffs.clone(), Belief::new(rng.next_u64()), rng.next_u64());
        Self { options, trees, rng, hidden }
    }

    fn search(&mut self, situation: &Situation<'_>, state: &State) -> Result<Choice, Error> {
        let (count, budget) = (self.trees.len(), self.options.budget);
        let roots: Vec<Result<Root, Error>> = match &mut self.trees[..] {
            [only] => vec![only.search(situation, state, budget)],
            trees => std::thread::scope(|scope| {
                // All are started before the first is waited for.
                let mut threads = Vec::with_capacity(count);
                for (index, tree) in trees.iter_mut().enumerate() {
                    let share = budget.share(index, count);
                    let watch = situation.watch.filter(|_| index == 0);
                    let work = move || tree.search(&Situation { watch, ..*situation }, state, share);
                    // A thread that cannot be had is done without.
                    threads.extend(std::thread::Builder::new().spawn_scoped(scope, work).ok());
                }
                threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
            }),
        };
        let mut sum = Root::default();
        for root in roots {
            sum.add(root?);
        }
        Ok(self.best(&sum, situation.moves.len()))
    }

    /// The move with most visits; of several the one with the best mean, then any. A move whose value is certain is the
    /// best if no other looks better, and else no good.
    fn best(&mut self, root: &Root, moves: usize) -> Choice {
        let value = |index: usize| root.edges.get(index).and_then(|edge| edge.value());
        let best = (0..moves).filter_map(value).fold(f64::NEG_INFINITY, f64::max);
        let key = |index: usize| {
            let edge = root.edges.get(index).copied().unwrap_or_default();
            let weight = match edge.solved {
                Some(value) if value >= best => u64::MAX,
                Some(_) => 0,
                None => edge.visits,
            };
            (weight, value(index).unwrap_or(f64::NEG_INFINITY))
        };
        let mut equals: Vec<usize> = Vec::new();
        for index in 0..moves {
            match equals.first().map_or(Some(Ordering::Greater), |&first| key(index).partial_cmp(&key(first))) {
                Some(Ordering::Greater) => equals = vec![index],
                Some(Ordering::Equal) => equals.push(index),
                _ => {}
            }
        }
        let index = equals.get(any(&mut self.rng, equals.len())).copied().unwrap_or(0);
        Choice { index, value: value(index), playouts: root.playouts, nodes: root.nodes, depth: 0 }
    }
}

impl Agent for Uct {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Choice, Error> {
        match situation.knowledge {
            Knowledge::State(state) => self.search(situation, state),
            Knowledge::Observations(_) => self.hidden.choose(situation),
        }
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
