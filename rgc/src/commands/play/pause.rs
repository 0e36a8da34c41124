//! The pause before another human sees what is hidden from the one who was at the keyboard.

use super::input::Input;
use super::lines::tell;
use super::{Sitting, is_quit};
use crate::session::{Failure, Session};
use crate::terminal;
use backend::Turn;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

/// What people are told who play on one terminal and may not see the same.
const SHARED: &str = "Several people play here, and each is shown what the others may not see. Between their turns it is moved out of \
                      sight, but the terminal still has it further up; `--full-screen` leaves nothing there.\n";

/// What is before the line that a human enters who has come to the keyboard.
const PROMPT: &str = "press Enter >";

/// What is said of moves behind the one after which another human is to move.
pub(super) const CUT: &str = "the rest of the line was not played: another player is next, who may not see the same\n";

/// How long a pause is shown before a key ends it: what is pressed earlier was meant for what was shown before.
pub(super) const DELIBERATE: Duration = Duration::from_millis(500);

/// What became of a pause.
pub(super) enum Pause {
    /// The human who was waited for is there.
    Over,
    /// Whoever is there has said something else.
    GoesOn,
    /// The play is left.
    Left,
}

/// What the line means that was entered in a pause.
pub(super) fn answered(line: &str) -> Pause {
    match line.trim() {
        "" => Pause::Over,
        line if is_quit(line) => Pause::Left,
        _ => Pause::GoesOn,
    }
}

/// What is shown in a pause, where a player is waited for.
pub(super) fn text(player: &str) -> String {
    format!("{player} is next. Pass the keyboard and press Enter")
}

impl Sitting<'_> {
    /// Tells people at one terminal that they may see what is meant for others, if so.
    pub(super) fn warn_neighbours(&self, session: &mut Session) -> Result<(), Failure> {
        let has_neighbours = self.humans().len() > 1 && self.table.fast.reasoner.hides();
        if has_neighbours && io::stdout().is_terminal() { tell(session, SHARED) } else { Ok(()) }
    }

    /// Whether a human is to move who may not see what another one sees.
    pub(super) fn is_shared(&self) -> bool {
        self.waits() && self.humans().len() > 1 && self.table.hides_moves()
    }

    /// The player whose human has to come to the keyboard before anything is shown: several humans play, the game hides something, and another
    /// one was shown the position last.
    pub(super) fn awaited(&self) -> Option<&str> {
        let Turn::Player(player) = self.table.turn() else { return None };
        if !self.is_shared() || self.viewer == Some(player) {
            return None;
        }
        self.table.fast.players().nth(player)
    }

    /// The human who is to move is at the keyboard.
    pub(super) fn arrive(&mut self) {
        if let Turn::Player(player) = self.table.turn() {
            self.viewer = Some(player);
        }
    }

    /// On a terminal, waits line by line until the human who is to move is at the keyboard; whether the play goes on.
    pub(super) fn hand_over(&mut self, session: &mut Session, input: &mut Input) -> Result<bool, Failure> {
        let Some(next) = self.awaited().filter(|_| input.is_terminal() && io::stdout().is_terminal()) else {
            return Ok(true);
        };
        let text = text(next);
        let cut = if std::mem::take(&mut self.is_cut) { CUT } else { "" };
        // The lines that are in sight are meant for another one, and so are those that were typed early.
        session.out().write_all("\n".repeat(terminal::height()).as_bytes())?;
        if input.forget() {
            tell(session, "what was typed before is not done any more\n")?;
        }
        tell(session, cut)?;
        let mut is_first = true;
        loop {
            tell(session, &format!("{text}\n"))?;
            session.out().flush()?;
            if std::mem::take(&mut is_first) {
                terminal::drop_typed(DELIBERATE);
            }
            let Some(line) = input.line(session, PROMPT, &mut String::new())? else {
                if self.leaves(session, input)? {
                    self.leave(session)?;
                    return Ok(false);
                }
                continue;
            };
            if self.unsaved.is_confirmed(&line) {
                return Ok(false);
            }
            match answered(&line) {
                Pause::Over => break,
                Pause::Left if self.leaves(session, input)? => return Ok(false),
                Pause::GoesOn | Pause::Left => {}
            }
        }
        input.forget();
        self.arrive();
        // What was told to the one before is out of sight.
        tell(session, &self.table.told())?;
        if let Turn::Player(player) = self.table.turn() {
            self.told.forget_few(player);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_empty_line_ends_a_pause() {
        assert!(matches!(answered("  "), Pause::Over));
        assert!(matches!(answered(" Quit"), Pause::Left));
        assert!(matches!(answered("bet"), Pause::GoesOn));
    }
}
