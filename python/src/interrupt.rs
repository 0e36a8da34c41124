//! Ctrl-C while Rust works.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rg_ir::cancel::{self, Token};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
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

/// How long an answer is waited for before Python is asked.
const PAUSE: Duration = Duration::from_millis(20);
/// Searches nest as deep as games are long.
const STACK: usize = 64 << 20;

/// What ends work that is done on a thread of its own.
#[derive(Default)]
pub(crate) struct Stop {
    /// Is set.
    pub(crate) flag: AtomicBool,
    /// Is cancelled: what looks at it unwinds.
    token: Token,
}

/// Work on a thread of its own, which Ctrl-C ends: its `Stop` says so.
///
/// # Errors
/// What Python raises for Ctrl-C; there is no room for a thread.
pub(crate) fn watched<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let mut interrupt = Interrupt::new();
    let stop = Stop::default();
    let result = py.detach(|| {
        let (done, is_done) = channel();
        thread::scope(|scope| {
            let stop = &stop;
            let work = move || drop(done.send(cancel::scope(&stop.token, || work(stop))));
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            thread.ok()?;
            loop {
                match is_done.recv_timeout(PAUSE) {
                    Ok(result) => return result.ok(),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if !interrupt.goes_on() {
                    stop.flag.store(true, Ordering::Relaxed);
                    stop.token.cancel();
                }
            }
        })
    });
    interrupt.finish()?;
    result.ok_or_else(|| PyRuntimeError::new_err("there is no room for another thread"))
}
