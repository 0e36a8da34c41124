//! The transformations, one to a file. Each says what it does before and after, when it may, and why it is correct.

mod heads;
mod parallel;
mod prune;
mod self_loops;
mod skips;
mod tails;

pub use heads::CommonHeads;
pub use parallel::Parallel;
pub use prune::Prune;
pub use self_loops::SelfLoops;
pub use skips::Skips;
pub use tails::CommonTails;
