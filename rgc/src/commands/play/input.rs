//! Lines from the one who plays.

use crate::session::{Failure, Session, finding};
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::io::{self, BufRead, IsTerminal, Read, Write as _};

/// Longest line in bytes; what is behind that is the next one.
const MAX_LINE: u64 = 1 << 16;

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

    /// The next line without its end; `None` if there is none.
    pub(super) fn line(&mut self, session: &mut Session, prompt: &str) -> Result<Option<String>, Failure> {
        match self {
            Input::Terminal(editor) => {
                session.out().flush()?;
                drop_typed_ahead();
                match editor.readline(&format!("{prompt} ")) {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(unreadable(&error)),
                }
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

/// Forgets what was typed while another one was to move. A terminal that does not is as good.
fn drop_typed_ahead() {
    #[cfg(unix)]
    let _ = rustix::termios::tcflush(rustix::stdio::stdin(), rustix::termios::QueueSelector::IFlush);
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
