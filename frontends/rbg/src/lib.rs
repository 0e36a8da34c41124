//! Regular Boardgames (RBG): reading, checking, printing and lowering to RG.

pub mod ast;
mod board;
mod canonical;
mod checks;
pub mod codes;
mod declare;
mod directives;
mod equal;
mod lexer;
mod macros;
mod parse;
mod print;
mod raw;
mod report;
mod resolve;
mod syntax;

pub use lexer::MAX_TOKENS;
pub use parse::parse;
pub use print::print;
pub use syntax::MAX_NESTING;
