//! From a description to a game.

use crate::ast::Description;
use crate::eval::{Limits, Meter, Watch};
use crate::flat::Unsupported;
use crate::ground::{AtomKind, GroundRule, ground};
use crate::history::forget;
use crate::lifted::lift_either;
use crate::lower::{Lowered, lower};
use crate::normal::{Program, normalize};
use crate::notation::GdlNotation;
use rg_ir::{Diagnostic, Game};
use std::sync::Arc;
use std::time::Duration;

/// Steps of a lifted game that look at no more edges than this are cheap enough: nothing else is tried.
const CHEAP: f64 = 10_000.0;

/// Steps of a game in the compact form that look at more edges than this take seconds: the ground form is preferred
/// whatever its size.
const HOPELESS: f64 = 100_000_000.0;

/// Steps of a lifted game that look at more edges than this are slow: one takes milliseconds.
const SLOW: f64 = 100_000.0;

/// A ground program may be so many times as cheap as the walks of a lifted game before it is preferred. A step looks at a
/// small part of its edges only, but it is the larger game, and what is estimated is not more exact than that.
const MARGIN: f64 = 2.0;

/// The same for slow games: the ground form of hex plays 90 times as fast as its lifted one, and has as many edges as
/// that looks at by the estimate.
const MARGIN_OF_SLOW: f64 = 0.5;

/// Conditions before simplification per edge after it, at most about.
const UNSIMPLIFIED: f64 = 4.0;

/// Most conditions of a ground program that is looked for although the game could be lifted: a larger one is not a gain.
const LARGEST: usize = 3_000_000;

/// The same where the lifted game is hopeless: grounding beyond that takes longer than it may.
const LARGEST_OF_HOPELESS: usize = 40_000_000;

/// Most edges of a ground game that is preferred: larger ones take longer to optimise than they save.
const LARGEST_EDGES: usize = 400_000;

/// Most edges of a ground game that is wanted for the engine's sake, and if that does not run the lifted game at all.
const LARGEST_FASTER: usize = 700_000;
const LARGEST_NEEDED: usize = 1_400_000;

/// Most conditions of a ground program that is looked for only because turns may be proven on it.
const FOR_TURNS: usize = 200_000;

/// Translates a description that has no errors to RG: normal form; a lifted game, if there is a rule for everything in
/// it, else the ground program and its game. So it is, too, where the walks of the lifted game enumerate much more than
/// the ground program has: the estimate of [`Lowered::work`] is compared with its edges. Grounding then gets no more
/// conditions than could win, so that the attempt costs little. A game whose players take turns stays one; where that
/// cannot be proven of the lifted game, but of a ground program that is not large, it is that.
///
/// # Errors
/// A diagnostic if a limit is met (check T2), or if the rules are unsafe or not stratified (checks R1, R2) and nobody
/// noticed before.
pub fn translate(description: &Description, limits: Limits) -> Result<Lowered, Box<Diagnostic>> {
    translate_watched(description, limits, None)
}

/// As [`translate`], with a callback for progress where that takes long.
///
/// # Errors
/// As for [`translate`].
pub fn translate_watched(
    description: &Description,
    limits: Limits,
    watch: Option<Watch>,
) -> Result<Lowered, Box<Diagnostic>> {
    let mut program = prepared(description)?;
    let (lifted, compact) = match lift_either(&program) {
        Ok(lifted) => lifted,
        Err(Unsupported(reason)) => return Ok(explained(plain(&mut program, limits, watch)?, reason)),
    };
    let work = lifted.work.unwrap_or_default();
    let turns = lifted.vocabulary.turn_based;
    if work <= CHEAP && turns {
        return Ok(lifted);
    }
    let margin = if work > SLOW { MARGIN_OF_SLOW } else { MARGIN };
    let hopeless = compact && work > HOPELESS;
    let largest = if hopeless { LARGEST_OF_HOPELESS } else { LARGEST };
    let largest_edges = if hopeless { usize::MAX } else { LARGEST_EDGES };
    let worth = if work > CHEAP { (work / margin * UNSIMPLIFIED) as usize } else { 0 };
    let conditions = limits.conditions.min(largest).min(if turns { worth } else { worth.max(FOR_TURNS) });
    let is_cheaper = |edges: usize| work > CHEAP && edges <= largest_edges && edges as f64 * margin < work;
    let small = Limits { conditions, atoms: limits.atoms.min(conditions), ..limits };
    match plain_if(&mut program, small, watch, |edges| !turns || is_cheaper(edges)) {
        Ok(Some(ground)) if ground.vocabulary.turn_based && !turns => {
            Ok(explained(ground, "turns are proven on the ground program only".to_owned()))
        }
        Ok(Some(ground))
            if is_cheaper(ground.game.automaton.edge_count())
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
    plain(&mut prepared(description)?, limits, None)
}

/// The ground form of a game that was lifted, not made yet. Which of the two forms plays faster depends on what the engine makes of
/// them, which the translation does not know.
#[derive(Clone)]
pub struct GroundForm {
    description: Arc<Description>,
    limits: Limits,
    /// The plies of a step in the lifted game.
    plies: usize,
}

impl GroundForm {
    /// The other form of a translation; `None` if that is ground already.
    pub(crate) fn of(description: &Arc<Description>, lowered: &Lowered, limits: Limits) -> Option<Self> {
        let plies = lowered.vocabulary.plies();
        lowered.summary.is_none().then(|| Self { description: description.clone(), limits, plies })
    }

    /// The ground game, if its steps have as many plies, and its program no more than so many conditions; with `None`, if it is not too
    /// large for any engine. Grounding costs O(conditions). Time does not matter: the same game has the same form everywhere.
    #[must_use]
    pub fn translated(&self, conditions: Option<usize>) -> Option<(Game, GdlNotation)> {
        let edges = if conditions.is_none() { LARGEST_NEEDED } else { LARGEST_FASTER };
        let conditions = conditions.unwrap_or(usize::MAX).min(LARGEST_OF_HOPELESS).min(self.limits.conditions);
        let atoms = self.limits.atoms.min(conditions);
        let limits = Limits { conditions, atoms, time: Duration::MAX, ..self.limits };
        let lowered = plain_if(&mut prepared(&self.description).ok()?, limits, None, |least| least <= edges).ok()??;
        let fits = lowered.vocabulary.plies() == self.plies && lowered.game.automaton.edge_count() <= edges;
        fits.then(|| GdlNotation::of(self.description.clone(), lowered))
    }
}

fn prepared(description: &Description) -> Result<Program, Box<Diagnostic>> {
    let mut program = normalize(description)?;
    forget(&mut program);
    Ok(program)
}

/// As [`plain`], if a game with so many edges or more is worth it: each condition of what is true next, and of what that depends on, has an
/// edge of its own.
fn plain_if(
    program: &mut Program,
    limits: Limits,
    watch: Option<Watch>,
    is_worth: impl FnOnce(usize) -> bool,
) -> Result<Option<Lowered>, Box<Diagnostic>> {
    let ground = ground(program, &mut Meter::new(limits).watched(watch))?;
    let has_edges = |rule: &&GroundRule| {
        matches!(ground.atoms.get(rule.head.index()), Some(AtomKind::Next(_) | AtomKind::Helper { .. }))
    };
    let least = ground.rules.iter().filter(has_edges).map(|rule| rule.body.len()).sum();
    if is_worth(least) { lower(program, &ground).map(Some) } else { Ok(None) }
}

fn plain(program: &mut Program, limits: Limits, watch: Option<Watch>) -> Result<Lowered, Box<Diagnostic>> {
    let mut meter = Meter::new(limits).watched(watch);
    let ground = ground(program, &mut meter)?;
    lower(program, &ground)
}
