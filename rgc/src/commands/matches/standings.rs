//! Results of a match: tables and JSON lines.

use crate::elo::{Results, elo, elo_text};
use crate::record;
use crate::runner::Runner;
use crate::session::Failure;
use crate::table::{counted, render};
use crate::tournament::Played;
use agents::Spec;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

/// What an agent did.
#[derive(Clone, Default)]
struct Total {
    results: Results,
    plays: u64,
    payoff: f64,
    time: Duration,
    moves: u64,
}

/// Results so far.
pub(super) struct Standings {
    specs: Vec<String>,
    players: Vec<String>,
    /// By two agents, the first one's results, one for each play; the first one has the smaller index.
    pairs: BTreeMap<(usize, usize), Results>,
    agents: Vec<Total>,
    /// Per player, results against the best of the other players, whoever played.
    seats: Vec<Results>,
    /// Plays with a result.
    plays: u64,
    stopped: u64,
    broken: u64,
    plies: u64,
}

#[derive(Serialize)]
struct PairRow<'a> {
    agent: &'a str,
    opponent: &'a str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    /// `None` if infinite.
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

#[derive(Serialize)]
struct AgentRow<'a> {
    agent: &'a str,
    plays: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    mean_payoff: f64,
    ms_per_move: f64,
}

#[derive(Serialize)]
struct SeatRow<'a> {
    player: &'a str,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
}

#[derive(Serialize)]
struct MatchRow {
    plays: u64,
    /// Of them, those that were too long and count as drawn.
    stopped: u64,
    /// Further ones, without a result: the rules failed.
    broken: u64,
    mean_plies: f64,
    /// The engine that ran, at the end.
    engine: &'static str,
}

impl Standings {
    pub(super) fn new(runner: &Runner, specs: &[Spec]) -> Self {
        let players: Vec<String> = runner.players().map(str::to_owned).collect();
        Self {
            specs: specs.iter().map(ToString::to_string).collect(),
            pairs: BTreeMap::new(),
            agents: vec![Total::default(); specs.len()],
            seats: vec![Results::default(); players.len()],
            players,
            plays: 0,
            stopped: 0,
            broken: 0,
            plies: 0,
        }
    }

    /// Counts a play. What is in one play is not independent, so it counts once for every two agents: by the means of what
    /// each of them scored with all its players.
    pub(super) fn add(&mut self, played: &Played) {
        if played.broken.is_some() {
            self.broken += 1;
            return;
        }
        self.plays += 1;
        self.stopped += u64::from(!played.line.over);
        self.plies += played.plies;
        let mut means: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (seat, (&agent, &payoff)) in played.seats.iter().zip(&played.payoffs).enumerate() {
            let (sum, seats) = means.entry(agent).or_default();
            (*sum, *seats) = (*sum + payoff, *seats + 1.0);
            let others =
                played.payoffs.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, payoff)| *payoff);
            if let (Some(results), Some(best)) = (self.seats.get_mut(seat), others.reduce(f64::max)) {
                results.add(payoff, best);
            }
            if let Some(total) = self.agents.get_mut(agent) {
                let (time, moves) = played.thinking.get(seat).copied().unwrap_or_default();
                (total.time, total.moves) = (total.time + time, total.moves + moves);
            }
        }
        let means: Vec<(usize, f64)> = means.into_iter().map(|(agent, (sum, seats))| (agent, sum / seats)).collect();
        for &(agent, mean) in &means {
            for &(other, other_mean) in means.iter().filter(|(other, _)| *other != agent) {
                if let Some(total) = self.agents.get_mut(agent) {
                    total.results.add(mean, other_mean);
                }
                if agent < other {
                    self.pairs.entry((agent, other)).or_default().add(mean, other_mean);
                }
            }
            if let Some(total) = self.agents.get_mut(agent) {
                total.plays += 1;
                total.payoff += mean;
            }
        }
    }

    /// Plays with a result.
    pub(super) fn plays(&self) -> u64 {
        self.plays
    }

    /// The result so far in a few words.
    pub(super) fn headline(&self) -> String {
        let best = self.agents.iter().zip(&self.specs).filter(|(total, _)| total.results.games() > 0);
        let best = best.max_by(|(a, _), (b, _)| a.results.score().total_cmp(&b.results.score()));
        best.map_or(String::new(), |(total, spec)| format!("{spec} {}", percent(total.results.score())))
    }

    fn spec(&self, agent: usize) -> &str {
        self.specs.get(agent).map_or("", String::as_str)
    }

    fn pair_rows(&self) -> impl Iterator<Item = PairRow<'_>> {
        self.pairs.iter().map(|(&(agent, opponent), results)| {
            let Results { won, drawn, lost } = *results;
            let finite = |score: f64| Some(elo(score)).filter(|elo| elo.is_finite());
            let (low, high) = results.interval();
            PairRow {
                agent: self.spec(agent),
                opponent: self.spec(opponent),
                games: results.games(),
                won,
                drawn,
                lost,
                score: results.score(),
                elo: finite(results.score()),
                elo_low: finite(low),
                elo_high: finite(high),
            }
        })
    }

    fn agent_rows(&self) -> impl Iterator<Item = AgentRow<'_>> {
        let mean = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
        self.specs.iter().zip(&self.agents).map(move |(agent, total)| AgentRow {
            agent,
            plays: total.plays,
            won: total.results.won,
            drawn: total.results.drawn,
            lost: total.results.lost,
            score: total.results.score(),
            mean_payoff: mean(total.payoff, total.plays),
            ms_per_move: mean(total.time.as_secs_f64() * 1e3, total.moves),
        })
    }

    fn seat_rows(&self) -> impl Iterator<Item = SeatRow<'_>> {
        self.players.iter().zip(&self.seats).map(|(player, results)| {
            let Results { won, drawn, lost } = *results;
            SeatRow { player, won, drawn, lost, score: results.score() }
        })
    }

    fn summary(&self, engine: &'static str) -> MatchRow {
        let mean_plies = if self.plays == 0 { 0.0 } else { self.plies as f64 / self.plays as f64 };
        MatchRow { plays: self.plays, stopped: self.stopped, broken: self.broken, mean_plies, engine }
    }

    /// As JSON lines, with the name of the engine that ran.
    pub(super) fn write_json(&self, engine: &'static str, out: &mut impl Write) -> Result<(), Failure> {
        let mut text = String::new();
        for row in self.pair_rows() {
            text.push_str(&record::line(&row)?);
        }
        for row in self.agent_rows() {
            text.push_str(&record::line(&row)?);
        }
        for row in self.seat_rows() {
            text.push_str(&record::line(&row)?);
        }
        text.push_str(&record::line(&self.summary(engine))?);
        Ok(out.write_all(text.as_bytes())?)
    }

    /// As tables, with the name of the engine that ran.
    pub(super) fn write(&self, engine: &'static str, out: &mut impl Write) -> Result<(), Failure> {
        let numbers = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>();
        let pairs: Vec<Vec<String>> = self
            .pairs
            .iter()
            .map(|(&(agent, opponent), results)| {
                let (low, high) = results.interval();
                let mut row = vec![self.spec(agent).to_owned(), self.spec(opponent).to_owned()];
                row.extend(numbers(&[results.games(), results.won, results.drawn, results.lost]));
                row.push(percent(results.score()));
                row.push(elo_text(elo(results.score())));
                row.push(format!("{} to {}", elo_text(elo(low)), elo_text(elo(high))));
                row
            })
            .collect();
        if !pairs.is_empty() {
            let header = ["agent", "opponent", "games", "won", "drawn", "lost", "score", "Elo", "95 % interval"];
            writeln!(out, "{}", render(&header, 2, pairs))?;
        }
        let agents = self.agent_rows().map(|row| {
            let mut cells = vec![row.agent.to_owned()];
            cells.extend(numbers(&[row.plays]));
            cells.extend([format!("{:.1}", row.mean_payoff), format!("{:.1}", row.ms_per_move)]);
            cells
        });
        let header = ["agent", "plays", "mean payoff", "ms/move"];
        writeln!(out, "{}", render(&header, 1, agents.collect()))?;
        if self.players.len() > 1 {
            let seats = self.seat_rows().map(|row| {
                let mut cells = vec![row.player.to_owned()];
                cells.extend(numbers(&[row.won, row.drawn, row.lost]));
                cells.push(percent(row.score));
                cells
            });
            writeln!(out, "{}", render(&["player", "won", "drawn", "lost", "score"], 1, seats.collect()))?;
        }
        let MatchRow { plays, stopped, broken, mean_plies, engine } = self.summary(engine);
        let mut last = format!("{} of {mean_plies:.1} plies on average, engine {engine}", counted(plays, "game"));
        if stopped > 0 {
            last.push_str(&format!("; {stopped} stopped before the end, counted as drawn"));
        }
        if broken > 0 {
            last.push_str(&format!("; {broken} more broken off by an error, without a result"));
        }
        Ok(writeln!(out, "{last}")?)
    }
}

fn percent(score: f64) -> String {
    format!("{:.1} %", 100.0 * score)
}
