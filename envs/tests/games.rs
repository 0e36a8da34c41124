//! All bundled games as environments.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)] // a test stops at the first surprise

use backend::{Moves, Rng, State, Turn};
use envs::{Acted, ActionKind, Actions, Env, EnvError, Game, Labels, Merging};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// The bundled games, which are read once for all tests, on all cores.
fn games() -> &'static [(String, Game)] {
    static GAMES: OnceLock<Vec<(String, Game)>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let read = |bundled: kit::library::Bundled| {
            let name = bundled.file_name();
            let game = Game::parse(&name, bundled.text, Some(bundled.language.name), Actions::Auto);
            let game = game.unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, game)
        };
        kit::library::all().into_par_iter().map(read).collect()
    })
}

/// Does something with every bundled game, on all cores.
fn each(act: impl Fn(&str, &Game) -> String + Sync) -> Vec<String> {
    games().par_iter().map(|(name, game)| act(name, game)).collect()
}

/// Every move that some random plays meet has a number, and the number leads to the state that the engine makes with the move.
#[test]
fn moves_have_numbers_and_numbers_make_moves() {
    let lines = each(|name, game| {
        let mut rng = Rng::new(1);
        let mut labels = Labels::default();
        let mut moves = Moves::new();
        for _ in 0..3 {
            let mut env = Env::new(game).unwrap();
            for _ in 0..60 {
                env.draw(game, &mut rng).unwrap();
                if env.turn() == Turn::End {
                    break;
                }
                let before = env.state().clone();
                game.reasoner().legal_moves(&before, &mut moves).unwrap();
                let mut tags = Vec::new();
                loop {
                    env.list(game, &mut labels).unwrap_or_else(|error| panic!("{name}: {error}"));
                    let action = env.sample(&mut rng).unwrap();
                    let legal = env.legal().len();
                    if game.actions().kind() == ActionKind::Moves {
                        let different: HashSet<u32> = env.legal().iter().copied().collect();
                        assert_eq!((legal, different.len()), (moves.len(), moves.len()), "{name}");
                        let at = env.legal().iter().position(|&legal| legal == action).unwrap();
                        tags = match game.actions().merging() {
                            Merging::Apart => game.actions().tags(action).to_vec(),
                            _ => game.reasoner().move_text(&moves, at).split(' ').map(str::to_owned).collect(),
                        };
                    }
                    if env.act(game, action).unwrap() == Acted::Moved {
                        break;
                    }
                }
                // One of the moves leads to the state, for whole moves the one with the same tags.
                let reached = (0..moves.len()).filter(|&index| {
                    let mut state = before.clone();
                    game.reasoner().apply(&mut state, &moves, index).unwrap();
                    state == *env.state()
                });
                let texts: Vec<String> = reached.map(|index| game.reasoner().move_text(&moves, index)).collect();
                assert!(!texts.is_empty(), "{name}");
                assert!(tags.is_empty() || texts.contains(&tags.join(" ")), "{name}: {tags:?} is none of {texts:?}");
            }
        }
        let (actions, observations) = (game.actions(), game.observations());
        let mut line = format!("{name}: {} {:?}", actions.len(), actions.kind());
        write!(line, ", {} channels, {:?}", observations.channels().len(), observations.shape()).unwrap();
        if !observations.left_out().is_empty() {
            write!(line, ", without {}", observations.left_out().join(" ")).unwrap();
        }
        line
    });
    println!("{}", lines.join("\n"));
}

/// Counting in parts gives the same numbers, and ends when it is not wanted any more.
#[test]
fn plays_are_counted_in_parts() {
    for (name, depth) in [
        ("connectFour.hrg", 6),
        ("ticTacDie.hrg", 5),
        ("leducPoker.hrg", 6),
        ("ticTacToe.rbg", 9),
        ("hexapawn.gdl", 5),
        ("chess.rbg", 3),
    ] {
        let game = Game::load(name, None, Actions::Auto).unwrap();
        // Outcomes of chance are merged by all values.
        let game = game.in_full().unwrap();
        let whole = game.reasoner().perft(&game.reasoner().initial().unwrap(), depth).unwrap();
        let parts = game.perft_parts(depth, 1, 50).unwrap();
        assert!(parts.len() >= 50, "{name}: {} parts", parts.len());
        let count = |part: &envs::Part| game.perft(&part.actions, part.depth, &mut || true).unwrap().unwrap();
        assert_eq!(parts.iter().map(count).sum::<u64>(), whole, "{name}");
        assert_eq!(game.perft(&[], depth, &mut || true).unwrap(), Some(whole), "{name}");
        let mut asked = 0;
        let stopped = game.perft(&[], depth, &mut || {
            asked += 1;
            asked < 2
        });
        assert!(stopped.unwrap().is_none() || asked < 2, "{name}");
    }
}

/// Behind some steps of a move, that move is the first one that is counted: the counts behind all its first steps add up.
#[test]
fn plays_are_counted_behind_steps() {
    for name in ["chess.rbg", "breakthrough.sbg", "englishDraughts.rbg"] {
        let game = Game::load(name, None, Actions::Steps).unwrap();
        let (mut labels, mut rng) = (Labels::default(), Rng::new(4));
        let count = |actions: &[u32], depth| game.perft(actions, depth, &mut || true).unwrap().unwrap();
        let (mut env, mut actions, mut narrowed) = (Env::new(&game).unwrap(), Vec::new(), 0);
        for _ in 0..10 {
            env.list(&game, &mut labels).unwrap();
            assert_eq!(count(&actions, 0), 1, "{name}");
            for depth in 1..3 {
                let parts = env.legal().iter().map(|&action| {
                    let mut next = env.clone();
                    let is_move = next.act(&game, action).unwrap() == Acted::Moved;
                    narrowed += u32::from(!is_move);
                    count(&[&actions[..], &[action]].concat(), if is_move { depth - 1 } else { depth })
                });
                assert_eq!(parts.sum::<u64>(), count(&actions, depth), "{name}: {depth} moves behind {actions:?}");
            }
            let action = env.sample(&mut rng).unwrap();
            env.act(&game, action).unwrap();
            actions.push(action);
        }
        assert!(narrowed > 0, "{name}");
    }
}

/// Random plays end with scores that were found in the rules; of some games it is known that somebody wins what the other loses.
#[test]
fn final_scores_are_in_the_rules() {
    let lines = each(|name, game| {
        let rules = &game.runner().loaded.game;
        let Some(found) = game.final_scores() else { return format!("{name}: unknown") };
        let found: Vec<Vec<&str>> =
            found.iter().map(|scores| scores.iter().map(|&score| rules.name(score)).collect()).collect();
        let mut rng = Rng::new(3);
        let mut labels = Labels::default();
        for _ in 0..10 {
            let mut env = Env::new(game).unwrap();
            for _ in 0..400 {
                env.draw(game, &mut rng).unwrap();
                if env.turn() == Turn::End {
                    let scores = game.reasoner().scores(env.state());
                    assert!(found.contains(&scores), "{name}: {scores:?} is none of {found:?}");
                    break;
                }
                env.list(game, &mut labels).unwrap();
                env.act(game, env.sample(&mut rng).unwrap()).unwrap();
            }
        }
        format!("{name}: {} scores, sum {:?}", found.len(), game.utility_sum())
    });
    println!("{}", lines.join("\n"));
    for known in ["connectFour.hrg: 3 scores, sum Some(100.0)", "ticTacToe.rbg: 3 scores, sum Some(100.0)"] {
        assert!(lines.iter().any(|line| line == known), "{known}: {}", lines.join("; "));
    }
}

/// With places as actions, there is one for each way to name places, and plays are the same: every legal move is one action and the other way round.
#[test]
fn moves_that_name_the_same_places_are_one_action() {
    let sizes = [("ticTacToe.rbg", 9), ("hex5.rbg", 25), ("gomoku.rbg", 225), ("yavalath.rbg", 61)];
    for (name, size) in sizes {
        let (all, game) =
            [Actions::Moves, Actions::Places].map(|wanted| Game::load(name, None, wanted).unwrap()).into();
        assert!(game.actions().len() < all.actions().len() && game.actions().version() != all.actions().version());
        assert_eq!(game.actions().len(), size, "{name}");
        let (mut rng, mut labels, mut moves) = (Rng::new(2), Labels::default(), Moves::new());
        for _ in 0..20 {
            let mut env = Env::new(&game).unwrap();
            while env.turn() != Turn::End {
                env.list(&game, &mut labels).unwrap();
                game.reasoner().legal_moves(env.state(), &mut moves).unwrap();
                let mut numbers: Vec<u32> = moves.iter().map(|tags| game.actions().number(tags).unwrap()).collect();
                assert_eq!(numbers, env.legal(), "{name}");
                numbers.sort_unstable();
                numbers.dedup();
                assert_eq!(numbers.len(), moves.len(), "{name}");
                let (mut next, action) = (env.state().clone(), env.sample(&mut rng).unwrap());
                let made = env.legal().iter().position(|&legal| legal == action).unwrap();
                game.reasoner().apply(&mut next, &moves, made).unwrap();
                env.act(&game, action).unwrap();
                assert_eq!(env.state(), &next, "{name}");
            }
        }
    }
}

/// Where labels name the way through the rules, whether a move wins does not change its number: it has that of its places. Moves that name the same places and are legal at once have
/// numbers in the order of their labels.
#[test]
fn numbers_of_moves_do_not_tell_which_win() {
    let game = Game::load("ticTacToe.rbg", None, Actions::Auto).unwrap();
    assert_eq!((game.actions().merging(), game.actions().len()), (&Merging::Ranked, 36));
    let (mut rng, mut labels, mut used) = (Rng::new(5), Labels::default(), HashSet::new());
    for _ in 0..200 {
        let mut env = Env::new(&game).unwrap();
        while env.turn() != Turn::End {
            env.list(&game, &mut labels).unwrap();
            used.extend(env.legal().iter().copied());
            let action = env.sample(&mut rng).unwrap();
            env.act(&game, action).unwrap();
        }
    }
    assert_eq!(used.len(), 9, "one for each square, whoever takes it, and whether that wins");
    let text = "#players = a(1)\n#pieces = e, x, y\n#variables =\n#board = rectangle(up, down, left, right, [e, e])\n\
                #rules = ->a (right* + left*) {e} ([x] + [y]) [$ a = 1] ->> {}\n";
    let game = Game::parse("two.rbg", text, Some("rbg"), Actions::Auto).unwrap();
    let mut env = Env::new(&game).unwrap();
    env.list(&game, &mut Labels::default()).unwrap();
    let mut legal = env.legal().to_vec();
    legal.sort_unstable();
    assert_eq!(legal, [0, 1, 2, 3], "two places, two pieces each");
    let texts: Vec<String> = legal.iter().map(|&action| game.action_text(action)).collect();
    assert!(texts[1] == format!("{} (2)", texts[0]) && texts[3] == format!("{} (2)", texts[2]), "{texts:?}");
    let after = |&action: &u32| {
        let mut env = env.clone();
        env.act(&game, action).unwrap();
        env.state().clone()
    };
    let states: HashSet<State> = legal.iter().map(after).collect();
    assert_eq!(states.len(), 4);
}

/// Two legal moves that name the same places are an error, which names both.
#[test]
fn moves_that_name_the_same_places_may_not_be_legal_at_once() {
    let text = "#players = a(1)\n#pieces = e, x, y\n#variables =\n#board = rectangle(up, down, left, right, [e, e])\n\
                #rules = ->a (right* + left*) {e} ([x] + [y]) [$ a = 1] ->> {}\n";
    let game = Game::parse("two.rbg", text, Some("rbg"), Actions::Places).unwrap();
    let error = Env::new(&game).unwrap().list(&game, &mut Labels::default()).unwrap_err();
    assert!(matches!(&error, EnvError::Alike { labels, .. } if labels.len() == 2), "{error}");
}
