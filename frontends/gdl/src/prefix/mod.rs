//! The prefix syntax (KIF, section 2): words, reading, printing, formatting.

mod foreign;
mod format;
pub(crate) mod lexer;
mod print;
mod read;

pub(crate) use format::format;
pub(crate) use lexer::{allowed, visible};
pub use print::{print, term};
pub use read::MAX_NESTING;
pub(crate) use read::read;
