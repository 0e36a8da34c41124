//! The protocol of the RBG game manager: texts over TCP that end with a NUL byte.
//!
//! A player connects and gets the seconds that it has to prepare itself, the rules in RBG, and its number among the players, from 1. It answers
//! `ready`. Before each of its moves it gets the seconds that it has; it sends the move, which is sent on to all others. Moves are in numeric
//! form ([`::rbg::NumericMoves`]); the keeper's moves are made by everybody alike and are not sent. After a game all get `reset`, and
//! the next one begins.

mod client;
mod host;
mod wire;

pub use client::{Player, join};
pub use host::{Game, Host, Outcome, Seating};
pub use wire::{Fault, MAX_RULES, MAX_WORD, Wire};
