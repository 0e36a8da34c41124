//! Evaluation of rules bottom-up: tables with indexes, join plans, semi-naive rounds.
//!
//! References: Ullman, *Principles of Database and Knowledge-Base Systems* (1989), for semi-naive evaluation.

mod join;
mod limits;
mod lists;
mod plan;
mod statics;
mod strata;
mod table;

pub(crate) use join::{Instance, Joiner, value};
pub use limits::{Exceeded, Limits, Meter, Progress, Watch};
pub(crate) use lists::Lists;
pub(crate) use plan::{Plan, Planner};
pub(crate) use statics::{evaluate_statics, ranges};
pub(crate) use strata::{Strata, components, dynamic_relations};
pub(crate) use table::Table;
