//! The objects of Python that games are.

use crate::game::Game;
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use std::sync::PoisonError;

impl Game {
    /// An object of Python that stands for the game, the same one as long as somebody has it: what is pickled together has the rules once.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        let kept = || self.object.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().as_ref().map(|known| known.clone_ref(py));
        if let Some(game) = known.and_then(|known| known.bind(py).upgrade_as::<Self>().ok().flatten()) {
            return Ok(game);
        }
        let game = Bound::new(py, self.clone())?;
        let weak = PyWeakrefReference::new(&game)?.unbind();
        *kept() = Some(weak);
        Ok(game)
    }
}
