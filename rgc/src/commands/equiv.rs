//! `rgc equiv`.

use crate::cli::{EngineArgs, LanguageArgs};
use crate::equiv::{Budget, Criterion, Statistics, Verdict, compare, compare_by};
use crate::input::is_stdin;
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::table::counted;
use rg_ir::Severity;
use std::io::Write;
use std::path::Path;

/// How to compare.
pub(super) struct How {
    /// The criterion; `None`: what suits.
    pub(super) by: Option<Criterion>,
    pub(super) budget: Budget,
    pub(super) json: bool,
}

pub(super) fn run(
    session: &mut Session,
    files: [&Path; 2],
    language: &LanguageArgs,
    how: &How,
    engine: &EngineArgs,
) -> Result<(), Failure> {
    if files.iter().all(|file| is_stdin(file)) {
        let wrong = finding("IO303", "standard input is named twice, but can be read only once");
        return Err(wrong.help("name a file, or a bundled game, for one of the games").into());
    }
    let mut start = |file: &Path| {
        let loaded = session.load(file, language.from.as_deref(), Severity::Error)?;
        Ok::<_, Failure>(Runner::new(loaded.optimised(engine.level.or(0))?.in_one_form(), engine.options())?)
    };
    let [first, second] = files;
    let (first, second) = (start(first)?, start(second)?);
    let games = [&first, &second];
    let verdict = match how.by {
        Some(criterion) => compare_by(criterion, games, &how.budget)?,
        None => compare(games, &how.budget)?,
    };
    if how.json {
        let line = serde_json::to_string(&verdict).map_err(std::io::Error::from)?;
        writeln!(session.out(), "{line}")?;
    } else {
        write(session, &verdict)?;
    }
    if verdict.equal { Ok(()) } else { session.finish().and(Err(Failure::Shown)) }
}

fn write(session: &mut Session, verdict: &Verdict) -> Result<(), Failure> {
    let out = session.out();
    let how = match verdict.criterion {
        Criterion::Notation => "moves matched by their notation",
        Criterion::Tags => "moves matched by their tags",
        Criterion::Bijection => "moves matched by a renaming",
        Criterion::Shape => "moves matched by the shape of the game tree",
        Criterion::Steps => "moves matched with steps one after the other",
        Criterion::Counts => "statistical, moves not matched",
    };
    if let Some(difference) = &verdict.difference {
        writeln!(out, "different games ({how})")?;
        for (name, play) in [("first", &difference.first), ("second", &difference.second)] {
            let play = if play.is_empty() { "(start)".to_owned() } else { play.join("; ") };
            writeln!(out, "{name:>6}: {play}")?;
        }
        writeln!(out, "{}", difference.what)?;
    } else if verdict.criterion == Criterion::Counts {
        writeln!(out, "no difference in counts ({how})")?;
    } else {
        let extent = if verdict.complete { "completely".to_owned() } else { format!("to depth {}", verdict.depth) };
        writeln!(out, "no difference found ({how})")?;
        writeln!(
            out,
            "compared {extent}: {}; {}",
            counted(verdict.positions, "position"),
            counted(verdict.plays.into(), "playout")
        )?;
        if verdict.undecided > 0 && verdict.criterion == Criterion::Steps {
            let count = counted(verdict.undecided.into(), "position");
            writeln!(out, "{count} left out: words do not say which steps are which move")?;
        } else if verdict.undecided > 0 {
            writeln!(
                out,
                "{} of the random games were abandoned, because several moves look the same",
                verdict.undecided
            )?;
        }
    }
    verdict.statistics.as_ref().map_or(Ok(()), |statistics| write_statistics(out, statistics))
}

fn write_statistics(out: &mut impl Write, statistics: &Statistics) -> Result<(), Failure> {
    let Statistics { plays, mean_plies: [first, second], plies_agree, depth, chi_square, freedom, threshold } =
        statistics;
    let lengths = format!("statistics: playouts of {first:.1} / {second:.1} moves on average");
    if *plies_agree {
        writeln!(out, "{lengths}; equal perft to depth {depth}")?;
    } else {
        writeln!(out, "{lengths}, so their numbers were not compared")?;
    }
    let degrees = if *freedom == 1 { "degree" } else { "degrees" };
    Ok(writeln!(
        out,
        "statistics: scores of {plays} playouts each: chi-square {chi_square:.2} with {freedom} {degrees} of freedom, up to \
         {threshold:.2} is chance"
    )?)
}
