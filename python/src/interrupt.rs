//! Ctrl-C while Rust works.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// How often Python is asked.
const EVERY: Duration = Duration::from_millis(100);

/// Asks Python now and then whether the work is still wanted. Used while no lock of Python is held.
pub(crate) struct Interrupt {
    asked: Instant,
    error: Option<PyErr>,
}

impl Interrupt {
    pub(crate) fn new() -> Self {
        Self { asked: Instant::now(), error: None }
    }

    /// Whether to go on.
    pub(crate) fn goes_on(&mut self) -> bool {
        if self.error.is_none() && self.asked.elapsed() >= EVERY {
            self.error = Python::attach(|py| py.check_signals().err());
            self.asked = Instant::now();
        }
        self.error.is_none()
    }

    /// The exception, if there was one.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.error.map_or(Ok(()), Err)
    }
}
