//! What is done beside the main loop, and what comes of it.

use crate::document::SOURCE;
use kit::language::{Language, Reading};
use kit::load::{first_findings, load_text};
use kit::perft::{Counted, counted_in};
use kit::{Loaded, opening};
use rg_ir::Diagnostic;
use rg_ir::diag::has_errors;
use std::sync::Arc;
use std::time::Duration;

/// How long plays are counted.
const COUNTING: Duration = Duration::from_millis(500);

/// What is to be done.
pub(super) enum Task {
    /// A text is to be looked at, without translating it where that takes long.
    First(Text),
    /// A text is to be translated.
    Full(Text),
    /// The first positions of a game are to be looked at.
    Opening(Box<Game>),
}

/// A text, and how it is read.
#[derive(Clone)]
pub(super) struct Text {
    pub(super) name: String,
    pub(super) text: Arc<str>,
    pub(super) language: &'static Language,
    pub(super) reading: Reading,
}

/// A game without errors.
pub(super) struct Game {
    pub(super) loaded: Loaded,
    /// What is known to be wrong with its text.
    pub(super) known: Vec<Diagnostic>,
    /// Moves of the plays that are counted.
    pub(super) plies: u32,
}

/// What was found out.
pub(crate) enum News {
    /// What is wrong with the text, and its game if it was translated without errors.
    Findings(Vec<Diagnostic>, Option<Box<Loaded>>),
    /// What the first positions of the game show.
    Opening(Opening),
    /// Nothing, which is a fault of the program.
    Failure,
}

/// What the first positions of a game show.
#[derive(Default)]
pub(crate) struct Opening {
    pub(crate) findings: Vec<Diagnostic>,
    /// The number of plays.
    pub(crate) plays: Option<Counted>,
}

impl Task {
    /// Does it.
    pub(super) fn done(self) -> News {
        match self {
            Task::First(text) => match first_findings(SOURCE, &text.text, text.language, text.reading) {
                Some(findings) => News::Findings(findings, None),
                None => text.translated(),
            },
            Task::Full(text) => text.translated(),
            Task::Opening(game) => News::Opening(game.opening()),
        }
    }
}

impl Text {
    /// Everything that is wrong with a text.
    fn translated(self) -> News {
        let Text { name, text, language, reading } = self;
        let (translation, findings) = load_text(SOURCE, &name, &text, language, reading);
        let translation = translation.filter(|_| !has_errors(&findings));
        let loaded = translation.map(|translation| Loaded::new(name, language, SOURCE, translation));
        News::Findings(findings, loaded.map(Box::new))
    }
}

impl Game {
    /// What its first positions show, and how many plays it has; of large games nothing.
    fn opening(self) -> Opening {
        let Game { loaded, known, plies } = self;
        if opening::is_large(&loaded) {
            return Opening::default();
        }
        let Some((plays, loaded)) = counted_in(loaded, plies, COUNTING) else { return Opening::default() };
        Opening { findings: opening::while_written(loaded, &known), plays }
    }
}
