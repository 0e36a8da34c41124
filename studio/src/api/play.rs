//! Plays: each has a thread of its own, which knows the position and makes moves; another one thinks for it.

use super::games::{self, Version};
use super::position::Position;
use super::table::Table;
use super::thinking::{Purpose, Thinker, Thought};
use super::{Failure, Numbered};
use crate::jobs::{Stop, Stopper};
use crate::session::{Page, Reply, Session};
use crate::socket::STACK;
use agents::Spec;
use backend::{Rng, Turn};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use serde::Deserialize;
use std::sync::Arc;
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// Plays of a page at most; older ones are ended.
const MAX_PLAYS: usize = 20;

/// Moves of chance in a row at most: more than any deal has.
const MAX_CHANCE: usize = 1_000;

/// Time at least between two moves of agents, so that people can follow.
const PACE: Duration = Duration::from_millis(150);

/// What the page knows a play by: messages to its thread, which ends with it.
pub(crate) struct Handle {
    commands: Sender<Command>,
    /// Ends what the thread does when the page has left the play.
    _gone: Stopper,
}

struct Command {
    act: Act,
    reply: Reply,
}

/// What a page can do in a play.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Act {
    /// Make the legal move with this index, in the position with this number of moves before it.
    Move { index: usize, ply: usize },
    /// Go back to the position before, in which a person is to move.
    Back,
    /// Show the position after so many moves.
    Goto { ply: usize },
    /// Play on from the position that is shown: agents move again.
    Resume,
    /// Stop who is thinking, without a move.
    Stop,
    /// Show what the player to move may see, where that is hidden from others.
    Look,
    /// Show all that is hidden in a game that is over.
    Open,
    /// Who plays whom.
    Seats { seats: Vec<Option<String>> },
    /// Show a game that was played, given by its moves in full.
    Replay { moves: Vec<String> },
    /// Let an agent think about the position.
    Analyse,
    /// Tell what the last move crosses in the automaton; the answer is not a position.
    Walk,
    /// Tell why the game has ended; the answer is not a position.
    Ended,
    /// Tell why a move is not legal in the position that is shown; the answer is not a position.
    Why { text: String },
    /// Tell which legal moves a text means, in the position with so many moves before it; the answer is not a position.
    Read { text: String, ply: usize },
    /// Tell what a legal move changes in the position with so many moves before it, by its index; the answer is not a position.
    Preview { index: usize, ply: usize },
    /// Tell the moves of the play in full, as they are shared; the answer is not a position.
    Record,
}

/// A new play.
#[derive(Deserialize)]
pub(crate) struct New {
    #[serde(flatten)]
    about: games::About,
    /// Per player an agent; nothing stands for a person.
    seats: Vec<Option<String>>,
    /// Equal seeds give equal plays, except where something is hidden: who knows the seed would know the cards of others.
    seed: u64,
}

/// Begins a play of the last version of a game without errors.
pub(crate) fn begin(session: &mut Session, New { about, seats, seed }: New, reply: Reply) {
    let started = games::good(session, about).and_then(|version| Ok((version, specs(&seats)?)));
    let (version, seats) = match started {
        Ok(started) => started,
        Err(failure) => return reply.send(Err::<(), _>(failure)),
    };
    let number = session.number();
    let (commands, inbox) = unbounded();
    if session.plays.len() >= MAX_PLAYS
        && let Some(oldest) = session.plays.keys().min().copied()
    {
        session.plays.remove(&oldest);
    }
    let gone = Stopper::default();
    let place = Place { number, page: session.page.clone(), gone: gone.stop() };
    session.plays.insert(number, Handle { commands, _gone: gone });
    let work = move || run(&version, seats, seed, place, &inbox, reply);
    // Without a thread, the reply is dropped, and says so.
    let _ = thread::Builder::new().name("play".to_owned()).stack_size(STACK).spawn(work);
}

/// What is done in a play.
#[derive(Deserialize)]
pub(crate) struct Action {
    play: u32,
    #[serde(flatten)]
    act: Act,
}

/// Does something in a play; the answer is its position.
pub(crate) fn act(session: &mut Session, Action { play, act }: Action, reply: Reply) {
    let ended = || Failure::new("request", "this play has ended");
    match session.plays.get(&play) {
        // A play that has just ended drops the reply, which says so.
        Some(Handle { commands, .. }) => _ = commands.send(Command { act, reply }),
        None => reply.send(Err::<(), _>(ended())),
    }
}

/// Ends a play.
pub(crate) fn end(session: &mut Session, Numbered { number }: &Numbered) -> Result<(), Failure> {
    session.plays.remove(number);
    Ok(())
}

/// Reads who plays. Programs of others are not started for a page.
fn specs(seats: &[Option<String>]) -> Result<Vec<Option<Spec>>, Failure> {
    let spec = |text: &Option<String>| text.as_ref().map(|text| Spec::parse(text)).transpose();
    seats.iter().map(spec).collect::<Result<_, _>>().map_err(|error| Failure::new("agent", error.to_string()))
}

/// Where a play reports to.
struct Place {
    number: u32,
    page: Page,
    /// Whether the page has left.
    gone: Stop,
}

/// Leads a play until its page ends it.
fn run(
    version: &Arc<Version>,
    seats: Vec<Option<Spec>>,
    seed: u64,
    place: Place,
    inbox: &Receiver<Command>,
    reply: Reply,
) {
    let begun = version.drawn().and_then(|runner| Table::new(version, runner));
    let table = match begun {
        Ok(table) => table,
        Err(failure) => return reply.send(Err::<(), _>(failure)),
    };
    let seed = if table.runner.reasoner.hides() { unknown_seed() } else { Ok(seed) };
    let seed = match seed {
        Ok(seed) => seed,
        Err(failure) => return reply.send(Err::<(), _>(failure)),
    };
    let mut desk = Desk {
        table,
        thinker: Some(Thinker::new(version, seed)),
        thinking: None,
        seats: Vec::new(),
        is_paused: false,
        analyses: false,
        analysed: None,
        rng: Rng::new(seed),
        moved: Instant::now(),
        trouble: None,
        place,
    };
    if let Err(failure) = desk.seat(seats) {
        return reply.send(Err::<(), _>(failure));
    }
    thread::scope(|scope| {
        let (done, thoughts) = unbounded();
        desk.go_on(scope, &done);
        reply.send(Ok(desk.position()));
        loop {
            select! {
                recv(inbox) -> command => match command {
                    Ok(Command { act: Act::Walk, reply }) => reply.send(desk.table.walk()),
                    Ok(Command { act: Act::Ended, reply }) => {
                        reply.send(desk.table.ended(desk.place.gone.flag()));
                    }
                    Ok(Command { act: Act::Why { text }, reply }) => {
                        reply.send(desk.table.why(&text, desk.place.gone.flag()));
                    }
                    Ok(Command { act: Act::Read { text, ply }, reply }) => reply.send(desk.table.read(&text, ply)),
                    Ok(Command { act: Act::Preview { index, ply }, reply }) => {
                        reply.send(Ok(desk.table.preview(index, ply)));
                    }
                    Ok(Command { act: Act::Record, reply }) => reply.send(Ok(desk.table.record())),
                    Ok(Command { act, reply }) => {
                        let result = desk.act(act);
                        desk.go_on(scope, &done);
                        reply.send(result.map(|()| desk.position()));
                    }
                    Err(_) => return desk.hush(),
                },
                recv(thoughts) -> thought => if let Ok(thought) = thought {
                    desk.take(thought);
                    desk.go_on(scope, &done);
                    let position = desk.position();
                    desk.place.page.notify("position", position);
                },
            }
        }
    });
}

/// A seed that nobody knows.
fn unknown_seed() -> Result<u64, Failure> {
    let mut bytes = [0_u8; 8];
    let dealt = getrandom::fill(&mut bytes);
    dealt.map_err(|error| Failure::new("system", format!("nothing can be dealt: {error}")))?;
    Ok(u64::from_le_bytes(bytes))
}

/// A play with everybody who takes part.
struct Desk<'v> {
    table: Table<'v>,
    /// Who thinks for agents; elsewhere while it does.
    thinker: Option<Thinker<'v>>,
    /// What stops the thinker, and the position it thinks about.
    thinking: Option<(Stop, usize, Purpose)>,
    seats: Vec<Option<Spec>>,
    /// An earlier position is shown, or agents were stopped: none of them moves.
    is_paused: bool,
    /// Whether an agent thinks about positions in which a person is to move.
    analyses: bool,
    /// The moves before the position about which it has thought to the end.
    analysed: Option<Vec<String>>,
    rng: Rng,
    /// When an agent moved last.
    moved: Instant,
    /// Why an agent did not move.
    trouble: Option<Failure>,
    place: Place,
}

impl<'v> Desk<'v> {
    fn seat(&mut self, mut seats: Vec<Option<Spec>>) -> Result<(), Failure> {
        let reasoner = &self.table.runner.reasoner;
        seats.resize(reasoner.players().len(), None);
        for spec in seats.iter().flatten() {
            spec.agent(reasoner, 0).map_err(|error| Failure::new("agent", format!("`{spec}`: {error}")))?;
        }
        self.table.seat(seats.iter().map(Option::is_none).collect());
        self.seats = seats;
        Ok(())
    }

    /// Stops who is thinking.
    fn hush(&mut self) {
        if let Some((stop, ..)) = &self.thinking {
            stop.set();
        }
    }

    fn act(&mut self, act: Act) -> Result<(), Failure> {
        self.trouble = None;
        match act {
            Act::Move { index, ply } => {
                if ply != self.table.ply() || !self.table.is_for_person() {
                    return Err(Failure::new("request", "this move was chosen in another position"));
                }
                self.hush();
                self.table.make(index)?;
                (self.is_paused, self.moved) = (false, Instant::now());
            }
            Act::Back => {
                self.hush();
                self.table.back();
                self.is_paused = true;
            }
            Act::Goto { ply } => {
                self.hush();
                self.table.goto(ply);
                self.is_paused = !self.table.is_last();
            }
            Act::Resume => {
                self.table.forget_rest();
                self.is_paused = false;
            }
            Act::Stop => {
                self.hush();
                (self.is_paused, self.analyses) = (true, false);
            }
            Act::Look => self.table.look(),
            Act::Open => self.table.open()?,
            Act::Seats { seats } => {
                self.seat(specs(&seats)?)?;
                self.hush();
                // Whoever looks now asks again.
                self.analyses = self.analyses && !self.table.hides();
            }
            Act::Replay { moves } => {
                self.table.replay(&moves)?;
                self.hush();
                self.is_paused = true;
            }
            // These change nothing, and were answered.
            Act::Walk | Act::Ended | Act::Record | Act::Why { .. } | Act::Read { .. } | Act::Preview { .. } => {}
            Act::Analyse => (self.analyses, self.analysed) = (!self.analyses, None),
        }
        Ok(())
    }

    /// Makes moves of chance, and lets an agent think if there is something to think about.
    fn go_on<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, done: &Sender<Thought<'v>>)
    where
        'v: 'scope,
    {
        let mut made = 0;
        while !self.is_paused && self.table.turn() == Turn::Random && self.trouble.is_none() && self.table.moves() > 0 {
            if self.place.gone.is_set() {
                return;
            }
            if made == MAX_CHANCE {
                let message =
                    format!("chance has made {MAX_CHANCE} moves in a row: the rules may let it move for ever");
                self.trouble = Some(Failure::new("endless", message));
                self.is_paused = true;
                break;
            }
            made += 1;
            let count = u32::try_from(self.table.moves()).unwrap_or(u32::MAX);
            let index = self.rng.below(count) as usize;
            self.trouble = self.table.make(index).err();
        }
        let wanted = self.wanted();
        if let Some((stop, ply, purpose)) = &self.thinking {
            // It has to come back first.
            if wanted.as_ref().is_none_or(|wanted| wanted.1 != *purpose) || *ply != self.table.ply() {
                stop.set();
            }
            return;
        }
        let Some((player, purpose, spec)) = wanted else { return };
        let Some(thinker) = self.thinker.take() else { return };
        let stop = Stop::default();
        let ply = self.table.ply();
        // What was found before is not shown any more, and is to be found again where it is wanted.
        self.analysed = None;
        self.thinking = Some((stop.clone(), ply, purpose));
        let (made, legal) = (self.table.made(), self.table.legal());
        let (number, page, done) = (self.place.number, self.place.page.clone(), done.clone());
        let is_told = !self.table.hides() || purpose == Purpose::Analysis;
        let until = self.moved + PACE;
        let think = move || {
            let watch = |insight: serde_json::Value| page.notify("insight", insight);
            let watch: Option<&(dyn Fn(serde_json::Value) + Sync)> = if is_told { Some(&watch) } else { None };
            let thought =
                thinker.think(&super::thinking::Task { number, ply, purpose, player, spec, made, legal, stop, watch });
            if purpose == Purpose::Move {
                thread::sleep(until.saturating_duration_since(Instant::now()));
            }
            let _ = done.send(thought);
        };
        let spawned = thread::Builder::new().name("thinking".to_owned()).stack_size(STACK).spawn_scoped(scope, think);
        if spawned.is_err() {
            self.trouble = Some(Failure::new("system", "there is no room for another thread"));
        }
    }

    /// What there is to think about: for whom, what for, and who does it.
    fn wanted(&self) -> Option<(usize, Purpose, Spec)> {
        let Turn::Player(player) = self.table.turn() else { return None };
        if self.trouble.is_some() || self.table.stuck().is_some() {
            return None;
        }
        match self.seats.get(player)? {
            Some(spec) if !self.is_paused && self.table.is_last() => Some((player, Purpose::Move, spec.clone())),
            None if self.analyses && self.table.is_for_person() && !self.is_analysed() => {
                Some((player, Purpose::Analysis, Spec::parse("uct:600s").ok()?))
            }
            _ => None,
        }
    }

    /// Whether all has been thought about the position.
    fn is_analysed(&self) -> bool {
        self.analysed.as_ref().is_some_and(|made| *made == self.table.made())
    }

    /// Takes back the thinker, and makes the move it has found if that is still wanted.
    fn take(&mut self, thought: Thought<'v>) {
        let Thought { thinker, ply, purpose, chosen } = thought;
        let was_stopped = self.thinking.take().is_some_and(|(stop, ..)| stop.is_set());
        if purpose == Purpose::Analysis && !was_stopped {
            // Once it has thought for long enough, it does not begin again, and what it has found stays to be seen.
            self.analysed = Some(thinker.followed().to_vec());
            self.analyses = self.analyses && chosen.is_ok();
        }
        self.thinker = Some(thinker);
        if was_stopped || ply != self.table.ply() || !self.table.is_last() || purpose == Purpose::Analysis {
            return;
        }
        self.moved = Instant::now();
        self.trouble = chosen.and_then(|index| self.table.make(index)).err();
    }

    fn position(&mut self) -> Position {
        let mut position = self.table.position();
        position.play = self.place.number;
        position.thinking = self.thinking.as_ref().is_some_and(|(.., purpose)| *purpose == Purpose::Move);
        position.analysing = self.analyses;
        position.paused = self.is_paused;
        position.trouble = self.trouble.clone().or_else(|| self.table.stuck().cloned());
        position.seats = self.seats.iter().map(|spec| spec.as_ref().map(ToString::to_string)).collect();
        position
    }
}
