//! Everything that is tested about one game.

use crate::corpus::{CorpusGame, Playouts};
use backend::{Ambiguity, Engine, ErrorKind, Moves, Options, PlayoutStats, Reasoner, Rng};
use rg_ir::{Diagnostic, Game, Severity, SourceId, SourceMap};
use rgc::Loaded;
use std::time::Instant;

/// How much work to do.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    /// Perft rows with at most this many leaves are verified.
    leaves: u64,
    /// So are rows up to this depth, whatever they take, by one engine.
    depth: u32,
    /// Number of playouts.
    plays: u64,
    /// Playouts stop when this many legal moves were generated.
    moves: u64,
    /// But games that can be compared are played out at least this often.
    min_plays: u64,
    /// Games with more edges are not optimised and lifted.
    lifted_edges: usize,
    /// Whether JSON is tested, too.
    json: bool,
}

impl Budget {
    /// The subset for every `cargo test`.
    pub(crate) const FAST: Budget =
        Budget { leaves: 20_000, depth: 0, plays: 50, moves: 30_000, min_plays: 0, lifted_edges: 2_000, json: false };
    /// Everything.
    pub(crate) const FULL: Budget = Budget {
        leaves: 5_000_000,
        depth: 2,
        plays: 4_000,
        moves: 4_000_000,
        min_plays: MIN_PLAYS,
        lifted_edges: usize::MAX,
        json: true,
    };
}

/// What came out.
pub(crate) struct Report {
    pub(crate) language: &'static str,
    pub(crate) name: String,
    pub(crate) problems: Vec<String>,
    pub(crate) seconds: f64,
    /// Warnings of the checks.
    warnings: usize,
    nodes: usize,
    edges: usize,
    /// Depth to which perft was verified, and to which the oracle knows it.
    pub(crate) perft: (u32, u32),
    plays: u64,
    /// Whether the playouts were compared with the oracle's.
    compared: bool,
    /// The line of the ledger of effort, for games that engines which lift were tried on.
    pub(crate) effort: Option<String>,
}

impl Report {
    fn new(game: &CorpusGame) -> Self {
        let known = game.perft.last().map_or(0, |&(depth, _)| depth);
        Self {
            language: game.language,
            name: game.name.clone(),
            problems: Vec::new(),
            seconds: 0.0,
            warnings: 0,
            nodes: 0,
            edges: 0,
            perft: (0, known),
            plays: 0,
            compared: false,
            effort: None,
        }
    }

    pub(crate) fn title(&self) -> String {
        format!("{}/{}", self.language, self.name)
    }

    /// Sorts reports.
    pub(crate) fn key(&self) -> (&str, &str) {
        (self.language, &self.name)
    }

    /// The part of the ledger's line that does not depend on the budget.
    pub(crate) fn sizes(&self) -> String {
        format!("{:<8} {:<30} {:>2} {:>6} {:>6}", self.language, self.name, self.warnings, self.nodes, self.edges)
    }

    /// The line of the ledger.
    pub(crate) fn line(&self) -> String {
        let perft = format!("{}/{}", self.perft.0, self.perft.1);
        let state = if self.problems.is_empty() { "ok" } else { "FAILED" };
        let compared = if self.compared { "=" } else { " " };
        format!("{} {perft:>6} {:>6}{compared} {state}", self.sizes(), self.plays)
    }
}

/// Examines a game.
pub(crate) fn examine(game: &CorpusGame, budget: &Budget) -> Report {
    let start = Instant::now();
    let mut report = Report::new(game);
    if let Err(problem) = try_examine(game, budget, &mut report) {
        report.problems.push(problem);
    }
    report.seconds = start.elapsed().as_secs_f64();
    report
}

fn try_examine(game: &CorpusGame, budget: &Budget, report: &mut Report) -> Result<(), String> {
    let mut sources = SourceMap::default();
    let (loaded, findings) = rgc::load(&mut sources, &game.path, None);
    report.warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
    let loaded = loaded.ok_or_else(|| describe("does not load", &findings))?;
    report.nodes = loaded.game.automaton.node_count();
    report.edges = loaded.game.automaton.edge_count();
    let text = &sources.get(loaded.source).ok_or("no text")?.text;
    if game.language.starts_with("rbg") {
        round_trip_rbg(loaded.source, text, &loaded.game)?;
    }
    if game.language == "sbg" {
        round_trip_sbg(loaded.source, text, &loaded.game)?;
    }
    round_trip_rg(&loaded.game, budget.json)?;
    if let Some(format) = loaded.language.format {
        let formatted = format(loaded.source, text).map_err(|findings| describe("does not format", &findings))?;
        let again = format(loaded.source, &formatted).map_err(|findings| describe("formatted, does not", &findings))?;
        if again != formatted {
            return Err("formatting a second time changes it again".into());
        }
    }
    let mut reasoner = Reasoner::new(&loaded.game, Engine::Auto).map_err(|error| error.to_string())?;
    if let Some(depth) = game.ambiguous {
        ambiguous(game, budget, &reasoner, depth)?;
        let options = Options { ambiguity: Ambiguity::Split, ..Options::default() };
        reasoner = Reasoner::with_options(&loaded.game, options).map_err(|error| error.to_string())?;
    }
    // The native engine counts what takes long.
    let lifts = game.ambiguous.is_none() && loaded.game.automaton.edge_count() <= budget.lifted_edges;
    let depth = if lifts { 0 } else { budget.depth };
    perft(game, &Budget { depth, ..*budget }, &reasoner, report)?;
    playouts(game, budget, &reasoner, report)?;
    if !lifts {
        return Ok(());
    }
    let optimised = loaded.optimised(2).map_err(|_| "it is not optimised")?;
    let effort = lifted(game, budget, &optimised, report)?;
    report.effort = Some(effort).filter(|effort| !effort.is_empty() && report.edges <= MEASURED_EDGES);
    Ok(())
}

/// Most legal moves in the first positions of games that are played by the engines that lift, and how many these are.
const MAX_MOVES: u64 = 15_000;
const FIRST_POSITIONS: usize = 34;

/// Whether the first positions of a game have few enough legal moves to play it: those of connect6, and of arimaa when all pieces
/// are placed, have tens of thousands, and their perft rows have to do.
fn playable(reasoner: &Reasoner) -> Result<bool, backend::Error> {
    let (mut state, mut moves) = (reasoner.initial()?, Moves::default());
    for _ in 0..FIRST_POSITIONS {
        if reasoner.perft(&state, 1)? > MAX_MOVES {
            return Ok(false);
        }
        reasoner.legal_moves(&state, &mut moves)?;
        if moves.is_empty() {
            break;
        }
        reasoner.apply(&mut state, &moves, 0)?;
    }
    Ok(true)
}

/// The engines that lift, on the optimised game, in the form that is faster if there are several: perft is the oracle's, and equal seeds give
/// equal playouts.
fn lifted(game: &CorpusGame, budget: &Budget, optimised: &Loaded, report: &mut Report) -> Result<String, String> {
    let mut effort = String::new();
    let mut sums: Vec<(&str, PlayoutStats)> = Vec::new();
    for (name, engine) in Engine::ALL.iter().filter(|(name, _)| ["auto", "interpreter", "native"].contains(name)) {
        let wrong = |what: &str| format!("{name}, optimised: {what}");
        let options = Options { engine: *engine, ..Options::default() };
        let reasoner = optimised.prepared(options).map_err(|error| wrong(&error.to_string()))?.reasoner;
        let native = *name == "native";
        // Games that no engine lifts are played by backtracking, which has counted the rows within the budget before.
        let leaves = if reasoner.decisions().0 > 0 { budget.leaves } else { budget.leaves / 10 };
        let depth = if native { budget.depth } else { budget.depth.min(1) };
        let mut verified = Report::new(game);
        perft(game, &Budget { depth, leaves, ..*budget }, &reasoner, &mut verified).map_err(|error| wrong(&error))?;
        report.perft.0 = report.perft.0.max(verified.perft.0);
        let (mut rng, mut stats) = (Rng::new(2026), PlayoutStats::default());
        let playable = playable(&reasoner).map_err(|error| wrong(&error.to_string()))?;
        while playable && stats.plays < budget.plays && stats.moves < budget.moves / 10 {
            reasoner.playout(&mut rng, &mut stats).map_err(|error| wrong(&error.to_string()))?;
        }
        sums.push((name, stats));
        if *name == "interpreter" && playable {
            effort = measured(game, &reasoner).map_err(|error| wrong(&error))?;
        }
    }
    match sums.windows(2).find(|pair| pair[0].1 != pair[1].1) {
        None => Ok(effort),
        Some(pair) => Err(format!("playouts with equal seeds differ: {pair:?}")),
    }
}

/// Effort is measured for games with at most so many edges: in every run, whatever its budget.
const MEASURED_EDGES: usize = 2_000;
/// Plies over which effort is measured.
const MEASURED_PLIES: u64 = 400;

/// What playing at random takes in bytecode; the figures are the same on every machine.
fn measured(game: &CorpusGame, reasoner: &Reasoner) -> Result<String, String> {
    let effort = reasoner.effort(MEASURED_PLIES, &mut Rng::new(5)).map_err(|error| error.to_string())?;
    let (made, all) = reasoner.decisions();
    let decisions = if all == 0 { "–".to_owned() } else { format!("{made}/{all}") };
    let per_ply = match effort.plies {
        0 => "–".to_owned(),
        plies => (effort.instructions / plies).to_string(),
    };
    let (language, name, bytes) = (game.language, &game.name, reasoner.state_bytes());
    Ok(format!("{language:<8} {name:<30} {decisions:>7} {bytes:>6} {per_ply:>8} {:>6}", effort.side_exits))
}

fn describe(what: &str, findings: &[Diagnostic]) -> String {
    let errors = findings.iter().filter(|finding| finding.is_error());
    let messages: Vec<String> = errors.take(3).map(|error| format!("[{}] {}", error.code, error.message)).collect();
    format!("{what}: {}", messages.join("; "))
}

/// Low-level RBG: the print parses, prints the same again, and lowers to a game of the same size.
fn round_trip_rbg(source: SourceId, text: &str, game: &Game) -> Result<(), String> {
    let (description, findings) = rbg::parse(source, text);
    let printed = rbg::print(&description.ok_or_else(|| describe("does not parse", &findings))?);
    let (again, findings) = rbg::parse(source, &printed);
    let again = again.ok_or_else(|| describe("its low-level print does not parse", &findings))?;
    if rbg::print(&again) != printed {
        return Err("the low-level print changes when it is read and printed again".into());
    }
    let (lowered, findings) = rbg::load(source, &printed);
    let lowered = lowered.ok_or_else(|| describe("its low-level print does not lower", &findings))?.game;
    let sizes = |game: &Game| (game.automaton.node_count(), game.automaton.edge_count());
    if sizes(&lowered) != sizes(game) {
        return Err(format!("its low-level print lowers to a game of sizes {:?}", sizes(&lowered)));
    }
    Ok(())
}

/// SBG: the canonical print parses, prints the same again, and lowers to the same game.
fn round_trip_sbg(source: SourceId, text: &str, game: &Game) -> Result<(), String> {
    let (description, findings) = sbg::parse(source, text);
    let printed = sbg::print(&description.ok_or_else(|| describe("does not parse", &findings))?);
    let (again, findings) = sbg::parse(source, &printed);
    let again = again.ok_or_else(|| describe("its print does not parse", &findings))?;
    if sbg::print(&again) != printed {
        return Err("the print changes when it is read and printed again".into());
    }
    let lowered = sbg::lower(&again).map_err(|findings| describe("its print does not lower", &findings))?;
    if lowered.game != *game { Err("its print lowers to another game".into()) } else { Ok(()) }
}

/// RG: text and JSON give the game back, and it checks clean.
fn round_trip_rg(game: &Game, json: bool) -> Result<(), String> {
    let source = SourceId(0);
    let printed = rg_ir::text::print(game);
    let (again, findings) = rg_ir::text::parse(source, &printed);
    let again = again.ok_or_else(|| describe("its RG text does not parse", &findings))?;
    if again != *game {
        return Err("its RG text parses to another game".into());
    }
    if rg_ir::text::print(&again) != printed {
        return Err("its RG text changes when it is read and printed again".into());
    }
    let findings = rg_ir::check::check(&again);
    if findings.iter().any(Diagnostic::is_error) {
        return Err(describe("its RG text does not check", &findings));
    }
    if json {
        let document = rg_ir::json::to_json(game);
        let again = rg_ir::json::from_json(source, &document);
        if again.map_err(|findings| describe("its JSON does not load", &findings))? != *game {
            return Err("its JSON gives another game".into());
        }
    }
    Ok(())
}

/// An ambiguous game: its perft is the oracle's up to some depth, and an error from there on.
fn ambiguous(game: &CorpusGame, budget: &Budget, reasoner: &Reasoner, from: u32) -> Result<(), String> {
    let initial = reasoner.initial().map_err(|error| error.to_string())?;
    for &(depth, wanted) in game.perft.iter().filter(|(_, leaves)| *leaves <= budget.leaves) {
        match reasoner.perft(&initial, depth) {
            Ok(leaves) if leaves == wanted && depth < from => {}
            Err(error) if error.kind == ErrorKind::Ambiguous && depth >= from => {}
            other => return Err(format!("perft({depth}) is {other:?}, and should be ambiguous from {from} on")),
        }
    }
    Ok(())
}

fn perft(game: &CorpusGame, budget: &Budget, reasoner: &Reasoner, report: &mut Report) -> Result<(), String> {
    let initial = reasoner.initial().map_err(|error| error.to_string())?;
    for &(depth, wanted) in &game.perft {
        if wanted > budget.leaves && depth > budget.depth {
            break;
        }
        let leaves = reasoner.perft(&initial, depth).map_err(|error| error.to_string())?;
        if leaves != wanted {
            return Err(format!("perft({depth}) is {leaves}, the oracle says {wanted}"));
        }
        report.perft.0 = depth;
    }
    Ok(())
}

/// Samples of fewer plays are too small to say anything about means.
const MIN_PLAYS: u64 = 30;

/// Random playouts: they come to an end, and if the oracle knows their statistics, those agree. Games of which the oracle
/// finished few plays only are left out: single plays of theirs take minutes.
fn playouts(game: &CorpusGame, budget: &Budget, reasoner: &Reasoner, report: &mut Report) -> Result<(), String> {
    let (plays, min_plays) = match &game.playouts {
        Some(oracle) if oracle.plays < MIN_PLAYS as f64 => return Ok(()),
        Some(_) => (budget.plays, budget.min_plays),
        None => (Budget::FAST.plays, 0),
    };
    let mut rng = Rng::new(2026);
    let mut stats = PlayoutStats::default();
    while stats.plays < plays && (stats.moves < budget.moves || stats.plays < min_plays) {
        reasoner.playout(&mut rng, &mut stats).map_err(|error| error.to_string())?;
    }
    report.plays = stats.plays;
    match &game.playouts {
        Some(oracle) if stats.plays >= MIN_PLAYS => {
            report.compared = true;
            compare(&stats, reasoner.score_names(), oracle)
        }
        _ => Ok(()),
    }
}

fn compare(stats: &PlayoutStats, names: &[String], oracle: &Playouts) -> Result<(), String> {
    let plays = stats.plays as f64;
    let plies = Sample { sum: stats.plies as f64, squares: stats.plies_squared as f64, count: plays };
    plies.compare("plies", oracle.mean_plies, oracle.plays)?;
    if stats.scores.len() != oracle.mean_scores.len() {
        return Err(format!("{} players, the oracle has {}", stats.scores.len(), oracle.mean_scores.len()));
    }
    for (index, (scores, wanted)) in stats.scores.iter().zip(&oracle.mean_scores).enumerate() {
        Sample::of(names, scores)?.compare(&format!("score of player {index}"), *wanted, oracle.plays)?;
    }
    Ok(())
}

/// Sums over a sample.
struct Sample {
    sum: f64,
    squares: f64,
    count: f64,
}

impl Sample {
    fn of(names: &[String], counts: &[u64]) -> Result<Self, String> {
        let mut sample = Sample { sum: 0.0, squares: 0.0, count: 0.0 };
        for (score, count) in names.iter().zip(counts).filter(|(_, count)| **count > 0) {
            let value: f64 = score.parse().map_err(|_| format!("the score `{score}` is no number"))?;
            sample.sum += value * *count as f64;
            sample.squares += value * value * *count as f64;
            sample.count += *count as f64;
        }
        Ok(sample)
    }

    /// Whether the mean agrees with `wanted`, the mean of another sample of `plays`, within four standard errors of
    /// the difference. Both samples are taken to have the spread of this one; a millionth is left for rounding.
    fn compare(&self, what: &str, wanted: f64, plays: f64) -> Result<(), String> {
        let mean = self.sum / self.count;
        let variance = (self.squares - self.sum * mean).max(0.0) / (self.count - 1.0);
        let tolerance = 4.0 * (variance / self.count + variance / plays).sqrt() + 1e-6;
        if (mean - wanted).abs() <= tolerance {
            return Ok(());
        }
        Err(format!("mean {what} is {mean:.3} in {} plays, the oracle says {wanted:.3} ± {tolerance:.3}", self.count))
    }
}
