//! Random games without structure: the naive engine against networks of Boolean functions, in bytecode and machine code, on games as they
//! are and on optimised ones.
//!
//! `RGC_RANDOM_GAMES` is the number of games, `RGC_RANDOM_FIRST` the first of them.

#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use backend::{Engine, LiftedCode, Limits, Options, Reasoner};
use common::{Seen, compare_made, equal_plays, number, parse};
use passes::{Level, Pipeline};
use rg_ir::Game;

const LIMITS: Limits = Limits {
    steps: 1_000_000,
    naive_steps: 100_000,
    keeper_moves: 100,
    tags: 80,
    check_depth: 40,
    moves: 2_000,
    visited: 20_000,
    memory: 1 << 24,
    plies: 60,
    exact_after: 20_000,
    code: 200_000,
    compile_after: 50_000,
};

/// What became of games.
#[derive(Default, Debug)]
struct Sum {
    networks: u64,
    moves: u64,
    ends: u64,
}

/// The naive engine and networks on one game; `Err` says where they differ.
fn agree(game: &Game, seed: u64, sum: &mut Sum) -> Result<(), String> {
    let made = |options| Reasoner::with_options(game, options).map_err(|error| error.to_string());
    let naive = made(Options { engine: Engine::Naive, checked: true, limits: LIMITS, ..Options::default() })?;
    let mut networks = Vec::new();
    for (name, engine) in Engine::ALL {
        let compile_after = if seed.is_multiple_of(3) { 0 } else { 50_000 };
        if !["interpreter", "native"].contains(name) {
            continue;
        }
        let limits = Limits { compile_after, ..LIMITS };
        let network =
            made(Options { engine: *engine, lifted_code: LiftedCode::Network, limits, ..Options::default() })?;
        if network.engine_name() == "backtracking" {
            continue;
        }
        let seen = compare_made(game, [&naive, &network], Seen::default(), 2, 12, 2)
            .map_err(|error| format!("{name}: {error}"))?;
        (sum.moves, sum.ends) = (sum.moves + seen.moves, sum.ends + seen.ends);
        networks.push(network);
    }
    sum.networks += u64::from(!networks.is_empty());
    equal_plays(&networks, 5).map(drop)
}

/// Games on which networks were once wrong: as they are, so that no pass hides it.
#[test]
fn networks_agree_on_fixtures() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/networks");
    for (name, is_network) in [("player", true), ("passage", false)] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.rg"))).unwrap();
        let mut sum = Sum::default();
        agree(&parse(&text).unwrap(), 0, &mut sum).unwrap_or_else(|message| panic!("{name}: {message}"));
        assert_eq!(sum.networks == 1, is_network, "{name}");
    }
}

#[test]
fn networks_agree_on_random_games() {
    let (first, count) = (number("RGC_RANDOM_FIRST", 0), number("RGC_RANDOM_GAMES", 120));
    let mut sum = Sum::default();
    for seed in first..first + count {
        let text = testgen::ground(seed);
        let verdict = |text: &str, sum: &mut Sum| {
            let mut game = parse(text).ok()?;
            if seed % 2 == 1 {
                Pipeline::level(Some(Level::Full)).run(&mut game, &mut ()).unwrap();
            }
            Some(agree(&game, seed, sum))
        };
        if let Err(message) = verdict(&text, &mut sum).unwrap_or_else(|| panic!("seed {seed}: no game\n{text}")) {
            let small = testgen::shrink(&text, |text| matches!(verdict(text, &mut Sum::default()), Some(Err(_))));
            let after = verdict(&small, &mut Sum::default()).and_then(Result::err).unwrap_or_default();
            panic!("seed {seed}: {message}\nsmaller: {after}\n{small}");
        }
    }
    println!("{sum:?}");
    assert!(sum.networks * 4 >= count * 3 && sum.moves >= count * 20 && sum.ends >= count, "{sum:?}");
}
