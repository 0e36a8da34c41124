//! Passes: what makes the automaton of a game small and plain before an engine runs it.
//!
//! - [`dataflow`] solves data-flow problems on the automaton; [`analysis`] holds the problems.
//! - [`transform`] holds the transformations, one to a file, each with its precondition and why it is correct.
//! - [`registry`] is the one table of all passes; [`Pipeline`] runs a selection of them and tells an [`Observer`] about
//!   every step.
//!
//! What every pass preserves (catalogue of passes, section 0): for every state in which a move can start, the legal
//! labels, and for each label the next state as far as it can be observed (`player`, `goals`, `visible`, and the
//! future). Passes that are marked as changing moves keep a bijection of labels instead.

pub mod analysis;
pub mod dataflow;
pub mod effects;
pub mod facts;
pub mod final_scores;
pub mod label_space;
pub mod merge;
pub mod owners;
mod partial;
pub mod partition;
mod pass;
mod pipeline;
pub mod plain;
mod registry;
pub mod relabel;
pub mod repeats;
pub mod rewrite;
pub mod scratch;
mod size;
pub mod tables;
pub mod transform;
pub mod type_names;

pub use pass::{Context, Level, Pass, Phase};
pub use pipeline::{Error, Observer, Outcome, Pipeline, Step};
pub use registry::{find, names, registry};
pub use size::Size;
