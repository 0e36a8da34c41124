//! Whether a program keeps the protocol for programs that choose moves: checks that each try one of its rules.

use super::{Bot, FAREWELL, Message, POLL, Process, Seat, cut};
use crate::participant::{Trouble, observed};
use crate::position::Position;
use crate::runner::Runner;
use agents::Play;
use backend::{Rng, Turn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// How long a program is watched where it should say nothing.
const SILENCE: Duration = Duration::from_millis(300);

/// Most plies of a game; then it is stopped, which the protocol allows.
const MAX_PLIES: usize = 400;

/// Plies before the position at which a game is started, at least, and at most until a player moves there.
const PLIES_BEFORE: usize = 2;
const MOST_BEFORE: usize = 20;

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The rule is kept; with what was seen.
    Kept(String),
    /// The rule is broken; how.
    Broken(String),
    /// What the program does is allowed, but others would be glad if it did something else.
    Advice(String),
}

/// One check.
#[derive(Clone, Debug)]
pub struct Check {
    /// What the program should do: `answers a start with ready`.
    pub rule: String,
    /// What it does.
    pub verdict: Verdict,
}

/// Why the checks end early.
#[derive(Debug)]
pub enum Stop {
    /// A game's rules fail.
    Rules(backend::Error),
    /// It was asked for.
    Asked,
}

/// What is checked, and how.
pub struct Plan<'a> {
    /// The program.
    pub bot: &'a Bot,
    /// The games that it plays, one at least, each for all of its players.
    pub games: &'a [Runner],
    /// A game that starts at a position of its own ([`later`]).
    pub elsewhere: Option<&'a Runner>,
    /// Seed of the other players, and what the program is sent as its seed.
    pub seed: u64,
    /// Set to end the checks.
    pub stop: &'a AtomicBool,
}

/// A game that was played.
struct Game {
    /// What the program chose, in short.
    chosen: Vec<String>,
    /// Its longest time for a move.
    longest: Duration,
}

impl Plan<'_> {
    /// Checks one rule after the other; each verdict is reported as soon as it is there. A program that cannot begin a game is asked nothing else.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn run(&self, report: &mut dyn FnMut(Check)) -> Result<(), Stop> {
        let Some(first) = self.games.first() else { return Ok(()) };
        let mut tell = |rule: &str, verdict| {
            self.go_on()?;
            report(Check { rule: rule.to_owned(), verdict });
            Ok(())
        };
        let begun = self.begins(first);
        let is_begun = matches!(begun, Verdict::Kept(_));
        tell("answers `start` with `ready`", begun)?;
        if !is_begun {
            return Ok(());
        }
        tell("writes nothing unless it is asked", self.is_silent(first))?;
        tell("takes an `end` without moves, and another `start` after it", self.begins_again(first))?;
        for game in self.games {
            for (player, name) in game.players().enumerate() {
                tell(&format!("plays {} as {name}", game.loaded.name), self.plays(game, player)?)?;
            }
        }
        tell("ignores messages and members that it does not know", self.ignores()?)?;
        let placed = match self.elsewhere {
            Some(elsewhere) => match Play::new(&elsewhere.reasoner).map_err(Stop::Rules)?.turn() {
                Turn::Player(mover) => self.plays(elsewhere, mover)?,
                Turn::Random | Turn::End => self.plays(elsewhere, 0)?,
            },
            None => Verdict::Kept("not tried: the first game is over too soon".to_owned()),
        };
        tell("plays from a `position`", placed)?;
        tell("chooses the same moves with the same seed", self.repeats(first)?)?;
        tell("ends when its input ends", self.ends(first))
    }

    /// Whether the checks are still wanted.
    fn go_on(&self) -> Result<(), Stop> {
        if self.stop.load(Ordering::Relaxed) { Err(Stop::Asked) } else { Ok(()) }
    }

    /// A new process to which the beginning of a game was sent, for one player.
    fn started(&self, game: &Runner, player: usize) -> Result<Process, Trouble> {
        let mut process = Process::start(self.bot)?;
        process.send(&Message::start(self.bot, game, player, self.seed));
        process.ready(self.bot, Some(self.stop))?;
        Ok(process)
    }

    fn begins(&self, game: &Runner) -> Verdict {
        let start = Instant::now();
        kept(self.started(game, 0).map(|_| format!("within {}", seconds(start.elapsed()))))
    }

    fn is_silent(&self, game: &Runner) -> Verdict {
        kept(self.started(game, 0).and_then(|mut process| {
            silent(&mut process)?;
            process.send(&Message::End { played: &[], scores: Vec::new() });
            // Whether it goes on is another rule.
            if let Ok(line) = process.lines.recv_timeout(SILENCE) {
                return Err(unasked(&line));
            }
            Ok("after `ready`, and after `end`".to_owned())
        }))
    }

    fn begins_again(&self, game: &Runner) -> Verdict {
        kept(self.started(game, 0).and_then(|mut process| {
            for round in 1..=2u64 {
                process.send(&Message::End { played: &[], scores: Vec::new() });
                process.send(&Message::start(self.bot, game, 0, self.seed.wrapping_add(round)));
                process.ready(self.bot, Some(self.stop))?;
            }
            Ok("twice".to_owned())
        }))
    }

    fn ignores(&self) -> Result<Verdict, Stop> {
        // A game in which a player moves first, who is not told of anything before.
        let mut begun = None;
        for game in self.games {
            let play = Play::new(&game.reasoner).map_err(Stop::Rules)?;
            if let Turn::Player(mover) = play.turn() {
                begun = Some((game, play, mover));
                break;
            }
        }
        let Some((game, play, mover)) = begun else {
            return Ok(Verdict::Kept("not tried: chance moves first in all games".to_owned()));
        };
        let listed: Vec<String> = game.short_listed(play.moves()).into_iter().map(|(text, _)| text).collect();
        Ok(kept(self.started(game, mover).and_then(|mut process| {
            process.send_line("{\"type\":\"remark\",\"text\":\"a message of a later version\"}\n".to_owned());
            silent(&mut process)?;
            let known = crate::record::line(&Message::Move { played: &[], moves: listed }).unwrap_or_default();
            process.send_line(known.replacen('{', "{\"remark\":[1,{\"of\":\"a later version\"}],", 1));
            let line = process.receive(self.bot.time(), Some(self.stop))?;
            match game.find(&line, play.moves()) {
                Ok(_) => Ok(format!("chose `{}`", cut(&line))),
                Err(wrong) => Err(Trouble::Bot(format!("its move cannot be made: {}", cut(&wrong)))),
            }
        })))
    }

    fn plays(&self, game: &Runner, player: usize) -> Result<Verdict, Stop> {
        let told = |game: Game| match game.chosen.len() {
            0 => "it had nothing to choose".to_owned(),
            1 => format!("1 move, {}", seconds(game.longest)),
            count => format!("{count} moves, {} at most", seconds(game.longest)),
        };
        Ok(kept(self.game(game, player)?.map(told)))
    }

    fn repeats(&self, game: &Runner) -> Result<Verdict, Stop> {
        let (first, second) = (self.game(game, 0)?, self.game(game, 0)?);
        Ok(match (first, second) {
            (Ok(first), Ok(second)) => match first.chosen.iter().zip(&second.chosen).find(|(a, b)| a != b) {
                None => Verdict::Kept(format!("in two games of {}", game.loaded.name)),
                Some((one, other)) => Verdict::Advice(format!(
                    "it chose `{}`, and `{}` in the same place; matches can be repeated only if random choices come from `seed`",
                    cut(one),
                    cut(other)
                )),
            },
            (Err(trouble), _) | (_, Err(trouble)) => kept(Err(trouble)),
        })
    }

    fn ends(&self, game: &Runner) -> Verdict {
        kept(self.started(game, 0).and_then(|mut process| {
            process.close();
            let start = Instant::now();
            while start.elapsed() < FAREWELL {
                if let Ok(Some(status)) = process.child.try_wait() {
                    return Ok(format!("within {}, {status}", seconds(start.elapsed())));
                }
                std::thread::sleep(POLL);
            }
            Err(Trouble::Bot(format!("it still runs {} after the end of its input, and is killed", seconds(FAREWELL))))
        }))
    }

    /// A game with the program as one player, while the others move at random.
    fn game(&self, game: &Runner, player: usize) -> Result<Result<Game, Trouble>, Stop> {
        let mut seat = match Seat::new(self.bot, game, player, self.seed) {
            Ok(seat) => seat,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let mut play = Play::new(&game.reasoner).map_err(Stop::Rules)?;
        let (mut rng, mut played) = (Rng::new(self.seed), Vec::new());
        let mut result = Game { chosen: Vec::new(), longest: Duration::ZERO };
        for _ in 0..MAX_PLIES {
            self.go_on()?;
            let index = match play.turn() {
                Turn::End => break,
                Turn::Player(mover) if mover == player => {
                    let (known, start) = (observed(game, play.situation(player).knowledge), Instant::now());
                    let known = known.as_deref().unwrap_or(&played);
                    match seat.choose(play.moves(), known, Some(self.stop)) {
                        Ok(index) => {
                            result.longest = result.longest.max(start.elapsed());
                            result.chosen.extend(game.short_texts(play.moves()).into_iter().nth(index));
                            index
                        }
                        Err(Trouble::Stopped) => return Err(Stop::Asked),
                        Err(trouble) => return Ok(Err(placed(trouble, &played))),
                    }
                }
                Turn::Player(_) | Turn::Random => rng.below(play.moves().len() as u32) as usize,
            };
            played.extend(game.short_texts(play.moves()).into_iter().nth(index));
            play.make(index).map_err(Stop::Rules)?;
        }
        let known = observed(game, play.situation(player).knowledge);
        seat.end(known.as_deref().unwrap_or(&played), &play.scores());
        Ok(Ok(result))
    }
}

/// A position some plies after the beginning; `None` if the game ends before. The engine of `game` keeps all values, and the game is as it was read.
///
/// # Errors
/// The rules fail.
pub fn later(game: &Runner, seed: u64) -> Result<Option<Position>, backend::Error> {
    let (mut play, mut rng) = (Play::new(&game.reasoner)?, Rng::new(seed));
    for ply in 0..MOST_BEFORE {
        match play.turn() {
            Turn::End => return Ok(None),
            Turn::Player(_) if ply >= PLIES_BEFORE => return Ok(Some(Position::of(game, play.state()))),
            Turn::Player(_) | Turn::Random => play.make(rng.below(play.moves().len() as u32) as usize)?,
        }
    }
    Ok(None)
}

/// What is wrong with a line where none is expected.
fn unasked(line: &str) -> Trouble {
    Trouble::Bot(format!("it wrote `{}` without being asked", cut(line)))
}

/// Nothing is written for a while, by a program that still runs.
fn silent(process: &mut Process) -> Result<(), Trouble> {
    match process.lines.recv_timeout(SILENCE) {
        Ok(line) => Err(unasked(&line)),
        Err(RecvTimeoutError::Timeout) => Ok(()),
        Err(RecvTimeoutError::Disconnected) => Err(process.ended()),
    }
}

/// A verdict from what was seen, or went wrong.
fn kept(seen: Result<String, Trouble>) -> Verdict {
    match seen {
        Ok(seen) => Verdict::Kept(seen),
        Err(trouble) => Verdict::Broken(trouble.to_string()),
    }
}

/// With where in a game it happened.
fn placed(trouble: Trouble, played: &[String]) -> Trouble {
    match trouble {
        Trouble::Bot(what) if played.is_empty() => Trouble::Bot(format!("{what} (at the first move)")),
        Trouble::Bot(what) => Trouble::Bot(format!("{what} (after `{}`)", cut(&played.join("; ")))),
        other => other,
    }
}

/// A time in seconds.
fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
