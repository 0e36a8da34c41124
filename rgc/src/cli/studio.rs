//! The arguments of `rgc studio`.

use clap::{Args, ValueHint};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// What `rgc studio` opens, and how it is served.
#[derive(Args, Debug)]
pub struct StudioArgs {
    /// A game to open, by file or by the name of a bundled one, or a folder with games; the working folder by default
    #[arg(value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub target: Option<PathBuf>,
    /// The port on this machine; by default any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Only print the address, do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Save nothing
    #[arg(long)]
    pub read_only: bool,
    /// End when no page has been open for so many minutes
    #[arg(long, value_name = "MINUTES")]
    pub idle: Option<NonZeroU32>,
}
