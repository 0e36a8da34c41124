//! What is said of games that were read, though they can be played.

use crate::errors::{RulesWarning, ScoreWarning, told};
use crate::game::Game;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rg_ir::{Diagnostic, Severity};
use std::ffi::CString;

impl Game {
    /// A warning of what is probably wrong with the rules, and one if scores are worth their rank, which nobody may have meant.
    pub(crate) fn warned(self, py: Python<'_>) -> PyResult<Self> {
        let found = py.detach(|| self.game.findings());
        let found: Vec<Diagnostic> =
            found.iter().filter(|found| found.severity == Severity::Warning).cloned().collect();
        if !found.is_empty() {
            // Text of a source may have any characters.
            let text = CString::new(told(&found, self.game.sources()).1.replace('\0', ""));
            let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
            PyErr::warn(py, &py.get_type::<RulesWarning>(), &text, 1)?;
        }
        if self.game.payoffs().are_ranks() {
            let worth = self.game.reasoner().score_names().iter().zip(self.game.utilities());
            let worth: Vec<String> = worth.map(|(name, value)| format!("{name:?}: {value}")).collect();
            let text = format!(
                "not all scores of {} are numbers, so they are worth their place in the order of declaration; say what they are worth with \
                 utilities={{{}}}, or other numbers",
                self.game.name(),
                worth.join(", ")
            );
            let text = CString::new(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            PyErr::warn(py, &py.get_type::<ScoreWarning>(), &text, 1)?;
        }
        Ok(self)
    }
}
