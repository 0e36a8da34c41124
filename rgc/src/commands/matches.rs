//! `rgc match`.

use crate::cli::{EngineArgs, GameArgs};
use crate::elo::{Results, elo, elo_text};
use crate::output::What;
use crate::record::{self, Header};
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::table::render;
use crate::tournament::{Broken, MAX_LINEUPS, Played, Seats, Task, lineups, seated};
use agents::Spec;
use backend::{Ambiguity, Rng};
use rg_ir::Severity;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// What is to be played.
pub(super) struct Plan<'a> {
    pub(super) game: &'a GameArgs,
    pub(super) specs: &'a [Spec],
    /// Plays of every line-up.
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) max_plies: u64,
    pub(super) json: bool,
    pub(super) record: Option<&'a Path>,
    /// Whether the record may take the place of another file.
    pub(super) force: bool,
    pub(super) engine: &'a EngineArgs,
}

pub(super) fn run(session: &mut Session, plan: &Plan<'_>) -> Result<(), Failure> {
    let options = plan.engine.options();
    let loaded = session.load(&plan.game.file, plan.game.language.from.as_deref(), Severity::Error)?;
    let source = loaded.source;
    let runner = Runner::new(loaded.optimised(plan.engine.level.or_fast(options.ambiguity))?, options)?;
    runner.initial()?;
    for spec in plan.specs {
        spec.agent(&runner.reasoner, 0).map_err(|error| finding("IO341", format!("agent `{spec}`: {error}")))?;
    }
    let Some(lineups) = lineups(plan.specs.len(), runner.reasoner.players().len()) else {
        return Err(finding("IO342", format!("there are more than {MAX_LINEUPS} line-ups")).into());
    };
    let text = session.sources.get(source).map_or("", |file| &file.text);
    let header =
        Header::new(&runner, &plan.game.file.display().to_string(), text, options.ambiguity == Ambiguity::Split);
    let record = plan.record.map(|path| Record::create(session, path, plan.force, &header)).transpose()?;
    let standings = Standings::new(&runner, plan.specs);
    let standings = play(session, plan, &runner, &lineups, record, standings)?;
    if plan.json { standings.write_json(session.out()) } else { standings.write(session.out()) }
}

/// Plays everything, on several threads; results are taken in their order.
fn play(
    session: &mut Session,
    plan: &Plan<'_>,
    runner: &Runner,
    lineups: &[Seats],
    mut record: Option<Record>,
    mut standings: Standings,
) -> Result<Standings, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let pool = pool.map_err(|error| finding("IO342", format!("cannot start threads: {error}")))?;
    let total = plan.games.saturating_mul(lineups.len() as u64);
    let (sender, results) = mpsc::channel::<(u64, Result<Played, Broken>)>();
    let stopped = AtomicBool::new(false);
    let task = |number: u64| {
        let lineup = lineups.get((number / plan.games.max(1)) as usize).map_or(&[][..], Vec::as_slice);
        let seats = seated(lineup, number % plan.games.max(1));
        // Seeds of neighbours have nothing in common: the generator mixes them.
        let seed = Rng::new(plan.seed ^ Rng::new(number).next_u64()).next_u64();
        Task { number, seats, specs: plan.specs, seed, max_plies: plan.max_plies }
    };
    let result = pool.in_place_scope_fifo(|scope| {
        let mut tasks = (0..total).map(task);
        let mut begin = |count: usize| {
            for task in tasks.by_ref().take(count) {
                let (sender, stopped) = (sender.clone(), &stopped);
                scope.spawn_fifo(move |_| {
                    if !stopped.load(Ordering::Relaxed) {
                        // Nobody listens any more if another play failed.
                        let _ = sender.send((task.number, task.run(runner)));
                    }
                });
            }
        };
        // A few are always waiting, so that no thread has to.
        begin(4 * plan.threads);
        let mut early: BTreeMap<u64, Played> = BTreeMap::new();
        let mut done = 0;
        let mut collect = || {
            while done < total {
                let Ok((number, result)) = results.recv() else { break };
                begin(1);
                early.insert(number, result.map_err(|broken| failure(runner, broken))?);
                while let Some(played) = early.remove(&done) {
                    done += 1;
                    if let Some(record) = &mut record {
                        record.add(&played)?;
                    }
                    standings.add(&played);
                    session.progress(&format!("{done} of {total} plays, {}", standings.headline()));
                }
            }
            Ok(())
        };
        let collected = collect();
        stopped.store(true, Ordering::Relaxed);
        collected.map(|()| standings)
    });
    session.progress("");
    result
}

/// The finding about an error in a play, after the moves of the play and those that the agent thought of.
fn failure(runner: &Runner, (error, made): Broken) -> Failure {
    let play = made.into_iter().chain(error.play.iter().cloned()).collect();
    runner.failure_after(error, play)
}

/// The file that plays are recorded in.
struct Record {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Record {
    fn create(session: &Session, path: &Path, force: bool, header: &Header) -> Result<Self, Failure> {
        let file = session.writer.create(What::Record, path, force)?;
        let mut record = Self { path: path.to_owned(), file: BufWriter::new(file) };
        record.write(&record::line(header)?)?;
        Ok(record)
    }

    fn add(&mut self, played: &Played) -> Result<(), Failure> {
        self.write(&record::line(&played.line)?)
    }

    /// Every line is written at once: whoever interrupts a match keeps the plays.
    fn write(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        Ok(written.map_err(|error| What::Record.unwritable(&self.path, &error))?)
    }
}

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
struct Standings {
    specs: Vec<String>,
    players: Vec<String>,
    /// By two agents, the first one's results; the first one has the smaller index.
    pairs: BTreeMap<(usize, usize), Results>,
    agents: Vec<Total>,
    /// Per player, results against the other players, whoever played.
    seats: Vec<Results>,
    plays: u64,
    stopped: u64,
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
    stopped: u64,
    mean_plies: f64,
}

impl Standings {
    fn new(runner: &Runner, specs: &[Spec]) -> Self {
        let players: Vec<String> = runner.players().map(str::to_owned).collect();
        Self {
            specs: specs.iter().map(ToString::to_string).collect(),
            pairs: BTreeMap::new(),
            agents: vec![Total::default(); specs.len()],
            seats: vec![Results::default(); players.len()],
            players,
            plays: 0,
            stopped: 0,
            plies: 0,
        }
    }

    fn add(&mut self, played: &Played) {
        self.plays += 1;
        self.stopped += u64::from(!played.line.over);
        self.plies += played.plies;
        let seated: Vec<(usize, usize, f64)> = (0..)
            .zip(&played.seats)
            .zip(&played.payoffs)
            .map(|((seat, &agent), &payoff)| (seat, agent, payoff))
            .collect();
        for &(seat, agent, payoff) in &seated {
            for &(other_seat, other, other_payoff) in &seated {
                if seat == other_seat {
                    continue;
                }
                if let Some(results) = self.seats.get_mut(seat) {
                    results.add(payoff, other_payoff);
                }
                if let Some(total) = self.agents.get_mut(agent).filter(|_| agent != other) {
                    total.results.add(payoff, other_payoff);
                }
                if agent < other {
                    self.pairs.entry((agent, other)).or_default().add(payoff, other_payoff);
                }
            }
            if let Some(total) = self.agents.get_mut(agent) {
                total.plays += 1;
                total.payoff += payoff;
                let (time, moves) = played.thinking.get(seat).copied().unwrap_or_default();
                (total.time, total.moves) = (total.time + time, total.moves + moves);
            }
        }
    }

    /// The result so far in a few words.
    fn headline(&self) -> String {
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

    fn summary(&self) -> MatchRow {
        let mean_plies = if self.plays == 0 { 0.0 } else { self.plies as f64 / self.plays as f64 };
        MatchRow { plays: self.plays, stopped: self.stopped, mean_plies }
    }

    fn write_json(&self, out: &mut impl Write) -> Result<(), Failure> {
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
        text.push_str(&record::line(&self.summary())?);
        Ok(out.write_all(text.as_bytes())?)
    }

    fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
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
        let MatchRow { plays, stopped, mean_plies } = self.summary();
        let stopped = match stopped {
            0 => String::new(),
            _ => format!("; {stopped} stopped before the end, counted as drawn"),
        };
        Ok(writeln!(out, "{plays} plays of {mean_plies:.1} plies on the average{stopped}")?)
    }
}

fn percent(score: f64) -> String {
    format!("{:.1} %", 100.0 * score)
}
