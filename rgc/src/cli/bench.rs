//! The arguments of `rgc bench`.

use super::options::engine_names;
use super::{AmbiguityArgs, CodeArgs, GamesArgs, LevelArgs, Mode, ProfileArgs, StartArgs, seconds};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// What stands below the options.
pub(super) const HELP: &str = "\
Modes:
  list    random playouts (flat Monte Carlo): in every state all legal moves are written to a list and one of them is made
  set     the same playouts with the legal moves as sets, from which one is drawn; only for engines that have sets
  bulk    perft of growing depth with bulk counting: the moves of the last ply are counted, not made
  visit   perft of growing depth in which every move is made, those of the last ply too; moves of chance are not merged

States per second are, in modes `list` and `set`, states in which a player chose; in `bulk`, move sequences of all lengths up to the
depth; in `visit`, moves made. Speeds of engines are comparable only within one mode. `plies` is the mean length of a playout and `moves` the mean number
of legal moves: engines that differ in them do not run the same game. Games are measured one after the other.

Figures are medians of all runs; `min–max %` are the slowest and the fastest run in percent of the median. `engine` is the one that ran:
`auto` begins with `interpreter` and goes on with `native` as soon as there is machine code; decisions that
cannot be lifted (compiled to a program) are run by `backtracking`. `bytes` is the size of a state, `peak MiB` the peak memory of the process since the engine was prepared (only on
Linux). `start-up` is the time in milliseconds from the text to the first legal moves, `warm-up` that to the end of the first
random playout.

With `--relative`, speeds are also shown as multiples of the first game's, with the same `--engine` and in the same mode; with `--compare`,
as multiples of those in an earlier run, where `~` means that the ranges of both overlap.

A line of `--json` has `game`, `language`, `engine` (the one that ran), `asked` (the one given with `--engine`; `all` leaves out those that
fall back to another one), `mode`, `playouts_per_s`, `states_per_s`, `spread` (slowest and fastest run), `mean_plies`, `mean_moves`, `state_bytes`,
`peak_bytes`, `read_ms` (parsing, lowering, checking), `optimise_ms`, `build_ms` (preparing the engine, to the first legal
moves), `startup_ms` (their sum), `warm_up_ms` (with the first playout), `runs` and `seconds`; what a mode does not measure is null.

Examples:
  rgc bench chess.rbg breakthrough.rbg --seconds 5
  rgc bench games/rbg --mode list --seconds 1
  rgc bench chess.rbg --mode bulk --engine all --json > before
  rgc bench chess.rbg --mode bulk --engine all --compare before
  rgc bench breakthrough.rbg breakthrough.gdl --relative
  rgc bench chess.rbg --markdown > report.md
  rgc bench chess.rbg --startup --engine native      from the text to the first legal moves, part by part";

/// Which games are measured, and how.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// The games.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Measure instead how long it takes to read, optimise and prepare the games and to list their first legal moves
    #[arg(long, conflicts_with_all = ["mode", "relative", "compare", "markdown", "play", "position"])]
    pub startup: bool,
    /// What to measure; may be given several times, or separated by commas
    #[arg(long, value_name = "MODE", value_delimiter = ',', default_value = "list,bulk")]
    pub mode: Vec<Mode>,
    /// Time for all runs of a game, engine and mode together
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = seconds)]
    pub seconds: f64,
    /// Number of runs; medians are shown
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Seed of the random playouts
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Where plays start.
    #[command(flatten)]
    pub start: StartArgs,
    /// Print one JSON object per line for every measurement
    #[arg(long)]
    pub json: bool,
    /// Print a report in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Also show speeds as multiples of that of the first game
    #[arg(long)]
    pub relative: bool,
    /// Also show speeds as multiples of those of an earlier run, written with `--json`
    #[arg(long, value_name = "RUN", value_hint = ValueHint::FilePath)]
    pub compare: Option<PathBuf>,
    /// Engine to run the games with; `auto` is the fastest one, `all` measures each
    #[arg(long, value_name = "ENGINE", default_value = "auto",
        value_parser = PossibleValuesParser::new(engine_names().chain(["all"])))]
    pub engine: String,
    /// How much the games are optimised.
    #[command(flatten)]
    pub level: LevelArgs,
    /// What to do with labels that lead to several states.
    #[command(flatten)]
    pub ambiguity: AmbiguityArgs,
    /// How large code may become.
    #[command(flatten)]
    pub code: CodeArgs,
    /// Whether plays are looked at beforehand.
    #[command(flatten)]
    pub profile: ProfileArgs,
}
