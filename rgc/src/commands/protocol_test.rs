//! `rgc protocol-test`.

use crate::cli::ProtocolTestArgs;
use crate::interrupt;
use crate::session::{Failure, PREPARING, Session, finding};
use backend::Options;
use kit::bot::conformance::{Check, Plan, Stop, Verdict, later};
use kit::runner::Runner;
use kit::{input, record};
use rg_ir::diag::Severity;
use serde::Serialize;
use std::io::Write as _;
use std::path::Path;

#[derive(Serialize)]
struct Row<'a> {
    rule: &'a str,
    verdict: &'a str,
    detail: &'a str,
}

/// Checks the program, and says so of each rule as soon as it is known.
pub(super) fn run(session: &mut Session, args: &ProtocolTestArgs) -> Result<(), Failure> {
    session.progress(PREPARING);
    let runners = args.game.iter().map(|file| runner(session, file)).collect::<Result<Vec<Runner>, Failure>>()?;
    let elsewhere = match (args.game.first(), runners.first()) {
        (Some(file), Some(first)) => elsewhere(session, file, first, args.seed)?,
        _ => None,
    };
    session.progress("");
    let plan = Plan {
        bot: &args.command,
        games: &runners,
        elsewhere: elsewhere.as_ref(),
        seed: args.seed,
        stop: interrupt::requests(),
    };
    let (mut checks, mut broken, mut written) = (0, 0, Ok(()));
    let run = plan.run(&mut |check| {
        checks += 1;
        broken += usize::from(matches!(check.verdict, Verdict::Broken(_)));
        if written.is_ok() {
            written = write(session, &check, args.json);
        }
    });
    written?;
    match run {
        Ok(()) => {}
        Err(Stop::Asked) => return Err(Failure::Interrupted),
        Err(Stop::Rules(error)) => {
            let message = format!("the rules of a game fail, at node `{}`: {}", error.node, error.message);
            return Err(finding("IO399", message).help("name games that can be played with `--game`").into());
        }
    }
    match broken {
        0 => Ok(()),
        _ => {
            let message = format!("the program breaks the protocol: {broken} of {checks} checks failed");
            Err(finding("IO401", message).help("docs/playing.md describes the protocol").into())
        }
    }
}

fn write(session: &mut Session, check: &Check, json: bool) -> Result<(), Failure> {
    let (verdict, detail) = match &check.verdict {
        Verdict::Kept(detail) => ("ok", detail),
        Verdict::Broken(detail) => ("FAILED", detail),
        Verdict::Advice(detail) => ("advice", detail),
    };
    let rule = input::escaped(&check.rule);
    let out = session.out();
    match json {
        true => {
            let verdict = verdict.to_ascii_lowercase();
            let row = Row { rule: &check.rule, verdict: &verdict, detail };
            out.write_all(record::line(&row)?.as_bytes())?;
        }
        false => writeln!(out, "{verdict:<7} {rule}: {}", input::escaped(detail))?,
    }
    Ok(out.flush()?)
}

/// A game as it is written, in an engine that keeps all values.
fn runner(session: &mut Session, file: &Path) -> Result<Runner, Failure> {
    let loaded = session.load(file, None, Severity::Error)?;
    Ok(Runner::new(loaded, Options { keep_dead: true, ..Options::default() })?)
}

/// The same game from a later position, if it has one.
fn elsewhere(session: &mut Session, file: &Path, game: &Runner, seed: u64) -> Result<Option<Runner>, Failure> {
    let Some(position) = later(game, seed).map_err(|error| game.failure(&error))? else { return Ok(None) };
    let loaded = session.load(file, None, Severity::Error)?;
    let started = loaded.start_at(&position, "a later position").map_err(|misfit| misfit.finding)?;
    Ok(Some(Runner::new(started, Options::default())?))
}
