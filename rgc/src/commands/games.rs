//! `rgc games`.

use crate::language::{Reading, Translation};
use crate::library::{self, Bundled};
use crate::session::{Failure, Session};
use crate::table::render;
use crate::terminal;
use rg_ir::SourceId;
use serde::Serialize;
use std::io::{self, IsTerminal as _, Write as _};

/// A game of the library, in all its languages.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    languages: Vec<&'static str>,
    players: Vec<String>,
    description: &'static str,
}

pub(super) fn run(session: &mut Session, show: Option<&str>, from: Option<&str>, json: bool) -> Result<(), Failure> {
    if let Some(name) = show {
        let game = library::find(name, from).map_err(Failure::Finding)?;
        return Ok(session.out().write_all(game.text.as_bytes())?);
    }
    let games: Vec<Bundled> =
        library::all().into_iter().filter(|game| from.is_none_or(|name| game.language.name == name)).collect();
    let entries: Vec<Entry> = games.chunk_by(|a, b| a.name == b.name).filter_map(entry).collect();
    if json {
        for entry in &entries {
            writeln!(session.out(), "{}", serde_json::to_string(entry).map_err(std::io::Error::from)?)?;
        }
        return Ok(());
    }
    let row = |entry: &Entry| {
        let players = entry.players.len().to_string();
        vec![entry.name.to_owned(), entry.languages.join(" "), players, entry.description.to_owned()]
    };
    let table = render(&["name", "languages", "players", "description"], 4, entries.iter().map(row).collect());
    let table = if io::stdout().is_terminal() { cut(&table, terminal::width()) } else { table };
    Ok(session.out().write_all(table.as_bytes())?)
}

/// Lines of at most so many letters, with `…` where something is left out.
fn cut(table: &str, width: usize) -> String {
    let line = |line: &str| match line.char_indices().nth(width) {
        None => format!("{line}\n"),
        Some(_) => {
            let kept: String = line.chars().take(width.saturating_sub(1)).collect();
            format!("{}…\n", kept.trim_end())
        }
    };
    table.lines().map(line).collect()
}

/// The entry of a game, from its texts in all languages; there is at least one.
fn entry(texts: &[Bundled]) -> Option<Entry> {
    let first = texts.first()?;
    let languages = texts.iter().map(|game| game.language.name).collect();
    Some(Entry { name: first.name, languages, players: players(first), description: first.description() })
}

/// The names of the players, in order; without those of an erroneous text.
fn players(game: &Bundled) -> Vec<String> {
    let Some(Translation { game: lowered, notation, .. }) =
        (game.language.lower)(SourceId(0), game.text, Reading::default()).0
    else {
        return Vec::new();
    };
    lowered.players().iter().map(|&player| notation.render_player(lowered.name(player)).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_to_the_terminal() {
        assert_eq!(cut("name  what\nhex   é: join\n", 10), "name  what\nhex   é:…\n");
        assert_eq!(cut("abc", 3), "abc\n");
    }
}
