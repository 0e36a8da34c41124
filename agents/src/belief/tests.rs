//! What a belief costs, in moves that are made.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

use super::*;
use crate::{Budget, Play};
use backend::Engine;

fn reasoner(name: &str) -> Reasoner {
    let path = format!("{}/../games/hrg/{name}.hrg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut game = hrg::load(rg_ir::SourceId(0), &text).0.unwrap().game;
    passes::Pipeline::level(Some(passes::Level::Full)).run(&mut game, &mut ()).unwrap();
    Reasoner::new(&game, Engine::Auto).unwrap()
}

/// For each choice of the first player in a game of random moves, the moves that its belief makes, and the worlds that it has.
fn costs(reasoner: &Reasoner, budget: Budget, seed: u64) -> Vec<(u64, usize)> {
    let mut play = Play::new(reasoner).unwrap();
    let (mut belief, mut rng, mut costs) = (Belief::new(1), Rng::new(seed), Vec::new());
    while play.turn() != Turn::End {
        if play.turn() == Turn::Player(0) {
            let before = belief.work;
            let situation = play.situation(0);
            let Knowledge::Observations(history) = situation.knowledge else { panic!("nothing is hidden") };
            let worlds = belief.possible(&situation, history, 32, &budget.start(&situation), &mut rng).unwrap();
            costs.push((belief.work - before, worlds.len()));
        }
        let index = any(&mut rng, play.moves().len());
        play.make(index).unwrap();
    }
    costs
}

/// A long game of battleships, in which random worlds run out: the cost grows with the budget and with the length, not faster.
#[test]
fn the_cost_is_bounded_by_the_budget() {
    let reasoner = reasoner("battleships");
    let mut before = 0;
    for playouts in [20, 60] {
        let budget = Budget { playouts: Some(playouts), ..Budget::default() };
        let extent = Extent::of(Some(playouts));
        let costs = costs(&reasoner, budget, 2);
        assert!(costs.len() > 60, "a long game");
        assert!(costs.iter().take(10).all(|(_, worlds)| *worlds > 0), "worlds at the beginning: {costs:?}");
        // Between two choices there are at most five moves: those with which the other one places a fleet.
        let most = (5 * extent.work() + extent.search()) as u64;
        assert!(costs.iter().all(|(work, _)| *work <= most), "{playouts}p: {costs:?}");
        let all: u64 = costs.iter().map(|(work, _)| work).sum();
        let linear = (2 * extent.work() + extent.search()) * costs.len();
        assert!(all <= linear as u64 && all > before, "{playouts}p: {all} moves");
        before = all;
    }
}

/// Whole games of battleships with a small budget. Random worlds alone run out after fifteen shots of a hundred; a search finds others in
/// three quarters of all positions, and in most games finds them again after it failed. How well it does differs from game to game.
#[test]
fn worlds_are_found_in_most_of_a_game() {
    let reasoner = reasoner("battleships");
    let budget = Budget { playouts: Some(20), ..Budget::default() };
    let games: Vec<Vec<(u64, usize)>> = std::thread::scope(|scope| {
        let games = [0, 1, 2, 3].map(|seed| {
            scope.spawn({
                let reasoner = &reasoner;
                move || costs(reasoner, budget, seed)
            })
        });
        games.into_iter().map(|game| game.join().unwrap()).collect()
    });
    let (mut positions, mut found, mut lost, mut again) = (0, 0, 0, 0);
    for game in &games {
        let here = game.iter().filter(|(_, worlds)| *worlds > 0).count();
        (positions, found) = (positions + game.len(), found + here);
        if let Some(first) = game.iter().position(|(_, worlds)| *worlds == 0) {
            (lost, again) = (lost + 1, again + usize::from(here > first));
        }
    }
    assert!(4 * found > 3 * positions, "{found} of {positions}");
    assert!(lost > 0 && 2 * again > lost, "worlds are found again in {again} of {lost} games");
}

/// Moves of others that a player sees need not be guessed: no world is lost because of them.
#[test]
fn what_is_seen_is_not_sampled() {
    let budget = Budget { playouts: Some(20), ..Budget::default() };
    let costs = costs(&reasoner("kuhnPoker"), budget, 2);
    assert!(!costs.is_empty() && costs.iter().all(|(work, worlds)| *worlds > 0 && *work < 50), "{costs:?}");
}

#[test]
fn an_extent_fits_its_budget() {
    let worlds = [Some(1), Some(100), Some(u64::MAX), None].map(|playouts| Extent::of(playouts).worlds);
    assert_eq!(worlds, [MIN_WORLDS, 400, MAX_WORLDS, MAX_WORLDS]);
}
