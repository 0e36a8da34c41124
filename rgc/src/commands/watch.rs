//! `rgc check --watch`.

use crate::cli::GamesArgs;
use crate::files::named;
use crate::input::{display_name, is_stdin};
use crate::library;
use crate::session::{Failure, Session, finding};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Time between two looks at the files. Looking works on every file system, and with editors that replace files.
const PERIOD: Duration = Duration::from_millis(300);

/// What tells that a file has changed.
type Stamp = (SystemTime, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Calls `check` for all files that are named, then again and again for those that have changed or are new, until that fails or
/// the process is stopped. A line with the time stands before each call.
pub(super) fn run(
    session: &mut Session,
    games: &GamesArgs,
    mut check: impl FnMut(&mut Session, &[PathBuf]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let from = games.language.from.as_deref();
    for file in &games.files {
        if is_stdin(file) || library::instead_of(file, from).is_some() {
            let message = format!("`{}` is not a file that could change", display_name(file));
            return Err(finding("IO361", message).help("`--watch` needs files or folders").into());
        }
    }
    let mut seen: Vec<(PathBuf, Option<Stamp>)> = Vec::new();
    // What is wrong with the names is said once, at the beginning; later on, a folder may be empty for a while.
    let mut files = named(&games.files, from)?.files();
    loop {
        let stamps: Vec<(PathBuf, Option<Stamp>)> =
            files.into_iter().map(|file| (stamp(&file), file)).map(|(s, f)| (f, s)).collect();
        let changed: Vec<PathBuf> = stamps
            .iter()
            .filter(|(file, stamp)| {
                let before = seen.iter().find(|(other, _)| other == file);
                // A file that is being replaced is not there for a moment.
                before.is_none_or(|(_, before)| stamp.is_some() && stamp != before)
            })
            .map(|(file, _)| file.clone())
            .collect();
        seen = stamps;
        if !changed.is_empty() {
            let time = chrono::Local::now().format("%H:%M:%S");
            let names: Vec<String> = changed.iter().take(3).map(|file| display_name(file)).collect();
            let more = if changed.len() > names.len() { ", …" } else { "" };
            writeln!(session.out(), "{time}  {}{more}", names.join(", "))?;
            session.finish()?;
            check(session, &changed)?;
            session.finish()?;
        }
        std::thread::sleep(PERIOD);
        files = named(&games.files, from)
            .map_or_else(|_| seen.iter().map(|(file, _)| file.clone()).collect(), |named| named.files());
    }
}
