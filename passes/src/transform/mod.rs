//! The transformations, one to a file. Each says what it does before and after, when it may, and why it is correct.

mod built_ins;
mod constant_form;
mod dead_stores;
mod expand_any;
mod expand_tags;
mod explicit_casts;
mod heads;
mod infer;
mod mangle;
mod parallel;
mod prune;
mod self_loops;
mod skips;
mod tails;
mod type_form;
mod unused;

pub use built_ins::BuiltIns;
pub use constant_form::ConstantForm;
pub use dead_stores::DeadStores;
pub use expand_any::ExpandAny;
pub use expand_tags::ExpandTags;
pub use explicit_casts::ExplicitCasts;
pub use heads::CommonHeads;
pub use infer::{INFER_DISJOINT, INFER_INTEGER, INFER_ITERATOR, INFER_TAG_INDEX, Infer};
pub use mangle::Mangle;
pub use parallel::Parallel;
pub use prune::Prune;
pub use self_loops::SelfLoops;
pub use skips::Skips;
pub use tails::CommonTails;
pub use type_form::TypeForm;
pub use unused::Unused;
