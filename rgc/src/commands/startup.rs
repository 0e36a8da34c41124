//! `rgc bench --startup`: how long it takes from the text of a game to the first move.

use super::bench::{Form, Plan, first_moves};
use crate::input::is_stdin;
use crate::optimize;
use crate::session::{Failure, Session};
use crate::table::{grouped, render};
use kit::Loaded;
use passes::Pipeline;
use rg_ir::Severity;
use serde::Serialize;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Each part is done so often, as long as the time is not over; shown is the median.
const RUNS: usize = 15;

/// Times in milliseconds.
#[derive(Serialize)]
struct Row {
    game: String,
    /// The one that ran.
    engine: &'static str,
    /// Edges as lowered, and optimised.
    edges: [usize; 2],
    /// Reading: parsing, lowering, checking.
    read_ms: f64,
    optimise_ms: f64,
    /// Preparing the engine, to the first legal moves.
    build_ms: f64,
}

pub(super) fn run(session: &mut Session, plan: &Plan<'_>) -> Result<(), Failure> {
    let mut rows = Vec::new();
    let mut failed = false;
    for file in plan.files {
        match measure(session, plan, file) {
            Ok(found) => rows.extend(found),
            Err(Failure::Shown) => failed = true,
            Err(Failure::Finding(error)) => {
                session.show(&[*error]);
                failed = true;
            }
            Err(failure) => return Err(failure),
        }
    }
    if plan.form == Form::Json {
        for row in &rows {
            let line = serde_json::to_string(row).map_err(std::io::Error::from)?;
            writeln!(session.out(), "{line}")?;
        }
    } else if !rows.is_empty() {
        session.out().write_all(table(&rows).as_bytes())?;
    }
    if failed { Err(Failure::Shown) } else { Ok(()) }
}

fn measure(session: &mut Session, plan: &Plan<'_>, file: &std::path::Path) -> Result<Vec<Row>, Failure> {
    let from = plan.language.from.as_deref();
    let start = Instant::now();
    let first = session.load(file, from, Severity::Error)?;
    let once = start.elapsed().as_secs_f64() * 1e3;
    let budget = Duration::from_secs_f64(plan.seconds / 3.0);
    // Standard input can be read only once.
    let again = || session.load(file, from, Severity::Error).map(drop);
    let read_ms = if is_stdin(file) { once } else { median(budget, again)? };
    let level = plan.level.or_fast(plan.ambiguity);
    let pipeline = Pipeline::level(optimize::level_to_play(&first.game, level));
    let optimise_ms = median(budget, || Ok(optimize::run(&mut first.game.clone(), &pipeline).map(drop)?))?;
    let mut game = first.game.clone();
    optimize::run(&mut game, &pipeline)?;
    let edges = [first.game.automaton.edge_count(), game.automaton.edge_count()];
    let loaded = Loaded { game, level, ..first };
    let mut rows = Vec::new();
    for (_, engine) in plan.engines() {
        let options = plan.options(engine);
        let mut ran = "";
        let build_ms = median(budget, || {
            // An improper game is as good as any other here.
            if let Ok(prepared) = loaded.prepared(options) {
                first_moves(&prepared.reasoner);
                ran = prepared.reasoner.running_engine();
            }
            Ok(())
        })?;
        rows.push(Row { game: loaded.name.clone(), engine: ran, edges, read_ms, optimise_ms, build_ms });
    }
    // A game that an engine cannot run is run by another, which is measured anyway.
    let mut seen = Vec::new();
    rows.retain(|row| {
        !seen.contains(&row.engine) && {
            seen.push(row.engine);
            true
        }
    });
    Ok(rows)
}

/// The median time of some work in milliseconds.
fn median(budget: Duration, mut work: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.is_empty() || (times.len() < RUNS && begin.elapsed() < budget) {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times.get(times.len() / 2).copied().unwrap_or(0.0))
}

fn table(rows: &[Row]) -> String {
    let header = ["game", "engine", "edges", "optimised", "read ms", "optimise ms", "build ms", "sum ms"];
    let cells = |row: &Row| {
        let [before, after] = row.edges.map(|count| grouped(count as u64));
        let ms = |time: f64| format!("{time:.2}");
        let sum = row.read_ms + row.optimise_ms + row.build_ms;
        vec![
            row.game.clone(),
            row.engine.to_owned(),
            before,
            after,
            ms(row.read_ms),
            ms(row.optimise_ms),
            ms(row.build_ms),
            ms(sum),
        ]
    };
    render(&header, 2, rows.iter().map(cells).collect())
}
