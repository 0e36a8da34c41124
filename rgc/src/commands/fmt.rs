//! `rgc fmt`.

use crate::cli::LanguageArgs;
use crate::input;
use crate::library;
use crate::load::read;
use crate::output::replace;
use crate::session::{Failure, Session, finding};
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(super) fn run(
    session: &mut Session,
    files: &[PathBuf],
    language: &LanguageArgs,
    check: bool,
) -> Result<(), Failure> {
    let mut failed = false;
    for file in files {
        match format(session, file, language.from.as_deref(), check) {
            Ok(formatted) => failed |= check && !formatted,
            Err(Failure::Shown) => failed = true,
            Err(Failure::Finding(error)) => {
                session.show(&[*error]);
                failed = true;
            }
            Err(failure) => return Err(failure),
        }
    }
    if failed { Err(Failure::Shown) } else { Ok(()) }
}

/// Formats one file; returns whether it was formatted already.
fn format(session: &mut Session, path: &Path, from: Option<&str>, check: bool) -> Result<bool, Failure> {
    let (source, language) = read(&mut session.sources, path, from).map_err(Failure::Finding)?;
    let Some(format) = language.format else {
        return Err(finding("IO312", format!("there is no formatter for {}", language.title)).into());
    };
    let text = session.sources.get(source).map_or("", |file| &file.text);
    let formatted = match format(source, text) {
        Ok(formatted) => formatted,
        Err(findings) => {
            session.show(&findings);
            return Err(Failure::Shown);
        }
    };
    let unchanged = formatted == text;
    if check {
        if !unchanged {
            writeln!(session.out(), "{}", input::display_name(path))?;
        }
    } else if input::is_stdin(path) || library::instead_of(path, from).is_some() {
        session.out().write_all(formatted.as_bytes())?;
    } else if !unchanged {
        replace(path, &formatted)?;
    }
    Ok(unchanged)
}
