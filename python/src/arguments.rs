//! What the arguments of batches say of each game.

use crate::errors::kind_of;
use crate::whole::Whole;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What `seed=` may be.
pub(crate) enum Seed {
    /// One for the batch.
    One(Whole),
    /// One for each game, or none.
    Each(Vec<Option<Whole>>),
}

impl Seed {
    pub(crate) fn of(seed: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(one) = seed.extract() {
            return Ok(Self::One(one));
        }
        seed.extract()
            .map(Self::Each)
            .map_err(|_| wrong_kind("seed", "an integer, or a list with an integer or `None`", seed))
    }
}

/// The error that an argument is of another kind.
pub(crate) fn wrong_kind(name: &str, kind: &str, found: &Bound<'_, PyAny>) -> PyErr {
    // Of arrays, what they hold tells more than what they are.
    let of_array = found.getattr("dtype").and_then(|kind| kind.str()).map(|kind| format!("an array of {kind}"));
    PyTypeError::new_err(format!(
        "`{name}` is {kind} for each game, not {}",
        of_array.unwrap_or_else(|_| kind_of(found))
    ))
}

/// A seed for each game, or none.
pub(crate) fn seeds(size: usize, seeds: &[Option<Whole>]) -> PyResult<Vec<Option<u64>>> {
    if seeds.len() != size {
        return Err(PyValueError::new_err(format!(
            "`seed` is an integer, or one for each of {size} games, not {}",
            seeds.len()
        )));
    }
    seeds.iter().map(|seed| seed.map(Whole::seed).transpose()).collect()
}

/// An action for each game, from whatever has them.
pub(crate) fn actions_of(size: usize, actions: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    if let Ok(shape) = actions.getattr("shape").and_then(|shape| shape.extract::<Vec<usize>>())
        && shape.len() != 1
    {
        let shape = PyTuple::new(actions.py(), shape)?;
        return Err(PyValueError::new_err(format!("there are {size} games, but actions of the shape {shape}")));
    }
    actions.extract().map_err(|_| wrong_kind("actions", "a list with an integer", actions))
}

/// By game, whether it is in `which`.
pub(crate) fn chosen(size: usize, which: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
    if let Ok(each) = which.extract::<Vec<bool>>()
        && (!each.is_empty() || size == 0)
    {
        return match each.len() == size {
            true => Ok(each),
            false => Err(PyValueError::new_err(format!(
                "`which` has a bool for each of {size} games, or numbers of games, not {} bools",
                each.len()
            ))),
        };
    }
    let numbers = which.extract::<Vec<Whole>>();
    let numbers = numbers.map_err(|_| wrong_kind("which", "a list of numbers of games, or with a bool", which))?;
    let mut chosen = vec![false; size];
    for index in numbers {
        let number = number(size, index)?;
        let Some(is_chosen) = chosen.get_mut(number) else { continue };
        if std::mem::replace(is_chosen, true) {
            return Err(PyValueError::new_err(format!(
                "`which` names game {number} twice; integers are numbers of games, and a mask is of bool: `which.astype(bool)`"
            )));
        }
    }
    Ok(chosen)
}

/// The number of a game, which may be counted from the end.
pub(crate) fn number(size: usize, index: Whole) -> PyResult<usize> {
    index.place(size).ok_or_else(|| PyIndexError::new_err(format!("there is no game {index}: the batch has {size}")))
}
