//! From a description to a game.

use crate::ast::Description;
use crate::eval::{Limits, Meter, Watch};
use crate::flat::Unsupported;
use crate::ground::ground;
use crate::lifted::lift;
use crate::lower::{Lowered, lower};
use crate::normal::{Program, normalize};
use rg_ir::Diagnostic;

/// Steps of a lifted game that look at no more edges than this are cheap enough: nothing else is tried.
const CHEAP: f64 = 10_000.0;

/// A ground program may be so many times as cheap as the walks of a lifted game before it is preferred. A step looks at a
/// small part of its edges only, but it is the larger game, and what is estimated is not more exact than that.
const MARGIN: f64 = 2.0;

/// Most conditions of a ground program that is looked for although the game could be lifted: a larger one is no gain.
const LARGEST: usize = 3_000_000;

/// Translates a description that has no errors to RG: normal form; a lifted game, if there is a rule for everything in
/// it, else the ground program and its game. So it is, too, where the walks of the lifted game enumerate much more than
/// the ground program has: the estimate of [`Lowered::work`] is compared with its edges. Grounding then gets no more
/// conditions than the walks look at edges in one step, so that the attempt costs little. A game whose players take turns
/// stays one.
///
/// # Errors
/// A diagnostic if a limit is met (check T2), or if the rules are unsafe or not stratified (checks R1, R2) and nobody
/// noticed before.
pub fn translate(description: &Description, limits: Limits) -> Result<Lowered, Box<Diagnostic>> {
    translate_watched(description, limits, None)
}

/// As [`translate`], with somebody who is told of progress where that takes long.
///
/// # Errors
/// As for [`translate`].
pub fn translate_watched(
    description: &Description,
    limits: Limits,
    watch: Option<Watch>,
) -> Result<Lowered, Box<Diagnostic>> {
    let mut program = normalize(description)?;
    let lifted = match lift(&program) {
        Ok(lifted) => lifted,
        Err(Unsupported(reason)) => return Ok(explained(plain(&mut program, limits, watch)?, reason)),
    };
    let work = lifted.work.unwrap_or_default();
    if work <= CHEAP {
        return Ok(lifted);
    }
    let conditions = limits.conditions.min(LARGEST).min(work as usize);
    let small = Limits { conditions, atoms: limits.atoms.min(conditions), ..limits };
    match plain(&mut program, small, watch) {
        Ok(ground)
            if ground.game.automaton.edge_count() as f64 * MARGIN < work
                && ground.vocabulary.plies() <= lifted.vocabulary.plies() =>
        {
            let reason = format!("a step would look at about {work:.0} edges, and there is a smaller ground program");
            Ok(explained(ground, reason))
        }
        _ => Ok(lifted),
    }
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
    plain(&mut normalize(description)?, limits, None)
}

fn plain(program: &mut Program, limits: Limits, watch: Option<Watch>) -> Result<Lowered, Box<Diagnostic>> {
    let mut meter = Meter::new(limits).watched(watch);
    let ground = ground(program, &mut meter)?;
    lower(program, &ground)
}
