//! The commands, a module each.

mod check;
mod completions;
mod fmt;
mod stats;
mod translate;

use crate::cli::Command;
use crate::session::{Failure, Session};
use std::io::Write as _;

/// Executes a command.
pub(crate) fn execute(session: &mut Session, command: Command) -> Result<(), Failure> {
    match command {
        Command::Translate { game, to, output } => translate::run(session, &game, to, &output),
        Command::Graph { game, to, output } => translate::run(session, &game, to.into(), &output),
        Command::Check { files, language } => check::run(session, &files, &language),
        Command::Fmt { files, language, check } => fmt::run(session, &files, &language, check),
        Command::Stats { game, json } => stats::run(session, &game, json),
        Command::Schema => Ok(session.out().write_all(rg_ir::json::schema().as_bytes())?),
        Command::Completions { shell } => completions::run(session, shell),
    }
}
