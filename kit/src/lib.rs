//! What every face of the compiler and engine needs, and none of them prints: the languages, loading a game from a file or the
//! library, running and recording it, optimising and comparing games, and findings as text.
//!
//! A game is read by [`load()`], which picks the front end from the table in [`language`]; a [`runner::Runner`] is a game with an
//! engine, in the terms of its own language. The command line, the C interface and other faces are built on this crate, which
//! knows all the languages and the engine; none of them knows this crate.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod boardgame;
pub mod bot;
mod cursor;
pub mod deduction;
pub mod draw;
pub mod effect;
pub mod elo;
pub mod equiv;
pub mod expand;
pub mod explain;
pub mod files;
pub mod fixes;
pub mod forms;
pub mod input;
pub mod interface;
pub mod known;
pub mod language;
pub mod library;
pub mod load;
pub mod memory;
pub mod misread;
mod misspelt;
pub mod moves;
pub mod observed;
pub mod opening;
pub mod optimize;
pub mod output;
pub mod participant;
pub mod perft;
pub mod phases;
pub mod position;
pub mod possible;
pub mod proper;
pub mod ratings;
pub mod record;
pub mod render;
pub mod runner;
pub mod scores;
pub mod sheet;
pub mod skeleton;
pub mod start;
pub mod structured;
pub mod table;
mod telling;
pub mod textmate;
pub mod tournament;
pub mod watchdog;
pub mod wellformed;

pub use load::{Loaded, load};

use rg_ir::{Diagnostic, Span};

/// A value, or why there is none.
pub type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

/// An error that points into no text.
pub fn finding(code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, Span::NONE, message)
}
