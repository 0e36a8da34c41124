//! Everything that is tested about one sheet.

use crate::oracle::Row;
use backend::{Engine, ErrorKind, Limits as EngineLimits, Moves, Options, Reasoner, State};
use gdl::{GdlNotation, Limits};
use rg_ir::{JointMoves, Notation, Part, SourceId};
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
    /// Depth to which perft was verified, and to which the oracle knows it.
    perft: (u32, u32),
    /// Playouts that were compared, as far as the budget allowed.
    playouts: u32,
}

impl Report {
    /// The line without the time, which depends on the machine.
    pub(crate) fn key(&self) -> String {
        let Report { name, nodes, edges, bits, perft: (depth, known), playouts, .. } = self;
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
const MAX_STEPS: u64 = 3_000_000;
/// What then stands at the end of a problem.
const SLOW: &str = "(a limit of the engine)";

/// An error of the engine.
fn told(error: backend::Error) -> String {
    let limit = if error.kind == ErrorKind::Limit { SLOW } else { "" };
    format!("{error} {limit}")
}

/// Examines a sheet.
pub(crate) fn examine(name: &str, path: &Path, row: Option<&Row>, budget: &Budget) -> Report {
    let known = (1..=6).take_while(|depth| row.is_some_and(|row| number(row, &format!("n{depth}")).is_some())).count();
    let mut report = Report {
        name: name.to_owned(),
        verdict: Verdict::Translates,
        seconds: 0.0,
        nodes: 0,
        edges: 0,
        bits: 0,
        turns: false,
        perft: (0, known as u32),
        playouts: 0,
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
    report.nodes = lowered.game.automaton.node_count();
    report.edges = lowered.game.automaton.edge_count();
    let wrong: Vec<String> =
        rg_ir::check(&lowered.game).into_iter().filter(|f| f.is_error()).map(|f| f.message).collect();
    if !wrong.is_empty() {
        return Err(format!("the translation has errors: {wrong:?}"));
    }
    report.turns = lowered.vocabulary.turn_based;
    // Hashes are those of all fluents, also of those that nobody reads any more.
    let limits = EngineLimits { steps: MAX_STEPS, ..EngineLimits::default() };
    let options = Options { engine: Engine::Backtracking, keep_dead: true, limits, ..Options::default() };
    let reasoner = Reasoner::with_options(&lowered.game, options).map_err(told)?;
    report.bits = reasoner.state_bytes() * 8;
    let Some(row) = row.filter(|_| report.edges <= budget.edges) else { return Ok(Verdict::Translates) };
    let play = Play { reasoner, notation: GdlNotation::new(lowered.vocabulary), row };
    play.beginning()?;
    for playout in 0..3 {
        play.playout(playout, budget.work / report.edges.max(1) as u64)?;
        report.playouts += 1;
    }
    let state = play.initial()?;
    for depth in 1..=report.perft.1 {
        let known = number(row, &format!("n{depth}")).unwrap_or(0);
        if known > budget.leaves {
            break;
        }
        let found = play.reasoner.perft(&state, depth * play.notation.plies()).map_err(told)?;
        same(&format!("n{depth}"), &found.to_string(), &known.to_string())?;
        report.perft.0 = depth;
    }
    Ok(Verdict::Agrees)
}

fn number(row: &Row, column: &str) -> Option<u64> {
    row.get(column).and_then(|cell| cell.parse().ok())
}

/// Compares; nothing is known where the oracle's cell is empty.
fn same(what: &str, found: &str, known: &str) -> Result<(), String> {
    if found == known || known.is_empty() { Ok(()) } else { Err(format!("{what}: {found} instead of {known}")) }
}

/// A game with what is known about it.
struct Play<'a> {
    reasoner: Reasoner,
    notation: GdlNotation,
    row: &'a Row,
}

impl Play<'_> {
    fn initial(&self) -> Result<State, String> {
        self.reasoner.initial().map_err(told)
    }

    fn text(&self, state: &State) -> String {
        self.notation.state_text(&self.reasoner.view(state))
    }

    /// The initial state and what is legal there.
    fn beginning(&self) -> Result<(), String> {
        let mut state = self.initial()?;
        same("roles", &self.notation.roles().join(" "), &self.row["roles"])?;
        same("initial state", &hash(&self.text(&state)), &self.row["init_hash"])?;
        let over = if self.reasoner.is_terminal(&state) { "1" } else { "0" };
        same("initial state is terminal", over, &self.row["init_terminal"])?;
        if over == "0" {
            let legal = self.step(&mut state, |_, _| 0)?;
            let counts: Vec<String> = legal.iter().map(|moves| moves.len().to_string()).collect();
            same("initial legal moves", &counts.join(" "), &self.row["init_legal"])?;
            let hashes: Vec<String> = legal.iter().map(|moves| hash(&moves.join("\n"))).collect();
            same("initial legal moves", &hashes.join(" "), &self.row["init_legal_hash"])?;
        }
        Ok(())
    }

    /// Makes one step; returns the sorted legal moves of all roles.
    fn step(&self, state: &mut State, choose: impl Fn(usize, usize) -> usize) -> Result<Vec<Vec<String>>, String> {
        let mut legal = Vec::new();
        let parts = self.notation.step(&self.reasoner.view(state));
        for (role, part) in parts.into_iter().enumerate() {
            if let Part::Forced(only) = part {
                legal.push(vec![only.to_owned()]);
                continue;
            }
            let mut moves = Moves::new();
            self.reasoner.legal_moves(state, &mut moves).map_err(told)?;
            let tags: Vec<Vec<&str>> =
                moves.iter().map(|tags| tags.iter().map(|&tag| self.reasoner.tag_name(tag)).collect()).collect();
            let texts = self.notation.render_moves(&tags);
            let mut listed: Vec<(String, usize)> = texts.into_iter().zip(0..).collect();
            listed.sort();
            let index = listed.get(choose(role, listed.len())).map(|entry| entry.1);
            let index = index.ok_or_else(|| format!("role {role} has no legal move"))?;
            self.reasoner.apply(state, &moves, index).map_err(told)?;
            legal.push(listed.into_iter().map(|(text, _)| text).collect());
        }
        Ok(legal)
    }

    /// Compares a playout, or the beginning of it.
    fn playout(&self, playout: usize, most_steps: u64) -> Result<(), String> {
        let cell = |name: &str| self.row[&format!("p{playout}_{name}")].as_str();
        let known: Vec<&str> = cell("counts").split(',').filter(|counts| !counts.is_empty()).collect();
        let mut state = self.initial()?;
        let mut hashes = Vec::new();
        let title = format!("playout {playout}");
        while !self.reasoner.is_terminal(&state) && hashes.len() < 300 {
            let number = hashes.len();
            if number as u64 >= most_steps || cell("status") == "cut" && number >= known.len() {
                return Ok(());
            }
            let choose = |role: usize, legal: usize| (7 * number + 3 * role + playout) % legal.max(1);
            let legal = self.step(&mut state, choose).map_err(|error| format!("{title}, step {number}: {error}"))?;
            let counts: Vec<String> = legal.iter().map(|moves| moves.len().to_string()).collect();
            same(&format!("{title}, step {number}"), &counts.join(":"), known.get(number).unwrap_or(&"none"))?;
            hashes.push(hash(&self.text(&state)));
        }
        if cell("status") == "cut" {
            return Ok(());
        }
        same(&format!("{title}, steps"), &hashes.len().to_string(), cell("steps"))?;
        same(&format!("{title}, states"), &hash(&hashes.join("\n")), cell("hash"))?;
        if self.reasoner.is_terminal(&state) {
            let goals = self.notation.goals(&self.reasoner.view(&state)).join(" ");
            same(&format!("{title}, goals"), &goals, cell("goals"))?;
        }
        Ok(())
    }
}

/// FNV-1a of 64 bits, in hexadecimal.
fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
