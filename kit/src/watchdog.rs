//! Bounds on CPU time and memory that hold in every phase, enforced from outside.
//!
//! A thread looks at the CPU time and the resident memory of the process a hundred times a second. The preparation of a game
//! (reading, grounding, simplifying, optimising, lifting) goes on inside of [`guarded`]; what exceeds a bound there is
//! cancelled ([`rg_ir::cancel`]) and becomes an error at the text. Where work does not react soon, and for memory anywhere
//! else, the thread itself shows the error and ends the process. Without [`start`], nothing is bounded.

use crate::finding;
use crate::table::counted;
use cpu_time::ProcessTime;
use rg_ir::cancel::{self, Token};
use rg_ir::{Diagnostic, SourceId, SourceMap, Span};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Code of work that takes too long.
const TOO_LONG: &str = "IO357";
/// Code of work that needs too much memory.
const TOO_LARGE: &str = "IO358";

/// Time between two looks.
const PERIOD: Duration = Duration::from_millis(10);
/// CPU time in which cancelled work has to end.
const GRACE: Duration = Duration::from_millis(400);

/// What work may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// CPU time of all threads for the preparation of one game.
    pub time: Duration,
    /// Resident bytes of the process.
    pub memory: u64,
}

/// Which bound was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exceeded {
    Time,
    Memory,
}

/// The preparation that is under way.
struct Work {
    token: Token,
    /// CPU time of the process when the phase began, less what earlier phases for the same game took.
    since: Duration,
    exceeded: Option<(Exceeded, Duration)>,
    text: Text,
    /// What is not reached if the bound is exceeded, as in `the game is not prepared`.
    goal: &'static str,
    /// Where errors point to if the work names no better place.
    span: Span,
}

impl Work {
    /// What it is at, with a place if there is any.
    fn step(&self) -> cancel::Step {
        let step = self.token.step();
        if step.span.is_some() { step } else { cancel::Step { span: self.span, ..step } }
    }
}

/// The text a game is made of, for errors.
#[derive(Clone, Default)]
struct Text {
    name: Arc<str>,
    text: Arc<str>,
}

struct State {
    bounds: Option<Bounds>,
    work: Option<Work>,
    /// CPU time spent on the game so far, its text, and the place that stands for it as a whole.
    spent: Duration,
    text: Text,
    whole: Span,
    /// What is done with the game once it is prepared.
    purpose: String,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn with<T>(change: impl FnOnce(&mut State) -> T) -> T {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    change(state.get_or_insert_with(|| State {
        bounds: None,
        work: None,
        spent: Duration::ZERO,
        text: Text::default(),
        whole: Span::NONE,
        purpose: String::new(),
    }))
}

fn cpu() -> Duration {
    ProcessTime::try_now().map_or(Duration::ZERO, |now| now.as_duration())
}

/// Begins to watch. Only the first call counts. `give_up` is called where work does not stop by itself: it shows the error and
/// ends the process.
pub fn start(bounds: Bounds, give_up: impl Fn(&SourceMap, Diagnostic) + Send + 'static) {
    let first = with(|state| state.bounds.replace(bounds).is_none());
    if first {
        let watch = move || {
            loop {
                std::thread::sleep(PERIOD);
                look(bounds, &give_up);
            }
        };
        // Without a thread nothing is bounded but what bounds itself.
        let _ = std::thread::Builder::new().name("watchdog".to_owned()).spawn(watch);
    }
}

/// One look at what is used.
fn look(bounds: Bounds, give_up: &impl Fn(&SourceMap, Diagnostic)) {
    let (now, used) = (cpu(), memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64));
    let too_large = used > bounds.memory;
    let last_word = with(|state| {
        let Some(work) = &mut state.work else {
            let step = || cancel::Step { span: state.whole, what: state.purpose.clone() };
            return too_large.then(|| (error(bounds, (Exceeded::Memory, ""), &step()), state.text.clone()));
        };
        if work.exceeded.is_none() {
            let too_long = now.saturating_sub(work.since) > bounds.time;
            let exceeded = if too_large { Exceeded::Memory } else { Exceeded::Time };
            if too_large || too_long {
                work.exceeded = Some((exceeded, now));
                work.token.cancel();
            }
        }
        let (exceeded, when) = work.exceeded?;
        let hopeless = now.saturating_sub(when) > GRACE || used > bounds.memory.saturating_add(bounds.memory / 4);
        hopeless.then(|| (error(bounds, (exceeded, work.goal), &work.step()), work.text.clone()))
    });
    if let Some((found, text)) = last_word {
        let mut sources = SourceMap::default();
        let source = sources.add(&*text.name, text.text.to_string());
        let located = relocated(found, source, &text);
        give_up(&sources, located);
    }
}

/// The finding in a source map that has nothing but this text.
fn relocated(mut found: Diagnostic, source: SourceId, text: &Text) -> Diagnostic {
    if text.name.is_empty() {
        found.primary = None;
    }
    if let Some(primary) = &mut found.primary {
        primary.span.source = source;
    }
    found
}

/// The finding about an exceeded bound, and what was not reached because of it.
fn error(bounds: Bounds, (exceeded, goal): (Exceeded, &str), step: &cancel::Step) -> Diagnostic {
    let Bounds { time, memory } = bounds;
    let found = match exceeded {
        Exceeded::Time => {
            let message = format!("{goal} within {} of CPU time", counted(time.as_secs(), "second"));
            Diagnostic::error(TOO_LONG, step.span, message).help("`--limit SECONDS` allows more")
        }
        Exceeded::Memory => {
            let message = format!("more than {} MiB of memory are needed", memory >> 20);
            Diagnostic::error(TOO_LARGE, step.span, message).help("`--memory MIB` allows more")
        }
    };
    if step.what.is_empty() { found } else { found.note(format!("this was reached while {}", step.what)) }
}

/// Begins the preparation of another game, whose text this is.
pub fn begin_game(source: SourceId, name: &str, text: &str) {
    with(|state| {
        state.spent = Duration::ZERO;
        state.whole = Span::new(source, 0, 0);
        if state.bounds.is_some() {
            state.text = Text { name: name.into(), text: text.into() };
        }
    });
}

/// Says what is done with games once they are prepared, as in `` `rgc perft` ran``: findings about memory tell it.
pub fn intend(purpose: String) {
    with(|state| state.purpose = purpose);
}

/// Does a phase of the preparation of the game that was begun last. `phase` says what it does, as in `the game was lifted`.
///
/// # Errors
/// The finding about a bound that was exceeded.
pub fn guarded<T>(phase: &'static str, work: impl FnOnce() -> T) -> Result<T, Box<Diagnostic>> {
    bounded("the game is not prepared", phase, work)
}

/// As [`guarded`], for work that is more than preparation: `goal` says what is not reached if it takes too long. In a scope
/// ([`cancel::scope`]), the token of the scope stops the work as well.
///
/// # Errors
/// The finding about a bound that was exceeded.
pub fn bounded<T>(goal: &'static str, phase: &'static str, work: impl FnOnce() -> T) -> Result<T, Box<Diagnostic>> {
    let token = cancel::current().unwrap_or_default();
    let nested = with(|state| match (&state.bounds, &state.work) {
        (None, _) | (_, Some(_)) => true,
        (Some(_), None) => {
            let since = cpu().saturating_sub(state.spent);
            let (text, span) = (state.text.clone(), state.whole);
            state.work = Some(Work { token: token.clone(), since, exceeded: None, text, goal, span });
            false
        }
    });
    if nested {
        return Ok(work());
    }
    let result = cancel::scope(&token, || {
        cancel::begin_step(Span::NONE, || phase.to_owned());
        work()
    });
    let (bounds, exceeded) = with(|state| {
        let work = state.work.take();
        state.spent = work.as_ref().map_or(Duration::ZERO, |work| cpu().saturating_sub(work.since));
        let exceeded = work.and_then(|work| Some((work.exceeded?.0, work.step())));
        (state.bounds, exceeded)
    });
    result.map_err(|cancel::Cancelled| match (bounds, exceeded) {
        (Some(bounds), Some((exceeded, step))) => Box::new(error(bounds, (exceeded, goal), &step)),
        _ => Box::new(finding(TOO_LONG, "the preparation of the game was stopped")),
    })
}
