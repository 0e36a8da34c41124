//! The arguments of `rgc studio`.

use super::players::{Participants, participants};
use clap::{Args, ValueHint};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// What `rgc studio` opens, and how it is served.
#[derive(Args, Debug)]
pub struct StudioArgs {
    /// A game to open, by file, by the name of a bundled one or by a link that shares it, or a folder with games; the working folder by default
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
    /// Serve nothing: write a page about the game that needs no server to this file, if it ends in `.html`, or pages about all games that are
    /// named (the bundled ones by default) and a list of them to this folder
    #[arg(long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath, conflicts_with_all = ["port", "no_open", "read_only", "idle"])]
    pub export: Option<PathBuf>,
    /// Who plays the game that is shown on these pages, separated by commas
    #[arg(long, value_name = "AGENTS", requires = "export", default_value = "uct:40p", value_parser = participants)]
    pub players: Participants,
    /// Replace existing files whatever they hold; without it, pages only replace pages
    #[arg(long, requires = "export")]
    pub force: bool,
}
