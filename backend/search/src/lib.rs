//! The backtracking search: games as instructions over packed states, and the machine that runs them.

mod backtracking;
mod machine;
pub mod program;

pub use backtracking::{Backtracking, interpreter};
