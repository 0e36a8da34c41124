//! The lifted program of a game as text: as it is, as the compiler gets it, and as machine code.

use crate::fused::lifted;
use crate::interp::interpreter;
use crate::ir::Program;
use crate::limits::Limits;
use crate::program;
use crate::reasoner::{Options, completed};
use rg_ir::Game;

/// A form of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// The text of [`crate::ir`].
    Program,
    /// What Cranelift gets, function by function.
    #[cfg(feature = "native")]
    Clif,
    /// Machine code of this computer, function by function.
    #[cfg(feature = "native")]
    Asm,
}

impl Listing {
    /// All forms by name.
    pub const ALL: &[(&'static str, Listing)] = &[
        ("program", Listing::Program),
        #[cfg(feature = "native")]
        ("clif", Listing::Clif),
        #[cfg(feature = "native")]
        ("asm", Listing::Asm),
    ];
}

/// The program of a checked game: functions for all of its decisions that are lifted.
///
/// # Errors
/// Why nothing is lifted.
pub fn lifted_program(game: &Game) -> Result<Program, String> {
    let game = completed(game);
    let lowered = program::lower(&game, program::Marking::WhereNeeded).map_err(|error| error.to_string())?;
    let slow = interpreter(game.clone(), lowered, &Options::default());
    let lifted =
        lifted(&game, slow.as_ref(), Limits::default().code, false, true).map_err(|failure| failure.to_string())?;
    Ok(lifted.program)
}

/// The program of a checked game as text.
///
/// # Errors
/// Why nothing is lifted, or why there is no machine code for this computer.
pub fn listing(game: &Game, form: Listing) -> Result<String, String> {
    let program = lifted_program(game)?;
    match form {
        Listing::Program => Ok(program.to_string()),
        #[cfg(feature = "native")]
        Listing::Clif => code(&program, crate::exec::native::Native::clif),
        #[cfg(feature = "native")]
        Listing::Asm => code(&program, crate::exec::native::Native::asm),
    }
}

#[cfg(feature = "native")]
fn code(
    program: &Program,
    write: fn(&crate::exec::native::Native, crate::ir::FnId) -> String,
) -> Result<String, String> {
    let native = crate::exec::native::Native::new(program)?;
    Ok((0..).zip(&program.functions).map(|(function, _)| write(&native, function)).collect())
}
