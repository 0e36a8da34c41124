//! What the passes do to a game, run by run.

use super::Failure;
use super::games::{self, Version};
use super::job::{self, Started};
use crate::session::{Reply, Session, spawn};
use kit::optimize::bisect::{Guilty, Verdict};
use kit::optimize::verify::Effort;
use kit::optimize::{self, bisect, report};
use passes::{Observer, Outcome, Pass, Pipeline, Size, Step};
use rg_ir::drawing::View;
use rg_ir::{Game, cancel};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// Which passes run.
#[derive(Clone, Deserialize)]
pub(crate) struct Selection {
    #[serde(flatten)]
    about: games::About,
    level: u8,
    /// Passes of the level that do not run, by name.
    #[serde(default)]
    without: Vec<String>,
    /// The order in which they run, by name; those that are missing come last.
    #[serde(default)]
    order: Vec<String>,
}

/// All runs of passes.
#[derive(Serialize)]
pub(crate) struct Runs {
    version: u32,
    before: Sizes,
    after: Sizes,
    runs: Vec<Run>,
    /// The passes of the level, in their order.
    passes: Vec<Named>,
    milliseconds: f64,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
struct Sizes {
    nodes: usize,
    edges: usize,
    cells: u64,
    bits: u64,
}

impl From<Size> for Sizes {
    fn from(Size { nodes, edges, cells, bits }: Size) -> Self {
        Self { nodes, edges, cells, bits }
    }
}

/// A run of a pass.
#[derive(Serialize)]
struct Run {
    number: usize,
    round: usize,
    pass: &'static str,
    changed: bool,
    after: Sizes,
    /// What it did to the sizes.
    delta: Option<String>,
    notes: Vec<String>,
    milliseconds: f64,
}

/// Runs the passes, and tells what each run did.
pub(crate) fn run(session: &mut Session, selection: Selection, reply: Reply) {
    match games::good(session, selection.about) {
        Ok(version) => spawn(session, "passes", reply, move || runs(&version, &selection)),
        Err(failure) => reply.send(Err::<(), _>(failure)),
    }
}

fn pipeline(selection: &Selection) -> Pipeline {
    let whole = Pipeline::level(optimize::level(selection.level));
    let is_wanted = |pass: &&'static dyn Pass| !selection.without.iter().any(|name| name == pass.name());
    let mut passes: Vec<&'static dyn Pass> = whole.passes().iter().copied().filter(is_wanted).collect();
    let place = |pass: &dyn Pass| selection.order.iter().position(|name| name == pass.name()).unwrap_or(usize::MAX);
    passes.sort_by_key(|pass| place(*pass));
    Pipeline::of(passes)
}

fn runs(version: &Arc<Version>, selection: &Selection) -> Result<Runs, Failure> {
    all_runs(version, selection.level, &pipeline(selection), &mut |_| ())
}

/// Runs all passes of a level, and shows each run to `look`.
///
/// # Errors
/// A defect of a pass.
pub(crate) fn watched(version: &Version, level: u8, look: &mut dyn FnMut(&Step<'_>)) -> Result<Runs, Failure> {
    all_runs(version, level, &Pipeline::level(optimize::level(level)), look)
}

fn all_runs(
    version: &Version,
    level: u8,
    pipeline: &Pipeline,
    look: &mut dyn FnMut(&Step<'_>),
) -> Result<Runs, Failure> {
    let mut game = version.game.clone();
    let mut records = Records { all: Vec::new(), look };
    let outcome = pipeline.run(&mut game, &mut records);
    let Outcome { before, after, .. } = outcome.map_err(|error| Box::new(optimize::broken(&error)))?;
    let runs: Vec<Run> = records.all.into_iter().map(Run::from).collect();
    let level = Pipeline::level(optimize::level(level));
    let named = |pass: &&'static dyn Pass| Named { name: pass.name(), summary: pass.summary() };
    Ok(Runs {
        version: version.number,
        before: before.into(),
        after: after.into(),
        milliseconds: runs.iter().map(|run| run.milliseconds).sum(),
        runs,
        passes: level.passes().iter().map(named).collect(),
    })
}

/// Plays the game and what the passes make of it in lock step, and finds the first run after which it is another game. Passes that change how
/// moves are written are left out.
pub(crate) fn verify(session: &mut Session, selection: Selection) -> Result<Started, Failure> {
    let version = games::good(session, selection.about)?;
    job::start(session, move |job| {
        let loaded = version.again()?;
        let whole = pipeline(&selection);
        let passes: Vec<_> = whole.passes().iter().copied().filter(|pass| !pass.changes_moves()).collect();
        // Runs have the numbers that the page knows only if all passes take part.
        let is_whole = passes.len() == whole.passes().len();
        let compared = Pipeline::of(passes).validate(true);
        let found = bisect(&loaded.game, &compared, loaded.notation.as_ref(), &Effort::thorough());
        let told = match found.map_err(|error| Box::new(optimize::broken(&error)))? {
            Verdict::Broken(guilty) => json!({ "guilty": verdict(&guilty, is_whole) }),
            Verdict::Kept(compared) => json!({ "compared": compared.to_string() }),
        };
        job.report("verdict", told);
        Ok(())
    })
}

/// What a page is told of the run that makes another game of it; its number only if all passes were compared.
fn verdict(guilty: &Guilty, is_whole: bool) -> Value {
    json!({
        "pass": guilty.pass,
        "number": is_whole.then_some(guilty.number),
        "change": guilty.change,
        "difference": guilty.difference,
        "texts": guilty.texts,
        "comparisons": guilty.comparisons,
    })
}

/// Keeps what is said of each run.
struct Records<'l> {
    all: Vec<report::Record>,
    look: &'l mut dyn FnMut(&Step<'_>),
}

impl Observer for Records<'_> {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        cancel::check();
        (self.look)(step);
        self.all.push(report::Record::from(step));
        Ok(())
    }
}

impl From<report::Record> for Run {
    fn from(record: report::Record) -> Self {
        Self {
            number: record.number,
            round: record.round,
            pass: record.pass,
            changed: record.changed,
            delta: report::changes(&record),
            after: record.after.into(),
            notes: record.notes,
            milliseconds: record.time.as_secs_f64() * 1e3,
        }
    }
}

/// A run that is looked at.
#[derive(Deserialize)]
pub(crate) struct Look {
    #[serde(flatten)]
    selection: Selection,
    number: usize,
    /// The first run of those that are looked at together; by default, it is this one alone.
    since: Option<usize>,
    /// Whether both automata are drawn, too.
    draw: bool,
}

/// What a run did.
#[derive(Serialize)]
pub(crate) struct Looked {
    number: usize,
    before: String,
    after: String,
    /// Both automata in one drawing, or why there is none.
    svg: Option<String>,
    heads: String,
    large: Option<String>,
}

/// Tells what one run did: the game before and after it.
pub(crate) fn step(session: &mut Session, look: Look, reply: Reply) {
    match games::good(session, look.selection.about) {
        Ok(version) => spawn(session, "passes", reply, move || looked(&version, &look)),
        Err(failure) => reply.send(Err::<(), _>(failure)),
    }
}

fn looked(version: &Version, look: &Look) -> Result<Looked, Failure> {
    let mut game = version.game.clone();
    let since = look.since.unwrap_or(look.number);
    let (first, last) = (since.min(look.number), since.max(look.number));
    let mut observer = Pair { first, last, before: None, pair: None };
    // The pipeline is stopped behind the run: what it says about that is no error.
    let _ = pipeline(&look.selection).run(&mut game, &mut observer);
    let none = || Failure::new("request", format!("there is no run {}", look.number));
    let (before, after) = observer.pair.ok_or_else(none)?;
    let view = View { embedded: true, named: true, ..View::default() };
    let drawn = look.draw.then(|| rg_ir::svg::union(&before, &after, &view));
    let (svg, large) = match drawn {
        Some(Ok(svg)) => (Some(svg), None),
        Some(Err(error)) => (None, Some(error.to_string())),
        None => (None, None),
    };
    let text = |game: &Game| rg_ir::text::print(game);
    let (before, after) = (text(&before), text(&after));
    Ok(Looked { number: look.number, before, after, svg, heads: rg_ir::svg::arrow_heads(), large })
}

/// Keeps the game before the first of some runs, and after the last one.
struct Pair {
    first: usize,
    last: usize,
    before: Option<Game>,
    pair: Option<(Game, Game)>,
}

impl Observer for Pair {
    fn wants_before(&self) -> bool {
        true
    }

    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        cancel::check();
        if step.number == self.first {
            self.before = step.before.cloned();
        }
        if step.number != self.last {
            return Ok(());
        }
        self.pair = self.before.take().map(|before| (before, step.after.clone()));
        Err("this is the run that was asked for".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_has_what_the_run_changed() {
        let guilty = Guilty {
            pass: "careless",
            number: 7,
            round: 1,
            change: (2, 3),
            difference: "3 moves instead of 2".to_owned(),
            texts: ["before".to_owned(), "after".to_owned()],
            comparisons: 3,
        };
        let told = verdict(&guilty, true);
        assert_eq!((&told["number"], &told["texts"]), (&json!(7), &json!(["before", "after"])));
        // The page counts runs of all passes, and some were left out.
        assert_eq!(verdict(&guilty, false)["number"], Value::Null);
    }
}
