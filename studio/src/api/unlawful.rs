//! Why a move is not legal.

use super::Failure;
use super::games::Version;
use agents::Play;
use backend::{State, Turn};
use kit::draw::Drawer;
use rg_ir::Span;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use why::{Asked, Position, Signs, Told};

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
    let (runner, text) = (version.drawn()?, trimmed(text)?);
    if !matches!(play.turn(), Turn::Player(_)) {
        return Ok(Answer::seen("now nobody is to move".to_owned()));
    }
    let sources = version.sources();
    let position = Position { sources: &sources, runner, drawer, state: play.state(), unicode: true, hint: HINT };
    let told = position.why(text, stop).map_err(|error| version.failure(*runner.failure(&error)))?;
    Ok(told.map_or_else(|| Answer::seen(format!("`{text}` is legal")), |told| answer(version, told)))
}

/// Why a move is not legal, if the reason is the same in all of the `states` in which the player to move may be, as far as it knows; the state of the play is
/// not looked at.
///
/// # Errors
/// The search for it goes wrong.
pub(super) fn why_in_all(
    version: &Version,
    drawer: &Drawer<'_>,
    (play, states): (&Play<'_>, &[State]),
    (text, stop): (&str, &AtomicBool),
) -> Result<Option<Answer>, Failure> {
    let (runner, text) = (version.drawn()?, trimmed(text)?);
    if !matches!(play.turn(), Turn::Player(_)) || states.is_empty() {
        return Ok(None);
    }
    if runner.find(text, play.moves()).is_ok() {
        return Ok(Some(Answer::seen(format!("`{text}` is legal"))));
    }
    let short: Vec<String> = runner.short_listed(play.moves()).into_iter().map(|(text, _)| text).collect();
    let first = why::first_place(runner, text);
    let begins = |legal: &&String| first.is_some() && why::first_place(runner, legal) == first;
    let legal: Vec<String> = short.iter().filter(begins).cloned().collect();
    let signs = Signs::new(runner, drawer.boards(), true);
    let asked = Asked { text, legal: &legal, short: &short, ..Asked::default() };
    let told = why::in_all(&version.sources(), &signs, &asked, states, stop);
    let told = told.map_err(|error| version.failure(*runner.failure(&error)))?;
    Ok(told.map(|told| answer(version, told)))
}

/// What is asked about, without white space around it.
fn trimmed(text: &str) -> Result<&str, Failure> {
    let text = text.trim();
    match text.len() {
        1..=MAX_TEXT => Ok(text),
        _ => Err(Failure::new("request", "this is not a move")),
    }
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
