//! States as bytes: how they are written, the numbering of actions, how many there are, and the actions from the beginning.

use crate::game::Game;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How they begin; the last byte is the number of the format.
const FORMAT: [u8; 4] = *b"rgs\x02";

/// The bytes of a state after these actions.
pub(crate) fn written(game: &Game, history: &[u32]) -> Vec<u8> {
    let mut bytes = FORMAT.to_vec();
    bytes.extend(game.game.actions().version().to_le_bytes());
    bytes.extend((history.len() as u64).to_le_bytes());
    history.iter().for_each(|action| bytes.extend(action.to_le_bytes()));
    bytes
}

/// The actions of a state from its bytes.
///
/// # Errors
/// `ValueError` for bytes of another format, of other rules or actions, and for more or fewer than they say themselves.
pub(crate) fn read(game: &Game, bytes: &[u8]) -> PyResult<Vec<u32>> {
    let Some((version, rest)) = bytes.strip_prefix(&FORMAT).and_then(|rest| rest.split_first_chunk::<8>()) else {
        return wrong("these bytes are no state of a game as this version of rgc writes it".to_owned());
    };
    if u64::from_le_bytes(*version) != game.game.actions().version() {
        return wrong(format!("the state is not one of {}, or of another version of its rules", game.game.name()));
    }
    let Some((count, rest)) = rest.split_first_chunk::<8>() else {
        return wrong("the bytes of the state are cut off".to_owned());
    };
    let (count, (actions, left)) = (u64::from_le_bytes(*count), rest.as_chunks::<4>());
    if count != actions.len() as u64 || !left.is_empty() {
        let found = rest.len();
        return wrong(format!(
            "the bytes of the state are cut off or changed: {count} actions, but {found} bytes of them, 4 for each"
        ));
    }
    Ok(actions.iter().map(|&action| u32::from_le_bytes(action)).collect())
}

fn wrong<T>(said: String) -> PyResult<T> {
    Err(PyValueError::new_err(said))
}
