//! The data-flow problems, one to a file, and the table of those whose solutions can be drawn on the automaton.

pub mod classes;
mod delayed;
mod known;
mod liveness;
pub mod mobility;
mod move_local;
mod ranges;
mod reaching;
mod registry;
mod values;

pub use delayed::{Delayed, Delays, Demand, Held};
pub use known::{Facts, Known};
pub use liveness::{Liveness, remembers_more};
pub use move_local::{keep_final_values, move_local};
pub use ranges::{Range, Ranges};
pub use reaching::{Definition, Definitions, Reached, Reaching};
pub use registry::{Describe, Described, find, registry};
pub use values::{Unsolved, Values, Verdict};
