//! One game or several, for commands that print something about each.

use crate::cli::{GameArgs, GamesArgs};
use crate::files::{Named, named};
use crate::input::display_name;
use crate::jobs::{self, Tally, summary, with_file};
use crate::session::{Failure, Session};
use std::ffi::OsString;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;

/// How several games are handled.
pub(super) struct Plan<'a> {
    pub(super) games: &'a GamesArgs,
    /// How many at once.
    pub(super) jobs: NonZeroUsize,
    /// Arguments behind the file.
    pub(super) trailing: &'a [OsString],
    /// Whether results are JSON lines, which then get a member `file`.
    pub(super) json: bool,
    /// Where the game starts, which can be said of one game only.
    pub(super) position: Option<&'a Path>,
    /// Whether the name of the file stands above its result.
    pub(super) heading: bool,
}

/// Handles the game that was named, or each of several in a process of its own, with a line at the end that counts them.
pub(super) fn each(
    session: &mut Session,
    plan: &Plan<'_>,
    one: impl FnOnce(&mut Session, &GameArgs) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let language = &plan.games.language;
    let games = named(&plan.games.files, language.from.as_deref())?;
    games.start_at(plan.position)?;
    let files = match games {
        Named::One(file) => return one(session, &GameArgs { file, language: language.clone() }),
        Named::Several(files) => files,
    };
    let mut tally = Tally::default();
    jobs::run(session, &files, plan.jobs, plan.trailing, |session, file, done| {
        tally.add(done.outcome);
        if plan.json {
            return Ok(session.out().write_all(&with_file(file, &done.stdout))?);
        }
        if plan.heading {
            writeln!(session.out(), "{}", display_name(file))?;
        }
        session.out().write_all(&done.stdout)?;
        Ok(writeln!(session.out())?)
    })?;
    if !plan.json {
        let parts = [
            (tally.clean, "without findings"),
            (tally.warned, "with warnings"),
            (tally.failed + tally.refused, "with errors"),
        ];
        writeln!(session.out(), "{}", summary(&parts))?;
    }
    session.finish()?;
    tally.result()
}
