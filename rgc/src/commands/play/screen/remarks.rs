//! What other parts of the program, and bots, write on standard error while the screen is in use: it becomes messages.

use crate::input::harmless;
use std::io;
use std::sync::mpsc::Receiver;
#[cfg(unix)]
use std::{os::fd::OwnedFd, sync::Mutex};

/// Standard error as it was before the screen was in use.
#[cfg(unix)]
static BEFORE: Mutex<Option<OwnedFd>> = Mutex::new(None);

/// The lines that are written on standard error as long as this exists. Those that were not received are written there afterwards.
pub(super) struct Remarks(pub(super) Receiver<String>);

impl Remarks {
    /// Takes standard error over. On systems other than Unix it stays as it is.
    #[cfg(unix)]
    pub(super) fn collect() -> io::Result<Self> {
        use rustix::stdio::{dup2_stderr, stderr};
        let before = rustix::io::fcntl_dupfd_cloexec(stderr(), 3)?;
        let (reader, writer) = io::pipe()?;
        let (sender, lines) = std::sync::mpsc::channel();
        std::thread::Builder::new().spawn(move || {
            use std::io::BufRead as _;
            for line in io::BufReader::new(reader).split(b'\n').map_while(Result::ok) {
                if sender.send(harmless(&line)).is_err() {
                    break;
                }
            }
        })?;
        dup2_stderr(&writer)?;
        *BEFORE.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(before);
        Ok(Self(lines))
    }

    #[cfg(not(unix))]
    pub(super) fn collect() -> io::Result<Self> {
        Ok(Self(std::sync::mpsc::channel().1))
    }
}

impl Drop for Remarks {
    fn drop(&mut self) {
        use std::io::Write as _;
        release();
        // The pipe has no writer any more, except for processes that were started meanwhile and inherited it.
        while let Ok(line) = self.0.recv_timeout(std::time::Duration::from_millis(100)) {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// Gives standard error back, if it was taken.
fn release() {
    #[cfg(unix)]
    if let Some(before) = BEFORE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
        let _ = rustix::stdio::dup2_stderr(before);
    }
}

/// Puts terminal and standard error back, for a program that has to end at once while the screen may be in use.
pub(crate) fn abandon() {
    #[cfg(unix)]
    if BEFORE.lock().is_ok_and(|before| before.is_some()) {
        ratatui::restore();
        release();
    }
}
