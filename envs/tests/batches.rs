//! Batches: the same games one by one, in parts, and on several threads.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)] // a test stops at the first surprise

use backend::Turn;
use envs::{Acted, Actions, Arrays, Autoreset, Batch, Chance, Env, EnvError, Game, Labels, Plan, Seeds};
use std::sync::Arc;

fn game(name: &str, language: &str) -> Arc<Game> {
    Arc::new(Game::load(name, Some(language), Actions::Auto).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The arrays of a batch.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    observations: Vec<u8>,
    final_observations: Vec<u8>,
    observed: Vec<i32>,
    mask: Vec<bool>,
    rewards: Vec<f32>,
    done: Vec<bool>,
    truncated: Vec<bool>,
    current_player: Vec<i8>,
    ply: Vec<i32>,
}

impl Seen {
    fn of(batch: &Batch) -> Self {
        let (game, size) = (batch.game(), batch.len());
        let observation = game.observations().len() * size;
        Self {
            observations: vec![0; observation],
            final_observations: vec![0; observation],
            observed: vec![0; batch.plan().max_observed * size],
            mask: vec![false; game.actions().len() * size],
            rewards: vec![0.0; game.reasoner().players().len() * size],
            done: vec![false; size],
            truncated: vec![false; size],
            current_player: vec![0; size],
            ply: vec![0; size],
        }
    }

    fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            observations: &mut self.observations,
            final_observations: &mut self.final_observations,
            observed: &mut self.observed,
            mask: &mut self.mask,
            rewards: &mut self.rewards,
            done: &mut self.done,
            truncated: &mut self.truncated,
            current_player: &mut self.current_player,
            ply: &mut self.ply,
        }
    }

    /// What belongs to one game.
    fn row(&self, index: usize, size: usize) -> Self {
        fn row<T: Copy>(all: &[T], index: usize, size: usize) -> Vec<T> {
            let length = all.len() / size;
            all[index * length..(index + 1) * length].to_vec()
        }
        Self {
            observations: row(&self.observations, index, size),
            final_observations: row(&self.final_observations, index, size),
            observed: row(&self.observed, index, size),
            mask: row(&self.mask, index, size),
            rewards: row(&self.rewards, index, size),
            done: row(&self.done, index, size),
            truncated: row(&self.truncated, index, size),
            current_player: row(&self.current_player, index, size),
            ply: row(&self.ply, index, size),
        }
    }
}

/// What is seen of some random steps.
fn played(game: &Arc<Game>, plan: Plan, steps: usize) -> Vec<Seen> {
    let mut batch = Batch::new(game.clone(), plan).unwrap();
    let mut seen = Seen::of(&batch);
    batch.reset(Seeds::Kept, None, seen.arrays()).unwrap();
    let mut all = vec![seen.clone()];
    let mut actions = vec![0; plan.size];
    for _ in 0..steps {
        batch.sample(&mut actions);
        batch.step(&actions, seen.arrays()).unwrap();
        all.push(seen.clone());
    }
    all
}

const GAMES: &[(&str, &str)] = &[
    ("breakthrough", "rbg"),
    ("chess", "rbg"),
    ("connectFour", "gdl"),
    ("reversi", "hrg"),
    ("englishDraughts", "rbg"),
    ("ticTacDie", "hrg"),
    ("leducPoker", "hrg"),
    ("kuhnPoker", "rg"),
    ("hexapawn", "sbg"),
];

/// Neither threads nor the other games of a batch change anything.
#[test]
fn results_do_not_depend_on_threads_and_sizes() {
    for &(name, language) in GAMES {
        let game = game(name, language);
        let plan = Plan { seed: 7, ..Plan::of(9) };
        let all = played(&game, plan, 60);
        assert_eq!(all, played(&game, Plan { threads: 2, ..plan }, 60), "{name}: two threads");
        assert_eq!(all, played(&game, Plan { threads: 4, ..plan }, 60), "{name}: four threads");
        let few = played(&game, Plan { size: 2, ..plan }, 60);
        for (many, few) in all.iter().zip(&few) {
            assert_eq!(many.row(1, 9), few.row(1, 2), "{name}");
        }
    }
}

/// A batch does what single games do, and its masks are the legal actions.
#[test]
fn a_batch_is_many_single_games() {
    for &(name, language) in GAMES {
        let game = game(name, language);
        let plan = Plan { autoreset: Autoreset::Disabled, chance: Chance::Explicit, ..Plan::of(3) };
        let mut batch = Batch::new(game.clone(), plan).unwrap();
        let mut seen = Seen::of(&batch);
        batch.reset(Seeds::One(5), None, seen.arrays()).unwrap();
        let mut single = Env::new(&game).unwrap();
        let (mut labels, mut scratch) = (Labels::default(), Vec::new());
        let (mut actions, mut plies) = (vec![0; 3], 0);
        for _ in 0..200 {
            if single.turn() == Turn::End {
                break;
            }
            single.list(&game, &mut labels).unwrap();
            let row = seen.row(1, 3);
            let mut legal: Vec<u32> = single.legal().to_vec();
            legal.sort_unstable();
            let mask: Vec<u32> = (0..).zip(&row.mask).filter(|(_, legal)| **legal).map(|(at, _)| at).collect();
            assert_eq!(mask, legal, "{name}");
            if !game.reasoner().hides() {
                let mut observed = vec![0; game.observations().len()];
                game.observations().write(&game, &single, &mut scratch, &mut observed);
                assert_eq!(row.observations, observed, "{name}");
            }
            batch.sample(&mut actions);
            batch.step(&actions, seen.arrays()).unwrap();
            // Moves of chance do not count, though the caller makes them.
            let is_players = single.turn() != Turn::Random;
            let acted = single.act(&game, u32::try_from(actions[1]).unwrap()).unwrap();
            plies += i32::from(acted == Acted::Moved && is_players);
            assert_eq!(seen.ply[1], plies, "{name}");
        }
        let players = game.reasoner().players().len();
        if single.turn() == Turn::End {
            assert_eq!((seen.current_player[1], seen.done[1]), (-4, true), "{name}");
            let scores: Vec<f64> = game.reasoner().scores(single.state()).iter().map(|s| s.parse().unwrap()).collect();
            let rewards: Vec<f64> =
                seen.rewards[players..2 * players].iter().map(|&reward| f64::from(reward)).collect();
            assert_eq!(rewards, scores, "{name}");
        }
    }
}

/// Games that are over begin anew at once, in the next step, or when the caller says so.
#[test]
fn games_begin_anew_as_asked() {
    let game = game("ticTacToe", "hrg");
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let all = played(&game, Plan { autoreset, ..Plan::of(4) }, 30);
        for index in 0..4 {
            let rows: Vec<Seen> = all.iter().map(|seen| seen.row(index, 4)).collect();
            let ends = rows.iter().position(|row| row.done == [true]).unwrap();
            let (end, next) = (&rows[ends], &rows[ends + 1]);
            assert!((5..=9).contains(&ends) && end.rewards.iter().sum::<f32>() == 100.0, "{:?}", end.rewards);
            match autoreset {
                Autoreset::SameStep => {
                    assert_eq!((end.ply[0], end.observations == rows[0].observations), (0, true));
                    assert!(end.final_observations != rows[0].observations && next.ply == [1] && next.done == [false]);
                }
                Autoreset::NextStep => {
                    assert_eq!((end.ply[0], end.current_player[0]), (i32::try_from(ends).unwrap(), -4));
                    assert_eq!((&next.observations, next.ply[0], next.done[0]), (&rows[0].observations, 0, false));
                }
                Autoreset::Disabled => {
                    assert_eq!(
                        (next.ply[0], next.current_player[0], next.done[0]),
                        (i32::try_from(ends).unwrap(), -4, true)
                    );
                }
            }
        }
    }
}

/// Chance ends about half of the plays before anybody has moved; else the player takes its only action.
const COIN: &str = "
    type Player = { solo };
    type Score = { 0, 50, 100 };
    begin, toss: player = random;
    toss, lucky: $ heads;
    toss, unlucky: $ tails;
    lucky, won: player = keeper;
    won, over: goals[solo] = 100;
    unlucky, turn: player = solo;
    turn, taken: $ take;
    taken, lost: player = keeper;
    lost, over: goals[solo] = 50;
    over, end: player = keeper;
";

/// A game that is over when it begins has no actions, and its end is reported in the next step.
#[test]
fn the_end_of_games_that_chance_ends_at_once_is_reported() {
    let game = Arc::new(Game::parse("coin.rg", COIN, Some("rg"), Actions::Auto).unwrap());
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let (size, steps) = (16, 9);
        let all = played(&game, Plan { autoreset, seed: 1, ..Plan::of(size) }, steps);
        let mut begun_over = 0;
        for index in 0..size {
            let rows: Vec<Seen> = all.iter().map(|seen| seen.row(index, size)).collect();
            assert_eq!(rows[0].done, [false]);
            begun_over += usize::from(rows[0].current_player == [-4]);
            for step in 1..=steps {
                // Every play takes one step, which ends it.
                let ends = match autoreset {
                    Autoreset::SameStep => true,
                    Autoreset::NextStep => step % 2 == 1,
                    Autoreset::Disabled => step == 1,
                };
                let won = if rows[step - 1].current_player == [-4] { 100.0 } else { 50.0 };
                assert_eq!(rows[step].rewards, [if ends { won } else { 0.0 }], "{autoreset:?}, step {step}");
                assert_eq!(rows[step].done, [ends || autoreset == Autoreset::Disabled], "{autoreset:?}, step {step}");
            }
        }
        assert!((1..size).contains(&begun_over), "{begun_over} of {size}");
    }
}

/// Games are cut off after a number of moves.
#[test]
fn long_games_are_cut_off() {
    let game = game("chess", "rbg");
    let all = played(&game, Plan { max_plies: Some(3), ..Plan::of(2) }, 60);
    let cut: Vec<&Seen> = all.iter().filter(|seen| seen.truncated[0]).collect();
    assert!(cut.len() > 3 && all.iter().all(|seen| seen.ply[0] < 3 && seen.done == [false, false]));
    assert!(cut.iter().all(|seen| seen.ply[0] == 0 && seen.rewards == [0.0; 4]));
}

/// An action that is not legal changes nothing.
#[test]
fn illegal_actions_change_nothing() {
    let game = game("ticTacToe", "hrg");
    let mut batch = Batch::new(game.clone(), Plan::of(2)).unwrap();
    let mut seen = Seen::of(&batch);
    batch.reset(Seeds::Kept, None, seen.arrays()).unwrap();
    batch.step(&[0, 0], seen.arrays()).unwrap();
    let before = seen.clone();
    for wrong in [0, -1, 9, i64::MAX] {
        let error = batch.step(&[1, wrong], seen.arrays()).unwrap_err();
        assert!(matches!(error.error, EnvError::Illegal { .. }) && error.index == 1, "{error}");
        assert_eq!(seen, before);
    }
    batch.step(&[1, 1], seen.arrays()).unwrap();
}

/// States that a player cannot tell apart look the same: what others were dealt changes nothing of what it observes.
#[test]
fn hidden_cards_are_not_observed() {
    let game = game("kuhnPoker", "hrg");
    let mut observed = std::collections::BTreeMap::<String, std::collections::BTreeSet<Vec<i32>>>::new();
    for seed in 0..60 {
        let mut batch = Batch::new(game.clone(), Plan { seed, ..Plan::of(1) }).unwrap();
        let mut seen = Seen::of(&batch);
        batch.reset(Seeds::Kept, None, seen.arrays()).unwrap();
        assert!(seen.observations.iter().all(|&byte| byte == 0));
        let card = seen
            .observed
            .iter()
            .filter(|&&tag| tag > 0)
            .map(|tag| game.actions().all_tags()[usize::try_from(*tag).unwrap() - 1].clone());
        let card: Vec<String> = card.collect();
        observed.entry(card.join(" ")).or_default().insert(seen.observed.clone());
    }
    // The first player knows its card, one of three, and nothing of the other one.
    assert_eq!(observed.len(), 3, "{observed:?}");
    assert!(observed.values().all(|rows| rows.len() == 1), "{observed:?}");
}

/// Draws differ between the games of a batch and between seeds, and are the same for equal seeds.
#[test]
fn seeds_decide_what_is_drawn() {
    let game = game("ticTacDie", "hrg");
    let last = |seed| played(&game, Plan { seed, ..Plan::of(8) }, 12).pop().unwrap();
    assert_eq!(last(1), last(1));
    assert_ne!(last(1), last(2));
    let one = last(3);
    let rows: std::collections::BTreeSet<Vec<u8>> = (0..8).map(|index| one.row(index, 8).observations).collect();
    assert!(rows.len() > 4);
}

/// A game with a seed of its own draws what other games with that seed draw, whatever its number is; one without a seed goes on, and one that is not reset keeps its stream.
#[test]
fn games_have_seeds_of_their_own() {
    let game = game("ticTacDie", "hrg");
    let played = |seeds: Seeds<'_>, which: Option<&[bool]>| {
        let mut batch = Batch::new(game.clone(), Plan { seed: 9, ..Plan::of(3) }).unwrap();
        let mut seen = Seen::of(&batch);
        batch.reset(Seeds::Kept, None, seen.arrays()).unwrap();
        batch.reset(seeds, which, seen.arrays()).unwrap();
        let (mut actions, mut all) = (vec![0; 3], Vec::new());
        for _ in 0..30 {
            batch.sample(&mut actions);
            batch.step(&actions, seen.arrays()).unwrap();
            all.push(seen.clone());
        }
        let row = |index| all.iter().map(|seen| seen.row(index, 3)).collect::<Vec<_>>();
        [row(0), row(1), row(2)]
    };
    let [one, two, three] = played(Seeds::Each(&[Some(4), Some(5), Some(4)]), None);
    assert!(one == three && one != two);
    let [_, kept, _] = played(Seeds::Kept, None);
    let [four, goes_on, none] = played(Seeds::Each(&[Some(4), None, Some(8)]), Some(&[true, true, false]));
    assert!(four == one && goes_on == kept);
    let [_, _, whole] = played(Seeds::Each(&[None, None, Some(8)]), None);
    assert!(none != whole);
}

/// So many games that there is no room are an error.
#[test]
fn without_room_there_is_an_error() {
    let game = game("ticTacToe", "hrg");
    for size in [usize::MAX, usize::MAX / 1_000, 1 << 52] {
        let error = Batch::new(game.clone(), Plan::of(size)).err().unwrap();
        assert!(matches!(error.error, EnvError::NoRoom { games } if games == size), "{error}");
    }
}
