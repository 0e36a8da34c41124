//! The arguments of commands that handle several files.

use super::LanguageArgs;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What stands below the options of `rgc check`.
pub(super) const CHECK_HELP: &str = "\
The exit code is 1 if there are errors; warnings and lints do not count.

Several files are checked at once, each in a process of its own, so that `--limit` and `--memory` hold for each of them. Diagnostics
are shown in the order of the files, and a line at the end counts the files. In folders, files with the extension of a language are
checked; hidden files, JSON, and folders called `target` are left out.

With `--watch`, files are checked again whenever they change, until the command is stopped (Ctrl-C); new files in folders are picked up.

With `--proper`, games without errors are also explored by the reference engine: up to `--positions` positions, nearest to the start
first, then random playouts. Each condition of properness that is violated is an error, with a playout that shows it.
A line for each game says how much was explored; `rgc audit --proper` reports more.

With `--perft`, a comment `perft: 20 400 8902` is checked: it gives the number of move sequences of length 1, 2, 3 (joint moves in GDL).
A count that differs is an error. Numbers above 10,000,000 are skipped, as are those that would exceed `--limit`, which holds for all numbers of a
game together. A line for each game says what was counted.

Examples:
  rgc check chess.rbg
  rgc check games 'more/**/*.hrg'
  rgc check chess.rbg --watch
  rgc check chess.rbg --proper
  rgc check games --perft
  rgc check chess.rbg --message-format json";

/// What stands below the options of `rgc fmt`.
pub(super) const FMT_HELP: &str = "\
Files whose formatting changes are overwritten and reported; `-` formats standard input to standard output. In folders,
files with the extension of a language are formatted; hidden files, JSON, and folders called `target` are left out.

Examples:
  rgc fmt games
  rgc fmt --check game.rg                  name the files that are not formatted; exit code 1 if there are any
  rgc fmt --diff game.rg                   show what would change; exit code 1 if anything would
  rgc fmt - --from rbg < game.rbg";

/// What stands below the options of `rgc new`.
pub(super) const NEW_HELP: &str = "\
The game is small, can be played to the end, and has comments that say what its parts are. The extension of the language is added
to NAME if missing.

Examples:
  rgc new rbg pawns                        writes pawns.rbg
  rgc new gdl games/stones --force         replaces games/stones.gdl";

/// Games to read.
#[derive(Args, Clone, Debug)]
pub struct GamesArgs {
    /// Files, folders or patterns such as `games/*.rbg`, `-` for standard input, or names of bundled games
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,
    /// Their language.
    #[command(flatten)]
    pub language: LanguageArgs,
}

/// How many files are handled at once.
#[derive(Args, Clone, Copy, Debug)]
pub struct JobsArgs {
    /// Process N files at once; by default, one per processor
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

impl JobsArgs {
    /// The number asked for, or that of the processors.
    pub fn or_all(self) -> NonZeroUsize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

/// What is checked, and how.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// The games.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Also look for playouts that show that the game is not proper
    #[arg(long)]
    pub proper: bool,
    /// Count move sequences, and compare with the numbers in comments such as `// perft: 20 400 8902`
    #[arg(long, conflicts_with_all = ["proper", "watch"])]
    pub perft: bool,
    /// First apply the fixes that are certain, such as those of misspelt names; then show what is left
    #[arg(long)]
    pub fix: bool,
    /// Check again whenever a file changes, until the command is stopped
    #[arg(long, conflicts_with = "fix")]
    pub watch: bool,
    /// Number of positions explored, nearest to the start first, with `--proper`
    #[arg(long, value_name = "N", default_value_t = 2_000, requires = "proper", value_parser = clap::value_parser!(u64).range(1..))]
    pub positions: u64,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// What is formatted, and where the result goes.
#[derive(Args, Clone, Debug)]
pub struct FmtArgs {
    /// The games.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Change nothing, only list the files that are not formatted
    #[arg(long)]
    pub check: bool,
    /// Change nothing, only show what would change, as a unified diff
    #[arg(long, conflicts_with = "check")]
    pub diff: bool,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// A game to begin with.
#[derive(Args, Clone, Debug)]
pub struct NewArgs {
    /// Language of the game
    #[arg(value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(skeletons()))]
    pub language: String,
    /// Name of the game, which may include a folder
    #[arg(value_name = "NAME", value_hint = ValueHint::FilePath)]
    pub name: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

/// The languages that have a small game to begin with.
fn skeletons() -> impl Iterator<Item = PossibleValue> {
    kit::skeleton::languages().map(PossibleValue::new)
}
