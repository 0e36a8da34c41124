//! The report on a game: figures of random plays, sizes, dead rules, and whether it is a proper game.

use super::Failure;
use super::games::{self, Version};
use super::job::{self, Job, Started};
use crate::session::Session;
use audit::{Plan, Report, kind, sections};
use backend::{Engine, Options};
use rg_ir::cancel;
use serde::Deserialize;
use serde_json::json;

/// The level at which the game is optimised that is run for figures.
const LEVEL: u8 = 2;

/// Playouts and positions at most.
const MAX_COUNT: u64 = 1_000_000;

/// A playout is stopped after so many plies.
const MAX_PLIES: u64 = 5_000;

/// The seed of random plays, so that equal games have equal reports.
const SEED: u64 = 0;

/// What is to be looked at.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    #[serde(flatten)]
    about: games::About,
    playouts: u64,
    positions: u64,
    /// Whether it is a proper game.
    proper: bool,
}

/// Makes a report on the last version of a game without errors.
pub(crate) fn start(session: &mut Session, wanted: Wanted) -> Result<Started, Failure> {
    let version = games::good(session, wanted.about)?;
    job::start(session, move |job| report(job, &version, &wanted))
}

fn report(job: &Job, version: &Version, wanted: &Wanted) -> Result<(), Failure> {
    // Reports do not depend on time, as the moment does in which `auto` goes from bytecode to machine code.
    let native = Engine::ALL.iter().find(|(name, _)| *name == "native").map(|(_, engine)| *engine);
    let plan = Plan {
        proper: wanted.proper,
        playouts: wanted.playouts.clamp(1, MAX_COUNT),
        max_plies: MAX_PLIES,
        positions: wanted.positions.clamp(1, MAX_COUNT),
        seed: SEED,
        options: Options { engine: native.unwrap_or(Engine::Auto), ..Options::default() },
        level: LEVEL,
    };
    let mut progress = |text: &str| {
        cancel::check();
        job.report("progress", text);
    };
    let made = Report::new(&version.sources(), version.again()?, &plan, &mut progress);
    let report = made.map_err(|finding| version.failure(*finding))?;
    let findings: Vec<Failure> = report.findings().map(|finding| version.failure(finding.clone())).collect();
    job.report(
        "report",
        json!({
            "kind": kind(&report),
            "sections": sections(&report),
            "findings": findings,
            "wrong": report.wrong(),
            "plays": report.plays(),
        }),
    );
    Ok(())
}
