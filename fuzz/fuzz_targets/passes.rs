//! Games that pass the checks: after the passes of `-O2`, or some passes in some order, a game is still without errors, and the
//! same game along all short plays.
#![no_main]

use backend::{Engine, Limits, Options, Reasoner, lockstep};
use libfuzzer_sys::fuzz_target;
use passes::{Level, Pipeline};
use rg_ir::{Game, SourceId, check, diag, text};

fn reasoner(game: &Game) -> Option<Reasoner> {
    let limits = Limits { steps: 50_000, keeper_moves: 50, tags: 20, moves: 2_000, ..Limits::default() };
    let options = Options { engine: Engine::Backtracking, checked: true, limits, ..Options::default() };
    Reasoner::with_options(game, options).ok()
}

fuzz_target!(|input: (&str, Vec<u8>)| {
    let (text, order) = input;
    let (Some(game), _) = text::parse(SourceId(0), text) else { return };
    if diag::has_errors(&check::check(&game)) {
        return;
    }
    let all: Vec<_> = passes::registry().iter().copied().filter(|pass| !pass.changes_moves()).collect();
    let pipeline = match order.len() {
        0 => Pipeline::level(Some(Level::Full)),
        _ => Pipeline::of(order.iter().take(20).map(|&at| all[at as usize % all.len()]).collect()),
    };
    let mut small = game.clone();
    pipeline.validate(true).run(&mut small, &mut ()).expect("passes leave a game without errors");
    let (Some(before), Some(after)) = (reasoner(&game), reasoner(&small)) else { return };
    let budget = lockstep::Budget { moves: 100, plays: 1, plies: 10, play_moves: 100, seed: 1 };
    if let Some(found) = lockstep::compare(&before, &after, &budget) {
        // Engines do not know yet which variables are not needed any more.
        assert!(found.what.contains("lead to different states"), "{found}");
    }
});
