//! `rgc generate`.

use crate::cli::{GenerateArgs, Generator};
use crate::input::{is_stdin, read_as, source_name};
use crate::output::{Existing, Kind, What};
use crate::session::{Failure, Session};
use std::io::Write as _;
use std::path::Path;

/// What messages call the file.
const DESCRIPTION: &str = "a description of a line game";

/// Writes a generated game, to standard output or to a file that is not there unless `--force` is given.
pub(super) fn run(session: &mut Session, options: &GenerateArgs) -> Result<(), Failure> {
    let Generator::LineGame = options.generator;
    let (name, text) = match &options.file {
        Some(file) => {
            session.writer.spare(file);
            (source_name(file), read_as(file, DESCRIPTION)?)
        }
        None => ("command line".to_owned(), composed(session, options)?),
    };
    let source = session.sources.add(name, text.clone());
    let game = match generate::line::generate(source, &text) {
        Ok(game) => game,
        Err(findings) => {
            session.show(&findings);
            return Err(Failure::Shown);
        }
    };
    match options.output.as_deref().filter(|path| !is_stdin(path)) {
        None => Ok(session.out().write_all(game.as_bytes())?),
        Some(path) => {
            session.writer.check(path)?;
            Kind::Hrg.check_name(path)?;
            let existing = if options.force { Existing::Replace } else { Existing::Refuse };
            Ok(session.writer.write(What::Result, path, existing, game)?)
        }
    }
}

/// The description that the options make.
fn composed(session: &mut Session, options: &GenerateArgs) -> Result<String, Failure> {
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
