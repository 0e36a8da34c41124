//! The manager's side of a match: it asks the players for their moves, plays for those that fail, and writes down what happened.
//!
//! A match always ends. A player that does not answer in time, answers something else than a legal move, or cannot be reached, has a move
//! drawn for it; one that was silent [`PATIENCE`] times in a row is not asked any more. The role `random` is played by the manager.

use super::client::{Address, Fault, ask};
use super::message::{News, Request, excerpt, normal};
use super::scramble::Scramble;
use backend::joint::{Information, JointGame, JointReasoner, Position};
use backend::{Error, ErrorKind, Rng};
use kit::runner::Runner;
use rg_ir::RuleBook;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// How often in a row a player may be silent before it is not asked any more.
pub const PATIENCE: u32 = 3;

/// Time that a message may take, besides the clock.
const TRANSIT: Duration = Duration::from_millis(500);

/// How often it is looked whether answers are still wanted.
const POLL: Duration = Duration::from_millis(100);

/// Time for answers that nothing depends on.
const COURTESY: Duration = Duration::from_secs(2);

/// The role that chooses at random.
const RANDOM: &str = "random";

/// What all matches have in common.
pub struct Rules<'r> {
    /// The game, in an engine that keeps all fluents.
    pub runner: &'r Runner,
    /// The rules in prefix form without comments, as they are sent.
    pub text: String,
    /// Time before the first move.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// Steps after which a match is given up.
    pub max_steps: u64,
    /// Whether players get other names for all symbols.
    pub is_scrambled: bool,
}

/// A match to be played.
pub struct Match<'a> {
    /// Its name.
    pub id: String,
    /// Where the players of the roles listen, in the order of the roles without `random`.
    pub players: Vec<Address>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Set from outside when the match is not wanted any more.
    pub stop: &'a AtomicBool,
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The game was over, with the scores of the roles.
    Over(Vec<String>),
    /// It was too long.
    Long,
    /// The rules failed, or left a role without a move.
    Broken(String),
    /// It was not wanted any more.
    Stopped,
}

/// A step of a match.
#[derive(Clone, Debug)]
pub struct Step {
    /// The moves of all roles.
    pub moves: Vec<String>,
    /// Per role what went wrong with its move; empty if nothing.
    pub errors: Vec<String>,
}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its name.
    pub id: String,
    /// Its seed.
    pub seed: u64,
    /// Per role who played it; `None` is the manager, for the role `random`.
    pub players: Vec<Option<Address>>,
    /// When it began.
    pub start: SystemTime,
    /// The fluents of all states, the last one included.
    pub states: Vec<Vec<String>>,
    /// When each state was reached.
    pub times: Vec<SystemTime>,
    /// Per role what went wrong at its start; empty if nothing.
    pub start_errors: Vec<String>,
    /// What happened in between.
    pub steps: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Played {
    /// The number of moves that were drawn for a role because its player failed.
    pub fn failures(&self, role: usize) -> usize {
        self.steps.iter().filter(|step| step.errors.get(role).is_some_and(|error| !error.is_empty())).count()
    }
}

/// A role of a match under way.
struct Seat {
    role: String,
    player: Option<Address>,
    /// Failures in a row without any answer.
    silences: u32,
    /// What the role is told next (games with percepts).
    seen: Vec<String>,
}

impl Seat {
    /// Where to ask, unless the player was silent for too long.
    fn address(&self) -> Option<&Address> {
        self.player.as_ref().filter(|_| self.silences < PATIENCE)
    }
}

/// A match under way.
struct Course<'a> {
    rules: &'a Rules<'a>,
    id: &'a str,
    scramble: Scramble,
    seats: Vec<Seat>,
    rng: Rng,
    stop: &'a AtomicBool,
}

impl Rules<'_> {
    /// The roles in order.
    pub fn roles(&self) -> Vec<String> {
        let joint = self.runner.loaded.notation.joint();
        joint.map_or_else(Vec::new, |joint| joint.roles().into_iter().map(str::to_owned).collect())
    }

    /// The roles that players play.
    pub fn played_roles(&self) -> Vec<String> {
        self.roles().into_iter().filter(|role| !is_random(role)).collect()
    }

    fn book(&self) -> Option<Box<dyn RuleBook>> {
        self.runner.loaded.notation.joint()?.rules().filter(|rules| rules.has_percepts())
    }

    /// Plays a match. Takes as long as the clocks allow, or as the players need.
    ///
    /// # Errors
    /// The game cannot even begin, or is none of joint moves.
    pub fn play(&self, match_: &Match<'_>) -> Result<Played, Error> {
        let mut rng = Rng::new(match_.seed);
        let scramble = if self.is_scrambled { Scramble::new(&self.text, &mut rng) } else { Scramble::default() };
        let mut addresses = match_.players.iter();
        let seat = |role: String| {
            let player = if is_random(&role) { None } else { addresses.next().cloned() };
            Seat { role, player, silences: 0, seen: Vec::new() }
        };
        let seats = self.roles().into_iter().map(seat).collect();
        Course { rules: self, id: &match_.id, scramble, seats, rng, stop: match_.stop }.run(match_)
    }
}

impl Course<'_> {
    fn run(mut self, match_: &Match<'_>) -> Result<Played, Error> {
        let mut book = self.rules.book();
        let information = if book.is_some() { Information::Percepts } else { Information::Open };
        let Runner { reasoner, loaded, .. } = self.rules.runner;
        let Some(game) = JointReasoner::new(reasoner, &*loaded.notation, information) else {
            return Err(Error::new(ErrorKind::Invalid, "", "the game has no joint moves".to_owned()));
        };
        let mut state = game.initial()?;
        let start = SystemTime::now();
        let start_errors = self.start();
        let (mut states, mut times, mut steps) = (Vec::new(), Vec::new(), Vec::<Step>::new());
        let outcome = loop {
            if match_.stop.load(Ordering::Relaxed) {
                break Outcome::Stopped;
            }
            let position = match game.position(&state) {
                Ok(position) => position,
                Err(error) => break Outcome::Broken(error.message),
            };
            states.push(position.fluents().unwrap_or_default().to_vec());
            times.push(SystemTime::now());
            let legal = match position {
                Position::Over { goals, .. } => break Outcome::Over(goals),
                Position::Stuck => break Outcome::Broken("some role has no legal move".to_owned()),
                Position::Open { legal, .. } => legal,
            };
            if steps.len() as u64 >= self.rules.max_steps {
                break Outcome::Long;
            }
            let step = self.step(&legal, steps.last(), steps.len() as u64, book.is_some());
            if match_.stop.load(Ordering::Relaxed) {
                break Outcome::Stopped;
            }
            if let (Some(book), Some(fluents)) = (&mut book, states.last())
                && !self.told(&mut **book, &fluents.join("\n"), &step.moves)
            {
                break Outcome::Broken("what the roles see could not be worked out".to_owned());
            }
            match game.step(&state, &step.moves) {
                Ok((next, _)) => state = next,
                Err(error) => break Outcome::Broken(error.message),
            }
            steps.push(step);
        };
        self.end(&outcome, steps.last(), steps.len() as u64, book.is_some());
        let players = self.seats.into_iter().map(|seat| seat.player).collect();
        let (id, seed) = (match_.id.clone(), match_.seed);
        Ok(Played { id, seed, players, start, states, times, start_errors, steps, outcome })
    }

    /// Tells all players that the match begins, and waits until they are ready or the clock is over.
    fn start(&mut self) -> Vec<String> {
        let Rules { start_clock, play_clock, .. } = *self.rules;
        let rules = self.scramble.hide(&self.rules.text);
        let request = |seat: &Seat| Request::Start {
            id: self.id.to_owned(),
            role: self.scramble.hide(&seat.role),
            rules: rules.clone(),
            start_clock,
            play_clock,
        };
        let requests: Vec<Request> = self.seats.iter().map(request).collect();
        let answers = self.ask_all(&requests, start_clock + TRANSIT);
        let error = |answer: Option<Result<String, Fault>>| match answer {
            None => String::new(),
            Some(Err(fault)) => fault.to_string(),
            Some(Ok(text)) if text.trim().eq_ignore_ascii_case("ready") => String::new(),
            Some(Ok(text)) => format!("`READY` is expected, found `{}`", excerpt(&text)),
        };
        answers.into_iter().map(error).collect()
    }

    /// Asks all players for a move.
    fn step(&mut self, legal: &[Vec<String>], last: Option<&Step>, turn: u64, has_percepts: bool) -> Step {
        let request = |(role, seat)| Request::Play {
            id: self.id.to_owned(),
            news: self.news(role, seat, last, turn, has_percepts),
        };
        let requests: Vec<Request> = self.seats.iter().enumerate().map(request).collect();
        let answers = self.ask_all(&requests, self.rules.play_clock + TRANSIT);
        let (mut moves, mut errors) = (Vec::new(), Vec::new());
        for (role, (answer, legal)) in answers.into_iter().zip(legal).enumerate() {
            let found = match answer {
                None if self.seats.get(role).is_some_and(|seat| seat.player.is_some()) => {
                    Err(format!("not asked after {PATIENCE} failures"))
                }
                // The manager's own role.
                None => Err(String::new()),
                Some(answer) => self.chosen(answer, legal),
            };
            let (chosen, error) = match found {
                Ok(chosen) => (chosen, String::new()),
                Err(error) => {
                    let drawn = self.rng.below(legal.len().max(1) as u32) as usize;
                    (legal.get(drawn).cloned().unwrap_or_default(), error)
                }
            };
            moves.push(chosen);
            errors.push(error);
        }
        Step { moves, errors }
    }

    /// The legal move that an answer names.
    fn chosen(&self, answer: Result<String, Fault>, legal: &[String]) -> Result<String, String> {
        let text = answer.map_err(|fault| fault.to_string())?;
        let wanted = normal(&self.scramble.reveal(text.trim()));
        let found =
            legal.iter().find(|legal| **legal == wanted).or_else(|| legal.iter().find(|legal| normal(legal) == wanted));
        found.cloned().ok_or_else(|| format!("`{}` is not a legal move", excerpt(&text)))
    }

    /// What a role is told of the last step.
    fn news(&self, role: usize, seat: &Seat, last: Option<&Step>, turn: u64, has_percepts: bool) -> News {
        let hidden = |texts: &[String]| texts.iter().map(|text| self.scramble.hide(text)).collect();
        match last {
            _ if has_percepts => {
                let own = last.and_then(|step| step.moves.get(role)).map(|text| self.scramble.hide(text));
                News::Percepts { turn, own, seen: hidden(&seat.seen) }
            }
            None => News::Nothing,
            Some(step) => News::Moves(hidden(&step.moves)),
        }
    }

    /// Finds out what the roles see of a step; whether that was possible.
    fn told(&mut self, book: &mut dyn RuleBook, state: &str, moves: &[String]) -> bool {
        let Some(seen) = book.percepts(state, moves) else { return false };
        for (seat, seen) in self.seats.iter_mut().zip(seen) {
            seat.seen = seen;
        }
        true
    }

    /// Tells all players that the match is over; nothing depends on their answers.
    fn end(&mut self, outcome: &Outcome, last: Option<&Step>, turn: u64, has_percepts: bool) {
        let request = |(role, seat)| match outcome {
            Outcome::Over(_) => {
                let news = self.news(role, seat, last, turn, has_percepts);
                Request::Stop { id: self.id.to_owned(), news }
            }
            _ => Request::Abort { id: self.id.to_owned() },
        };
        let requests: Vec<Request> = self.seats.iter().enumerate().map(request).collect();
        self.ask_all(&requests, COURTESY);
    }

    /// Sends each player its request, to all at the same time; `None` for those that are not asked.
    fn ask_all(&mut self, requests: &[Request], time: Duration) -> Vec<Option<Result<String, Fault>>> {
        let deadline = Instant::now() + time;
        let (sender, receiver) = channel();
        let mut answers = Vec::new();
        for (role, (seat, request)) in self.seats.iter().zip(requests).enumerate() {
            let Some(address) = seat.address().cloned() else {
                answers.push(None);
                continue;
            };
            let (request, sender) = (request.clone(), sender.clone());
            let asked = move || {
                let left = deadline.saturating_duration_since(Instant::now());
                // Nobody waits for an answer any more once the match is stopped.
                let _ = sender.send((role, ask(&address, &request, left)));
            };
            let spawned = thread::Builder::new().name("player".to_owned()).spawn(asked);
            // Until there is an answer, there is none.
            answers
                .push(Some(Err(spawned.map_or_else(|error| Fault::Unreachable(error.to_string()), |_| Fault::Late))));
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(POLL) {
                Ok((role, answer)) => {
                    if let Some(slot) = answers.get_mut(role) {
                        *slot = Some(answer);
                    }
                }
                Err(RecvTimeoutError::Timeout) if !self.stop.load(Ordering::Relaxed) => {}
                // All have answered, or no answer is wanted any more.
                Err(_) => break,
            }
        }
        for (seat, answer) in self.seats.iter_mut().zip(&answers) {
            match answer {
                Some(Err(fault)) if fault.is_silence() => seat.silences += 1,
                Some(_) => seat.silences = 0,
                None => {}
            }
        }
        answers
    }
}

fn is_random(role: &str) -> bool {
    role.eq_ignore_ascii_case(RANDOM)
}
