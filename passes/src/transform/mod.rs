//! The transformations, one to a file. Each says what it does before and after, when it may, and why it is correct.

mod built_ins;
mod constant_form;
mod expand_any;
mod expand_tags;
mod explicit_casts;
mod infer;
mod mangle;
mod prune;
mod self_loops;
mod type_form;

pub use built_ins::BuiltIns;
pub use constant_form::ConstantForm;
pub use expand_any::ExpandAny;
pub use expand_tags::ExpandTags;
pub use explicit_casts::ExplicitCasts;
pub use infer::{INFER_DISJOINT, INFER_INTEGER, INFER_ITERATOR, INFER_TAG_INDEX, Infer};
pub use mangle::Mangle;
pub use prune::Prune;
pub use self_loops::SelfLoops;
pub use type_form::TypeForm;
