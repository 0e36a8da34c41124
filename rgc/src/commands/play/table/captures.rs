//! Whether every legal move captures.

use super::Table;
use backend::{Moves, State, Turn};

/// Legal moves at most that are looked at.
const LOOKED_AT: usize = 60;

/// Moves that are named at most.
const NAMED: usize = 5;

impl Table<'_> {
    /// That each of the legal moves takes away or turns a piece of another player, with some of them. `None` where one does not, where it is not seen on
    /// the only board, and where there are very many. Makes each of the moves.
    pub(super) fn all_capture(&self) -> Option<String> {
        let (Turn::Player(mover), [board]) = (self.turn(), self.drawer.boards()) else { return None };
        if self.fast.reasoner.hides() || self.order.is_empty() || self.order.len() > LOOKED_AT {
            return None;
        }
        let (reasoner, mut moves) = (&self.drawn.reasoner, Moves::new());
        reasoner.legal_moves(&self.state, &mut moves).ok()?;
        let before = self.standing(&self.state)?;
        let is_foreign = |kind: u32| self.owners().owner(board, kind).is_some_and(|owner| owner != mover);
        for index in 0..moves.len() {
            let mut after = self.state.clone();
            reasoner.apply(&mut after, &moves, index).ok()?;
            let after = self.standing(&after)?;
            let mut changed = before.iter().zip(&after).filter(|(before, after)| before != after);
            if !changed.any(|(before, _)| before.is_some_and(is_foreign)) {
                return None;
            }
        }
        let named: Vec<String> =
            self.order.iter().take(NAMED).map(|&index| format!("`{}`", self.text(index))).collect();
        let more = if self.order.len() > NAMED { ", …" } else { "" };
        Some(format!("all legal moves capture: {}{more}", named.join(", ")))
    }

    /// What stands on each place of the only board.
    fn standing(&self, state: &State) -> Option<Vec<Option<u32>>> {
        let mut scene = self.drawer.scene(state);
        let setup = scene.boards.pop().filter(|_| scene.boards.is_empty())?;
        Some(setup.at)
    }
}
