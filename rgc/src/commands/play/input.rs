//! Lines from the one who plays.

use super::work::Presses;
use crate::session::{Failure, Session, finding};
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Read, Write as _};
use std::time::Instant;

/// Bytes of a line that are read; the rest of it is dropped.
const MAX_LINE: u64 = 1 << 16;

/// Letters of a line that are echoed.
const ECHOED: usize = 1_000;

/// What the first Ctrl-C is answered with.
const AGAIN: &str = "press Ctrl-C again to quit; `save FILE` keeps the game";

/// Lines from the one who plays, one after another.
pub(super) struct Input {
    source: Source,
    /// Lines that were pasted behind the one that was read last, or typed while something took long.
    waiting: VecDeque<String>,
    /// When Ctrl-C was pressed last.
    pub(super) presses: Presses,
}

/// Where lines come from.
enum Source {
    /// A terminal: lines can be edited, and the arrow keys bring back earlier ones.
    Terminal(Box<DefaultEditor>),
    /// A terminal that cannot be edited on.
    Plain,
    /// Anything else. What comes is printed behind the prompt, so that the output can be read on its own.
    Pipe,
}

impl Input {
    pub(super) fn new() -> Self {
        Self { source: Source::new(), waiting: VecDeque::new(), presses: Presses::default() }
    }

    /// Whether lines are edited, so that Ctrl-C is a key here.
    pub(super) fn is_edited(&self) -> bool {
        matches!(self.source, Source::Terminal(_))
    }

    /// Whether lines come from a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        !matches!(self.source, Source::Pipe)
    }

    /// Forgets the lines that wait, and those that the arrow keys would bring back; whether any waited.
    pub(super) fn forget(&mut self) -> bool {
        if self.is_edited() {
            // Another editor has read nothing yet, and remembers nothing.
            self.source = Source::new();
        }
        let is_any = !self.waiting.is_empty();
        self.waiting.clear();
        is_any
    }

    /// These lines come next, behind those that wait already.
    pub(super) fn queue(&mut self, lines: Vec<String>) {
        self.waiting.extend(lines);
    }

    /// The next line without its end; `None` if there is none. Where lines are edited, it begins with what was `typed` already, which is taken
    /// then. Of a text of several lines that was pasted, each is a line of its own.
    ///
    /// # Errors
    /// Input cannot be read, or Ctrl-C was pressed twice, shortly one after the other.
    pub(super) fn line(
        &mut self,
        session: &mut Session,
        prompt: &str,
        typed: &mut String,
    ) -> Result<Option<String>, Failure> {
        if let Some(line) = self.waiting.pop_front() {
            writeln!(session.out(), "{prompt} {line}")?;
            return Ok(Some(line));
        }
        let Some(text) = self.source.text(session, (prompt, &std::mem::take(typed)), &mut self.presses)? else {
            return Ok(None);
        };
        let mut lines = lines(&text).map(str::to_owned);
        let first = lines.next().unwrap_or_default();
        self.waiting.extend(lines);
        Ok(Some(first))
    }
}

/// The lines of a text, without empty ones.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).filter(|line| !line.trim().is_empty())
}

impl Source {
    fn new() -> Self {
        if !io::stdin().is_terminal() {
            return Source::Pipe;
        }
        let config = Config::builder().auto_add_history(true).max_history_size(1_000).map(|config| config.build());
        let editor = config.and_then(DefaultEditor::with_config);
        editor.map_or(Source::Plain, |editor| Source::Terminal(Box::new(editor)))
    }

    /// The next text that was entered, of several lines where it was pasted; `None` at the end.
    fn text(
        &mut self,
        session: &mut Session,
        (prompt, typed): (&str, &str),
        presses: &mut Presses,
    ) -> Result<Option<String>, Failure> {
        match self {
            Source::Terminal(editor) => {
                session.out().flush()?;
                edited(editor, session, (prompt, typed), presses)
            }
            Source::Plain => {
                write!(session.out(), "{prompt} ")?;
                session.out().flush()?;
                let line = plain_line()?;
                if line.is_none() {
                    writeln!(session.out())?;
                }
                Ok(line)
            }
            Source::Pipe => {
                session.out().flush()?;
                let line = plain_line()?;
                if let Some(line) = &line {
                    writeln!(session.out(), "{prompt} {}", echoed(line))?;
                }
                Ok(line)
            }
        }
    }
}

/// A line that is edited. Ctrl-C clears it; pressed again shortly after, it quits.
fn edited(
    editor: &mut DefaultEditor,
    session: &mut Session,
    (prompt, mut typed): (&str, &str),
    presses: &mut Presses,
) -> Result<Option<String>, Failure> {
    loop {
        match editor.readline_with_initial(&format!("{prompt} "), (typed, "")) {
            Ok(line) => return Ok(Some(line)),
            Err(ReadlineError::Eof) => return Ok(None),
            Err(ReadlineError::Interrupted) if presses.press(Instant::now()) => return Err(Failure::Interrupted),
            Err(ReadlineError::Interrupted) => {
                writeln!(session.out(), "{AGAIN}")?;
                session.out().flush()?;
                typed = "";
            }
            Err(error) => return Err(unreadable(&error)),
        }
    }
}

fn unreadable(error: &dyn std::fmt::Display) -> Failure {
    finding("IO303", format!("cannot read standard input: {error}")).into()
}

/// A line as it is echoed: as much of it as a person reads.
fn echoed(line: &str) -> String {
    match line.char_indices().nth(ECHOED) {
        Some((at, _)) => format!("{}…", line.split_at(at).0),
        None => line.to_owned(),
    }
}

/// A line of standard input as it comes.
fn plain_line() -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut bytes);
    read.map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        io::stdin().lock().skip_until(b'\n').map_err(|error| unreadable(&error))?;
    }
    let line = || String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
    Ok((!bytes.is_empty()).then(line))
}

#[cfg(test)]
mod tests {
    #[test]
    fn pasted_texts_have_lines() {
        assert_eq!(super::lines("e2e4\r\ne7e5\n\n g1f3").collect::<Vec<_>>(), ["e2e4", "e7e5", " g1f3"]);
        assert_eq!(super::lines("\n ").count(), 0);
    }
}
