//! `rgc studio`.

use crate::cli::StudioArgs;
use crate::session::{Failure, Session, progress};
use std::io::Write as _;
use std::time::Duration;
use studio::{Options, Studio};

pub(super) fn run(session: &mut Session, arguments: StudioArgs) -> Result<(), Failure> {
    let StudioArgs { target, port, no_open, read_only, idle } = arguments;
    let idle = idle.map(|minutes| Duration::from_secs(60 * u64::from(minutes.get())));
    let studio = Studio::bind(Options { target, port, read_only, idle, reading: session.reading })?;
    let address = studio.address();
    writeln!(session.out(), "{address}")?;
    session.out().flush()?;
    // Without a browser there is still the address.
    let browsing = if no_open { None } else { Some(studio::browse(&address)) };
    if matches!(browsing, Some(Err(_))) {
        progress("no browser could be opened; open the address above\n");
    }
    Ok(studio.run()?)
}
