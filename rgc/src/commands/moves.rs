//! `rgc moves`.

use crate::cli::{BoardForm, EngineArgs, GameArgs, StartArgs};
use crate::draw::Drawer;
use crate::observed;
use crate::position::Position;
use crate::runner::Runner;
use crate::scores::{Outcome, Scores, ended};
use crate::session::{Failure, Session, finding};
use crate::table::counted;
use crate::wellformed;
use agents::Play;
use backend::{Moves, State, Turn};
use rg_ir::scene::{self, Look, Scene};
use rg_ir::{JointMoves, RuleBook};
use serde::Serialize;
use std::io::Write as _;

#[derive(Serialize)]
struct Shown<'a> {
    /// Number of moves played.
    ply: usize,
    /// `None` at the end of the game.
    player: Option<&'a str>,
    moves: Vec<Move<'a>>,
    /// At the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Scores<'a>>,
    /// How the game ended for each player; `None` before.
    result: Option<Outcome<'a>>,
    /// What is on the boards and beside them.
    scene: Scene<'a>,
    /// All of the state, for `--position`.
    position: Position,
}

#[derive(Serialize)]
struct Move<'a> {
    #[serde(rename = "move")]
    text: &'a str,
    /// The shortest form.
    short: &'a str,
    tags: &'a [&'a str],
}

/// What a role knows of a game of joint moves.
#[derive(Serialize)]
struct Known<'a> {
    role: &'a str,
    /// The steps so far.
    steps: Vec<KnownStep>,
    over: bool,
    /// Its legal moves; none at the end, and where it has chosen already.
    moves: Vec<String>,
    /// Whether it has chosen its move of the present step.
    #[serde(skip)]
    has_chosen: bool,
}

/// What a role knows of a step.
#[derive(Serialize)]
struct KnownStep {
    /// Its own move, once it has chosen.
    #[serde(rename = "move")]
    own: Option<String>,
    /// What it sees of the step; the moves of all roles where the rules do not restrict that.
    sees: Vec<String>,
}

/// What is shown.
pub(super) struct How<'a> {
    /// Which position.
    pub(super) start: &'a StartArgs,
    /// Whose knowledge is shown instead of the state.
    pub(super) role: Option<&'a str>,
    /// How the position is drawn.
    pub(super) board: BoardForm,
    /// A JSON object.
    pub(super) json: bool,
    /// Moves with their tags.
    pub(super) tags: bool,
}

pub(super) fn run(session: &mut Session, game: &GameArgs, how: &How<'_>, engine: &EngineArgs) -> Result<(), Failure> {
    let &How { start, role, board, json, tags } = how;
    // Positions are written in the terms of the game as it is written.
    let level = if json { 0 } else { engine.level.or(0) };
    let runner = session.runner_to_draw(game, start, engine, level)?;
    let (state, played) = session.play(&runner, &start.play)?;
    if let Some(role) = role {
        return known(session, &runner, &played, role, json);
    }
    if board == BoardForm::Svg {
        let svg = scene::svg(&Drawer::new(&runner).scene(&state), &[]);
        return Ok(session.out().write_all(svg.as_bytes())?);
    }
    let look = Look { unicode: board == BoardForm::Unicode, ..Look::default() };
    let mut moves = Moves::new();
    if let Err(error) = runner.reasoner.legal_moves(&state, &mut moves) {
        return Err(runner.failure_after(error, played).into());
    }
    if json {
        return as_json(session, &runner, &state, played.len(), &moves);
    }
    let out = session.out();
    writeln!(out, "{}", Drawer::new(&runner).text(&state, look))?;
    writeln!(out, "{}", headline(&runner, &state, moves.len()))?;
    let listed = runner.short_listed(&moves);
    let digits = listed.len().to_string().len();
    let width = listed.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0).min(60);
    let words = runner.tags(&moves);
    for (number, (text, index)) in (1..).zip(&listed) {
        match words.get(*index).map(|words| words.join(" ")).filter(|words| tags && !words.is_empty()) {
            Some(words) => writeln!(out, "  {number:digits$}. {text:width$}  {words}")?,
            None => writeln!(out, "  {number:digits$}. {text}")?,
        }
    }
    if runner.reasoner.turn(&state) == Turn::End {
        let found = wellformed::after(&runner, &played);
        session.show(found.as_slice());
    }
    Ok(())
}

/// Who is to move, as rules name it: chance is `random`.
pub(super) fn named<'r>(runner: &'r Runner, state: &State) -> Option<&'r str> {
    match runner.reasoner.turn(state) {
        Turn::Random => Some("random"),
        Turn::Player(_) | Turn::End => runner.mover(state),
    }
}

/// A state and its legal moves, for programs.
fn as_json(session: &mut Session, runner: &Runner, state: &State, ply: usize, moves: &Moves) -> Result<(), Failure> {
    let (tags, short) = (runner.tags(moves), runner.short_texts(moves));
    let listed = runner.listed(moves);
    let entries = listed
        .iter()
        .filter_map(|(text, index)| Some(Move { text, short: short.get(*index)?, tags: tags.get(*index)? }));
    let moves = entries.collect();
    let player = named(runner, state);
    let scores = player.is_none().then(|| Scores::of(runner, state));
    let result = player.is_none().then(|| Outcome::of(runner, state));
    let drawer = Drawer::new(runner);
    let (scene, position) = (drawer.scene(state), Position::of(runner, state));
    let shown = Shown { ply, player, moves, scores, result, scene, position };
    let line = serde_json::to_string(&shown).map_err(std::io::Error::from)?;
    Ok(writeln!(session.out(), "{line}")?)
}

/// What a role knows after a play, given by the tags of its plies.
fn known(session: &mut Session, runner: &Runner, played: &[String], role: &str, json: bool) -> Result<(), Failure> {
    let Some(joint) = runner.loaded.notation.joint() else { return observed_by(session, runner, played, role, json) };
    let roles = joint.roles();
    let Some(number) = roles.iter().position(|other| other.eq_ignore_ascii_case(role)) else {
        let message = format!("there is no role `{role}`; the roles are {}", roles.join(", "));
        return Err(finding("IO323", message).suggest(role, roles.iter().copied()).into());
    };
    let known = joint.rules().and_then(|mut rules| knowledge(runner, joint, rules.as_mut(), played, number));
    let Some(known) = known else {
        return Err(finding("IO324", format!("what `{role}` knows takes too long to find out")).into());
    };
    let out = session.out();
    if json {
        let line = serde_json::to_string(&known).map_err(std::io::Error::from)?;
        return Ok(writeln!(out, "{line}")?);
    }
    for (step, KnownStep { own, sees }) in known.steps.iter().enumerate() {
        match own {
            Some(own) => writeln!(out, "step {step}: {} does {own}", known.role)?,
            None => writeln!(out, "step {step}: {} has not chosen yet", known.role)?,
        }
        for percept in sees {
            writeln!(out, "  sees {percept}")?;
        }
    }
    match known.moves.len() {
        0 if known.over => writeln!(out, "the game is over")?,
        0 if known.has_chosen => writeln!(out, "{} has chosen, and waits for the others", known.role)?,
        0 => writeln!(out, "{} has no legal move", known.role)?,
        count => writeln!(out, "{}:", counted(count as u64, "legal move"))?,
    }
    known.moves.iter().try_for_each(|text| writeln!(out, "  {text}"))?;
    Ok(())
}

/// What a player of a game without joint moves observed.
#[derive(Serialize)]
struct Observations<'a> {
    role: &'a str,
    /// A line for every move, as far as the player knows of it.
    observed: Vec<String>,
    over: bool,
    /// Its legal moves, in full for programs and else in short; none where others are to move.
    moves: Vec<String>,
}

/// What a player knows after a game, given by the tags of its moves, in which something is hidden.
fn observed_by(
    session: &mut Session,
    runner: &Runner,
    played: &[String],
    role: &str,
    json: bool,
) -> Result<(), Failure> {
    let players: Vec<&str> = runner.players().collect();
    let Some(player) = players.iter().position(|other| other.eq_ignore_ascii_case(role)) else {
        let message = format!("there is no player `{role}`; the players are {}", players.join(", "));
        return Err(finding("IO323", message).suggest(role, players.iter().copied()).into());
    };
    if !runner.reasoner.hides() {
        let message = "nothing is hidden in this game: every player knows the position";
        return Err(finding("IO322", message).help("leave out `--as`").into());
    }
    let mut play = Play::new(&runner.reasoner).map_err(|error| runner.failure(&error))?;
    for text in played {
        let index = (0..play.moves().len()).find(|&index| runner.reasoner.move_text(play.moves(), index) == *text);
        // The moves were found legal before.
        let index = index.ok_or_else(|| finding("IO320", format!("`{text}` is not a legal move")))?;
        play.make(index).map_err(|error| runner.failure(&error))?;
    }
    let own = play.turn() == Turn::Player(player);
    let listed = match (own, json) {
        (false, _) => Vec::new(),
        (true, true) => runner.listed(play.moves()),
        (true, false) => runner.short_listed(play.moves()),
    };
    let known = Observations {
        role: players.get(player).copied().unwrap_or_default(),
        observed: observed::lines(runner, play.observations(player).unwrap_or(&[])),
        over: play.turn() == Turn::End,
        moves: listed.into_iter().map(|(text, _)| text).collect(),
    };
    let out = session.out();
    if json {
        let line = serde_json::to_string(&known).map_err(std::io::Error::from)?;
        return Ok(writeln!(out, "{line}")?);
    }
    known.observed.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    match (known.over, own) {
        (true, _) => writeln!(out, "{}", ended(runner, play.state()))?,
        (false, false) => writeln!(out, "{} is not to move", known.role)?,
        (false, true) => writeln!(out, "{} to move, {}:", known.role, counted(known.moves.len() as u64, "legal move"))?,
    }
    known.moves.iter().try_for_each(|text| writeln!(out, "  {text}"))?;
    Ok(())
}

/// `None` if it takes too long.
fn knowledge<'r>(
    runner: &Runner,
    joint: &'r dyn JointMoves,
    rules: &mut dyn RuleBook,
    played: &[String],
    number: usize,
) -> Option<Known<'r>> {
    let mut state = rules.initial()?;
    let (mut steps, mut has_chosen) = (Vec::new(), false);
    for step in wellformed::steps(runner, joint, played)? {
        let own = step.get(number).cloned().flatten();
        let Some(moves) = step.into_iter().collect::<Option<Vec<String>>>() else {
            // Moves of a step are seen after all roles have chosen only.
            has_chosen = own.is_some();
            steps.push(KnownStep { own, sees: Vec::new() });
            break;
        };
        let sees = match rules.has_percepts() {
            true => rules.percepts(&state, &moves)?.into_iter().nth(number)?,
            false => joint.roles().iter().zip(&moves).map(|(role, own)| format!("(does {role} {own})")).collect(),
        };
        state = rules.next(&state, &moves)?;
        steps.push(KnownStep { own, sees });
    }
    let over = rules.is_terminal(&state)?;
    let moves = if over || has_chosen { Vec::new() } else { rules.legal(&state)?.into_iter().nth(number)? };
    Some(Known { role: joint.roles().into_iter().nth(number)?, steps, over, moves, has_chosen })
}

fn headline(runner: &Runner, state: &State, moves: usize) -> String {
    match runner.mover(state) {
        None => ended(runner, state),
        Some(mover) => format!("{mover} to move, {}:", counted(moves as u64, "legal move")),
    }
}
