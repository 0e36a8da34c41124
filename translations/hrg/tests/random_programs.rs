//! Thousands of random games: the program is the same game.
//!
//! Automata of all shapes, with circles that are entered in several places, walks that leave several loops at once, and checks of checks. A game that
//! becomes another one is made smaller before it is shown. `RGC_RANDOM_GAMES` is the number of games, `RGC_RANDOM_FIRST` the first of them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use backend::{Engine, ErrorKind, Limits, Options, Reasoner, Rng, lockstep};
use passes::{Level, Pipeline};
use rg_ir::{Game, SourceId};
use std::collections::BTreeMap;

/// Low limits: improper games may run for ever.
fn reasoner(game: &Game) -> Option<Reasoner> {
    let limits = Limits {
        steps: 40_000,
        keeper_moves: 12,
        tags: 8,
        check_depth: 12,
        moves: 2_000,
        visited: 10_000,
        exact_after: 10_000,
        ..Limits::default()
    };
    Reasoner::with_options(game, Options { engine: Engine::Backtracking, checked: true, limits, ..Options::default() })
        .ok()
}

/// What is wrong with the program of a game, or why there is none; `Ok(false)` if they cannot be compared.
fn wrong(text: &str, seed: u64) -> Result<bool, String> {
    let Some(game) = testgen::parse(text) else { return Ok(false) };
    let program = match rg_to_hrg::translate(&game) {
        Ok(program) => program.text,
        Err(refused) => return Err(format!("{}: {}", refused.code, refused.message)),
    };
    let (read, findings) = hrg::load(SourceId(0), &program);
    let Some(mut read) = read else { return Err(format!("{findings:?}\n{program}")) };
    // Loops begin with a step that does nothing, so that places in front of them are not those within. Passes join them.
    Pipeline::level(Some(Level::Full)).run(&mut read.game, &mut ()).map_err(|error| error.to_string())?;
    let (Some(first), Some(second)) = (reasoner(&game), reasoner(&read.game)) else { return Ok(false) };
    let budget = lockstep::Budget { moves: 150, plays: 2, plies: 10, play_moves: 300, seed };
    match lockstep::compare(&first, &second, &budget) {
        // Checks that come back to themselves fail in some orders of edges only, and programs take more steps.
        Some(found) if matches!(found.failure, Some(ErrorKind::Recursion | ErrorKind::Limit)) => Ok(false),
        Some(found) => Err(format!("{found}\n{program}")),
        None => Ok(true),
    }
}

#[test]
fn random_games_stay_the_same() {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (first, count) = (number("RGC_RANDOM_FIRST").unwrap_or(0), number("RGC_RANDOM_GAMES").unwrap_or(500));
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    let mut compared = 0;
    for seed in first..first + count {
        let mut rng = Rng::new(!seed);
        let text = match seed % 3 {
            0 => testgen::walks(seed),
            1 => testgen::game(seed),
            _ => testgen::inflate(&testgen::game(seed), seed, rng.below(20) as usize),
        };
        match wrong(&text, seed) {
            Ok(fair) => compared += u64::from(fair),
            Err(what) if what.starts_with("THR70") && !what.starts_with("THR704") => {
                *refused.entry(what.split(':').next().unwrap().to_owned()).or_default() += 1;
            }
            Err(what) => {
                let kind = what.split(['`', '\n', '0']).next().unwrap().to_owned();
                let small =
                    testgen::shrink(&text, |text| wrong(text, seed).is_err_and(|other| other.starts_with(&kind)));
                panic!("game {seed}: {what}\n\nmade smaller:\n{small}\n{:?}", wrong(&small, seed));
            }
        }
    }
    println!("{compared} of {count} compared, refused: {refused:?}");
    assert!(compared * 10 > count * 8, "{compared} of {count} compared, refused: {refused:?}");
}
