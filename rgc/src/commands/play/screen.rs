//! A play on the whole screen of a terminal.
//!
//! [`state::Screen`] is what the screen shows and what keys do to it; [`view::render`] draws it. Neither knows a
//! terminal. This file joins them with a game and with the terminal, whose state is restored however the game ends.

pub(crate) mod remarks;
pub(super) mod state;
mod view;

use super::command::quits_at_once;
use super::leave::{UNSAVED, Unsaved};
use super::{Command, PREPARING, STOPPED, Sitting, Watch, pause, plain};
use crate::runner::CHANCE;
use crate::session::{Failure, Session, finding};
use backend::Turn;
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use ratatui::layout::Rect;
use remarks::Remarks;
use state::{Action, Busy, Scene, Screen};
use std::collections::VecDeque;
use std::io::{self, IsTerminal};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// Whether there is a terminal.
///
/// # Errors
/// `IO352`.
pub(super) fn possible() -> Result<(), Failure> {
    let why = if !io::stdin().is_terminal() {
        "standard input is not one"
    } else if !io::stdout().is_terminal() {
        "standard output is not one"
    } else if std::env::var_os("TERM").is_some_and(|kind| kind == "dumb") {
        "TERM says that this one is `dumb`"
    } else {
        return Ok(());
    };
    let message = format!("`--full-screen` requires a terminal, but {why}");
    Err(finding("IO352", message).help("leave out `--full-screen`").into())
}

/// Leads through a play.
pub(super) fn run(session: &mut Session, sitting: &mut Sitting<'_>) -> Result<(), Failure> {
    let lost = |error: io::Error| finding("IO352", format!("the terminal cannot be used: {error}"));
    // This one puts the terminal back in a panic as well.
    let mut terminal = ratatui::try_init().map_err(lost)?;
    let result = match Remarks::collect() {
        Ok(remarks) => lead(session, sitting, &mut terminal, (&mut Keyboard, &remarks.0)),
        Err(error) => Err(lost(error).into()),
    };
    ratatui::restore();
    result
}

/// Where keys come from.
trait Keys {
    /// The next event: waits for it, or returns `None` if there is none yet. `Err` also where there will be none any more.
    fn next(&mut self, wait: bool) -> io::Result<Option<Event>>;

    /// Drops what was pressed and has not been read, and what is pressed within a time from now on.
    fn forget(&mut self, within: Duration) -> io::Result<()>;
}

/// The keyboard of the terminal.
struct Keyboard;

impl Keys for Keyboard {
    fn next(&mut self, wait: bool) -> io::Result<Option<Event>> {
        if wait || event::poll(Duration::ZERO)? { event::read().map(Some) } else { Ok(None) }
    }

    fn forget(&mut self, within: Duration) -> io::Result<()> {
        let end = Instant::now() + within;
        while event::poll(end.saturating_duration_since(Instant::now()))? {
            event::read()?;
        }
        Ok(())
    }
}

/// The play, with any terminal, keyboard, and lines that others write.
fn lead<B: Backend>(
    session: &mut Session,
    sitting: &mut Sitting<'_>,
    terminal: &mut Terminal<B>,
    (keys, remarks): (&mut impl Keys, &Receiver<String>),
) -> Result<(), Failure> {
    let screen = Screen::new(session.colours());
    let (since, said) = (Instant::now(), VecDeque::new());
    let mut face = Face {
        screen,
        terminal,
        keys,
        remarks,
        said,
        unsaved: sitting.unsaved.clone(),
        is_left: false,
        is_stopped: false,
        since,
    };
    face.screen.tell(&sitting.resumed.take().unwrap_or_default());
    loop {
        face.collect();
        if let Some(text) = sitting.awaited().map(pause::text) {
            let cut = if std::mem::take(&mut sitting.is_cut) { pause::CUT } else { "" };
            if !face.wait_for(&text, cut)? {
                return Ok(());
            }
            sitting.arrive();
        }
        face.screen.show(scene(sitting));
        view::lay(face.area()?, &mut face.screen, |room| sitting.board(room));
        face.screen.offer(sitting.offered(face.screen.wanted()));
        let what = || if sitting.is_prepared() { sitting.thinker() } else { PREPARING.to_owned() };
        face.begin(sitting.thinks().then(|| Busy { what: what(), seconds: 0, is_asked: false }));
        face.draw()?;
        if !sitting.waits() {
            if sitting.thinks() && !sitting.is_prepared() {
                if !sitting.prepare(session, Some(&mut || face.look()))? {
                    return Ok(());
                }
                face.begin(Some(Busy { what: sitting.thinker(), seconds: 0, is_asked: false }));
            }
            let said = sitting.advance(Some(&mut || face.look()))?;
            face.screen.tell(&said.unwrap_or_default());
        } else if let Some(line) = face.said.pop_front() {
            if say(session, sitting, &mut face, &line)? {
                return Ok(());
            }
        } else {
            face.listen(true)?;
        }
        if face.is_left {
            return Ok(());
        }
    }
}

/// What the one who plays looks at and types on.
struct Face<'a, B: Backend, K: Keys> {
    screen: Screen,
    terminal: &'a mut Terminal<B>,
    keys: &'a mut K,
    /// Lines that bots and other parts of the program write.
    remarks: &'a Receiver<String>,
    /// What was said and not done yet: it is when a human is to move, in this order.
    said: VecDeque<String>,
    /// Whether a human would lose moves by leaving.
    unsaved: Unsaved,
    /// Whether the play is left.
    is_left: bool,
    /// Whether what takes long is not wanted any more.
    is_stopped: bool,
    /// Since when something takes long, if anything does.
    since: Instant,
}

impl<B: Backend, K: Keys> Face<'_, B, K> {
    fn area(&self) -> Result<Rect, Failure> {
        let size = self.terminal.size();
        let size = size.map_err(|error| finding("IO352", format!("the terminal cannot be drawn on: {error}")))?;
        Ok(Rect::new(0, 0, size.width, size.height))
    }

    /// Something takes long from now on, or nothing does.
    fn begin(&mut self, busy: Option<Busy>) {
        (self.since, self.is_stopped) = (Instant::now(), false);
        self.screen.set_busy(busy);
    }

    /// Shows what others have written; whether there is anything.
    fn collect(&mut self) -> bool {
        let before = self.screen.messages.len();
        self.remarks.try_iter().for_each(|line| self.screen.tell(&line));
        self.screen.messages.len() != before
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let area = self.area()?;
        view::measure(area, &mut self.screen);
        let drawn = self.terminal.draw(|frame| view::render(frame, &self.screen));
        drawn.map_err(|error| finding("IO352", format!("the terminal cannot be drawn on: {error}")))?;
        Ok(())
    }

    /// Shows nothing but these texts until a player's human is at the keyboard; whether the play goes on. What was said early was said by another one.
    fn wait_for(&mut self, text: &str, remark: &str) -> Result<bool, Failure> {
        self.said.clear();
        self.begin(None);
        self.screen.pause(text);
        self.screen.tell(remark);
        self.draw()?;
        self.keys.forget(pause::DELIBERATE).map_err(unread)?;
        while self.screen.is_paused {
            self.draw()?;
            self.listen(true)?;
            if self.is_left {
                return Ok(false);
            }
            self.collect();
        }
        Ok(true)
    }

    /// Takes in the next event, or returns `false` if there is none yet and it need not wait for one.
    fn listen(&mut self, wait: bool) -> Result<bool, Failure> {
        let event = self.keys.next(wait).map_err(unread)?;
        match event.as_ref().and_then(pressed).and_then(|key| self.screen.press(key)) {
            Some(Action::Quit) => self.leave(),
            Some(Action::Interrupt) => return Err(Failure::Interrupted),
            Some(Action::Stop) => self.is_stopped = true,
            // In a pause, a line can only answer the question whether to leave.
            Some(Action::Say(line)) if self.screen.is_paused => self.is_left |= self.unsaved.is_confirmed(&line),
            Some(Action::Say(line)) => self.said.push_back(line),
            None => {}
        }
        Ok(event.is_some())
    }

    /// The play is left, unless that has to be asked about.
    fn leave(&mut self) {
        if self.unsaved.asks() {
            self.screen.tell(UNSAVED);
        } else {
            self.is_left = true;
        }
    }

    /// Takes in everything that was typed while something takes long; returns whether that is not wanted any more. Lines are done later, but for the
    /// one that ends the play.
    fn look(&mut self) -> Result<bool, Failure> {
        let mut changed = self.screen.set_seconds(self.since.elapsed().as_secs());
        changed |= self.collect();
        while !self.is_left && !self.is_stopped && self.listen(false)? {
            changed = true;
            let before = self.said.len().saturating_sub(1);
            if let Some(last) = self.said.pop_back() {
                match quits_at_once(&last, before) {
                    true => self.leave(),
                    false => self.said.push_back(last),
                }
            }
        }
        if changed {
            self.draw()?;
        }
        Ok(self.is_left || self.is_stopped)
    }
}

fn unread(error: io::Error) -> Failure {
    finding("IO303", format!("cannot read keys: {error}")).into()
}

/// The key that was pressed, if any was.
fn pressed(event: &Event) -> Option<KeyEvent> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(*key),
        _ => None,
    }
}

/// Does what a line says; whether that ends the play.
fn say<B: Backend, K: Keys>(
    session: &mut Session,
    sitting: &mut Sitting<'_>,
    face: &mut Face<'_, B, K>,
    line: &str,
) -> Result<bool, Failure> {
    let command = match sitting.command(line) {
        None => return Ok(false),
        Some(Command::Quit) => {
            face.leave();
            return Ok(face.is_left);
        }
        Some(command) => command,
    };
    if sitting.needs_engine(&command) {
        face.begin(Some(Busy { what: PREPARING.to_owned(), seconds: 0, is_asked: true }));
        face.draw()?;
        if !sitting.prepare(session, Some(&mut || face.look()))? {
            face.screen.tell(STOPPED);
            return Ok(false);
        }
    }
    if let Some(what) = sitting.busy_with(&command) {
        face.begin(Some(Busy { what, seconds: 0, is_asked: true }));
        face.draw()?;
    }
    let is_help = matches!(command, Command::Help(""));
    let takes_back = matches!(command, Command::Undo | Command::New);
    let watch: Watch<'_> = &mut || face.look();
    match sitting.execute(session, command, Some(watch)) {
        Ok(said) if is_help => face.screen.read(&format!("{}{said}", state::KEYS)),
        Ok(said) => {
            if takes_back {
                face.screen.forget();
            }
            face.screen.tell(&said);
        }
        // What a human got wrong ends nothing.
        Err(Failure::Finding(said)) => face.screen.tell(&plain(&said)),
        Err(other) => return Err(other),
    }
    Ok(false)
}

/// Who is to move, with what chance gave for the turn, or how the play ended.
fn headline(sitting: &Sitting<'_>) -> String {
    let (table, is_turn) = (&sitting.table, matches!(sitting.table.turn(), Turn::Player(_)));
    match table.chance().filter(|_| is_turn && !table.is_secret()) {
        Some(chance) => format!("{}; {CHANCE} gave {}", table.headline(), chance.value),
        None => table.headline(),
    }
}

/// What the play looks like now.
fn scene(sitting: &Sitting<'_>) -> Scene {
    let players = sitting.table.fast.players().zip(sitting.seats()).map(|(player, seat)| format!("{player}: {seat}"));
    Scene {
        board: Vec::new(),
        is_alone: false,
        headline: headline(sitting),
        history: sitting.table.history(),
        plies: sitting.table.plies(),
        is_secret: sitting.table.is_secret(),
        is_over: sitting.table.turn() == Turn::End,
        widest_move: sitting.table.widest(),
        seats: players.collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests;
