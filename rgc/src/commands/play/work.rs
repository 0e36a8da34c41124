//! Long work beside which input is looked at.

use super::Watch;
use super::input::Input;
use crate::interrupt;
use crate::session::{Failure, finding, progress};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often input is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(20);

/// The result of work, which is done in a thread of its own if there is a `watch`. That is asked again and again meanwhile; if it
/// says so, or fails, the flag that the work has is set, and the result is `None` once the work has noticed.
pub(super) fn watched<T: Send>(
    watch: Option<Watch<'_>>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> Result<Option<T>, Failure> {
    let stop = AtomicBool::new(false);
    let Some(watch) = watch else { return Ok(Some(work(&stop))) };
    std::thread::scope(|scope| {
        let (sender, done) = mpsc::sync_channel(1);
        let stop = &stop;
        let thread = std::thread::Builder::new().spawn_scoped(scope, move || sender.send(work(stop)));
        thread.map_err(|error| finding("IO342", format!("cannot start a thread: {error}")))?;
        loop {
            match done.recv_timeout(PAUSE) {
                Ok(result) => return Ok(Some(result)),
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(None),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            let left = watch();
            if !matches!(left, Ok(false)) {
                // The scope ends when the work has noticed.
                stop.store(true, Ordering::Relaxed);
                return left.map(|_| None);
            }
        }
    })
}

/// Tells those who wait on a terminal line by line what takes long, and for how long it has.
pub(super) struct Clock {
    what: String,
    start: Instant,
    /// The seconds shown last.
    shown: Option<u64>,
    /// Whether Ctrl-C stops the work; else it ends the program, as it does where nothing can be typed.
    stops: bool,
}

impl Clock {
    /// Starts, with the text that is shown; nothing is if that is empty.
    pub(super) fn new(what: String, input: &Input) -> Self {
        let stops = !what.is_empty() && input.is_edited();
        if stops {
            interrupt::forget();
        }
        Self { what, start: Instant::now(), shown: None, stops }
    }

    /// Shows how long it has taken, from the first second on; whether to stop.
    pub(super) fn look(&mut self) -> Result<bool, Failure> {
        let seconds = self.start.elapsed().as_secs();
        if !self.what.is_empty() && self.shown != Some(seconds) {
            self.shown = Some(seconds);
            progress(&waited(&self.what, seconds));
        }
        Ok(self.stops && interrupt::is_requested())
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        if self.shown.is_some() {
            progress("");
        }
        if self.stops {
            interrupt::forget();
        }
    }
}

/// What takes long, with the seconds that it has taken, if any.
pub(super) fn waited(what: &str, seconds: u64) -> String {
    if seconds == 0 { what.to_owned() } else { format!("{what} {seconds} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_stopped_by_its_watch() {
        let until_stopped = |stop: &AtomicBool| {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let mut looks = 0;
        let mut third = || {
            looks += 1;
            Ok(looks == 3)
        };
        assert!(matches!(watched(Some(&mut third), until_stopped), Ok(None)));
        assert_eq!(looks, 3);
        assert!(matches!(watched(Some(&mut || Ok(false)), |_| 5), Ok(Some(5))));
        assert!(matches!(watched(None, |_| 5), Ok(Some(5))));
    }
}
