//! `rgc completions`.

use crate::cli::Cli;
use crate::session::{Failure, Session};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write as _;

pub(super) fn run(session: &mut Session, shell: Shell) -> Result<(), Failure> {
    // Into memory first: the generator cannot cope with a reader that goes away.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "rgc", &mut script);
    Ok(session.out().write_all(&script)?)
}
