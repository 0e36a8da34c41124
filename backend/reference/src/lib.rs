//! The reference engine: executes the automaton as the semantics of RG are worded, and is what all other engines are compared
//! with. On top of it, properness ([`proper`]) and what pragmas claim ([`claims`]).

pub mod claims;
mod naive;
pub mod proper;
pub mod why;

pub use naive::Naive;
