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
use std::sync::mpsc::channel;
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

    /// Waits until there is a player for each seat that is free. Seats are given in the order in which players come; each then has the
    /// time to prepare itself.
    ///
    /// # Errors
    /// Why somebody is missing, in one line.
    pub fn seat(&self, listener: &TcpListener, seating: &mut Seating) -> Result<(), String> {
        let players = self.runner.players().count();
        seating.seats.resize_with(players, || None);
        listener.set_nonblocking(true).map_err(|error| error.to_string())?;
        let deadline = Instant::now() + self.preparation;
        let (sender, receiver) = channel();
        let mut greeted = vec![false; players];
        loop {
            while let Ok((seat, wire)) = receiver.try_recv() {
                if let (Some(slot), Some(greeted)) = (seating.seats.get_mut(seat), greeted.get_mut(seat)) {
                    (*slot, *greeted) = (wire, false);
                }
            }
            let missing = seating.seats.iter().filter(|seat| seat.is_none()).count();
            if missing == 0 {
                return Ok(());
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err("it was stopped".to_owned());
            }
            let free = (0..players)
                .find(|&seat| seating.seats.get(seat).is_some_and(Option::is_none) && !is_in(&greeted, seat));
            let Some(free) = free.filter(|_| Instant::now() < deadline) else {
                if !greeted.contains(&true) {
                    return Err(format!("{missing} of {players} players did not come in time"));
                }
                thread::sleep(POLL);
                continue;
            };
            // Connections that are gone again, or cannot be made now, are no players.
            let Some(wire) = listener.accept().ok().and_then(|(stream, _)| Wire::new(stream).ok()) else {
                thread::sleep(POLL);
                continue;
            };
            let (greeting, sender) = (self.greeting(free), sender.clone());
            let greet = move || _ = sender.send((free, greeting.said(wire).ok()));
            if thread::Builder::new().name("greeting".to_owned()).spawn(greet).is_ok() {
                greeted.iter_mut().skip(free).take(1).for_each(|greeted| *greeted = true);
            }
        }
    }

    /// What a player of that seat is told first.
    fn greeting(&self, seat: usize) -> Greeting {
        Greeting { preparation: self.preparation, text: self.text.to_owned(), seat }
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
        let seat = seating.seats.get_mut(player).and_then(Option::as_mut).ok_or("it went away")?;
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

    /// Sends something to all players but one. Who cannot be reached has lost its seat, and loses the game when it is to move.
    fn tell(&self, seating: &mut Seating, text: &str, but: Option<usize>) {
        for (_, seat) in seating.seats.iter_mut().enumerate().filter(|(player, _)| Some(*player) != but) {
            *seat = seat.take().and_then(|mut wire| wire.send(text).is_ok().then_some(wire));
        }
    }
}

fn is_in(flags: &[bool], at: usize) -> bool {
    flags.get(at).copied().unwrap_or(false)
}

/// What a player is told when it comes.
struct Greeting {
    preparation: Duration,
    text: String,
    seat: usize,
}

impl Greeting {
    /// Tells a player what the game is, and waits until it is ready.
    fn said(&self, mut wire: Wire) -> Result<Wire, Fault> {
        wire.send(&seconds(self.preparation))?;
        wire.send(&self.text)?;
        wire.send(&(self.seat + 1).to_string())?;
        let said = wire.receive(Instant::now() + self.preparation + TRANSIT, MAX_WORD)?;
        match said.trim() {
            READY => Ok(wire),
            _ => Err(Fault::Message("`ready` is expected".to_owned())),
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
