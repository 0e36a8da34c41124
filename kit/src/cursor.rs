//! Whether it matters to a player at which place the rules stand: in many games a move may begin anywhere, wherever the last one has ended.

use crate::position::{Content, Position};
use crate::runner::{Runner, tags_of};
use backend::{Moves, Reasoner, State};
use rg_ir::StateView as _;
use std::sync::{Mutex, PoisonError};

/// Moves that are looked at for other places.
const OTHERS: usize = 4;

/// What was found last.
#[derive(Default, Debug)]
pub(crate) struct Cursor {
    last: Mutex<Option<(State, bool)>>,
}

impl Cursor {
    /// Whether other moves would be legal if the rules stood at another place. A few others are tried, each with an engine of its own.
    pub(crate) fn matters(&self, runner: &Runner, state: &State, variable: &str) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, matters)) if known == state => *matters,
            _ => last.insert((state.clone(), differs(runner, state, variable))).1,
        }
    }
}

/// Whether in a state, other moves are legal with another place in a variable, among those that legal moves lead to.
fn differs(runner: &Runner, state: &State, variable: &str) -> bool {
    let position = Position::of(runner, state);
    let mut moves = Moves::new();
    if runner.reasoner.legal_moves(state, &mut moves).is_err() {
        return false;
    }
    let here = texts(runner, &runner.reasoner, &moves);
    let step = moves.len().div_ceil(OTHERS).max(1);
    (0..moves.len()).step_by(step).any(|index| {
        let there = with_place_after(runner, state, (&moves, index), variable, &position);
        there.and_then(|position| legal(runner, &position)).is_some_and(|there| there != here)
    })
}

/// The position with the place that a variable has after a move; `None` if that is no other place of a board.
fn with_place_after(
    runner: &Runner,
    state: &State,
    (moves, index): (&Moves, usize),
    variable: &str,
    position: &Position,
) -> Option<Position> {
    let mut after = state.clone();
    runner.reasoner.apply(&mut after, moves, index).ok()?;
    let view = runner.reasoner.view(&after);
    let place = view.get(variable, &[])?;
    let notation = &runner.loaded.notation;
    let name = notation.render_value(place);
    notation.boards().iter().find(|board| board.place(name).is_some())?;
    let mut moved = position.clone();
    let (_, content) = moved.variables.0.iter_mut().find(|(name, _)| name == variable)?;
    let other = Content::Symbol(place.to_owned());
    (std::mem::replace(content, other.clone()) != other).then_some(moved)
}

/// The legal moves of a position, as people read them; `None` if they cannot be found.
fn legal(runner: &Runner, position: &Position) -> Option<Vec<String>> {
    let reasoner = runner.loaded.reasoner_at(position)?;
    let mut moves = Moves::new();
    reasoner.legal_moves(&reasoner.initial().ok()?, &mut moves).ok()?;
    Some(texts(runner, &reasoner, &moves))
}

/// Moves as people read them, in alphabetical order, each once.
fn texts(runner: &Runner, reasoner: &Reasoner, moves: &Moves) -> Vec<String> {
    let mut texts = runner.loaded.notation.short_moves(&tags_of(reasoner, moves), runner.naming());
    texts.sort_unstable();
    texts.dedup();
    texts
}
