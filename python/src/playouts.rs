//! Random games from the beginning.

use crate::errors::env_error;
use crate::game::Game;
use crate::interrupt::watched;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// See `Game::playouts`.
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    game: &Game,
    (count, seed): (u64, u64),
    max_plies: Option<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = &game.game;
    let played = watched(py, |_| rules.playouts(count, max_plies, seed))?;
    let played = played.map_err(|error| env_error(py, rules, error))?;
    let stats = &played.stats;
    let result = PyDict::new(py);
    result.set_item("plays", stats.plays + played.truncated)?;
    result.set_item("plies", stats.plies + played.truncated_plies)?;
    result.set_item("truncated", played.truncated)?;
    result.set_item("truncated_plies", played.truncated_plies)?;
    let scores = PyDict::new(py);
    for (at, player) in rules.runner().players().enumerate() {
        let counts = stats.scores.get(at).map_or(&[][..], Vec::as_slice);
        let of_player = PyDict::new(py);
        // Counts end with the last score that came.
        for (name, count) in
            rules.reasoner().score_names().iter().zip(counts.iter().copied().chain(std::iter::repeat(0)))
        {
            of_player.set_item(name, count)?;
        }
        scores.set_item(player, of_player)?;
    }
    result.set_item("scores", scores)?;
    Ok(result)
}
