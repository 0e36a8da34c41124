//! Optimising a game: the pipeline of [`passes`], and those who look at its steps.
//!
//! [`report`] prints steps and times, [`dump`] writes them to a folder with a page to look through them, [`verify`] plays
//! the game before and after each step in lock step, and [`bisect()`] finds the step that made another game of it;
//! [`lifting`] compares what GDL sheets are lifted to with their ground form.

pub mod bisect;
pub mod dump;
pub mod lifting;
pub mod programs;
pub mod report;
pub mod verify;

pub use bisect::bisect;

use crate::load::Loaded;
use crate::watchdog;
use crate::{Result, finding};
use passes::{Error, Level, Outcome, Pass, Phase, Pipeline};
use rg_ir::{Diagnostic, Game};

/// The level with that number; `None` for 0, and for anything above 3.
pub fn level(number: u8) -> Option<Level> {
    match number {
        1 => Some(Level::Clean),
        2 => Some(Level::Full),
        3 => Some(Level::Relabel),
        _ => None,
    }
}

/// Edges beyond which a game without choices from types is optimised in a hurry.
const LARGE: usize = 5_000;

/// The level for a game that is to be played: [`level`], but no more than the first one for a large game in which no walk chooses from a type.
/// Such a game, as most ground rules of GDL are, becomes a network of Boolean functions, which simplifies more, and passes on its
/// automaton take longer than all else.
pub fn level_to_play(game: &Game, number: u8) -> Option<Level> {
    let is_large_network = game.automaton.edge_count() > LARGE && !backend::chooses(game);
    level(if is_large_network { number.min(1) } else { number })
}

/// The pipeline of a level for a game whose moves are to be written as before: without passes that change them.
pub fn faithful(level: Option<Level>) -> Pipeline {
    let passes = Pipeline::level(level).passes().iter().copied().filter(|pass| !pass.changes_moves()).collect();
    Pipeline::of(passes)
}

/// Optimises a game in place.
///
/// # Errors
/// [`broken`], which would be a defect of a pass.
pub fn run(game: &mut Game, pipeline: &Pipeline) -> Result<Outcome> {
    let outcome = watchdog::guarded("the game was optimised", || pipeline.run(game, &mut ()));
    outcome?.map_err(|error| broken(&error).into())
}

impl Loaded {
    /// Optimises the game at a level (0 to 3), its moves being written as before.
    ///
    /// # Errors
    /// As for [`run`].
    pub fn optimised(mut self, number: u8) -> Result<Self> {
        if number > 0 {
            let pipeline = faithful(level_to_play(&self.game, number));
            run(&mut self.game, &pipeline)?;
        }
        self.level = number;
        Ok(self)
    }

    /// As [`Loaded::optimised`], for counting plays: a game of chance stays as it is. Perft merges the moves of `random` by the
    /// states they lead to, and passes may make one state of two, which play cannot tell apart.
    ///
    /// # Errors
    /// As for [`run`].
    pub fn optimised_to_count(self, number: u8) -> Result<Self> {
        let number = if backend::has_chance(&self.game) { 0 } else { number };
        self.optimised(number)
    }
}

/// The finding about a pipeline that stopped: `IO330` if a pass left a game with errors, `IO331` if an observer objected.
pub fn broken(error: &Error) -> Diagnostic {
    match error {
        Error::Broken { pass, findings } => {
            let wrong = finding("IO330", format!("pass `{pass}` left a game with errors"));
            let said = findings.iter().take(5).map(|found| format!("[{}] {}", found.code, found.message));
            said.fold(wrong, Diagnostic::note).help("this is a defect of the pass, please report it")
        }
        Error::Observer { pass, message } => finding("IO331", format!("after pass `{pass}`: {message}")),
    }
}

/// What the table of passes says about when a pass runs.
pub fn when(pass: &dyn Pass) -> String {
    let level = match pass.level() {
        Level::Clean => "-O1",
        Level::Full => "-O2",
        Level::Relabel => "-O3",
    };
    match pass.phase() {
        Phase::Simplify => level.to_owned(),
        Phase::Finish => format!("{level}, once"),
        Phase::Request => "by name".to_owned(),
    }
}
