//! `rgc perft`.

use crate::cli::{EngineArgs, GameArgs, StartArgs};
use crate::joint::{Steps, count_each};
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::table::{counted, grouped, rate};
use backend::{Moves, State, Turn};
use rg_ir::Diagnostic;
use serde::Serialize;
use std::io::Write as _;
use std::time::Instant;

#[derive(Serialize)]
struct Row<'a> {
    depth: u32,
    leaves: u64,
    seconds: f64,
    engine: &'a str,
    /// What machine code took to compile before.
    #[serde(skip_serializing_if = "Option::is_none")]
    prepare_seconds: Option<f64>,
}

#[derive(Serialize)]
struct Share<'a> {
    depth: u32,
    #[serde(rename = "move")]
    first: &'a str,
    /// The shortest form, where moves are not joint moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<&'a str>,
    leaves: u64,
}

/// What counts as one move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// A label of a player or of chance.
    Label,
    /// A position that moves lead to.
    Position,
    /// A joint move of all roles.
    Joint,
}

/// What is counted, and how it is shown.
pub(super) struct How {
    /// Where counting begins.
    pub(super) start: StartArgs,
    /// The numbers that have to come out for the depths from 1; as many as are known.
    pub(super) expect: Vec<u64>,
    /// Greatest length.
    pub(super) depth: u32,
    /// The number for every first move.
    pub(super) divide: bool,
    /// What one move is.
    pub(super) unit: Unit,
    /// JSON lines.
    pub(super) json: bool,
}

pub(super) fn run(session: &mut Session, game: &GameArgs, how: &How, engine: &EngineArgs) -> Result<(), Failure> {
    let &How { depth, divide, unit, json, ref start, ref expect } = how;
    if expect.len() > depth as usize {
        let message = format!(
            "{} are expected, but depth {depth} counts only {depth} of them",
            counted(expect.len() as u64, "number")
        );
        return Err(finding("IO362", message).help(format!("count to depth {}", expect.len())).into());
    }
    // Positions are those of the game as it is written: passes and engines may make one of two that play cannot tell apart.
    let runner = match unit {
        Unit::Position => session.runner_to_draw(game, start, engine, 0)?,
        Unit::Label | Unit::Joint => session.runner_to_count(game, start, engine)?,
    };
    let (state, _) = session.play(&runner, &start.play)?;
    let steps = if unit == Unit::Joint { Some(Steps::of(&runner)?) } else { None };
    if divide {
        divided(session, &runner, &state, how)?;
        session.show(&runner.findings());
        return Ok(());
    }
    if !json {
        writeln!(session.out(), "{:>5}  {:>20}  {:>10}  {:>14}", "depth", "leaves", "seconds", "nodes/s")?;
    }
    let prepare_seconds = prepared(&runner, &state, depth);
    let mut nodes = 1;
    for depth in depth.min(1)..=depth {
        session.progress(&format!("depth {depth}"));
        let start = Instant::now();
        let leaves = match &steps {
            Some(steps) => steps.perft(&state, depth),
            None => count(&runner, &state, unit, depth),
        };
        let seconds = start.elapsed().as_secs_f64();
        session.progress("");
        let leaves = leaves.map_err(|error| runner.failure(&error))?;
        nodes = if depth == 0 { 1 } else { leaves.saturating_add(nodes) };
        let row = Row { depth, leaves, seconds, engine: runner.reasoner.running_engine(), prepare_seconds };
        write_row(session, &row, nodes, json)?;
        let expected = (depth as usize).checked_sub(1).and_then(|at| expect.get(at)).copied();
        if let Some(expected) = expected.filter(|&expected| expected != leaves) {
            return Err(unexpected(depth, expected, leaves).into());
        }
        // Deeper rows may take long: what is known is shown at once.
        session.out().flush()?;
        // No play is longer than the longest.
        if leaves == 0 {
            break;
        }
    }
    if let (Some(seconds), false) = (prepare_seconds, json) {
        writeln!(session.out(), "machine code was compiled in {seconds:.3} s, which is not counted above")?;
    }
    if let Some(text) = unchecked(depth, expect.len()).filter(|_| !json) {
        writeln!(session.out(), "{text}")?;
    }
    session.show(&runner.findings());
    Ok(())
}

/// Which depths were counted without a number to expect, if there are numbers for others.
fn unchecked(depth: u32, expected: usize) -> Option<String> {
    let first = u32::try_from(expected).ok()?.checked_add(1).filter(|&first| expected > 0 && first <= depth)?;
    let depths = if first == depth { format!("depth {depth}") } else { format!("depths {first} to {depth}") };
    Some(format!("no number is expected for {depths}"))
}

/// Plies after which all machine code of perft has been called.
const FIRST_PLIES: u32 = 2;

/// Counts the first plies where the engine is machine code, which is compiled when it is first called, and returns the seconds
/// that takes. `auto` counts with bytecode meanwhile.
fn prepared(runner: &Runner, state: &State, depth: u32) -> Option<f64> {
    if runner.reasoner.engine_name() != "native" {
        return None;
    }
    let start = Instant::now();
    // What goes wrong goes wrong again where it is reported.
    let _ = runner.reasoner.perft(state, depth.min(FIRST_PLIES));
    runner.reasoner.settle();
    Some(start.elapsed().as_secs_f64())
}

/// That another number was counted than was expected.
fn unexpected(depth: u32, expected: u64, found: u64) -> Diagnostic {
    let message = format!("counted {} leaves at depth {depth}, expected {}", grouped(found), grouped(expected));
    finding("IO362", message).help("`--divide` shows with which first moves they begin")
}

/// Perft of a depth in moves, not joint moves.
fn count(runner: &Runner, state: &State, unit: Unit, depth: u32) -> Result<u64, backend::Error> {
    match unit {
        Unit::Position => runner.reasoner.perft_unique(state, depth),
        Unit::Label | Unit::Joint => match runner.reasoner.perft(state, depth) {
            Err(error) if runner.forgives(&error) => count_each(runner, state, depth),
            counted => counted,
        },
    }
}

/// One row. `nodes` is the number of move sequences of every length up to the depth: the states that a search visits.
fn write_row(session: &mut Session, row: &Row<'_>, nodes: u64, json: bool) -> Result<(), Failure> {
    if json {
        let line = serde_json::to_string(row).map_err(std::io::Error::from)?;
        return Ok(writeln!(session.out(), "{line}")?);
    }
    let speed = grouped(rate(nodes as f64, row.seconds) as u64);
    let leaves = grouped(row.leaves);
    Ok(writeln!(session.out(), "{:>5}  {leaves:>20}  {:>10.3}  {speed:>14}", row.depth, row.seconds)?)
}

/// The number for every first move, and the number of all.
fn divided(session: &mut Session, runner: &Runner, state: &State, how: &How) -> Result<(), Failure> {
    let &How { depth, unit, .. } = how;
    let start = Instant::now();
    if unit == Unit::Joint && depth > 0 {
        let shares = Steps::of(runner)?.divide(state, depth).map_err(|error| runner.failure(&error))?;
        let width = shares.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0).max("total".len());
        for (first, leaves) in &shares {
            write_share(session, &Share { depth, first, short: None, leaves: *leaves }, width, how)?;
        }
        let sum = shares.iter().fold(0_u64, |sum, (_, leaves)| sum.saturating_add(*leaves));
        return write_sum(session, runner, sum, start, width, how);
    }
    let mut moves = Moves::new();
    if depth > 0 {
        runner.reasoner.legal_moves(state, &mut moves).map_err(|error| runner.failure(&error))?;
    }
    let (listed, full) = (runner.short_listed(&moves), runner.texts(&moves));
    let width = listed.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0).max("total".len());
    let mut sum = 0u64;
    for (first, index) in &listed {
        let play = || vec![runner.reasoner.move_text(&moves, *index)];
        let mut next = state.clone();
        if let Err(error) = runner.reasoner.apply(&mut next, &moves, *index) {
            return Err(runner.failure_after(error, play()).into());
        }
        let leaves = count(runner, &next, unit, depth - 1);
        let leaves = leaves.map_err(|error| {
            let play = play().into_iter().chain(error.play.iter().cloned()).collect();
            runner.failure_after(error, play)
        })?;
        sum = sum.saturating_add(leaves);
        let full = full.get(*index).map_or("", String::as_str);
        write_share(session, &Share { depth, first: full, short: Some(first), leaves }, width, how)?;
    }
    // Moves of chance that lead to the same state count once; with `--unique`, all that lead to the same position do, also later.
    if depth == 0 || unit == Unit::Position || runner.reasoner.turn(state) == Turn::Random {
        sum = count(runner, state, unit, depth).map_err(|error| runner.failure(&error))?;
    }
    write_sum(session, runner, sum, start, width, how)
}

/// The number for one first move.
fn write_share(session: &mut Session, share: &Share<'_>, width: usize, how: &How) -> Result<(), Failure> {
    if how.json {
        let line = serde_json::to_string(share).map_err(std::io::Error::from)?;
        return Ok(writeln!(session.out(), "{line}")?);
    }
    let first = share.short.unwrap_or(share.first);
    Ok(writeln!(session.out(), "{first:width$}  {:>20}", grouped(share.leaves))?)
}

/// The number of all.
fn write_sum(
    session: &mut Session,
    runner: &Runner,
    leaves: u64,
    start: Instant,
    width: usize,
    how: &How,
) -> Result<(), Failure> {
    if how.json {
        let seconds = start.elapsed().as_secs_f64();
        let engine = runner.reasoner.running_engine();
        let row = Row { depth: how.depth, leaves, seconds, engine, prepare_seconds: None };
        return write_row(session, &row, 0, true);
    }
    Ok(writeln!(session.out(), "{:width$}  {:>20}", "total", grouped(leaves))?)
}
