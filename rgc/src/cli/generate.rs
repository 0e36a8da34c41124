//! The arguments of `rgc generate`.

use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// What stands below the options of `rgc generate`.
pub(super) const GENERATE_HELP: &str = "\
The game is in HRG, formatted and with comments. A description has lines `key: value`; docs/generate.md has all keys, and games/line
has descriptions of 21 games. What is wrong with a description is shown at its place, and the exit code is 1.

Examples:
  rgc generate line-game games/line/alquerque_lud.txt -o alquerque.hrg
  rgc generate line-game --board \"grid 5x5, diagonals\" --setup \"12b . 12w\" --rules \"capture: optional; chain: none\"
  rgc generate line-game --board drawing.txt | rgc perft - 5 --from hrg";

/// What is generated.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// Alquerque and its relatives: pieces move along the lines of a board and capture by jumping
    LineGame,
}

/// A game to generate.
#[derive(Args, Clone, Debug)]
pub struct GenerateArgs {
    /// What to generate
    #[arg(value_name = "GENERATOR")]
    pub generator: Generator,
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
    /// Write to this file instead of standard output; an existing file is only replaced with `--force`
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}
