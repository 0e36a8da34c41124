//! What is measured: playouts, and perft.

use crate::cli::Mode;
use crate::joint::count_each;
use crate::runner::Runner;
use crate::session::{Failure, finding};
use crate::table::rate;
use backend::{Error, MoveForm, Moves, PlayoutStats, Rng, State};
use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Seconds for all runs together.
    pub(super) seconds: f64,
    /// Number of runs; at least 1.
    pub(super) runs: u32,
    /// Seed of the playouts, the same in every run.
    pub(super) seed: u64,
}

/// What one run gave. Where a figure makes no sense for a mode it is missing.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) playouts_per_s: Option<f64>,
    pub(super) states_per_s: f64,
    pub(super) mean_plies: Option<f64>,
    pub(super) mean_moves: Option<f64>,
    pub(super) seconds: f64,
}

impl Run {
    /// What is compared between runs: playouts per second, or else states per second.
    pub(super) fn speed(&self) -> f64 {
        self.playouts_per_s.unwrap_or(self.states_per_s)
    }
}

/// The name of a mode.
pub(super) fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::List => "list",
        Mode::Set => "set",
        Mode::Bulk => "bulk",
        Mode::Visit => "visit",
    }
}

/// All runs of one mode.
///
/// # Errors
/// The game is improper, or the engine has no sets (`IO335`).
pub(super) fn measure(runner: &Runner, mode: Mode, effort: Effort) -> Result<Vec<Run>, Failure> {
    match mode {
        Mode::Set if !runner.reasoner.has_sets() => {
            let engine = runner.reasoner.engine_name();
            let refused = format!("engine `{engine}` has no sets of moves for this game");
            Err(finding("IO335", refused).into())
        }
        Mode::List => (0..effort.runs).map(|_| random_plays(runner, MoveForm::List, effort)).collect(),
        Mode::Set => (0..effort.runs).map(|_| random_plays(runner, MoveForm::Sets, effort)).collect(),
        Mode::Bulk => bulk(runner, effort),
        Mode::Visit => visit(runner, effort),
    }
}

/// One run of whole playouts until its share of the time is over, at least one.
fn random_plays(runner: &Runner, form: MoveForm, effort: Effort) -> Result<Run, Failure> {
    let budget = Duration::from_secs_f64(effort.seconds / f64::from(effort.runs.max(1)));
    let mut rng = Rng::new(effort.seed);
    let mut stats = PlayoutStats::default();
    let at_once = runner.reasoner.plays_at_once() as u32;
    let start = Instant::now();
    // Looking at the clock takes as long as a few plies: it is done about this often, or after each play.
    const APART: Duration = Duration::from_micros(50);
    let (mut plays, mut last) = (at_once, Duration::ZERO);
    while stats.plays == 0 || last < budget {
        let played = runner.reasoner.playouts(u64::from(plays), form, &mut rng, &mut stats);
        match played {
            // Such a play counts, as far as it went on.
            Err(error) if runner.forgives(&error) => stats.plays += 1,
            played => played.map_err(|error| runner.failure(&error))?,
        }
        let now = start.elapsed();
        plays = match at_once > 1 {
            // Plays side by side thin out at the end of each call, so there are few calls.
            true if 4 * (now - last) < budget.saturating_sub(now) => plays.saturating_mul(2),
            true => plays,
            false if now - last < APART => plays.saturating_mul(2),
            false => plays.div_ceil(2),
        };
        last = now;
    }
    let seconds = start.elapsed().as_secs_f64();
    let mean = |sum: u64, count: u64| Some(if count == 0 { 0.0 } else { sum as f64 / count as f64 });
    Ok(Run {
        playouts_per_s: Some(rate(stats.plays as f64, seconds)),
        states_per_s: rate(stats.plies as f64, seconds),
        mean_plies: mean(stats.plies, stats.plays),
        mean_moves: mean(stats.moves, stats.plies),
        seconds,
    })
}

/// Perft in which the last moves are only counted.
fn bulk(runner: &Runner, effort: Effort) -> Result<Vec<Run>, Failure> {
    let state = runner.initial()?;
    perft(runner, effort, |depth, before| {
        let leaves = match runner.reasoner.perft(&state, depth) {
            Err(error) if runner.forgives(&error) => count_each(runner, &state, depth)?,
            counted => counted?,
        };
        Ok((leaves, before.saturating_add(leaves)))
    })
}

/// Perft in which every move is made.
fn visit(runner: &Runner, effort: Effort) -> Result<Vec<Run>, Failure> {
    let state = runner.initial()?;
    perft(runner, effort, |depth, _| {
        let mut visits = Visits { runner, leaves: 0, made: 0, buffers: Vec::new() };
        visits.below(&state, depth)?;
        Ok((visits.leaves, visits.made))
    })
}

/// Greatest depth of a measured perft: more than any game has that is not a line of forced moves.
const MAX_DEPTH: u32 = 500;

/// Perft of growing depth, as long as the next depth can be expected to be done in a run's share of the time; the deepest
/// one counts, and is done once for every further run. `count` gets a depth and the number of shorter plays, and returns
/// the number of leaves, and of states.
fn perft(
    runner: &Runner,
    effort: Effort,
    mut count: impl FnMut(u32, u64) -> Result<(u64, u64), Error>,
) -> Result<Vec<Run>, Failure> {
    let budget = effort.seconds / f64::from(effort.runs.max(1));
    let mut timed = |depth: u32, shorter: u64| {
        let begin = Instant::now();
        let (leaves, states) = count(depth, shorter).map_err(|error| runner.failure(&error))?;
        let seconds = begin.elapsed().as_secs_f64();
        let states_per_s = rate(states as f64, seconds);
        let run = Run { playouts_per_s: None, states_per_s, mean_plies: None, mean_moves: None, seconds };
        Ok::<_, Failure>((leaves, run))
    };
    let start = Instant::now();
    let (mut shorter, mut before, mut depth) = (1u64, 1u64, 1);
    let deepest = loop {
        let (leaves, run) = timed(depth, shorter)?;
        let growth = leaves as f64 / before as f64;
        let expected = start.elapsed().as_secs_f64() + run.seconds * growth.max(1.0);
        if leaves == 0 || expected > budget || depth == MAX_DEPTH {
            break run;
        }
        (shorter, before, depth) = (shorter.saturating_add(leaves), leaves, depth + 1);
    };
    let mut runs = vec![deepest];
    for _ in 1..effort.runs {
        runs.push(timed(depth, shorter)?.1);
    }
    Ok(runs)
}

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
        let runner = self.runner;
        match runner.reasoner.legal_moves(state, &mut moves) {
            Err(error) if runner.forgives(&error) => moves = Moves::new(),
            listed => listed?,
        }
        for index in 0..moves.len() {
            let mut next = state.clone();
            self.made += 1;
            match runner.reasoner.apply(&mut next, &moves, index) {
                Err(error) if runner.forgives(&error) => {
                    self.leaves += u64::from(depth == 1);
                    continue;
                }
                made => made?,
            }
            self.below(&next, depth - 1)?;
        }
        self.buffers.push(moves);
        Ok(())
    }
}
