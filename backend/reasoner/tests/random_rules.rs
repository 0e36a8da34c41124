//! Random games in RBG, translated and optimised, in all engines: where what the front end claims is believed, and where not.
//!
//! A game on which engines differ is made smaller before it is shown. `RGC_RANDOM_GAMES` is the number of games,
//! `RGC_RANDOM_FIRST` the first of them.

#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use backend::{Engine, Limits, MoveForm, Options, PlayoutStats, Reasoner, Rng};
use common::{Seen, compare_two, equal_playouts, lifting, number};
use passes::{Level, Pipeline};
use rg_ir::{Game, Severity, SourceId};
use std::sync::atomic::{AtomicU64, Ordering};

/// Code is compiled as soon as it can be.
const LIMITS: Limits = Limits {
    steps: 200_000,
    naive_steps: 30_000,
    keeper_moves: 200,
    tags: 60,
    check_depth: 12,
    moves: 5_000,
    visited: 50_000,
    memory: 1 << 24,
    plies: 60,
    exact_after: 100_000,
    code: 60_000,
    compile_after: 0,
};

/// What became of games.
#[derive(Default, Debug)]
struct Sum {
    games: u64,
    lifted: u64,
    /// Games with functions that make moves speculatively.
    speculative: u64,
    states: u64,
    ends: u64,
    limits: u64,
    perfts: u64,
}

impl Sum {
    fn add(&mut self, seen: &Seen) {
        self.states += seen.states;
        self.ends += seen.ends;
        self.limits += seen.limits;
        self.perfts += seen.perfts;
    }

    fn join(&mut self, other: &Sum) {
        self.games += other.games;
        self.lifted += other.lifted;
        self.speculative += other.speculative;
        self.states += other.states;
        self.ends += other.ends;
        self.limits += other.limits;
        self.perfts += other.perfts;
    }
}

/// The game of a text; `None` if it has errors.
fn parse(text: &str) -> Option<Game> {
    let (lowered, findings) = rbg::load(SourceId(0), text);
    lowered.filter(|_| findings.iter().all(|finding| finding.severity != Severity::Error)).map(|lowered| lowered.game)
}

/// All engines on one game, or those that compile nothing; `Err` says where two of them differ.
fn agree(game: &Game, compiled: bool, sum: &mut Sum) -> Result<(), String> {
    let options = |engine| Options { engine, limits: LIMITS, handovers: true, ..Options::default() };
    let checked = Options { checked: true, ..options(Engine::Naive) };
    for (engine, plays, depth) in [(Engine::Interpreter, 2, 2), (Engine::Backtracking, 1, 1)] {
        let seen = compare_two(game, [checked, options(engine)], plays, 6, depth);
        sum.add(&seen.map_err(|error| format!("{engine:?}: {error}"))?);
    }
    // The others find the same moves in the same order, or else their plays differ.
    if compiled {
        let (lifted, _) = equal_playouts(game, LIMITS, 4)?;
        sum.lifted += u64::from(lifted);
    }
    let speculative = |program: &wir::Program| program.functions.iter().any(|f| f.name.starts_with("speculate_"));
    sum.speculative += u64::from(backend::lifted_program(game).is_ok_and(|program| speculative(&program)));
    // Many plays at once, where claims are believed and where not.
    let played = |engine, handovers| {
        let reasoner = Reasoner::with_options(game, Options { handovers, ..options(engine) }).ok()?;
        let (mut rng, mut stats) = (Rng::new(5), PlayoutStats::default());
        let mut all = Ok(());
        for count in [1, 7, 40] {
            all = all.and_then(|()| reasoner.playouts(count, MoveForm::List, &mut rng, &mut stats));
        }
        Some((all.map_err(|error| error.kind).map(|()| (stats, rng.next_u64())), reasoner.engine_name().to_owned()))
    };
    let mut first: Option<(String, _)> = None;
    let believing = lifting()
        .filter(|engine| *engine == Engine::Interpreter || compiled && *engine != Engine::Auto)
        .map(|engine| (engine, true));
    for (engine, handovers) in [(Engine::Interpreter, false)].into_iter().chain(believing) {
        let Some((result, name)) = played(engine, handovers) else { continue };
        if name == "backtracking" {
            continue; // lists moves in another order
        }
        let what = format!("{engine:?}, {handovers}");
        let (other, expected) = first.get_or_insert_with(|| (what.clone(), result.clone()));
        if *expected != result {
            return Err(format!("plays: {other}: {expected:?}; {what}: {result:?}"));
        }
    }
    sum.games += 1;
    Ok(())
}

/// What is wrong with a game, optimised at several levels; `None` if the text is no game.
fn verdict(text: &str, sum: &mut Sum) -> Option<Result<(), String>> {
    let game = parse(text)?;
    // Labels are shorter after the third level.
    for level in [Level::Full, Level::Relabel].into_iter().skip(usize::from(!text.len().is_multiple_of(3))).take(1) {
        let mut game = game.clone();
        if Pipeline::level(Some(level)).run(&mut game, &mut ()).is_err() {
            return Some(Err("a pass fails".to_owned()));
        }
        if let Err(error) = agree(&game, text.len().is_multiple_of(4), sum) {
            return Some(Err(format!("{level:?}: {error}")));
        }
    }
    Some(Ok(()))
}

/// Compares the engines on games, of which at least a part has none of several numbers too small.
fn agree_on(make: fn(u64) -> Option<String>, verdict: fn(&str, &mut Sum) -> Option<Result<(), String>>) -> (u64, Sum) {
    let (first, count) = (number("RGC_RANDOM_FIRST", 0), number("RGC_RANDOM_GAMES", 16));
    let seeds: Vec<u64> = (first..first + count).collect();
    let shrunk = AtomicU64::new(0);
    let results = testgen::parallel(&seeds, |&seed| {
        let mut sum = Sum::default();
        let text = make(seed)?;
        let Some(Err(message)) = verdict(&text, &mut sum) else { return Some((sum, None)) };
        println!("seed {seed}: {message}");
        if shrunk.fetch_add(1, Ordering::Relaxed) >= 5 {
            return Some((sum, Some(message)));
        }
        let small = testgen::shrink(&text, |text| matches!(verdict(text, &mut Sum::default()), Some(Err(_))));
        let after = verdict(&small, &mut Sum::default()).and_then(Result::err).unwrap_or_default();
        let problem = format!("seed {seed}: {message}\nsmaller: {after}\n{small}\n");
        println!("{problem}");
        Some((sum, Some(problem)))
    });
    let (mut sum, mut problems) = (Sum::default(), Vec::new());
    for (one, problem) in results.into_iter().flatten() {
        sum.join(&one);
        problems.extend(problem);
    }
    println!("{sum:?}");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    (count, sum)
}

#[test]
fn engines_agree_on_random_rules() {
    let (count, sum) = agree_on(|seed| Some(testgen::rules(seed)), verdict);
    let reached = [sum.games, sum.lifted * 12, sum.speculative * 8, sum.states, sum.ends, sum.perfts];
    assert!(reached.iter().all(|&number| number >= count), "too few of something: {sum:?}");
}

/// The automata of such games with a few edges changed: nothing may rely on what only front ends see to.
#[test]
fn engines_agree_on_changed_rules() {
    let changed = |seed| {
        let game = parse(&testgen::rules(seed))?;
        Some(testgen::mutate(&rg_ir::text::print(&game), seed))
    };
    let (count, sum) = agree_on(changed, changed_verdict);
    let reached = [sum.games * 3, sum.lifted * 12, sum.states, sum.ends * 4, sum.perfts];
    assert!(reached.iter().all(|&number| number >= count), "too few of something: {sum:?}");
}

/// As [`verdict`], for a text in RG whose claims nobody believes.
fn changed_verdict(text: &str, sum: &mut Sum) -> Option<Result<(), String>> {
    let mut game = common::parse(text).ok()?;
    if text.len().is_multiple_of(2) && Pipeline::level(Some(Level::Full)).run(&mut game, &mut ()).is_err() {
        return Some(Err("a pass fails".to_owned()));
    }
    let checked = |engine| Options { engine, limits: LIMITS, checked: true, ..Options::default() };
    for (engine, strict) in [(Engine::Interpreter, false), (Engine::Interpreter, true), (Engine::Backtracking, false)] {
        let options = Options { checked: strict, ..checked(engine) };
        match compare_two(&game, [checked(Engine::Naive), options], 2, 6, 2) {
            Ok(seen) => sum.add(&seen),
            Err(error) => return Some(Err(format!("{engine:?}, {strict}: {error}"))),
        }
    }
    if text.len() % 4 < 2 {
        match equal_playouts(&game, LIMITS, 4) {
            Ok((lifted, _)) => sum.lifted += u64::from(lifted),
            Err(error) => return Some(Err(error)),
        }
    }
    sum.games += 1;
    Some(Ok(()))
}
