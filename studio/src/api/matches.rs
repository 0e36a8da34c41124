//! Matches between agents.

use super::Failure;
use super::games::{self, Version};
use super::job::{self, Job, Started};
use crate::session::Session;
use agents::Spec;
use kit::elo::{Results, elo};
use kit::participant::Participant;
use kit::tournament::Schedule;
use kit::tournament::game::{Broken, Played};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// Agents of a match at most.
const MAX_AGENTS: usize = 12;

/// Games of a line-up at most.
const MAX_GAMES: u64 = 10_000;

/// A game is stopped after so many plies, and counts as drawn.
const MAX_PLIES: u64 = 5_000;

/// A match that is to be played.
#[derive(Deserialize)]
pub(crate) struct Match {
    #[serde(flatten)]
    about: games::About,
    agents: Vec<String>,
    /// Games of each line-up.
    games: u64,
    seed: u64,
}

/// What an agent has achieved.
#[derive(Serialize)]
struct Row {
    agent: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: f64,
    /// A 95 % confidence interval of the score.
    low: f64,
    high: f64,
    /// Difference of Elo ratings to the others that the score stands for, and its interval; nothing where it is infinite.
    elo: [Option<f64>; 3],
    /// Seconds for a move.
    pace: f64,
}

/// Lets agents play against each other.
pub(crate) fn start(session: &mut Session, wanted: Match) -> Result<Started, Failure> {
    let version = games::good(session, wanted.about)?;
    let wrong = |error: &dyn std::fmt::Display| Failure::new("agent", error.to_string());
    if wanted.agents.is_empty() || wanted.agents.len() > MAX_AGENTS {
        return Err(Failure::new("request", format!("a match has 1 to {MAX_AGENTS} agents")));
    }
    let mut participants = Vec::new();
    for text in &wanted.agents {
        // Programs of others are not started for a page.
        Spec::parse(text).map_err(|error| wrong(&error))?;
        participants.push(Participant::parse(text).map_err(|error| wrong(&error))?);
    }
    let games = wanted.games.clamp(1, MAX_GAMES);
    job::start(session, move |job| run(job, &version, &participants, games, wanted.seed))
}

fn run(job: &Job, version: &Version, participants: &[Participant], games: u64, seed: u64) -> Result<(), Failure> {
    let runner = version.fast()?;
    for participant in participants {
        let tried = participant.try_out(runner);
        tried.map_err(|why| Failure::new("agent", format!("`{participant}`: {why}")))?;
    }
    let players: Vec<&str> = runner.players().collect();
    let schedule = Schedule::new(participants, players.len(), games, seed, MAX_PLIES);
    let schedule = schedule.ok_or_else(|| Failure::new("request", "there are too many line-ups of these agents"))?;
    job.report("begin", json!({ "games": schedule.len(), "players": players }));
    let mut standings = Standings::new(participants);
    for number in 0..schedule.len() {
        let task = schedule.task(number);
        let played = task.run(runner, job.stop.flag()).map_err(|error| version.failure(*runner.failure(&error)))?;
        let Some(played) = played else { return Ok(()) };
        standings.add(&played);
        let broken = played.broken.as_ref().map(|broken| match broken {
            Broken::Rules(error, play) => version.failure(*runner.failure_after(error.clone(), play.clone())),
            Broken::Bot(what) => Failure::new("agent", what.clone()),
        });
        job.report(
            "result",
            json!({
                "number": number,
                "seats": played.seats,
                "scores": played.line.scores,
                "plies": played.plies,
                "over": played.line.over,
                "broken": broken,
                "moves": played.line.moves,
                "rows": standings.rows(),
            }),
        );
    }
    Ok(())
}

/// Results so far.
struct Standings {
    names: Vec<String>,
    results: Vec<Results>,
    /// Per agent seconds, and moves.
    thinking: Vec<(f64, u64)>,
}

impl Standings {
    fn new(participants: &[Participant]) -> Self {
        let names = participants.iter().map(ToString::to_string).collect();
        let (results, thinking) = (vec![Results::default(); participants.len()], vec![(0.0, 0); participants.len()]);
        Self { names, results, thinking }
    }

    /// Counts a game: each agent against each other one in it, by the mean of what they scored on their seats.
    fn add(&mut self, played: &Played) {
        for (&seat, (time, moves)) in played.seats.iter().zip(&played.thinking) {
            if let Some(slot) = self.thinking.get_mut(seat) {
                *slot = (slot.0 + time.as_secs_f64(), slot.1 + moves);
            }
        }
        if played.broken.is_some() {
            return;
        }
        let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (&seat, &payoff) in played.seats.iter().zip(&played.payoffs) {
            let sum = sums.entry(seat).or_default();
            *sum = (sum.0 + payoff, sum.1 + 1.0);
        }
        let means: Vec<(usize, f64)> = sums.into_iter().map(|(seat, (sum, count))| (seat, sum / count)).collect();
        for &(own, mean) in &means {
            for &(_, other) in means.iter().filter(|(seat, _)| *seat != own) {
                if let Some(results) = self.results.get_mut(own) {
                    results.add(mean, other);
                }
            }
        }
    }

    fn rows(&self) -> Vec<Row> {
        let all = self.names.iter().zip(&self.results).zip(&self.thinking);
        let row = |((name, results), (time, moves)): ((&String, &Results), &(f64, u64))| {
            let (score, (low, high)) = (results.score(), results.interval());
            let finite = |score: f64| Some(elo(score)).filter(|difference| difference.is_finite());
            let Results { won, drawn, lost } = *results;
            let pace = if *moves == 0 { 0.0 } else { time / *moves as f64 };
            let elo = [finite(low), finite(score), finite(high)];
            Row { agent: name.clone(), games: results.games(), won, drawn, lost, score, low, high, elo, pace }
        };
        all.map(row).collect()
    }
}
