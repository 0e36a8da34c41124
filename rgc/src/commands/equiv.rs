//! `rgc equiv`.

use crate::cli::{EngineArgs, LanguageArgs};
use crate::equiv::{Budget, Criterion, Verdict, compare};
use crate::runner::Runner;
use crate::session::{Failure, Session};
use rg_ir::Severity;
use std::io::Write as _;
use std::path::Path;

pub(super) fn run(
    session: &mut Session,
    files: [&Path; 2],
    language: &LanguageArgs,
    budget: &Budget,
    json: bool,
    engine: &EngineArgs,
) -> Result<(), Failure> {
    let mut start = |file: &Path| {
        let loaded = session.load(file, language.from.as_deref(), Severity::Error)?;
        Runner::new(loaded.optimised(engine.level.or(0))?, engine.options())
    };
    let [first, second] = files;
    let (first, second) = (start(first)?, start(second)?);
    let verdict = compare(&first, &second, budget)?;
    if json {
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
        Criterion::Shape => "moves matched by what follows them",
    };
    let Some(difference) = &verdict.difference else {
        let extent = if verdict.complete { "completely".to_owned() } else { format!("to depth {}", verdict.depth) };
        writeln!(out, "the same game, as far as was looked ({how})")?;
        writeln!(out, "compared {extent}: {} positions; {} random plays", verdict.positions, verdict.plays)?;
        if verdict.undecided > 0 {
            writeln!(out, "{} of the plays were left, because moves could not be told apart", verdict.undecided)?;
        }
        return Ok(());
    };
    writeln!(out, "different games ({how})")?;
    for (name, play) in [("first", &difference.first), ("second", &difference.second)] {
        let play = if play.is_empty() { "(start)".to_owned() } else { play.join("; ") };
        writeln!(out, "{name:>6}: {play}")?;
    }
    Ok(writeln!(out, "{}", difference.what)?)
}
