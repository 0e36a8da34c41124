//! The lifted program of a game as text: as it is, as the compiler gets it, and as machine code.

use crate::build::{cheapest, search};
use crate::fused::Fused;
use crate::fused::trial::Parts;
use codegen::Vm;
#[cfg(feature = "native")]
use codegen::native::Native;
use engine::Limits;
use engine::options::Options;
use engine::valid::ValidGame;
use rg_ir::Game;
#[cfg(feature = "native")]
use wir::FnId;
use wir::Program;
use wir::profile::Profile;

/// A form of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// The text of [`wir`].
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
    program_by(game, &mut wir_opt::optimise)
}

/// As [`lifted_program`], with the passes that `optimise` runs on the program as it was lowered: [`wir_opt::optimise_observed`]
/// shows what each does, [`wir_opt::run`] runs some of them.
///
/// # Errors
/// As for [`lifted_program`].
pub fn program_by(game: &Game, optimise: &mut dyn FnMut(&mut Program)) -> Result<Program, String> {
    let game = ValidGame::new(game).map_err(|error| error.to_string())?;
    Ok(parts(&game, optimise)?.lifted.program)
}

/// As [`lifted_program`], with how often its blocks run in so many random plays: always the same plays, which interpret the
/// program as it is before there is machine code ([`Options::profile`]).
///
/// # Errors
/// As for [`lifted_program`], and if the program is too large to be interpreted.
pub fn profiled_program(game: &Game, plays: u32) -> Result<(Program, Profile), String> {
    let game = ValidGame::new(game).map_err(|error| error.to_string())?;
    let parts = parts(&game, &mut wir_opt::optimise)?;
    let (program, vm) = (parts.lifted.program.clone(), Vm::new(&parts.lifted.program)?);
    let fused = Fused::new(parts, Box::new(vm), Limits::default().plies);
    let fused = fused.map_err(|_| "its states do not fit those of the search".to_owned())?;
    Ok((program, fused.profile(plays)?))
}

fn parts(game: &ValidGame, optimise: &mut dyn FnMut(&mut Program)) -> Result<Parts, String> {
    let slow = search(game, &Options::default()).map_err(|error| error.to_string())?;
    let cheapest = cheapest(game.clone(), slow, &Options::default(), optimise);
    cheapest.map(|(parts, _)| parts).map_err(|(_, reason)| reason)
}

/// The program of a checked game as text; with how often its blocks run in so many plays ([`profiled_program`]), or as it becomes
/// machine code by that, unless it is none.
///
/// # Errors
/// As for [`profiled_program`], or why there is no machine code for this computer.
pub fn listing(game: &Game, form: Listing, plays: u32) -> Result<String, String> {
    let (program, profile) = match plays {
        0 => (lifted_program(game)?, None),
        _ => profiled_program(game, plays).map(|(program, profile)| (program, Some(profile)))?,
    };
    match form {
        Listing::Program => profile.map_or_else(|| Ok(program.to_string()), |profile| profile.text(&program)),
        #[cfg(feature = "native")]
        Listing::Clif => code(&program, profile, Native::clif),
        #[cfg(feature = "native")]
        Listing::Asm => code(&program, profile, Native::asm),
    }
}

#[cfg(feature = "native")]
fn code(program: &Program, profile: Option<Profile>, write: fn(&Native, FnId) -> String) -> Result<String, String> {
    let native = Native::with_profile(program, 0, profile)?;
    Ok((0..).zip(&program.functions).map(|(function, _)| write(&native, function)).collect())
}
