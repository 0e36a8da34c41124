//! A game to step through: its positions as drawings that share what they have in common.

use crate::api::Failure;
use crate::api::changes::Changes;
use crate::api::clicks;
use crate::api::games::Version;
use crate::api::table;
use agents::Play;
use backend::{Error, ErrorKind, State, Turn};
use kit::draw::Drawer;
use kit::participant::Participant;
use kit::runner::Runner;
use kit::scores;
use kit::tournament::game::{Broken, Task};
use rg_ir::cancel;
use rg_ir::scene::{Fact, Setup, Table, board_svg};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// Plies of a game that agents play for a page, at most.
const PLIES: u64 = 300;

/// Positions of a game at most.
const MAX_POSITIONS: usize = 2_000;

/// Bytes after which no further position is taken: parts of drawings, and what the positions say besides.
const MAX_BYTES: usize = 8 << 20;

/// The seed of the game that agents play for a page.
const SEED: u64 = 1;

/// A game that was played: who played, and its moves in full.
#[derive(Default)]
pub(crate) struct Course {
    pub(crate) seats: Vec<String>,
    pub(crate) moves: Vec<String>,
    /// How many of them are made in the position that is seen first.
    pub(crate) ply: usize,
}

/// What of a position may be shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// All of it: nobody is playing.
    Everything,
    /// Nothing of games in which something is hidden.
    ByAll,
}

/// A game as positions.
#[derive(Serialize)]
pub(crate) struct Replay {
    seats: Vec<String>,
    /// The moves, one fewer than positions.
    moves: Vec<Made>,
    positions: Vec<Shot>,
    /// Parts of drawings, each of which may occur often.
    parts: Vec<String>,
    /// How the game ended; nothing if it did not.
    over: Option<String>,
    /// That nobody can move in the last position, though the game is not over.
    stuck: Option<String>,
    /// The position that is seen first.
    ply: usize,
    /// Whether the game went on.
    #[serde(skip)]
    is_cut: bool,
}

#[derive(Serialize)]
struct Made {
    /// Who made it; none stands for chance.
    player: Option<usize>,
    text: String,
    /// The places that it names.
    places: Vec<String>,
    /// What it changes of what is seen.
    changed: Changes,
}

/// A position.
#[derive(Serialize)]
struct Shot {
    boards: Vec<Board>,
    tables: Vec<Table>,
    facts: Vec<Fact>,
    /// Who is to move; none at the end, and where chance decides.
    turn: Option<usize>,
    scores: Vec<String>,
}

/// A board and what is on it.
#[derive(Serialize)]
struct Board {
    title: String,
    /// The parts of its drawing, in their order.
    parts: Vec<u32>,
    block: Option<(u32, u32)>,
}

impl Replay {
    /// What there is to say if not all of the game is there.
    pub(super) fn note(&self) -> Option<String> {
        self.is_cut.then(|| "The game went on after the last of these positions.".to_owned())
    }

    /// The first board of the first position, as SVG.
    pub(super) fn picture(&self) -> Option<String> {
        let board = self.positions.first()?.boards.first()?;
        let parts = board.parts.iter().filter_map(|&part| self.parts.get(part as usize));
        Some(parts.map(String::as_str).collect())
    }
}

/// A game that agents play, in turns if there are more players. Its moves depend on nothing but the game and the agents, unless these think
/// for a time.
///
/// # Errors
/// The game cannot be run, or an agent does not play it.
pub(super) fn played(version: &Version, agents: &[Participant]) -> Result<Course, Failure> {
    let runner = version.fast()?;
    let players = runner.players().count();
    if agents.is_empty() {
        return Ok(Course::default());
    }
    let seats: Vec<usize> = (0..players).map(|player| player % agents.len()).collect();
    for agent in seats.iter().filter_map(|&seat| agents.get(seat)) {
        agent.try_out(runner).map_err(|why| Failure::new("agent", format!("`{agent}`: {why}")))?;
    }
    let names = seats.iter().filter_map(|&seat| agents.get(seat)).map(ToString::to_string).collect();
    let task = Task { number: 0, seats, participants: agents, seed: SEED, max_plies: PLIES, opening: &[] };
    let done = task.run(runner, &AtomicBool::new(false));
    let done = done.map_err(|error| version.failure(*runner.failure(&error)))?;
    let Some(done) = done else { return Ok(Course { seats: names, ..Course::default() }) };
    match done.broken {
        // The game is told up to the move behind which nobody can move, which the record does not have.
        Some(Broken::Rules(error, play)) if error.kind == ErrorKind::Stuck => {
            let moves =
                with_last(runner, done.line.moves, &play).map_err(|error| version.failure(*runner.failure(&error)))?;
            Ok(Course { seats: names, moves, ply: 0 })
        }
        Some(Broken::Rules(error, play)) => Err(version.failure(*runner.failure_after(error, play))),
        Some(Broken::Bot(what)) => Err(Failure::new("agent", what)),
        None => Ok(Course { seats: names, moves: done.line.moves, ply: 0 }),
    }
}

/// Moves in full, and behind them the last of those that are given by tags.
fn with_last(runner: &Runner, mut moves: Vec<String>, tags: &[String]) -> Result<Vec<String>, Error> {
    let mut play = Play::new(&runner.reasoner)?;
    for text in &moves {
        let Some(index) = runner.texts(play.moves()).iter().position(|legal| legal == text) else { return Ok(moves) };
        play.make(index)?;
    }
    let is_last = |index: &usize| Some(&runner.reasoner.move_text(play.moves(), *index)) == tags.last();
    let last = (0..play.moves().len()).find(is_last);
    moves.extend(last.and_then(|index| runner.texts(play.moves()).into_iter().nth(index)));
    Ok(moves)
}

/// The positions of a game. It may end where nobody can move, which the rules do not allow.
///
/// # Errors
/// `hidden`: it may not be shown; the rules are wrong; a move is not legal.
pub(super) fn replay(version: &Version, course: &Course, seen: Seen) -> Result<Replay, Failure> {
    let runner = version.drawn()?;
    if seen == Seen::ByAll && runner.reasoner.hides() {
        let message = "Something is hidden in this game, and a game of it would show it.";
        return Err(Failure::new("hidden", message));
    }
    let failed = |error| version.failure(*runner.failure(&error));
    let mut play = Play::new(&runner.reasoner).map_err(failed)?;
    let mut album = Album { drawer: Drawer::new(runner), parts: Vec::new(), known: FxHashMap::default(), bytes: 0 };
    let mut replay = Replay {
        seats: course.seats.clone(),
        moves: Vec::new(),
        positions: vec![album.shot(&play)],
        parts: Vec::new(),
        over: None,
        stuck: None,
        ply: course.ply,
        is_cut: false,
    };
    for (number, text) in (1..).zip(&course.moves) {
        cancel::check();
        if replay.positions.len() >= MAX_POSITIONS || album.bytes > MAX_BYTES {
            replay.is_cut = true;
            break;
        }
        let legal = runner.texts(play.moves());
        let other =
            || Failure::new("request", format!("move {number} of this game is not legal: were the rules changed?"));
        let index = legal.iter().position(|legal| legal == text).ok_or_else(other)?;
        let (mut made, before) = (made(runner, &play, index), play.state().clone());
        if let Err(error) = play.make(index) {
            replay.stuck = Some(table::stuck_by(version, runner, &play, &error)?.message().to_owned());
        }
        made.changed = album.changes(&before, play.state());
        replay.moves.push(made);
        replay.positions.push(album.shot(&play));
    }
    replay.ply = replay.ply.min(replay.moves.len());
    replay.over = (play.turn() == Turn::End).then(|| scores::ended(runner, play.state()));
    replay.is_cut |= replay.over.is_none() && course.moves.len() as u64 >= PLIES;
    replay.parts = album.parts;
    Ok(replay)
}

fn made(runner: &Runner, play: &Play<'_>, index: usize) -> Made {
    let readings = runner.loaded.notation.readings(&runner.tags(play.moves()));
    Made {
        player: player(play),
        text: runner.short_texts(play.moves()).into_iter().nth(index).unwrap_or_default(),
        places: readings.get(index).map(clicks::of).unwrap_or_default(),
        changed: Changes::default(),
    }
}

fn player(play: &Play<'_>) -> Option<usize> {
    match play.turn() {
        Turn::Player(player) => Some(player),
        Turn::Random | Turn::End => None,
    }
}

/// Drawings of positions.
struct Album<'r> {
    drawer: Drawer<'r>,
    parts: Vec<String>,
    /// The number of each part.
    known: FxHashMap<String, u32>,
    bytes: usize,
}

impl Album<'_> {
    fn shot(&mut self, play: &Play<'_>) -> Shot {
        let scene = self.drawer.essence(play.state());
        let drawn: Vec<_> = scene.boards.iter().map(|setup| (heading(setup), board_svg(setup))).collect();
        let (tables, facts) = (scene.tables, scene.facts);
        let boards = drawn.into_iter().map(|((title, block), svg)| Board { title, parts: self.split(&svg), block });
        let shot = Shot {
            boards: boards.collect(),
            tables,
            facts,
            turn: player(play),
            scores: play.scores().into_iter().map(str::to_owned).collect(),
        };
        self.bytes += serde_json::to_string(&shot).map_or(0, |text| text.len());
        shot
    }

    /// What is different in a position that comes after another one.
    fn changes(&mut self, before: &State, behind: &State) -> Changes {
        let changes = Changes::between(&self.drawer.scene(before), &self.drawer.scene(behind));
        self.bytes += serde_json::to_string(&changes).map_or(0, |text| text.len());
        changes
    }

    /// The parts of a drawing: one for each place, and what comes before and behind.
    fn split(&mut self, svg: &str) -> Vec<u32> {
        let mut numbers = Vec::new();
        for part in svg.split_inclusive("</g>\n") {
            let next = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
            let number = *self.known.entry(part.to_owned()).or_insert(next);
            if number == next {
                self.parts.push(part.to_owned());
                self.bytes += part.len();
            }
            numbers.push(number);
        }
        numbers
    }
}

fn heading(setup: &Setup<'_>) -> (String, Option<(u32, u32)>) {
    (setup.board.title.clone(), setup.board.block)
}
