//! `rgc check`.

mod known;

use super::watch;
use crate::cli::{CheckArgs, LanguageArgs};
use crate::files::{Named, named};
use crate::fixes;
use crate::input::{display_name, escaped, is_stdin, source_name};
use crate::jobs::{self, Tally, summary};
use crate::library;
use crate::load::load_within;
use crate::opening;
use crate::output::replace;
use crate::render::MessageFormat;
use crate::session::{Failure, Session, finding};
use audit::properness_in_short;
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, SourceId, SourceMap};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Fixes are looked for again after others were made, so often.
const ROUNDS: usize = 20;

/// Executes the command.
pub(super) fn start(session: &mut Session, options: &CheckArgs) -> Result<(), Failure> {
    let CheckArgs { games, proper, perft, fix, watch, positions, jobs } = options;
    if *watch {
        // What is wrong with the games ends nothing.
        return watch::run(session, games, |session, files| match several(session, files, jobs.or_all()) {
            Err(Failure::Shown) => Ok(()),
            other => other,
        });
    }
    match named(&games.files, games.language.from.as_deref())? {
        Named::One(file) => {
            if *fix {
                mend(session, &file, &games.language)?;
            }
            let how = match (proper, perft) {
                (true, _) => How::Proper(*positions),
                (false, true) => How::Perft,
                (false, false) => How::Rules,
            };
            run(session, &file, &games.language, how)
        }
        Named::Several(files) => several(session, &files, jobs.or_all()),
    }
}

/// Checks files at once, each in a process of its own, and counts them at the end.
fn several(session: &mut Session, files: &[PathBuf], jobs: NonZeroUsize) -> Result<(), Failure> {
    let mut tally = Tally::default();
    jobs::run(session, files, jobs, &[], |session, _, done| {
        tally.add(done.outcome);
        Ok(session.out().write_all(&done.stdout)?)
    })?;
    let Tally { clean, warned, refused, failed } = tally;
    let failed = failed + refused;
    let line = match session.message_format() {
        MessageFormat::Json => {
            let counts =
                serde_json::json!({ "files": files.len(), "clean": clean, "warnings": warned, "errors": failed });
            serde_json::to_string(&counts).map_err(std::io::Error::from)?
        }
        _ => summary(&[(clean, "without findings"), (warned, "with warnings"), (failed, "with errors")]),
    };
    writeln!(session.out(), "{line}")?;
    session.finish()?;
    tally.result()
}

/// Makes the certain fixes of the findings about a file, then of those about the result, until there are none; says how many.
fn mend(session: &mut Session, file: &Path, language: &LanguageArgs) -> Result<(), Failure> {
    if is_stdin(file) || library::instead_of(file, language.from.as_deref()).is_some() {
        let message = format!("`{}` is not a file that could be changed", display_name(file));
        return Err(finding("IO361", message).help("`--fix` needs a file").into());
    }
    let mut made = 0;
    for _ in 0..ROUNDS {
        let mut sources = SourceMap::default();
        let (_, found) = load_within(&mut sources, file, language.from.as_deref(), session.reading);
        // The file is the first text that was read.
        let (text, count) = fixes::apply(&sources, SourceId(0), &found);
        if count == 0 {
            break;
        }
        replace(file, &text)?;
        made += count;
    }
    if made > 0 {
        writeln!(session.out(), "{}: {} applied", display_name(file), plural(made))?;
    }
    Ok(())
}

fn plural(count: usize) -> String {
    if count == 1 { "1 fix".to_owned() } else { format!("{count} fixes") }
}

/// What is looked at besides the text.
#[derive(Clone, Copy)]
enum How {
    /// The first positions.
    Rules,
    /// Playouts, and this many positions.
    Proper(u64),
    /// The perft numbers in comments.
    Perft,
}

/// Shows the findings about a file.
fn run(session: &mut Session, file: &Path, language: &LanguageArgs, how: How) -> Result<(), Failure> {
    let (loaded, mut findings) = load_within(&mut session.sources, file, language.from.as_deref(), session.reading);
    match (loaded, how) {
        (Some(loaded), How::Rules) => {
            let found = opening::findings(loaded, &findings);
            findings.extend(found);
        }
        (Some(loaded), How::Perft) => findings.extend(known::recounted(session, file, loaded)?),
        (Some(loaded), How::Proper(positions)) => {
            session.progress(&format!("{} …", loaded.name));
            let (broken, proper) = audit::findings(&session.sources, &loaded, positions);
            findings.extend(broken);
            session.progress("");
            // That nothing was found says as much as where it was looked for.
            let Some(proper) = proper else { return finish(session, &findings) };
            let file = source_name(file);
            let line = match session.message_format() {
                MessageFormat::Json => {
                    let verdict = serde_json::json!({ "file": file, "proper": proper });
                    serde_json::to_string(&verdict).map_err(std::io::Error::from)?
                }
                _ => format!("{}: {}", escaped(&file), properness_in_short(&proper)),
            };
            writeln!(session.out(), "{line}")?;
        }
        _ => {}
    }
    finish(session, &findings)
}

/// Shows findings; errors make the command fail.
fn finish(session: &mut Session, findings: &[Diagnostic]) -> Result<(), Failure> {
    session.show(findings);
    if has_errors(findings) { Err(Failure::Shown) } else { Ok(()) }
}
