//! A play line by line, on a terminal or through a pipe.

use super::command::Command;
use super::input::Input;
use super::work::{Clock, CtrlC, Typed};
use super::wrap::wrapped;
use super::{PREPARING, STOPPED, Sitting, plain};
use crate::session::{Failure, Session};
use crate::terminal;
use backend::Turn;
use std::io::{self, IsTerminal as _, Write as _};

impl Sitting<'_> {
    /// Leads through the play line by line.
    pub(super) fn run(&mut self, session: &mut Session) -> Result<(), Failure> {
        let mut input = Input::new();
        let resumed = self.resumed.take().unwrap_or_default();
        tell(session, &resumed)?;
        self.warn_neighbours(session)?;
        // The beginning of a line that was typed while something took long.
        let mut typed = String::new();
        loop {
            if !self.waits() {
                session.out().flush()?;
                let first = if self.thinks() && !self.is_prepared() { PREPARING.to_owned() } else { self.thinker() };
                let mut clock = Clock::new(first, CtrlC::Quits, &input, std::mem::take(&mut typed));
                let is_ready = !self.thinks() || self.prepare(session, Some(&mut || clock.look()))?;
                clock.go_on(self.thinker());
                let said = if is_ready { self.advance(Some(&mut || clock.look())) } else { Ok(None) };
                let meanwhile = clock.end();
                typed = take_in(session, &mut input, &meanwhile)?;
                let said = said?;
                if meanwhile.quits && self.leaves(session, &input)? {
                    return Ok(());
                }
                match said {
                    Some(said) if said.is_empty() => {}
                    Some(said) => tell(session, &format!("{said}\n"))?,
                    None if meanwhile.quits => {}
                    // Ctrl-C twice while an agent thinks.
                    None => return Err(Failure::Interrupted),
                }
                continue;
            }
            if !self.hand_over(session, &mut input)? {
                return Ok(());
            }
            self.show(session)?;
            let line = input.line(session, self.table.prompt(), &mut typed)?;
            let Some(line) = line else {
                if self.leaves(session, &input)? {
                    return self.leave(session);
                }
                continue;
            };
            match self.command(&line) {
                None => {}
                Some(Command::Quit) if self.leaves(session, &input)? => return Ok(()),
                Some(Command::Quit) => {}
                Some(command) => {
                    let busy = self.busy_with(&command);
                    let needs_engine = busy.is_some() && self.needs_engine(&command);
                    let first = if needs_engine { Some(PREPARING.to_owned()) } else { busy.clone() };
                    let first = first.unwrap_or_default();
                    let mut clock = Clock::new(first, CtrlC::Stops, &input, std::mem::take(&mut typed));
                    // An engine that is not waited for is not there, and the command says so.
                    let is_ready = !needs_engine || self.prepare(session, Some(&mut || clock.look()))?;
                    if needs_engine {
                        clock.go_on(busy.unwrap_or_default());
                    }
                    let done = match is_ready {
                        true => self.execute(session, command, Some(&mut || clock.look())),
                        false => Ok(STOPPED.to_owned()),
                    };
                    let meanwhile = clock.end();
                    match done {
                        Ok(said) => tell(session, &said)?,
                        // What a human got wrong ends nothing.
                        Err(Failure::Finding(said)) => tell(session, &format!("{}\n", plain(&said)))?,
                        Err(other) => return Err(other),
                    }
                    typed = take_in(session, &mut input, &meanwhile)?;
                    if meanwhile.quits && self.leaves(session, &input)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Shows the position, unless it was shown last.
    fn show(&mut self, session: &mut Session) -> Result<(), Failure> {
        let ply = self.table.plies();
        if self.shown != Some(ply) {
            let text = self.table.position(&mut self.told, session.colours(), size());
            session.out().write_all(text.as_bytes())?;
            self.shown = Some(ply);
        }
        Ok(())
    }

    /// The end of the input.
    pub(super) fn leave(&self, session: &mut Session) -> Result<(), Failure> {
        if self.table.turn() != Turn::End {
            writeln!(session.out(), "Input ended before the game was over.")?;
        }
        Ok(())
    }
}

/// Writes a text for the one who plays; on a terminal, lines are broken between words.
pub(super) fn tell(session: &mut Session, text: &str) -> Result<(), Failure> {
    Ok(session.out().write_all(wrapped(text, room()).as_bytes())?)
}

/// Columns and lines of the terminal, if it is one.
fn size() -> Option<(usize, usize)> {
    Some((room()?, terminal::height()))
}

/// Letters of a line, on a terminal.
fn room() -> Option<usize> {
    io::stdout().is_terminal().then(terminal::width)
}

/// Keeps the lines that were typed while something took long, or says that they were typed for nothing, if the game is left; returns the beginning
/// of a line that was typed.
fn take_in(session: &mut Session, input: &mut Input, typed: &Typed) -> Result<String, Failure> {
    if typed.quits && !typed.lines.is_empty() {
        let lines: Vec<String> = typed.lines.iter().map(|line| format!("`{line}`")).collect();
        tell(session, &format!("not done any more: {}\n", lines.join(", ")))?;
    }
    input.presses = typed.presses;
    input.queue(typed.lines.clone());
    Ok(typed.begun())
}
