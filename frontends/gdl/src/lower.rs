//! Plain lowering of a ground program to RG: exact for every game.
//!
//! A fluent is a `0`/`1` variable, or a cell of a map that has all fluents of one function; fluents that always hold have
//! none. In a step every role in turn chooses one of its legal moves (a ply) and the choice is kept in a variable; then
//! the keeper computes the next state into a second set of variables, so that all conditions read the old state, copies
//! it over, and tests `terminal`. An atom that depends on the state only is a check (`? atom -> holds`), or, where it is
//! costly and read more than once or is in a cycle, a variable that the keeper computes once per state; an atom that
//! depends on moves is a variable that the keeper computes in the step.

mod atoms;
mod build;
mod conditions;
mod declare;
mod names;
mod plies;
mod step;
mod turns;
mod vocabulary;

pub use names::as_score;
pub use vocabulary::{Fluent, Lowered, Place, RoleNames, Summary, ToldMoves, Vocabulary};

use crate::codes;
use crate::ground::GroundProgram;
use crate::normal::Program;
use rg_ir::{Diagnostic, Span};

/// Lowers a ground program. Linear in its size.
///
/// Fails if there is no player besides `random`: RG needs a player.
pub fn lower(program: &Program, ground: &GroundProgram) -> Result<Lowered, Box<Diagnostic>> {
    let Some(mut build) = build::Build::new(program, ground) else {
        return Err(Box::new(Diagnostic::error(codes::K7_MISSING, Span::NONE, "there is no player besides `random`")));
    };
    build.game_loop();
    Ok(build.finish())
}
