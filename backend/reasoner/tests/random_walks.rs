//! Random games whose moves are walks that meet, part and go round: the naive engine against all others, on games as they are and on
//! optimised ones, with every form of lifted code.
//!
//! A game on which engines differ is made smaller before it is shown. `RGC_RANDOM_GAMES` is the number of games, `RGC_RANDOM_FIRST`
//! the first of them.

#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use backend::{Engine, LiftedCode, Limits, Options, Reasoner};
use common::{Seen, compare_made, equal_plays, number, parse};
use passes::{Level, Pipeline};
use rg_ir::Game;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What a search may do; a game that needs more is compared as far as it goes.
const LIMITS: Limits = Limits {
    steps: 100_000,
    naive_steps: 3_000,
    keeper_moves: 20,
    tags: 80,
    check_depth: 12,
    moves: 2_000,
    visited: 20_000,
    memory: 1 << 24,
    plies: 60,
    exact_after: 20_000,
    code: 60_000,
    compile_after: 50_000,
};
/// Plies of a play, about as many as there are.
const PLIES: usize = 11;

/// What became of games.
#[derive(Default, Debug)]
struct Sum {
    games: u64,
    /// Those that are lifted, as sets and as searches.
    sets: u64,
    searches: u64,
    states: u64,
    moves: u64,
    ends: u64,
    ambiguous: u64,
    limits: u64,
    randoms: u64,
    hidden: u64,
    perfts: u64,
}

impl Sum {
    fn add(&mut self, seen: &Seen) {
        self.states += seen.states;
        self.moves += seen.moves;
        self.ends += seen.ends;
        self.ambiguous += seen.ambiguous;
        self.limits += seen.limits;
        self.randoms += seen.randoms;
        self.hidden += seen.hidden;
        self.perfts += seen.perfts;
    }
}

/// Machine code at once or later, on one form of lifted code; nothing if there is no machine code.
fn native(lifted_code: LiftedCode, compile_after: u64) -> Option<Options> {
    let &(_, engine) = Engine::ALL.iter().find(|(name, _)| *name == "native")?;
    Some(Options { engine, lifted_code, limits: Limits { compile_after, ..LIMITS }, ..Options::default() })
}

/// All engines on one game; `Err` says where two of them differ.
fn agree(game: &Game, seed: u64, sum: &mut Sum) -> Result<(), String> {
    let options = |engine| Options { engine, limits: LIMITS, ..Options::default() };
    let made = |options| Reasoner::with_options(game, options).map_err(|error| error.to_string());
    let naive = made(Options { checked: true, ..options(Engine::Naive) })?;
    let interpreted = |lifted_code| Options { lifted_code, ..options(Engine::Interpreter) };
    let all = [
        Some(interpreted(LiftedCode::Searches)),
        Some(interpreted(LiftedCode::Sets)),
        // Most moves have numbers, and some have not.
        Some(interpreted(LiftedCode::NumberedSearches { beyond: 3 })),
        Some(options(Engine::Backtracking)),
        // Machine code takes long to compile: each game has some of it.
        match seed / 2 % 7 {
            0 => native(LiftedCode::Searches, 0),
            1 => native(LiftedCode::Sets, 0),
            2 => native(LiftedCode::Cheapest, 50_000),
            3 => native(LiftedCode::Cheapest, 0).map(|options| Options { profile: 1, ..options }),
            4 => native(LiftedCode::Cheapest, 0)
                .map(|options| Options { limits: Limits { code: 0, ..options.limits }, ..options }),
            5 => native(LiftedCode::NumberedSearches { beyond: 0 }, 0),
            _ => Some(options(Engine::Auto)),
        },
    ];
    let mut lifted: Vec<(LiftedCode, Reasoner)> = Vec::new();
    for options in all.into_iter().flatten() {
        let name = format!("{:?}, {:?}", options.engine, options.lifted_code);
        // A verifier that stops the program is a problem like others, and is made smaller.
        let compared = catch_unwind(AssertUnwindSafe(|| {
            let other = made(options)?;
            compare_made(game, [&naive, &other], Seen::default(), 1, PLIES, 1).map(|seen| (other, seen))
        }));
        let compared = compared.unwrap_or_else(|panic| Err(format!("{:?}", panic.downcast_ref::<String>())));
        let (other, seen) = compared.map_err(|error| format!("{name}: {error}"))?;
        sum.add(&seen);
        if other.engine_name() != "backtracking" {
            match options.lifted_code {
                LiftedCode::Sets if options.engine == Engine::Interpreter => sum.sets += 1,
                LiftedCode::Searches if options.engine == Engine::Interpreter => sum.searches += 1,
                _ => {}
            }
            lifted.push((options.lifted_code, other));
        }
    }
    // Whatever runs the same code lists moves in the same order.
    for form in [LiftedCode::Sets, LiftedCode::Searches, LiftedCode::NumberedSearches { beyond: 3 }] {
        let (same, others): (Vec<_>, Vec<_>) = lifted.into_iter().partition(|(code, _)| *code == form);
        equal_plays(&same.into_iter().map(|(_, reasoner)| reasoner).collect::<Vec<_>>(), 3)
            .map_err(|error| format!("{form:?}: {error}"))?;
        lifted = others;
    }
    sum.games += 1;
    Ok(())
}

fn optimised(mut game: Game) -> Game {
    Pipeline::level(Some(Level::Full)).run(&mut game, &mut ()).unwrap();
    game
}

/// What is wrong with a game, as it is or optimised, by turns; `None` if the text is no game.
fn verdict(text: &str, seed: u64, sum: &mut Sum) -> Option<Result<(), String>> {
    let game = parse(text).ok()?;
    if seed.is_multiple_of(2) {
        return Some(agree(&game, seed, sum));
    }
    Some(agree(&optimised(game), seed, sum).map_err(|error| format!("optimised, {error}")))
}

/// Small games on which engines once differed, as they are and optimised, with all kinds of machine code.
#[test]
fn engines_agree_on_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/walks");
    let paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap();
        let mut sum = Sum::default();
        for seed in 0..12 {
            let verdict = verdict(&text, seed, &mut sum);
            assert!(matches!(verdict, Some(Ok(()))), "{path:?}, {seed}: {verdict:?}");
        }
        assert!(sum.moves > 0 && sum.searches > 0, "{path:?}: {sum:?}");
    }
    assert_eq!(paths.len(), 5);
}

#[test]
fn engines_agree_on_random_walks() {
    let (first, count) = (number("RGC_RANDOM_FIRST", 0), number("RGC_RANDOM_GAMES", 150));
    let (mut sum, mut problems, mut wrong) = (Sum::default(), Vec::new(), Vec::new());
    for seed in first..first + count {
        let text = testgen::walks(seed);
        let Some(Err(message)) = verdict(&text, seed, &mut sum) else { continue };
        wrong.push(seed);
        println!("seed {seed}: {message}");
        if problems.len() < 3 {
            let fails = |text: &str| matches!(verdict(text, seed, &mut Sum::default()), Some(Err(_)));
            let small = testgen::shrink(&text, fails);
            let after = verdict(&small, seed, &mut Sum::default()).and_then(Result::err).unwrap_or_default();
            problems.push(format!("seed {seed}: {message}\nsmaller: {after}\n{small}\n"));
        }
    }
    println!("{sum:?}");
    assert!(wrong.is_empty(), "{} games: {wrong:?}\n{}", wrong.len(), problems.join("\n"));
    let reached = [
        sum.games,
        sum.sets * 4 / 3,
        sum.searches * 4 / 3,
        sum.states / 20,
        sum.moves / 100,
        sum.ends,
        sum.perfts / 4,
        sum.ambiguous * 50,
        sum.randoms * 2,
        sum.hidden,
    ];
    assert!(reached.iter().all(|&number| number >= count), "too few of something: {sum:?}");
    assert!(sum.limits < sum.games, "too many games are cut short: {sum:?}");
}
