//! `rgc stats`.

use crate::cli::{GameArgs, LevelArgs};
use crate::runner::Runner;
use crate::session::{Failure, Session};
use crate::table::{grouped, render};
use backend::Options;
use passes::Size;
use rg_ir::Severity;
use serde::Serialize;
use std::io::Write as _;

/// Sizes of a game.
#[derive(Serialize)]
struct Stats {
    nodes: u64,
    edges: u64,
    constants: u64,
    variables: u64,
    /// Of them those that carry nothing from one move to the next.
    move_local: u64,
    cells: u64,
    state_bits: u64,
    /// What the front end tells about the translation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    translation: Vec<String>,
    #[serde(flatten)]
    reasoner: Option<Lifting>,
}

/// What the reasoner makes of a game.
#[derive(Serialize)]
struct Lifting {
    /// The engine that runs it.
    engine: &'static str,
    state_bytes: usize,
    /// A line for every decision.
    #[serde(rename = "reasoner")]
    lines: Vec<String>,
}

pub(super) fn run(
    session: &mut Session,
    game: &GameArgs,
    level: LevelArgs,
    lifting: bool,
    json: bool,
) -> Result<(), Failure> {
    let loaded = session.load(&game.file, game.language.from.as_deref(), Severity::Error)?;
    let fast = Options::default();
    let loaded = loaded.optimised(if lifting { level.or_fast(fast.ambiguity) } else { level.or(0) })?;
    let runner = Runner::new(loaded, fast)?;
    let (loaded, reasoner) = (&runner.loaded, &runner.reasoner);
    let stats = Stats {
        nodes: loaded.game.automaton.node_count() as u64,
        edges: loaded.game.automaton.edge_count() as u64,
        constants: loaded.game.consts.len() as u64,
        variables: loaded.game.vars.len() as u64,
        move_local: passes::analysis::move_local(&loaded.game).count_ones(..) as u64,
        cells: Size::of(&loaded.game).cells,
        state_bits: reasoner.state_bytes() as u64 * 8,
        translation: loaded.notation.figures(),
        reasoner: lifting.then(|| Lifting {
            engine: reasoner.engine_name(),
            state_bytes: reasoner.state_bytes(),
            lines: reasoner.report(),
        }),
    };
    if json {
        let line = serde_json::to_string(&stats).map_err(std::io::Error::from)?;
        return Ok(writeln!(session.out(), "{line}")?);
    }
    let rows = [
        ("nodes", stats.nodes),
        ("edges", stats.edges),
        ("constants", stats.constants),
        ("variables", stats.variables),
        ("move-local variables", stats.move_local),
        ("cells", stats.cells),
        ("state bits", stats.state_bits),
    ];
    let rows = rows.iter().map(|(name, count)| vec![(*name).to_owned(), grouped(*count)]).collect();
    session.out().write_all(render(&[&loaded.name, loaded.language.name], 1, rows).as_bytes())?;
    for (number, line) in stats.translation.iter().enumerate() {
        writeln!(session.out(), "{}{line}", if number == 0 { "\n" } else { "" })?;
    }
    let Some(lifting) = &stats.reasoner else { return Ok(()) };
    writeln!(session.out(), "\nengine {}, {} bytes a state", lifting.engine, lifting.state_bytes)?;
    for line in &lifting.lines {
        writeln!(session.out(), "{line}")?;
    }
    Ok(())
}
