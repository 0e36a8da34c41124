//! The reasoner: runs games in Regular Games.
//!
//! [`Reasoner`] answers who is to move, which moves are legal, what they lead to and what the scores are; it counts
//! plays ([`Reasoner::perft`]) and plays at random ([`Reasoner::playout`]). Semantics: specification of RG, sections 7
//! to 9.

mod error;
mod interp;
mod limits;
mod machine;
mod model;
mod naive;
pub mod program;
mod reasoner;
mod rng;
mod state;

pub use error::{Error, ErrorKind};
pub use limits::Limits;
pub use reasoner::{Engine, Options, PlayoutStats, Reasoner};
pub use rng::Rng;
pub use state::{Event, Moves, State, Tag, Turn};
