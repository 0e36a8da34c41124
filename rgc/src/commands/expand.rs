//! `rgc expand`.

use crate::cli::{ExpandArgs, Place};
use crate::language::Language;
use crate::load::read;
use crate::output::Kind;
use crate::record::line as json_line;
use crate::session::{Failure, Session, finding};
use crate::watchdog;
use kit::expand::{Expanded, annotated, lines};
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, Severity, SourceId};
use std::io::Write as _;

/// Writes a text without macros or functions.
pub(super) fn run(session: &mut Session, options: &ExpandArgs) -> Result<(), Failure> {
    session.writer.spare(&options.game.file);
    let from = options.game.language.from.as_deref();
    let (source, language) = read(&mut session.sources, &options.game.file, from).map_err(Failure::Finding)?;
    let text = session.sources.get(source).map_or_else(String::new, |file| file.text.clone());
    let name = session.sources.get(source).map_or_else(String::new, |file| file.name.clone());
    watchdog::begin_game(source, &name, &text);
    let expanded = match options.at {
        Some(place) => watchdog::guarded("the call was expanded", || call(language, (source, &text), place))??,
        None => whole(session, language, (source, &text))?,
    };
    let lines = lines(&expanded, &text);
    if options.json {
        for line in &lines {
            session.out().write_all(json_line(line)?.as_bytes())?;
        }
        return Ok(());
    }
    let shown = if options.plain { expanded.text } else { annotated(&lines) };
    let kind = if options.at.is_some() { Kind::List } else { Kind::Game(language.name) };
    super::translate::write(session, &options.output, kind, shown)
}

fn whole(session: &mut Session, language: &Language, (source, text): (SourceId, &str)) -> Result<Expanded, Failure> {
    let (expand, _) = language.editing.expand.ok_or_else(|| nothing_in(language))?;
    let (expanded, mut findings) = watchdog::guarded("the text was expanded", || expand(source, text))?;
    let failed = has_errors(&findings);
    findings.retain(|finding| finding.severity <= Severity::Warning);
    session.show(&findings);
    expanded.filter(|_| !failed).ok_or(Failure::Shown)
}

fn call(language: &Language, (source, text): (SourceId, &str), place: Place) -> Result<Expanded, Failure> {
    let no_calls = || {
        finding("IO404", format!("there are no macro calls in {}", language.title)).help("`--at` is for macros of RBG")
    };
    let expand = language.editing.expand.and_then(|(_, call)| call).ok_or_else(no_calls)?;
    let offset = offset(text, place).and_then(|offset| u32::try_from(offset).ok());
    let found = offset.and_then(|offset| expand(source, text, offset));
    let none = || {
        let message = format!("there is no macro call to be expanded in line {}, column {}", place.line, place.column);
        finding("IO404", message).help("the place is that of the name of a macro")
    };
    Ok(found.ok_or_else(none)?)
}

/// The byte of a place; `None` if the text ends before.
fn offset(text: &str, place: Place) -> Option<usize> {
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number + 1 == place.line {
            return line.char_indices().nth(place.column - 1).map(|(at, _)| start + at);
        }
        start += line.len();
    }
    None
}

fn nothing_in(language: &Language) -> Diagnostic {
    finding("IO404", format!("there is nothing of the kind to expand in {}", language.title))
        .help("macros of RBG and functions of HRG are expanded; `rgc translate --to rg` shows any game as it is run")
}
