//! Positions of which empty boards are only named.

use super::{Line, Look, all_lines, wrapped};
use crate::scene::{Scene, Setup};

/// The lines of a position without the empty boards behind the first one, whose names stand at the end; `None` if there are none.
pub(super) fn without_empty(scene: &Scene<'_>, look: Look<'_>) -> Option<Vec<Line>> {
    let is_named =
        |&(index, setup): &(usize, &Setup<'_>)| index > 0 && !setup.board.title.is_empty() && is_empty(setup);
    let (empty, drawn): (Vec<_>, Vec<_>) = scene.boards.iter().enumerate().partition(is_named);
    if empty.is_empty() {
        return None;
    }
    let boards = drawn.into_iter().map(|(_, setup)| setup.clone()).collect();
    let mut lines = all_lines(&Scene { boards, tables: scene.tables.clone(), facts: scene.facts.clone() }, look);
    let names = empty.into_iter().map(|(_, setup)| setup.board.title.clone());
    wrapped("empty: ", names, look.width(), &mut lines);
    Some(lines)
}

/// Whether nothing is on a board, which is known.
fn is_empty(setup: &Setup<'_>) -> bool {
    let mut kinds = setup.at.iter().map(|at| at.and_then(|at| Some((at, setup.board.pieces.get(at as usize)?))));
    let first = kinds.next().flatten().filter(|(_, piece)| piece.is_empty);
    first.is_some_and(|(first, _)| kinds.all(|kind| kind.is_some_and(|(kind, _)| kind == first)))
}
