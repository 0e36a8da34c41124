//! What agents tell while they think.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod common;

use agents::{Choice, Insight, Play};
use backend::{Moves, Reasoner, Rng, State};
use common::{agent, reasoner};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// One report, and when it came.
struct Report {
    at: Instant,
    playouts: u64,
    nodes: u64,
    depth: u32,
    moves: Vec<(usize, u64, f64)>,
    line: Vec<usize>,
}

/// The choice of an agent after some random moves, without and with an observer, and the reports to it.
fn watched(game: &Reasoner, prefix: u64, spec: &str) -> (Choice, Choice, Vec<Report>) {
    let (mut play, mut rng) = (Play::new(game).unwrap(), Rng::new(3));
    for _ in 0..prefix {
        play.make(rng.below(play.moves().len() as u32) as usize).unwrap();
    }
    let backend::Turn::Player(player) = play.turn() else { panic!("nobody is to move") };
    let reports = Mutex::new(Vec::new());
    let watch = |insight: &Insight<'_>| {
        let Insight { playouts, nodes, depth, moves, line } = *insight;
        let (moves, line) = (moves.to_vec(), line.to_vec());
        reports.lock().unwrap().push(Report { at: Instant::now(), playouts, nodes, depth, moves, line });
    };
    let alone = agent(spec, game, 7).choose(&play.situation(player)).unwrap();
    let seen = agent(spec, game, 7).choose(&play.situation(player).watched(&watch)).unwrap();
    let reports = reports.into_inner().unwrap();
    for insight in &reports {
        let known = |index: usize| index < play.moves().len();
        assert!(insight.moves.iter().all(|&(index, visits, value)| known(index) && visits > 0 && value.is_finite()));
        assert!(insight.line.first().is_none_or(|&index| insight.moves.iter().any(|tried| tried.0 == index)), "{spec}");
        assert!(insight.line.len() <= insight.depth.max(1) as usize, "{spec}");
        if !game.hides() {
            legal(game, play.state().clone(), &insight.line);
        }
    }
    let long_after = |pair: &[Report]| pair[1].at.duration_since(pair[0].at) >= Duration::from_millis(50);
    assert!(reports.windows(2).all(long_after), "{spec}");
    let grows = |pair: &[Report]| pair[0].playouts <= pair[1].playouts && pair[0].depth <= pair[1].depth;
    assert!(reports.windows(2).all(grows), "{spec}");
    (alone, seen, reports)
}

/// Makes the moves of a line.
fn legal(game: &Reasoner, mut state: State, line: &[usize]) {
    let mut moves = Moves::new();
    for &index in line {
        game.legal_moves(&state, &mut moves).unwrap();
        game.apply(&mut state, &moves, index).unwrap();
    }
}

#[test]
fn choices_are_the_same_with_and_without_a_watcher() {
    let open = reasoner("rbg/breakthrough.rbg");
    for spec in
        ["uct:300000p", "uct:10000p,rave", "uct:200000p,threads=2,table=off", "flat:200000p", "ab:depth=4,eval=30"]
    {
        let (alone, seen, reports) = watched(&open, 4, spec);
        assert_eq!(alone, seen, "{spec}");
        assert!(!reports.is_empty(), "{spec} reports nothing");
    }
    let hidden = reasoner("hrg/battleships.hrg");
    for spec in ["uct:150p", "flat:150p"] {
        let (alone, seen, reports) = watched(&hidden, 40, spec);
        assert_eq!(alone, seen, "{spec}");
        assert!(!reports.is_empty(), "{spec} reports nothing");
    }
}

#[test]
fn a_tree_tells_what_it_has_found_out() {
    let game = reasoner("rbg/breakthrough.rbg");
    let (_, _, reports) = watched(&game, 0, "uct:400ms");
    let last = reports.last().unwrap();
    assert!(reports.len() <= 8 && last.playouts > 0 && last.nodes > 1 && last.depth > 2);
    let visits: u64 = last.moves.iter().map(|tried| tried.1).sum();
    assert_eq!(visits, last.playouts);
    let most = last.moves.iter().map(|tried| tried.1).max();
    assert_eq!(last.moves.iter().find(|tried| tried.0 == last.line[0]).map(|tried| tried.1), most);
}
