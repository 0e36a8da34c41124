//! Games made at random, for tests of engines and passes, and for benchmarks.
//!
//! [`game()`] makes small games of all kinds, [`board()`] games whose moves are followed by checks, [`lines()`] games
//! whose checks follow lines over a board, [`walks()`] games whose moves meet, part and go round, [`ground()`] games without structure, [`rules()`] games in RBG,
//! [`sheet()`] games in GDL, [`inflate()`] makes a game larger without making another game of it, so that
//! passes have something to do, [`automata`] makes games of any size for measurements, and [`shrink()`] makes a text with
//! which something is wrong smaller. Everything is determined by seeds. [`parallel()`] runs long tests on all cores.
#![allow(clippy::unwrap_used, clippy::unreachable)] // support for tests: it stops at the first surprise

pub mod automata;
mod boards;
mod choices;
mod games;
mod ground;
mod inflate;
mod lines;
mod mutate;
mod parallel;
mod rules;
mod sheets;
mod shrink;
mod walks;

pub use boards::board;
pub use choices::{games, inflated_games};
pub use games::game;
pub use ground::ground;
pub use inflate::inflate;
pub use lines::lines;
pub use mutate::mutate;
pub use parallel::parallel;
pub use rules::rules;
pub use sheets::{sheet, shrink_sheet};
pub use shrink::shrink;
pub use walks::walks;

use rg_ir::{Game, Severity, SourceId};

/// The game of a text; `None` if it has errors.
pub fn parse(text: &str) -> Option<Game> {
    let game = rg_ir::text::parse(SourceId(0), text).0?;
    rg_ir::check(&game).iter().all(|finding| finding.severity != Severity::Error).then_some(game)
}

/// Whether a text is a game without errors.
pub fn is_valid(text: &str) -> bool {
    parse(text).is_some()
}
