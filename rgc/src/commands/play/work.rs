//! Long work beside which input is looked at.

use super::Watch;
use super::command::quits_at_once;
use super::input::Input;
use crate::input::harmless;
use crate::interrupt;
use crate::session::{Failure, finding, progress};
use crate::terminal::{Silent, is_gone};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often input is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(20);

/// Bytes of a line that is typed meanwhile; what is behind that is lost.
const MAX_LINE: usize = 1_000;

/// The result of work, which is done in a thread of its own if there is a `watch`. That is asked again and again meanwhile; if it
/// says so, or fails, or nobody is there to read the result, the flag that the work has is set, and the result is `None` once the work has noticed.
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
            let left = if is_gone() { Err(Failure::Interrupted) } else { watch() };
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
        if is_gone() {
            return Err(Failure::Interrupted);
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
    /// It ends the game, when it is pressed twice.
    Quits,
    /// It stops the work.
    Stops,
}

/// Within this time after a Ctrl-C, another one quits.
const TWICE: Duration = Duration::from_secs(2);

/// When Ctrl-C was pressed last.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Presses(Option<Instant>);

impl Presses {
    /// Ctrl-C is pressed; whether that quits, since it was pressed shortly before.
    pub(super) fn press(&mut self, now: Instant) -> bool {
        let quits = self.is_warned(now);
        self.0 = Some(now);
        quits
    }

    /// Whether Ctrl-C would quit now.
    pub(super) fn is_warned(&self, now: Instant) -> bool {
        self.0.is_some_and(|last| now.saturating_duration_since(last) <= TWICE)
    }
}

/// Shows those who wait on a terminal line by line what takes long, and for how long it has. What they type meanwhile is taken in.
pub(super) struct Clock {
    what: String,
    start: Instant,
    /// The seconds shown last, and whether another Ctrl-C was said to quit.
    shown: Option<(u64, bool)>,
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
        let typed = Typed { rest: typed.into_bytes(), presses: input.presses, ..Typed::default() };
        Self { what, start: Instant::now(), shown: None, key, silent, typed }
    }

    /// Something else takes long from now on.
    pub(super) fn go_on(&mut self, what: String) {
        (self.what, self.start, self.shown) = (what, Instant::now(), None);
    }

    /// Shows how long it has taken, from the first second on; whether to stop.
    pub(super) fn look(&mut self) -> Result<bool, Failure> {
        let (now, seconds) = (Instant::now(), self.start.elapsed().as_secs());
        let mut stops = false;
        if let Some(key) = self.key
            && interrupt::is_requested()
        {
            let is_second = self.typed.presses.press(now);
            stops = is_second || key == CtrlC::Stops;
            // While the work has not noticed that it is stopped, another one ends the program.
            if !stops {
                interrupt::forget();
            }
        }
        let shown = (seconds, self.key == Some(CtrlC::Quits) && self.typed.presses.is_warned(now));
        if !self.what.is_empty() && self.shown != Some(shown) {
            self.shown = Some(shown);
            let key = match self.key {
                None => "",
                Some(CtrlC::Stops) => " (Ctrl-C stops)",
                Some(CtrlC::Quits) if shown.1 => " (press Ctrl-C again to quit)",
                Some(CtrlC::Quits) => " (Ctrl-C twice quits)",
            };
            progress(&(waited(&self.what, seconds) + key));
        }
        if let Some(silent) = &self.silent {
            self.typed.take(&silent.typed());
        }
        Ok(self.typed.quits || stops)
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
    /// When Ctrl-C was pressed last.
    pub(super) presses: Presses,
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
                        line if quits_at_once(line, self.lines.len()) => self.quits = true,
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

    /// The second Ctrl-C quits only shortly after the first.
    #[test]
    fn ctrl_c_quits_when_it_is_pressed_twice() {
        let (mut presses, start) = (Presses::default(), Instant::now());
        let late = start + TWICE + Duration::from_millis(1);
        assert!(!presses.is_warned(start) && !presses.press(start) && presses.is_warned(start + TWICE));
        assert!(!presses.press(late), "too late: a first one again");
        assert!(presses.press(late + TWICE));
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
