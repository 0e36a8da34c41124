//! What is said of moves that cannot be shown to be those of SBG.

use crate::codes;
use crate::model::{Advised, Cell, Refused, refuse};
use crate::prove::{Course, Proof};
use crate::turns::Ended;
use rg_ir::{Span, Symbol};

const HELP: &str = "in SBG plays are decided, in this order, by the square that a piece is moved to, by the number of pieces of a kind, by the \
                    number of half-moves, and by a player who cannot move";

impl Proof<'_, '_, '_> {
    /// What a move is called in messages.
    pub(crate) fn told(&self, ended: &Ended, content: Symbol) -> String {
        let name = |symbol: Symbol| self.model().game.name(symbol);
        let cell = |cell: Cell| self.model().board.cells.get(cell as usize).map_or("", |&cell| name(cell));
        let onto =
            if content == self.facts.empty { String::new() } else { format!(", where it takes `{}`", name(content)) };
        format!(
            "a move of `{}` from `{}` to `{}`{onto}",
            name(ended.origin.1),
            cell(ended.origin.0),
            cell(ended.target)
        )
    }

    pub(crate) fn unknown(&self, actual: Course, ended: &Ended, content: Symbol) -> Refused {
        let told = self.told(ended, content);
        match actual {
            Course::On => {
                let message = format!("after {told} it is not asked whether the next player can move");
                refuse(codes::BLOCKED, Span::NONE, message).advised("in SBG who cannot move has lost")
            }
            Course::Won(_) | Course::Drawn => {
                refuse(codes::END, Span::NONE, format!("it is not plain why a play may be over after {told}"))
                    .advised(HELP)
            }
        }
    }

    pub(crate) fn differs(&self, [actual, expected]: [Course; 2], ended: &Ended, content: Symbol) -> Refused {
        let say = |course| match course {
            Course::Won(player) => format!("`{}` has won", self.model().game.name(player)),
            Course::Drawn => "the play is drawn".to_owned(),
            Course::On => "the play goes on".to_owned(),
        };
        let message = format!(
            "after {} it may be that {} where in SBG {}",
            self.told(ended, content),
            say(actual),
            say(expected)
        );
        refuse(codes::END, Span::NONE, message).advised(HELP)
    }
}
