//! Lines from the one who plays.

use crate::session::{Failure, Session, finding};
use crate::terminal::drop_typed;
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::io::{self, BufRead, IsTerminal, Read, Write as _};

/// Longest line in bytes; what is behind that is the next one.
const MAX_LINE: u64 = 1 << 16;

/// What the first Ctrl-C is answered with.
const AGAIN: &str = "press Ctrl-C again or type `quit` to end; `save FILE` keeps the game";

/// Where lines come from.
pub(super) enum Input {
    /// A terminal: lines can be edited, and the arrow keys bring back earlier ones.
    Terminal(Box<DefaultEditor>),
    /// A terminal that cannot be edited on.
    Plain,
    /// Anything else. What comes is printed behind the prompt, so that the output can be read on its own.
    Pipe,
}

impl Input {
    pub(super) fn new() -> Self {
        if !io::stdin().is_terminal() {
            return Input::Pipe;
        }
        let config = Config::builder().auto_add_history(true).max_history_size(1_000).map(|config| config.build());
        let editor = config.and_then(DefaultEditor::with_config);
        editor.map_or(Input::Plain, |editor| Input::Terminal(Box::new(editor)))
    }

    /// Whether lines are edited, so that Ctrl-C is a key here.
    pub(super) fn is_edited(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// The next line without its end; `None` if there is none. Where lines are edited, it begins with what was `typed` already.
    ///
    /// # Errors
    /// Input cannot be read, or Ctrl-C was pressed twice.
    pub(super) fn line(&mut self, session: &mut Session, prompt: &str, typed: &str) -> Result<Option<String>, Failure> {
        match self {
            Input::Terminal(editor) => {
                session.out().flush()?;
                drop_typed();
                edited(editor, session, prompt, typed)
            }
            Input::Plain => {
                write!(session.out(), "{prompt} ")?;
                session.out().flush()?;
                let line = plain_line()?;
                if line.is_none() {
                    writeln!(session.out())?;
                }
                Ok(line)
            }
            Input::Pipe => {
                session.out().flush()?;
                let line = plain_line()?;
                if let Some(line) = &line {
                    writeln!(session.out(), "{prompt} {line}")?;
                }
                Ok(line)
            }
        }
    }
}

/// A line that is edited. Ctrl-C clears it once.
fn edited(
    editor: &mut DefaultEditor,
    session: &mut Session,
    prompt: &str,
    typed: &str,
) -> Result<Option<String>, Failure> {
    let (mut typed, mut is_warned) = (typed, false);
    loop {
        match editor.readline_with_initial(&format!("{prompt} "), (typed, "")) {
            Ok(line) => return Ok(Some(line)),
            Err(ReadlineError::Eof) => return Ok(None),
            Err(ReadlineError::Interrupted) if is_warned => return Err(Failure::Interrupted),
            Err(ReadlineError::Interrupted) => {
                writeln!(session.out(), "{AGAIN}")?;
                session.out().flush()?;
                (typed, is_warned) = ("", true);
            }
            Err(error) => return Err(unreadable(&error)),
        }
    }
}

fn unreadable(error: &dyn std::fmt::Display) -> Failure {
    finding("IO303", format!("cannot read standard input: {error}")).into()
}

/// A line of standard input as it comes.
fn plain_line() -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut bytes);
    read.map_err(|error| unreadable(&error))?;
    let line = || String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
    Ok((!bytes.is_empty()).then(line))
}
