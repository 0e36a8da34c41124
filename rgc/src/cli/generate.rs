//! The arguments of `rgc generate`.

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

/// What stands below the options of `rgc generate line-game`.
const LINE_GAME_HELP: &str = "\
The game is in HRG, formatted and with comments. A description has lines `key: value`; docs/generate.md has all keys, and games/line
has descriptions of 21 games. What is wrong with a description is shown at its place, and the exit code is 1.

Examples:
  rgc generate line-game games/line/alquerque_lud.txt -o alquerque.hrg
  rgc generate line-game --board \"grid 5x5, diagonals\" --setup \"12b . 12w\" --rules \"capture: optional; chain: none\"
  rgc generate line-game --board drawing.txt | rgc perft - 5 --from hrg";

/// What stands below the options of `rgc generate random`.
const RANDOM_HELP: &str = "\
Games are drawn until one is worth a look: in random plays it always ends, most plays are won by one of the players, both win often
enough, and there is something to choose from. The same seed gives the same game.

Examples:
  rgc generate random --language sbg --seed 7 -o game.sbg
  rgc generate random --language rbg | rgc audit - --from rbg";

/// What is generated.
#[derive(Subcommand, Clone, Debug)]
pub enum Generator {
    /// Alquerque and its relatives: pieces move along the lines of a board and capture by jumping
    #[command(after_help = LINE_GAME_HELP, override_usage = "rgc generate line-game [OPTIONS] <FILE>\n       rgc generate line-game [OPTIONS] --board <BOARD>")]
    LineGame(LineGameArgs),
    /// A small game with rules drawn at random
    #[command(after_help = RANDOM_HELP)]
    Random(RandomArgs),
}

/// A line game to generate.
#[derive(Args, Clone, Debug)]
pub struct LineGameArgs {
    /// Description of the game, `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "board")]
    pub file: Option<PathBuf>,
    /// The board: a named family such as `grid 5x5`, or a file with a drawing
    #[arg(long, value_name = "BOARD", conflicts_with = "file")]
    pub board: Option<String>,
    /// The first position of a board of a family, in reading order: `12b . 12w`
    #[arg(long, value_name = "PIECES", requires = "board")]
    pub setup: Option<String>,
    /// The rules, as lines of a description with `;` between them
    #[arg(long, value_name = "RULES", requires = "board")]
    pub rules: Option<String>,
    /// Where the game is written.
    #[command(flatten)]
    pub output: GeneratedFile,
}

/// A random game to generate.
#[derive(Args, Clone, Debug)]
pub struct RandomArgs {
    /// Language of the game
    #[arg(long, value_name = "LANGUAGE")]
    pub language: RandomLanguage,
    /// What is drawn; another number is another game
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Where the game is written.
    #[command(flatten)]
    pub output: GeneratedFile,
}

/// Languages of random games.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RandomLanguage {
    /// Regular Boardgames
    Rbg,
    /// High-level Regular Games
    Hrg,
    /// Simplified Boardgames
    Sbg,
}

/// Where a generated game is written.
#[derive(Args, Clone, Debug)]
pub struct GeneratedFile {
    /// Write to this file instead of standard output; an existing file is only replaced with `--force`
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}
