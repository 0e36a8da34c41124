//! The arguments of `rgc expand`.

use super::{GameArgs, OutFile};
use clap::Args;
use std::str::FromStr;

/// What stands below the options of `rgc expand`.
pub(super) const EXPAND_HELP: &str = "\
RBG is written without macros, HRG with a case for all arguments of each function. The comment behind a line says where its first word
comes from: `// 12:5 step (31:9)` is line 12, column 5, in the macro or parameter `step` that is used in line 31. The result is a game
that plays the same. `rgc translate --to ll-rbg` also writes out boards and powers. `--at` is for RBG.

Examples:
  rgc expand breakthrough.rbg
  rgc expand breakthrough.rbg --at 24:5       what a single call stands for
  rgc expand breakthrough.hrg --plain -o tables.hrg";

/// What to expand, and how it is shown.
#[derive(Args, Clone, Debug)]
pub struct ExpandArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// Only the macro call at this place of the text
    #[arg(long, value_name = "LINE:COLUMN")]
    pub at: Option<Place>,
    /// Leave out the comments that say where lines come from
    #[arg(long, conflicts_with = "json")]
    pub plain: bool,
    /// Print one JSON object per line, with the place it comes from
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
    /// Where the text is written.
    #[command(flatten)]
    pub output: OutFile,
}

/// A place of a text: line and column, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |part: &str| part.parse().ok().filter(|&number: &usize| number > 0);
        let parts = text.split_once(':').and_then(|(line, column)| Some((number(line)?, number(column)?)));
        let (line, column) = parts.ok_or("expected line and column, such as `12:5`")?;
        Ok(Self { line, column })
    }
}
