//! The infix syntax (section 3) and its dialect in the style of Prolog: words, reading, printing, formatting.

mod format;
pub(crate) mod lexer;
mod print;
mod read;

pub(crate) use format::format;
pub use print::{print, print_prolog, term};
pub(crate) use read::read;
