//! Errors as exceptions.

use crate::game::Rebuilt;
use envs::{BatchError, EnvError};
use kit::render::{MessageFormat, Renderer};
use pyo3::exceptions::{PyException, PyMemoryError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use rg_ir::{Diagnostic, Severity, SourceMap};

pyo3::create_exception!(rgc, GameError, PyException, "A text is no game, or its rules fail while it is played.");
pyo3::create_exception!(
    rgc,
    IllegalAction,
    PyValueError,
    "An action is not legal where it was taken; nothing has changed."
);
pyo3::create_exception!(
    rgc,
    ScoreWarning,
    PyUserWarning,
    "Not all scores of a game are numbers, and it was not said what they are worth: they are worth their place in the order of declaration."
);
pyo3::create_exception!(
    rgc,
    RulesWarning,
    PyUserWarning,
    "Something is probably wrong with the rules of a game, though it can be played; `Game.findings` has it."
);

/// Something that was found about a text.
#[pyclass(frozen, module = "rgc")]
#[derive(Clone)]
pub(crate) struct Finding {
    /// The code, such as `RG201`; `rgc explain` says more of it.
    #[pyo3(get)]
    code: String,
    /// `error`, `warning` or `note`.
    #[pyo3(get)]
    severity: String,
    /// What was found, in a line.
    #[pyo3(get)]
    message: String,
    /// From 1; 0 if the finding is about no place in the text.
    #[pyo3(get)]
    line: usize,
    /// From 1, in characters.
    #[pyo3(get)]
    column: usize,
    /// What is to be said besides, and what can be done.
    #[pyo3(get)]
    notes: Vec<String>,
}

#[pymethods]
impl Finding {
    /// For those that were pickled.
    #[new]
    fn new(code: String, severity: String, message: String, line: usize, column: usize, notes: Vec<String>) -> Self {
        Self { code, severity, message, line, column, notes }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Rebuilt<'py>> {
        let Self { code, severity, message, line, column, notes } = self.clone();
        let arguments = (code, severity, message, line, column, notes).into_pyobject(py)?;
        Ok((py.get_type::<Self>().into_any(), arguments))
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}:{}: {}[{}]: {}>", self.line, self.column, self.severity, self.code, self.message)
    }
}

impl Finding {
    /// What was found in these sources.
    pub(crate) fn of(found: &Diagnostic, sources: &SourceMap) -> Self {
        let place = found.primary.as_ref().and_then(|primary| sources.position(primary.span));
        let (line, column) = place.unwrap_or((0, 0));
        let severity = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "note",
        };
        let notes = found.notes.iter().chain(&found.help).cloned().collect();
        let (code, severity, message) = (found.code.to_owned(), severity.to_owned(), found.message.clone());
        Self { code, severity, message, line, column, notes }
    }
}

/// Findings, and as text what the command line says of them, both with advice for Python.
pub(crate) fn told(found: &[Diagnostic], sources: &SourceMap) -> (Vec<Finding>, String) {
    let text = Renderer::new(MessageFormat::Human, false).render(sources, found).trim_end().to_owned();
    advised(found, sources, text)
}

fn advised(found: &[Diagnostic], sources: &SourceMap, mut text: String) -> (Vec<Finding>, String) {
    let mut findings: Vec<Finding> = found.iter().map(|found| Finding::of(found, sources)).collect();
    for advice in findings.iter_mut().flat_map(|finding| &mut finding.notes) {
        if let Some(changed) = for_python(advice) {
            text = text.replace(advice.as_str(), &changed);
            *advice = changed;
        }
    }
    (findings, text)
}

/// A text that is no game.
pub(crate) fn game_error(py: Python<'_>, error: &envs::GameError) -> PyErr {
    let (findings, text) = advised(&error.findings, &error.sources, error.text.clone());
    with_findings(py, GameError::new_err(text), findings)
}

/// The name of the kind of a value, for errors.
pub(crate) fn kind_of(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}

/// Advice that names an option of the command line, with the argument of Python instead; `None` for other advice.
fn for_python(advice: &str) -> Option<String> {
    const OPTION: &str = "`--from";
    let (before, rest) = advice.split_once(OPTION)?;
    let (language, after) = rest.split_once('`')?;
    let argument = match language.trim() {
        "" => "language".to_owned(),
        language => format!("language=\"{language}\""),
    };
    Some(format!("{before}`{argument}`{after}"))
}

fn with_findings<'py>(py: Python<'py>, error: PyErr, findings: impl IntoPyObject<'py>) -> PyErr {
    match error.value(py).setattr("findings", findings) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Which numbers things have, in words: also if there are none.
pub(crate) fn numbers(things: &str, count: usize) -> String {
    match count.checked_sub(1) {
        Some(last) => format!("the {things} are the numbers from 0 to {last}"),
        None => format!("the game has no {things}"),
    }
}

/// What went wrong while a game was played; `text` tells actions.
pub(crate) fn env_error(py: Python<'_>, game: &envs::Game, error: EnvError) -> PyErr {
    match error {
        EnvError::Illegal { action } if (action as usize) < game.actions().len() => {
            IllegalAction::new_err(format!("action {action} (`{}`) is not legal here", game.action_text(action)))
        }
        EnvError::Illegal { action } if action == u32::MAX => {
            IllegalAction::new_err(numbers("actions", game.actions().len()))
        }
        EnvError::Illegal { action } => {
            let known = numbers("actions", game.actions().len());
            IllegalAction::new_err(format!("there is no action {action}: {known}"))
        }
        EnvError::Game(error) => {
            let found = py.detach(|| game.failure(&error));
            let (findings, text) = told(&[found], game.sources());
            with_findings(py, GameError::new_err(text), findings)
        }
        error @ EnvError::Unreadable => PyValueError::new_err(error.to_string()),
        error => with_findings(py, GameError::new_err(error.to_string()), Vec::<Finding>::new()),
    }
}

/// What went wrong in a batch.
pub(crate) fn batch_error(py: Python<'_>, game: &envs::Game, error: BatchError) -> PyErr {
    if let EnvError::NoRoom { .. } = error.error {
        return PyMemoryError::new_err(error.error.to_string());
    }
    let wrong = env_error(py, game, error.error);
    let text = format!("game {} of the batch: {}", error.index, wrong.value(py));
    if wrong.is_instance_of::<IllegalAction>(py) {
        return IllegalAction::new_err(text);
    }
    if wrong.is_instance_of::<PyValueError>(py) {
        return PyValueError::new_err(text);
    }
    // It has the findings of the game's own error.
    match wrong.value(py).getattr("findings") {
        Ok(findings) => with_findings(py, GameError::new_err(text), findings),
        Err(error) => error,
    }
}
