//! The games that are part of the program.
//!
//! Every file `games/<language>/<name>.<language>` is bundled. The comment at its beginning follows a fixed form: the
//! first line is the title and a sentence, `// Title: what it is.`; a line `// perft: 20 400 8902` holds the known
//! numbers of sequences of 1, 2, … moves, which the tests recount.

use crate::finding;
use crate::input;
use crate::known::known;
use crate::language::{self, Language};
use rg_ir::{Diagnostic, SourceId};
use std::path::Path;

/// Language, name and text of every bundled file.
static FILES: &[(&str, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// If a game is there in several languages and none is asked for, the first of these is taken.
pub const PREFERENCE: &[&str] = &["rbg", "hrg", "sbg", "gdl", "rg"];

/// One bundled game in one language.
#[derive(Clone, Copy)]
pub struct Bundled {
    /// Its name, the same in all languages.
    pub name: &'static str,
    /// The language of this text.
    pub language: &'static Language,
    /// The text.
    pub text: &'static str,
}

impl Bundled {
    /// The name with the extension of the language, such as `chess.rbg`.
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.name, self.language.name)
    }

    /// The first line of the comment at the beginning: title and description.
    pub fn description(&self) -> &'static str {
        described(self.text)
    }

    /// The known numbers of sequences of 1, 2, … moves; empty if the comment has none.
    pub fn perft(&self) -> Vec<u64> {
        let lines = known(self.language.name, SourceId(0), self.text);
        lines
            .into_iter()
            .next()
            .map(|line| line.numbers.into_iter().map(|(number, _)| number).collect())
            .unwrap_or_default()
    }
}

/// The first line of the comment at the beginning of a game; in bundled games, title and description. Empty without a comment.
pub fn described(text: &str) -> &str {
    let sign = |line| str::strip_prefix(line, "//").or_else(|| str::strip_prefix(line, ";"));
    text.lines().next().and_then(sign).unwrap_or("").trim()
}

/// All bundled games, sorted by name, those of equal name by [`PREFERENCE`].
pub fn all() -> Vec<Bundled> {
    let bundled = |(language, name, text): &(&str, &'static str, &'static str)| {
        Some(Bundled { name, language: language::by_name(language)?, text })
    };
    let mut games: Vec<Bundled> = FILES.iter().filter_map(bundled).collect();
    let rank = |language: &str| PREFERENCE.iter().position(|name| *name == language);
    games.sort_by_key(|game| (game.name.to_lowercase(), rank(game.language.name)));
    games
}

/// The bundled game called `name`, with or without the extension of its language, in the language `from` if given.
///
/// Errors: there is none of that name (`IO301`), or not in that language (`IO313`).
pub fn find(name: &str, from: Option<&str>) -> Result<Bundled, Box<Diagnostic>> {
    let games = all();
    let named: Vec<&Bundled> = games.iter().filter(|game| game.name == name || game.file_name() == name).collect();
    if named.is_empty() {
        let unknown = finding("IO301", format!("there is no bundled game `{name}`; `rgc games` lists them"));
        return Err(unknown.suggest(name, games.iter().map(|game| game.name)).into());
    }
    let wanted = |game: &&&Bundled| from.is_none_or(|language| game.language.name == language);
    named.iter().find(wanted).map(|game| **game).ok_or_else(|| {
        let languages: Vec<String> = named.iter().map(|game| format!("`{}`", game.language.name)).collect();
        let (languages, from) = (languages.join(", "), from.unwrap_or_default());
        finding("IO313", format!("the bundled game `{name}` exists in {languages}, not in `{from}`")).into()
    })
}

/// The bundled game that `path` stands for: its name is used where there is no file of that name.
///
/// Errors: there is neither file nor game (`None`: the caller reports the missing file), or the game is there, but not
/// in the language `from` (`IO313`).
pub fn instead_of(path: &Path, from: Option<&str>) -> Option<Result<Bundled, Box<Diagnostic>>> {
    if input::is_stdin(path) || (path.exists() && !path.is_dir()) {
        return None;
    }
    match find(path.to_str()?, from) {
        Err(error) if error.code == "IO301" => None,
        found => Some(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_file_has_a_known_language_and_a_description() {
        assert_eq!(all().len(), FILES.len(), "a folder of `games` is named like no language");
        for game in all() {
            let description = game.description();
            assert!(description.contains(": ") && description.ends_with('.'), "{}: {description}", game.file_name());
            assert!(PREFERENCE.contains(&game.language.name));
            assert!(!game.perft().is_empty(), "{} has no perft line", game.file_name());
        }
    }

    #[test]
    fn names_are_found_with_and_without_extension() {
        let language = |name, from| find(name, from).map(|game| game.language.name).map_err(|error| error.code);
        assert_eq!(language("ticTacToe", None), Ok("rbg"));
        assert_eq!(language("ticTacToe", Some("rg")), Ok("rg"));
        assert_eq!(language("ticTacToe.rg", None), Ok("rg"));
        assert_eq!(language("race", Some("rbg")), Err("IO313"));
        assert_eq!(language("ticTacTo", None), Err("IO301"));
    }
}
