//! `rgc serve`.

mod ggp;
mod rbg;

use crate::cli::ServeArgs;
use crate::output::{Existing, What};
use crate::record::{self, Header, PlayLine};
use crate::runner::Runner;
use crate::session::{Failure, Session};
use backend::Ambiguity;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

/// Runs the matches.
pub(super) fn run(session: &mut Session, args: &ServeArgs) -> Result<(), Failure> {
    match args.rbg {
        Some(port) => rbg::run(session, args, port),
        None => ggp::run(session, args),
    }
}

/// A record that games are added to.
struct Lines {
    path: PathBuf,
    file: File,
}

impl Lines {
    /// Begins the record that the arguments name, if they do.
    fn create(session: &Session, args: &ServeArgs, runner: &Runner, text: &str) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.record else { return Ok(None) };
        let existing = if args.force { Existing::Replace } else { Existing::Refuse };
        let file = session.writer.create(What::Record, path, existing)?;
        let mut lines = Self { path: path.clone(), file };
        let header = Header::new(runner, &args.game.file.display().to_string(), text, Ambiguity::Error);
        lines.write(&record::line(&header)?)?;
        Ok(Some(lines))
    }

    fn add(&mut self, line: &PlayLine) -> Result<(), Failure> {
        self.write(&record::line(line)?)
    }

    /// Every line is written at once: whoever interrupts the matches keeps those that are over.
    fn write(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        Ok(written.map_err(|error| What::Record.unwritable(&self.path, &error))?)
    }
}
