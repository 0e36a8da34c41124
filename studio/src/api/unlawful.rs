//! Why a move is not legal.

use super::Failure;
use super::games::Version;
use agents::Play;
use backend::Turn;
use kit::draw::Drawer;
use rg_ir::Span;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use why::{Position, Told};

/// Bytes of a move at most that is asked about.
const MAX_TEXT: usize = 400;

/// How to learn more about a place at which a move could begin.
const HINT: &str = "; to learn why, type a whole move";

/// An explanation.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// The first line says what is wrong, the others which comparisons fail.
    text: String,
    /// Where these are written.
    places: Vec<Reason>,
}

/// A place of the rules that is a reason.
#[derive(Serialize)]
pub(crate) struct Reason {
    /// Its line, from 1, and the text there.
    pub(super) line: usize,
    pub(super) text: String,
    /// Its beginning and end in UTF-16 units.
    pub(super) from: u32,
    pub(super) to: u32,
    /// What was found there.
    pub(super) found: Option<String>,
}

impl Answer {
    fn seen(text: String) -> Self {
        Self { text, places: Vec::new() }
    }
}

/// Why a move is not legal: by a look at the board, or else by the comparison that fails on the walk that it would be.
///
/// # Errors
/// The search for it goes wrong.
pub(super) fn why(
    version: &Version,
    drawer: &Drawer<'_>,
    play: &Play<'_>,
    (text, stop): (&str, &AtomicBool),
) -> Result<Answer, Failure> {
    let runner = version.drawn()?;
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_TEXT {
        return Err(Failure::new("request", "this is not a move"));
    }
    if !matches!(play.turn(), Turn::Player(_)) {
        return Ok(Answer::seen("now nobody is to move".to_owned()));
    }
    let sources = version.sources();
    let position = Position { sources: &sources, runner, drawer, state: play.state(), unicode: true, hint: HINT };
    let told = position.why(text, stop).map_err(|error| version.failure(*runner.failure(&error)))?;
    Ok(told.map_or_else(|| Answer::seen(format!("`{text}` is legal")), |told| answer(version, told)))
}

/// What was found out, with the lines of the rules where it is written.
pub(super) fn answer(version: &Version, Told { text, reasons }: Told) -> Answer {
    let placer = version.placer();
    let reason = |(span, found): (Span, Option<String>)| {
        // What is said above is not said once more.
        let found = found.filter(|found| !text.contains(found.as_str()));
        Some(Reason { found, ..placer.reason(placer.part(span)?) })
    };
    let places = reasons.into_iter().filter_map(reason).collect();
    Answer { text, places }
}
