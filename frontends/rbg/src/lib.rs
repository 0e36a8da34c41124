//! Regular Boardgames (RBG): reading, checking, printing and lowering to RG.

pub mod ast;
mod board;
pub mod codes;
mod declare;
mod directives;
mod lexer;
mod macros;
mod parse;
mod raw;
mod report;
mod resolve;
mod syntax;

pub use lexer::MAX_TOKENS;
pub use parse::parse;
pub use syntax::MAX_NESTING;
