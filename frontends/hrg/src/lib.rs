//! High-level Regular Games (HRG): reading, checking, formatting and lowering to RG.
//!
//! Words (`lexer`), declarations and types (`parse`), expressions and statements (`syntax`) give the tree of [`ast`].
//! What happens at compile time is in `values` and `eval`; `declare` makes types, constants and variables of RG, `graphs`
//! and `exprs` its automaton. Nesting, evaluation and unrolling are limited, and errors carry the place they come from.
//!
//! Section numbers in this crate's docs refer to the project's specification of HRG.

pub mod ast;
pub mod codes;
mod declare;
mod eval;
mod exprs;
mod format;
mod graphs;
mod lexer;
mod lints;
mod lower;
mod notation;
mod parse;
mod report;
mod syntax;
mod values;

pub use format::format;
pub use lexer::MAX_TOKENS;
pub use lower::{Lowered, load};
pub use notation::HrgNotation;
pub use parse::{MAX_NESTING, parse};
