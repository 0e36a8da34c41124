//! Games from files and texts.

use crate::errors::{game_error, kind_of};
use crate::game::Game;
use crate::whole::Whole;
use envs::Actions;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use std::path::PathBuf;

/// What `actions=` stands for.
fn actions_of(name: &str) -> PyResult<Actions> {
    match name {
        "auto" => Ok(Actions::Auto),
        "moves" => Ok(Actions::Moves),
        "steps" => Ok(Actions::Steps),
        "places" => Ok(Actions::Places),
        other => {
            let known = "\"auto\", \"moves\", \"steps\" or \"places\"";
            Err(PyValueError::new_err(format!("actions are {known}, not \"{other}\"")))
        }
    }
}

/// Reads the game in a file, or the bundled game of that name (`rgc.games()`).
///
/// `actions` are whole moves (`"moves"`), tags of moves one by one (`"steps"`), or moves if there are at most 4,096 (`"auto"`).
/// In RBG, `"auto"` numbers moves by the places that they name, so that numbers do not tell which moves win; with `"moves"`, each way through the rules has its own. With
/// `"places"`, moves that name the same places of the board are one action, in any language. Two of them that are legal at once are a `GameError` when it happens.
/// `utilities` say what scores are worth, by their names: `{"won": 1, "drawn": 0, "lost": -1}`. Those that are numbers may be left out. Without it, scores are worth the
/// numbers that they are, or with a `ScoreWarning` their places in the order of declaration if some are none. Rewards of batches are `float32`: what is worth so much that this is
/// infinite, or so little that it is 0, is refused.
///
/// Raises `GameError`, and `ValueError` for `utilities` that are wrong.
#[pyfunction]
#[pyo3(signature = (game, *, language=None, actions="auto", utilities=None))]
pub(crate) fn load(
    py: Python<'_>,
    game: PathBuf,
    language: Option<&str>,
    actions: &str,
    utilities: Option<&Bound<'_, PyAny>>,
) -> PyResult<Game> {
    let actions = actions_of(actions)?;
    let loaded = py.detach(|| envs::Game::load(&game, language, actions));
    Game::new(loaded.map_err(|error| game_error(py, &error))?, actions, said(utilities)?)?.warned(py)
}

/// Reads a game from a text in `language` (`rbg`, `hrg`, `sbg`, `gdl`, `rg`), or the one that its beginning tells.
#[pyfunction]
#[pyo3(signature = (text, *, language=None, name="game", actions="auto", utilities=None))]
pub(crate) fn loads(
    py: Python<'_>,
    text: &str,
    language: Option<&str>,
    name: &str,
    actions: &str,
    utilities: Option<&Bound<'_, PyAny>>,
) -> PyResult<Game> {
    rebuilt(py, text, language, name, actions, said(utilities)?)?.warned(py)
}

/// As [`loads`], without a word on scores: for games that are unpickled.
#[pyfunction]
#[pyo3(name = "_rebuilt")]
pub(crate) fn rebuilt(
    py: Python<'_>,
    text: &str,
    language: Option<&str>,
    name: &str,
    actions: &str,
    utilities: Option<Vec<(String, f64)>>,
) -> PyResult<Game> {
    let actions = actions_of(actions)?;
    let loaded = py.detach(|| envs::Game::parse(name, text, language, actions));
    Game::new(loaded.map_err(|error| game_error(py, &error))?, actions, utilities)
}

/// What is said of scores, in the order of their names. A score may be written as the number that it is.
fn said(utilities: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<(String, f64)>>> {
    let Some(utilities) = utilities else { return Ok(None) };
    let Ok(mapping) = utilities.cast::<PyMapping>() else {
        let kind = utilities.get_type().name()?;
        let wanted = "a dictionary that says what scores are worth, such as {\"won\": 1, \"lost\": -1}";
        return Err(PyTypeError::new_err(format!("`utilities` is {wanted}, not {kind}")));
    };
    let mut said = Vec::new();
    for item in mapping.items()?.iter() {
        let (score, worth): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let digits = || score.extract::<Whole>().and_then(|_| score.call_method0("__index__")?.str()?.extract());
        let name = score.extract::<String>().or_else(|_| digits());
        let name = name.map_err(|_| {
            PyTypeError::new_err(format!(
                "`utilities` have names of scores, or integers, as keys, not {}",
                shown(&score)
            ))
        })?;
        let worth = worth.extract::<f64>().map_err(|_| {
            PyTypeError::new_err(format!(
                "`utilities` say that the score `{name}` is worth a number, not {}",
                shown(&worth)
            ))
        })?;
        said.push((name, worth));
    }
    said.sort_by(|one, other| one.0.cmp(&other.0));
    if let Some([(name, one), (_, other)]) = said.array_windows().find(|[one, other]| one.0 == other.0) {
        return Err(PyValueError::new_err(format!(
            "`utilities` say twice what the score `{name}` is worth, {one} and {other}: an integer and its digits are the same score"
        )));
    }
    Ok(Some(said))
}

/// A value as Python writes it.
fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| kind_of(value), |text| text.to_string())
}

/// The names of the bundled games.
#[pyfunction]
pub(crate) fn games() -> Vec<String> {
    kit::library::all().iter().map(kit::library::Bundled::file_name).collect()
}
