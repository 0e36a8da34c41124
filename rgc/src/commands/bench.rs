//! `rgc bench`.

mod earlier;
mod modes;
mod row;
mod show;

use crate::cli::{BenchArgs, LanguageArgs, LevelArgs, Mode, StartArgs};
use crate::files::{Named, named};
use crate::input::is_stdin;
use crate::jobs::summary;
use crate::load::Loaded;
use crate::optimize;
use crate::runner::Runner;
use crate::session::{Failure, Session};
use crate::watchdog;
use backend::{Ambiguity, Engine, Limits, MoveForm, Options, PlayoutStats, Rng};
use kit::memory::Peak;
use modes::{Effort, Run};
use passes::Pipeline;
use rg_ir::Severity;
use row::{Earlier, Row, median};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to measure.
pub(super) struct Plan<'a> {
    pub(super) files: &'a [PathBuf],
    /// Whether there is to be a line at the end that counts them.
    pub(super) several: bool,
    pub(super) language: &'a LanguageArgs,
    pub(super) modes: &'a [Mode],
    /// For all runs of a game, engine and mode.
    pub(super) seconds: f64,
    pub(super) runs: u32,
    pub(super) seed: u64,
    /// Where plays start.
    pub(super) start: &'a StartArgs,
    pub(super) form: Form,
    /// Whether speeds are compared with those of the first file.
    pub(super) relative: bool,
    /// An earlier run to compare with.
    pub(super) compare: Option<&'a Path>,
    /// An engine's name, or `all`.
    pub(super) engine: &'a str,
    pub(super) level: LevelArgs,
    pub(super) ambiguity: Ambiguity,
    pub(super) limits: Limits,
    /// Plays that are looked at beforehand.
    pub(super) profile: u32,
}

impl Plan<'_> {
    /// How an engine is prepared.
    pub(super) fn options(&self, engine: Engine) -> Options {
        let Plan { ambiguity, limits, profile, .. } = *self;
        Options { engine, ambiguity, limits, profile, ..Options::default() }
    }

    /// The engine that is asked for, or all, each by itself.
    pub(super) fn engines(&self) -> impl Iterator<Item = (&'static str, Engine)> {
        let asked = self.engine;
        let wanted = move |&(name, engine): &(&str, Engine)| match asked {
            "all" => engine != Engine::Auto,
            _ => name == asked,
        };
        Engine::ALL.iter().copied().filter(wanted)
    }
}

/// How measurements are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    /// JSON lines.
    Json,
    Markdown,
}

/// Median times of the parts of the start-up, and the time of the first playout after it, in milliseconds.
#[derive(Clone, Copy)]
struct StartUp {
    read_ms: f64,
    optimise_ms: f64,
    build_ms: f64,
    first_ms: f64,
}

/// Executes the command.
pub(super) fn start(session: &mut Session, options: &BenchArgs) -> Result<(), Failure> {
    let form = match (options.json, options.markdown) {
        (true, _) => Form::Json,
        (false, true) => Form::Markdown,
        (false, false) => Form::Table,
    };
    let games = named(&options.games.files, options.games.language.from.as_deref())?;
    games.start_at(options.start.position.as_deref())?;
    let several = matches!(games, Named::Several(_));
    let files = games.files();
    let plan = Plan {
        files: &files,
        several,
        language: &options.games.language,
        modes: &options.mode,
        seconds: options.seconds,
        runs: options.runs,
        seed: options.seed,
        start: &options.start,
        form,
        relative: options.relative,
        compare: options.compare.as_deref(),
        engine: &options.engine,
        level: options.level,
        ambiguity: options.ambiguity.ambiguous.into(),
        limits: options.code.limits(),
        profile: options.profile.plays(),
    };
    if options.startup { super::startup::run(session, &plan) } else { run(session, &plan) }
}

fn run(session: &mut Session, plan: &Plan<'_>) -> Result<(), Failure> {
    let earlier = plan.compare.map(|path| earlier::read(session, path)).transpose()?.unwrap_or_default();
    let columns = show::Columns { first: plan.relative, earlier: plan.compare.is_some() };
    let layout = show::Layout::new(columns, plan.files, plan.engine == "all");
    let mut bench = Bench { plan, earlier, layout, first: None, rows: Vec::new(), failed: false };
    let mut wrong = 0;
    for (file, number) in plan.files.iter().zip(1..) {
        bench.failed = false;
        let measured = bench.file(session, file, number);
        bench.note(session, measured)?;
        wrong += usize::from(bench.failed);
    }
    let text = match plan.form {
        Form::Table if !bench.rows.is_empty() => bench.layout.end(&bench.rows),
        Form::Markdown if !bench.rows.is_empty() => show::markdown(&bench.rows, columns, plan.seconds),
        _ => String::new(),
    };
    session.out().write_all(text.as_bytes())?;
    if plan.several && plan.form == Form::Table {
        let parts = [(plan.files.len() - wrong, "measured"), (wrong, "with errors")];
        writeln!(session.out(), "\n{}", summary(&parts))?;
    }
    if wrong > 0 { session.finish().and(Err(Failure::Shown)) } else { Ok(()) }
}

/// A run of the command.
struct Bench<'a> {
    plan: &'a Plan<'a>,
    earlier: Vec<Earlier>,
    layout: show::Layout,
    /// What the first file's game is called, once it was measured.
    first: Option<String>,
    rows: Vec<Row>,
    /// Whether something went wrong with the present file.
    failed: bool,
}

impl Bench<'_> {
    /// Shows what went wrong with one game or engine, so that the others can go on.
    fn note(&mut self, session: &mut Session, result: Result<(), Failure>) -> Result<(), Failure> {
        match result {
            Ok(()) => {}
            Err(Failure::Shown) => self.failed = true,
            Err(Failure::Finding(error)) => {
                session.show(&[*error]);
                self.failed = true;
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    }

    /// All engines and modes of one game.
    fn file(&mut self, session: &mut Session, file: &Path, number: usize) -> Result<(), Failure> {
        let plan = self.plan;
        let from = plan.language.from.as_deref();
        let mut read = Stopwatch::new(plan);
        let loaded = read.time(|| session.load(file, from, Severity::Error))?;
        // Standard input can be read only once.
        while !is_stdin(file) && read.again() {
            read.time(|| session.load(file, from, Severity::Error))?;
        }
        let loaded = session.started(loaded, file, plan.start, plan.options(Engine::Auto))?;
        let (loaded, optimise_ms) = optimised(plan, loaded)?;
        let mut runner: Option<Runner> = None;
        let mut kept = Some(loaded);
        let all = plan.engine == "all";
        for (name, engine) in plan.engines() {
            let peak = Peak::begin();
            let options = plan.options(engine);
            let mut build = Stopwatch::new(plan);
            let loaded = kept.take().or_else(|| runner.take().map(Runner::into_given));
            let Some(loaded) = loaded else { break };
            let prepare = || loaded.prepared(options).inspect(|prepared| first_moves(&prepared.reasoner));
            let mut prepared = build.time(|| watchdog::guarded("the engine was prepared", prepare))?;
            while prepared.is_ok() && build.again() {
                prepared = build.time(prepare);
            }
            let ready = Runner::of(loaded, prepared)?;
            let first = Instant::now();
            first_playout(&ready.reasoner, plan.seed);
            if plan.modes.iter().any(|mode| matches!(mode, Mode::List | Mode::Set)) {
                // What playouts side by side need is made.
                let _ = ready.reasoner.plays_at_once();
            }
            let first_ms = first.elapsed().as_secs_f64() * 1e3;
            // `auto` is measured with all that it does while it runs.
            if name == "native" {
                ready.reasoner.settle();
            }
            let start_up = StartUp { read_ms: read.median(), optimise_ms, build_ms: build.median(), first_ms };
            // A game that an engine cannot run is run by another, which is measured anyway.
            if !all || ready.reasoner.engine_name() == name {
                let measured = self.engine(session, (file, number), &ready, name, start_up, &peak);
                self.note(session, measured)?;
            }
            runner = Some(ready);
        }
        session.show(&runner.map(|runner| runner.findings()).unwrap_or_default());
        Ok(())
    }

    /// All modes of one game on one engine.
    fn engine(
        &mut self,
        session: &mut Session,
        (file, number): (&Path, usize),
        runner: &Runner,
        asked: &'static str,
        start_up: StartUp,
        peak: &Peak,
    ) -> Result<(), Failure> {
        runner.initial()?;
        let plan = self.plan;
        for &mode in plan.modes {
            let effort = Effort { seconds: plan.seconds, runs: plan.runs, seed: plan.seed };
            let of = if plan.several { format!("{number}/{} ", plan.files.len()) } else { String::new() };
            session.progress(&format!("{of}{} {asked} {} …", runner.loaded.name, modes::name(mode)));
            let runs = modes::measure(runner, mode, effort);
            session.progress("");
            let mut row = row(runner, mode, &runs?, start_up);
            row.peak_bytes = peak.bytes();
            row.asked = asked;
            row.label = self.label(file, &row);
            if number == 1 {
                self.first.get_or_insert_with(|| row.label.clone());
            }
            self.compare(&mut row);
            if plan.form == Form::Json {
                let line = serde_json::to_string(&row).map_err(std::io::Error::from)?;
                writeln!(session.out(), "{line}")?;
            } else if plan.form == Form::Table {
                let lines = self.layout.line(&row, self.rows.is_empty());
                session.out().write_all(lines.as_bytes())?;
            }
            session.out().flush()?;
            self.rows.push(row);
        }
        Ok(())
    }

    /// The name of a game; where two files give games of one name, with its language, or the path.
    fn label(&self, file: &Path, row: &Row) -> String {
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let same = || self.plan.files.iter().filter(|path| stem(path).as_deref() == Some(&row.game));
        if same().count() < 2 {
            return row.game.clone();
        }
        let kind = |path: &PathBuf| path.extension().map(|extension| extension.to_os_string());
        let own = file.extension().map(|extension| extension.to_os_string());
        if same().filter(|path| kind(path) == own).count() < 2 {
            format!("{} ({})", row.game, row.language)
        } else {
            file.display().to_string()
        }
    }

    /// Sets the ratios of a row.
    fn compare(&self, row: &mut Row) {
        if let Some(first) = self.first.as_deref().filter(|_| self.plan.relative) {
            let of_first = |other: &&Row| other.label == first && (other.asked, other.mode) == (row.asked, row.mode);
            let speed = self.rows.iter().find(of_first).map(Row::speed);
            let speed = speed.or((row.label == first).then(|| row.speed()));
            row.ratio_to_first = speed.filter(|&speed| speed > 0.0).map(|speed| row.speed() / speed);
        }
        let earlier = self.earlier.iter().find(|earlier| earlier.is_of(row));
        let against = earlier.and_then(|earlier| earlier.against(row));
        (row.ratio_to_earlier, row.beyond_spread) = against.unzip();
    }
}

/// Optimises a game; the median time, too. How moves are written does not matter here.
fn optimised(plan: &Plan<'_>, loaded: Loaded) -> Result<(Loaded, f64), Failure> {
    let level = plan.level.or_fast(plan.ambiguity);
    let pipeline = Pipeline::level(optimize::level_to_play(&loaded.game, level));
    let mut watch = Stopwatch::new(plan);
    let mut game = loaded.game.clone();
    watch.time(|| optimize::run(&mut game, &pipeline).map(drop))?;
    while watch.again() {
        let mut again = loaded.game.clone();
        watch.time(|| optimize::run(&mut again, &pipeline).map(drop))?;
    }
    Ok((Loaded { game, level, ..loaded }, watch.median()))
}

/// The medians of some runs.
fn row(runner: &Runner, mode: Mode, runs: &[Run], start_up: StartUp) -> Row {
    let (speed, spread) = median(runs.iter().map(Run::speed));
    let middle = runs.iter().find(|run| run.speed() == speed);
    let StartUp { read_ms, optimise_ms, build_ms, first_ms } = start_up;
    let startup_ms = read_ms + optimise_ms + build_ms;
    let plays_at_once = if matches!(mode, Mode::List | Mode::Set) { runner.reasoner.plays_at_once() } else { 1 };
    Row {
        game: runner.loaded.name.clone(),
        language: runner.loaded.language.name,
        engine: runner.reasoner.running_engine(),
        asked: "",
        mode: modes::name(mode),
        playouts_per_s: middle.and_then(|run| run.playouts_per_s),
        states_per_s: middle.map_or(0.0, |run| run.states_per_s),
        spread,
        mean_plies: middle.and_then(|run| run.mean_plies),
        mean_moves: middle.and_then(|run| run.mean_moves),
        state_bytes: runner.reasoner.state_bytes(),
        peak_bytes: None,
        read_ms,
        optimise_ms,
        build_ms,
        startup_ms,
        warm_up_ms: startup_ms + first_ms,
        plays_at_once,
        runs: runs.len() as u32,
        seconds: middle.map_or(0.0, |run| run.seconds),
        ratio_to_first: None,
        ratio_to_earlier: None,
        beyond_spread: None,
        is_early: plays_at_once == 1
            && runner.reasoner.engine_name() == "auto"
            && runner.reasoner.running_engine() == "interpreter",
        label: String::new(),
    }
}

/// The first legal moves, for which machine code has to be there. A play that cannot begin shows when it is measured.
pub(super) fn first_moves(reasoner: &backend::Reasoner) {
    if let Ok(state) = reasoner.initial() {
        let _ = reasoner.legal_moves(&state, &mut backend::Moves::new());
    }
}

/// A whole random playout. What goes wrong in it shows when it is measured.
fn first_playout(reasoner: &backend::Reasoner, seed: u64) {
    let _ = reasoner.playouts(1, MoveForm::List, &mut Rng::new(seed), &mut PlayoutStats::default());
}

/// Times one part of the start-up several times.
struct Stopwatch {
    runs: usize,
    budget: Duration,
    times: Vec<Duration>,
}

impl Stopwatch {
    /// For as many times as there are runs, but not longer than one of them.
    fn new(plan: &Plan<'_>) -> Self {
        let budget = Duration::from_secs_f64(plan.seconds / f64::from(plan.runs.max(1)));
        Self { runs: plan.runs.max(1) as usize, budget, times: Vec::new() }
    }

    /// Does some work, and notes how long it took.
    fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.times.push(start.elapsed());
        done
    }

    /// Whether it is to be done once more.
    fn again(&self) -> bool {
        self.times.len() < self.runs && self.times.iter().sum::<Duration>() < self.budget
    }

    /// The median in milliseconds.
    fn median(&self) -> f64 {
        median(self.times.iter().map(|time| time.as_secs_f64() * 1e3)).0
    }
}
