//! Everything that is tested about one sheet.

use crate::oracle::{Row, known_depth};
use crate::play::{Compared, Extent, Player, SLOW};
use backend::Limits as EngineLimits;
use gdl::Limits;
use rg_ir::SourceId;
use std::path::Path;
use std::time::{Duration, Instant};

/// How much work to do. All but the time limit of grounding counts work, so that results do not depend on the machine.
pub(crate) struct Budget {
    /// What grounding may use.
    limits: Limits,
    /// Whether it is wrong to exceed that.
    complete: bool,
    /// Games with more edges are translated, but not played.
    edges: usize,
    /// Perft rows with at most this many sequences are verified.
    leaves: u64,
    /// Steps of a playout times edges of the automaton: playouts stop when this is exceeded.
    work: u64,
}

impl Budget {
    /// The subset for every `cargo test`.
    pub(crate) const FAST: Budget = Budget {
        limits: Limits { atoms: 30_000, conditions: 200_000, time: Duration::from_secs(5), depth: 64 },
        complete: false,
        edges: 1_500,
        leaves: 1_000,
        work: 30_000,
    };
    /// Everything.
    pub(crate) const FULL: Budget = Budget {
        limits: Limits { atoms: 12_000_000, conditions: 80_000_000, time: Duration::from_secs(50), depth: 64 },
        complete: true,
        edges: usize::MAX,
        leaves: 50_000,
        work: 100_000_000,
    };
}

/// What came out.
pub(crate) enum Verdict {
    /// It agrees with the oracle, as far as it was compared.
    Agrees,
    /// It translates, and the oracle does not know it, or it was not played.
    Translates,
    /// It is refused with an error of that code.
    Refused(&'static str),
    /// Grounding exceeds the small limits of the fast subset.
    Skipped,
    /// It translates, and the engine takes too long for a comparison.
    Slow,
    /// What is wrong.
    Wrong(String),
}

/// A line of the ledger.
pub(crate) struct Report {
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    /// Time to translate.
    pub(crate) seconds: f64,
    nodes: usize,
    edges: usize,
    bits: usize,
    /// Whether steps are single plies.
    turns: bool,
    /// Depth to which the oracle knows perft.
    known: u32,
    /// What was compared, as far as the budget allowed.
    compared: Compared,
}

impl Report {
    /// The line without the time, which depends on the machine.
    pub(crate) fn key(&self) -> String {
        let Report { name, nodes, edges, bits, known, compared: Compared { depth, playouts }, .. } = self;
        let kind = match self.verdict {
            Verdict::Refused(_) | Verdict::Skipped => "-",
            _ if self.turns => "turns",
            _ => "joint",
        };
        let verdict = match &self.verdict {
            Verdict::Agrees => "agrees".to_owned(),
            Verdict::Translates => "translates".to_owned(),
            Verdict::Refused(code) => format!("refused {code}"),
            Verdict::Skipped => "skipped".to_owned(),
            Verdict::Slow => "slow".to_owned(),
            Verdict::Wrong(_) => "WRONG".to_owned(),
        };
        format!("{name:<44} {kind:<5} {nodes:>7} {edges:>7} {bits:>6} {depth}/{known} {playouts} {verdict}")
    }

    /// The line of the ledger.
    pub(crate) fn line(&self) -> String {
        format!("{:>6.2} {}", self.seconds, self.key())
    }
}

/// Choices after which a search for moves is given up.
const MAX_STEPS: u64 = 100_000_000;

/// Examines a sheet.
pub(crate) fn examine(name: &str, path: &Path, row: Option<&Row>, budget: &Budget) -> Report {
    let mut report = Report {
        name: name.to_owned(),
        verdict: Verdict::Translates,
        seconds: 0.0,
        nodes: 0,
        edges: 0,
        bits: 0,
        turns: false,
        known: row.map_or(0, known_depth),
        compared: Compared::default(),
    };
    let wrong = |problem: String| if problem.ends_with(SLOW) { Verdict::Slow } else { Verdict::Wrong(problem) };
    report.verdict = try_examine(path, row, budget, &mut report).unwrap_or_else(wrong);
    report
}

fn try_examine(path: &Path, row: Option<&Row>, budget: &Budget, report: &mut Report) -> Result<Verdict, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let (lowered, findings) = gdl::load(SourceId(0), &text, budget.limits);
    report.seconds = start.elapsed().as_secs_f64();
    let Some(lowered) = lowered else {
        let error = findings.iter().find(|finding| finding.is_error()).ok_or("refused without an error")?;
        let small = error.code == gdl::codes::T2_GROUNDING && !budget.complete;
        return Ok(if small { Verdict::Skipped } else { Verdict::Refused(error.code) });
    };
    // Whether the ground form would have been taken, the small limits do not tell: it is looked for with at least two conditions for an edge
    // that a step of the lifted game looks at.
    if !budget.complete && lowered.work.is_some_and(|work| 2.0 * work > budget.limits.conditions as f64) {
        return Ok(Verdict::Skipped);
    }
    report.nodes = lowered.game.automaton.node_count();
    report.edges = lowered.game.automaton.edge_count();
    let wrong: Vec<String> =
        rg_ir::check(&lowered.game).into_iter().filter(|f| f.is_error()).map(|f| f.message).collect();
    if !wrong.is_empty() {
        return Err(format!("the translation has errors: {wrong:?}"));
    }
    report.turns = lowered.vocabulary.turn_based;
    let limits = EngineLimits { steps: MAX_STEPS, ..EngineLimits::default() };
    let player = Player::with_limits(lowered, limits)?;
    report.bits = player.reasoner.state_bytes() * 8;
    let Some(row) = row.filter(|_| report.edges <= budget.edges) else { return Ok(Verdict::Translates) };
    let steps = budget.work / report.edges.max(1) as u64;
    player.agree(row, Extent { steps, leaves: budget.leaves, until: None }, &mut report.compared)?;
    Ok(Verdict::Agrees)
}
