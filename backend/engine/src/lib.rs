//! What all engines share: games that engines can run, states and moves, what an engine offers, options, errors, limits,
//! the generator of random numbers, and what playouts are summed up to.

mod budget;
pub mod canonical;
pub mod error;
pub mod limits;
pub mod model;
pub mod observe;
pub mod options;
pub mod outcomes;
mod pool;
mod rng;
pub mod state;
mod stats;
pub mod valid;

pub use budget::Budget;
pub use error::{Error, ErrorKind};
pub use limits::Limits;
pub use model::Model;
pub use options::{Engine, Options};
pub use outcomes::Ambiguity;
pub use pool::{Counter, Pool};
pub use rng::Rng;
pub use state::{Event, Moves, PackedMove, State, Tag, Turn};
pub use stats::PlayoutStats;
pub use valid::ValidGame;
