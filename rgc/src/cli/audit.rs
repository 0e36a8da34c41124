//! The arguments of `rgc audit`.

use super::{EngineArgs, Force, GamesArgs, StartArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// What stands below the options.
pub(super) const HELP: &str = "\
The figures come from playouts with the given seed, and from the positions nearest to the start; intervals in brackets are 95 %
confidence intervals. `docs/audit.md` explains how each figure is obtained. Dead rules are found in two ways: static analysis
shows that some can never be reached; others were merely not exercised in the playouts of the reference engine.

With `--proper` the five conditions of a proper game are tested: valid actions, unambiguous moves, a move in every position,
a keeper without a choice, and termination. The exit code is 1 if one of them is violated; the playout that shows it is as
short as possible if it was found among the positions nearest to the start.

Examples:
  rgc audit breakthrough
  rgc audit game.rg --proper
  rgc audit chess.rbg --playouts 10000 --html report.html
  rgc audit games/gdl/*.gdl --json";

/// Which games are looked at, and for how long.
#[derive(Args, Clone, Debug)]
pub struct AuditArgs {
    /// The games.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Test the conditions of proper games
    #[arg(long)]
    pub proper: bool,
    /// Number of playouts
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub playouts: u64,
    /// Maximum length of a playout; longer ones are stopped
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub max_plies: u64,
    /// Number of positions explored, nearest to the start first
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub positions: u64,
    /// Seed of the playouts
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Where playouts and the search for positions start.
    #[command(flatten)]
    pub start: StartArgs,
    /// Print one JSON object per line for every game
    #[arg(long)]
    pub json: bool,
    /// Write a page with plots to this file; for one game only
    #[arg(long, value_name = "PAGE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,
    /// What the page may replace.
    #[command(flatten)]
    pub force: Force,
    /// Engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}
