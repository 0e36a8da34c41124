//! Why a move is not legal.

use super::Failure;
use super::games::Version;
use agents::Play;
use backend::Turn;
use kit::draw::Drawer;
use kit::runner::Runner;
use rg_ir::Span;
use rg_ir::scene::Setup;
use serde::Serialize;
use std::cell::OnceCell;
use std::sync::atomic::AtomicBool;
use why::{Asked, Leg, Owners, Sight, Signs, described, first_place, is_way, one_place, only_place, reasons, search};

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

impl Reason {
    /// Adds what was found earlier in the same line.
    pub(super) fn add(&mut self, earlier: Self) {
        (self.from, self.to) = (self.from.min(earlier.from), self.to.max(earlier.to));
        match (&mut self.found, earlier.found) {
            (Some(found), Some(earlier)) if !found.contains(&earlier) => *found = format!("{earlier}, {found}"),
            (found @ None, earlier) => *found = earlier,
            _ => {}
        }
    }
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
    let (moves, Turn::Player(mover)) = (play.moves(), play.turn()) else {
        return Ok(Answer::seen("now nobody is to move".to_owned()));
    };
    let short = runner.short_texts(moves);
    let notation = &runner.loaded.notation;
    if notation.read_move(text, &runner.tags(moves), runner.naming()).is_ok() {
        return Ok(Answer::seen(format!("`{text}` is legal")));
    }
    let owners = OnceCell::new();
    let owners = || owners.get_or_init(|| Owners::of(runner, drawer, play.state()));
    let signs = Signs::new(runner, drawer.boards(), true).with_owners(owners());
    let signs = signs.with_position(only_board(drawer, play).map(|setup| setup.at).unwrap_or_default());
    let sight = only_board(drawer, play).and_then(|setup| Sight::new(&signs, (setup, mover), &short, owners));
    if let Some(seen) = sight.as_ref().and_then(|sight| sight.only_place(text, HINT).or_else(|| sight.at_start(text))) {
        return Ok(Answer::seen(seen));
    }
    let stands = stands(runner, drawer, play, (&signs, text));
    let legal = first_place(runner, text).map_or(Vec::new(), |place| from(runner, &short, place));
    if let Some(only) = only_place(runner, text, &short, stands.clone()).filter(|_| legal.is_empty()) {
        return Ok(Answer::seen(only));
    }
    let leg = Leg::of(runner, text, &runner.tags(moves), &short);
    let found = search(runner, play.state(), (text, leg.as_ref()), stop);
    let found = found.map_err(|error| version.failure(*runner.failure(&error)))?;
    // What is wrong with how it is written, if nothing else is known of it.
    if first_place(runner, text).is_none()
        && !found.has_reason()
        && let Err(unread) = runner.find_in(text, play.state(), moves)
    {
        return Ok(Answer::seen(unread));
    }
    let seen = sight.as_ref().and_then(|sight| sight.at_end(text, &legal));
    let seen = seen.or_else(|| one_place(notation.places()?, text, &short));
    let asked = Asked { text, legal: &legal, short: &short, seen, stands, leg, ..Asked::default() };
    let sources = version.sources();
    let text = described(&sources, &signs, &asked, &found);
    let place = version.placer();
    let reason = |(span, found): (Span, Option<String>)| {
        // What is said above is not said once more.
        let found = found.filter(|found| !text.contains(found.as_str()));
        Some(Reason { found, ..place(span)? })
    };
    let places = reasons(&sources, &signs, &found).into_iter().filter_map(reason).collect();
    Ok(Answer { text, places })
}

/// The only board, as it is drawn.
fn only_board<'d>(drawer: &'d Drawer<'_>, play: &Play<'_>) -> Option<Setup<'d>> {
    let mut scene = drawer.scene(play.state());
    scene.boards.pop().filter(|_| scene.boards.is_empty())
}

/// What stands on the place that a text begins with: `is empty`.
fn stands(runner: &Runner, drawer: &Drawer<'_>, play: &Play<'_>, (signs, text): (&Signs<'_>, &str)) -> Option<String> {
    let first = first_place(runner, text)?;
    let setup = only_board(drawer, play)?;
    let place = setup.board.places.iter().position(|place| place.label == first)?;
    let kind = setup.at.get(place).copied().flatten()?;
    Some(signs.there(&setup.board.pieces.get(kind as usize)?.name))
}

/// The legal moves from a place.
fn from(runner: &Runner, short: &[String], place: &str) -> Vec<String> {
    let begins =
        |legal: &&String| first_place(runner, legal) == Some(place) || !is_way(runner, legal) && **legal == place;
    short.iter().filter(begins).cloned().collect()
}
