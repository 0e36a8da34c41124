//! What the passes make of one game.

use crate::corpus::CorpusGame;
use backend::lockstep::{self, compare};
use backend::{ErrorKind, Reasoner, Rng};
use passes::{Phase, Pipeline, Size};
use rg_ir::{Game, SourceMap};
use rgc::optimize::verify::{Effort, Verifier, describe};
use rgc::optimize::{broken, level};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// How much work to do.
pub(crate) struct Budget {
    /// Comparisons of games after levels.
    effort: Effort,
    /// Comparisons of games after single passes and random orders.
    single: lockstep::Budget,
    /// Perft rows with at most this many leaves are compared with the oracle.
    leaves: u64,
    /// Number of random orders of the passes.
    orders: u64,
    /// Single passes and random orders are tried with one game in so many, …
    every: usize,
    /// … and only if it has at most so many edges.
    edges: usize,
}

/// There are many of these comparisons.
const SINGLE: lockstep::Budget = lockstep::Budget { moves: 400, plays: 1, plies: 60, play_moves: 400, seed: 3 };

impl Budget {
    /// The subset for every `cargo test`.
    pub(crate) fn fast() -> Self {
        Self { effort: Effort::result_only(), single: SINGLE, leaves: 2_000, orders: 2, every: 8, edges: 300 }
    }

    /// Everything.
    pub(crate) fn full() -> Self {
        Self { effort: Effort::quick(), single: SINGLE, leaves: 300_000, orders: 20, every: 1, edges: usize::MAX }
    }
}

/// What came out.
pub(crate) struct Report {
    pub(crate) language: &'static str,
    pub(crate) name: String,
    pub(crate) problems: Vec<String>,
    pub(crate) seconds: f64,
    /// As lowered.
    pub(crate) before: Size,
    /// After `-O2`.
    pub(crate) after: Size,
}

impl Report {
    pub(crate) fn title(&self) -> String {
        format!("{}/{}", self.language, self.name)
    }
}

/// Examines a game with that place in the corpus.
pub(crate) fn examine(game: &CorpusGame, place: usize, budget: &Budget) -> Report {
    let start = Instant::now();
    let mut report = Report {
        language: game.language,
        name: game.name.clone(),
        problems: Vec::new(),
        seconds: 0.0,
        before: Size::default(),
        after: Size::default(),
    };
    if let Err(problem) = try_examine(game, place, budget, &mut report) {
        report.problems.push(problem);
    }
    report.seconds = start.elapsed().as_secs_f64();
    report
}

fn try_examine(corpus: &CorpusGame, place: usize, budget: &Budget, report: &mut Report) -> Result<(), String> {
    let mut sources = SourceMap::default();
    let (loaded, _) = rgc::load(&mut sources, &corpus.path, None);
    let loaded = loaded.ok_or("does not load")?;
    report.before = Size::of(&loaded.game);
    let mut seen = Seen { loaded: &loaded, budget, first: None, texts: FxHashSet::default() };
    for number in [2, 3] {
        let pipeline = Pipeline::level(level(number)).validate(true);
        let mut game = loaded.game.clone();
        let mut verifier = Verifier::new(&loaded.game, loaded.notation.as_ref(), budget.effort);
        let run = pipeline.run(&mut game, &mut verifier).map_err(|error| format!("-O{number}: {}", told(&error)));
        // Sizes are worth knowing even so.
        if number == 2 {
            report.after = Size::of(&game);
        }
        let outcome = run?;
        if !outcome.settled {
            return Err(format!("-O{number}: no fixed point after {} rounds", outcome.rounds));
        }
        verifier.finish().map_err(|what| format!("-O{number} makes another game of it: {what}"))?;
        if seen.texts.insert(rg_ir::text::print(&game)) {
            perft(corpus, &game, budget).map_err(|problem| format!("-O{number}: {problem}"))?;
        }
    }
    if place.is_multiple_of(budget.every) && loaded.game.automaton.edge_count() <= budget.edges {
        for &pass in passes::registry() {
            let alone = Pipeline::of(vec![pass]);
            seen.same(alone, !pass.changes_moves()).map_err(|problem| format!("{} alone: {problem}", pass.name()))?;
        }
        for seed in 0..budget.orders {
            let order = shuffled(seed);
            let names: Vec<&str> = order.passes().iter().map(|pass| pass.name()).collect();
            let problem = |problem| format!("--passes {}: {problem}", names.join(","));
            seen.same(order.clone(), true).map_err(problem)?;
        }
    }
    Ok(())
}

/// A game, and the texts of the games equal to it that were looked at.
struct Seen<'a> {
    loaded: &'a rgc::Loaded,
    budget: &'a Budget,
    first: Option<Reasoner>,
    texts: FxHashSet<String>,
}

impl Seen<'_> {
    /// Whether a pipeline keeps the game; with `moves`, also how moves are written.
    fn same(&mut self, pipeline: Pipeline, moves: bool) -> Result<(), String> {
        let mut game = self.loaded.game.clone();
        let outcome = pipeline.validate(true).run(&mut game, &mut ()).map_err(|error| told(&error))?;
        if !outcome.settled {
            return Err(format!("no fixed point after {} rounds", outcome.rounds));
        }
        if outcome.changes == 0 || !moves || !self.texts.insert(rg_ir::text::print(&game)) {
            return Ok(());
        }
        let options = self.budget.effort.options;
        let run = |game: &Game| Reasoner::with_options(game, options).map_err(|error| error.to_string());
        let first = match self.first.take() {
            Some(first) => first,
            None => run(&self.loaded.game)?,
        };
        let found = compare(&first, &run(&game)?, &self.budget.single);
        let found = found.map(|found| describe(&found, self.loaded.notation.as_ref(), &first));
        self.first = Some(first);
        found.map_or(Ok(()), Err)
    }
}

/// All passes that keep the moves and are not only run by name, in a random order.
fn shuffled(seed: u64) -> Pipeline {
    let mut rng = Rng::new(seed);
    let mut passes = passes::registry().to_vec();
    passes.retain(|pass| pass.phase() != Phase::Request && !pass.changes_moves());
    for last in (1..passes.len()).rev() {
        passes.swap(last, rng.below(last as u32 + 1) as usize);
    }
    Pipeline::of(passes)
}

/// Perft of an optimised game is the oracle's. Of an ambiguous game it is no number, from some depth on.
fn perft(corpus: &CorpusGame, game: &Game, budget: &Budget) -> Result<(), String> {
    let reasoner = Reasoner::with_options(game, budget.effort.options).map_err(|error| error.to_string())?;
    let initial = reasoner.initial().map_err(|error| error.to_string())?;
    for &(depth, wanted) in corpus.perft.iter().filter(|(_, leaves)| *leaves <= budget.leaves) {
        match reasoner.perft(&initial, depth) {
            Ok(leaves) if leaves == wanted => {}
            Err(error) if error.kind == ErrorKind::Ambiguous && corpus.ambiguous.is_some_and(|from| depth >= from) => {}
            other => return Err(format!("perft({depth}) is {other:?}, the oracle says {wanted}")),
        }
    }
    Ok(())
}

fn told(error: &passes::Error) -> String {
    let finding = broken(error);
    std::iter::once(finding.message).chain(finding.notes).collect::<Vec<_>>().join("; ")
}
