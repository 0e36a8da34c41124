//! The HTTP protocol of General Game Playing: messages, a player for managers, and a manager for players.

mod client;
mod host;
mod message;
mod player;
mod record;
mod scramble;
mod seat;

pub use client::{Address, Fault, ask};
pub use host::{Match, Outcome, PATIENCE, Played, Rules, Step};
pub use message::{CONTENT_TYPE, News, Request, normal};
pub use player::{Log, Options, Player};
pub use record::{play_line, record};
pub use scramble::Scramble;
