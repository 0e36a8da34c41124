//! `rgc generate`.

mod random;

use crate::cli::{GeneratedFile, Generator, LineGameArgs};
use crate::input::{is_stdin, read_as, source_name};
use crate::output::{Existing, Kind, What};
use crate::session::{Failure, Session};
use std::io::Write as _;
use std::path::Path;

/// What messages call the file.
const DESCRIPTION: &str = "a description of a line game";

/// Writes a generated game, to standard output or to a file that is not there unless `--force` is given.
pub(super) fn run(session: &mut Session, generator: &Generator) -> Result<(), Failure> {
    match generator {
        Generator::LineGame(options) => {
            let game = line_game(session, options)?;
            write(session, &options.output, Kind::Game("hrg"), game)
        }
        Generator::Random(options) => {
            let game = random::game(session, options)?;
            write(session, &options.output, Kind::Game(random::name(options.language)), game)
        }
    }
}

fn line_game(session: &mut Session, options: &LineGameArgs) -> Result<String, Failure> {
    let (name, text) = match &options.file {
        Some(file) => {
            session.writer.spare(file);
            (source_name(file), read_as(file, DESCRIPTION)?)
        }
        None => ("command line".to_owned(), composed(session, options)?),
    };
    let source = session.sources.add(name, text.clone());
    generate::line::generate(source, &text).map_err(|findings| {
        session.show(&findings);
        Failure::Shown
    })
}

fn write(session: &mut Session, file: &GeneratedFile, kind: Kind, game: String) -> Result<(), Failure> {
    match file.output.as_deref().filter(|path| !is_stdin(path)) {
        None => Ok(session.out().write_all(game.as_bytes())?),
        Some(path) => {
            session.writer.check(path)?;
            kind.check_name(path)?;
            let existing = if file.force { Existing::Replace } else { Existing::Refuse };
            Ok(session.writer.write(What::Result, path, existing, game)?)
        }
    }
}

/// The description that the options make.
fn composed(session: &mut Session, options: &LineGameArgs) -> Result<String, Failure> {
    let board = options.board.as_deref().unwrap_or_default();
    let mut lines = Vec::new();
    if Path::new(board).is_file() {
        session.writer.spare(Path::new(board));
        lines.push("board:".to_owned());
        lines.extend(read_as(Path::new(board), "a drawing of a board")?.lines().map(|line| format!("  {line}")));
    } else {
        lines.push(format!("board: {board}"));
    }
    lines.extend(options.setup.iter().map(|setup| format!("setup: {setup}")));
    let rules = options.rules.as_deref().unwrap_or_default().split(';').map(str::trim);
    lines.extend(rules.filter(|rule| !rule.is_empty()).map(str::to_owned));
    Ok(lines.join("\n"))
}
