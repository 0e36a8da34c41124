//! The terminal that the program is used on: its width, what is typed while work goes on, and its state when the program ends at once.

use crate::commands::play::screen::remarks;
#[cfg(unix)]
use rustix::{
    stdio::stdin,
    termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
};
use std::io::IsTerminal as _;
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Columns where nothing tells how many there are.
const WIDTH: usize = 80;

/// Lines where nothing tells how many there are.
const HEIGHT: usize = 24;

/// How the terminal was before what is typed was no longer shown.
#[cfg(unix)]
static SHOWN: Mutex<Option<Termios>> = Mutex::new(None);

/// Columns of the terminal.
pub(crate) fn width() -> usize {
    let size = ratatui::crossterm::terminal::size();
    size.ok().map(|(columns, _)| usize::from(columns)).filter(|&columns| columns > 0).unwrap_or(WIDTH)
}

/// Lines of the terminal.
pub(crate) fn height() -> usize {
    let size = ratatui::crossterm::terminal::size();
    size.ok().map(|(_, lines)| usize::from(lines)).filter(|&lines| lines > 0).unwrap_or(HEIGHT)
}

/// Columns that a help text has: those of the terminal that it goes to; else what `COLUMNS` says, or many.
pub(crate) fn help_width() -> usize {
    let output = std::io::stdout();
    let columns = if output.is_terminal() { Some(width()) } else { None };
    columns.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok()).unwrap_or(usize::MAX)
}

/// Whether nobody can read any more what is written: the terminal is gone, or whatever standard output went to has closed it. A file is always
/// there, and so is everything on systems other than Unix.
pub(crate) fn is_gone() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let output = rustix::stdio::stdout();
        let mut polled = [PollFd::new(&output, PollFlags::empty())];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let gone = PollFlags::HUP | PollFlags::ERR;
        poll(&mut polled, Some(&at_once)).is_ok() && polled.iter().any(|output| output.revents().intersects(gone))
    }
    #[cfg(not(unix))]
    false
}

/// Drops what was typed and has not been read, and what is typed within a time from now on. On systems other than Unix nothing is dropped.
pub(crate) fn drop_typed(within: Duration) {
    #[cfg(unix)]
    {
        let silent = Silent::begin();
        std::thread::sleep(within);
        // Where the terminal is gone, the next line that is read tells.
        let _ = rustix::termios::tcflush(stdin(), rustix::termios::QueueSelector::IFlush);
        drop(silent);
    }
    #[cfg(not(unix))]
    let _ = within;
}

/// As long as this exists, what is typed is not shown, and is read by [`Silent::typed`] without waiting for the end of a line. Ctrl-C still interrupts.
/// On systems other than Unix nothing changes, and nothing is read.
pub(crate) struct Silent(());

impl Silent {
    /// Begins; `None` where standard input is not such a terminal.
    #[cfg(unix)]
    pub(crate) fn begin() -> Option<Self> {
        let before = tcgetattr(stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
        silent.special_codes[SpecialCodeIndex::VMIN] = 0;
        silent.special_codes[SpecialCodeIndex::VTIME] = 0;
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        tcsetattr(stdin(), OptionalActions::Now, &silent).ok()?;
        Some(Self(()))
    }

    #[cfg(not(unix))]
    pub(crate) fn begin() -> Option<Self> {
        None
    }

    /// What was typed since the last call.
    #[cfg(unix)]
    pub(crate) fn typed(&self) -> Vec<u8> {
        let mut bytes = vec![0; 1 << 10];
        let read = rustix::io::read(stdin(), bytes.as_mut_slice()).unwrap_or(0);
        bytes.truncate(read);
        bytes
    }

    #[cfg(not(unix))]
    pub(crate) fn typed(&self) -> Vec<u8> {
        Vec::new()
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        show_typed();
    }
}

fn show_typed() {
    #[cfg(unix)]
    if let Some(before) = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
    }
}

/// Puts the terminal back, for a program that has to end at once.
pub(crate) fn put_back() {
    remarks::abandon();
    show_typed();
}
