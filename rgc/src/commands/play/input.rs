//! Lines from the one who plays.

use crate::session::{Failure, Session, finding};
use std::io::{self, BufRead, IsTerminal, Read, Write as _};

/// Longest line in bytes; what is behind that is the next one.
const MAX_LINE: u64 = 1 << 16;

/// Standard input. What comes through a pipe is printed behind the prompt, so that the output can be read on its own.
pub(super) struct Input {
    echo: bool,
}

impl Input {
    pub(super) fn new() -> Self {
        Self { echo: !io::stdin().is_terminal() }
    }

    /// The next line without its end; `None` if there is none.
    pub(super) fn line(&mut self, session: &mut Session, prompt: &str) -> Result<Option<String>, Failure> {
        if !self.echo {
            write!(session.out(), "{prompt} ")?;
        }
        session.out().flush()?;
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut bytes);
        read.map_err(|error| finding("IO303", format!("cannot read standard input: {error}")))?;
        if bytes.is_empty() {
            if !self.echo {
                writeln!(session.out())?;
            }
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        if self.echo {
            writeln!(session.out(), "{prompt} {line}")?;
        }
        Ok(Some(line))
    }
}
