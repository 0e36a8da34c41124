//! Reports about games: what playouts and exploration tell, and whether a game is proper.

mod dead_ends;
mod estimate;
mod page;
mod plots;
mod proper;
mod rulebook;
mod rules;
mod sample;
mod space;
mod text;
mod winnable;

pub(crate) use dead_ends::is_dead_end;
pub(crate) use page::page;
pub(crate) use proper::Proper;
pub(crate) use text::{looked, properness_in_short, text};

use crate::load::Loaded;
use crate::moves::short_play;
use crate::runner::{Runner, ahead, rendered};
use crate::session::{Failure, Session};
use crate::wellformed;
use backend::proper::{Budget, Condition, examine};
use backend::{Engine, Error, Options, Reasoner};
use passes::Size;
use proper::{Terms, proper};
use rg_ir::{Diagnostic, Game, SourceMap};
use rules::Rules;
use sample::Sample;
use serde::Serialize;
use space::{Explored, Space};
use winnable::{WIN, Winnable, winnable};

/// Positions that the reference engine looks at if nobody asked whether the game is proper: its plays tell which rules are used.
const POSITIONS_FOR_RULES: u64 = 1_000;
/// Steps of searches of the reference engine for every position asked for.
const STEPS_PER_POSITION: u64 = 300;
/// Steps of searches in all its playouts; in a second it makes a million or so.
const PLAY_STEPS: u64 = 2_000_000;
/// Random plays of the reference engine.
const REFERENCE_PLAYS: u64 = 50;

/// Edges of the largest game of which the first positions are looked at without being asked to.
const OPENING_EDGES: usize = 20_000;
/// Cells of the largest state of such a game of joint moves, whose single steps write most of them.
const OPENING_CELLS: u64 = 2_000;
/// Code of a game that is over before the first move.
const OVER_AT_START: &str = "RT210";

/// What to look at.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) proper: bool,
    pub(crate) playouts: u64,
    pub(crate) max_plies: u64,
    pub(crate) positions: u64,
    pub(crate) seed: u64,
    /// How the game is run for figures.
    pub(crate) options: Options,
    /// How much it is optimised for that.
    pub(crate) level: u8,
}

/// All about a game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) game: String,
    pub(crate) language: &'static str,
    pub(crate) engine: &'static str,
    /// The players in declaration order.
    pub(crate) players: Vec<String>,
    /// Whether there is chance.
    pub(crate) chance: bool,
    /// Whether some player does not see some part of some move.
    pub(crate) hidden: bool,
    /// Whether several players move at once, one after the other as the rules list them.
    pub(crate) simultaneous: bool,
    pub(crate) sample: Sample,
    pub(crate) space: Space,
    pub(crate) rules: Rules,
    /// For games in GDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) winnable: Option<Winnable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proper: Option<Proper>,
    /// An error that some playout ended in.
    #[serde(skip)]
    pub(crate) failure: Option<Diagnostic>,
    /// What is wrong with states of a game of joint moves, where it is not among the violations.
    #[serde(skip)]
    pub(crate) findings: Vec<Diagnostic>,
}

impl Report {
    /// Makes the report on a game. The result depends on nothing but the game and the plan.
    ///
    /// # Errors
    /// A game that no engine can prepare, or a pass that fails, which would be a defect.
    pub(crate) fn new(session: &mut Session, loaded: Loaded, plan: &Plan) -> Result<Self, Failure> {
        let name = loaded.name.clone();
        let game = loaded.game.clone();
        session.progress(&format!("{name}: reference engine …"));
        let budget = reference(plan.positions, plan.proper, plan.seed);
        let examined = examine(&game, &budget);
        let runner = Runner::new(loaded.optimised(plan.level)?, Options { checked: true, ..plan.options })?;
        let examined = examined.map_err(|error| runner.failure(&error))?;
        let how = sample::Plan { plays: plan.playouts, plies: plan.max_plies, seed: plan.seed };
        let (sample, failure) =
            sample::sample(&runner, how, |plays| session.progress(&format!("{name}: {plays} playouts …")));
        let positions = plan.positions;
        let explored =
            Explored::new(&runner, positions, |count| session.progress(&format!("{name}: {count} positions …")));
        let winnable = runner.loaded.notation.joint().is_some().then(|| translated(&runner, &explored, &sample));
        session.progress("");
        let notation = &*runner.loaded.notation;
        let broken = plan.proper.then(|| {
            let failures: Vec<&Error> = explored.failures().iter().chain(&failure).collect();
            let rules = proper::of_rules(notation, plan.positions);
            let short = |play: &[String]| runner.short_play(play);
            let terms = Terms { game: &game, language: runner.loaded.language, notation, short: &short };
            let mut found = proper(&terms, &examined, rules, sample.plays + sample.unfinished, &failures);
            found.locate(&session.sources);
            found
        });
        // What breaks a condition is said there.
        let said = |error: &Error| broken.is_some() && Condition::of(error.kind).is_some();
        let told = explored.failures().iter().cloned().chain(failure.clone()).find(|error| !said(error));
        Ok(Self {
            game: name,
            language: runner.loaded.language.name,
            engine: runner.reasoner.engine_name(),
            players: runner.players().map(str::to_owned).collect(),
            chance: runner.reasoner.has_chance(),
            hidden: runner.reasoner.hides(),
            simultaneous: notation.joint().is_some_and(|joint| joint.plies() > 1),
            space: explored.space(),
            rules: rules::rules(&session.sources, &game, &examined),
            winnable,
            failure: told.map(|error| found(&runner, &error)),
            findings: if plan.proper { Vec::new() } else { wellformed::look(&runner.loaded) },
            proper: broken,
            sample,
        })
    }

    /// Whether something is wrong with the game that was asked for, or stood in the way.
    pub(crate) fn wrong(&self) -> bool {
        self.failure.is_some() || self.proper.as_ref().is_some_and(|proper| proper.violated || proper.undecided())
    }
}

/// The finding for an error of the rules.
fn found(runner: &Runner, error: &Error) -> Diagnostic {
    *runner.failure(error)
}

/// Winnability with moves in the notation of the game.
fn translated(runner: &Runner, explored: &Explored<'_>, sample: &Sample) -> Winnable {
    let won: Vec<bool> = sample.players.iter().map(|p| p.scores.iter().any(|score| score.score == WIN)).collect();
    let mut found = winnable(explored, &won);
    let notation = &*runner.loaded.notation;
    let alone = found.roles.len() == 1;
    for role in &mut found.roles {
        role.play = role.play.take().map(|play| runner.short_play(&play));
        match (&mut role.moves, &role.play) {
            // All moves are the player's own.
            (Some(moves), Some(play)) if alone => moves.clone_from(play),
            (moves, _) => moves.iter_mut().flatten().for_each(|text| *text = rendered(notation, text)),
        }
    }
    found
}

/// What the reference engine may spend.
fn reference(positions: u64, thorough: bool, seed: u64) -> Budget {
    let positions = if thorough { positions } else { positions.min(POSITIONS_FOR_RULES) };
    let steps = positions.saturating_mul(STEPS_PER_POSITION).max(100_000);
    Budget { positions, steps, plays: REFERENCE_PLAYS, plies: 2_000, play_steps: steps.max(PLAY_STEPS), seed }
}

/// What the first positions show of a game that is being written: a keeper who chooses where it matters, or never stops, and a
/// game that is over before the first move. The work is bounded by a few ten thousand steps; games with so many edges that their
/// preparation would be noticed are not looked at.
pub(crate) fn opening_findings(loaded: Loaded) -> Vec<Diagnostic> {
    let game = &loaded.game;
    // A keeper that was translated from GDL neither chooses nor stops; its steps may be long.
    let is_large = match loaded.notation.joint() {
        Some(_) => game.automaton.edge_count() > OPENING_EDGES / 20 || Size::of(game).cells > OPENING_CELLS,
        None => game.automaton.edge_count() > OPENING_EDGES,
    };
    if is_large {
        return Vec::new();
    }
    let budget = Budget { positions: 6, steps: 40_000, plays: 0, plies: 0, play_steps: 0, seed: 0 };
    let Ok(examined) = examine(game, &budget) else { return Vec::new() };
    let short = |play: &[String]| short(&loaded, play);
    let terms = Terms { game, language: loaded.language, notation: &*loaded.notation, short: &short };
    let found = proper(&terms, &examined, rulebook::Examined::unneeded(), 0, &[]);
    let mut findings: Vec<Diagnostic> = found.violations.iter().filter_map(|broken| broken.draft(&loaded)).collect();
    if examined.over_at_start {
        findings.push(over_at_start(game));
    }
    if findings.is_empty() {
        findings.extend(dead_ends::found(loaded));
    }
    findings
}

/// Moves of a game from its start, given as tags, in its short notation; in full if no engine can be prepared for it.
fn short(loaded: &Loaded, play: &[String]) -> Vec<String> {
    let notation = &*loaded.notation;
    if play.is_empty() {
        return Vec::new();
    }
    let options = loaded.trusted(Options { engine: Engine::Backtracking, ..Options::default() });
    match Reasoner::with_options(&loaded.game, options) {
        Ok(reasoner) => short_play(&reasoner, notation, play),
        Err(_) => play.iter().map(|text| rendered(notation, text)).collect(),
    }
}

/// Whether a finding says that the game is over before the first move.
pub(crate) fn is_over_at_start(finding: &Diagnostic) -> bool {
    finding.code == OVER_AT_START
}

fn over_at_start(game: &Game) -> Diagnostic {
    let span = ahead(game, game.begin());
    Diagnostic::warning(OVER_AT_START, span, "the game is over before the first move")
}

/// What breaks a condition of proper games, as findings, and what was looked at. Errors of the game itself are found by the
/// checker before.
pub(crate) fn findings(sources: &SourceMap, loaded: &Loaded, positions: u64) -> (Vec<Diagnostic>, Option<Proper>) {
    let game: &Game = &loaded.game;
    match examine(game, &reference(positions, true, 0)) {
        Ok(examined) => {
            let rules = proper::of_rules(&*loaded.notation, positions);
            let short = |play: &[String]| short(loaded, play);
            let terms = Terms { game, language: loaded.language, notation: &*loaded.notation, short: &short };
            let mut proper = proper(&terms, &examined, rules, 0, &[]);
            proper.locate(sources);
            let broken = proper.violations.iter().map(proper::Broken::finding);
            let at_start = examined.over_at_start.then(|| over_at_start(game));
            let found = broken.chain(proper.undecided_finding(&looked(&proper))).chain(at_start);
            // What is about no place is about the whole text.
            (found.map(|finding| finding.or_at(loaded.whole())).collect(), Some(proper))
        }
        Err(error) => (vec![crate::session::finding(error.kind.code(), error.message)], None),
    }
}
