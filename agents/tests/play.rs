//! Agents at play: strength, determinism, hidden information, chance.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

mod common;

use agents::{Knowledge, Play, Spec};
use backend::{Rng, Turn};
use common::{agent, play, reasoner};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[test]
fn uct_never_loses_tic_tac_toe() {
    let game = reasoner("rg/ticTacToe.rg");
    for spec in ["uct:1000p", "uct:1000p,rave", "uct:3000p,table=off"] {
        let mut lost = Vec::new();
        for seed in 0..8 {
            for other in ["random", "flat:200p", "uct:1000p", "ab:eval=0,depth=9"] {
                lost.extend((play(&game, &[spec, other], seed).0[0] < 50.0).then_some((other, 0, seed)));
                lost.extend((play(&game, &[other, spec], seed).0[1] < 50.0).then_some((other, 1, seed)));
            }
        }
        assert_eq!(lost, [], "{spec}");
    }
}

#[test]
fn uct_and_flat_beat_random_at_connect_four() {
    let game = reasoner("rbg/connectFour.rbg");
    for spec in ["uct:300p", "uct:200p,rave,fpu=1", "flat:300p", "ab:depth=3,eval=4"] {
        for seed in 0..4 {
            let seats = if seed % 2 == 0 { [spec, "random"] } else { ["random", spec] };
            let (values, _) = play(&game, &seats, seed);
            assert!(values[seed as usize % 2] > values[1 - seed as usize % 2], "{spec}, seed {seed}: {values:?}");
        }
    }
}

#[test]
fn greedy_takes_a_win() {
    let game = reasoner("rg/ticTacToe.rg");
    let mut play = Play::new(&game).unwrap();
    for wanted in ["a1", "b1", "a2", "b2"] {
        let index = (0..play.moves().len()).find(|&i| game.move_text(play.moves(), i) == wanted).unwrap();
        play.make(index).unwrap();
    }
    for spec in ["greedy", "flat:200p", "uct:200p", "ab:depth=1", "ab:100n"] {
        let choice = agent(spec, &game, 1).choose(&play.situation(0)).unwrap();
        assert_eq!(game.move_text(play.moves(), choice.index), "a3", "{spec}");
    }
    let choice = agent("greedy", &game, 1).choose(&play.situation(0)).unwrap();
    assert_eq!(choice.value, Some(100.0));
}

#[test]
fn alpha_beta_solves_small_games() {
    let game = reasoner("rg/ticTacToe.rg");
    let start = Play::new(&game).unwrap();
    let choice = agent("ab:depth=20", &game, 1).choose(&start.situation(0)).unwrap();
    assert_eq!(choice.value, Some(0.0), "tic-tac-toe is a draw");
    assert!(choice.depth <= 9, "no horizon is met at depth {}", choice.depth);
    // Whoever can leave a nim sum of zero wins: it does, against itself and against others.
    let game = reasoner("rbg/nim.rbg");
    let start = Play::new(&game).unwrap();
    let choice = agent("ab:depth=60", &game, 1).choose(&start.situation(0)).unwrap();
    let winner = usize::from(choice.value.unwrap() < 0.0);
    for seed in 0..4 {
        for other in ["random", "uct:200p"] {
            let seats = if winner == 0 { ["ab:depth=60", other] } else { [other, "ab:depth=60"] };
            let (values, _) = play(&game, &seats, seed);
            assert!(values[winner] > values[1 - winner], "against {other}, seed {seed}");
        }
    }
}

#[test]
fn equal_seeds_give_equal_plays() {
    let cases = [
        ("rbg/connectFour.rbg", vec!["uct:60p", "flat:60p"]),
        ("rbg/connectFour.rbg", vec!["uct:61p,threads=3,rave", "ab:200n"]),
        ("rbg/connectFour.rbg", vec!["greedy", "uct:50n,table=off,keep=off,fpu=0.9,c=0.4"]),
        ("hrg/kuhnPoker.hrg", vec!["uct:100p", "greedy"]),
        ("hrg/ticTacDie.hrg", vec!["uct:50p", "flat:50p"]),
    ];
    for (name, specs) in cases {
        let game = reasoner(name);
        let first = play(&game, &specs, 5);
        assert_eq!(play(&game, &specs, 5), first, "{name} {specs:?}");
        let others: Vec<_> = (6..12).map(|seed| play(&game, &specs, seed)).collect();
        assert!(others.iter().any(|other| other.1 != first.1), "{name} {specs:?}: seeds make no difference");
    }
}

#[test]
fn hidden_information_stays_hidden() {
    let game = reasoner("rg/matchingPennies.rg");
    assert!(game.hides() && !game.has_chance());
    let mut play = Play::new(&game).unwrap();
    play.make(1).unwrap();
    assert_eq!(play.turn(), Turn::Player(1));
    let Knowledge::Observations(seen) = play.situation(1).knowledge else { panic!("the state is known") };
    assert_eq!(seen[0].mover, Some(Turn::Player(0)));
    assert!(seen[0].tags.is_empty(), "the second player sees the coin: {seen:?}");
    let Knowledge::Observations(own) = play.situation(0).knowledge else { panic!("the state is known") };
    assert_eq!(own[0].tags.len(), 1, "a player knows its own move");
    // Nothing is known, so both sides are worth the same.
    for spec in ["uct:2000p", "flat:2000p", "greedy"] {
        let wins = (0..40).filter(|&seed| {
            let choice = agent(spec, &game, seed).choose(&play.situation(1)).unwrap();
            choice.index == 0
        });
        let count = wins.count();
        assert!((8..=32).contains(&count), "{spec} plays one side {count} times of 40: it sees the coin");
    }
}

#[test]
fn tree_search_plays_poker_well() {
    let game = reasoner("hrg/kuhnPoker.hrg");
    assert!(game.hides() && game.has_chance());
    // With a king, a bet is called; with a jack, it is not.
    let mut calls = [0; 3];
    for seed in 0..30 {
        for deal in 0..6 {
            let mut play = Play::new(&game).unwrap();
            play.make(deal / 2).unwrap();
            play.make(deal % 2).unwrap();
            let find = |play: &Play<'_>, wanted: &str| {
                (0..play.moves().len()).find(|&i| game.move_text(play.moves(), i) == wanted).unwrap()
            };
            play.make(find(&play, "bet")).unwrap();
            let seen = play.observations(1).unwrap();
            let card = seen.iter().flat_map(|event| &event.tags).map(|&tag| game.tag_name(tag)).next().unwrap();
            let card = ["jack", "queen", "king"].iter().position(|name| *name == card).unwrap();
            let choice = agent("uct:400p", &game, seed).choose(&play.situation(1)).unwrap();
            calls[card] += usize::from(choice.index == find(&play, "call"));
        }
    }
    assert_eq!((calls[0], calls[2]), (0, 60), "calls by card: {calls:?}");
}

#[test]
fn games_for_one_and_with_chance() {
    for (name, seats) in
        [("hrg/ticTacDie.hrg", vec!["uct:30p", "greedy"]), ("hrg/backgammon.hrg", vec!["greedy", "random"])]
    {
        let (values, moves) = play(&reasoner(name), &seats, 3);
        assert!(values.len() == 2 && moves.len() > 4, "{name}");
    }
    let game = reasoner("hrg/ticTacDie.hrg");
    let wrong = Spec::parse("ab").unwrap().agent(&game, 0).err().unwrap().to_string();
    assert!(wrong.contains("it has chance") && wrong.contains("`uct`"), "{wrong}");
    let hidden = reasoner("hrg/kuhnPoker.hrg");
    assert!(Spec::parse("ab").unwrap().agent(&hidden, 0).is_err());
}

#[test]
fn every_budget_ends() {
    let game = reasoner("rbg/connectFour.rbg");
    let start = Play::new(&game).unwrap();
    for spec in [
        "flat:40n",
        "flat:40p",
        "uct:40n",
        "uct:40p",
        "uct:1p,threads=3",
        "ab:40n",
        "ab:40p",
        "ab:eval=0,40p",
        "ab:eval=0,40n",
    ] {
        let choice = agent(spec, &game, 1).choose(&start.situation(0)).unwrap();
        assert!(choice.index < start.moves().len(), "{spec}");
    }
}

/// Taking in what was seen may not take longer than the whole move, even where a long play is seen at once. (The bound leaves room
/// for slow machines; without regard to the clock it takes several seconds.)
#[test]
fn time_is_kept_where_something_is_hidden() {
    let game = reasoner("hrg/battleships.hrg");
    let (mut play, mut rng) = (Play::new(&game).unwrap(), Rng::new(1));
    for _ in 0..40 {
        play.make(rng.below(play.moves().len() as u32) as usize).unwrap();
    }
    let Turn::Player(player) = play.turn() else { panic!("the game is over") };
    for spec in ["uct:50ms", "flat:50ms"] {
        let start = Instant::now();
        let choice = agent(spec, &game, 1).choose(&play.situation(player)).unwrap();
        let took = start.elapsed();
        assert!(choice.index < play.moves().len() && took < Duration::from_secs(20), "{spec}: {took:?}");
    }
}

#[test]
fn whoever_is_not_wanted_any_more_stops() {
    let (open, hidden) = (reasoner("rbg/breakthrough.rbg"), reasoner("hrg/battleships.hrg"));
    let stop = AtomicBool::new(true);
    for (game, specs) in [
        (&open, &["uct:3600s", "uct:3600s,threads=2", "flat:3600s", "ab:depth=99,eval=1000000", "greedy"][..]),
        (&hidden, &["uct:3600s", "flat:3600s", "greedy"][..]),
    ] {
        let play = Play::new(game).unwrap();
        let Turn::Player(player) = play.turn() else { panic!("nobody is to move") };
        for spec in specs {
            let start = Instant::now();
            let choice = agent(spec, game, 1).choose(&play.situation(player).until(&stop)).unwrap();
            let took = start.elapsed();
            assert!(choice.index < play.moves().len() && took < Duration::from_secs(5), "{spec}: {took:?}");
        }
    }
}

/// What does nothing is refused rather than ignored.
#[test]
fn options_for_open_games_are_refused_where_something_is_hidden() {
    let (open, hidden) = (reasoner("rg/ticTacToe.rg"), reasoner("hrg/kuhnPoker.hrg"));
    for option in ["rave", "rave=100", "playouts=2", "table=off", "keep=on", "threads=2"] {
        let spec = Spec::parse(&format!("uct:10p,{option}")).unwrap();
        assert!(spec.agent(&open, 0).is_ok(), "{option}");
        let said = spec.agent(&hidden, 0).err().unwrap().to_string();
        let name = option.split('=').next().unwrap();
        assert!(said.contains(&format!("`{name}` means nothing")), "{said}");
    }
    assert!(Spec::parse("uct:10p,c=1,fpu=1,memory=100").unwrap().agent(&hidden, 0).is_ok());
}
