//! Flat Monte Carlo: random playouts after every move, in turns; the move with the best mean is made.

use crate::belief::{Belief, World};
use crate::budget::{Budget, Meter};
use crate::payoffs::Payoffs;
use crate::simple::{add, any};
use crate::{Agent, Choice, Insight, Situation};
use backend::{Error, PlayoutStats, Rng};

/// States looked at where the state is not known.
const SAMPLES: usize = 256;

#[derive(Clone)]
pub(crate) struct Flat {
    pub(crate) rng: Rng,
    pub(crate) payoffs: Payoffs,
    pub(crate) belief: Belief,
    pub(crate) budget: Budget,
}

impl Agent for Flat {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Choice, Error> {
        let Situation { reasoner, player, moves, .. } = *situation;
        let mut meter = self.budget.start(situation);
        let worlds = self.belief.worlds(situation, SAMPLES, &meter, &mut self.rng)?;
        if worlds.is_empty() {
            return Ok(Choice { index: any(&mut self.rng, moves.len()), ..Choice::default() });
        }
        let Some(mut next) = worlds.first().map(|world| world.state.clone()) else { return Ok(Choice::default()) };
        let (mut sums, mut counts) = (vec![0.0; moves.len()], vec![0.0; moves.len()]);
        let mut stats = PlayoutStats::default();
        let order = self.shuffled(moves.len());
        for &index in order.iter().cycle() {
            if moves.len() == 1 || (meter.playouts > 0 && meter.is_over()) {
                break;
            }
            let world = worlds.get(any(&mut self.rng, worlds.len()));
            let Some(World { state, moves, places }) = world else { break };
            next.clone_from(state);
            reasoner.apply(&mut next, moves, places.get(index).copied().unwrap_or(index))?;
            reasoner.playout_from(&next, &mut self.rng, &mut stats)?;
            meter.playouts += 1;
            // It knows no positions but those behind the moves: each look at one counts.
            meter.nodes += 1;
            add(&mut sums, index, self.payoffs.last(&stats).nth(player).unwrap_or(0.0));
            add(&mut counts, index, 1.0);
            if meter.is_due() {
                report(&sums, &counts, &mut meter);
            }
        }
        let means = sums.iter().zip(&counts).map(|(sum, count)| if *count > 0.0 { sum / count } else { f64::MIN });
        let means: Vec<f64> = means.collect();
        // The first in random order wins ties.
        let mean = |index: usize| means.get(index).copied().unwrap_or(f64::MIN);
        let best = order.iter().copied().reduce(|best, other| if mean(other) > mean(best) { other } else { best });
        let index = best.unwrap_or(0);
        let value = Some(mean(index)).filter(|mean| *mean > f64::MIN);
        Ok(Choice { index, value, playouts: meter.playouts, depth: 1, ..Choice::default() })
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// Reports what has been found out so far.
fn report(sums: &[f64], counts: &[f64], meter: &mut Meter<'_>) {
    let tried = sums.iter().zip(counts).enumerate().filter(|(_, (_, count))| **count > 0.0);
    let moves: Vec<_> = tried.map(|(index, (sum, count))| (index, *count as u64, sum / count)).collect();
    let best = moves.iter().copied().reduce(|best, other| if other.2 > best.2 { other } else { best });
    let line: Vec<usize> = best.map(|(index, ..)| index).into_iter().collect();
    let (playouts, nodes) = (meter.playouts, meter.nodes);
    meter.report(&Insight { playouts, nodes, depth: 1, moves: &moves, line: &line });
}

impl Flat {
    fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for end in (1..count).rev() {
            order.swap(end, any(&mut self.rng, end + 1));
        }
        order
    }
}
