//! What clients ask for, a module each.

pub(crate) mod actions;
pub(crate) mod complete;
mod edits;
pub(crate) mod fold;
pub(crate) mod format;
pub(crate) mod goto;
pub(crate) mod hover;
pub(crate) mod outline;
mod prose;
pub(crate) mod rename;
pub(crate) mod select;
pub(crate) mod tokens;
