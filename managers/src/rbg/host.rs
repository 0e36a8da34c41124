//! The manager's side: it waits for players, tells each what happens, and writes games down.
//!
//! A player that is late, sends something else than a legal move, moves when it is not asked, or goes away, loses the game by forfeit and
//! its place; somebody else may take it before the next game.

use super::wire::{Fault, MAX_WORD, Wire};
use ::rbg::NumericMoves;
use agents::Play;
use backend::{Error, Turn};
use kit::record::{Check, PlayLine};
use kit::runner::Runner;
use rg_ir::SourceId;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time that a message may take, besides the clock.
const TRANSIT: Duration = Duration::from_millis(500);

/// How often it is looked whether a player has come.
const POLL: Duration = Duration::from_millis(10);

/// What players say when they can begin.
const READY: &str = "ready";

/// What players are told behind a game.
const RESET: &str = "reset";

/// A manager of one game.
pub struct Host<'r> {
    /// The game, in an engine.
    pub runner: &'r Runner,
    /// Its rules as they are sent.
    pub text: &'r str,
    /// How its moves are written.
    pub numeric: NumericMoves,
    /// Time for players to come and to prepare themselves.
    pub preparation: Duration,
    /// Time for each move.
    pub clock: Duration,
    /// Plies after which a game is given up.
    pub max_plies: u64,
    /// Set from outside when no more games are wanted.
    pub stop: &'r AtomicBool,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// By the rules, with the scores of the players.
    Over(Vec<String>),
    /// A player, by number from 0, broke the protocol.
    Forfeit(usize, String),
    /// It was too long.
    Long,
    /// It was not wanted any more.
    Stopped,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Game {
    /// As a line of a record.
    pub line: PlayLine,
    /// How it ended.
    pub outcome: Outcome,
}

/// Who sits at the table: a connection for each player.
#[derive(Debug, Default)]
pub struct Seating {
    seats: Vec<Option<Wire>>,
}

impl<'r> Host<'r> {
    /// A manager for a game in RBG; `None` if the text is none.
    pub fn new(runner: &'r Runner, text: &'r str, stop: &'r AtomicBool) -> Option<Self> {
        let (description, _) = ::rbg::parse(SourceId(0), text);
        let numeric = NumericMoves::new(&description?);
        let clock = Duration::from_secs(10);
        Some(Self { runner, text, numeric, preparation: clock * 6, clock, max_plies: 10_000, stop })
    }

    /// Waits until there is a player for each seat that is free. Seats are given in the order in which players come.
    ///
    /// # Errors
    /// Why somebody is missing, in one line.
    pub fn seat(&self, listener: &TcpListener, seating: &mut Seating) -> Result<(), String> {
        let players = self.runner.players().count();
        seating.seats.resize_with(players, || None);
        listener.set_nonblocking(true).map_err(|error| error.to_string())?;
        let deadline = Instant::now() + self.preparation;
        while let Some(free) = seating.seats.iter().position(Option::is_none) {
            if self.stop.load(Ordering::Relaxed) {
                return Err("it was stopped".to_owned());
            }
            if Instant::now() > deadline {
                let missing = seating.seats.iter().filter(|seat| seat.is_none()).count();
                return Err(format!("{missing} of {players} players did not come in time"));
            }
            match listener.accept() {
                Ok((stream, _)) => {
                    let wire = Wire::new(stream).ok().and_then(|wire| self.greeted(wire, free, deadline).ok());
                    if let Some(seat) = seating.seats.get_mut(free) {
                        *seat = wire;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => thread::sleep(POLL),
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(())
    }

    /// Tells a player what the game is, and waits until it is ready.
    fn greeted(&self, mut wire: Wire, seat: usize, deadline: Instant) -> Result<Wire, Fault> {
        wire.send(&seconds(self.preparation))?;
        wire.send(self.text)?;
        wire.send(&(seat + 1).to_string())?;
        let said = wire.receive(deadline + TRANSIT, MAX_WORD)?;
        match said.trim() {
            READY => Ok(wire),
            _ => Err(Fault::Message("`ready` is expected".to_owned())),
        }
    }

    /// Plays a game. Players that break the protocol lose their seats.
    ///
    /// # Errors
    /// The rules fail.
    pub fn play(&self, seating: &mut Seating, number: u64) -> Result<Game, Error> {
        let mut play = Play::new(&self.runner.reasoner)?;
        let (mut check, mut moves) = (Check::default(), Vec::new());
        let outcome = loop {
            let player = match play.turn() {
                Turn::Player(player) => player,
                Turn::End | Turn::Random => {
                    break Outcome::Over(play.scores().into_iter().map(str::to_owned).collect());
                }
            };
            if self.stop.load(Ordering::Relaxed) {
                break Outcome::Stopped;
            }
            if moves.len() as u64 >= self.max_plies {
                break Outcome::Long;
            }
            let (index, text) = match self.asked(&play, seating, player) {
                Ok(chosen) => chosen,
                Err(why) => {
                    if let Some(seat) = seating.seats.get_mut(player) {
                        *seat = None;
                    }
                    break Outcome::Forfeit(player, why);
                }
            };
            check.add(self.runner, &play, index);
            moves.extend(self.runner.texts(play.moves()).into_iter().nth(index));
            play.make(index)?;
            self.tell(seating, &text, Some(player));
        };
        self.tell(seating, RESET, None);
        let line = PlayLine {
            play: number,
            seats: self.runner.players().map(str::to_owned).collect(),
            seed: 0,
            moves,
            scores: play.scores().into_iter().map(str::to_owned).collect(),
            over: play.turn() == Turn::End,
            check: check.text(),
        };
        Ok(Game { line, outcome })
    }

    /// The index of the move that a player chooses, and the move in numeric form.
    fn asked(&self, play: &Play<'_>, seating: &mut Seating, player: usize) -> Result<(usize, String), String> {
        let seat = seating.seats.get_mut(player).and_then(Option::as_mut).ok_or("nobody plays")?;
        if seat.has_news() {
            return Err("it spoke, or went away, when it was not asked".to_owned());
        }
        let said = seat.send(&seconds(self.clock));
        let said = said.and_then(|()| seat.receive(Instant::now() + self.clock + TRANSIT, MAX_WORD));
        let said = said.map_err(|fault| fault.to_string())?;
        let wanted = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let texts = numbered(self.runner, &self.numeric, play);
        let index = texts.iter().position(|text| text.as_deref() == Some(&*wanted));
        let cut: String = wanted.chars().filter(|c| !c.is_control()).take(60).collect();
        index.map(|index| (index, wanted)).ok_or_else(|| format!("`{cut}` is not a legal move"))
    }

    /// Sends something to all players but one. Who cannot be reached is found out when it is to move.
    fn tell(&self, seating: &mut Seating, text: &str, but: Option<usize>) {
        let others = seating.seats.iter_mut().enumerate().filter(|(player, _)| Some(*player) != but);
        for wire in others.filter_map(|(_, seat)| seat.as_mut()) {
            let _ = wire.send(text);
        }
    }
}

/// The legal moves in numeric form.
pub(super) fn numbered(runner: &Runner, numeric: &NumericMoves, play: &Play<'_>) -> Vec<Option<String>> {
    runner.tags(play.moves()).iter().map(|tags| numeric.text(tags)).collect()
}

/// A time in seconds.
fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}
