//! What clients ask for, a module each.

pub(crate) mod actions;
mod beginning;
pub(crate) mod calls;
pub(crate) mod complete;
mod edits;
pub(crate) mod fold;
pub(crate) mod format;
pub(crate) mod goto;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod lens;
pub(crate) mod outline;
mod prose;
pub(crate) mod rename;
pub(crate) mod select;
pub(crate) mod signature;
mod split;
pub(crate) mod tokens;
