//! Leaving a game that is not saved: on a terminal, the one who plays is asked once.

use super::Sitting;
use super::input::Input;
use super::lines::tell;
use crate::session::{Failure, Session};
use backend::Turn;
use std::cell::Cell;
use std::rc::Rc;

/// What is said to those who would lose a game.
pub(super) const UNSAVED: &str = "this game is not saved: `save FILE` keeps it, `quit` again, or `y`, leaves it\n";

/// Whether a human has made a move since the game was saved, and has been asked about it. Whatever leads through the play shares it.
#[derive(Clone, Default, Debug)]
pub(super) struct Unsaved(Rc<Cell<Loss>>);

/// What would be lost by leaving.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Loss {
    /// Nothing, or the one who plays was asked about it before.
    #[default]
    Nothing,
    /// Moves.
    Moves,
    /// Moves, and the one who plays has just been asked about that.
    Asked,
}

impl Unsaved {
    /// A human has made a move that led to this turn. A game that is over is not lost.
    pub(super) fn moved(&self, turn: Turn) {
        self.0.set(if turn == Turn::End { Loss::Nothing } else { Loss::Moves });
    }

    /// Nothing would be lost.
    pub(super) fn forget(&self) {
        self.0.set(Loss::Nothing);
    }

    /// Whether the one who leaves has to be asked, who is asked now.
    pub(super) fn asks(&self) -> bool {
        let is_lost = self.0.get() == Loss::Moves;
        self.0.set(if is_lost { Loss::Asked } else { Loss::Nothing });
        is_lost
    }

    /// Whether a line says yes to the question whether to leave. Only the first line behind the question answers it.
    pub(super) fn is_confirmed(&self, line: &str) -> bool {
        let is_asked = self.0.get() == Loss::Asked;
        if is_asked {
            self.forget();
        }
        is_asked && matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_line_behind_the_question_answers_it() {
        let unsaved = Unsaved::default();
        assert!(!unsaved.asks() && !unsaved.is_confirmed("y"), "nothing is lost");
        unsaved.moved(Turn::Player(0));
        assert!(!unsaved.is_confirmed("y") && unsaved.asks() && unsaved.is_confirmed(" Yes "));
        unsaved.moved(Turn::Player(0));
        assert!(unsaved.asks() && !unsaved.is_confirmed("e2e4") && !unsaved.is_confirmed("y"));
        unsaved.moved(Turn::Player(0));
        assert!(unsaved.asks() && !unsaved.asks(), "asked once");
        unsaved.moved(Turn::End);
        assert!(!unsaved.asks(), "a game that is over is not lost");
    }
}
