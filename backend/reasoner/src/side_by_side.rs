//! Many plays of a game side by side ([`simulate`]), where that takes less time than one after the other.
//!
//! A game whose code is a network has its functions as circuits anyway. For others these are made when so many plays are asked for
//! that it pays: of the game itself or, if it chooses among the values of types, of another form with ground rules.

use crate::Reasoner;
use engine::options::{Engine, LiftedCode, Options};
use engine::valid::ValidGame;
use engine::{Error, PlayoutStats, Rng};
use rg_ir::Game;
use rg_ir::invariant::Invariant;
use std::sync::OnceLock;

/// Makes the ground form of a game, if it has no more than so many conditions.
pub type GroundForm = Box<dyn Fn(usize) -> Option<Game> + Send + Sync>;

/// See the module.
pub(crate) struct SideBySide {
    game: ValidGame,
    pub(crate) ground: Option<GroundForm>,
    options: Options,
    /// What a ply takes one after the other, if it is compiled; 0 if that was not tried.
    nanoseconds: Option<u64>,
    made: OnceLock<Option<Box<Plays>>>,
}

/// Plies that take fewer nanoseconds one after the other are not made side by side.
const FAST: u64 = 40;
/// Conditions of a ground form that are worth a nanosecond of a ply, and the most that are.
const CONDITIONS: u64 = 4000;
const MOST_CONDITIONS: u64 = 1 << 24;

impl SideBySide {
    /// Plays of a game whose plies take so many nanoseconds one after the other, or are not compiled.
    pub(crate) fn new(game: ValidGame, options: &Options, nanoseconds: Option<u64>) -> Self {
        Self { game, ground: None, options: *options, nanoseconds, made: OnceLock::new() }
    }

    /// The plays, made when they are first asked for; `None` if they would take longer than one after the other.
    pub(crate) fn plays(&self, of: &Reasoner) -> Option<&Plays> {
        self.made.get_or_init(|| self.make(of).map(Box::new)).as_deref()
    }

    /// Whether plies that take so many picoseconds side by side take less than one after the other, as far as that was tried.
    pub(crate) fn is_faster(&self, picoseconds: u64) -> bool {
        let tried = self.nanoseconds.filter(|&nanoseconds| nanoseconds > 0);
        tried.is_none_or(|nanoseconds| picoseconds < nanoseconds.saturating_mul(1000))
    }

    fn make(&self, of: &Reasoner) -> Option<Plays> {
        let is_wanted = self.options.lifted_code == LiftedCode::Cheapest
            && !matches!(self.options.engine, Engine::Naive | Engine::Backtracking)
            && self.nanoseconds.is_none_or(|nanoseconds| nanoseconds >= FAST);
        if !is_wanted {
            return None;
        }
        let options =
            Options { lifted_code: LiftedCode::Network, engine: Engine::Interpreter, profile: 0, ..self.options };
        let reasoner = if crate::chooses(&self.game) {
            let worth = |nanoseconds: u64| nanoseconds.saturating_mul(CONDITIONS).min(MOST_CONDITIONS);
            let ground = self.ground.as_ref()?(self.nanoseconds.map_or(MOST_CONDITIONS, worth) as usize)?;
            Reasoner::with_options(&ground, options)
        } else {
            Reasoner::for_valid(self.game.clone(), &options)
        };
        let reasoner = reasoner.ok()?;
        let picoseconds = reasoner.ply_side_by_side()?;
        // Forms of a game may name players in their own ways, but have them in the same order.
        if !self.is_faster(picoseconds) || reasoner.players().len() != of.players().len() {
            return None;
        }
        let number = |name: &String| of.score_names().iter().position(|other| other == name);
        let scores = reasoner.score_names().iter().map(number).collect();
        Some(Plays { reasoner, scores })
    }
}

/// A game in the form of a network.
pub(crate) struct Plays {
    reasoner: Reasoner,
    /// The numbers of its scores in the game that it is a form of.
    scores: Vec<Option<usize>>,
}

impl Plays {
    /// So many plays.
    ///
    /// # Errors
    /// As for [`Reasoner::playouts`]; the moves of the play are not known in the terms of the game.
    pub(crate) fn play(&self, count: u64, rng: &mut Rng, stats: &mut PlayoutStats) -> Result<(), Error> {
        let mut own = PlayoutStats::default();
        let played = self.reasoner.playouts(count, crate::MoveForm::List, rng, &mut own);
        self.renumber(&mut own);
        stats.merge(&own);
        played.map_err(|mut error| {
            error.play.clear();
            error
        })
    }

    fn renumber(&self, stats: &mut PlayoutStats) {
        let number = |own: usize| {
            let number = self.scores.get(own).copied().flatten();
            number.invariant_or(0, "forms of a game end with the same scores")
        };
        for counts in &mut stats.scores {
            let mut all = Vec::new();
            for (own, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let number = number(own);
                all.resize(all.len().max(number + 1), 0);
                all.iter_mut().skip(number).take(1).for_each(|slot| *slot += count);
            }
            *counts = all;
        }
        stats.last.iter_mut().for_each(|score| *score = number(*score as usize) as u32);
    }
}
