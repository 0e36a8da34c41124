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
                own.sort_unstable();
                assert_eq!(own, legal[ends[0] as usize..ends[1] as usize], "{name}");
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
        // A game whose start is not legal is where it was, and goes on.
        let before = batch.to_bytes();
        for wrong in [vec![u32::MAX], [&actions[..2], &[u32::MAX]].concat()] {
            let error = batch.reset_to(&[Some(wrong)], Seeds::One(3), Some(&[true]), Arrays::default()).unwrap_err();
            assert!(matches!(error.error, EnvError::Illegal { .. }) && error.index == 0, "{name}: {error}");
            assert_eq!(batch.to_bytes(), before, "{name}");
        }
        // Nor have the others begun anew, whether they have a start of their own or not, and nothing is shown.
        let starts = [Some(actions[..1].to_vec()), None, Some(vec![u32::MAX])];
        for threads in [1, 2] {
            let mut batch = begun(&game, Plan { threads, ..plan });
            steps(&mut batch, 2);
            let (before, mut rewards) = (batch.to_bytes(), vec![7.0; 3 * game.reasoner().players().len()]);
            let arrays = Arrays { rewards: &mut rewards, ..Arrays::default() };
            let error = batch.reset_to(&starts, Seeds::One(3), None, arrays).unwrap_err();
            assert!(matches!(error.error, EnvError::Illegal { .. }) && error.index == 2, "{name}: {error}");
            assert_eq!(batch.to_bytes(), before, "{name}");
            assert!(rewards.iter().all(|&reward| reward == 7.0), "{name}");
            steps(&mut batch, 2);
        }
        steps(&mut batch, 3);
    }
}

/// Chance may lead to where the rules fail, at once: then no game has begun anew.
#[test]
fn resets_that_fail_change_nothing() {
    let rules = "
        type Player = { a };  type Score = { 0 };  type C = { x, y };  var c: C = x;
        begin, d: player = random;  d, e: c = C(*);  e, f: $$ c;  f, g: player = keeper;  g, h: c == x;
        h, i: player = a;  i, j: $ go;  j, h: player = keeper;
    ";
    let game = Arc::new(Game::parse("game.rg", rules, None, Actions::Auto).unwrap());
    let mut batch = Batch::new(game, Plan { seed: 1, ..Plan::of(3) }).unwrap();
    let mut failed = [0; 2];
    let mut is_begun = false;
    for seed in 0..60 {
        let (before, mut ply) = (batch.to_bytes(), vec![9; 3]);
        let reset = batch.reset(Seeds::One(seed), None, Arrays { ply: &mut ply, ..Arrays::default() });
        if let Err(error) = reset {
            assert!(matches!(error.error, EnvError::Game(_)), "{error}");
            assert_eq!((batch.to_bytes(), &ply[..]), (before, &[9; 3][..]));
            failed[usize::from(is_begun)] += 1;
        } else {
            assert_eq!(ply, [0; 3]);
            is_begun = true;
        }
        if is_begun {
            steps(&mut batch, 2);
        }
    }
    assert!(is_begun && failed[1] > 10, "{failed:?}");
}

/// What a batch has not written is refused, also what would lead somewhere, and games are where they were.
#[test]
fn other_bytes_are_refused() {
    for name in GAMES {
        let game = game(name);
        let plan = Plan { max_plies: Some(50), ..Plan::of(3) };
        let (mut batch, mut other) = (begun(&game, plan), begun(&game, Plan { seed: 8, ..plan }));
        steps(&mut batch, 4);
        steps(&mut other, 2);
        let (bytes, before) = (batch.to_bytes(), other.to_bytes());
        let mut refused = vec![
            bytes[..bytes.len() - 1].to_vec(),
            bytes[..4].to_vec(),
            begun(&game, Plan::of(2)).to_bytes(),
            [&bytes[..], &[0]].concat(),
            [&bytes[..], &bytes].concat(),
        ];
        // Of the first game: the byte that says what is going on, and the number of plies behind it.
        let phase = 16 + 3 * 32;
        for (at, changed) in [(phase, 2), (phase, 1), (phase, 3), (phase, 4), (phase + 1, 99), (phase + 4, 1)] {
            let mut bytes = bytes.clone();
            bytes[at] = changed;
            refused.push(bytes);
        }
        // What draws for chance would not be where it is behind these actions.
        let mut bytes_of_chance = bytes.clone();
        bytes_of_chance[16 + 32] ^= 1;
        refused.push(bytes_of_chance);
        for bytes in refused {
            let error = other.read(&bytes, Arrays::default()).unwrap_err();
            assert!(matches!(error.error, EnvError::Unreadable), "{name}: {error}");
            assert_eq!(other.to_bytes(), before, "{name}");
        }
        other.read(&bytes, Arrays::default()).unwrap();
        assert_eq!(other.to_bytes(), bytes, "{name}");
        // Nothing has begun before the first reset.
        let fresh = Batch::new(game.clone(), plan).unwrap();
        other.read(&fresh.to_bytes(), Arrays::default()).unwrap();
        assert_eq!(other.to_bytes(), fresh.to_bytes(), "{name}");
    }
}

/// A play depends on the seed and its number alone: not on how many there are, and not on where they are cut off.
#[test]
fn random_plays_have_numbers() {
    for name in GAMES {
        let game = game(name);
        let scores = |count, most| {
            let played = game.playouts(count, most, 7).unwrap();
            (played.stats.plays, played.stats.plies, played.stats.scores, played.truncated, played.truncated_plies)
        };
        let counted = |scores: &[Vec<u64>]| scores.iter().map(|counts| counts.iter().sum()).collect::<Vec<u64>>();
        let whole = scores(30, None);
        assert_eq!(scores(30, Some(100_000)), whole, "{name}");
        // Those that are not cut off are among them.
        let (plays, plies, part, truncated, cut) = scores(30, Some(20));
        assert_eq!((plays + truncated, cut), (30, 20 * truncated), "{name}");
        assert!(plies <= whole.1 && counted(&part).iter().all(|&count| count == plays), "{name}");
        assert!(part.iter().flatten().zip(whole.2.iter().flatten()).all(|(part, whole)| part <= whole), "{name}");
        let (first, all) = (scores(10, None), scores(11, None));
        assert!(first.1 < all.1 && first.2.iter().flatten().zip(all.2.iter().flatten()).all(|(a, b)| a <= b), "{name}");
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
