//! `rgc replay`: the games of a record, played again.

use crate::cli::EngineArgs;
use crate::draw::Drawer;
use crate::input::{self, escaped, is_stdin};
use crate::language;
use crate::library;
use crate::record::{self, Header, PlayLine, Record};
use crate::runner::{NO_TAGS, Runner};
use crate::scores::Outcome;
use crate::session::{Failure, Session, finding};
use crate::table::counted;
use backend::{Ambiguity, Options, Turn};
use rg_ir::Severity;
use rg_ir::scene::Look;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What is to be shown.
pub(super) struct Plan<'a> {
    pub(super) record: &'a Path,
    pub(super) game: Option<&'a PathBuf>,
    /// Only this play.
    pub(super) play: Option<u64>,
    /// Only whether all is well.
    pub(super) quiet: bool,
    pub(super) boards: bool,
    pub(super) engine: &'a EngineArgs,
}

pub(super) fn run(session: &mut Session, plan: &Plan<'_>) -> Result<(), Failure> {
    let record = read(session, plan.record)?;
    let Record { header, plays, cut, .. } = &record;
    let end = |session: &mut Session| session.show(cut.as_slice());
    if plays.is_empty() {
        end(session);
        let empty = finding("IO344", "the record has no complete games, so there is nothing to verify");
        return Err(empty.or_at(record.header_place).into());
    }
    let file = place(header, plan).map_err(|failure| failure.or_at(record.header_place))?;
    let runner = runner(session, &record, &file, plan)?;
    record::fits(&record, &runner).map_err(Failure::Finding)?;
    let mut verified = 0u64;
    let places = &record.places;
    for (line, place) in plays.iter().zip(places).filter(|(line, _)| plan.play.is_none_or(|number| number == line.play))
    {
        let shown = replayed(&runner, line, plan).map_err(|failure| failure.or_at(*place))?;
        verified += 1;
        if !plan.quiet {
            session.out().write_all(shown.as_bytes())?;
        }
    }
    if let (0, Some(number)) = (verified, plan.play) {
        let message =
            format!("the record has no game {number}; it has {}, numbered from 0", counted(plays.len() as u64, "game"));
        return Err(finding("IO344", message).or_at(record.header_place).into());
    }
    writeln!(session.out(), "verified: {}", counted(verified, "game"))?;
    end(session);
    Ok(())
}

/// Where the game of a record is.
///
/// # Errors
/// `IO355`: the record does not tell, or standard input would have to be both.
fn place(header: &Header, plan: &Plan<'_>) -> Result<PathBuf, Failure> {
    let lost =
        |message: String| Err(finding("IO355", message).help("name the file of the game with `--game FILE`").into());
    let file = plan.game.cloned().unwrap_or_else(|| PathBuf::from(&header.game));
    if is_stdin(&file) && is_stdin(plan.record) {
        return lost("standard input is the record already, so the game cannot be read from there".to_owned());
    }
    if plan.game.is_some() {
        return Ok(file);
    }
    if is_stdin(&file) {
        return lost("the game of this record was read from standard input".to_owned());
    }
    if !file.exists() && library::instead_of(&file, Some(&header.language)).is_none() {
        return lost(format!(
            "the game of this record, `{}`, does not exist; its path is relative to the current folder",
            file.display()
        ));
    }
    Ok(file)
}

/// Reads a record.
pub(super) fn read(session: &mut Session, path: &Path) -> Result<Record, Failure> {
    let text = match input::read_as(path, "a record of games") {
        Err(error) if error.code == "IO306" => {
            return Err(record::empty(format!("the record `{}` is empty", input::display_name(path))).into());
        }
        text => text.map_err(Failure::Finding)?,
    };
    let source = session.sources.add(input::source_name(path), text);
    let text = session.sources.get(source).map_or("", |file| &file.text);
    record::read(source, text).map_err(Failure::Finding)
}

fn runner(session: &mut Session, record: &Record, file: &Path, plan: &Plan<'_>) -> Result<Runner, Failure> {
    let header = &record.header;
    if let Some(language) = language::of_extension(file).filter(|language| language.name != header.language) {
        let message = format!(
            "the record is of a game in `{}`, but `{}` is a file in `{}`",
            header.language,
            input::display_name(file),
            language.name
        );
        let help = format!("name the text in `{}` that was played", header.language);
        return Err(finding("IO344", message).or_at(record.header_place).help(help).into());
    }
    let loaded = record::started(record, session.load(file, Some(&header.language), Severity::Error)?)?;
    let text = session.sources.get(loaded.source).map_or("", |file| &file.text);
    if record::digest(text.as_bytes()) != header.text {
        let changed = "the text of the game is not the one that was played; its games are replayed anyway";
        session.show(&[rg_ir::Diagnostic::warning("IO345", record.header_place, changed)]);
    }
    let ambiguity = if header.split { Ambiguity::Split } else { Ambiguity::Error };
    let options = Options { ambiguity, keep_dead: plan.boards, ..plan.engine.options() };
    let level = if plan.boards { plan.engine.level.or(0) } else { plan.engine.level.or_fast(ambiguity) };
    Ok(Runner::new(loaded.optimised(level)?, options)?)
}

/// Plays a recorded game again; the game as text.
fn replayed(runner: &Runner, line: &PlayLine, plan: &Plan<'_>) -> Result<String, Failure> {
    let drawer = plan.boards.then(|| Drawer::new(runner));
    let mut text = format!("game {}: {}\n", line.play, seats(runner, line));
    let (mut number, mut verdict) = (0, None);
    record::replayed(runner, line, |play, chosen| {
        if play.turn() == Turn::End {
            verdict = Outcome::of(runner, play.state()).verdict();
        }
        match (chosen, &drawer) {
            _ if plan.quiet => {}
            (Some(index), _) => {
                number += 1;
                let mover = runner.mover(play.state()).unwrap_or_default();
                let short = runner.short_texts(play.moves());
                let short = short.get(index).map_or(NO_TAGS, String::as_str);
                text.push_str(&format!("{number:>4}. {mover}: {short}\n"));
            }
            (None, Some(drawer)) => {
                text.push_str(&drawer.text(play.state(), Look::default()));
                text.push('\n');
            }
            (None, None) => {}
        }
    })?;
    let scored: Vec<String> =
        runner.players().zip(&line.scores).map(|(player, score)| format!("{player} {score}")).collect();
    let end = if line.over { verdict.map_or(String::new(), |verdict| verdict + "; ") } else { "not over; ".to_owned() };
    text.push_str(&format!("      {end}scores: {}\n\n", scored.join(", ")));
    Ok(text)
}

/// Who played whom: `white uct:1s, black random`.
fn seats(runner: &Runner, line: &PlayLine) -> String {
    let seats = runner.players().zip(&line.seats).map(|(player, agent)| format!("{player} {}", escaped(agent)));
    seats.collect::<Vec<_>>().join(", ")
}
