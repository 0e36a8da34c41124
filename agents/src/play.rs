//! A game in progress, and what its players observe.

use crate::{Knowledge, Situation};
use backend::{Error, Event, Moves, Reasoner, State, Tag, Turn};

/// A move as one player observes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Observed {
    /// Who moved; `None` is the keeper.
    pub mover: Option<Turn>,
    /// The tags that the player saw, or all of them if it was its own move.
    pub tags: Vec<Tag>,
    /// Which of several moves with these tags it was, if it was its own ([`Moves::outcome`]); else 0.
    pub outcome: u32,
}

impl Observed {
    /// What `player` observes of events, the first of which is a move with this outcome.
    pub(crate) fn all(events: &[Event], player: usize, outcome: u32) -> impl Iterator<Item = Self> + '_ {
        events.iter().map(move |event| {
            let own = event.mover == Some(Turn::Player(player));
            Self { mover: event.mover, tags: event.observed_by(player), outcome: if own { outcome } else { 0 } }
        })
    }
}

/// A game in progress.
#[derive(Clone)]
pub struct Play<'r> {
    reasoner: &'r Reasoner,
    state: State,
    moves: Moves,
    /// Per player what it observed; empty if the game hides nothing.
    observed: Vec<Vec<Observed>>,
}

impl<'r> Play<'r> {
    /// A game at its beginning.
    ///
    /// # Errors
    /// As for [`Reasoner::initial`] and [`Reasoner::legal_moves`].
    pub fn new(reasoner: &'r Reasoner) -> Result<Self, Error> {
        let players = if reasoner.hides() { reasoner.players().len() } else { 0 };
        let observed = vec![Vec::new(); players];
        let mut play = Self { reasoner, state: reasoner.initial()?, moves: Moves::new(), observed };
        reasoner.legal_moves(&play.state, &mut play.moves)?;
        Ok(play)
    }

    /// The state. It is not for the eyes of players if something is hidden.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who decides.
    pub fn turn(&self) -> Turn {
        self.reasoner.turn(&self.state)
    }

    /// The legal moves; none at the end.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// The scores by name, final at the end.
    pub fn scores(&self) -> Vec<&str> {
        self.reasoner.scores(&self.state)
    }

    /// What a player observed so far; `None` if it knows the state.
    pub fn observations(&self, player: usize) -> Option<&[Observed]> {
        self.observed.get(player).map(Vec::as_slice)
    }

    /// What `player` knows, to choose one of the legal moves.
    pub fn situation(&self, player: usize) -> Situation<'_> {
        let knowledge = self.observations(player).map_or(Knowledge::State(&self.state), Knowledge::Observations);
        Situation { reasoner: self.reasoner, player, moves: &self.moves, knowledge, stop: None, watch: None }
    }

    /// Makes a legal move, and the keeper's answers.
    ///
    /// # Errors
    /// As for [`Reasoner::apply`] and [`Reasoner::legal_moves`]. The game is then unspecified.
    pub fn make(&mut self, index: usize) -> Result<(), Error> {
        if self.observed.is_empty() {
            self.reasoner.apply(&mut self.state, &self.moves, index)?;
        } else {
            let mut events = Vec::new();
            self.reasoner.apply_logged(&mut self.state, &self.moves, index, &mut events)?;
            for (player, observed) in self.observed.iter_mut().enumerate() {
                observed.extend(Observed::all(&events, player, self.moves.outcome(index)));
            }
        }
        self.reasoner.legal_moves(&self.state, &mut self.moves)
    }
}
