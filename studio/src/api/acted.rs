//! On which boards a move acts, where places of several boards have the same label and moves do not name the board.

use super::changes::Changes;
use agents::Play;
use kit::deduction::{Assigned, Deduction};
use kit::draw::Drawer;
use kit::runner::Runner;

/// Moves of a position of which it is found out what they change, at most.
const LOOKED_AT: usize = 256;

/// Per legal move the boards that it changes, by number. Nothing is said where moves are very many.
pub(super) fn by_moves(runner: &Runner, drawer: &Drawer<'_>, play: &Play<'_>) -> Vec<Vec<usize>> {
    let (moves, before) = (play.moves(), drawer.scene(play.state()));
    if moves.len() > LOOKED_AT {
        return Vec::new();
    }
    let changed = |index: usize| {
        let mut state = play.state().clone();
        let made = runner.reasoner.apply(&mut state, moves, index);
        made.map_or_else(|_| Vec::new(), |()| Changes::between(&before, &drawer.scene(&state)).boards())
    };
    (0..moves.len()).map(changed).collect()
}

/// The boards that a move may change, by number, as far as that follows from what a player knows. None if nothing is known.
pub(super) fn by_knowledge<'t>(titles: impl Iterator<Item = &'t str>, deduction: &Deduction<'_>) -> Vec<usize> {
    let assigned = deduction.assigned().unwrap_or_default();
    let is_changed = |title: &str| assigned.iter().any(|assigned| holds(title, assigned));
    titles.enumerate().filter(|(_, title)| is_changed(title)).map(|(number, _)| number).collect()
}

/// Whether a board of this title, `name` or `name[key]`, may have one of these cells on it.
fn holds(title: &str, assigned: &Assigned) -> bool {
    let mut parts = title.split('[').map(|part| part.trim_end_matches(']'));
    let is_named = parts.next() == Some(assigned.variable.as_str());
    is_named && parts.zip(&assigned.keys).all(|(own, key)| key.as_ref().is_none_or(|key| key == own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_told_apart_by_their_keys() {
        let assigned = |keys: &[Option<&str>]| Assigned {
            variable: "sea".to_owned(),
            keys: keys.iter().map(|key| key.map(str::to_owned)).collect(),
        };
        let own = assigned(&[Some("first"), None]);
        assert_eq!(
            ["sea[first]", "sea[second]", "shot[first]", "sea"].map(|it| holds(it, &own)),
            [true, false, false, true]
        );
        assert!(holds("sea[second]", &assigned(&[None, None])), "any of them may be meant");
    }
}
