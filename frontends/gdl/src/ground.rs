//! Grounding by relaxed reachability (section 9.3), and simplification of the ground program (section 9.4).

mod decompose;
mod factor;
mod program;
mod project;
mod relaxed;
mod simplify;

pub use program::{AtomId, AtomKind, Condition, GroundProgram, GroundRule, MoveSet, Role};
pub use relaxed::ground;
