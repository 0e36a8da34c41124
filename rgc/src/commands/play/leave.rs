//! Leaving a game that is not saved: on a terminal, the one who plays is asked once.

use super::Sitting;
use super::input::Input;
use super::lines::tell;
use crate::session::{Failure, Session};
use backend::Turn;
use std::cell::Cell;
use std::rc::Rc;

/// What is said to those who would lose a game.
pub(super) const UNSAVED: &str = "this game is not saved: `save FILE` keeps it, `quit` again leaves it\n";

/// Whether a human has made a move since the game was saved, and has not been asked about it. Whatever leads through the play shares it.
#[derive(Clone, Default, Debug)]
pub(super) struct Unsaved(Rc<Cell<bool>>);

impl Unsaved {
    /// A human has made a move that led to this turn. A game that is over is not lost.
    pub(super) fn moved(&self, turn: Turn) {
        self.0.set(turn != Turn::End);
    }

    /// Nothing would be lost.
    pub(super) fn forget(&self) {
        self.0.set(false);
    }

    /// Whether the one who leaves has to be asked, who is asked now.
    pub(super) fn asks(&self) -> bool {
        self.0.replace(false)
    }
}

impl Sitting<'_> {
    /// Whether one who wants to leave does so: on a terminal, only when asked about an unsaved game before.
    pub(super) fn leaves(&self, session: &mut Session, input: &Input) -> Result<bool, Failure> {
        let asks = input.is_terminal() && self.unsaved.asks();
        if asks {
            tell(session, UNSAVED)?;
        }
        Ok(!asks)
    }
}
