//! Bounds on what grounding may use: it ends with a diagnostic, never by hanging.

use crate::codes;
use crate::normal::{Program, RelationId, RelationKind};
use cpu_time::ThreadTime;
use rg_ir::{Diagnostic, Span, cancel};
use std::time::Duration;

/// What evaluation and grounding may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Atoms in all tables together.
    pub atoms: usize,
    /// Rules of the ground program, counted as conditions stored.
    pub conditions: usize,
    /// CPU time of the thread.
    pub time: Duration,
    /// How deep functions may nest in a term that evaluation builds.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { atoms: 12_000_000, conditions: 80_000_000, time: Duration::from_secs(50), depth: 64 }
    }
}

/// Which limit was met, and in which relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    /// Too many atoms.
    Atoms(RelationId),
    /// Too many ground rules.
    Conditions(RelationId),
    /// Too much time.
    Time(RelationId),
    /// A term too deep.
    Depth(RelationId),
    /// A rule, by its number, has so many instances that it should be split.
    Wide(usize),
}

impl Exceeded {
    /// The finding (check T2).
    pub fn diagnostic(self, program: &Program, limits: &Limits) -> Diagnostic {
        let head = |rule: usize| program.rules.get(rule).map(|rule| rule.head.relation);
        let (relation, limit) = match self {
            Exceeded::Atoms(relation) => (relation, format!("{} atoms", limits.atoms)),
            Exceeded::Conditions(relation) => (relation, format!("{} conditions of ground rules", limits.conditions)),
            Exceeded::Time(relation) => (relation, format!("{} seconds", limits.time.as_secs())),
            Exceeded::Depth(relation) => (relation, format!("terms of depth {}", limits.depth)),
            Exceeded::Wide(rule) => {
                let relation = head(rule).unwrap_or(Program::reserved(RelationKind::Next));
                (relation, "the instances of one rule".to_owned())
            }
        };
        let span =
            program.rules.iter().find(|rule| rule.head.relation == relation).map_or(Span::NONE, |rule| rule.span);
        let name = &program.relation(relation).name;
        Diagnostic::error(codes::T2_GROUNDING, span, format!("the description does not ground within {limit}"))
            .label(format!("this was reached while `{name}` was evaluated"))
            .help(match self {
                Exceeded::Depth(_) | Exceeded::Wide(_) => "give the relation fewer instances",
                _ => "give the relation fewer instances, or allow more with `rgc --limit SECONDS`",
            })
    }
}

/// How far grounding has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Time since it began.
    pub elapsed: Duration,
    /// Atoms found so far.
    pub atoms: usize,
    /// Conditions of ground rules found so far.
    pub conditions: usize,
}

/// Called now and then with how far grounding has got.
pub type Watch = fn(&Progress);

/// Time between two reports of progress, and before the first.
const REPORT: Duration = Duration::from_millis(250);

/// Counts what is used.
#[derive(Clone, Debug)]
pub struct Meter {
    /// The bounds.
    pub limits: Limits,
    watch: Option<Watch>,
    reported: Duration,
    start: Duration,
    atoms: usize,
    conditions: usize,
    ticks: u32,
}

impl Meter {
    /// A meter that starts now.
    pub fn new(limits: Limits) -> Self {
        let (watch, reported) = (None, Duration::ZERO);
        Self { limits, watch, reported, start: cpu(), atoms: 0, conditions: 0, ticks: 0 }
    }

    /// The same, with a callback for progress, called about four times a second.
    #[must_use]
    pub fn watched(self, watch: Option<Watch>) -> Self {
        Self { watch, ..self }
    }

    /// Forgets what was counted, but not the time.
    pub fn restart(&mut self) {
        (self.atoms, self.conditions) = (0, 0);
    }

    /// Counts an atom.
    pub fn atom(&mut self, relation: RelationId) -> Result<(), Exceeded> {
        self.atoms += 1;
        if self.atoms > self.limits.atoms { Err(Exceeded::Atoms(relation)) } else { Ok(()) }
    }

    /// Counts conditions of a ground rule.
    pub fn conditions(&mut self, count: usize, relation: RelationId) -> Result<(), Exceeded> {
        self.conditions += count;
        if self.conditions > self.limits.conditions { Err(Exceeded::Conditions(relation)) } else { Ok(()) }
    }

    /// Counts a step of work; looks at the clock from time to time.
    pub fn tick(&mut self, relation: RelationId) -> Result<(), Exceeded> {
        self.ticks = self.ticks.wrapping_add(1);
        if !self.ticks.is_multiple_of(16_384) {
            return Ok(());
        }
        let elapsed = self.elapsed();
        if let Some(watch) = self.watch
            && elapsed > self.reported + REPORT
        {
            self.reported = elapsed;
            watch(&Progress { elapsed, atoms: self.atoms, conditions: self.conditions });
        }
        // Who bounds the time of the whole preparation stops it at about the same moment: then the error names the relation.
        let stopped = cancel::current().is_some_and(|token| token.is_cancelled());
        let late = stopped && elapsed > self.limits.time / 2;
        if !late {
            cancel::check();
        }
        if late || elapsed > self.limits.time { Err(Exceeded::Time(relation)) } else { Ok(()) }
    }

    /// CPU time of the thread since the start.
    pub fn elapsed(&self) -> Duration {
        cpu().saturating_sub(self.start)
    }
}

/// CPU time of the thread so far.
fn cpu() -> Duration {
    ThreadTime::try_now().map_or(Duration::ZERO, |now| now.as_duration())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Reports come now and then, however many steps there are.
    #[test]
    fn progress_is_told_a_few_times_a_second() {
        static REPORTS: AtomicU32 = AtomicU32::new(0);
        let mut meter = Meter::new(Limits::default()).watched(Some(|_| {
            REPORTS.fetch_add(1, Ordering::Relaxed);
        }));
        while meter.elapsed() < REPORT * 5 / 2 {
            assert!(meter.tick(RelationId(0)).is_ok());
        }
        // A machine that is busy may miss some, but never has more.
        assert!((1..=2).contains(&REPORTS.load(Ordering::Relaxed)));
    }
}
