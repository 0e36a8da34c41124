//! Passes over programs of the word-level IR.
//!
//! In: a program that keeps the rules of [`wir::verify`]. Out: one that does the same with fewer and cheaper instructions. The
//! passes stand in one table ([`registry`]), and the pipeline ([`optimise`]) runs them in a fixed order, function passes to a fixed
//! point within a bounded number of rounds. The result does not depend on the number of threads.

mod choices;
mod compose_tables;
mod dce;
mod demanded;
mod difference_cse;
mod disjoint;
mod emission;
mod entries;
mod evaluated;
mod facts;
mod fold;
pub mod gather;
mod gather_tables;
mod gvn;
mod hoist_exits;
mod if_conversion;
mod jump_threading;
mod loop_cse;
mod loop_idioms;
mod loops;
mod merge_arms;
mod parameters;
mod pass;
mod pipeline;
mod reassociate;
mod registry;
mod returned;
mod short_circuit;
mod sink;
mod tables;
mod truth;
mod unions;
mod unroll;
mod window_tables;
mod within_tables;

pub use pass::{Change, Observer, Pass};
pub use pipeline::{optimise, optimise_observed, run};
pub use registry::{find, registry};
