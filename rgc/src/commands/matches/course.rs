//! The games of a match, several at the same time.

use super::is_fatal;
use super::journal::Journal;
use super::standings::Standings;
use crate::interrupt;
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::tournament::Schedule;
use crate::tournament::game::{Broken, Played};
use backend::Error;
use indicatif::HumanDuration;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often it is looked whether the match is to end.
const POLL: Duration = Duration::from_millis(50);

/// A match with what it needs.
pub(super) struct Course<'a> {
    pub(super) schedule: &'a Schedule<'a>,
    pub(super) runner: &'a Runner,
    pub(super) threads: usize,
}

/// A game's number, and what became of it; nothing if it was stopped.
type Outcome = (u64, Result<Option<Played>, Error>);

impl Course<'_> {
    /// Plays the games that the standings do not have yet. Results are taken in the order of the games, so that standings and records do not
    /// depend on threads. Returns why the first game without a result was stopped, and whether one of them was for more than a limit.
    pub(super) fn run(
        &self,
        session: &mut Session,
        standings: &mut Standings,
        mut journal: Option<Journal>,
    ) -> Result<Option<(Broken, bool)>, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| finding("IO342", format!("cannot start threads: {error}")))?;
        let (first, total) = (standings.all(), self.schedule.len());
        let (sender, results) = mpsc::channel::<Outcome>();
        let stop = AtomicBool::new(false);
        let progress = Progress { start: Instant::now(), first, total };
        let result = pool.in_place_scope_fifo(|scope| {
            let mut tasks = (first..total).map(|number| self.schedule.task(number));
            let mut begin = |count: usize| {
                for task in tasks.by_ref().take(count) {
                    let (sender, stop, runner) = (sender.clone(), &stop, self.runner);
                    scope.spawn_fifo(move |_| {
                        let played = if stop.load(Ordering::Relaxed) { Ok(None) } else { task.run(runner, stop) };
                        // After a failure nothing is received any more.
                        let _ = sender.send((task.number, played));
                    });
                }
            };
            // A few are always waiting, so that no thread has to.
            begin(4 * self.threads);
            let mut early: BTreeMap<u64, Option<Played>> = BTreeMap::new();
            let mut broken: Option<(Broken, bool)> = None;
            let mut collect = || {
                while standings.all() < total {
                    let Some((number, played)) = received(&results, &stop) else { break };
                    begin(1);
                    early.insert(number, played.map_err(|error| self.runner.failure(&error))?);
                    while let Some(played) = early.remove(&standings.all()) {
                        // What was stopped will be played when the match is resumed.
                        let Some(mut played) = played else { return Ok(()) };
                        if let Some(journal) = &mut journal {
                            journal.add(&played)?;
                        }
                        standings.add(&played);
                        if let Some(found) = played.broken.take()
                            && let Some(is_fatal) = is_fatal(self.runner, &found)
                        {
                            broken.get_or_insert((found, false)).1 |= is_fatal;
                        }
                        session.progress(&progress.text(standings));
                    }
                }
                Ok::<_, Failure>(())
            };
            let collected = collect();
            stop.store(true, Ordering::Relaxed);
            collected.map(|()| broken)
        });
        session.progress("");
        result
    }
}

/// The next result. All games are stopped once the user asks for that.
fn received(results: &Receiver<Outcome>, stop: &AtomicBool) -> Option<Outcome> {
    loop {
        if interrupt::is_requested() {
            stop.store(true, Ordering::Relaxed);
        }
        match results.recv_timeout(POLL) {
            Ok(outcome) => return Some(outcome),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// How far a match has come.
struct Progress {
    start: Instant,
    /// Games that were there before.
    first: u64,
    total: u64,
}

impl Progress {
    /// `12 of 100 games, 3 minutes left, uct:1s 75.0 %`.
    fn text(&self, standings: &Standings) -> String {
        let (all, total) = (standings.all(), self.total);
        let each = self.start.elapsed().as_secs_f64() / (all - self.first).max(1) as f64;
        let left = HumanDuration(Duration::from_secs_f64(each * (total - all) as f64));
        format!("{all} of {total} games, {left} left, {}", standings.headline())
    }
}
