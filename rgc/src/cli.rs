//! The command line: commands and their help texts.

mod audit;
mod bench;
mod expand;
mod files;
mod generate;
mod help;
#[cfg(feature = "managers")]
mod managers;
mod options;
mod players;
mod protocol;
#[cfg(feature = "studio")]
mod studio;

pub use audit::AuditArgs;
pub use bench::BenchArgs;
pub use expand::{ExpandArgs, Place};
pub use files::*;
pub use generate::{GeneratedFile, Generator, LineGameArgs, RandomArgs, RandomLanguage};
pub use help::command;
#[cfg(feature = "managers")]
pub use managers::{JoinArgs, ServeArgs};
pub use options::*;
pub use players::{MatchArgs, Participants, PlayArgs, ReplayArgs};
pub use protocol::ProtocolTestArgs;
#[cfg(feature = "studio")]
pub use studio::StudioArgs;

use crate::watchdog::Bounds;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Reads, checks, translates and runs games written in Regular Games (RG, high-level HRG), Regular Boardgames (RBG),
/// Simplified Boardgames (SBG) and the Game Description Language (GDL).
///
/// FILE may be `-` for standard input, or the name of a bundled game (see `rgc games`). Results go to standard output,
/// diagnostics to standard error. The exit code is 0 on success, 1 if there were errors, and 2 if the command line was wrong.
///
/// Output files (`--output`, `--html`, `--dump-passes`, …) overwrite earlier results of the same kind; any other existing file is kept
/// unless `--force` is given. Records of games, and files that `rgc new` and `rgc generate` write, never overwrite anything without `--force`.
#[derive(Parser, Debug)]
#[command(name = "rgc", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    /// For all commands.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// What the preparation of a game may use. A command that does several things at once, which the reader of a page can stop, is only bounded in
    /// memory: the time of the process says nothing about one game.
    pub fn bounds(&self) -> Bounds {
        let bounds = self.output.bounds();
        #[cfg(feature = "studio")]
        if let Command::Studio(_) = self.command {
            return Bounds { time: std::time::Duration::MAX, ..bounds };
        }
        #[cfg(feature = "managers")]
        if let Command::Serve(_) | Command::Join(_) = self.command {
            return Bounds { time: std::time::Duration::MAX, ..bounds };
        }
        bounds
    }
}

const EXAMPLES: &str = "\
Examples:
  rgc check game.rbg                       all diagnostics of a game
  rgc translate game.rbg --to rg           the game as RG, on standard output
  rgc perft game.rbg 4                     number of move sequences of up to 4 moves, with speeds
  rgc moves game.rbg --play \"a2a3; b7b6\"   the position after two moves, and its legal moves
  rgc bench game.rbg --seconds 5           playouts per second
  rgc perft breakthrough 5                 a bundled game; `rgc games` lists them

`rgc help COMMAND` shows more examples.";

/// Names and summaries of all analyses.
fn analyses() -> impl Iterator<Item = PossibleValue> {
    passes::analysis::registry().iter().map(|analysis| PossibleValue::new(analysis.name).help(analysis.summary))
}

fn optimize_help() -> String {
    let mut help = "\
Examples:
  rgc optimize game.rbg -o small.rg
  rgc optimize game.rg --passes prune,self-loops
  rgc optimize game.rg --dump-passes=steps --verify
  rgc optimize game.rbg --emit program     what the reasoner runs
  rgc stats game.rbg -O2                   only the sizes

Passes, in their order (`--list-passes` says when they run):
"
    .to_owned();
    let width = passes::names().map(str::len).max().unwrap_or(0);
    for pass in passes::registry() {
        help.push_str(&format!("  {:width$}  {}\n", pass.name(), pass.summary()));
    }
    help.trim_end().to_owned()
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Translate a game to RG or to another view of it
    #[command(after_help = "\
Examples:
  rgc translate chess.rbg -o chess.rg
  rgc translate chess.rbg --to ll-rbg      without macros, as other tools read it
  rgc translate chess.rbg -o chess.kif     as rules of GDL
  rgc translate knightthrough.rbg --to sbg as a Simplified Boardgame
  rgc translate game.json --to rg          back from JSON")]
    Translate {
        /// The game.
        #[command(flatten)]
        game: GameArgs,
        /// What to translate to; by default determined by the extension of OUT, or else RG
        #[arg(long, value_name = "TARGET")]
        to: Option<Target>,
        /// How much the game is optimised.
        #[command(flatten)]
        level: LevelArgs,
        /// Where to.
        #[command(flatten)]
        output: OutFile,
    },
    /// Compile the forward model of a game to Rust or C++ source code for use in other programs
    #[command(after_help = "\
The source text has no dependencies. It covers states, legal moves, making moves, scores, descriptions, perft and playouts;
with equal seeds, its playouts are those of `rgc bench`. Games that need the `backtracking` engine, in part or as a whole, cannot be
compiled: a diagnostic names the decisions and the reasons. Every game can be run through the C interface. docs/embedding.md has
examples.

Examples:
  rgc compile breakthrough.rbg --emit rust -o breakthrough.rs
  rgc compile breakthrough.rbg --emit cpp -o breakthrough.hpp")]
    Compile {
        /// The game.
        #[command(flatten)]
        game: GameArgs,
        /// Language of the source text
        #[arg(long, value_name = "LANGUAGE")]
        emit: Emit,
        /// The interface of another compiler, for programs that are written against its headers; with C++ only
        #[arg(long, value_name = "COMPILER")]
        interface: Option<Interface>,
        /// How much the game is optimised; 2 without this option.
        #[command(flatten)]
        level: LevelArgs,
        /// Where to.
        #[command(flatten)]
        output: OutFile,
    },
    /// Optimise a game: print an equivalent, smaller RG game
    #[command(after_help = optimize_help(), override_usage = "rgc optimize [OPTIONS] <FILE>\n       rgc optimize --list-passes")]
    Optimize(OptimizeArgs),
    /// Check games and show all diagnostics
    #[command(after_help = files::CHECK_HELP)]
    Check(CheckArgs),
    /// Format the source of games, keeping comments
    #[command(after_help = files::FMT_HELP)]
    Fmt(FmtArgs),
    /// Write a small game to start from
    #[command(after_help = files::NEW_HELP)]
    New(NewArgs),
    /// Generate a game: a line game from a short description, or one drawn at random
    #[command(subcommand)]
    Generate(Generator),
    /// Show a position and its legal moves
    #[command(after_help = "\
A move can be written as it is listed, such as `e2e4`, or as `e2-e4`, `e2 e4` or `e2xe4`; by its number in the list and a dot (`3.`);
by its squares or its first letters, if they are unambiguous; in full (`move` with `--json`); or as tags. If two moves have the
same notation but lead to different positions, the rules are ambiguous, which is an error; with `--ambiguous split`
both are listed, as `MOVE #1` and `MOVE #2`.

Examples:
  rgc moves breakthrough.rbg
  rgc moves breakthrough.rbg --play \"a2a3; b7b6\" --json > there.json
  rgc moves breakthrough.rbg --position there.json
  rgc moves chess --play \"e2e4; 5.\" --tags  with the tags that the moves have in the rules
  rgc moves poker.kif --play \"(deal ace king)\" --as ann")]
    Moves {
        /// The game.
        #[command(flatten)]
        game: GameArgs,
        /// Which position.
        #[command(flatten)]
        start: StartArgs,
        /// Show what this player or role knows instead, where something is hidden or all move at once: its moves, what it observed, and its legal moves
        #[arg(long = "as", value_name = "ROLE", conflicts_with = "position")]
        role: Option<String>,
        /// How the position is drawn
        #[arg(long, value_name = "HOW", default_value = "ascii")]
        board: BoardForm,
        /// The position as a picture, and nothing else: short for `--board svg`
        #[arg(long, conflicts_with_all = ["board", "json", "role"])]
        svg: bool,
        /// Also show the tags of every move
        #[arg(long)]
        tags: bool,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
        /// Engine.
        #[command(flatten)]
        engine: EngineArgs,
    },
    /// Count move sequences of a given length (perft)
    #[command(after_help = "\
Counts the sequences of exactly 1, 2, …, DEPTH moves of players or of chance; moves of the keeper, which are
forced, do not add to the length.

Several games are counted one after the other, so that measured speeds are comparable; `--jobs N` counts N games at once,
each in its own process. The last line sums up the files.

Examples:
  rgc perft chess.rbg 4
  rgc perft chess.rbg 3 --divide           the number for each first move
  rgc perft chess.rbg 3 --play \"e2e4; e7e5\"
  rgc perft breakthrough.rbg 3 --position there.json   a position saved by `rgc moves --json`
  rgc perft chess.rbg 3 --expect 20,400,8902
  rgc perft draughts.rbg 6 --unique        captures of the same pieces in a different order count once
  rgc perft games/rbg 3                    all games in a folder, one after the other
  rgc perft games/rbg 3 --jobs 4           the same, four games at once
  rgc perft chess.rbg 4 --json")]
    Perft {
        /// The games.
        #[command(flatten)]
        games: GamesArgs,
        /// Maximum length
        #[arg(value_parser = depth)]
        depth: u32,
        /// Where counting begins.
        #[command(flatten)]
        start: StartArgs,
        /// Expected numbers for the depths 1, 2, …, separated by commas; the exit code is 1 if they differ
        #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = number, conflicts_with = "divide")]
        expect: Vec<u64>,
        /// Show the number for every first move
        #[arg(long)]
        divide: bool,
        /// Count joint moves of all roles, where the language has them (GDL)
        #[arg(long)]
        joint: bool,
        /// Count moves that lead to the same position as one move
        #[arg(long, conflicts_with = "joint")]
        unique: bool,
        /// Print one JSON object per line for every depth (or first move)
        #[arg(long)]
        json: bool,
        /// Count N games at once; one after the other by default, so that speeds can be compared
        #[arg(short, long, value_name = "N", default_value = "1")]
        jobs: NonZeroUsize,
        /// Engine.
        #[command(flatten)]
        engine: EngineArgs,
    },
    /// Play a reproducible random game and print it as JSON lines
    #[command(after_help = "\
At ply k (from 0) the n legal moves are sorted by their text and the one with index (7*k + 3*i + SEED) mod n is played;
i is the player's position in the declaration, for chance the number of players. A line for every ply names the player,
the number of legal moves, and the move in full (`move`) and as `--play` and people write it (`short`); the last line has
the scores.

Example:
  rgc trace chess.rbg --seed 1")]
    Trace {
        /// The game.
        #[command(flatten)]
        game: GameArgs,
        /// Selects the game that is played
        #[arg(long, value_name = "SEED", default_value_t = 0)]
        seed: u64,
        /// Stop with an error if the game is longer than this
        #[arg(long, value_name = "N", default_value_t = 1_000_000)]
        max_plies: u64,
        /// Also write the tags of every move
        #[arg(long)]
        tags: bool,
        /// Where the play begins.
        #[command(flatten)]
        start: StartArgs,
        /// Engine.
        #[command(flatten)]
        engine: EngineArgs,
    },
    /// Play a game yourself, against an agent or other people
    #[command(after_help = players::play_help())]
    Play(PlayArgs),
    /// Let agents play matches against each other
    #[command(after_help = players::match_help())]
    Match(MatchArgs),
    /// Replay the games of a record: verify and print them
    #[command(after_help = "\
The game is read from the path in the record, unless `--game` gives another. All moves must be legal, and the
numbers of legal moves and the scores must match the record.

Examples:
  rgc replay games.jsonl
  rgc replay games.jsonl --play 7 --boards
  rgc replay games.jsonl --quiet           only whether the record is valid")]
    Replay(ReplayArgs),
    /// Measure how fast games run
    #[command(after_help = bench::HELP)]
    Bench(BenchArgs),
    /// Report on a game: length, branching, results, sizes, dead rules, properness
    #[command(after_help = audit::HELP)]
    Audit(AuditArgs),
    /// Show the sizes of games
    #[command(after_help = "\
Cells are the sum, over all variables, of the number of places of the variable times the number of values that a
place can hold. State bits are the size of one state in the engine.

With `--reasoner`, the game is optimised as for `bench` unless `-O` is given, and each node where a player decides is listed: whether its
moves are lifted, that is, computed by a compiled program instead of the `backtracking` engine, and if not, why. In JSON these are
`engine`, `reasoner` (the lines) and `state_bytes`.

Examples:
  rgc stats chess.rbg --json
  rgc stats chess.rbg --reasoner           what the fast engines can do with it
  rgc stats chess.rbg -O2                  after optimisation
  rgc stats games/rbg                      all games in a folder")]
    Stats {
        /// The games.
        #[command(flatten)]
        games: GamesArgs,
        /// How much the game is optimised.
        #[command(flatten)]
        level: LevelArgs,
        /// Show what the reasoner makes of the game
        #[arg(long)]
        reasoner: bool,
        /// How many at once.
        #[command(flatten)]
        jobs: JobsArgs,
        /// Print one JSON object for each game instead of text
        #[arg(long)]
        json: bool,
    },
    /// Draw the automaton of a game
    #[command(after_help = "\
Large automata have regions: nested parts of a turn that are entered through one node only. A region can be drawn as
one box. In text for Graphviz, open regions are clusters; in a page (`--to html`) a click opens or folds them.

Examples:
  rgc graph game.rg | dot -Tpdf -o game.pdf
  rgc graph game.rg -o game.svg
  rgc graph game.rg --to svg -O2 --analysis live
  rgc graph chess.rbg -O2 -o chess.html
  rgc graph chess.rbg -O2 --to regions     the names of the regions
  rgc graph chess.rbg --to svg --collapse all")]
    Graph {
        /// The game.
        #[command(flatten)]
        game: GameArgs,
        /// Kind of drawing; by default determined by the extension of OUT, or else text for Graphviz
        #[arg(long, value_name = "KIND")]
        to: Option<Drawing>,
        /// Label every node with the result of an analysis
        #[arg(long, value_name = "ANALYSIS", value_parser = PossibleValuesParser::new(analyses()))]
        analysis: Option<String>,
        /// Which position is marked.
        #[command(flatten)]
        start: StartArgs,
        /// Which regions are folded.
        #[command(flatten)]
        folding: FoldArgs,
        /// How much the game is optimised.
        #[command(flatten)]
        level: LevelArgs,
        /// Where to.
        #[command(flatten)]
        output: OutFile,
    },
    /// Check whether two games are equivalent
    #[command(after_help = "\
The games may be written in different languages. Who is to move, the number of moves, ends and scores have to agree, in
all positions up to some depth and then in playouts. Players correspond by their order of declaration; moves by their
notation, by renaming the words in it, or else by the shape of the game tree, with statistics where that is not
conclusive. The exit code is 1 if the games differ; a sequence of moves that shows it is printed.

Where the second game makes one move of the first in several steps of the same player, such as a capture that goes on, use `--by steps`: the
tags of the steps one after the other are those of the move. Where moves do not correspond in this way, use `--by counts`: no moves are matched, only the numbers of games (if
games are equally long on average) and the scores of 20 times as many playouts (by a chi-square test with a
false-alarm rate of 1 in 10,000). It is statistical: equal counts prove nothing.

Examples:
  rgc equiv breakthrough.sbg breakthrough.rbg
  rgc equiv old.rg new.rg --positions 1000000 --plays 1000 --json
  rgc equiv amazons amazonsSplit --by counts")]
    Equiv {
        /// First game: a file, `-` for standard input, or the name of a bundled game
        #[arg(value_name = "FIRST", value_hint = ValueHint::FilePath)]
        first: PathBuf,
        /// Second game
        #[arg(value_name = "SECOND", value_hint = ValueHint::FilePath)]
        second: PathBuf,
        /// Their language.
        #[command(flatten)]
        language: LanguageArgs,
        /// How moves of the games correspond; without it, the first of `notation`, `tags`, `bijection` and `shape` that applies
        #[arg(long, value_name = "CRITERION")]
        by: Option<MatchBy>,
        /// Maximum depth up to which all positions are compared
        #[arg(long, value_name = "PLIES", default_value_t = 1000)]
        depth: u32,
        /// Number of positions compared before playouts begin
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        positions: u64,
        /// Number of playouts
        #[arg(long, value_name = "N", default_value_t = 100)]
        plays: u32,
        /// Seed of the playouts
        #[arg(long, value_name = "SEED", default_value_t = 0)]
        seed: u64,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
        /// Engine.
        #[command(flatten)]
        engine: EngineArgs,
    },
    /// List the bundled games, or show the source of one
    #[command(after_help = "\
Wherever a command takes FILE, the name of a bundled game will do if there is no such file. A game that exists in
several languages is read in the first one listed, unless `--from` or an extension asks for another.

Examples:
  rgc games
  rgc games --show breakthrough --from rg
  rgc perft breakthrough 4
  rgc perft breakthrough.rg 4")]
    Games {
        /// Print the source of this game
        #[arg(long, value_name = "NAME", conflicts_with = "json")]
        show: Option<String>,
        /// Print one JSON object per line for every game
        #[arg(long)]
        json: bool,
        /// Only games in this language.
        #[command(flatten)]
        language: LanguageArgs,
    },
    /// Write out the macros of RBG, or the functions of HRG
    #[command(after_help = expand::EXPAND_HELP)]
    Expand(ExpandArgs),
    /// Explain a diagnostic code, or list all codes
    #[command(after_help = "\
Examples:
  rgc explain RG017
  rgc explain                              all codes
  rgc explain RBG                          those of one language")]
    Explain {
        /// The code, such as `RG017`, or its letters only
        #[arg(value_name = "CODE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
        code: Option<String>,
        /// Print one JSON object per line for every code
        #[arg(long)]
        json: bool,
    },
    /// Serve an editor while games are written (Language Server Protocol)
    #[cfg(feature = "lsp")]
    #[command(after_help = "\
Editors start this command themselves and talk to it over standard input and output. docs/editors.md tells how they are set up. `--limit`
and `--memory` hold for the translation of each game.")]
    Lsp {
        /// Talk over standard input and output; there is no other way, but some editors say so
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Write, see, play and measure games in the browser
    #[cfg(feature = "studio")]
    #[command(after_help = "\
Serves a page on this machine and opens it in the browser; Ctrl-C ends it. Only pages with the secret in the printed address may use it,
and they see nothing of the disk but the folder. docs/studio.md tells what the page can do, and how it is used on another machine.

Examples:
  rgc studio                               the games of the working folder, and the bundled ones
  rgc studio breakthrough                  a copy of a bundled game
  rgc studio games/rbg --read-only
  rgc studio mygame.rbg --export mygame.html   a page that opens without a server
  rgc studio mygame.rbg --port 8000 --no-open")]
    Studio(StudioArgs),
    /// Run matches over the network, as a game manager
    #[cfg(feature = "managers")]
    #[command(after_help = managers::SERVE_HELP)]
    Serve(ServeArgs),
    /// Play matches over the network, for a game manager
    #[cfg(feature = "managers")]
    #[command(after_help = managers::join_help())]
    Join(JoinArgs),
    /// Check whether a program keeps the protocol for programs that choose moves
    #[command(after_help = protocol::HELP)]
    ProtocolTest(ProtocolTestArgs),
    /// Print the JSON Schema of games in JSON
    Schema,
    /// Print a completion script for a shell
    #[command(after_help = "\
Example:
  rgc completions bash > ~/.local/share/bash-completion/completions/rgc")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write manual pages, one for every command
    #[command(after_help = "\
Without DIR, the page about the whole program goes to standard output.

Examples:
  rgc man | man -l -
  rgc man ~/.local/share/man/man1          then `man rgc`, `man rgc-play`, …")]
    Man {
        /// Folder for the pages `rgc.1`, `rgc-check.1`, …; it is created if needed, but not those above it
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: Option<PathBuf>,
        /// What the pages may replace.
        #[command(flatten)]
        force: Force,
    },
}

/// A number, with white space around it.
fn number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| "a number is expected".to_owned())
}

/// A number of moves.
fn depth(text: &str) -> Result<u32, String> {
    let is_whole = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| match text.parse::<f64>() {
        Ok(_) if is_whole => format!("a number of moves is expected, at most {}", u32::MAX),
        Ok(_) => "a whole number of moves is expected, such as 4".to_owned(),
        Err(_) => format!("a number of moves is expected after the games, as in `rgc perft {text} 4`"),
    })
}

/// A time in seconds: a positive number, at most a day.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("a positive number of seconds is expected, at most 86400".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
