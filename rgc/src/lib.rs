//! The command line of the compiler and engine: everything a user sees.
//!
//! [`run`] parses the arguments and executes one command of [`cli`]. A command reads its game through [`load()`], which
//! picks the front end from the table in [`language`]; findings are rendered by [`render`], results go to standard
//! output. All that other faces need, too, is in the crate [`kit`], whose modules are those of this crate as well. This crate knows all the languages and the engine; none of them knows this crate.

mod arguments;
pub mod cli;
mod commands;
mod interrupt;
mod jobs;
mod joint;
pub mod session;
mod terminal;

pub use kit::{
    Loaded, boardgame, draw, elo, equiv, explain, files, fixes, input, known, language, library, load, moves, observed,
    opening, optimize, output, participant, position, proper, ratings, record, render, runner, scores, sheet, skeleton,
    structured, table, tournament, watchdog, wellformed,
};

use session::{Failure, Session};
use std::ffi::OsString;
use std::io::Write as _;

/// Executes the command line `arguments` (the program's name first) and returns the exit code: 0 on success, 1 if
/// there were errors, 2 if the command line itself was wrong.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let (cli, command, repeat) = match arguments::parsed(arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            // Nothing is left to be done about an error while printing the usage.
            let _ = match arguments::plain_words(&error) {
                Some(text) => std::io::stderr().lock().write_all(text.as_bytes()),
                None => error.print(),
            };
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let mut session = Session::new(&cli.output);
    session.repeat = repeat;
    let renderer = session.renderer();
    watchdog::start(cli.bounds(), move |sources, finding| {
        terminal::put_back();
        let _ = std::io::stderr().lock().write_all(renderer.render(sources, &[finding]).as_bytes());
        std::process::exit(1);
    });
    watchdog::intend(format!("`rgc {command}` ran"));
    let result = commands::execute(&mut session, cli.command);
    match result.and_then(|()| session.finish()) {
        Ok(()) => 0,
        Err(Failure::Shown) => 1,
        Err(Failure::Interrupted) => interrupt::EXIT,
        Err(Failure::Finding(finding)) => {
            session.show(&[*finding]);
            1
        }
        // The reader has gone away (`rgc … | head`): nothing is wrong.
        Err(Failure::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(Failure::Write(error)) => {
            session.show(&[session::finding("IO309", format!("cannot write the result: {error}"))]);
            1
        }
    }
}
