//! How fast a game runs, and how many sequences of moves it has.

use super::Failure;
use super::games::{self, SOURCE, Version};
use super::job::{self, Job, Started};
use crate::session::Session;
use backend::{Engine, MoveForm, Moves, Options, PlayoutStats, Reasoner, Rng, State, Turn};
use kit::known::known;
use kit::memory::Peak;
use kit::runner::Runner;
use serde::Deserialize;
use serde_json::json;
use std::time::{Duration, Instant};

/// The level at which games are optimised that are measured.
const LEVEL: u8 = 2;

/// Time between two reports.
const PERIOD: Duration = Duration::from_millis(200);

/// Seconds for an engine at most.
const MAX_SECONDS: f64 = 60.0;

/// Time that a part of a count may take.
const PART: Duration = Duration::from_millis(100);

/// Parts that are looked at before larger ones are tried.
const ENOUGH: u32 = 16;

/// Depths of perft at most.
const MAX_DEPTH: u32 = 40;

/// Random playouts that are to be measured.
#[derive(Deserialize)]
pub(crate) struct Playouts {
    #[serde(flatten)]
    about: games::About,
    /// The engines, by name.
    engines: Vec<String>,
    seconds: f64,
}

/// Measures random playouts with one engine after the other.
pub(crate) fn playouts(session: &mut Session, wanted: Playouts) -> Result<Started, Failure> {
    let version = games::good(session, wanted.about)?;
    let engine = |name: &String| {
        let found = Engine::ALL.iter().find(|(known, _)| known == name);
        found
            .map(|(name, engine)| (*name, *engine))
            .ok_or_else(|| Failure::new("request", format!("no engine `{name}`")))
    };
    let mut engines: Vec<_> = wanted.engines.iter().map(engine).collect::<Result<_, _>>()?;
    // Each is measured once, however often a page names it.
    engines.sort_unstable_by_key(|(name, _)| wanted.engines.iter().position(|wanted| wanted == name));
    engines.dedup_by_key(|(name, _)| *name);
    let budget = Duration::from_secs_f64(wanted.seconds.clamp(0.1, MAX_SECONDS));
    job::start(session, move |job| {
        for (name, engine) in engines {
            if !job.stop.is_set() {
                measured(job, &version, (name, engine), budget);
            }
        }
        Ok(())
    })
}

/// Measures one engine; that it cannot run the game is a result, too.
fn measured(job: &Job, version: &Version, (name, engine): (&str, Engine), budget: Duration) {
    let (start, peak) = (Instant::now(), Peak::begin());
    let prepared = version.again().and_then(|loaded| {
        let options = Options { engine, ..Options::default() };
        let runner = loaded.optimised(LEVEL).and_then(|loaded| Runner::new(loaded, options));
        runner.map_err(|finding| version.failure(*finding))
    });
    let runner = match prepared {
        Ok(runner) => runner,
        Err(failure) => return job.report("sample", json!({ "engine": name, "failure": failure })),
    };
    let at_once = runner.reasoner.plays_at_once() as u32;
    let prepared = start.elapsed().as_secs_f64();
    let (mut rng, mut stats) = (Rng::new(1), PlayoutStats::default());
    let (start, mut reported, mut count) = (Instant::now(), Instant::now(), at_once);
    loop {
        let before = start.elapsed();
        match runner.reasoner.playouts(u64::from(count), MoveForm::List, &mut rng, &mut stats) {
            // Such a playout counts, as far as it went on.
            Err(error) if runner.forgives(&error) => stats.plays += 1,
            Err(error) => {
                let failure = version.failure(*runner.failure(&error));
                return job.report("sample", json!({ "engine": name, "failure": failure }));
            }
            Ok(()) => {}
        }
        let now = start.elapsed();
        // Looking at the clock takes time: many playouts are made in between, but not for long.
        count = if now - before < Duration::from_millis(5) { count.saturating_mul(2) } else { count.div_ceil(2) };
        count = count.max(at_once);
        let is_over = now >= budget || job.stop.is_set();
        if is_over || reported.elapsed() >= PERIOD {
            reported = Instant::now();
            job.report(
                "sample",
                json!({
                    "engine": name,
                    "playouts": stats.plays,
                    "states": stats.plies,
                    "moves": stats.moves,
                    "seconds": now.as_secs_f64(),
                    "prepared": prepared,
                    "bytes": runner.reasoner.state_bytes(),
                    "memory": peak.grown(),
                    "over": is_over,
                }),
            );
        }
        if is_over {
            return;
        }
    }
}

/// Sequences of moves that are to be counted.
#[derive(Deserialize)]
pub(crate) struct Perft {
    #[serde(flatten)]
    about: games::About,
    depth: u32,
    /// Whether the number for each first move is wanted, too.
    divide: bool,
}

/// Counts sequences of 1, 2, … moves.
pub(crate) fn perft(session: &mut Session, wanted: Perft) -> Result<Started, Failure> {
    let version = games::good(session, wanted.about)?;
    let depth = wanted.depth.clamp(1, MAX_DEPTH);
    job::start(session, move |job| counted(job, &version, depth, wanted.divide))
}

fn counted(job: &Job, version: &Version, depth: u32, divide: bool) -> Result<(), Failure> {
    let loaded = version.again()?.optimised_to_count(LEVEL);
    let runner = loaded.and_then(|loaded| Runner::new(loaded, Options::default()));
    let runner = runner.map_err(|finding| version.failure(*finding))?;
    let failure = |error| version.failure(*runner.failure(&error));
    let lines = known(version.language.name, SOURCE, version.text());
    let expected: Vec<u64> =
        lines.first().into_iter().flat_map(|line| &line.numbers).map(|(count, _)| *count).collect();
    let state = runner.initial().map_err(|finding| version.failure(*finding))?;
    let mut moves = Moves::new();
    runner.reasoner.legal_moves(&state, &mut moves).map_err(failure)?;
    let texts = runner.short_texts(&moves);
    let mut counter = Counter::new(job, &runner.reasoner);
    for depth in 1..=depth {
        let start = Instant::now();
        let (mut leaves, mut shares) = (0_u64, Vec::new());
        if runner.reasoner.turn(&state) == Turn::Random {
            // Outcomes of chance that are the same are one, which the sum over moves does not know.
            leaves = runner.reasoner.perft(&state, depth).map_err(failure)?;
        } else {
            for (index, text) in texts.iter().enumerate() {
                let mut next = state.clone();
                runner.reasoner.apply(&mut next, &moves, index).map_err(failure)?;
                let Some(share) = counter.below(&next, depth - 1).map_err(failure)? else { return Ok(()) };
                leaves = leaves.saturating_add(share);
                shares.push((text, share));
            }
        }
        let known = (depth as usize).checked_sub(1).and_then(|at| expected.get(at));
        let row = json!({
            "depth": depth,
            // Numbers beyond 2⁵³ are no numbers in a page.
            "leaves": leaves.to_string(),
            "seconds": start.elapsed().as_secs_f64(),
            "known": known.map(u64::to_string),
            "shares": shares.iter().filter(|_| divide).map(|(text, share)| json!([text, share.to_string()])).collect::<Vec<_>>(),
        });
        job.report("row", row);
        if leaves == 0 {
            break;
        }
    }
    Ok(())
}

/// Counts in parts, each of which is so short that a page does not wait for it when it stops the count.
struct Counter<'r> {
    job: &'r Job,
    reasoner: &'r Reasoner,
    /// Plies that are counted at once.
    part: u32,
    /// Parts of so many plies so far, and the time that the longest of them took.
    count: u32,
    longest: Duration,
    /// Most moves of a position so far.
    widest: u32,
}

impl<'r> Counter<'r> {
    fn new(job: &'r Job, reasoner: &'r Reasoner) -> Self {
        Self { job, reasoner, part: 1, count: 0, longest: Duration::ZERO, widest: 1 }
    }

    /// Perft below a state; `None` if it was stopped.
    fn below(&mut self, state: &State, depth: u32) -> Result<Option<u64>, backend::Error> {
        if self.job.stop.is_set() {
            return Ok(None);
        }
        // Outcomes of chance are counted by the engine, as above.
        if depth <= self.part || self.reasoner.turn(state) == Turn::Random {
            return self.part(state, depth).map(Some);
        }
        let (mut moves, mut sum) = (Moves::new(), 0_u64);
        self.reasoner.legal_moves(state, &mut moves)?;
        self.widest = self.widest.max(u32::try_from(moves.len()).unwrap_or(u32::MAX));
        for index in 0..moves.len() {
            let mut next = state.clone();
            self.reasoner.apply(&mut next, &moves, index)?;
            let Some(share) = self.below(&next, depth - 1)? else { return Ok(None) };
            sum = sum.saturating_add(share);
        }
        Ok(Some(sum))
    }

    /// Counts a part, and finds out how large the next ones may be.
    fn part(&mut self, state: &State, depth: u32) -> Result<u64, backend::Error> {
        let start = Instant::now();
        let leaves = self.reasoner.perft(state, depth)?;
        let time = start.elapsed();
        if depth < self.part {
            return Ok(leaves);
        }
        (self.count, self.longest) = (self.count + 1, self.longest.max(time));
        if time > PART && self.part > 1 {
            (self.part, self.count, self.longest) = (self.part - 1, 0, Duration::ZERO);
        } else if self.count >= ENOUGH && self.longest.saturating_mul(self.widest) < PART {
            (self.part, self.count, self.longest) = (self.part + 1, 0, Duration::ZERO);
        }
        Ok(leaves)
    }
}
