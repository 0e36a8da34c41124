//! The arguments of `rgc play`, `rgc match` and `rgc replay`.

use super::{EngineArgs, GameArgs, GamesArgs, StartArgs};
use crate::participant::Participant;
use agents::SpecError;
use clap::builder::UnknownArgumentValueParser;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// What stands below the options of `rgc play`.
pub(super) fn play_help() -> String {
    agents_help("\
Moves are written as they are listed; `help` lists what else you can type. Where something is hidden, only what the player to
move has observed is shown. Commands may come through a pipe. With --full-screen, board, moves and history are side by side,
and the list of moves shrinks to those that begin with what you typed; F1 lists the keys.

Examples:
  rgc play connectFour                     as the first player against Monte Carlo tree search
  rgc play breakthrough --as black --against ab:2s
  rgc play chess --as white,black          two people
  rgc play reversi --full-screen
  rgc play connectFour --resume play.jsonl")
}

/// What stands below the options of `rgc match`.
pub(super) fn match_help() -> String {
    agents_help("\
Every combination of agents, as many as the game has players, plays `--games` games, and changes seats after each one until all
seatings have occurred. Wins and losses are decided by comparing scores. Games that end in an error have no result, but are counted. The table has,
for each combination, the Elo difference that corresponds to the result, with its 95 % confidence interval; with three or more
agents, each also has a rating. Equal seeds give equal matches, unless an agent's budget is time. Ctrl-C ends a match with the
table of the games played so far.

Examples:
  rgc match connectFour --players random,mcts:100ms --games 200
  rgc match breakthrough --players uct:1000p,rave,flat:1000p --record games.jsonl
  rgc match breakthrough --players uct:1000p,rave,flat:1000p --record games.jsonl --resume
  rgc match connectFour --players 'cmd:python3 bot.py,uct:1s' --opening 4
  rgc match connectFour --players 'cmd:\"./bot --x 1,2\",uct:1s'
  rgc match games/rbg --players random,flat:100p --games 10 --csv")
}

/// Who plays a game, and how.
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// The players that humans play, separated by commas, or `none`; by default the first one
    #[arg(long = "as", value_name = "PLAYERS", value_delimiter = ',')]
    pub humans: Vec<String>,
    /// The agent that plays for the others and gives hints
    #[arg(long, value_name = "AGENT", default_value = "uct:1s", value_parser = Participant::parse)]
    pub against: Participant,
    /// What `rgc match` has instead.
    #[arg(long, hide = true, value_parser = not_players())]
    pub players: Option<()>,
    /// Seed of agents and of chance
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Where the game starts.
    #[command(flatten)]
    pub start: StartArgs,
    /// Continue the last game of this record
    #[arg(long, value_name = "RECORD", value_hint = ValueHint::FilePath, conflicts_with_all = ["play", "position"])]
    pub resume: Option<PathBuf>,
    /// Let `save` overwrite existing files; files that it wrote in this game are always overwritten
    #[arg(long)]
    pub force: bool,
    /// Use the whole screen of the terminal
    #[arg(long)]
    pub full_screen: bool,
    /// Engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Which agents play each other, and how often.
#[derive(Args, Clone, Debug)]
pub struct MatchArgs {
    /// The games.
    #[command(flatten)]
    pub games: GamesArgs,
    /// The agents, separated by commas; put commands that contain commas in quotation marks. May be given several times
    #[arg(long, value_name = "AGENTS", required = true, value_parser = participants)]
    pub players: Vec<Participants>,
    /// Number of games for each combination of agents
    #[arg(long = "games", value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub games_each: u64,
    /// Begin every game with N random moves, or with the moves in a line of a file; each opening is played in every seating
    #[arg(long, value_name = "N|FILE", value_hint = ValueHint::FilePath)]
    pub opening: Option<String>,
    /// Seed of the agents, of chance and of openings
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Games played at the same time; by default one per processor
    #[arg(long, value_name = "N")]
    pub threads: Option<std::num::NonZeroUsize>,
    /// A game longer than this is stopped and counts as drawn
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_plies: u64,
    /// Where all games start.
    #[command(flatten)]
    pub start: StartArgs,
    /// Print one JSON object per line for each combination of agents, each agent, each player, and the match as a whole
    #[arg(long)]
    pub json: bool,
    /// Print the results of each combination of agents as comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Write all games to this file, as JSON lines
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub record: Option<PathBuf>,
    /// Overwrite an existing file with the record
    #[arg(long, requires = "record")]
    pub force: bool,
    /// Resume the match of an existing record: only the missing games are played
    #[arg(long, requires = "record", conflicts_with = "force")]
    pub resume: bool,
    /// Engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Which plays are made again.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The record, or `-` for standard input
    #[arg(value_name = "RECORD", value_hint = ValueHint::FilePath)]
    pub record: PathBuf,
    /// File with the game, or the name of a bundled game
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub game: Option<PathBuf>,
    /// Only the game with this number
    #[arg(long, value_name = "N")]
    pub play: Option<u64>,
    /// Do not print the games
    #[arg(long)]
    pub quiet: bool,
    /// Print the position after every move
    #[arg(long)]
    pub boards: bool,
    /// Engine.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Several agents.
#[derive(Clone, Debug)]
pub struct Participants(pub Vec<Participant>);

/// Says which options of `rgc play` say what `--players` says for `rgc match`.
fn not_players() -> UnknownArgumentValueParser {
    UnknownArgumentValueParser::suggest(
        "`--as PLAYERS` says which players you play, `--against AGENT` who plays the others",
    )
}

/// Reads agents, separated by commas.
pub(super) fn participants(text: &str) -> Result<Participants, SpecError> {
    Participant::parse_list(text).map(Participants)
}

/// Help on a command with agents: what is said about it, and a list of them.
pub(super) fn agents_help(text: &str) -> String {
    let mut help = "Agents:\n".to_owned();
    let width = agents::KINDS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, what) in agents::KINDS {
        help.push_str(&format!("  {name:width$}  {what}\n"));
    }
    help.push_str(&format!(
        "  {:width$}  a program of your own: docs/playing.md has the protocol\n",
        "cmd:COMMAND[,TIME]"
    ));
    help.push_str(
        "A BUDGET is for one move: `100ms`, `1.5s` (time), `1000p` (playouts), `5000n` (nodes); docs/playing.md has the OPTIONS.\n\n",
    );
    help + text
}
