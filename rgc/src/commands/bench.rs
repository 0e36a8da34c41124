//! `rgc bench`.

use crate::cli::{LanguageArgs, LevelArgs, Mode};
use crate::optimize;
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::table::{grouped, rate, render};
use backend::{Ambiguity, Engine, Error, Limits, MoveForm, Moves, Options, PlayoutStats, Rng, State};
use passes::Pipeline;
use rg_ir::Severity;
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One measurement. Where a figure makes no sense for a mode it is missing.
#[derive(Clone, Serialize)]
struct Measurement {
    game: String,
    engine: &'static str,
    mode: &'static str,
    playouts_per_s: Option<f64>,
    states_per_s: f64,
    mean_plies: Option<f64>,
    mean_moves: Option<f64>,
    state_bytes: usize,
    startup_ms: f64,
    seconds: f64,
}

/// What to measure.
pub(super) struct Plan<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) language: &'a LanguageArgs,
    pub(super) modes: &'a [Mode],
    pub(super) seconds: f64,
    pub(super) seed: u64,
    pub(super) json: bool,
    /// An engine's name, or `all`.
    pub(super) engine: &'a str,
    pub(super) level: LevelArgs,
    pub(super) ambiguity: Ambiguity,
    pub(super) limits: Limits,
}

pub(super) fn run(session: &mut Session, plan: &Plan<'_>) -> Result<(), Failure> {
    let mut rows = Vec::new();
    let mut failed = false;
    let wanted = |(name, engine): &(&str, Engine)| match plan.engine {
        "all" => *engine != Engine::Auto,
        chosen => *name == chosen,
    };
    for file in plan.files {
        for (_, engine) in Engine::ALL.iter().filter(|entry| wanted(entry)) {
            match measure(session, plan, file, *engine) {
                Ok(measured) => rows.extend(measured),
                Err(Failure::Shown) => failed = true,
                Err(Failure::Finding(error)) => {
                    session.show(&[*error]);
                    failed = true;
                }
                Err(failure) => return Err(failure),
            }
        }
    }
    if !plan.json && !rows.is_empty() {
        session.out().write_all(table(&rows).as_bytes())?;
    }
    if failed { Err(Failure::Shown) } else { Ok(()) }
}

/// All modes of one game on one engine.
fn measure(session: &mut Session, plan: &Plan<'_>, file: &Path, engine: Engine) -> Result<Vec<Measurement>, Failure> {
    let start = Instant::now();
    let mut loaded = session.load(file, plan.language.from.as_deref(), Severity::Error)?;
    // How moves are written does not matter here.
    let level = optimize::level(plan.level.or_fast(plan.ambiguity));
    optimize::run(&mut loaded.game, &Pipeline::level(level))?;
    let options = Options { engine, ambiguity: plan.ambiguity, limits: plan.limits, ..Options::default() };
    let runner = Runner::new(loaded, options)?;
    runner.initial()?;
    let blank = Measurement {
        game: runner.loaded.name.clone(),
        engine: runner.reasoner.engine_name(),
        mode: "",
        playouts_per_s: None,
        states_per_s: 0.0,
        mean_plies: None,
        mean_moves: None,
        state_bytes: runner.reasoner.state_bytes(),
        startup_ms: start.elapsed().as_secs_f64() * 1e3,
        seconds: 0.0,
    };
    let mut rows = Vec::new();
    for mode in plan.modes {
        let mode = match mode {
            Mode::Set if !runner.reasoner.has_sets() => {
                let engine = runner.reasoner.engine_name();
                let refused = format!("engine `{engine}` has no sets of moves for this game");
                return Err(finding("IO335", refused).into());
            }
            Mode::List => list,
            Mode::Set => set,
            Mode::Bulk => bulk,
            Mode::Visit => visit,
        };
        session.progress(&format!("{} …", blank.game));
        let measured = mode(&runner, plan, blank.clone());
        session.progress("");
        let measured = measured?;
        if plan.json {
            let line = serde_json::to_string(&measured).map_err(std::io::Error::from)?;
            writeln!(session.out(), "{line}")?;
            session.out().flush()?;
        }
        rows.push(measured);
    }
    Ok(rows)
}

/// Flat Monte Carlo with lists.
fn list(runner: &Runner, plan: &Plan<'_>, blank: Measurement) -> Result<Measurement, Failure> {
    random_plays(runner, plan, MoveForm::List, Measurement { mode: "list", ..blank })
}

/// Flat Monte Carlo with sets.
fn set(runner: &Runner, plan: &Plan<'_>, blank: Measurement) -> Result<Measurement, Failure> {
    random_plays(runner, plan, MoveForm::Sets, Measurement { mode: "set", ..blank })
}

/// Whole random plays until the time is over, at least one.
fn random_plays(runner: &Runner, plan: &Plan<'_>, form: MoveForm, blank: Measurement) -> Result<Measurement, Failure> {
    let budget = Duration::from_secs_f64(plan.seconds);
    let mut rng = Rng::new(plan.seed);
    let mut stats = PlayoutStats::default();
    let start = Instant::now();
    while stats.plays == 0 || start.elapsed() < budget {
        runner.reasoner.playout_in(form, &mut rng, &mut stats).map_err(|error| runner.failure(&error))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let mean = |sum: u64, count: u64| Some(if count == 0 { 0.0 } else { sum as f64 / count as f64 });
    Ok(Measurement {
        playouts_per_s: Some(rate(stats.plays as f64, seconds)),
        states_per_s: rate(stats.plies as f64, seconds),
        mean_plies: mean(stats.plies, stats.plays),
        mean_moves: mean(stats.moves, stats.plies),
        seconds,
        ..blank
    })
}

/// Perft in which the last moves are only counted.
fn bulk(runner: &Runner, plan: &Plan<'_>, blank: Measurement) -> Result<Measurement, Failure> {
    let (mut plays, state) = (1u64, runner.initial()?);
    perft(runner, plan, Measurement { mode: "bulk", ..blank }, |depth| {
        let leaves = runner.reasoner.perft(&state, depth)?;
        plays = plays.saturating_add(leaves);
        Ok((leaves, plays))
    })
}

/// Perft in which every move is made.
fn visit(runner: &Runner, plan: &Plan<'_>, blank: Measurement) -> Result<Measurement, Failure> {
    let state = runner.initial()?;
    perft(runner, plan, Measurement { mode: "visit", ..blank }, |depth| {
        let mut visits = Visits { runner, leaves: 0, made: 0, buffers: Vec::new() };
        visits.below(&state, depth)?;
        Ok((visits.leaves, visits.made))
    })
}

/// Perft of growing depth, as long as the next depth can be expected to be done in time. Reports the deepest one.
/// `count` returns the number of leaves, and of states.
fn perft(
    runner: &Runner,
    plan: &Plan<'_>,
    blank: Measurement,
    mut count: impl FnMut(u32) -> Result<(u64, u64), Error>,
) -> Result<Measurement, Failure> {
    let start = Instant::now();
    let mut before = 1u64;
    for depth in 1.. {
        let begin = Instant::now();
        let (leaves, states) = count(depth).map_err(|error| runner.failure(&error))?;
        let seconds = begin.elapsed().as_secs_f64();
        let growth = leaves as f64 / before as f64;
        before = leaves;
        let expected = start.elapsed().as_secs_f64() + seconds * growth.max(1.0);
        if leaves == 0 || expected > plan.seconds || depth == MAX_DEPTH {
            return Ok(Measurement { states_per_s: rate(states as f64, seconds), seconds, ..blank });
        }
    }
    Ok(blank)
}

/// Greatest depth of a measured perft: more than any game has that is not a line of forced moves.
const MAX_DEPTH: u32 = 500;

/// A walk over all plays of some length.
struct Visits<'a> {
    runner: &'a Runner,
    /// Plays of that length.
    leaves: u64,
    /// Moves made.
    made: u64,
    /// Lists of moves, to be used again.
    buffers: Vec<Moves>,
}

impl Visits<'_> {
    fn below(&mut self, state: &State, depth: u32) -> Result<(), Error> {
        if depth == 0 {
            self.leaves += 1;
            return Ok(());
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        self.runner.reasoner.legal_moves(state, &mut moves)?;
        for index in 0..moves.len() {
            let mut next = state.clone();
            self.runner.reasoner.apply(&mut next, &moves, index)?;
            self.made += 1;
            self.below(&next, depth - 1)?;
        }
        self.buffers.push(moves);
        Ok(())
    }
}

fn table(rows: &[Measurement]) -> String {
    let header =
        ["game", "engine", "mode", "playouts/s", "states/s", "plies", "moves", "state bytes", "start-up ms", "seconds"];
    let optional = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.2}"));
    let cells = |row: &Measurement| {
        vec![
            row.game.clone(),
            row.engine.to_owned(),
            row.mode.to_owned(),
            row.playouts_per_s.map_or("–".to_owned(), |rate| grouped(rate as u64)),
            grouped(row.states_per_s as u64),
            optional(row.mean_plies),
            optional(row.mean_moves),
            grouped(row.state_bytes as u64),
            format!("{:.1}", row.startup_ms),
            format!("{:.2}", row.seconds),
        ]
    };
    render(&header, 3, rows.iter().map(cells).collect())
}
