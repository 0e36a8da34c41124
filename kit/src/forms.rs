//! Games that can be translated in several forms: the one that an engine runs faster is found out by trying.

use crate::load::Loaded;
use crate::optimize;
use backend::{Error, Options, Reasoner};
use gdl::{GdlNotation, GroundForm};
use rg_ir::{Game, Notation};

/// An engine for a game.
pub struct Prepared {
    /// The engine.
    pub reasoner: Reasoner,
    /// The game in another form than it was given in, and how its moves and states are written, if the engine runs that.
    pub other: Option<(Game, Box<dyn Notation>)>,
}

impl Loaded {
    /// Prepares an engine: for an optimised game in the form that is faster, if there are several. The other form is made only where
    /// the first is slow for its size.
    ///
    /// # Errors
    /// As for [`Reasoner::with_options`].
    pub fn prepared(&self, options: Options) -> Result<Prepared, Error> {
        let mut notation = None;
        // A position is written in the terms of the form that it was found in.
        let ground = self.ground.as_ref().filter(|_| self.level > 0 && self.start.is_none());
        let other = |nanoseconds: Option<u64>| {
            let (game, terms) = made(ground?, nanoseconds.map(conditions_worth), self.level)?;
            notation = Some(terms);
            Some(game)
        };
        let (mut reasoner, other) = Reasoner::of_cheaper(&self.game, self.trusted(options), other)?;
        if let Some(ground) = ground.cloned() {
            let level = self.level;
            reasoner = reasoner.with_ground_form(Box::new(move |conditions| {
                made(&ground, Some(conditions), level).map(|(game, _)| game)
            }));
        }
        let other = other.zip(notation).map(|(game, notation)| (game, Box::new(notation) as Box<dyn Notation>));
        Ok(Prepared { reasoner, other })
    }
}

/// The ground form, if it has no more than so many conditions, optimised.
fn made(ground: &GroundForm, conditions: Option<usize>, level: u8) -> Option<(Game, GdlNotation)> {
    let (mut game, terms) = ground.translated(conditions)?;
    let pipeline = optimize::faithful(optimize::level_to_play(&game, level));
    optimize::run(&mut game, &pipeline).ok()?;
    Some((game, terms))
}

/// Most conditions of a ground program that is made where a ply of the lifted game takes so many nanoseconds. Evaluated by change, it takes
/// a nanosecond for some dozens of them, if there are many, but hardly more than some microseconds: where plies take longer,
/// its size matters little, and grounding so many takes less than a second. Where they are fast, little time is spent on making them faster.
fn conditions_worth(nanoseconds: u64) -> usize {
    let each = if nanoseconds < SLOW_PLY { 10 + (nanoseconds / 50).min(30) } else { 400 };
    usize::try_from(nanoseconds.saturating_mul(each)).unwrap_or(usize::MAX)
}

/// Plies that take more nanoseconds are slower than those of most ground forms.
const SLOW_PLY: u64 = 8_000;
