//! One run of the program: the texts that were read, and where results and findings go.

use crate::cli::{EngineArgs, GameArgs, OutputArgs, StartArgs, When};
use crate::input::is_stdin;
use crate::jobs::Repeat;
use crate::language::{Leniency, Limit, Reading};
use crate::load::{Loaded, load_within};
use crate::output::Writer;
use crate::render::{MessageFormat, Renderer};
use crate::runner::Runner;
use crate::table::grouped;
use backend::{Options, State};
pub use kit::finding;
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, Severity, SourceMap, Span};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::Path;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// The reason has been shown already.
    Shown,
    /// The reason, not shown yet.
    Finding(Box<Diagnostic>),
    /// The result could not be written.
    Write(io::Error),
    /// The user asked the command to end before it was done, which it has said.
    Interrupted,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Write(error)
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(finding: Box<Diagnostic>) -> Self {
        Failure::Finding(finding)
    }
}

impl From<Diagnostic> for Failure {
    fn from(finding: Diagnostic) -> Self {
        Failure::Finding(Box::new(finding))
    }
}

impl Failure {
    /// The same, at this place if it is a finding without one.
    #[must_use]
    pub fn or_at(self, span: Span) -> Self {
        match self {
            Failure::Finding(finding) => finding.or_at(span).into(),
            other => other,
        }
    }
}

/// State of one run.
pub struct Session {
    /// Every text read so far.
    pub sources: SourceMap,
    /// How games are read.
    pub reading: Reading,
    /// Where files are written.
    pub writer: Writer,
    /// The command of this run, to be executed for one file.
    pub(crate) repeat: Repeat,
    renderer: Renderer,
    format: MessageFormat,
    /// Whether findings may have colours.
    finding_colours: bool,
    /// Whether results may have colours.
    colours: bool,
    out: BufWriter<Stdout>,
}

impl Session {
    /// A run with the given output options.
    pub fn new(options: &OutputArgs) -> Self {
        let wanted = |terminal: bool| match options.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !refused && terminal
            }
        };
        Self {
            sources: SourceMap::default(),
            reading: Reading {
                limit: Limit(options.limit),
                leniency: if options.strict { Leniency::Refuse } else { Leniency::Warn },
                watch: Some(show_grounding),
            },
            writer: Writer::default(),
            repeat: Repeat::default(),
            finding_colours: wanted(io::stderr().is_terminal()),
            renderer: Renderer::new(options.message_format.into(), wanted(io::stderr().is_terminal())),
            format: options.message_format.into(),
            colours: wanted(io::stdout().is_terminal()),
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
        }
    }

    /// Where results go.
    pub fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Whether results that people look at may have colours.
    pub fn colours(&self) -> bool {
        self.colours
    }

    /// Whether findings may have colours.
    pub fn findings_have_colours(&self) -> bool {
        self.finding_colours
    }

    /// How findings are shown.
    pub fn renderer(&self) -> Renderer {
        self.renderer.clone()
    }

    /// The form of findings.
    pub fn message_format(&self) -> MessageFormat {
        self.format
    }

    /// Writes out what is still buffered.
    pub fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Shows findings on standard error, with a closing line that counts them.
    pub fn show(&mut self, findings: &[Diagnostic]) {
        if findings.is_empty() {
            return;
        }
        // Results written so far come first where both streams are the same terminal. Should this fail, the final
        // flush reports it; and a failing standard error leaves nowhere to report anything.
        let _ = self.out.flush();
        let text = self.renderer.render(&self.sources, findings);
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Reads a game, showing errors and, of the milder findings, those of at least the severity `also`.
    pub fn load(&mut self, path: &Path, from: Option<&str>, also: Severity) -> Result<Loaded, Failure> {
        self.writer.spare(path);
        let (loaded, mut findings) = load_within(&mut self.sources, path, from, self.reading);
        progress("");
        let failed = has_errors(&findings);
        let lenient = loaded.as_ref().map_or(&[][..], |loaded| loaded.language.lenient);
        findings.retain(|finding| {
            let warned = finding.severity == Severity::Warning && (failed || lenient.contains(&finding.code));
            finding.severity <= also || warned
        });
        self.show(&findings);
        loaded.filter(|_| !failed).ok_or(Failure::Shown)
    }

    /// Reads a game and starts it at the position that the options name. Their moves are not made.
    pub fn load_there(&mut self, path: &Path, from: Option<&str>, start: &StartArgs) -> Result<Loaded, Failure> {
        let loaded = self.load(path, from, Severity::Error)?;
        self.there(loaded, path, start)
    }

    /// Reads a game and starts it where the options say; `options` is how it will be run.
    pub fn load_at(
        &mut self,
        (path, from): (&Path, Option<&str>),
        start: &StartArgs,
        options: Options,
    ) -> Result<Loaded, Failure> {
        let loaded = self.load(path, from, Severity::Error)?;
        self.started(loaded, path, start, options)
    }

    /// Starts a game that was read from `path` where the options say.
    pub fn started(
        &mut self,
        loaded: Loaded,
        path: &Path,
        start: &StartArgs,
        options: Options,
    ) -> Result<Loaded, Failure> {
        let loaded = self.there(loaded, path, start)?;
        Ok(loaded.start_after(&mut self.sources, &start.play, options)?)
    }

    /// Starts a game that was read from `path` at the position that the options name.
    fn there(&mut self, loaded: Loaded, path: &Path, start: &StartArgs) -> Result<Loaded, Failure> {
        let Some(position) = &start.position else { return Ok(loaded) };
        if is_stdin(path) && is_stdin(position) {
            let message = "the game was read from standard input, so the position cannot be read from there";
            return Err(finding("IO370", message).help("name a file with `--position`").into());
        }
        Ok(loaded.start_in(&mut self.sources, position)?)
    }

    /// Reads a game, starts it at a position as [`Session::load_there`] does, and prepares it for a checked run: a keeper with a choice is an error.
    /// It is optimised at `level`.
    pub fn runner(
        &mut self,
        game: &GameArgs,
        start: &StartArgs,
        engine: &EngineArgs,
        level: u8,
    ) -> Result<Runner, Failure> {
        self.runner_with(game, start, Options { checked: true, ..engine.options() }, level)
    }

    /// As [`Session::runner`], for states that are to be drawn: they keep the values of dead variables.
    pub fn runner_to_draw(
        &mut self,
        game: &GameArgs,
        start: &StartArgs,
        engine: &EngineArgs,
        level: u8,
    ) -> Result<Runner, Failure> {
        self.runner_with(game, start, Options { checked: true, keep_dead: true, ..engine.options() }, level)
    }

    /// As [`Session::runner`], for counting plays ([`Loaded::optimised_to_count`]).
    pub fn runner_to_count(
        &mut self,
        game: &GameArgs,
        start: &StartArgs,
        engine: &EngineArgs,
    ) -> Result<Runner, Failure> {
        let options = Options { checked: true, ..engine.options() };
        let loaded = self.load_there(&game.file, game.language.from.as_deref(), start)?;
        let level = engine.level.or_fast(options.ambiguity);
        prepared(|| Ok(Runner::new(loaded.optimised_to_count(level)?, options)?))
    }

    fn runner_with(
        &mut self,
        game: &GameArgs,
        start: &StartArgs,
        options: Options,
        level: u8,
    ) -> Result<Runner, Failure> {
        let loaded = self.load_there(&game.file, game.language.from.as_deref(), start)?;
        prepared(|| Ok(Runner::new(loaded.optimised(level)?, options)?))
    }

    /// Plays the moves of the option `--play` ([`Runner::play`]), which becomes a text that findings show.
    pub fn play(&mut self, runner: &Runner, text: &str) -> Result<(State, Vec<String>), Failure> {
        let source = self.sources.add("--play", text.to_owned());
        Ok(runner.play(source, text)?)
    }

    /// As the function [`progress`].
    pub fn progress(&mut self, text: &str) {
        progress(text);
    }
}

/// What is shown while an engine is prepared.
pub const PREPARING: &str = "preparing the engine…";

/// The result of preparing an engine, which is shown meanwhile.
fn prepared(prepare: impl FnOnce() -> Result<Runner, Failure>) -> Result<Runner, Failure> {
    progress(PREPARING);
    let runner = prepare();
    progress("");
    runner
}

/// Shows a short remark on the progress of long work, on a terminal only. It is overwritten by the next one; the empty
/// string removes it.
pub fn progress(text: &str) {
    let mut stderr = io::stderr().lock();
    if stderr.is_terminal() {
        // A line that is broken could not be overwritten.
        let text: String = text.chars().take(crate::terminal::width().saturating_sub(1)).collect();
        let _ = write!(stderr, "\r\x1b[K{text}");
        let _ = stderr.flush();
    }
}

/// Shows how far the translation of a GDL game has come.
fn show_grounding(progress_made: &gdl::Progress) {
    let seconds = progress_made.elapsed.as_secs();
    let (atoms, conditions) = (grouped(progress_made.atoms as u64), grouped(progress_made.conditions as u64));
    progress(&format!("grounding: {seconds} s, {atoms} atoms, {conditions} conditions"));
}
