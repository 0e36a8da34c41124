//! `rgc fmt`.

use crate::cli::FmtArgs;
use crate::files::{Named, named};
use crate::input::{self, display_name};
use crate::jobs::{self, Outcome, Tally, summary};
use crate::library;
use crate::load::{mark_other_text, read};
use crate::output::replace;
use crate::session::{Failure, Session, finding};
use crate::table::counted;
use similar::{ChangeTag, TextDiff};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// What becomes of a text that is not formatted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    /// It is overwritten.
    Write,
    /// Its name is printed.
    List,
    /// What would change is printed.
    Diff,
}

/// How a line begins that says that a file was changed.
const FORMATTED: &str = "formatted ";

/// Executes the command.
pub(super) fn run(session: &mut Session, options: &FmtArgs) -> Result<(), Failure> {
    let action = match (options.check, options.diff) {
        (true, _) => Action::List,
        (false, true) => Action::Diff,
        (false, false) => Action::Write,
    };
    let from = options.games.language.from.as_deref();
    match named(&options.games.files, from)? {
        Named::One(file) => match format(session, &file, from, action)? {
            false if action != Action::Write => session.finish().and(Err(Failure::Shown)),
            _ => Ok(()),
        },
        Named::Several(files) => several(session, &files, options.jobs.or_all(), action),
    }
}

/// Formats several files at once, and counts them at the end.
fn several(session: &mut Session, files: &[PathBuf], jobs: NonZeroUsize, action: Action) -> Result<(), Failure> {
    let (mut tally, mut changed) = (Tally::default(), 0);
    jobs::run(session, files, jobs, &[], |session, _, done| {
        tally.add(done.outcome);
        let wrote = action == Action::Write && done.stdout.starts_with(FORMATTED.as_bytes());
        changed += usize::from(wrote && done.outcome != Outcome::Failed);
        Ok(session.out().write_all(&done.stdout)?)
    })?;
    let fine = tally.clean + tally.warned;
    let parts = match action {
        Action::Write => [
            (changed, "formatted"),
            (fine - changed.min(fine), "unchanged"),
            (tally.failed + tally.refused, "with errors"),
        ],
        Action::List | Action::Diff => {
            [(fine, "formatted"), (tally.refused, "not formatted"), (tally.failed, "with errors")]
        }
    };
    writeln!(session.out(), "{}", summary(&parts))?;
    session.finish()?;
    tally.result()
}

/// Formats one file; returns whether it was formatted already.
fn format(session: &mut Session, path: &Path, from: Option<&str>, action: Action) -> Result<bool, Failure> {
    let (source, language) = read(&mut session.sources, path, from).map_err(Failure::Finding)?;
    let Some(format) = language.format else {
        return Err(finding("IO312", format!("there is no formatter for {}", language.title)).into());
    };
    let text = session.sources.get(source).map_or("", |file| &file.text).to_owned();
    let formatted = match format(source, &text) {
        Ok(formatted) => formatted,
        Err(mut findings) => {
            mark_other_text(&mut findings, language, &text);
            session.show(&findings);
            return Err(Failure::Shown);
        }
    };
    let (unchanged, name) = (formatted == text, display_name(path));
    match action {
        Action::List if !unchanged => writeln!(session.out(), "{name}")?,
        Action::Diff if !unchanged => {
            let diff = TextDiff::from_lines(&*text, &*formatted);
            let diff = diff.unified_diff().context_radius(3).header(&name, &format!("{name} (formatted)")).to_string();
            session.out().write_all(diff.as_bytes())?;
        }
        Action::List | Action::Diff => {}
        Action::Write if input::is_stdin(path) || library::instead_of(path, from).is_some() => {
            session.out().write_all(formatted.as_bytes())?;
        }
        Action::Write if !unchanged => {
            replace(path, &formatted)?;
            let lines = counted(changed_lines(&text, &formatted), "line");
            writeln!(session.out(), "{FORMATTED}{name} ({lines})")?;
        }
        Action::Write => {}
    }
    Ok(unchanged)
}

/// How many lines differ: those that are new, or those that are gone if they are more.
fn changed_lines(old: &str, new: &str) -> u64 {
    let diff = TextDiff::from_lines(old, new);
    let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count() as u64;
    count(ChangeTag::Insert).max(count(ChangeTag::Delete))
}
