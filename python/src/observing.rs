//! What players observe, as arrays.

use crate::game::shape_of;
use crate::state::State;
use crate::whole::Whole;
use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// See `State::observation_tensor`.
pub(crate) fn tensor<'py>(state: &State, py: Python<'py>, player: Option<Whole>) -> PyResult<Bound<'py, PyAny>> {
    let game = &state.game.game;
    let player = state.asking(player)?;
    if game.reasoner().hides() {
        let observed = state.observed_by(player);
        let most = py.detach(|| game.max_observed());
        let mut row = vec![0; most];
        let last = observed.get(observed.len().saturating_sub(row.len())..).unwrap_or(&[]);
        let start = row.len() - last.len();
        row.iter_mut().skip(start).zip(last).for_each(|(slot, &number)| *slot = number);
        return Ok(row.into_pyarray(py).into_any());
    }
    let array = PyArrayDyn::<u8>::zeros(py, shape_of(game), false);
    {
        let mut out = array.readwrite();
        game.observations().write(game, &state.env, &mut Vec::new(), out.as_slice_mut()?);
    }
    Ok(array.into_any())
}

/// See `State::information_state_tensor`.
pub(crate) fn information<'py>(state: &State, py: Python<'py>, player: Option<Whole>) -> PyResult<Bound<'py, PyAny>> {
    let game = &state.game.game;
    let seen = state.asking(player)?;
    if !game.reasoner().hides() {
        return Err(PyValueError::new_err(format!(
            "{} hides nothing, so that an information state is the whole history, of any length: use `observation_tensor`, `history` or \
             `information_state_string`",
            game.name()
        )));
    }
    let (count, most) = (state.env.observed(seen).len(), py.detach(|| game.max_observed()));
    if count > most {
        return Err(PyValueError::new_err(format!(
            "the player observed {count} tags, more than `Game.max_observed`, which is {most}: use `observed`, or `observation_tensor` for the last ones"
        )));
    }
    tensor(state, py, player)
}
