//! `rgc match`.

mod standings;

use crate::cli::{EngineArgs, GameArgs};
use crate::output::What;
use crate::record::{self, Header};
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::tournament::{Broken, MAX_LINEUPS, Played, Seats, Task, lineups, seatings};
use agents::Spec;
use backend::{Ambiguity, Error, ErrorKind, Rng};
use rg_ir::Severity;
use standings::Standings;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

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
    let seatings: Vec<Vec<Seats>> = lineups.iter().map(|patterns| seatings(patterns, plan.games)).collect();
    let (standings, broken) = play(session, plan, &runner, &seatings, record, standings)?;
    let engine = runner.reasoner.running_engine();
    if plan.json {
        standings.write_json(engine, session.out())?
    } else {
        standings.write(engine, session.out())?
    }
    session.show(&runner.findings());
    match broken {
        Some((broken, is_fatal)) => report(session, &runner, broken, is_fatal || standings.plays() == 0),
        // Why nothing has a result is said by the findings about the rules.
        None if standings.plays() == 0 && plan.games > 0 => session.finish().and(Err(Failure::Shown)),
        None => Ok(()),
    }
}

/// Says why a play was broken off. A limit that is met now and then, as in a playout that goes on and on, is a warning.
fn report(session: &mut Session, runner: &Runner, broken: Broken, is_fatal: bool) -> Result<(), Failure> {
    let mut finding = match failure(runner, broken) {
        Failure::Finding(finding) => *finding,
        other => return Err(other),
    };
    if !is_fatal {
        finding.severity = Severity::Warning;
    }
    session.show(&[finding.note("plays that end so have no result; this is the first one")]);
    if is_fatal { session.finish().and(Err(Failure::Shown)) } else { Ok(()) }
}

/// Plays everything, on several threads; results are taken in their order. With the standings comes why the first play that
/// has no result was broken off, and whether the rules are to blame for some of them, more than by a limit.
fn play(
    session: &mut Session,
    plan: &Plan<'_>,
    runner: &Runner,
    lineups: &[Vec<Seats>],
    mut record: Option<Record>,
    mut standings: Standings,
) -> Result<(Standings, Option<(Broken, bool)>), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let pool = pool.map_err(|error| finding("IO342", format!("cannot start threads: {error}")))?;
    let total = plan.games.saturating_mul(lineups.len() as u64);
    let (sender, results) = mpsc::channel::<(u64, Result<Played, Error>)>();
    let stopped = AtomicBool::new(false);
    let task = |number: u64| {
        let seatings = lineups.get((number / plan.games.max(1)) as usize).map_or(&[][..], Vec::as_slice);
        let seats = seatings.get((number % plan.games.max(1)) as usize % seatings.len().max(1));
        let seats = seats.cloned().unwrap_or_default();
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
        let mut broken: Option<(Broken, bool)> = None;
        let mut collect = || {
            while done < total {
                let Ok((number, result)) = results.recv() else { break };
                begin(1);
                early.insert(number, result.map_err(|error| runner.failure(&error))?);
                while let Some(mut played) = early.remove(&done) {
                    done += 1;
                    if let Some(record) = &mut record {
                        record.add(&played)?;
                    }
                    standings.add(&played);
                    if let Some(found) = played.broken.take()
                        && !runner.forgives(&Error { play: found.1.clone(), ..found.0.clone() })
                    {
                        let is_fatal = found.0.kind != ErrorKind::Limit;
                        broken.get_or_insert((found, false)).1 |= is_fatal;
                    }
                    session.progress(&format!("{done} of {total} plays, {}", standings.headline()));
                }
            }
            Ok(())
        };
        let collected = collect();
        stopped.store(true, Ordering::Relaxed);
        collected.map(|()| (standings, broken))
    });
    session.progress("");
    result
}

/// The finding about an error in a play, after the moves of the play and those that the agent thought of.
fn failure(runner: &Runner, (error, made): Broken) -> Failure {
    let play = made.into_iter().chain(error.play.iter().cloned()).collect();
    runner.failure_after(error, play).into()
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
