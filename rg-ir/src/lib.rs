//! Regular Games (RG): one small typed language for the rules of any game.
//!
//! A [`Game`] is a set of types, constants and variables, and a nondeterministic automaton whose edges compare,
//! assign, test reachability and emit tags. A *move* is the sequence of tags on a walk that ends with the next
//! assignment to `player`. The language is defined by Miernik et al., *Regular Games* (section 2), and in detail by
//! the project's specification of RG; section numbers in this crate's docs refer to the latter.
//!
//! Everything is addressed by typed ids ([`TypeId`], [`VarId`], [`NodeId`], …) and interned names ([`Symbol`]);
//! there are no strings and no maps keyed by names after parsing. Spans are kept for every declaration, edge and
//! expression, so that a finding on a lowered game can still point into the file the user wrote.

pub mod automaton;
pub mod cancel;
pub mod check;
pub mod codes;
pub mod dense;
pub mod diag;
pub mod dot;
pub mod drawing;
mod edit;
mod equal;
pub mod expr;
pub mod game;
pub mod grid;
pub mod ids;
pub mod index;
pub mod invariant;
pub mod json;
pub mod lexical;
pub mod notation;
pub mod regions;
pub mod removal;
pub mod report;
pub mod scene;
mod show;
pub mod source;
pub mod svg;
pub mod symbol;
#[cfg(test)]
mod testing;
pub mod text;
pub mod types;
pub mod value;
pub mod xml;

pub use automaton::{Automaton, Edge, Label, Node};
pub use check::check;
pub use dense::{Dense, Shape};
pub use diag::{Diagnostic, Severity};
pub use dot::dot;
pub use expr::{Expr, Exprs};
pub use game::{ConstDecl, Game, Pragma, PragmaDecl, TypeDecl, VarDecl};
pub use ids::{ConstId, EdgeId, ExprId, IdVec, NodeId, Symbol, TypeDeclId, TypeId, VarId};
pub use notation::{Declared, JointMoves, Notation, Part, PlainNotation, RuleBook, StateView};
pub use report::Report;
pub use source::{SourceId, SourceMap, Span};
pub use svg::svg;
pub use symbol::Symbols;
pub use types::{TypeKind, Types};
pub use value::{MapLiteral, Value};
