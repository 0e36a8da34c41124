//! Running passes: to a fixed point first, then those that run once.

use crate::facts::drop_claims;
use crate::pass::{Context, Level, Pass, Phase};
use crate::registry::registry;
use crate::relabel::Marked;
use crate::size::Size;
use rg_ir::{Diagnostic, Game, Severity, cancel};
use std::time::{Duration, Instant};

/// How often the passes of the first phase may run in turn. Real games need fewer than twenty rounds; a round in which
/// nothing changes ends the phase.
const MAX_ROUNDS: usize = 200;

/// A selection of passes in their order.
#[derive(Clone)]
pub struct Pipeline {
    passes: Vec<&'static dyn Pass>,
    rounds: usize,
    validate: bool,
    changes: Option<usize>,
}

/// One run of one pass.
pub struct Step<'a> {
    /// Counts the runs of passes from 1.
    pub number: usize,
    /// The round of the first phase, from 1; the second phase is a round of its own.
    pub round: usize,
    /// The pass.
    pub pass: &'static dyn Pass,
    /// Whether the pass changed anything.
    pub changed: bool,
    /// The game before; `None` if no observer asked for it ([`Observer::wants_before`]).
    pub before: Option<&'a Game>,
    /// The game after.
    pub after: &'a Game,
    /// How large the game was.
    pub size_before: Size,
    /// How large it is now.
    pub size_after: Size,
    /// What the pass has to say.
    pub notes: &'a [String],
    /// If the pass changed how moves are written: the game that tells both ways.
    pub marked: Option<&'a Marked>,
    /// How long it took.
    pub time: Duration,
}

/// Looks at every step, to print it, draw it or verify it.
pub trait Observer {
    /// Whether [`Step::before`] is needed, which costs a copy of the game per run of a pass.
    fn wants_before(&self) -> bool {
        false
    }

    /// Called after every run of a pass, also of one that changed nothing.
    ///
    /// # Errors
    /// Whatever stops the pipeline.
    fn step(&mut self, step: &Step<'_>) -> Result<(), String>;
}

/// An observer who looks away.
impl Observer for () {
    fn step(&mut self, _: &Step<'_>) -> Result<(), String> {
        Ok(())
    }
}

/// Several observers look at every step in turn; the first objection counts.
impl Observer for Vec<&mut dyn Observer> {
    fn wants_before(&self) -> bool {
        self.iter().any(|observer| observer.wants_before())
    }

    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        self.iter_mut().try_for_each(|observer| observer.step(step))
    }
}

/// What a pipeline did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Size before the first pass.
    pub before: Size,
    /// Size after the last one.
    pub after: Size,
    /// Rounds of the first phase.
    pub rounds: usize,
    /// Runs of passes.
    pub runs: usize,
    /// Runs that changed something.
    pub changes: usize,
    /// Whether the first phase came to an end by itself. If not, the game is as good as any before, but a pass undoes
    /// what another does: worth a report.
    pub settled: bool,
}

/// Why a pipeline stopped. The game is then as the last pass left it.
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// A pass left a game with errors.
    Broken {
        /// The name of the pass.
        pass: &'static str,
        /// The errors.
        findings: Vec<Diagnostic>,
    },
    /// The observer objected.
    Observer {
        /// The name of the pass.
        pass: &'static str,
        /// What it said.
        message: String,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Broken { pass, findings } => {
                write!(f, "pass `{pass}` broke the game")?;
                findings.iter().take(3).try_for_each(|finding| write!(f, "; {}: {}", finding.code, finding.message))
            }
            Error::Observer { pass, message } => write!(f, "after pass `{pass}`: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl Pipeline {
    /// The passes of a level; none for `None` (`-O0`).
    pub fn level(level: Option<Level>) -> Self {
        let passes = registry().iter().copied();
        Self::of(passes.filter(|pass| Some(pass.level()) <= level && pass.phase() != Phase::Request).collect())
    }

    /// Just these passes. Those of the first phase run to a fixed point in the given order, then the others once.
    pub fn of(passes: Vec<&'static dyn Pass>) -> Self {
        Self { passes, rounds: MAX_ROUNDS, validate: cfg!(debug_assertions), changes: None }
    }

    /// Sets whether the game is checked after every pass that changed it. On in debug builds.
    #[must_use]
    pub fn validate(mut self, validate: bool) -> Self {
        self.validate = validate;
        self
    }

    /// Stops after this many runs that changed something, as if no pass found anything more to do. Runs of one pipeline
    /// with growing limits are prefixes of each other, which is what a search for a guilty pass needs.
    #[must_use]
    pub fn stop_after(mut self, changes: usize) -> Self {
        self.changes = Some(changes);
        self
    }

    /// The passes in their order.
    pub fn passes(&self) -> &[&'static dyn Pass] {
        &self.passes
    }

    /// Runs the passes on a game without errors.
    ///
    /// # Errors
    /// If a pass breaks the game (which is a defect of the pass), or the observer says so.
    pub fn run(&self, game: &mut Game, observer: &mut dyn Observer) -> Result<Outcome, Error> {
        self.run_in(game, observer, &mut Context::default())
    }

    /// As [`Pipeline::run`]; afterwards [`Context::relabelled`] says how to translate moves.
    ///
    /// # Errors
    /// As for [`Pipeline::run`].
    pub fn run_in(
        &self,
        game: &mut Game,
        observer: &mut dyn Observer,
        context: &mut Context,
    ) -> Result<Outcome, Error> {
        let before = Size::of(game);
        let in_phase = |phase| self.passes.iter().copied().filter(|pass| pass.phase() == phase).collect::<Vec<_>>();
        let simplify = in_phase(Phase::Simplify);
        let clean = vec![None; simplify.len()];
        let mut run = Run {
            pipeline: self,
            game,
            observer,
            context,
            size: before,
            simplify,
            clean,
            rounds: 0,
            runs: 0,
            changes: 0,
        };
        let mut settled = run.simplify()?;
        let changes = run.changes;
        for pass in in_phase(Phase::Finish) {
            run.pass(pass, run.rounds + 1)?;
        }
        if run.changes > changes {
            // What finishing has made possible.
            settled &= run.simplify()?;
        }
        for pass in in_phase(Phase::Request) {
            run.pass(pass, run.rounds + 1)?;
        }
        let (rounds, runs, changes) = (run.rounds, run.runs, run.changes);
        game.compact();
        Ok(Outcome { before, after: Size::of(game), rounds, runs, changes, settled })
    }
}

struct Run<'a> {
    pipeline: &'a Pipeline,
    game: &'a mut Game,
    observer: &'a mut dyn Observer,
    context: &'a mut Context,
    size: Size,
    /// The passes of the first phase.
    simplify: Vec<&'static dyn Pass>,
    /// Per pass of the first phase, the number of changes when it found nothing to do.
    clean: Vec<Option<usize>>,
    rounds: usize,
    runs: usize,
    changes: usize,
}

impl Run<'_> {
    /// Runs the passes of the first phase until none finds anything to do; whether that came to be. A pass need not run
    /// again on a game it has found nothing to do in.
    fn simplify(&mut self) -> Result<bool, Error> {
        let mut settled = self.simplify.is_empty();
        while !settled && self.rounds < self.pipeline.rounds {
            self.rounds += 1;
            settled = true;
            for at in 0..self.simplify.len() {
                let (Some(&pass), Some(&clean)) = (self.simplify.get(at), self.clean.get(at)) else { break };
                if clean == Some(self.changes) {
                    continue;
                }
                if self.pass(pass, self.rounds)? {
                    settled = false;
                } else if let Some(clean) = self.clean.get_mut(at) {
                    *clean = Some(self.changes);
                }
            }
        }
        Ok(settled)
    }

    /// Runs one pass; whether it changed the game.
    fn pass(&mut self, pass: &'static dyn Pass, round: usize) -> Result<bool, Error> {
        if self.pipeline.changes.is_some_and(|most| self.changes >= most) {
            return Ok(false);
        }
        let before = self.observer.wants_before().then(|| self.game.clone());
        self.context.notes.clear();
        let start = Instant::now();
        cancel::check();
        cancel::begin_step(self.game.automaton.node(self.game.begin()).span, || format!("pass `{}` ran", pass.name()));
        let changed = pass.run(self.game, self.context);
        let time = start.elapsed();
        self.runs += 1;
        let size_before = self.size;
        if changed {
            if !pass.keeps_claims() {
                drop_claims(self.game);
            }
            self.changes += 1;
            self.size = Size::of(self.game);
            if self.pipeline.validate {
                let mut findings = rg_ir::check(self.game);
                findings.retain(|finding| finding.severity == Severity::Error);
                if !findings.is_empty() {
                    return Err(Error::Broken { pass: pass.name(), findings });
                }
            }
        }
        let step = Step {
            number: self.runs,
            round,
            pass,
            changed,
            before: before.as_ref(),
            after: self.game,
            size_before,
            size_after: self.size,
            notes: &self.context.notes,
            marked: self.context.relabelled.last().filter(|_| changed && pass.changes_moves()),
            time,
        };
        self.observer.step(&step).map_err(|message| Error::Observer { pass: pass.name(), message })?;
        Ok(changed)
    }
}
