//! Observations say what the variables hold, by whichever way they are read.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)] // a test stops at the first surprise

use backend::{Rng, Turn};
use envs::{Actions, Env, Game, Labels, Shape};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rg_ir::StateView;
use std::collections::HashMap;

/// Channels called `variable = value`, `map[key] = value` or, over the board, `map = value` agree with the values that the engine tells by name. Looks at
/// games of which every engine form is one: sets, fields, packed maps, and none.
#[test]
fn channels_are_what_they_are_called() {
    let games =
        ["breakthrough.rbg", "connectFour.gdl", "nim.rbg", "reversi.hrg", "backgammon.hrg", "felli.hrg", "chess.rbg"];
    for name in games {
        let game = Game::load(name, None, Actions::Auto).unwrap();
        let (mut labels, mut rng, mut env) = (Labels::default(), Rng::new(3), Env::new(&game).unwrap());
        let mut compared = 0;
        for _ in 0..80 {
            env.draw(&game, &mut rng).unwrap();
            if env.turn() == Turn::End {
                break;
            }
            env.list(&game, &mut labels).unwrap();
            let mut observed = vec![7; game.observations().len()];
            game.observations().write(&game, &env, &mut Vec::new(), &mut observed);
            let size = game.observations().shape().plane();
            let state = env.state().clone();
            let view = game.reasoner().view(&state);
            let flat = |channel: &str| {
                let (cell, value) = channel.split_once(" = ")?;
                let mut keys = cell.trim_end_matches(']').split('[').flat_map(|part| part.split("]["));
                let variable = keys.next()?;
                let keys: Vec<&str> = keys.map(|key| key.trim_end_matches(']')).collect();
                // Over the board, a key is missing: there is no such entry.
                Some(view.get(variable, &keys)? == value)
            };
            for (channel, bytes) in game.observations().channels().iter().zip(observed.chunks_exact(size)) {
                assert!(bytes.iter().all(|&byte| byte != 7 || !channel.contains('=')), "{name}: {channel}");
                if let Some(holds) = flat(channel).filter(|_| !channel.starts_with("player =")) {
                    assert_eq!(bytes, vec![u8::from(holds); size], "{name}: {channel}");
                    compared += 1;
                }
            }
            let action = env.sample(&mut rng).unwrap();
            env.act(&game, action).unwrap();
        }
        assert!(compared > 0 || game.observations().shape() != Shape::Flat, "{name}");
    }
}

/// On a board, each place has one value of each map, at the place where people see it.
#[test]
fn planes_lie_as_people_see_them() {
    let game = Game::load("breakthrough.rbg", None, Actions::Auto).unwrap();
    let env = Env::new(&game).unwrap();
    let mut observed = vec![0; game.observations().len()];
    game.observations().write(&game, &env, &mut Vec::new(), &mut observed);
    let plane = |name: &str| {
        let at = game.observations().channels().iter().position(|channel| channel == name).unwrap();
        observed[64 * at..64 * (at + 1)].to_vec()
    };
    // Black is above, in the first rows.
    assert_eq!(plane("board = piece_b"), [vec![1; 16], vec![0; 48]].concat());
    assert_eq!(plane("board = piece_e"), [vec![0; 16], vec![1; 32], vec![0; 16]].concat());
    assert_eq!(plane("board = piece_w"), [vec![0; 48], vec![1; 16]].concat());
    assert_eq!((plane("player = player_white"), plane("player = player_black")), (vec![1; 64], vec![0; 64]));
}

/// Games about a board are observed as planes of it, in every language whose notation knows boards.
#[test]
fn boards_are_planes() {
    let shapes = [
        ("breakthrough.rbg", Shape::Grid { rows: 8, columns: 8 }),
        ("connectFour.hrg", Shape::Grid { rows: 6, columns: 7 }),
        ("breakthrough.sbg", Shape::Grid { rows: 8, columns: 8 }),
        ("breakthrough.rg", Shape::Grid { rows: 8, columns: 8 }),
        ("hex.hrg", Shape::Places { places: 121 }),
        ("hex.rbg", Shape::Places { places: 121 }),
        ("kuhnPoker.hrg", Shape::Flat),
    ];
    for (name, shape) in shapes {
        let game = Game::load(name, None, Actions::Auto).unwrap();
        assert_eq!(game.observations().shape(), shape, "{name}");
    }
}

/// Places of other boards, which are keys of the same maps, are observed beside the one that makes the planes: whichever line is drawn first, it is seen. What is outside
/// of all boards is not.
#[test]
fn places_of_other_boards_are_observed() {
    let game = Game::load("dotsAndBoxes.hrg", None, Actions::Auto).unwrap();
    let observed = |env: &Env| {
        let mut bytes = vec![0; game.observations().len()];
        game.observations().write(&game, env, &mut Vec::new(), &mut bytes);
        bytes
    };
    let (mut start, mut labels) = (Env::new(&game).unwrap(), Labels::default());
    start.list(&game, &mut labels).unwrap();
    let actions = start.legal().to_vec();
    let after = |&action: &u32| {
        let mut env = start.clone();
        env.act(&game, action).unwrap();
        observed(&env)
    };
    let different: std::collections::BTreeSet<Vec<u8>> = actions.iter().map(after).collect();
    assert_eq!((actions.len(), different.len()), (24, 24));
    assert!(game.observations().left_out().is_empty());
    let names = game.observations().channels();
    assert!(names.iter().any(|name| name.contains("V__0_0")), "{names:?}");
    let other = Game::load("breakthrough.rbg", None, Actions::Auto).unwrap();
    assert!(!other.observations().channels().iter().any(|name| name.contains("[off]")));
}

/// Plays of each game in the test of finished games, and actions of each play.
const PLAYS: u64 = 3;
const ACTIONS: usize = 400;

/// By name, the channels of a game's state, where names are not those of what is in between moves.
fn channels(game: &Game, env: &Env) -> HashMap<String, Vec<u8>> {
    let mut observed = vec![0; game.observations().len()];
    game.observations().write(game, env, &mut Vec::new(), &mut observed);
    let size = game.observations().shape().plane();
    let names = game.observations().channels().iter().filter(|name| !name.contains("chosen"));
    names.cloned().zip(observed.chunks(size).map(<[u8]>::to_vec)).collect()
}

/// A finished game is observed as its last move left it, though no rule reads that: as by an engine that runs the rules as they are written and forgets nothing.
#[test]
fn finished_games_are_observed() {
    let games = kit::library::all().into_par_iter();
    let compared = games.map(|bundled| {
        let name = bundled.file_name();
        let game = Game::parse(&name, bundled.text, Some(bundled.language.name), Actions::Auto).unwrap();
        if game.reasoner().hides() {
            return (name, 0);
        }
        let full = game.in_full().unwrap();
        let (mut labels, mut others, mut compared) = (Labels::default(), Labels::default(), 0);
        for seed in 0..PLAYS {
            let (mut rng, mut env, mut other) = (Rng::new(seed), Env::new(&game).unwrap(), Env::new(full).unwrap());
            for _ in 0..ACTIONS {
                if env.turn() == Turn::End {
                    let (ours, theirs) = (channels(&game, &env), channels(full, &other));
                    for (channel, bytes) in &ours {
                        if let Some(expected) = theirs.get(channel) {
                            assert_eq!(bytes, expected, "{name}, play {seed}: {channel}");
                            compared += 1;
                        }
                    }
                    break;
                }
                env.list(&game, &mut labels).unwrap();
                let action = env.sample(&mut rng).unwrap();
                env.act(&game, action).unwrap();
                other.list(full, &mut others).unwrap();
                other.act(full, action).unwrap();
            }
        }
        (name, compared)
    });
    let compared: Vec<(String, usize)> = compared.collect();
    let board = |name: &str| compared.iter().find(|(game, _)| game == name).unwrap().1;
    assert!(board("breakthrough.rbg") >= 9 && board("ticTacToe.gdl") >= 9, "{compared:?}");
}
