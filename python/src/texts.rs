//! Actions by their texts.

use crate::errors::IllegalAction;
use crate::state::State;
use pyo3::prelude::*;

/// See [`State::string_to_action`].
pub(crate) fn action(state: &State, text: &str) -> PyResult<u32> {
    if text.trim().is_empty() {
        return Err(IllegalAction::new_err("an empty text is no action"));
    }
    state.goes_on()?;
    let game = &state.game.game;
    let tags = |action: u32| game.actions().tags(action).join(" ");
    let is_shown = |action: u32| game.action_text(action) == text;
    let has_tags = |action: u32| tags(action) == text;
    for is_same in [&is_shown as &dyn Fn(u32) -> bool, &has_tags] {
        let same: Vec<u32> = state.env.legal().iter().copied().filter(|&action| is_same(action)).collect();
        match same.as_slice() {
            [] => {}
            [action] => return Ok(*action),
            several => {
                let several: Vec<String> = several.iter().map(|&action| tags(action)).collect();
                let several = several.join("`, `");
                return Err(IllegalAction::new_err(format!("`{text}` is several actions here: `{several}`")));
            }
        }
    }
    match state.move_to_actions(text)?.as_slice() {
        [action] => Ok(*action),
        steps => Err(IllegalAction::new_err(format!(
            "`{text}` is {} actions here, since actions are steps of moves: use `move_to_actions` or `apply_move`",
            steps.len()
        ))),
    }
}
