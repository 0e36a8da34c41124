//! Where a game is: its state, who decides, and what players observed. Its legal actions are listed apart.

use crate::actions::ActionKind;
use crate::env::{EnvError, MAX_CHANCE};
use crate::game::Game;
use crate::listing::Listing;
use backend::{Event, Rng, State, Tag, Turn};

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) state: State,
    pub(crate) turn: Turn,
    /// If something is hidden: by player, the tags it observed.
    observed: Vec<Vec<Tag>>,
}

impl Default for Place {
    fn default() -> Self {
        Self { state: State::default(), turn: Turn::End, observed: Vec::new() }
    }
}

impl Place {
    /// At a state that the game's engine handed out. Players observed nothing so far.
    pub(crate) fn at(game: &Game, state: State) -> Self {
        let reasoner = game.reasoner();
        let players = if reasoner.hides() { reasoner.players().len() } else { 0 };
        let turn = reasoner.turn(&state);
        Self { state, turn, observed: vec![Vec::new(); players] }
    }

    /// See [`crate::Env::observed`].
    pub(crate) fn observed(&self, player: usize) -> &[Tag] {
        self.observed.get(player).map_or(&[], Vec::as_slice)
    }

    /// Takes the action at a place of a listing of the state's actions. `Some` if that is a step of a move: the moves that are possible then, for
    /// [`Listing::step`]. After a move, the listing is not that of the state any more.
    ///
    /// # Errors
    /// As for [`crate::Env::act`].
    pub(crate) fn act(
        &mut self,
        game: &Game,
        listing: &Listing,
        at: usize,
    ) -> Result<Option<(usize, usize)>, EnvError> {
        let action = listing.legal.get(at).copied().ok_or(EnvError::Illegal { action: u32::MAX })?;
        let index = match game.actions().kind() {
            ActionKind::Moves => at,
            ActionKind::Steps => {
                let (from, to) = listing.going_on(game, action).ok_or(EnvError::Illegal { action })?;
                if to - from > 1 {
                    return Ok(Some((from, to)));
                }
                listing.ordered(from).ok_or(EnvError::Illegal { action })?
            }
        };
        self.make(game, listing, index)?;
        self.turn = game.reasoner().turn(&self.state);
        Ok(None)
    }

    /// Makes one of the moves, and notes what players observe of it.
    fn make(&mut self, game: &Game, listing: &Listing, index: usize) -> Result<(), EnvError> {
        if self.observed.is_empty() {
            return listing.make(game, &mut self.state, index);
        }
        let mut events: Vec<Event> = Vec::new();
        game.reasoner().apply_logged(&mut self.state, &listing.moves, index, &mut events)?;
        for (player, observed) in self.observed.iter_mut().enumerate() {
            observed.extend(events.iter().flat_map(|event| event.observed_by(player)));
        }
        Ok(())
    }

    /// Becomes a copy of another one, and keeps its own room.
    pub(crate) fn begin(&mut self, start: &Self) {
        self.state.clone_from(&start.state);
        self.turn = start.turn;
        self.observed.clone_from(&start.observed);
    }

    /// Makes one of the legal moves, each drawn with the same probability. The listing is used for that, and is empty afterwards.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail, which they do where there is no legal move; [`EnvError::Illegal`] at the end of the game.
    pub(crate) fn move_at_random(&mut self, game: &Game, listing: &mut Listing, rng: &mut Rng) -> Result<(), EnvError> {
        let reasoner = game.reasoner();
        listing.clear();
        if self.observed.is_empty() {
            reasoner.packed_moves(&self.state, &mut listing.packed)?;
            let drawn = listing.packed.get(rng.below(listing.packed.len() as u32) as usize).copied();
            let drawn = drawn.ok_or(EnvError::Illegal { action: u32::MAX })?;
            reasoner.apply_packed(&mut self.state, drawn)?;
        } else {
            listing.label(game, &self.state)?;
            let drawn = rng.below(listing.moves.len() as u32) as usize;
            self.make(game, listing, drawn)?;
            listing.clear();
        }
        self.turn = reasoner.turn(&self.state);
        Ok(())
    }

    /// Makes the moves of `random`, as long as it decides, each drawn with the same probability. The listing is used for that, and is empty afterwards if there were some.
    ///
    /// # Errors
    /// As for [`crate::Env::draw`].
    pub(crate) fn draw(&mut self, game: &Game, listing: &mut Listing, rng: &mut Rng) -> Result<(), EnvError> {
        for _ in 0..MAX_CHANCE {
            if self.turn != Turn::Random {
                return Ok(());
            }
            self.move_at_random(game, listing, rng)?;
        }
        Err(EnvError::EndlessChance)
    }
}
