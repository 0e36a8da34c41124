//! What all engines share: errors, limits, the generator of random numbers, and what playouts are summed up to.

pub mod error;
pub mod limits;
mod rng;
mod stats;

pub use error::{Error, ErrorKind};
pub use limits::Limits;
pub use rng::Rng;
pub use stats::PlayoutStats;
