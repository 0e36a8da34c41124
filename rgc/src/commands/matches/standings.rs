//! The results of a match, counted.

use super::show::percent;
use crate::elo::Results;
use crate::participant::Participant;
use crate::ratings::{self, Rating};
use crate::runner::Runner;
use crate::tournament::game::Played;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a participant did.
#[derive(Clone, Default)]
pub(super) struct Total {
    pub(super) results: Results,
    pub(super) games: u64,
    pub(super) payoff: f64,
    /// Time for its moves, and their number; of games in a resumed record nothing is known.
    pub(super) time: Duration,
    pub(super) moves: u64,
}

/// The number of games by how they ended.
#[derive(Clone, Copy, Default)]
pub(super) struct Games {
    /// Those with a result.
    pub(super) counted: u64,
    /// Of them, those that were too long and count as drawn.
    pub(super) stopped: u64,
    /// Further ones, without a result.
    pub(super) broken: u64,
    /// Moves of those with a result.
    pub(super) plies: u64,
}

/// Results so far.
#[derive(Clone, Default)]
pub(super) struct Standings {
    /// The participants as they were named.
    pub(super) names: Vec<String>,
    /// By two participants, the first one's results, one for each game; the first one has the smaller index.
    pub(super) pairs: BTreeMap<(usize, usize), Results>,
    pub(super) totals: Vec<Total>,
    /// The players of the game with their results against the best of the others, whoever played.
    pub(super) seats: Vec<(String, Results)>,
    pub(super) games: Games,
    /// The engine that ran at the end.
    pub(super) engine: &'static str,
    /// Whether the rules or a bot failed.
    pub(super) fails: bool,
}

impl Standings {
    pub(super) fn new(runner: &Runner, participants: &[Participant]) -> Self {
        Self {
            names: participants.iter().map(ToString::to_string).collect(),
            totals: vec![Total::default(); participants.len()],
            seats: runner.players().map(|player| (player.to_owned(), Results::default())).collect(),
            engine: runner.reasoner.running_engine(),
            ..Self::default()
        }
    }

    /// The results of the same participants in several games together, without the seats.
    pub(super) fn sum<'s>(all: impl Iterator<Item = &'s Self>) -> Self {
        let mut sum = Self::default();
        for standings in all {
            sum.names.clone_from(&standings.names);
            for (&pair, results) in &standings.pairs {
                sum.pairs.entry(pair).or_default().join(*results);
            }
            sum.totals.resize(standings.totals.len(), Total::default());
            for (total, more) in sum.totals.iter_mut().zip(&standings.totals) {
                total.results.join(more.results);
                total.games += more.games;
                total.payoff += more.payoff;
                total.time += more.time;
                total.moves += more.moves;
            }
            sum.games.counted += standings.games.counted;
        }
        sum
    }

    /// Counts a game. What is in one game is not independent, so it counts once for every two participants: by the means of what
    /// each of them scored with all its players.
    pub(super) fn add(&mut self, played: &Played) {
        if played.broken.is_some() {
            self.games.broken += 1;
            return;
        }
        self.games.counted += 1;
        self.games.stopped += u64::from(!played.line.over);
        self.games.plies += played.plies;
        let mut means: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (seat, (&index, &payoff)) in played.seats.iter().zip(&played.payoffs).enumerate() {
            let (sum, seats) = means.entry(index).or_default();
            (*sum, *seats) = (*sum + payoff, *seats + 1.0);
            let others =
                played.payoffs.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, payoff)| *payoff);
            if let (Some((_, results)), Some(best)) = (self.seats.get_mut(seat), others.reduce(f64::max)) {
                results.add(payoff, best);
            }
            if let Some(total) = self.totals.get_mut(index) {
                let (time, moves) = played.thinking.get(seat).copied().unwrap_or_default();
                (total.time, total.moves) = (total.time + time, total.moves + moves);
            }
        }
        let means: Vec<(usize, f64)> = means.into_iter().map(|(index, (sum, seats))| (index, sum / seats)).collect();
        for &(index, mean) in &means {
            for &(other, other_mean) in means.iter().filter(|(other, _)| *other != index) {
                if let Some(total) = self.totals.get_mut(index) {
                    total.results.add(mean, other_mean);
                }
                if index < other {
                    self.pairs.entry((index, other)).or_default().add(mean, other_mean);
                }
            }
            if let Some(total) = self.totals.get_mut(index) {
                total.games += 1;
                total.payoff += mean;
            }
        }
    }

    /// Games played, with or without a result.
    pub(super) fn all(&self) -> u64 {
        self.games.counted + self.games.broken
    }

    /// Whether the match is to end with an error: the rules or a bot failed, or there are games and none of them has a result.
    pub(super) fn is_failed(&self) -> bool {
        self.fails || self.games.counted == 0 && self.games.broken > 0
    }

    /// One rating for each participant.
    pub(super) fn ratings(&self) -> Vec<Rating> {
        let pairs: Vec<((usize, usize), Results)> =
            self.pairs.iter().map(|(&pair, &results)| (pair, results)).collect();
        ratings::rate(self.names.len(), &pairs)
    }

    /// The name of a participant.
    pub(super) fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    /// Who leads, with the score.
    pub(super) fn headline(&self) -> String {
        let best = self.totals.iter().zip(&self.names).filter(|(total, _)| total.results.games() > 0);
        let best = best.max_by(|(a, _), (b, _)| a.results.score().total_cmp(&b.results.score()));
        best.map_or(String::new(), |(total, name)| format!("{name} {}", percent(total.results.score())))
    }
}
