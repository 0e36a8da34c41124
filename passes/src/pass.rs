//! What a pass is.

use crate::relabel::Marked;
use rg_ir::Game;

/// When a pass runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Again and again, until no pass of this phase finds anything to do.
    Simplify,
    /// Once, after the fixed point.
    Finish,
    /// Only when it is asked for by name.
    Request,
}

/// The lowest optimisation level at which a pass runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// `-O1`: linear-time clean-up.
    Clean = 1,
    /// `-O2`: everything that keeps the moves, to a fixed point. The default.
    Full = 2,
    /// `-O3`: may change how moves are written.
    Relabel = 3,
}

/// A transformation of a game.
pub trait Pass: Sync {
    /// Its name on the command line: words joined by `-`.
    fn name(&self) -> &'static str;
    /// One line about it, beginning with a verb, without a full stop.
    fn summary(&self) -> &'static str;
    /// When it runs.
    fn phase(&self) -> Phase {
        Phase::Simplify
    }
    /// From which level on it runs.
    fn level(&self) -> Level {
        Level::Full
    }
    /// Whether it changes how moves are written (then it keeps a bijection).
    fn changes_moves(&self) -> bool {
        false
    }
    /// Whether claims about nodes and walks stay true when the pass changes something. If not, the pipeline forgets them
    /// ([`crate::facts::drop_claims`]).
    fn keeps_claims(&self) -> bool {
        false
    }
    /// Changes the game; whether anything was changed. A game without errors is left without errors, and a second run
    /// after a run that changed nothing changes nothing.
    fn run(&self, game: &mut Game, context: &mut Context) -> bool;
}

/// What passes of one run share.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Things worth telling the user about the last pass run, such as a bound that was met.
    pub notes: Vec<String>,
    /// How moves were written before each pass that changed that, in the order of the passes.
    pub relabelled: Vec<Marked>,
}

impl Context {
    /// Adds a note.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}
