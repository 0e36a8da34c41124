//! Thousands of random games, proper and improper, in both engines that search.
//!
//! A game on which the engines differ is made smaller before it is shown.

#![allow(clippy::unwrap_used, clippy::panic, clippy::unreachable)]

mod common;

use backend::{Ambiguity, Limits, Options};
use common::{Seen, compare, parse};

/// Low limits; one game in three is searched in exact mode almost from the start.
fn limits(seed: u64) -> Limits {
    Limits {
        exact_after: if seed.is_multiple_of(3) { 3 } else { 5_000 },
        steps: 20_000,
        naive_steps: 2_000,
        keeper_moves: 12,
        tags: 8,
        check_depth: 12,
        moves: 2_000,
        visited: 5_000,
        ..Limits::default()
    }
}

/// Checked runs; in every other game the outcomes of ambiguous labels are moves of their own.
fn options(seed: u64) -> Options {
    let ambiguity = if seed.is_multiple_of(2) { Ambiguity::Error } else { Ambiguity::Split };
    Options { checked: true, ambiguity, limits: limits(seed), ..Options::default() }
}

/// Compares the engines on a game; `None` if the text is no game.
fn verdict(text: &str, seed: u64) -> Option<Result<Seen, String>> {
    let game = parse(text).ok()?;
    Some(compare(&game, options(seed), 2, 6, 3))
}

fn run(seeds: std::ops::Range<u64>, make: fn(u64) -> String) -> Seen {
    let mut sum = Seen::default();
    let (mut games, mut tries) = (0, 0);
    for seed in seeds {
        let text = make(seed);
        tries += 1;
        let Some(result) = verdict(&text, seed) else { continue };
        games += 1;
        match result {
            Ok(seen) => {
                sum.states += seen.states;
                sum.moves += seen.moves;
                sum.ends += seen.ends;
                sum.stuck += seen.stuck;
                sum.ambiguous += seen.ambiguous;
                sum.split += seen.split;
                sum.choices += seen.choices;
                sum.invalid += seen.invalid;
                sum.limits += seen.limits;
                sum.randoms += seen.randoms;
                sum.hidden += seen.hidden;
                sum.perfts += seen.perfts;
            }
            Err(message) => {
                let small = testgen::shrink(&text, |text| matches!(verdict(text, seed), Some(Err(_))));
                let after = compare(&parse(&small).unwrap(), options(seed), 2, 6, 3).err();
                panic!("seed {seed}: {message}\nsmaller: {}\n{small}", after.unwrap_or_default());
            }
        }
    }
    println!("{games} games of {tries}: {sum:?}");
    assert!(games * 4 > tries * 3, "the generator makes too few games: {games} of {tries}");
    sum
}

fn games() -> u64 {
    common::number("RGC_RANDOM_GAMES", 1_500)
}

/// Answers of checks that are kept must be those that would be found.
#[test]
fn engines_agree_on_random_boards() {
    let count = games();
    let seen = run(0..count, testgen::board);
    assert!(seen.states.min(seen.perfts) > count && seen.ends * 2 > count, "too few of something: {seen:?}");
    assert_eq!(seen.stuck + seen.ambiguous + seen.choices, 0, "{seen:?}");
}

#[test]
fn engines_agree_on_random_games() {
    let count = games();
    let seen = run(0..count, testgen::game);
    // The games must reach everything worth comparing.
    for (what, number) in [
        ("states", seen.states),
        ("moves", seen.moves),
        ("finished plays", seen.ends),
        ("stuck", seen.stuck),
        ("ambiguous", seen.ambiguous),
        ("split labels", seen.split),
        ("random", seen.randoms),
        ("hidden tags", seen.hidden),
        ("perft", seen.perfts),
    ] {
        assert!(number * 100 >= count, "too few of `{what}`: {seen:?}");
    }
}
