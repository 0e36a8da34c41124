//! One game of a match.

use super::Seats;
use crate::participant::{Chooser, Participant, Trouble};
use crate::record::{Check, PlayLine};
use crate::runner::Runner;
use agents::{Payoffs, Play};
use backend::{Error, Rng, Turn};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A game to be played.
pub struct Task<'a> {
    /// Its number in the match.
    pub number: u64,
    /// The participant of each seat.
    pub seats: Seats,
    /// All participants.
    pub participants: &'a [Participant],
    /// Seed of all random choices.
    pub seed: u64,
    /// The game is stopped after this many plies, and counts as drawn.
    pub max_plies: u64,
    /// The first moves, by index, which no participant chooses.
    pub opening: &'a [usize],
}

/// A game that was played.
pub struct Played {
    /// The participant of each seat.
    pub seats: Seats,
    /// The game as a line of a record.
    pub line: PlayLine,
    /// Why it could not go on, if that is so: there is no result.
    pub broken: Option<Broken>,
    /// Per player, what it scored; all the same if the game was stopped.
    pub payoffs: Vec<f64>,
    /// Moves made, chance included.
    pub plies: u64,
    /// Per player, the time it took and its number of moves.
    pub thinking: Vec<(Duration, u64)>,
}

/// Why a game was stopped.
#[derive(Clone, Debug)]
pub enum Broken {
    /// The rules failed; with the moves made before, by tags.
    Rules(Error, Vec<String>),
    /// A bot failed; who it is, and what it did.
    Bot(String),
}

/// What has been played so far.
struct Course<'a> {
    play: Play<'a>,
    check: Check,
    /// The moves by index, and as they are written.
    made: Vec<usize>,
    texts: Vec<String>,
    /// The moves in short, if a bot reads them.
    short: Option<Vec<String>>,
    /// Whether the last move failed.
    failed: bool,
}

impl<'a> Course<'a> {
    fn new(runner: &'a Runner, short: Option<Vec<String>>) -> Result<Self, Error> {
        let play = Play::new(&runner.reasoner)?;
        Ok(Self { play, check: Check::default(), made: Vec::new(), texts: Vec::new(), short, failed: false })
    }

    /// Makes a legal move. If that fails, all that is left is to make the moves before it again.
    fn make(&mut self, runner: &Runner, index: usize) -> Result<(), Error> {
        self.check.add(runner, &self.play, index);
        self.texts.push(runner.texts(self.play.moves()).get(index).cloned().unwrap_or_default());
        if let Some(short) = &mut self.short {
            short.extend(runner.short_texts(self.play.moves()).get(index).cloned());
        }
        self.made.push(index);
        let made = self.play.make(index);
        self.failed = made.is_err();
        made
    }

    fn short(&self) -> &[String] {
        self.short.as_deref().unwrap_or_default()
    }

    /// The moves by tags, the one that failed included.
    fn tags(&self, runner: &Runner) -> Result<Vec<String>, Error> {
        let (mut play, mut tags) = (Play::new(&runner.reasoner)?, Vec::new());
        for &index in &self.made {
            tags.push(runner.reasoner.move_text(play.moves(), index));
            if play.make(index).is_err() {
                break;
            }
        }
        Ok(tags)
    }
}

/// Who sits at the table, and how long each of them thought.
struct Round<'r> {
    choosers: Vec<Chooser<'r>>,
    thinking: Vec<(Duration, u64)>,
    rng: Rng,
}

impl Task<'_> {
    /// Plays it; `None` if `stop` was set meanwhile.
    ///
    /// # Errors
    /// The game cannot even begin.
    pub fn run(&self, runner: &Runner, stop: &AtomicBool) -> Result<Option<Played>, Error> {
        let mut rng = Rng::new(self.seed);
        let short = || self.seated().any(Participant::is_bot).then(Vec::new);
        let mut choosers = Vec::new();
        for (player, participant) in self.seated().enumerate() {
            match participant.begin(runner, player, rng.next_u64()) {
                Ok(chooser) => choosers.push(chooser),
                // Whether it plays the game was found out before the match.
                Err(what) => return Ok(Some(self.cancelled(Broken::Bot(format!("`{participant}`: {what}"))))),
            }
        }
        let mut round = Round { thinking: vec![(Duration::ZERO, 0); choosers.len()], choosers, rng };
        let mut course = Course::new(runner, short())?;
        let broken = match self.play(runner, &mut course, &mut round, stop) {
            Ok(()) => None,
            Err(Trouble::Stopped) => return Ok(None),
            Err(Trouble::Bot(what)) => Some(Broken::Bot(what)),
            Err(Trouble::Rules(error)) => {
                // The move that failed is not part of the game.
                let before = std::mem::replace(&mut course, Course::new(runner, short())?);
                let whole = before.made.len() - usize::from(before.failed);
                for &index in before.made.iter().take(whole) {
                    course.make(runner, index)?;
                }
                Some(Broken::Rules(error, before.tags(runner)?))
            }
        };
        let over = broken.is_none() && course.play.turn() == Turn::End;
        let scores = course.play.scores();
        if broken.is_none() {
            for (player, chooser) in round.choosers.into_iter().enumerate() {
                chooser.end(course.play.situation(player).knowledge, course.short(), &scores);
            }
        }
        let all = Payoffs::new(&runner.reasoner);
        let payoffs =
            if over { all.of(&runner.reasoner, course.play.state()) } else { vec![0.0; round.thinking.len()] };
        let scores = scores.into_iter().map(str::to_owned).collect();
        let line = PlayLine { over, scores, check: course.check.text(), moves: course.texts, ..self.line() };
        let (seats, plies) = (self.seats.clone(), line.moves.len() as u64);
        Ok(Some(Played { seats, plies, line, payoffs, thinking: round.thinking, broken }))
    }

    /// The participants by player.
    fn seated(&self) -> impl Iterator<Item = &Participant> {
        self.seats.iter().filter_map(|&seat| self.participants.get(seat))
    }

    /// The line of a record without moves.
    fn line(&self) -> PlayLine {
        PlayLine {
            play: self.number,
            seats: self.seated().map(ToString::to_string).collect(),
            seed: self.seed,
            scores: Vec::new(),
            over: false,
            check: Check::default().text(),
            moves: Vec::new(),
        }
    }

    /// This game as it was recorded. Where it was not over and not too long, the reason is not known any more.
    pub fn recorded(&self, runner: &Runner, line: PlayLine) -> Played {
        let (players, plies) = (self.seats.len(), line.moves.len() as u64);
        let is_broken = !line.over && plies < self.max_plies;
        let all = Payoffs::new(&runner.reasoner);
        let payoffs =
            if line.over { line.scores.iter().map(|score| all.value(score)).collect() } else { vec![0.0; players] };
        Played {
            seats: self.seats.clone(),
            broken: is_broken.then(|| Broken::Bot("the game was stopped".to_owned())),
            payoffs,
            plies,
            thinking: vec![(Duration::ZERO, 0); players],
            line,
        }
    }

    /// A game that did not begin.
    fn cancelled(&self, why: Broken) -> Played {
        let players = self.seats.len();
        Played {
            seats: self.seats.clone(),
            line: self.line(),
            broken: Some(why),
            payoffs: vec![0.0; players],
            plies: 0,
            thinking: vec![(Duration::ZERO, 0); players],
        }
    }

    /// Plays until the game is over or too long.
    fn play(
        &self,
        runner: &Runner,
        course: &mut Course<'_>,
        round: &mut Round<'_>,
        stop: &AtomicBool,
    ) -> Result<(), Trouble> {
        for &index in self.opening {
            course.make(runner, index).map_err(Trouble::Rules)?;
        }
        while (course.made.len() as u64) < self.max_plies {
            let index = match course.play.turn() {
                Turn::End => break,
                Turn::Random => round.rng.below(course.play.moves().len() as u32) as usize,
                Turn::Player(player) => {
                    let start = Instant::now();
                    let Some(chooser) = round.choosers.get_mut(player) else { break };
                    let situation = course.play.situation(player).until(stop);
                    let choice = chooser.choose(&situation, course.short());
                    if let Some((time, count)) = round.thinking.get_mut(player) {
                        (*time, *count) = (*time + start.elapsed(), *count + 1);
                    }
                    choice.map_err(|trouble| self.named(trouble, player, course))?.index
                }
            };
            course.make(runner, index).map_err(Trouble::Rules)?;
        }
        Ok(())
    }

    /// Says which bot failed, and where.
    fn named(&self, trouble: Trouble, player: usize, course: &Course<'_>) -> Trouble {
        let Trouble::Bot(what) = trouble else { return trouble };
        let name = self.seated().nth(player).map(ToString::to_string).unwrap_or_default();
        let place = match course.short() {
            [] => "at its first move".to_owned(),
            moves => format!("after `{}`", moves.join("; ")),
        };
        Trouble::Bot(format!("`{name}`: {what} (game {}, {place})", self.number))
    }
}
