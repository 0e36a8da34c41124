//! Agents that do not look further than one move.

use crate::belief::Belief;
use crate::budget::Budget;
use crate::payoffs::Payoffs;
use crate::{Agent, Choice, Situation};
use backend::{Error, Rng};

/// States looked at where the state is not known.
const SAMPLES: usize = 32;

/// A number in `0..count`; `count` is at least 1.
pub(crate) fn any(rng: &mut Rng, count: usize) -> usize {
    rng.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize
}

/// Every legal move is equally likely.
#[derive(Clone)]
pub(crate) struct Random {
    pub(crate) rng: Rng,
}

impl Agent for Random {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Choice, Error> {
        Ok(Choice { index: any(&mut self.rng, situation.moves.len()), ..Choice::default() })
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// The move after which the own score, less the best of the others, stands highest; among equals any.
#[derive(Clone)]
pub(crate) struct Greedy {
    pub(crate) rng: Rng,
    pub(crate) payoffs: Payoffs,
    pub(crate) belief: Belief,
}

impl Agent for Greedy {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Choice, Error> {
        let Situation { reasoner, player, moves, .. } = *situation;
        let budget = Budget { nodes: Some(SAMPLES as u64), ..Budget::default() };
        let meter = budget.start(situation);
        let worlds = self.belief.worlds(situation, SAMPLES, &meter, &mut self.rng)?;
        let (mut sums, mut scored) = (vec![0.0; moves.len()], vec![0.0; moves.len()]);
        for world in &worlds {
            for (index, &at) in world.places.iter().enumerate() {
                if meter.is_stopped() {
                    return Ok(Choice { index: any(&mut self.rng, moves.len()), ..Choice::default() });
                }
                let mut next = world.state.clone();
                reasoner.apply(&mut next, &world.moves, at)?;
                let values = self.payoffs.of(reasoner, &next);
                add(&mut sums, index, margin(&values, player));
                add(&mut scored, index, values.get(player).copied().unwrap_or(0.0));
            }
        }
        let best = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let equals: Vec<usize> = (0..sums.len()).filter(|&index| sums.get(index) == Some(&best)).collect();
        let index = equals.get(any(&mut self.rng, equals.len())).copied().unwrap_or(0);
        let value = scored.get(index).filter(|_| !worlds.is_empty()).map(|sum| sum / worlds.len() as f64);
        Ok(Choice { index, value, nodes: (moves.len() * worlds.len()) as u64, depth: 1, ..Choice::default() })
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// Adds to an entry.
pub(crate) fn add(sums: &mut [f64], index: usize, value: f64) {
    if let Some(sum) = sums.get_mut(index) {
        *sum += value;
    }
}

/// A player's value less the best of the others', or its value if it is alone.
fn margin(values: &[f64], player: usize) -> f64 {
    let own = values.get(player).copied().unwrap_or(0.0);
    let others = values.iter().enumerate().filter(|&(other, _)| other != player).map(|(_, &value)| value);
    others.reduce(f64::max).map_or(own, |best| own - best)
}
