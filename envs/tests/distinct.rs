//! Observations tell positions apart.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)] // a test stops at the first surprise

use backend::{Rng, State, Tag, Turn};
use envs::{Actions, Env, Game, Labels};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::HashMap;

/// Plays of each game, and actions of each play.
const PLAYS: usize = 15;
const ACTIONS: usize = 150;

/// What a position is: the engine's state, and the steps of a move so far.
type Position = (State, Vec<Tag>);

/// What was seen of a game in random plays: the positions, and those observed as another one with the same player to move.
fn conflicts(game: &Game) -> (usize, Vec<(Position, Position)>) {
    let mut seen: HashMap<(Vec<u8>, Option<usize>), Position> = HashMap::new();
    let mut found = Vec::new();
    let (mut labels, mut rng, mut scratch) = (Labels::default(), Rng::new(7), Vec::new());
    for _ in 0..PLAYS {
        let mut env = Env::new(game).unwrap();
        for _ in 0..ACTIONS {
            if env.turn() == Turn::End {
                break;
            }
            env.list(game, &mut labels).unwrap();
            let mut observed = vec![0; game.observations().len()];
            game.observations().write(game, &env, &mut scratch, &mut observed);
            let mover = match env.turn() {
                Turn::Player(player) => Some(player),
                _ => None,
            };
            let position = (env.state().clone(), env.chosen().to_vec());
            let other = seen.entry((observed, mover)).or_insert_with(|| position.clone());
            if *other != position {
                found.push((other.clone(), position));
            }
            let action = env.sample(&mut rng).unwrap();
            env.act(game, action).unwrap();
        }
    }
    (seen.len(), found)
}

/// In all bundled games in which nothing is hidden, positions of random plays that are observed alike, with the same player to move, are the same.
#[test]
fn positions_are_told_apart() {
    let games = kit::library::all().into_par_iter();
    let found = games.filter_map(|bundled| {
        let name = bundled.file_name();
        let game = Game::parse(&name, bundled.text, Some(bundled.language.name), Actions::Auto).unwrap();
        if game.reasoner().hides() {
            return None;
        }
        let (positions, found) = conflicts(&game);
        let node = |(state, chosen): &Position| {
            format!("{} after {:?}", game.reasoner().node_name(state), game.reasoner().tags_text(chosen))
        };
        let (one, other) = found.first()?;
        let example = format!("at {} and {}", node(one), node(other));
        Some(format!("{name}: {} of {positions}, {example}", found.len()))
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Only games in which somebody moves at several nodes say at which one, and say so of each of these nodes.
#[test]
fn decisions_are_observed_where_the_mover_does_not_tell_them() {
    let decisions = |name: &str| {
        let game = Game::load(name, None, Actions::Auto).unwrap();
        let channels = game.observations().channels().iter();
        channels.filter(|name| name.starts_with("decision = ")).cloned().collect::<Vec<_>>()
    };
    for name in ["breakthrough.rbg", "chess.rbg", "connectFour.hrg", "nim.gdl"] {
        assert_eq!(decisions(name), Vec::<String>::new(), "{name}");
    }
    // In an amazons game whose moves are two decisions, white moves at two nodes and black at two.
    assert_eq!(decisions("amazonsSplit.rbg").len(), 4);
    // Where something is hidden, a node may tell what was done in secret.
    assert_eq!(decisions("leducPoker.hrg"), Vec::<String>::new());
}
