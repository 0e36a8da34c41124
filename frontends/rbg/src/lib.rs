//! Regular Boardgames (RBG): reading, checking, printing and lowering to RG.

pub mod ast;
