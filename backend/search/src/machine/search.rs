//! Searches: how they begin, what they may take, and how they end.

use super::{Cell, Goal, Halt, MEMORY, Machine, STEPS_PER_MOVE, Shared, VISITED};
use crate::program::FAIL;
use engine::ErrorKind;
use engine::state::Moves;
use rg_ir::NodeId;
use rg_ir::ids::Id;

/// What a search runs out of when it should be tried in exact mode.
const STEPS: &str = "steps";
/// Scope numbers start over when they come near the end of their range.
const LAST_SCOPE: u32 = u32::MAX - (1 << 30);
/// Arrivals in the checks of one search that are not remembered, and as many in a search for one move: most are over before
/// it pays.
const UNREMEMBERED: u64 = 128;

impl<W: Cell> Machine<W> {
    /// Searches for moves from `node` with the present cells. With [`Goal::All`] the moves are put into
    /// `moves` and the cells are as before; with [`Goal::First`] the cells and [`Machine::node`] are
    /// those after the move, whose tags are in [`Machine::tags`], and so with [`Goal::Labelled`]. Returns whether there is a move.
    ///
    /// `exact` is the same game with marks everywhere, for searches that seem to go round in circles.
    pub(crate) fn search<'s>(
        &mut self,
        shared: &'s Shared<W>,
        exact: impl Fn() -> &'s Shared<W>,
        node: NodeId,
        goal: Goal,
        moves: &mut Moves,
    ) -> Result<bool, Halt> {
        // First without whole labels in the visited keys; then, if that seems to go round in circles, with them; and if
        // these become too many, without them to the end.
        let (quick, whole) = (shared.limits.steps.min(shared.limits.exact_after), shared.limits.steps);
        let found = self.attempt(shared, node, goal, moves, quick);
        if quick == whole || !matches!(found, Err(Halt { kind: ErrorKind::Limit, what: STEPS, .. })) {
            return found;
        }
        self.exact = true;
        let found = self.attempt(exact(), node, goal, moves, whole);
        self.exact = false;
        match found {
            Err(Halt { kind: ErrorKind::Limit, what: VISITED | MEMORY, .. }) => {
                self.attempt(shared, node, goal, moves, whole)
            }
            found => found,
        }
    }

    /// One search with at most `patience` steps between moves found.
    fn attempt(
        &mut self,
        shared: &Shared<W>,
        node: NodeId,
        goal: Goal,
        moves: &mut Moves,
        patience: u64,
    ) -> Result<bool, Halt> {
        moves.clear();
        let entry = shared.program.entries.get(node.index()).copied().unwrap_or(FAIL);
        if entry == FAIL {
            return Ok(false);
        }
        self.goal = goal;
        self.labels_unique = shared.program.labels_unique.get(node.index()).copied().unwrap_or(false);
        self.prepare(moves, patience);
        let found = self.run(shared, entry, goal, moves);
        self.concluded(found, goal, moves)
    }

    /// Begins a search.
    fn prepare(&mut self, moves: &Moves, patience: u64) {
        self.patience = patience;
        self.dedupe.clear();
        self.outcomes.clear();
        self.tags.clear();
        self.masks.clear();
        self.trail.clear();
        self.choices.clear();
        self.mark_trail.clear();
        self.hashed.clear();
        self.labels.clear();
        self.steps = 0;
        self.allowed = self.budget(moves);
        self.depth = 0;
        self.check = 0;
        let unremembered = if self.exact { 0 } else { UNREMEMBERED };
        // Where all moves are wanted, whatever is come to twice would be gone through twice.
        let in_moves = if self.goal == Goal::First { unremembered } else { 0 };
        self.unremembered = [in_moves, unremembered];
        if self.last_scope > LAST_SCOPE {
            self.marks.fill(0);
            self.last_scope = 0;
        }
        self.last_scope += 1;
        self.scope = self.last_scope;
    }

    /// Ends a search.
    fn concluded(&mut self, found: Result<bool, Halt>, goal: Goal, moves: &Moves) -> Result<bool, Halt> {
        if found.is_err() || goal == Goal::All {
            self.undo(0);
        }
        Ok(found? || !moves.is_empty())
    }

    /// Choices that the last search took.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps that the search may take, given the moves found so far.
    pub(super) fn budget(&self, moves: &Moves) -> u64 {
        self.patience.saturating_add(moves.len() as u64 * STEPS_PER_MOVE)
    }

    #[cold]
    pub(super) fn allow_more(&mut self, moves: &Moves) -> Result<(), Halt> {
        self.allowed = self.budget(moves);
        if self.steps > self.allowed { Err(self.limit(STEPS, self.allowed)) } else { Ok(()) }
    }
}
