//! The arguments of `rgc serve` and `rgc join`.

use super::GameArgs;
use super::players::agents_help;
use crate::participant::Participant;
use clap::{Args, ValueHint};
use managers::ggp::Address;
use std::net::IpAddr;
use std::path::PathBuf;

/// What stands below the options of `rgc serve`.
pub(super) const SERVE_HELP: &str = "\
With `--ggp`, the players are programs that speak the HTTP protocol of General Game Playing, such as `rgc join --ggp`, and the game is in GDL. There
are at least as many as the game has roles besides `random`, which the manager plays; each match has the next of all ways to give the
roles to players. A player that is late, answers something else than a legal move or cannot be reached has a move drawn for it; after
three silences in a row it is not asked any more. In games with `sees`, players get percepts in place of moves (GDL-II).

With `--rbg`, players connect to the port and speak the protocol of the RBG game manager, such as `rgc join --rbg`; the game is in RBG. A player
that is late, sends something else than a legal move, or goes away, loses the game and its seat.

Examples:
  rgc serve ticTacToe.kif --ggp localhost:9147,localhost:9148 --play-clock 5
  rgc serve connectFour.gdl --ggp localhost:9147,localhost:9148 --matches 100 --scramble --record games.jsonl
  rgc serve game.kif --ggp 10.0.0.7:9147 --ggp-record matches
  rgc serve breakthrough.rbg --rbg 9333 --matches 10";

/// What stands below the options of `rgc join`.
pub(super) fn join_help() -> String {
    agents_help("\
With `--ggp`, the player waits on a port for managers of General Game Playing, on this machine only unless `--host` says otherwise, and
plays one match at a time until Ctrl-C. With `--rbg`, it connects to an RBG game manager and plays until that closes the connection. It
thinks for as long as the clock allows, less a part for the way of the answer; a shorter budget of the agent holds.

Examples:
  rgc join --ggp 9147                      plays by Monte Carlo tree search
  rgc join --ggp 9147 --host 0.0.0.0 --agent uct:2s
  rgc join --ggp 9147 --agent 'cmd:python3 bot.py'
  rgc join --rbg localhost:9333 --agent uct:1s")
}

/// Which matches are run.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// Where players of General Game Playing listen, separated by commas
    #[arg(long, value_name = "HOST:PORT", required_unless_present = "rbg", value_delimiter = ',', value_parser = Address::parse)]
    pub ggp: Vec<Address>,
    /// Wait for players of the RBG game manager on this port; 0 takes a free one
    #[arg(long, value_name = "PORT", conflicts_with_all = ["ggp", "scramble", "ggp_record"])]
    pub rbg: Option<u16>,
    /// The address to wait on with `--rbg`: `0.0.0.0` is open to other machines
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", conflicts_with = "ggp")]
    pub host: IpAddr,
    /// Number of matches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub matches: u64,
    /// Time before the first move; with `--rbg`, also for players to come
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub start_clock: u64,
    /// Time for each move
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub play_clock: u64,
    /// Give the symbols of the game other names, new ones in each match
    #[arg(long)]
    pub scramble: bool,
    /// With `--ggp`: seed of the role `random`, of moves that are drawn, and of other names
    #[arg(long, value_name = "SEED", default_value_t = 0, conflicts_with = "rbg")]
    pub seed: u64,
    /// A match longer than this is given up
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: u64,
    /// Print a JSON object per match, and one for each player
    #[arg(long)]
    pub json: bool,
    /// Write all games to this file, as JSON lines that `rgc replay` reads
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub record: Option<PathBuf>,
    /// Write each match to a file in this folder, in the JSON form of GGP servers
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub ggp_record: Option<PathBuf>,
    /// Overwrite existing records
    #[arg(long)]
    pub force: bool,
}

/// Who waits for matches.
#[derive(Args, Clone, Debug)]
pub struct JoinArgs {
    /// Wait for managers of General Game Playing on this port; 0 takes a free one
    #[arg(long, value_name = "PORT", required_unless_present = "rbg")]
    pub ggp: Option<u16>,
    /// Connect to an RBG game manager
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "ggp")]
    pub rbg: Option<String>,
    /// The address to listen on with `--ggp`: `0.0.0.0` is open to other machines
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", conflicts_with = "rbg")]
    pub host: IpAddr,
    /// Who chooses the moves
    #[arg(long, value_name = "AGENT", default_value = "uct", value_parser = Participant::parse)]
    pub agent: Participant,
    /// What the player calls itself
    #[arg(long, value_name = "NAME", default_value = "rgc", value_parser = name, conflicts_with = "rbg")]
    pub name: String,
    /// Seed of the agent; the name of a match is mixed in
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
}

/// A name that is one word of the protocol.
fn name(text: &str) -> Result<String, String> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match text.is_empty() || !text.chars().all(is_sign) {
        true => Err("letters, digits, `-`, `_` and `.` are expected".to_owned()),
        false => Ok(text.to_owned()),
    }
}
