//! The arguments of `rgc protocol-test`.

use clap::{Args, ValueHint};
use kit::bot::Bot;
use std::path::PathBuf;

/// What stands below the options.
pub(super) const HELP: &str = "\
The program is tried as `cmd:COMMAND` of `rgc match` runs it: it begins games, plays each of them for each player against random moves, gets messages
and members that it does not know, starts at a later position, and ends when its input ends. docs/playing.md describes the protocol. The exit code
is 1 if a rule is broken.

Examples:
  rgc protocol-test 'python3 bot.py'
  rgc protocol-test './bot --threads 2,500ms' --game chess --game leducPoker";

/// Which program is checked.
#[derive(Args, Clone, Debug)]
pub struct ProtocolTestArgs {
    /// The program with its arguments, and after a comma its time for a move (10s unless given)
    #[arg(value_name = "COMMAND[,TIME]", value_parser = command)]
    pub command: Bot,
    /// A game that it plays, a file or a bundled game; several can be given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, default_values = ["ticTacToe", "breakthrough", "kuhnPoker"])]
    pub game: Vec<PathBuf>,
    /// Seed of the other players, and the one that the program is sent
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Print one JSON object per line for every check
    #[arg(long)]
    pub json: bool,
}

/// A command, as after `cmd:` or with it.
fn command(text: &str) -> Result<Bot, String> {
    Bot::parse(text.strip_prefix("cmd:").unwrap_or(text))
}
