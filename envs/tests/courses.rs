//! Games of batches are copied, written to bytes and read, gone on with one by one, and begun anywhere.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)] // a test stops at the first surprise

use backend::{Rng, Turn};
use envs::{Actions, Arrays, Autoreset, Batch, Chance, Env, EnvError, Game, Labels, Plan, Seeds};
use std::sync::Arc;

const GAMES: &[&str] = &["breakthrough.rbg", "chess.rbg", "ticTacDie.hrg", "leducPoker.hrg", "backgammon.hrg"];

fn game(name: &str) -> Arc<Game> {
    Arc::new(Game::load(name, None, Actions::Auto).unwrap())
}

/// Steps with actions that the batch draws: the actions.
fn steps(batch: &mut Batch, count: usize) -> Vec<Vec<i64>> {
    let step = |_| {
        let mut actions = vec![0; batch.len()];
        batch.sample(&mut actions);
        batch.step(&actions, Arrays::default()).unwrap();
        actions
    };
    (0..count).map(step).collect()
}

fn begun(game: &Arc<Game>, plan: Plan) -> Batch {
    let mut batch = Batch::new(game.clone(), plan).unwrap();
    batch.reset(Seeds::Kept, None, Arrays::default()).unwrap();
    batch
}

/// What was written goes on as the batch does that wrote it, and so does a copy, with chance drawn and not, whatever happens at ends of games.
#[test]
fn batches_go_on_from_bytes_and_as_copies() {
    for name in GAMES {
        let game = game(name);
        for (autoreset, chance) in [
            (Autoreset::SameStep, Chance::Sampled),
            (Autoreset::NextStep, Chance::Explicit),
            (Autoreset::Disabled, Chance::Sampled),
        ] {
            let plan = Plan { seed: 5, autoreset, chance, max_plies: Some(40), ..Plan::of(5) };
            let mut batch = begun(&game, plan);
            for played in [0, 1, 7, 60] {
                steps(&mut batch, played);
                let (mut copy, mut read) = (batch.clone(), begun(&game, Plan { seed: 9, ..plan }));
                read.read(&batch.to_bytes(), Arrays::default()).unwrap();
                assert_eq!((read.to_bytes(), read.legal()), (batch.to_bytes(), batch.legal()), "{name}");
                let went_on = steps(&mut batch, 50);
                assert_eq!(steps(&mut copy, 50), went_on, "{name} {autoreset:?}");
                assert_eq!(steps(&mut read, 50), went_on, "{name} {autoreset:?}");
                assert_eq!((copy.to_bytes(), read.to_bytes()), (batch.to_bytes(), batch.to_bytes()), "{name}");
            }
        }
    }
}

/// The actions of a game of a batch lead one game to the same legal actions, those of chance included.
#[test]
fn games_of_a_batch_have_histories() {
    for name in GAMES {
        let game = game(name);
        let mut batch = begun(&game, Plan { seed: 2, ..Plan::of(4) });
        let mut labels = Labels::default();
        for _ in 0..12 {
            steps(&mut batch, 3);
            let (offsets, legal) = batch.legal();
            for (index, ends) in offsets.windows(2).enumerate() {
                let history = batch.history(index).unwrap().expect("outcomes have numbers");
                let mut env = Env::after(&game, &history).unwrap();
                env.list(&game, &mut labels).unwrap();
                let mut own: Vec<i32> = env.legal().iter().map(|&action| action as i32).collect();
                let mut listed = legal[ends[0] as usize..ends[1] as usize].to_vec();
                own.sort_unstable();
                listed.sort_unstable();
                assert_eq!(own, listed, "{name}");
            }
        }
        assert_eq!(batch.history(4).unwrap(), None);
    }
}

/// Games begin after any actions; those that are not legal, and bytes of other batches, are errors.
#[test]
fn games_begin_anywhere() {
    for name in GAMES {
        let game = game(name);
        let (mut env, mut labels, mut rng, mut actions) =
            (Env::new(&game).unwrap(), Labels::default(), Rng::new(3), Vec::new());
        while env.turn() != Turn::End && actions.len() < 9 {
            env.list(&game, &mut labels).unwrap();
            let action = env.sample(&mut rng).unwrap();
            env.act(&game, action).unwrap();
            actions.push(action);
        }
        let plan = Plan { chance: Chance::Explicit, ..Plan::of(3) };
        let mut batch = begun(&game, plan);
        let starts = [Some(actions.clone()), None, Some(actions[..1].to_vec())];
        batch.reset_to(&starts, Seeds::Kept, None, Arrays::default()).unwrap();
        let histories: Vec<Vec<u32>> = (0..3).map(|index| batch.history(index).unwrap().unwrap()).collect();
        assert_eq!(histories, [actions.clone(), Vec::new(), actions[..1].to_vec()], "{name}");
        let error = batch.reset_to(&[Some(vec![u32::MAX])], Seeds::Kept, None, Arrays::default()).unwrap_err();
        assert!(matches!(error.error, EnvError::Illegal { .. }), "{name}: {error}");
        let bytes = begun(&game, plan).to_bytes();
        for bytes in [&bytes[..bytes.len() - 1], &bytes[..4], &begun(&game, Plan::of(2)).to_bytes()] {
            let error = batch.read(bytes, Arrays::default()).unwrap_err();
            assert!(matches!(error.error, EnvError::Unreadable), "{name}: {error}");
        }
    }
}

/// Games that hide something show as many tags as players observe in them; others none. Random plays are cut off where that is wanted.
#[test]
fn observed_tags_and_cut_plays_are_counted() {
    for (name, least, most) in [("leducPoker.hrg", 64, 64), ("battleships.hrg", 65, 4096), ("breakthrough.rbg", 0, 0)] {
        let game = game(name);
        let shown = game.max_observed();
        assert!((least..=most).contains(&shown) && shown.is_multiple_of(64), "{name}: {shown}");
        assert_eq!(self::game(name).max_observed(), shown, "{name}");
    }
    let game = game("breakthrough.rbg");
    let cut = game.playouts(20, Some(5), 1).unwrap();
    assert_eq!((cut.stats.plays, cut.truncated, cut.truncated_plies), (0, 20, 100));
    let whole = game.playouts(20, Some(1_000), 1).unwrap();
    assert_eq!((whole.stats.plays, whole.truncated), (20, 0));
    assert_eq!(whole.stats.scores.iter().map(|scores| scores.iter().sum::<u64>()).collect::<Vec<_>>(), [20, 20]);
    assert_eq!(game.playouts(20, None, 1).unwrap().stats.plays, 20);
}
