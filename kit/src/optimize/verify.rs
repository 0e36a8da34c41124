//! Verification: a game is played before and after every step, in lock step.

use crate::moves::short_play;
use crate::runner::shown;
use backend::lockstep::{Budget, Difference, compare, compare_translated};
use backend::{Engine, Error, Limits, Options, Reasoner};
use passes::relabel::Marked;
use passes::{Observer, Step};
use rg_ir::{Game, Notation, Span, cancel};

/// How thoroughly games are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// After every step.
    pub step: Budget,
    /// At the end, with the first game.
    pub whole: Budget,
    /// How games are run.
    pub options: Options,
}

impl Effort {
    /// Nothing after steps, a little at the end: too little for an engine that has to prepare for it.
    pub fn result_only() -> Self {
        let options = Options { engine: Engine::Backtracking, ..options() };
        Self { step: Budget { moves: 0, plays: 0, ..Self::quick().step }, options, ..Self::quick() }
    }

    /// Little after every step, more at the end.
    pub fn quick() -> Self {
        Self {
            step: Budget { moves: 1_000, plays: 1, plies: 60, play_moves: 1_000, seed: 1 },
            whole: Budget { moves: 20_000, plays: 3, plies: 150, play_moves: 4_000, seed: 7 },
            options: options(),
        }
    }

    /// What `--verify` does.
    pub fn thorough() -> Self {
        Self {
            step: Budget { moves: 20_000, plays: 3, plies: 200, play_moves: 20_000, seed: 1 },
            whole: Budget { moves: 200_000, plays: 20, plies: 500, play_moves: 400_000, seed: 7 },
            options: options(),
        }
    }
}

/// The fastest engine, checked (a keeper with a choice has no defined outcome), with limits that improper games meet
/// soon.
fn options() -> Options {
    let limits = Limits {
        steps: 20_000_000,
        naive_steps: 2_000_000,
        keeper_moves: 10_000,
        moves: 200_000,
        visited: 1_000_000,
        memory: 1 << 29,
        exact_after: 2_000_000,
        ..Limits::default()
    };
    Options { checked: true, limits, ..Options::default() }
}

/// What differs, with the moves from the first state of `reasoner` that lead there: in the short notation of the game, and as tags.
pub fn describe(difference: &Difference, notation: &dyn Notation, reasoner: &Reasoner) -> String {
    if difference.play.is_empty() {
        return format!("at the start, {}", difference.what);
    }
    let text = short_play(reasoner, notation, &difference.play).join("; ");
    let tags: Vec<&str> = difference.play.iter().map(|tags| shown(tags)).collect();
    let tags = tags.join("; ");
    let tags = if tags == text { String::new() } else { format!(" (tags: `{tags}`)") };
    format!("after the moves `{text}`{tags}, {}", difference.what)
}

/// Compares the game before and after every step that changed it, and lets nothing pass that can be observed.
///
/// Where a pass changes how moves are written, both games are compared with the one that tells both ways.
pub struct Verifier<'n> {
    notation: &'n dyn Notation,
    effort: Effort,
    first: Result<Reasoner, Error>,
    last: Option<Result<Reasoner, Error>>,
    /// Whether moves are still written as in the first game.
    faithful: bool,
    compared: usize,
}

impl<'n> Verifier<'n> {
    /// A verifier for a pipeline that begins with `game`.
    pub fn new(game: &Game, notation: &'n dyn Notation, effort: Effort) -> Self {
        let first = Reasoner::with_options(game, effort.options);
        Self { notation, effort, first, last: None, faithful: true, compared: 0 }
    }

    /// How many steps were compared.
    pub fn compared(&self) -> usize {
        self.compared
    }

    /// Compares the first game with the last one.
    ///
    /// # Errors
    /// What differs.
    pub fn finish(&self) -> Result<(), String> {
        match &self.last {
            Some(last) if self.faithful => self.same(&self.first, last, &self.effort.whole),
            _ => Ok(()),
        }
    }

    fn same(
        &self,
        before: &Result<Reasoner, Error>,
        after: &Result<Reasoner, Error>,
        budget: &Budget,
    ) -> Result<(), String> {
        match (before, after) {
            (Ok(before), Ok(after)) => match compare(before, after, budget) {
                Some(difference) => Err(describe(&difference, self.notation, before)),
                None => Ok(()),
            },
            // What cannot be run cannot be compared.
            (Err(_), _) => Ok(()),
            (Ok(_), Err(error)) => Err(format!("the game cannot be run any more: {error}")),
        }
    }
}

impl Verifier<'_> {
    /// Whether the moves of a game that was relabelled correspond to those before.
    fn relabelled(
        &self,
        before: &Result<Reasoner, Error>,
        after: &Result<Reasoner, Error>,
        marked: &Marked,
    ) -> Result<(), String> {
        let (Ok(before), Ok(after)) = (before, after) else { return self.same(before, after, &self.effort.step) };
        let both = Reasoner::with_options(&marked.game, self.effort.options);
        let both = both.map_err(|error| format!("the game that tells both ways cannot be run: {error}"))?;
        let old = |label: &str| marked.before(label.split_whitespace()).join(" ");
        let new = |label: &str| marked.after(label.split_whitespace()).join(" ");
        let found = compare_translated(&both, before, &self.effort.step, &old);
        let found = found.or_else(|| compare_translated(&both, after, &self.effort.step, &new));
        found.map_or(Ok(()), |found| Err(describe(&found, self.notation, &both)))
    }
}

impl Observer for Verifier<'_> {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        if !step.changed {
            return Ok(());
        }
        let pass = step.pass.name();
        cancel::begin_step(Span::NONE, || format!("the games before and after pass `{pass}` were compared"));
        let after = Reasoner::with_options(step.after, self.effort.options);
        let last = self.last.as_ref().unwrap_or(&self.first);
        if step.pass.changes_moves() {
            let marked = step.marked.ok_or("it does not say how to translate moves")?;
            self.relabelled(last, &after, marked)?;
            self.faithful = false;
        } else {
            self.same(last, &after, &self.effort.step)?;
        }
        self.compared += 1;
        self.last = Some(after);
        Ok(())
    }
}
