//! The infix syntax (section 3): words, reading, printing, formatting.

mod format;
mod lexer;
mod print;
mod read;

pub(crate) use format::format;
pub use print::{print, term};
pub(crate) use read::read;
