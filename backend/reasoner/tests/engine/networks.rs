//! Random games without structure: the naive engine against networks of Boolean functions, in bytecode and machine code, on games as they
//! are and on optimised ones.
//!

//! `RGC_RANDOM_GAMES` is the number of games, `RGC_RANDOM_FIRST` the first of them.

use crate::common::{Seen, compare_made, equal_plays, number, parse};
use backend::{Engine, LiftedCode, Limits, MoveForm, Options, PlayoutStats, Reasoner, Rng, SIDE_BY_SIDE};
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
    side_by_side: SideBySide,
}

/// What became of games that were played many times side by side.
#[derive(Default, Debug)]
struct SideBySide {
    games: u64,
    plays: u64,
    failures: u64,
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
    if let Some(network) = networks.first().filter(|network| network.plays_at_once() > 1) {
        sum.side_by_side.games += 1;
        equal_side_by_side(network, SIDE_BY_SIDE + seed % 900, &mut sum.side_by_side)?;
    }
    equal_plays(&networks, 5).map(drop)
}

/// Plays side by side are those that are made one by one with generators of the same seeds, and the first one that fails is the same.
fn equal_side_by_side(network: &Reasoner, plays: u64, sum: &mut SideBySide) -> Result<(), String> {
    let [(mut many, mut seeds), (mut one, mut same_seeds)] = [0; 2].map(|_| (PlayoutStats::default(), Rng::new(5)));
    let failure = network.playouts(plays, MoveForm::List, &mut seeds, &mut many).err();
    let failures = (0..plays).filter_map(|_| {
        let mut own = Rng::new(same_seeds.next_u64());
        network.playout(&mut own, &mut one).err()
    });
    let failures: Vec<_> = failures.collect();
    // Which play ends last depends on their lengths.
    (many.last, one.last) = (Vec::new(), Vec::new());
    let text = |error: &backend::Error| format!("{error} after {:?}", error.play);
    let (failure, first) = (failure.as_ref().map(text), failures.first().map(text));
    if many != one || failure != first || seeds.next_u64() != same_seeds.next_u64() {
        return Err(format!("side by side: {many:?} {failure:?}; one by one: {one:?} {first:?}"));
    }
    sum.plays += one.plays;
    sum.failures += failures.len() as u64;
    Ok(())
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
    let SideBySide { games, plays, failures } = sum.side_by_side;
    assert!(games * 2 >= count && plays >= count * 100 && failures >= count, "{sum:?}");
}
