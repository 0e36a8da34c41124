//! Reports about games: what playouts and exploration tell, and whether a game is proper. A [`Report`] is made by [`Report::new`], and shown as
//! [`text()`], as [`sections`] with plots, or as a [`page()`].

mod estimate;
mod figures;
mod page;
mod plots;
mod rules;
mod sample;
mod space;
mod text;
mod winnable;

pub use figures::Figures;
pub use page::{Plot, Section, page, sections};
pub use text::{kind, looked, properness_in_short, text};

use agents::Payoffs;
use backend::proper::{Budget, Condition, examine};
use backend::{Error, Options};
use kit::proper::{self, Proper, Terms, short};
use kit::runner::{Runner, rendered};
use kit::{Loaded, Result, finding, opening, wellformed};
use rg_ir::{Diagnostic, Game, SourceMap, Span};
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

/// The code of the finding that scores are no numbers.
pub const NO_NUMBERS: &str = "IO388";

/// What to look at.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Whether it is a proper game.
    pub proper: bool,
    /// Random plays.
    pub playouts: u64,
    /// Longer plays are stopped.
    pub max_plies: u64,
    /// Positions that are explored at most.
    pub positions: u64,
    /// Of all random choices.
    pub seed: u64,
    /// How the game is run for figures.
    pub options: Options,
    /// How much it is optimised for that.
    pub level: u8,
}

/// All about a game.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
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
    /// The same, for those who read figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Failure>,
    /// What is wrong with states of a game of joint moves, where it is not among the violations; that scores are no numbers.
    #[serde(skip)]
    pub(crate) findings: Vec<Diagnostic>,
}

/// An error of the rules in play.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// Line and column; `None` if it has no place in the text.
    pub(crate) at: Option<[usize; 2]>,
}

impl Failure {
    fn of(found: &Diagnostic, sources: &SourceMap) -> Self {
        let place = found.primary.as_ref().and_then(|primary| sources.position(primary.span));
        Self { code: found.code, message: found.message.clone(), at: place.map(|(line, column)| [line, column]) }
    }
}

impl Report {
    /// Makes the report on a game. The result depends on nothing but the game and the plan.
    ///
    /// `progress` is called with what is being done, and may unwind to end it; the part of the reference engine ends where [`rg_ir::cancel`] says so.
    ///
    /// # Errors
    /// A game that no engine can prepare, or a pass that fails, which would be a defect.
    pub fn new(sources: &SourceMap, loaded: Loaded, plan: &Plan, progress: &mut dyn FnMut(&str)) -> Result<Self> {
        let name = loaded.name.clone();
        let game = loaded.game.clone();
        progress(&format!("{name}: reference engine …"));
        let budget = reference(plan.positions, plan.proper, plan.seed);
        let examined = examine(&game, &budget);
        let runner = Runner::new(loaded.optimised(plan.level)?, Options { checked: true, ..plan.options })?;
        let examined = examined.map_err(|error| runner.failure(&error))?;
        let whole = runner.loaded.whole();
        let unvalued = unvalued(&Payoffs::new(&runner.reasoner), runner.reasoner.score_names());
        let unvalued = unvalued.map(|finding| finding.or_at(whole));
        let how = sample::Plan { plays: plan.playouts, plies: plan.max_plies, seed: plan.seed };
        let (sample, failure) = sample::sample(&runner, how, |plays| progress(&format!("{name}: {plays} playouts …")));
        let positions = plan.positions;
        let explored = Explored::new(&runner, positions, |count| progress(&format!("{name}: {count} positions …")));
        let winnable = runner.loaded.notation.joint().is_some().then(|| translated(&runner, &explored, &sample));
        let notation = &*runner.loaded.notation;
        let broken = plan.proper.then(|| {
            let failures: Vec<&Error> = explored.failures().iter().chain(&failure).collect();
            let rules = proper::of_rules(notation, plan.positions);
            let short = |play: &[String]| runner.short_play(play);
            let terms = Terms { game: &game, language: runner.loaded.language, notation, short: &short };
            let mut found = proper::proper(&terms, &examined, rules, sample.plays + sample.unfinished, &failures);
            found.locate(sources);
            found
        });
        // What breaks a condition is said there.
        let said = |error: &Error| broken.is_some() && Condition::of(error.kind).is_some();
        let told = explored.failures().iter().cloned().chain(failure.clone()).find(|error| !said(error));
        let failure = told.map(|error| found(&runner, &error));
        let error = failure.as_ref().map(|found| Failure::of(found, sources));
        Ok(Self {
            game: name,
            language: runner.loaded.language.name,
            engine: runner.reasoner.engine_name(),
            players: runner.players().map(str::to_owned).collect(),
            chance: runner.reasoner.has_chance(),
            hidden: runner.reasoner.hides(),
            simultaneous: notation.joint().is_some_and(|joint| joint.plies() > 1),
            space: explored.space(),
            rules: rules::rules(sources, &game, &examined),
            winnable,
            failure,
            error,
            findings: match plan.proper {
                true => unvalued.into_iter().collect(),
                false => wellformed::look(&runner.loaded).into_iter().chain(unvalued).collect(),
            },
            proper: broken,
            sample,
        })
    }

    /// What is to be said about the game besides: an error that some playout ended in, what is wrong with states of a game of joint moves,
    /// and that scores are no numbers.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.failure.iter().chain(&self.findings)
    }

    /// The moves after which the game is seen not to be proper, for each condition that is broken, in the order of the report.
    pub fn plays(&self) -> Vec<&[String]> {
        self.proper.iter().flat_map(|proper| &proper.violations).map(|broken| broken.play.as_slice()).collect()
    }

    /// Whether something is wrong with the game that was asked for, or stood in the way.
    pub fn wrong(&self) -> bool {
        self.failure.is_some() || self.proper.as_ref().is_some_and(|proper| proper.violated || proper.undecided())
    }
}

/// The finding that some scores are no numbers: what agents and figures take them for, nobody may have meant.
fn unvalued(payoffs: &Payoffs, names: &[String]) -> Option<Diagnostic> {
    let worth = || names.iter().zip(payoffs.values()).map(|(name, value)| format!("`{name}` is worth {value}"));
    payoffs.are_ranks().then(|| {
        let message = "not all scores are numbers, so they are worth their place in the order of declaration";
        let finding = Diagnostic::warning(NO_NUMBERS, Span::NONE, message);
        finding.note(worth().collect::<Vec<_>>().join(", ")).help("declare scores that are natural numbers")
    })
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

/// What breaks a condition of proper games, as findings, and what was looked at. Errors of the game itself are found by the
/// checker before.
pub fn findings(sources: &SourceMap, loaded: &Loaded, positions: u64) -> (Vec<Diagnostic>, Option<Proper>) {
    let game: &Game = &loaded.game;
    match examine(game, &reference(positions, true, 0)) {
        Ok(examined) => {
            let rules = proper::of_rules(&*loaded.notation, positions);
            let short = |play: &[String]| short(loaded, play);
            let terms = Terms { game, language: loaded.language, notation: &*loaded.notation, short: &short };
            let mut proper = proper::proper(&terms, &examined, rules, 0, &[]);
            proper.locate(sources);
            let broken = proper.violations.iter().map(proper::Broken::finding);
            let at_start = examined.over_at_start.then(|| opening::over_at_start(game));
            let found = broken.chain(proper.undecided_finding(&looked(&proper))).chain(at_start);
            // What is about no place is about the whole text.
            (found.map(|finding| finding.or_at(loaded.whole())).collect(), Some(proper))
        }
        Err(error) => (vec![finding(error.kind.code(), error.message)], None),
    }
}
