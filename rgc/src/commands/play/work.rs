//! Long work beside which input is looked at.

use super::Watch;
use super::command::is_quit;
use super::input::Input;
use crate::input::harmless;
use crate::interrupt;
use crate::session::{Failure, finding, progress};
use crate::terminal::Silent;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often input is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(20);

/// Bytes of a line that is typed meanwhile; what is behind that is lost.
const MAX_LINE: usize = 1_000;

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

/// Starts work in a thread of its own, which goes on whether or not anybody waits for its result.
pub(super) fn begun<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<mpsc::Receiver<T>, Failure> {
    let (sender, done) = mpsc::sync_channel(1);
    // Where the result is not wanted any more, it is dropped.
    let thread = std::thread::Builder::new().spawn(move || drop(sender.send(work())));
    thread.map_err(|error| finding("IO342", format!("cannot start a thread: {error}")))?;
    Ok(done)
}

/// The result of work that has begun; `None` if `watch` says that it is not to be waited for any longer.
pub(super) fn awaited<T>(done: &mpsc::Receiver<T>, mut watch: Option<Watch<'_>>) -> Result<Option<T>, Failure> {
    loop {
        match done.recv_timeout(PAUSE) {
            Ok(result) => return Ok(Some(result)),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(finding("IO342", "a thread has ended without a result").into());
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if let Some(watch) = &mut watch
            && watch()?
        {
            return Ok(None);
        }
    }
}

/// What Ctrl-C does while something takes long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CtrlC {
    /// It ends the game.
    Quits,
    /// It stops the work.
    Stops,
}

impl CtrlC {
    fn text(self) -> &'static str {
        match self {
            CtrlC::Quits => "Ctrl-C quits",
            CtrlC::Stops => "Ctrl-C stops",
        }
    }
}

/// Shows those who wait on a terminal line by line what takes long, and for how long it has. What they type meanwhile is taken in.
pub(super) struct Clock {
    what: String,
    start: Instant,
    /// The seconds shown last.
    shown: Option<u64>,
    /// What Ctrl-C does; without it, it ends the program, as it does where nothing can be typed.
    key: Option<CtrlC>,
    silent: Option<Silent>,
    typed: Typed,
}

impl Clock {
    /// Starts, with the text that is shown; nothing is if that is empty. `typed` is the beginning of a line that was typed before.
    pub(super) fn new(what: String, key: CtrlC, input: &Input, typed: String) -> Self {
        let key = Some(key).filter(|_| !what.is_empty() && input.is_edited());
        if key.is_some() {
            interrupt::forget();
        }
        let silent = key.and_then(|_| Silent::begin());
        Self {
            what,
            start: Instant::now(),
            shown: None,
            key,
            silent,
            typed: Typed { rest: typed.into_bytes(), ..Typed::default() },
        }
    }

    /// Something else takes long from now on.
    pub(super) fn go_on(&mut self, what: String) {
        (self.what, self.start, self.shown) = (what, Instant::now(), None);
    }

    /// Shows how long it has taken, from the first second on; whether to stop.
    pub(super) fn look(&mut self) -> Result<bool, Failure> {
        let seconds = self.start.elapsed().as_secs();
        if !self.what.is_empty() && self.shown != Some(seconds) {
            self.shown = Some(seconds);
            let key = self.key.map_or(String::new(), |key| format!(" ({})", key.text()));
            progress(&(waited(&self.what, seconds) + &key));
        }
        if let Some(silent) = &self.silent {
            self.typed.take(&silent.typed());
        }
        Ok(self.typed.quits || self.key.is_some() && interrupt::is_requested())
    }

    /// Ends; what was typed meanwhile.
    pub(super) fn end(mut self) -> Typed {
        if let Some(silent) = &self.silent {
            self.typed.take(&silent.typed());
        }
        std::mem::take(&mut self.typed)
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        if self.shown.is_some() {
            progress("");
        }
        if self.key.is_some() {
            interrupt::forget();
        }
    }
}

/// What was typed while something took long.
#[derive(Default, Debug)]
pub(super) struct Typed {
    /// Whether one of the lines was the command to end the play.
    pub(super) quits: bool,
    /// Other lines: they are done afterwards.
    pub(super) lines: Vec<String>,
    /// The line that is not complete.
    rest: Vec<u8>,
}

impl Typed {
    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' | b'\r' => {
                    let line = self.begun();
                    self.rest.clear();
                    match line.trim() {
                        "" => {}
                        line if is_quit(line) => self.quits = true,
                        line => self.lines.push(line.to_owned()),
                    }
                }
                0x7f | 0x08 => while self.rest.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {},
                _ if self.rest.len() < MAX_LINE => self.rest.push(byte),
                _ => {}
            }
        }
    }

    /// The beginning of a line that was typed.
    pub(super) fn begun(&self) -> String {
        harmless(&self.rest)
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
    fn what_is_typed_is_taken_in() {
        let mut typed = Typed::default();
        typed.take("e2é\x7fe4\nQUI".as_bytes());
        assert_eq!((typed.lines.as_slice(), typed.begun().as_str()), (["e2e4".to_owned()].as_slice(), "QUI"));
        typed.take(b"T\n\n\x1b[Ab");
        assert!(typed.quits && typed.lines.len() == 1 && typed.begun() == "b", "{typed:?}");
    }

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
