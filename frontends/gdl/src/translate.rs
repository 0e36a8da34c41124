//! From a description to a game.

use crate::ast::Description;
use crate::eval::{Limits, Meter};
use crate::flat::Unsupported;
use crate::ground::ground;
use crate::lifted::lift;
use crate::lower::{Lowered, lower};
use crate::normal::{Program, normalize};
use rg_ir::Diagnostic;

/// Translates a description that has no errors to RG: normal form; a lifted game, if there is a rule for everything in
/// it, else the ground program and its game.
///
/// # Errors
/// A diagnostic if a limit is met (check T2), or if the rules are unsafe or not stratified (checks R1, R2) and nobody
/// noticed before.
pub fn translate(description: &Description, limits: Limits) -> Result<Lowered, Box<Diagnostic>> {
    let mut program = normalize(description)?;
    let reason = match lift(&program) {
        Ok(lowered) if lowered.vocabulary.turn_based => return Ok(lowered),
        // That players take turns may be seen on the ground program only.
        Ok(lowered) => match plain(&mut program, limits) {
            Ok(ground) if ground.vocabulary.turn_based => {
                return Ok(explained(ground, "turns are proven on the ground program only".to_owned()));
            }
            _ => return Ok(lowered),
        },
        Err(Unsupported(reason)) => reason,
    };
    Ok(explained(plain(&mut program, limits)?, reason))
}

fn explained(mut lowered: Lowered, reason: String) -> Lowered {
    lowered.structure.push(("not lifted".to_owned(), reason));
    lowered
}

/// Translates a description that has no errors by way of the ground program, whatever could be lifted.
///
/// # Errors
/// As for [`translate`].
pub fn translate_ground(description: &Description, limits: Limits) -> Result<Lowered, Box<Diagnostic>> {
    plain(&mut normalize(description)?, limits)
}

fn plain(program: &mut Program, limits: Limits) -> Result<Lowered, Box<Diagnostic>> {
    let mut meter = Meter::new(limits);
    let ground = ground(program, &mut meter)?;
    lower(program, &ground)
}
