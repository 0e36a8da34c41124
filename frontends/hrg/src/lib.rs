//! High-level Regular Games (HRG): reading, checking, formatting and lowering to RG.
//!
//! Words (`lexer`), declarations (`parse`) and the grammar with its messages (`syntax`) give the tree of [`ast`].
//! What happens at compile time is in `values`, `eval` and `machine`; `declare` makes types, constants and variables of
//! RG, `graphs`, `statements`, `calls` and `exprs` its automaton. Nesting, evaluation and unrolling are limited, nothing
//! recurses over what is nested, and errors carry the place they come from.
//!
//! Section numbers in this crate's docs refer to the project's specification of HRG.

mod additions;
pub mod ast;
mod brackets;
mod calls;
pub mod codes;
mod complete;
mod completed;
mod declare;
mod eval;
mod expand;
mod exprs;
mod findings;
mod foreign;
mod format;
mod graphs;
mod index;
mod initial;
mod keys;
mod lexer;
mod lexical;
mod lints;
mod lower;
mod machine;
mod missing;
mod notation;
mod order;
mod parse;
mod patterns;
mod plural;
mod print;
mod ranges;
mod reading;
mod statements;
mod syntax;
mod undeclared;
mod values;

pub use complete::expected;
pub use eval::Limits;
pub use expand::{Evaluated, evaluated};
pub use format::format;
pub use index::{index, sizes};
pub use lexer::{MAX_TOKENS, is_reserved};
pub use lexical::{meaning, patterns};
pub use lower::{Lowered, load, load_within};
pub use notation::HrgNotation;
pub use parse::{MAX_NESTING, parse};
pub use print::print;
