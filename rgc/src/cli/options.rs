//! Options that several commands share, and what they can be.

use crate::equiv::Criterion;
use crate::language::names;
use crate::output::{Existing, Kind};
use crate::render;
use crate::watchdog::Bounds;
use backend::{Ambiguity, Engine, Limits, Listing, Options, wir_opt};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};
use passes::facts::Claims;
use rg_ir::diag::expected_one_of;
use std::path::PathBuf;
use std::time::Duration;

/// The heading of what every command accepts, and few need.
const RARE: &str = "Options of all commands";

/// How findings are shown, and how long translations may take.
#[derive(Args, Clone, Debug)]
pub struct OutputArgs {
    /// Colour diagnostics; `auto` means only on a terminal, and not if NO_COLOR is set
    #[arg(long, global = true, help_heading = RARE, value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// Format of diagnostics
    #[arg(long, global = true, help_heading = RARE, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Give up preparing a game (reading, optimising, compiling) after SECONDS of CPU time; a higher limit
    /// also allows larger tables for GDL games
    #[arg(long, global = true, help_heading = RARE, value_name = "SECONDS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub limit: u32,
    /// Give up when more than MIB mebibytes of memory are in use
    #[arg(long, global = true, help_heading = RARE, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(64..))]
    pub memory: u32,
    /// Accept only what the language specification allows; what is otherwise accepted with a warning is an error (GDL)
    #[arg(long, global = true, help_heading = RARE)]
    pub strict: bool,
}

impl OutputArgs {
    /// What the preparation of a game may use.
    pub fn bounds(&self) -> Bounds {
        Bounds { time: Duration::from_secs(self.limit.into()), memory: u64::from(self.memory) << 20 }
    }
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Format of diagnostics.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageFormat {
    /// With excerpts of the text.
    Human,
    /// One JSON object per line.
    Json,
    /// One line per diagnostic.
    Short,
}

impl From<MessageFormat> for render::MessageFormat {
    fn from(format: MessageFormat) -> Self {
        match format {
            MessageFormat::Human => Self::Human,
            MessageFormat::Json => Self::Json,
            MessageFormat::Short => Self::Short,
        }
    }
}

/// How moves of two games correspond.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchBy {
    /// By equal text in the notations of their languages; white space does not count
    Notation,
    /// By equal tags
    Tags,
    /// By a renaming of the words of moves, such as `c1` for `rx2y0`
    Bijection,
    /// By the shape of the game tree: who is to move, number of moves, ends, scores
    Shape,
    /// By tags (in GDL the arguments of moves, in their order), where the second game makes one move of the first in several steps of the same player
    Steps,
    /// Not at all: the numbers of games and the scores of playouts are compared
    Counts,
}

impl From<MatchBy> for Criterion {
    fn from(by: MatchBy) -> Self {
        match by {
            MatchBy::Notation => Self::Notation,
            MatchBy::Tags => Self::Tags,
            MatchBy::Bijection => Self::Bijection,
            MatchBy::Shape => Self::Shape,
            MatchBy::Steps => Self::Steps,
            MatchBy::Counts => Self::Counts,
        }
    }
}

/// How positions are drawn.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardForm {
    /// Text: letters for pieces
    Ascii,
    /// Text: characters for chess pieces and discs, where the names of the pieces say so
    Unicode,
    /// A picture in SVG, without the list of moves
    Svg,
}

/// A game to read.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// File with the game, `-` for standard input, or the name of a bundled game
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The rest, as for several files.
    #[command(flatten)]
    pub language: LanguageArgs,
}

/// Where a game starts.
#[derive(Args, Clone, Default, Debug)]
pub struct StartArgs {
    /// Start after these moves, separated by `;`
    #[arg(long, value_name = "MOVES", default_value = "")]
    pub play: String,
    /// Start at the position in this file, as written by `rgc moves --json`; `-` for standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub position: Option<PathBuf>,
}

/// The language games are read in.
#[derive(Args, Clone, Debug)]
pub struct LanguageArgs {
    /// Language of the text; by default determined by the file's extension, or for standard input by how the text begins
    #[arg(long, value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(names()))]
    pub from: Option<String>,
}

/// Where a result goes.
#[derive(Args, Clone, Debug)]
pub struct OutFile {
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// What it may replace.
    #[command(flatten)]
    pub force: Force,
}

/// What may be replaced by what is written.
#[derive(Args, Clone, Copy, Debug)]
pub struct Force {
    /// Replace existing files whatever they hold; without it, only earlier results of the same kind are replaced
    #[arg(long)]
    pub force: bool,
}

impl Force {
    /// What happens to an existing file, where a result of this kind is written that can be made again.
    pub fn over(self, kind: Kind) -> Existing {
        if self.force { Existing::Replace } else { Existing::Earlier(kind) }
    }
}

/// The engine to run a game with.
#[derive(Args, Clone, Debug)]
pub struct EngineArgs {
    /// Engine to run the game with; `auto` is the fastest one
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = PossibleValuesParser::new(engine_names()))]
    pub engine: String,
    /// How much the game is optimised.
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

/// Whether plays are looked at before there is machine code.
#[derive(Args, Clone, Copy, Debug)]
pub struct ProfileArgs {
    /// Run N random playouts first (100 by default), and optimise the machine code for the paths they take. Affects only speed;
    /// preparation takes longer, and the playouts are always the same
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "100",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub profile: Option<u32>,
}

impl ProfileArgs {
    /// How many plays are looked at.
    pub fn plays(self) -> u32 {
        self.profile.unwrap_or(0)
    }
}

/// How large code may become.
#[derive(Args, Clone, Copy, Debug)]
pub struct CodeArgs {
    /// Maximum number of registers in a function of compiled code; decisions that need more fall back to the search engine. A higher limit makes
    /// large games faster, but preparation takes longer
    #[arg(long, value_name = "N", default_value_t = Limits::default().code)]
    pub code_limit: u32,
}

impl CodeArgs {
    /// The limits of engines.
    pub fn limits(self) -> Limits {
        Limits { code: self.code_limit, ..Limits::default() }
    }
}

impl EngineArgs {
    /// The options of the engine, for a run that is not checked.
    pub fn options(&self) -> Options {
        let engine = Engine::ALL.iter().find(|(name, _)| *name == self.engine);
        let engine = engine.map_or(Engine::Auto, |(_, engine)| *engine);
        let limits = self.code.limits();
        let (ambiguity, profile) = (self.ambiguity.ambiguous.into(), self.profile.plays());
        Options { engine, ambiguity, profile, limits, ..Options::default() }
    }
}

/// What to do with labels that lead to several states.
#[derive(Args, Clone, Copy, Debug)]
pub struct AmbiguityArgs {
    /// How to treat moves with the same notation that lead to different positions
    #[arg(long, value_name = "WHAT", default_value = "error")]
    pub ambiguous: Ambiguous,
}

/// What ambiguous moves are.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ambiguous {
    /// Report an error in the rules
    Error,
    /// Treat them as separate moves: `MOVE #1`, `MOVE #2`, …
    Split,
}

impl From<Ambiguous> for Ambiguity {
    fn from(ambiguous: Ambiguous) -> Self {
        match ambiguous {
            Ambiguous::Error => Ambiguity::Error,
            Ambiguous::Split => Ambiguity::Split,
        }
    }
}

pub(super) fn engine_names() -> impl Iterator<Item = &'static str> {
    Engine::ALL.iter().map(|(name, _)| *name)
}

/// How much a game is optimised before it is used.
#[derive(Args, Clone, Copy, Debug)]
pub struct LevelArgs {
    /// Optimisation level: 0 none, 1 quick, 2 or 3 full (see `rgc optimize`). Move notation does not change. The default is 2
    /// where speed matters (`perft`, `trace`, `bench`, `compile`), but 0 with `--ambiguous split`; it is 0 for other commands
    #[arg(short = 'O', value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=3))]
    pub level: Option<u8>,
}

impl LevelArgs {
    /// The level asked for, or else `level`.
    pub fn or(self, level: u8) -> u8 {
        self.level.unwrap_or(level)
    }

    /// The level asked for, or else the one for speed: 2, but 0 where outcomes of one label count apart, since passes
    /// may merge states that no player can distinguish.
    pub fn or_fast(self, ambiguity: Ambiguity) -> u8 {
        self.or(if ambiguity == Ambiguity::Split { 0 } else { 2 })
    }
}

/// What `bench` measures.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Random playouts, all legal moves listed.
    List,
    /// Random playouts, all legal moves as sets.
    Set,
    /// Perft that counts the last moves.
    Bulk,
    /// Perft that makes the last moves as well.
    Visit,
}

/// What `translate` makes.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// RG text.
    Rg,
    /// RG as JSON (see `rgc schema`).
    Json,
    /// The automaton as Graphviz text.
    Dot,
    /// The automaton as a picture.
    Svg,
    /// Low-level RBG: macros, generators and powers expanded.
    LlRbg,
    /// RBG, from SBG.
    Rbg,
    /// GDL in prefix syntax (KIF); also `gdl`.
    #[value(alias = "gdl")]
    GdlPrefix,
    /// GDL in infix syntax.
    GdlInfix,
    /// GDL in the style of Prolog.
    GdlProlog,
    /// A structured program in HRG.
    Hrg,
    /// SBG, of games that are Simplified Boardgames.
    Sbg,
}

impl Target {
    /// The name of the view that renders a description in a form of its own language.
    pub(crate) fn view(self) -> Option<&'static str> {
        match self {
            Target::LlRbg => Some("ll-rbg"),
            Target::Rbg => Some("rbg"),
            Target::GdlPrefix => Some("gdl-prefix"),
            Target::GdlInfix => Some("gdl-infix"),
            Target::GdlProlog => Some("gdl-prolog"),
            Target::Rg | Target::Json | Target::Dot | Target::Svg | Target::Hrg | Target::Sbg => None,
        }
    }

    /// The syntax of GDL that games of all languages are translated to.
    pub(crate) fn syntax(self) -> Option<gdl::Syntax> {
        match self {
            Target::GdlPrefix => Some(gdl::Syntax::Prefix),
            Target::GdlInfix => Some(gdl::Syntax::Infix),
            Target::GdlProlog => Some(gdl::Syntax::Prolog),
            Target::Rg | Target::Json | Target::Dot | Target::Svg => None,
            Target::LlRbg | Target::Rbg | Target::Hrg | Target::Sbg => None,
        }
    }
}

/// What `compile` makes.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emit {
    /// A Rust module that uses the standard library only, without `unsafe`.
    Rust,
    /// A C++17 header.
    Cpp,
}

/// Compilers whose interfaces C++ headers can have.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// The compiler of Regular Boardgames: namespace `reasoner`; for games in RBG
    Rbg,
    /// The compiler of Regular Games: class `GameState`
    Rg,
}

impl From<Emit> for backend::emit::Target {
    fn from(emit: Emit) -> Self {
        match emit {
            Emit::Rust => Self::Rust,
            Emit::Cpp => Self::Cpp,
        }
    }
}

/// What `graph` makes.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// Graphviz text.
    Dot,
    /// A picture.
    Svg,
    /// A page with pictures in which a click opens and folds regions.
    Html,
    /// A list of the regions.
    Regions,
}

/// Which regions of an automaton are drawn as one box each.
#[derive(Args, Clone, Debug)]
pub struct FoldArgs {
    /// Draw these regions as one box each, or with `all` every region; names are those of the nodes they begin with
    #[arg(long, value_name = "REGIONS", value_delimiter = ',')]
    pub collapse: Vec<String>,
    /// Draw these regions, and those around them, in full; without `--collapse`, all others become one box each
    #[arg(long, value_name = "REGIONS", value_delimiter = ',')]
    pub expand: Vec<String>,
}

/// Which passes `optimize` runs, and who looks on.
#[derive(Args, Clone, Debug)]
pub struct OptimizeArgs {
    /// File with the game, `-` for standard input, or the name of a bundled game
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "list_passes")]
    pub file: Option<PathBuf>,
    /// Its language.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// 0 no passes, 1 linear-time clean-up, 2 all passes that preserve moves, 3 also those that change how moves are written
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub level: u8,
    /// Run only these passes, in this order, instead of those of a level
    #[arg(long, value_name = "PASSES", value_delimiter = ',', value_parser = pass_name, conflicts_with = "level")]
    pub passes: Option<Vec<String>>,
    /// Print a line for every run of a pass, on standard error; with DIR, write every change to files there, and a page
    /// `index.html` to look through them
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, value_hint = ValueHint::DirPath)]
    pub dump_passes: Option<Option<PathBuf>>,
    /// Play the game before and after every change in lockstep, and stop at the first difference
    #[arg(long)]
    pub verify: bool,
    /// If the result is not equivalent, find the pass and the change responsible, and write nothing else
    #[arg(long, conflicts_with_all = ["verify", "dump_passes", "time_passes", "infer", "emit", "output"])]
    pub bisect: bool,
    /// Print the time every pass took, on standard error
    #[arg(long)]
    pub time_passes: bool,
    /// What to do with the claims (pragmas) of the input: ignore them, verify them by search, or trust them; claims that a
    /// pass may have invalidated are always dropped
    #[arg(long, value_name = "POLICY", default_value = "ignore",
        value_parser = PossibleValuesParser::new(Claims::ALL.iter().map(|(name, _)| *name)))]
    pub pragmas: String,
    /// Write the facts that can be inferred about the result as pragmas; `--verify` tests them by search
    #[arg(long)]
    pub infer: bool,
    /// Check the game after every change, as debug builds do anyway
    #[arg(long)]
    pub validate: bool,
    /// What to print: the game in RG; the reasoner's program for its lifted decisions (those whose moves are computed by a
    /// compiled program instead of the `backtracking` engine); the input of the machine-code compiler for that program; or its machine code
    #[arg(long, value_name = "WHAT", default_value = "rg", value_parser = PossibleValuesParser::new(emitted()))]
    pub emit: String,
    /// Print the program with how often each part of it runs in N playouts (100 by default): `@` and a number before the
    /// brace of each block and after each set of moves. Code and machine code are optimised for these counts
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "100",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub profile: Option<u32>,
    /// Passes over the program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// List all passes
    #[arg(long, exclusive = true)]
    pub list_passes: bool,
    /// Where to.
    #[command(flatten)]
    pub output: OutFile,
}

/// Which passes run on the program of the lifted decisions.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// Run only these passes, in this order, on the program of the lifted decisions (`none` for no passes), and print the
    /// program. FILE may also be such a program, with the extension `wir`
    #[arg(long, value_name = "PASSES", value_delimiter = ',', value_parser = wir_pass_name,
        conflicts_with_all = ["emit", "profile", "bisect"])]
    pub wir_passes: Option<Vec<String>>,
    /// Print a line for every change that a pass makes to a function of the program, on standard error; with DIR, write the
    /// program as it was lowered, every change and the result to files there. Prints the program
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, value_hint = ValueHint::DirPath,
        conflicts_with_all = ["emit", "profile", "bisect"])]
    pub dump_wir: Option<Option<PathBuf>>,
}

impl ProgramArgs {
    /// Whether the program is wanted.
    pub fn wanted(&self) -> bool {
        self.wir_passes.is_some() || self.dump_wir.is_some()
    }
}

/// What `optimize` can print.
fn emitted() -> impl Iterator<Item = &'static str> {
    std::iter::once("rg").chain(Listing::ALL.iter().map(|(name, _)| *name))
}

/// The name of a pass over programs, or `none`.
fn wir_pass_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name == "none" || wir_opt::find(name).is_some() {
        return Ok(name.to_owned());
    }
    if passes::find(name).is_some() {
        return Err(format!("`{name}` is a pass over games, for `--passes`, not one over programs"));
    }
    let names = std::iter::once("none").chain(wir_opt::registry().iter().map(|pass| pass.name));
    Err(format!("there is no pass over programs `{name}`; {}", expected_one_of(name, names)))
}

/// The name of a pass.
fn pass_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.is_empty() {
        return Err("the name of a pass is missing; `-O0` runs none".to_owned());
    }
    if passes::find(name).is_some() {
        return Ok(name.to_owned());
    }
    if wir_opt::find(name).is_some() {
        return Err(format!("`{name}` is a pass over programs, for `--wir-passes`, not one over games"));
    }
    Err(format!("there is no pass `{name}`; {}", expected_one_of(name, passes::names())))
}
