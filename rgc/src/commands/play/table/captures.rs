//! What moves capture.

use super::Table;
use crate::session::finding;
use backend::{Moves, Rng, State, Turn};
use rg_ir::Diagnostic;
use rg_ir::diag::alternatives;

/// Legal moves at most that are looked at.
const LOOKED_AT: usize = 60;

/// Positions of each random game that are looked at.
const SAMPLE: usize = 40;

/// Moves that are named at most.
const NAMED: usize = 5;

impl Table<'_> {
    /// That each of the legal moves takes away or turns a piece of another player, with some of them, where the game always demands that. `None` where one does
    /// not, where it is not seen on the only board, and where there are very many. Makes each of the moves, and at the first time those of a sample.
    pub(super) fn all_capture(&self) -> Option<String> {
        if self.hides_moves() || self.order.is_empty() {
            return None;
        }
        let mut moves = Moves::new();
        self.drawn.reasoner.legal_moves(&self.state, &mut moves).ok()?;
        let captures = self.capturing(&self.state, &moves)?;
        if captures.contains(&false) || !*self.must_capture.get_or_init(|| self.demands_captures()) {
            return None;
        }
        let named: Vec<String> =
            self.order.iter().take(NAMED).map(|&index| format!("`{}`", self.text(index))).collect();
        let more = if self.order.len() > NAMED { ", …" } else { "" };
        Some(format!("all legal moves capture: {}{more}", named.join(", ")))
    }

    /// Which of the legal moves of a state take away or turn a piece of another player; `None` if that is not seen, and where there are very many.
    fn capturing(&self, state: &State, moves: &Moves) -> Option<Vec<bool>> {
        let reasoner = &self.drawn.reasoner;
        let (Turn::Player(mover), [board]) = (reasoner.turn(state), self.drawer.boards()) else { return None };
        let before = self.standing(state).filter(|_| moves.len() <= LOOKED_AT)?;
        let is_foreign = |kind: u32| self.owners().owner(board, kind).is_some_and(|owner| owner != mover);
        let captures = |index: usize| {
            let mut after = state.clone();
            reasoner.apply(&mut after, moves, index).ok()?;
            let after = self.standing(&after)?;
            let mut changed = before.iter().zip(&after).filter(|(before, after)| before != after);
            Some(changed.any(|(before, _)| before.is_some_and(is_foreign)))
        };
        (0..moves.len()).map(captures).collect()
    }

    /// Whether whoever can capture must, in all positions of two random games, one from the beginning and one from the position on the table.
    fn demands_captures(&self) -> bool {
        let (reasoner, mut rng, mut moves) = (&self.drawn.reasoner, Rng::new(1), Moves::new());
        for mut state in [self.drawn.initial().ok(), Some(self.state.clone())].into_iter().flatten() {
            for _ in 0..SAMPLE {
                if reasoner.legal_moves(&state, &mut moves).is_err() || moves.is_empty() {
                    break;
                }
                let captures = self.capturing(&state, &moves).unwrap_or_default();
                if captures.contains(&true) && captures.contains(&false) {
                    return false;
                }
                let index = rng.below(u32::try_from(moves.len()).unwrap_or(u32::MAX)) as usize;
                if reasoner.apply(&mut state, &moves, index).is_err() {
                    break;
                }
            }
        }
        true
    }

    /// The finding about a text that ends at a place where some moves, given in short, only change something: that it is captured there, or else that
    /// no piece stops there.
    pub(super) fn passed(&self, text: &str, place: &str, moves: &[(String, usize)]) -> Diagnostic {
        let named: Vec<String> = moves.iter().take(NAMED).map(|(name, _)| format!("`{name}`")).collect();
        let is_captured = || {
            let (Turn::Player(mover), [board]) = (self.turn(), self.drawer.boards()) else { return None };
            let index = board.places.iter().position(|other| other.label == place)?;
            let kind = self.standing(&self.state).filter(|_| !self.is_secret())?.get(index).copied().flatten()?;
            self.owners().owner(board, kind).map(|owner| owner != mover)
        };
        let what = match is_captured() {
            Some(true) => format!("the piece on `{place}` is captured, and none stops there"),
            _ => format!("no piece stops at `{place}`"),
        };
        finding("IO320", format!("`{}` is not a legal move: {what}", text.trim()))
            .help(format!("did you mean {}?", alternatives(&named)))
    }

    /// What stands on each place of the only board.
    fn standing(&self, state: &State) -> Option<Vec<Option<u32>>> {
        let mut scene = self.drawer.scene(state);
        let setup = scene.boards.pop().filter(|_| scene.boards.is_empty())?;
        Some(setup.at)
    }
}
