//! Random plays of a game, and what they tell.

use super::estimate::{Estimate, Sums, add_logs, kinds, mean_of_logs, ratio, share};
use agents::Payoffs;
use backend::{Error, Moves, Rng, State, Turn};
use kit::elo::{Results, elo};
use kit::runner::Runner;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Positions that are told apart at most; later ones are not counted.
const MAX_POSITIONS: usize = 5_000_000;

/// Plays that end in an error, after which no more are made.
const MAX_FAILURES: u64 = 20;

/// Plies for which means are kept.
const MAX_PLIES: usize = 100_000;

/// Bars of a histogram at most.
const BARS: usize = 30;

/// What playouts tell.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sample {
    /// Plays that were over.
    pub(crate) plays: u64,
    /// Playouts that were stopped.
    pub(crate) unfinished: u64,
    /// Plays that ended in an error of the rules.
    pub(crate) failed: u64,
    pub(crate) seed: u64,
    /// Moves of players in a play that was over; `None` if none was.
    pub(crate) length: Option<Length>,
    /// Legal moves of players, in all plays; `None` if no player ever had to move.
    pub(crate) branching: Option<Branching>,
    pub(crate) players: Vec<Player>,
    /// With two players or more: how often all of them score the same.
    pub(crate) drawn: Option<Estimate>,
    /// With two players or more: how often one of them scores more than all others.
    pub(crate) decisive: Option<Estimate>,
    pub(crate) first: Option<First>,
    /// Sizes of the tree of all plays.
    pub(crate) tree: Option<Tree>,
    /// Positions met in plays.
    pub(crate) positions: Met,
}

/// How long plays are.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Length {
    pub(crate) mean: Estimate,
    pub(crate) deviation: f64,
    pub(crate) least: u64,
    pub(crate) median: u64,
    pub(crate) greatest: u64,
    pub(crate) histogram: Vec<Bar>,
}

/// A bar of a histogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Bar {
    /// First value.
    pub(crate) from: u64,
    /// Last value.
    pub(crate) to: u64,
    pub(crate) count: u64,
}

/// How many moves there are to choose from.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Branching {
    /// Mean over all decisions of players.
    pub(crate) mean: Estimate,
    pub(crate) geometric_mean: f64,
    pub(crate) greatest: u64,
    /// Share of the decisions with one legal move only.
    pub(crate) forced: f64,
    /// Mean over all decisions of `random`, if there were any.
    pub(crate) chance: Option<f64>,
    /// Means by the number of moves of players before.
    pub(crate) by_ply: Vec<Ply>,
}

/// Decisions after so many moves of players.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Ply {
    pub(crate) ply: usize,
    /// Plays that came so far.
    pub(crate) plays: u64,
    pub(crate) mean: f64,
}

/// Results of a player.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Player {
    pub(crate) player: String,
    /// `None` if no play was over.
    pub(crate) score: Option<Estimate>,
    /// How often it scores more than all others; `None` for one player alone.
    pub(crate) wins: Option<Estimate>,
    /// How often each score was reached, in the order of their values.
    pub(crate) scores: Vec<Score>,
}

/// How often a score was reached.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Score {
    pub(crate) score: String,
    pub(crate) count: u64,
}

/// What it is worth to move first, for whoever does.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct First {
    /// Who moves first, if it is always the same player.
    pub(crate) player: Option<String>,
    /// Mean of 1 for a won and ½ for a drawn play; with more players, a play won together counts for each its part.
    pub(crate) score: Estimate,
    /// What it would be if it were worth nothing.
    pub(crate) fair: f64,
    /// The Elo difference of that, with two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) elo: Option<f64>,
}

/// Estimates of the size of the game tree, as decimal logarithms.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Tree {
    /// Complete plays, by Knuth's method (1975): the mean over playouts of the product of the numbers of moves.
    pub(crate) plays_log10: f64,
    /// Nodes, by the same method.
    pub(crate) nodes_log10: f64,
    /// Relative standard error of the estimated number of games.
    pub(crate) error: f64,
    /// The geometric mean of the numbers of moves, those of chance included, to the power of the mean length.
    pub(crate) power_log10: f64,
}

/// Positions that playouts came by.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Met {
    /// Different ones; `None` if there were too many to tell them apart.
    pub(crate) distinct: Option<u64>,
    /// Chao's estimate of all that playouts of this kind can meet: rather too few.
    pub(crate) chao1: Option<f64>,
    /// Whether there were too many.
    pub(crate) too_many: bool,
}

/// How to play.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) plays: u64,
    /// Moves of a play at most, those of `random` included.
    pub(crate) plies: u64,
    pub(crate) seed: u64,
}

/// One play.
#[derive(Default)]
struct Play {
    plies: u64,
    moves: u64,
    logs: f64,
    /// Of the number of games like this one, moves of chance included.
    product: f64,
    /// Of the number of nodes.
    nodes: f64,
    first: Option<usize>,
}

/// Sums over plays.
struct Tally {
    lengths: Vec<u64>,
    moves: Vec<(f64, f64)>,
    logs: f64,
    products: Vec<f64>,
    nodes: Vec<f64>,
    by_ply: Vec<(u64, u64)>,
    greatest: u64,
    forced: u64,
    decisions: u64,
    chance: (u64, u64),
    scores: Vec<Sums>,
    names: Vec<BTreeMap<u32, u64>>,
    wins: Vec<u64>,
    drawn: u64,
    decisive: u64,
    results: Results,
    shares: Sums,
    firsts: Vec<u64>,
    met: FxHashMap<u64, u32>,
    too_many: bool,
}

/// Plays at random; the first error of the rules, too. `progress` is given the number of playouts from time to time.
pub(crate) fn sample(runner: &Runner, plan: Plan, mut progress: impl FnMut(u64)) -> (Sample, Option<Error>) {
    let players = runner.reasoner.players().len();
    let mut sums = Tally::new(players);
    let (mut unfinished, mut failed, mut failure) = (0, 0, None);
    let payoffs = Payoffs::new(&runner.reasoner);
    let mut rng = Rng::new(plan.seed);
    for number in 0..plan.plays {
        if number % 64 == 0 {
            progress(number);
        }
        // Errors at limits take their time.
        if failed >= MAX_FAILURES {
            break;
        }
        match sums.play(runner, &payoffs, plan.plies, &mut rng) {
            Ok(true) => {}
            Ok(false) => unfinished += 1,
            Err(error) => {
                failed += 1;
                failure.get_or_insert(error);
            }
        }
    }
    (sums.finish(runner, plan.seed, unfinished, failed), failure)
}

impl Tally {
    fn new(players: usize) -> Self {
        Self {
            lengths: Vec::new(),
            moves: Vec::new(),
            logs: 0.0,
            products: Vec::new(),
            nodes: Vec::new(),
            by_ply: Vec::new(),
            greatest: 0,
            forced: 0,
            decisions: 0,
            chance: (0, 0),
            scores: vec![Sums::default(); players],
            names: vec![BTreeMap::new(); players],
            wins: vec![0; players],
            drawn: 0,
            decisive: 0,
            results: Results::default(),
            shares: Sums::default(),
            firsts: vec![0; players],
            met: FxHashMap::default(),
            too_many: false,
        }
    }

    /// Makes one play; whether it was over in time.
    fn play(&mut self, runner: &Runner, payoffs: &Payoffs, plies: u64, rng: &mut Rng) -> Result<bool, Error> {
        let mut play = Play::default();
        let played = self.moves_of(runner, &mut play, plies, rng);
        // How many moves there are to choose from is known of plays that are not over, too.
        if play.plies > 0 {
            self.moves.push((play.moves as f64, play.plies as f64));
            self.logs += play.logs;
        }
        let Some(state) = played? else { return Ok(false) };
        self.end(runner, payoffs, &play, &state);
        Ok(true)
    }

    /// Makes the moves of a play; the last state, if it was over in time.
    fn moves_of(
        &mut self,
        runner: &Runner,
        play: &mut Play,
        plies: u64,
        rng: &mut Rng,
    ) -> Result<Option<State>, Error> {
        let reasoner = &runner.reasoner;
        let mut state = reasoner.initial()?;
        let mut moves = Moves::new();
        let mut texts = Vec::new();
        let after = |error: Error, texts: &[String]| Error { play: texts.to_vec(), ..error };
        for made in 0.. {
            self.meet(&state);
            let turn = reasoner.turn(&state);
            if turn == Turn::End {
                break;
            }
            if made >= plies {
                return Ok(None);
            }
            reasoner.legal_moves(&state, &mut moves).map_err(|error| after(error, &texts))?;
            self.decide(play, turn, moves.len() as u64);
            let choice = u32::try_from(moves.len()).map_or(0, |count| rng.below(count) as usize);
            texts.push(reasoner.move_text(&moves, choice));
            reasoner.apply(&mut state, &moves, choice).map_err(|error| after(error, &texts))?;
        }
        Ok(Some(state))
    }

    fn meet(&mut self, state: &State) {
        if self.met.len() >= MAX_POSITIONS {
            self.too_many = true;
            return;
        }
        let mut hasher = DefaultHasher::new();
        state.as_bytes().hash(&mut hasher);
        *self.met.entry(hasher.finish()).or_insert(0) += 1;
    }

    /// Notes a decision between so many moves.
    fn decide(&mut self, play: &mut Play, turn: Turn, count: u64) {
        let log = (count.max(1) as f64).ln();
        play.product += log;
        play.nodes = add_logs(play.nodes, play.product);
        let Turn::Player(player) = turn else {
            self.chance = (self.chance.0 + count, self.chance.1 + 1);
            return;
        };
        play.first.get_or_insert(player);
        let ply = play.plies as usize;
        if ply < MAX_PLIES {
            if self.by_ply.len() <= ply {
                self.by_ply.push((0, 0));
            }
            if let Some((sum, plays)) = self.by_ply.get_mut(ply) {
                (*sum, *plays) = (*sum + count, *plays + 1);
            }
        }
        play.plies += 1;
        play.moves += count;
        play.logs += log;
        self.greatest = self.greatest.max(count);
        self.forced += u64::from(count == 1);
        self.decisions += 1;
    }

    /// Notes a play that is over.
    fn end(&mut self, runner: &Runner, payoffs: &Payoffs, play: &Play, state: &State) {
        self.lengths.push(play.plies);
        self.products.push(play.product);
        self.nodes.push(play.nodes);
        let names = runner.reasoner.scores(state);
        let values = payoffs.of(&runner.reasoner, state);
        for (player, (name, value)) in names.iter().zip(&values).enumerate() {
            let rank = runner.reasoner.score_names().iter().position(|other| other == name).unwrap_or(0) as u32;
            if let (Some(sums), Some(counts)) = (self.scores.get_mut(player), self.names.get_mut(player)) {
                sums.add(*value);
                *counts.entry(rank).or_insert(0) += 1;
            }
        }
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let winners = values.iter().filter(|value| **value == best).count();
        let winner = values.iter().position(|value| *value == best).filter(|_| winners == 1);
        if let Some(count) = winner.and_then(|winner| self.wins.get_mut(winner)) {
            *count += 1;
            self.decisive += 1;
        }
        self.drawn += u64::from(winners == values.len());
        let Some(first) = play.first else { return };
        if let Some(count) = self.firsts.get_mut(first) {
            *count += 1;
        }
        let own = values.get(first).copied().unwrap_or(f64::NEG_INFINITY);
        let others = values.iter().enumerate().filter(|(player, _)| *player != first).map(|(_, value)| *value);
        self.results.add(own, others.fold(f64::NEG_INFINITY, f64::max));
        self.shares.add(if own == best { 1.0 / winners.max(1) as f64 } else { 0.0 });
    }

    fn finish(self, runner: &Runner, seed: u64, unfinished: u64, failed: u64) -> Sample {
        let plays = self.lengths.len() as u64;
        let many = self.scores.len() > 1 && plays > 0;
        let length = (plays > 0).then(|| length(self.lengths));
        let geometric_mean = (self.logs / self.moves.iter().map(|(_, plies)| plies).sum::<f64>().max(1.0)).exp();
        let products = mean_of_logs(&self.products).zip(mean_of_logs(&self.nodes));
        let tree = products.map(|((plays_log10, error), (nodes_log10, _))| Tree {
            plays_log10,
            nodes_log10,
            error,
            power_log10: self.products.iter().sum::<f64>() / plays.max(1) as f64 / std::f64::consts::LN_10,
        });
        let by_ply = self.by_ply.iter().enumerate().map(|(ply, &(sum, plays))| Ply {
            ply,
            plays,
            mean: sum as f64 / plays.max(1) as f64,
        });
        let branching = (self.decisions > 0).then(|| Branching {
            mean: ratio(&self.moves),
            geometric_mean,
            greatest: self.greatest,
            forced: self.forced as f64 / self.decisions.max(1) as f64,
            chance: (self.chance.1 > 0).then(|| self.chance.0 as f64 / self.chance.1 as f64),
            by_ply: by_ply.collect(),
        });
        let names: Vec<&str> = runner.players().collect();
        let only = |firsts: &[u64]| {
            let mut movers = firsts.iter().zip(&names).filter(|(count, _)| **count > 0);
            movers.next().filter(|_| movers.next().is_none()).map(|(_, name)| (*name).to_owned())
        };
        let two = self.scores.len() == 2;
        let (low, high) = self.results.interval();
        let pair = Estimate { value: self.results.score(), interval: [low, high] };
        let first = (many && self.results.games() > 0).then(|| First {
            player: only(&self.firsts),
            score: if two { pair } else { self.shares.mean() },
            fair: 1.0 / self.scores.len() as f64,
            elo: two.then(|| elo(pair.value)).filter(|elo| elo.is_finite()),
        });
        let payoffs = Payoffs::new(&runner.reasoner);
        let possible = || runner.reasoner.score_names().iter().map(|name| payoffs.value(name));
        let (least, most) = (possible().fold(f64::INFINITY, f64::min), possible().fold(f64::NEG_INFINITY, f64::max));
        // The normal approximation knows nothing of what scores there are.
        let within = |mean: Estimate| Estimate { interval: mean.interval.map(|end| end.max(least).min(most)), ..mean };
        let scores = |counts: &BTreeMap<u32, u64>| {
            let name = |rank: u32| runner.reasoner.score_names().get(rank as usize).cloned().unwrap_or_default();
            let mut scores: Vec<Score> =
                counts.iter().map(|(&rank, &count)| Score { score: name(rank), count }).collect();
            scores.sort_by(|a, b| payoffs.value(&a.score).total_cmp(&payoffs.value(&b.score)));
            scores
        };
        let players = names.iter().zip(&self.scores).zip(&self.wins).zip(&self.names);
        let players = players.map(|(((player, score), &wins), counts)| Player {
            player: (*player).to_owned(),
            score: (plays > 0).then(|| within(score.mean())),
            wins: many.then(|| share(wins, plays)),
            scores: scores(counts),
        });
        let count = |times: u32| self.met.values().filter(|&&count| count == times).count() as u64;
        let distinct = self.met.len() as u64;
        let positions = match self.too_many {
            true => Met { distinct: None, chao1: None, too_many: true },
            false => {
                Met { distinct: Some(distinct), chao1: Some(kinds(distinct, count(1), count(2))), too_many: false }
            }
        };
        Sample {
            plays,
            unfinished,
            failed,
            seed,
            length,
            branching,
            players: players.collect(),
            drawn: many.then(|| share(self.drawn, plays)),
            decisive: many.then(|| share(self.decisive, plays)),
            first,
            tree,
            positions,
        }
    }
}

/// Statistics of the lengths of plays.
fn length(mut lengths: Vec<u64>) -> Length {
    lengths.sort_unstable();
    let mut sums = Sums::default();
    lengths.iter().for_each(|&length| sums.add(length as f64));
    let at = |index: usize| lengths.get(index).copied().unwrap_or(0);
    Length {
        mean: sums.mean(),
        deviation: sums.deviation(),
        least: at(0),
        median: at(lengths.len() / 2),
        greatest: at(lengths.len().saturating_sub(1)),
        histogram: histogram(&lengths),
    }
}

/// Bars of equal width over sorted values.
fn histogram(sorted: &[u64]) -> Vec<Bar> {
    let (Some(&least), Some(&greatest)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let width = ((greatest - least) / BARS as u64) + 1;
    let mut bars: Vec<Bar> = (0..=(greatest - least) / width)
        .map(|bar| Bar { from: least + bar * width, to: least + (bar + 1) * width - 1, count: 0 })
        .collect();
    for value in sorted {
        if let Some(bar) = bars.get_mut(((value - least) / width) as usize) {
            bar.count += 1;
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_hold_all_values() {
        assert_eq!(histogram(&[]), []);
        assert_eq!(histogram(&[7, 7]), [Bar { from: 7, to: 7, count: 2 }]);
        let values: Vec<u64> = (0..1000).collect();
        let bars = histogram(&values);
        assert!(bars.len() <= BARS && bars.iter().map(|bar| bar.count).sum::<u64>() == 1000, "{bars:?}");
        assert!(bars.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
    }
}
