//! Games from files and texts.

use crate::errors::game_error;
use crate::game::Game;
use envs::Actions;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;

/// A score, which may be written as the number that it is.
#[derive(FromPyObject, PartialEq, Eq, Hash)]
pub(crate) enum Score {
    Name(String),
    Number(i64),
}

/// What scores are worth.
pub(crate) type Utilities = HashMap<Score, f64>;

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

/// Reads the game in a file, or the bundled game of that name.
#[pyfunction]
#[pyo3(signature = (game, *, language=None, actions="auto", utilities=None))]
pub(crate) fn load(
    py: Python<'_>,
    game: PathBuf,
    language: Option<&str>,
    actions: &str,
    utilities: Option<Utilities>,
) -> PyResult<Game> {
    let actions = actions_of(actions)?;
    let loaded = py.detach(|| envs::Game::load(&game, language, actions));
    Game::new(loaded.map_err(|error| game_error(py, &error))?, actions, said(utilities))?.warned(py)
}

/// Reads a game from a text.
#[pyfunction]
#[pyo3(signature = (text, *, language=None, name="game", actions="auto", utilities=None))]
pub(crate) fn loads(
    py: Python<'_>,
    text: &str,
    language: Option<&str>,
    name: &str,
    actions: &str,
    utilities: Option<Utilities>,
) -> PyResult<Game> {
    rebuilt(py, text, language, name, actions, said(utilities))?.warned(py)
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

/// What is said of scores, in the order of their names.
fn said(utilities: Option<Utilities>) -> Option<Vec<(String, f64)>> {
    let name = |score| match score {
        Score::Name(name) => name,
        Score::Number(number) => number.to_string(),
    };
    let mut said: Vec<(String, f64)> = utilities?.into_iter().map(|(score, value)| (name(score), value)).collect();
    said.sort_by(|one, other| one.0.cmp(&other.0));
    Some(said)
}

/// The names of the bundled games, with the extensions of their languages.
#[pyfunction]
pub(crate) fn games() -> Vec<String> {
    kit::library::all().iter().map(kit::library::Bundled::file_name).collect()
}
