//! How much an agent may think.

use crate::belief::Extent;
use crate::{Insight, Situation, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The clock is read at most once in [`SHORT`], and at least once in [`MAX_PAUSE`] steps.
const SHORT: Duration = Duration::from_micros(20);
const MAX_PAUSE: u32 = 127;

/// Time between two insights.
const WATCHED: Duration = Duration::from_millis(50);

/// Bounds on the work for one move; the first one that is reached ends it. Without any, the move takes one second.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Time of the clock on the wall.
    pub time: Option<Duration>,
    /// Random playouts.
    pub playouts: Option<u64>,
    /// Nodes added to a tree, where a simulation that adds none counts as one; or positions searched.
    pub nodes: Option<u64>,
}

impl Budget {
    /// The budget with a second in place of no bound at all.
    pub fn or_a_second(mut self) -> Self {
        if self == Self::default() {
            self.time = Some(Duration::from_secs(1));
        }
        self
    }

    /// The share of thread `index` of `count`, which all work at the same time.
    pub(crate) fn share(self, index: usize, count: usize) -> Self {
        let part = |all: u64| {
            let (index, count) = (index as u64, count.max(1) as u64);
            all / count + u64::from(index < all % count)
        };
        Self { time: self.time, playouts: self.playouts.map(part), nodes: self.nodes.map(part) }
    }

    /// Starts the clock for the work on a situation.
    pub(crate) fn start<'a>(self, situation: &Situation<'a>) -> Meter<'a> {
        let Situation { stop, watch, .. } = *situation;
        let start = Instant::now();
        let deadline = self.time.and_then(|time| start.checked_add(time));
        Meter {
            start,
            deadline,
            stop,
            watch,
            playouts: 0,
            nodes: 0,
            budget: self,
            looked: start,
            until: 0,
            pause: 0,
            reported: start,
            due: false,
        }
    }
}

/// What has been used of a budget.
pub(crate) struct Meter<'a> {
    budget: Budget,
    start: Instant,
    stop: Option<&'a AtomicBool>,
    watch: Option<Watch<'a>>,
    deadline: Option<Instant>,
    pub(crate) playouts: u64,
    pub(crate) nodes: u64,
    /// When the clock was read last, how many questions are answered until it is read again, and how many were.
    looked: Instant,
    until: u32,
    pause: u32,
    /// When the last report was, and whether another one is due.
    reported: Instant,
    due: bool,
}

impl Meter<'_> {
    /// Set from outside to end the work.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether the time is up, or the work was stopped from outside. Reads the clock.
    pub(crate) fn is_late(&self) -> bool {
        self.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How many states to look at where the state is not known: in proportion to the playouts or nodes that may be spent.
    pub(crate) fn extent(&self) -> Extent {
        let Budget { playouts, nodes, .. } = self.budget;
        Extent::of(playouts.into_iter().chain(nodes).min())
    }

    /// When the next of `left` steps that prepare a search should be done, so that all of them take half of the time;
    /// `None` if time does not matter.
    pub(crate) fn step(&self, left: usize) -> Option<Instant> {
        let (half, now) = (self.start.checked_add(self.budget.time? / 2)?, Instant::now());
        let part = half.saturating_duration_since(now) / u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        now.checked_add(part)
    }

    /// Whether the budget is used up. Reads the clock, every time or where steps are short every few times.
    pub(crate) fn is_over(&mut self) -> bool {
        self.budget.playouts.is_some_and(|limit| self.playouts >= limit)
            || self.budget.nodes.is_some_and(|limit| self.nodes >= limit)
            || self.is_stopped()
            || self.look()
    }

    /// Whether a report is due, as [`Meter::is_over`] has seen.
    pub(crate) fn is_due(&self) -> bool {
        self.due
    }

    /// Reports to the observer of the search.
    pub(crate) fn report(&mut self, insight: &Insight<'_>) {
        if let Some(watch) = self.watch {
            watch(insight);
        }
        (self.reported, self.due) = (Instant::now(), false);
    }

    /// Whether the time is up, as far as is known: the clock is read about every 20 µs, if at all.
    fn look(&mut self) -> bool {
        if self.deadline.is_none() && self.watch.is_none() {
            return false;
        }
        if self.until > 0 {
            self.until -= 1;
            return false;
        }
        let now = Instant::now();
        let since = now.duration_since(self.looked);
        self.pause = if since < SHORT { (2 * self.pause + 1).min(MAX_PAUSE) } else { self.pause / 4 };
        (self.looked, self.until) = (now, self.pause);
        self.due = self.watch.is_some() && now.duration_since(self.reported) >= WATCHED;
        self.deadline.is_some_and(|deadline| now >= deadline)
    }
}
