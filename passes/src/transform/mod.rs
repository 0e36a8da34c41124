//! The transformations, one to a file. Each says what it does before and after, when it may, and why it is correct.

mod prune;
mod self_loops;

pub use prune::Prune;
pub use self_loops::SelfLoops;
