//! Engines against each other and against the reference, and programs against an evaluator.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/compared.rs"]
mod compared;
#[path = "../common/ir.rs"]
mod ir;
#[path = "../common/simplified.rs"]
mod simplified;

mod ambiguity;
mod claims;
mod corpus;
mod engines;
mod ir_demanded;
mod ir_lines;
mod ir_merge_arms;
mod ir_simplify;
mod ir_text;
mod ir_vm;
mod ir_within;
mod lifting;
mod networks;
mod procedures;
mod profile;
mod semantics;
mod sparse_keys;
mod why;
