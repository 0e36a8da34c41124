//! The engines on the games of the library, optimised as for speed: those that lift against backtracking, and against the
//! naive engine.
//!
//! `RGC_ENGINES=full` plays more.

#[path = "../../../backend/reasoner/tests/common/mod.rs"]
mod common;

use backend::lockstep::{self, Budget};
use backend::{Engine, Options, Reasoner};
use common::{Seen, compare_made, equal_plays, lifting};
use rg_ir::{Game, SourceMap};
use rgc::library;
use std::path::Path;

/// How much is played.
struct Effort {
    /// Moves that are compared with those of backtracking, and of the naive engine.
    moves: [u64; 2],
    /// Plays in which all cells are compared after every legal move, and their length.
    plays: (u64, usize),
    playouts: u64,
}

const FAST: Effort = Effort { moves: [600, 60], plays: (2, 6), playouts: 3 };
const FULL: Effort = Effort { moves: [200_000, 2_000], plays: (20, 300), playouts: 1_000 };

#[test]
fn engines_agree_on_the_library() {
    let full = std::env::var("RGC_ENGINES").is_ok_and(|mode| mode == "full");
    let effort = if full { FULL } else { FAST };
    let games = library::all();
    let results = testgen::parallel(&games, |entry| {
        let name = entry.file_name();
        let (loaded, findings) = rgc::load(&mut SourceMap::default(), Path::new(&name), None);
        let Some(loaded) = loaded else { panic!("{name}: {findings:?}") };
        let Ok(loaded) = loaded.optimised(2) else { panic!("{name} is not optimised") };
        agree(&loaded.game, &effort).map_err(|problem| format!("{name}: {problem}"))
    });
    let (lifted, problems): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let problems: Vec<String> = problems.into_iter().filter_map(Result::err).collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    let lifted = lifted.into_iter().filter(|result| *result == Ok(true)).count();
    println!("{lifted} games of {} are lifted", games.len());
    assert!(lifted * 3 > games.len(), "only {lifted} games of {} are lifted", games.len());
}

/// Compares all engines on a game; whether it is lifted.
fn agree(game: &Game, effort: &Effort) -> Result<bool, String> {
    // Claims that are believed are compared with engines that do not rely on them.
    let options = |engine| Options { engine, handovers: true, ..Options::default() };
    let make = |engine| Reasoner::with_options(game, options(engine)).map_err(|error| error.to_string());
    let lifting: Vec<Engine> = lifting().collect();
    let made = lifting.iter().map(|&engine| make(engine)).collect::<Result<Vec<Reasoner>, String>>()?;
    let (backtracking, naive) = (make(Engine::Backtracking)?, make(Engine::Naive)?);
    // What runs in `auto` is what runs in the others; its playouts are compared below.
    for (engine, fast) in lifting.iter().zip(&made).filter(|(engine, _)| **engine != Engine::Auto) {
        let (plays, plies) = effort.plays;
        let problem = |what: String| format!("{engine:?}: {what}");
        compare_made(game, [&backtracking, fast], Seen::default(), plays, plies, 1).map_err(problem)?;
        for (&moves, slow) in effort.moves.iter().zip([&backtracking, &naive]) {
            let budget = Budget { moves: moves / 2, plays: 1 + moves / 200, plies: 300, play_moves: moves, seed: 7 };
            if let Some(difference) = lockstep::compare(slow, fast, &budget) {
                return Err(problem(format!("{}: {difference}", slow.engine_name())));
            }
        }
    }
    equal_plays(&made, effort.playouts).map(|(lifted, _)| lifted)
}
