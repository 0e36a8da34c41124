//! A player for RBG game managers.

use super::host::numbered;
use super::wire::{Fault, MAX_RULES, MAX_WORD, Wire};
use ::rbg::NumericMoves;
use agents::Play;
use backend::{Options, Turn};
use kit::language::{Reading, choose};
use kit::load::game_or_first;
use kit::participant::{Chooser, Participant, Trouble};
use kit::runner::Runner;
use rg_ir::SourceId;
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The part of the time for a move that is kept for its way, and the most that is.
const MARGIN_PART: u32 = 8;
const MOST_MARGIN: Duration = Duration::from_secs(1);

/// How long a message of the manager is waited for before it is looked whether to stop.
const POLL: Duration = Duration::from_millis(200);

/// Longest time that is waited for a manager, or believed to be given for a move: a day.
const FOREVER: Duration = Duration::from_secs(86_400);

/// Who plays.
#[derive(Clone, Debug)]
pub struct Player {
    /// Who chooses the moves.
    pub agent: Participant,
    /// Seed of the agent.
    pub seed: u64,
    /// How games are read.
    pub reading: Reading,
}

/// Plays games over a connection until the manager closes it, or `stop` is set; returns their number. `log` gets what happens.
///
/// # Errors
/// Why it cannot go on, in one line.
pub fn join(stream: TcpStream, player: &Player, stop: &AtomicBool, log: &dyn Fn(&str)) -> Result<u64, String> {
    let wire = Wire::new(stream).map_err(|error| error.to_string())?;
    let mut line = Line { wire, stop };
    let preparation: f64 = line.number("the time to prepare")?;
    let text = line.receive(MAX_RULES)?.ok_or("the manager sent no game")?;
    let number: f64 = line.number("the number of a player")?;
    let runner = runner(&text, player.reading).map_err(|finding| finding.message)?;
    let (description, _) = ::rbg::parse(SourceId(0), &text);
    let numeric = NumericMoves::new(&description.ok_or("the rules cannot be read")?);
    let seat = (number as usize).checked_sub(1).filter(|&seat| seat < runner.players().count());
    let seat = seat.ok_or_else(|| format!("there is no player number {number}"))?;
    let name = runner.players().nth(seat).unwrap_or_default().to_owned();
    log(&format!("plays {name}, with {preparation} s to prepare"));
    // Programs are started now, not in the time for the first move.
    player.agent.try_out(&runner)?;
    line.send("ready")?;
    let mut games = 0;
    loop {
        let table = Table { runner: &runner, numeric: &numeric, player, seat, seed: player.seed.wrapping_add(games) };
        match table.game(&mut line)? {
            Some(scores) => log(&format!("game {}: {}", games + 1, scores.join(", "))),
            None => return Ok(games),
        }
        games += 1;
    }
}

/// The connection to the manager.
struct Line<'s> {
    wire: Wire,
    stop: &'s AtomicBool,
}

impl Line<'_> {
    fn send(&mut self, text: &str) -> Result<(), String> {
        self.wire.send(text).map_err(|fault| fault.to_string())
    }

    /// The next message; `None` if the manager has gone, or no more is wanted.
    fn receive(&mut self, most: usize) -> Result<Option<String>, String> {
        let start = Instant::now();
        while start.elapsed() < FOREVER && !self.stop.load(Ordering::Relaxed) {
            match self.wire.receive(Instant::now() + POLL, most) {
                Ok(text) => return Ok(Some(text)),
                Err(Fault::Late) => {}
                Err(Fault::Closed) => return Ok(None),
                Err(fault) => return Err(fault.to_string()),
            }
        }
        Ok(None)
    }

    fn number(&mut self, what: &str) -> Result<f64, String> {
        let text =
            self.receive(MAX_WORD)?.ok_or_else(|| format!("{what} is expected, but the connection was closed"))?;
        number(&text, what)
    }
}

fn number(text: &str, what: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| format!("{what} is expected, found `{}`", text.chars().take(60).collect::<String>()))
}

/// A player at a game.
struct Table<'t> {
    runner: &'t Runner,
    numeric: &'t NumericMoves,
    player: &'t Player,
    seat: usize,
    seed: u64,
}

impl Table<'_> {
    /// Plays one game; its scores, or nothing if the manager has gone.
    fn game(&self, line: &mut Line<'_>) -> Result<Option<Vec<String>>, String> {
        let failed = |error: backend::Error| error.message;
        let mut play = Play::new(&self.runner.reasoner).map_err(failed)?;
        let mut chooser: Option<(Duration, Chooser<'_>)> = None;
        let mut played = Vec::new();
        while let Turn::Player(mover) = play.turn() {
            let Some(said) = line.receive(MAX_WORD)? else { return Ok(None) };
            let index = if mover == self.seat {
                // A game that is given up is followed by the next one.
                if is_reset(&said) {
                    return Ok(Some(Vec::new()));
                }
                let clock = number(&said, "the time for a move")?;
                let time = thinking(Duration::from_secs_f64(clock.min(FOREVER.as_secs_f64())));
                // An agent with more time than there is would be late.
                if chooser.as_ref().is_none_or(|(given, _)| *given > time) {
                    let agent = self.player.agent.clone().within(time);
                    chooser = Some((time, agent.begin(self.runner, self.seat, self.seed)?));
                }
                let Some((_, chooser)) = &mut chooser else { return Err("there is no agent".to_owned()) };
                let situation = play.situation(self.seat).until(line.stop);
                let index = match chooser.choose(&situation, &played) {
                    Ok(choice) => choice.index,
                    Err(Trouble::Stopped) => return Ok(None),
                    Err(trouble) => return Err(trouble.to_string()),
                };
                let tags = self.runner.tags(play.moves());
                let text = tags.get(index).and_then(|tags| self.numeric.text(tags));
                line.send(&text.ok_or("a move has no numeric form")?)?;
                index
            } else {
                let wanted = said.split_whitespace().collect::<Vec<_>>().join(" ");
                let texts = numbered(self.runner, self.numeric, &play);
                match texts.iter().position(|text| text.as_deref() == Some(&*wanted)) {
                    Some(index) => index,
                    None if is_reset(&wanted) => return Ok(Some(Vec::new())),
                    None => {
                        let said: String = wanted.chars().filter(|c| !c.is_control()).take(60).collect();
                        return Err(format!("the manager says `{said}`, which is not a legal move"));
                    }
                }
            };
            if self.player.agent.is_bot() {
                played.extend(self.runner.short_texts(play.moves()).into_iter().nth(index));
            }
            play.make(index).map_err(failed)?;
        }
        if let Some((_, chooser)) = chooser {
            chooser.end(play.situation(self.seat).knowledge, &played, &play.scores());
        }
        let scores = play.scores().into_iter().map(str::to_owned).collect();
        // The game is over for everybody; the manager says so, too.
        Ok(line.receive(MAX_WORD)?.map(|_| scores))
    }
}

/// Whether the manager says that a game has ended: by a word, and not by numbers.
fn is_reset(said: &str) -> bool {
    said.trim().starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Time for thinking, of the time for a move.
fn thinking(clock: Duration) -> Duration {
    clock.saturating_sub((clock / MARGIN_PART).min(MOST_MARGIN))
}

/// The game in an engine.
fn runner(text: &str, reading: Reading) -> kit::Result<Runner> {
    let language = choose(Path::new("game"), Some("rbg"), text)?;
    let loaded = game_or_first(SourceId(0), "game", text, language, reading)?;
    Runner::new(loaded.optimised(2)?, Options::default())
}
