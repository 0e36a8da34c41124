//! A play on the whole screen of a terminal.
//!
//! [`state::Screen`] is what the screen shows and what keys do to it; [`view::render`] draws it. Neither knows a
//! terminal. This file joins them with a play and with the terminal, which is put back however the play ends.

mod state;
mod view;

use super::table::EMPTY;
use super::{HELP, Order, Sitting, plain};
use crate::session::{Failure, Session, finding};
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use state::{Action, Scene, Screen};
use std::io::{self, IsTerminal};
use std::time::Duration;

/// Whether there is a terminal.
///
/// # Errors
/// `IO352`.
pub(super) fn possible() -> Result<(), Failure> {
    let why = if !io::stdin().is_terminal() {
        "standard input is none"
    } else if !io::stdout().is_terminal() {
        "standard output is none"
    } else if std::env::var_os("TERM").is_some_and(|kind| kind == "dumb") {
        "TERM says that this one is `dumb`"
    } else {
        return Ok(());
    };
    let message = format!("a full screen needs a terminal, but {why}");
    Err(finding("IO352", message).help("leave out `--full-screen`").into())
}

/// Leads through a play.
pub(super) fn run(session: &mut Session, sitting: &mut Sitting<'_>) -> Result<(), Failure> {
    let lost = |error: io::Error| finding("IO352", format!("the terminal cannot be used: {error}"));
    // This one puts the terminal back in a panic as well.
    let mut terminal = ratatui::try_init().map_err(lost)?;
    let result = lead(session, sitting, &mut terminal, &mut Keyboard);
    ratatui::restore();
    result
}

/// Where keys come from.
trait Keys {
    /// The next event: waits for it, or returns `None` if there is none yet. `Err` also where there will be none any more.
    fn next(&mut self, wait: bool) -> io::Result<Option<Event>>;
}

/// The keyboard of the terminal.
struct Keyboard;

impl Keys for Keyboard {
    fn next(&mut self, wait: bool) -> io::Result<Option<Event>> {
        if wait || event::poll(Duration::ZERO)? { event::read().map(Some) } else { Ok(None) }
    }
}

/// The play, with any terminal and keyboard.
fn lead<B: Backend>(
    session: &mut Session,
    sitting: &mut Sitting<'_>,
    terminal: &mut Terminal<B>,
    keys: &mut impl Keys,
) -> Result<(), Failure> {
    let mut screen = Screen::new(session.colours());
    // What was said while somebody else was to move.
    let mut early = None;
    loop {
        let waits = sitting.waits();
        screen.show(scene(sitting));
        screen.offer(sitting.table.offered(screen.wanted()));
        screen.set_busy(sitting.thinks());
        terminal
            .draw(|frame| view::render(frame, &screen))
            .map_err(|error| finding("IO352", format!("the terminal cannot be drawn on: {error}")))?;
        let heard = early.take_if(|_| waits);
        let event = match heard {
            Some(_) => None,
            None => keys.next(waits).map_err(|error| finding("IO303", format!("cannot read keys: {error}")))?,
        };
        let action = heard.or_else(|| screen.press(event.as_ref().and_then(pressed)?));
        match action {
            Some(Action::Quit) => return Ok(()),
            Some(Action::Say(line)) if waits => {
                let line = if line == EMPTY { "move".to_owned() } else { line };
                if say(session, sitting, &mut screen, &line)? {
                    return Ok(());
                }
            }
            None if waits => {}
            said => {
                early = said.or(early);
                let told = sitting.advance()?;
                screen.tell(&told);
            }
        }
    }
}

/// The key that was pressed, if any was.
fn pressed(event: &Event) -> Option<KeyEvent> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(*key),
        _ => None,
    }
}

/// Does what a line says; whether that ends the play.
fn say(session: &mut Session, sitting: &mut Sitting<'_>, screen: &mut Screen, line: &str) -> Result<bool, Failure> {
    let order = match sitting.order(line) {
        None => return Ok(false),
        Some(Order::Quit) => return Ok(true),
        Some(order) => order,
    };
    if matches!(order, Order::Hint) {
        screen.set_busy(true);
    }
    let is_help = matches!(order, Order::Help);
    match sitting.obey(session, order) {
        Ok(_) if is_help => screen.tell(&format!("{}{HELP}", state::KEYS)),
        Ok(said) => screen.tell(&said),
        // What a person got wrong ends nothing.
        Err(Failure::Finding(said)) => screen.tell(&plain(&said)),
        Err(other) => return Err(other),
    }
    Ok(false)
}

/// What the play looks like now.
fn scene(sitting: &Sitting<'_>) -> Scene {
    let players = sitting.table.fast.players().zip(sitting.seats()).map(|(player, seat)| format!("{player}: {seat}"));
    Scene {
        board: sitting.table.board(),
        headline: sitting.table.headline(),
        history: sitting.table.history(),
        plies: sitting.table.plies(),
        is_secret: sitting.table.is_secret(),
        seats: players.collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests;
