//! Threads that share the work of a batch.

use super::BatchError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Parts of the work for each thread: one that wakes up late, or has other things to do, takes fewer of them.
const PARTS: usize = 32;

/// How long a thread that has finished waits for the others before it sleeps, since to be woken up takes longer than what is left, as a rule.
const WAIT: Duration = Duration::from_micros(100);

/// The thread that calls, and as many others as are needed.
pub(super) struct Team {
    threads: usize,
    /// For more than one thread, and the process that they belong to.
    others: Option<(ThreadPool, u32)>,
}

impl Team {
    /// So many threads, at least the one that calls; that one alone if there is no room for others.
    pub(super) fn of(threads: usize) -> Self {
        let others = (threads > 1).then(|| others(threads - 1)).flatten();
        Self { threads: if others.is_some() { threads } else { 1 }, others }
    }

    /// Number of threads, the one that calls included.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// The size of a part, of so many games.
    pub(super) fn share(&self, games: usize) -> usize {
        let parts = if self.threads > 1 { self.threads * PARTS } else { 1 };
        games.div_ceil(parts).max(1)
    }

    /// Works on all parts, with the number of the thread; the error of the first game that has one. Every thread begins with parts of its own, the same ones in every call, since
    /// games are in its cache then, and takes what others have left afterwards.
    pub(super) fn run<P: Send>(
        &mut self,
        parts: impl Iterator<Item = P>,
        work: impl Fn(usize, P) -> Result<(), BatchError> + Sync,
    ) -> Result<(), BatchError> {
        // A process that was forked has no threads but its own.
        if self.others.as_ref().is_some_and(|(_, process)| *process != std::process::id()) {
            std::mem::forget(std::mem::replace(&mut self.others, others(self.threads - 1)));
        }
        let Some((others, _)) = &self.others else {
            return parts.map(|part| work(0, part)).fold(Ok(()), Result::and);
        };
        let parts: Vec<Mutex<Option<P>>> = parts.map(|part| Mutex::new(Some(part))).collect();
        let own: Vec<_> = parts.chunks(PARTS).map(|parts| (AtomicUsize::new(0), parts)).collect();
        let first: Mutex<Option<BatchError>> = Mutex::new(None);
        let run = |thread: usize| {
            let (theirs, own) = own.split_at(thread.min(own.len()));
            for (next, parts) in own.iter().chain(theirs) {
                while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let part = part.lock().unwrap_or_else(PoisonError::into_inner).take();
                    let Some(Err(error)) = part.map(|part| work(thread, part)) else { continue };
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|first| error.index < first.index) {
                        *first = Some(error);
                    }
                }
            }
        };
        let at_work = AtomicUsize::new(self.threads - 1);
        others.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, other| {
                run(other.index() + 1);
                at_work.fetch_sub(1, Ordering::Relaxed);
            });
            run(0);
            let begin = Instant::now();
            while at_work.load(Ordering::Relaxed) > 0 && begin.elapsed() < WAIT {
                std::hint::spin_loop();
            }
        });
        first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Other threads of this process.
fn others(threads: usize) -> Option<(ThreadPool, u32)> {
    Some((ThreadPoolBuilder::new().num_threads(threads).build().ok()?, std::process::id()))
}
