//! Pages about games that need no server: each is one file that opens from the disk and fetches nothing. It has the rules, a game to step
//! through, drawings of the automaton, and the runs of the passes.

mod automaton;
mod html;
mod passes;
mod replay;

use crate::api::Failure;
use crate::api::games::Version;
use kit::language::{Language, Reading};
use kit::participant::Participant;
use kit::{Result, finding};
use replay::Replay;
pub(crate) use replay::{Course, Seen};
use rg_ir::Diagnostic;
use serde::Serialize;
use std::path::Path;

/// A text of a game without errors.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// Its name with an extension, such as `chess.rbg`.
    pub name: &'s str,
    /// The rules.
    pub text: &'s str,
    /// What they are written in.
    pub language: &'static Language,
    /// How they are read.
    pub reading: Reading,
}

/// A page, and what a list of pages says about it.
#[derive(Clone, Debug)]
pub struct Exported {
    /// What the list says.
    pub entry: Entry,
    /// The page, in HTML.
    pub page: String,
}

/// A line of a list of pages.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name of the file of the page: letters, digits, `-` and `_`, and `.html`.
    pub file: String,
    title: String,
    what: String,
    language: &'static str,
    players: usize,
    /// The first position of the first board, as SVG.
    picture: Option<String>,
}

/// What a page is made of.
#[derive(Serialize)]
struct Contents<'v> {
    /// The version of the program.
    program: &'static str,
    name: &'v str,
    title: &'v str,
    what: &'v str,
    language: &'v str,
    text: &'v str,
    players: Vec<String>,
    replay: Option<Replay>,
    /// Why there is no game to step through, or not all of it.
    note: Option<String>,
    automaton: automaton::Drawings,
    passes: passes::Passes,
}

/// The page about a game, with a game that these agents play, the first player being played by the first of them. Costs about as much as the
/// game that they play, and the passes with a difference of two texts for each run.
///
/// # Errors
/// `IO394`: the game cannot be run, or it is no game for these agents.
pub fn export(source: &Source<'_>, agents: &[Participant]) -> Result<Exported> {
    let Source { name, text, language, reading } = *source;
    let (version, checked) = Version::read(0, name, language, text.to_owned(), reading);
    let failed = |failure: Failure| Box::new(impossible(name, &failure));
    let version = version.ok_or_else(|| failed(checked.failure()))?;
    let course = replay::played(&version, agents).map_err(failed)?;
    let replay = replay::replay(&version, &course, Seen::Everything).map_err(failed)?;
    exported(&version, Ok(replay)).map_err(failed)
}

fn impossible(name: &str, failure: &Failure) -> Diagnostic {
    finding("IO394", format!("there is no page about `{name}`: {}", failure.message()))
}

/// The page about a version of a game and a game that was played, as far as a page of the studio may show it.
///
/// # Errors
/// The game cannot be run, or was not played by these rules.
pub(crate) fn page(version: &Version, course: &Course) -> Result<Exported, Failure> {
    exported(version, replay::replay(version, course, Seen::ByAll))
}

fn exported(version: &Version, replay: Result<Replay, Failure>) -> Result<Exported, Failure> {
    let stem = Path::new(version.name()).file_stem().unwrap_or_default().to_string_lossy();
    let described = kit::library::described(version.text());
    let (title, what) = described.split_once(": ").unwrap_or((&stem, described));
    let (replay, note) = match replay {
        Ok(replay) => (Some(replay), None),
        Err(failure) if failure.is("hidden") => (None, Some(failure.message().to_owned())),
        Err(failure) => return Err(failure),
    };
    let players: Vec<String> = version.drawn()?.players().map(str::to_owned).collect();
    let note = note.or_else(|| replay.as_ref().and_then(Replay::note));
    let entry = Entry {
        file: file_name(version.name()),
        title: title.to_owned(),
        what: what.to_owned(),
        language: version.language.title,
        players: players.len(),
        picture: replay.as_ref().and_then(Replay::picture),
    };
    let contents = Contents {
        program: env!("CARGO_PKG_VERSION"),
        name: version.name(),
        title,
        what,
        language: version.language.name,
        text: version.text(),
        players,
        replay,
        note,
        automaton: automaton::drawings(version)?,
        passes: passes::passes(version)?,
    };
    let page = html::page(&contents).map_err(|error| Failure::new("internal", error.to_string()))?;
    Ok(Exported { entry, page })
}

/// The name of the file for a page about a game: nothing in it leads to another folder.
fn file_name(name: &str) -> String {
    let allowed = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    format!("{}.html", name.chars().map(allowed).collect::<String>().trim_matches('-'))
}

/// A page that lists others in the same folder, with their first positions.
pub fn list(entries: &[Entry]) -> String {
    html::list(entries)
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_of_files_lead_nowhere() {
        assert_eq!(file_name("chess.rbg"), "chess-rbg.html");
        assert_eq!(file_name("../../etc/x y.rg"), "etc-x-y-rg.html");
        assert_eq!(file_name("шахматы.rg"), "rg.html");
    }
}
