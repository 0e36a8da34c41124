//! The transformations, one to a file. Each says what it does before and after, when it may, and why it is correct.

mod dead_stores;
mod inline;
mod prune;
mod self_loops;
mod unused;

pub use dead_stores::DeadStores;
pub use inline::Inline;
pub use prune::Prune;
pub use self_loops::SelfLoops;
pub use unused::Unused;
