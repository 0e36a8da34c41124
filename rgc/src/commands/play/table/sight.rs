//! What of the play on the table is hidden, and from when on it is known.
//!
//! In most games that hide something, nobody knows the position before the end. In a game of joint moves whose rules do not say what players see, only
//! the moves of a step are hidden, and only until all players have chosen theirs.

use super::{Step, Table};
use backend::{State, Turn};
use rg_ir::{JointMoves, Part};

impl Table<'_> {
    /// Whether the position is not for everybody's eyes.
    pub(in super::super) fn is_secret(&self) -> bool {
        self.hides_moves() && !self.is_open()
    }

    /// Whether moves that are made may be hidden from others for a while, at least.
    pub(in super::super) fn hides_moves(&self) -> bool {
        self.fast.reasoner.hides() && self.turn() != Turn::End
    }

    /// Whether nothing is hidden but moves of a step, until it is complete.
    pub(super) fn is_open(&self) -> bool {
        self.drawn.loaded.notation.joint().is_some_and(JointMoves::tells_all)
    }

    /// The joint moves of a game in which the moves of a step are hidden until it is complete, and nothing else is.
    fn steps_in(&self) -> Option<&dyn JointMoves> {
        self.drawn.loaded.notation.joint().filter(|joint| joint.tells_all() && self.fast.reasoner.hides())
    }

    /// Whether moves are told step by step.
    pub(in super::super) fn is_in_steps(&self) -> bool {
        self.steps_in().is_some()
    }

    /// The moves of the present step, which are not known before all players have chosen; none where that is not what is hidden.
    pub(super) fn unknown(&self) -> usize {
        match self.steps_in().filter(|_| self.turn() != Turn::End) {
            Some(joint) => self.chosen_before(joint, self.steps.len()) % plies(joint),
            None => 0,
        }
    }

    /// The moves of the step that is complete now, if there is one, and such steps are what is hidden for a while; else none.
    fn last_step(&self) -> &[Step<'_>] {
        let Some(joint) = self.steps_in().filter(|_| self.unknown() == 0) else { return &[] };
        let first = self.steps.len().saturating_sub(plies(joint));
        self.steps.get(first..).unwrap_or_default()
    }

    /// The moves that everybody knows.
    pub(super) fn known_steps(&self) -> &[Step<'_>] {
        let known = self.steps.len().saturating_sub(self.unknown());
        self.steps.get(..known).unwrap_or_default()
    }

    /// The state that everybody knows who may see positions: the one before the moves of the present step.
    pub(super) fn known_state(&self) -> &State {
        self.steps.get(self.known_steps().len()).map_or(&self.state, |step| &step.drawn)
    }

    /// The first move of the step in which the move with a number was made; the move itself where there are no such steps.
    pub(super) fn begin_of_step(&self, number: usize) -> usize {
        match self.steps_in() {
            Some(joint) => number.saturating_sub(self.chosen_before(joint, number) % plies(joint)),
            None => number,
        }
    }

    /// How many moves players have made before a move, with those of a step in which the play has started.
    fn chosen_before(&self, joint: &dyn JointMoves, number: usize) -> usize {
        let first = self.steps.first().map_or(&self.state, |step| &step.drawn);
        let name = match self.drawn.reasoner.turn(first) {
            Turn::Player(player) => self.drawn.players().nth(player).unwrap_or_default(),
            Turn::Random => "random",
            Turn::End => return number,
        };
        let view = self.drawn.reasoner.view(first);
        let choosers = joint.roles().into_iter().zip(joint.step(&view)).filter(|(_, part)| *part == Part::Ply);
        number + choosers.map(|(role, _)| role).position(|role| role.eq_ignore_ascii_case(name)).unwrap_or(0)
    }

    /// What is said when a step is complete of which the moves were hidden: all of them; nothing otherwise.
    pub(in super::super) fn told(&self) -> String {
        self.last_step().iter().map(|step| self.line(step) + "\n").collect()
    }

    /// Who made a move, and which it is.
    pub(super) fn line(&self, step: &Step<'_>) -> String {
        let mover = self.fast.mover(step.play.state()).unwrap_or_default();
        format!("{mover}: {}", step.short)
    }
}

/// The moves of a step.
fn plies(joint: &dyn JointMoves) -> usize {
    usize::try_from(joint.plies()).unwrap_or(usize::MAX).max(1)
}
