//! One game in progress.

use crate::actions::ActionKind;
use crate::game::Game;
use crate::listing::{Listed, Listing};
use crate::numbers::Numbers;
use backend::{Error, Event, Rng, State, Tag, Turn};
use std::fmt;
use std::sync::Arc;

/// Moves of `random` in a row at most.
const MAX_CHANCE: u32 = 10_000;

/// Numbers of moves by their words, so that labels are read once only. One for each thread.
#[derive(Default, Debug)]
pub struct Labels {
    /// By `packed_label_key`.
    pub(crate) numbers: Vec<Numbers>,
}

/// What goes wrong while a game is played.
#[derive(Debug)]
pub enum EnvError {
    /// The rules fail.
    Game(Error),
    /// An action is not legal.
    Illegal {
        /// The action.
        action: u32,
    },
    /// `random` moves without end.
    EndlessChance,
    /// A legal move has no number. The rules' labels were not found out in full: an error of `rgc`.
    Unnumbered {
        /// The move's tags.
        label: String,
    },
}

impl From<Error> for EnvError {
    fn from(error: Error) -> Self {
        Self::Game(error)
    }
}

impl fmt::Display for EnvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(error) => write!(f, "{error}"),
            Self::Illegal { action } => write!(f, "action {action} is not legal"),
            Self::EndlessChance => write!(f, "`random` makes {MAX_CHANCE} moves in a row"),
            Self::Unnumbered { label } => {
                write!(f, "the move `{label}` has no number: this is a defect of rgc, please report it")
            }
        }
    }
}

impl std::error::Error for EnvError {}

/// What an action did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acted {
    /// A move was made, the keeper's answers included.
    Moved,
    /// A step of a move was taken; the same player goes on.
    Stepped,
}

/// A game in progress: its state, its legal actions, and what of a move was chosen so far. Copies share the list of actions.
#[derive(Clone, Default, Debug)]
pub struct Env {
    state: State,
    turn: Option<Turn>,
    listing: Arc<Listing>,
    /// If something is hidden: by player, the tags it observed.
    observed: Vec<Vec<Tag>>,
}

impl Env {
    /// A game at its beginning; its actions are not listed.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the keeper cannot come to the first decision.
    pub fn new(game: &Game) -> Result<Self, EnvError> {
        Ok(Self::at(game, game.reasoner().initial()?))
    }

    /// A game at a state that the game's engine handed out. Players observed nothing so far.
    pub fn at(game: &Game, state: State) -> Self {
        let reasoner = game.reasoner();
        let players = if reasoner.hides() { reasoner.players().len() } else { 0 };
        let turn = Some(reasoner.turn(&state));
        Self { state, turn, observed: vec![Vec::new(); players], ..Self::default() }
    }

    /// The state in which the move began whose steps are being taken.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who decides.
    pub fn turn(&self) -> Turn {
        self.turn.unwrap_or(Turn::End)
    }

    /// The legal actions, once they are listed; none at the end.
    pub fn legal(&self) -> &[u32] {
        &self.listing.legal
    }

    /// The game after some actions from its beginning.
    ///
    /// # Errors
    /// [`EnvError::Illegal`] for the first action that is not legal; as for [`Env::act`].
    pub fn after(game: &Game, actions: &[u32]) -> Result<Self, EnvError> {
        let (mut env, mut labels) = (Self::new(game)?, Labels::default());
        for &action in actions {
            env.list(game, &mut labels)?;
            env.act(game, action)?;
        }
        Ok(env)
    }

    /// The moves that are still possible, with their tags; none where moves are known as words only.
    pub fn possible(&self) -> impl Iterator<Item = &[Tag]> {
        self.listing.possible()
    }

    /// The tags that were chosen of the move so far, with those that all possible moves share.
    pub fn chosen(&self) -> &[Tag] {
        self.listing.chosen()
    }

    /// Whether steps of a move were taken, so that some moves are not possible any more.
    pub(crate) fn is_in_move(&self) -> bool {
        self.listing.is_narrowed()
    }

    /// The states after each of the possible moves; none where moves are known as words only.
    pub(crate) fn after_possible<'e>(&'e self, game: &'e Game) -> impl Iterator<Item = Result<State, EnvError>> + 'e {
        self.listing.possible_moves().map(|index| {
            let mut next = self.state.clone();
            game.reasoner().apply(&mut next, &self.listing.moves, index)?;
            Ok(next)
        })
    }

    /// What a player observed so far: the tags of all moves as far as it saw them. Nothing if the game hides nothing.
    pub fn observed(&self, player: usize) -> &[Tag] {
        self.observed.get(player).map_or(&[], Vec::as_slice)
    }

    /// Lists the legal actions, if they are not.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail; [`EnvError::Unnumbered`].
    pub fn list(&mut self, game: &Game, labels: &mut Labels) -> Result<(), EnvError> {
        if self.listing.listed != Listed::Nothing {
            return Ok(());
        }
        blank(&mut self.listing).list(game, &self.state, labels)
    }

    /// Takes one of the legal actions, which must be listed, and the keeper's answers to it.
    ///
    /// # Errors
    /// [`EnvError::Illegal`], before anything has changed; [`EnvError::Game`] if the rules fail, after which the game is unspecified.
    pub fn act(&mut self, game: &Game, action: u32) -> Result<Acted, EnvError> {
        let at = self.legal().iter().position(|&legal| legal == action).ok_or(EnvError::Illegal { action })?;
        self.act_at(game, at)
    }

    /// As [`Env::act`], with the action's place among [`Env::legal`].
    pub(crate) fn act_at(&mut self, game: &Game, at: usize) -> Result<Acted, EnvError> {
        let listing = &self.listing;
        let action = listing.legal.get(at).copied().ok_or(EnvError::Illegal { action: u32::MAX })?;
        match (listing.listed, game.actions().kind()) {
            (Listed::Nothing, _) => return Err(EnvError::Illegal { action }),
            (Listed::Packed, _) => {
                let packed = listing.packed.get(at).copied().ok_or(EnvError::Illegal { action })?;
                game.reasoner().apply_packed(&mut self.state, packed)?;
            }
            (Listed::Labelled, ActionKind::Moves) => self.make(game, at)?,
            (Listed::Labelled, ActionKind::Steps) => {
                let (from, to) = listing.going_on(game, action).ok_or(EnvError::Illegal { action })?;
                if to - from > 1 {
                    Arc::make_mut(&mut self.listing).step(game, (from, to))?;
                    return Ok(Acted::Stepped);
                }
                let index = listing.order.get(from).copied().ok_or(EnvError::Illegal { action })?;
                self.make(game, index as usize)?;
            }
        }
        self.turn = Some(game.reasoner().turn(&self.state));
        self.forget();
        Ok(Acted::Moved)
    }

    /// Makes one of the moves that have their tags.
    fn make(&mut self, game: &Game, index: usize) -> Result<(), EnvError> {
        let reasoner = game.reasoner();
        if self.observed.is_empty() {
            return Ok(reasoner.apply(&mut self.state, &self.listing.moves, index)?);
        }
        let mut events: Vec<Event> = Vec::new();
        reasoner.apply_logged(&mut self.state, &self.listing.moves, index, &mut events)?;
        for (player, observed) in self.observed.iter_mut().enumerate() {
            observed.extend(events.iter().flat_map(|event| event.observed_by(player)));
        }
        Ok(())
    }

    /// Becomes a copy of a game whose actions are not listed, and keeps its own room for them.
    pub(crate) fn begin(&mut self, start: &Self) {
        self.state.clone_from(&start.state);
        self.turn = start.turn;
        self.observed.clone_from(&start.observed);
        self.forget();
    }

    /// Leaves no legal actions: the game is over, or counts as such.
    pub(crate) fn finish(&mut self) {
        self.forget();
    }

    /// The state has changed.
    fn forget(&mut self) {
        blank(&mut self.listing);
    }

    /// Makes the moves of `random`, as long as it decides, each drawn with the same probability.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail; [`EnvError::EndlessChance`].
    pub fn draw(&mut self, game: &Game, rng: &mut Rng) -> Result<(), EnvError> {
        let reasoner = game.reasoner();
        for _ in 0..MAX_CHANCE {
            if self.turn() != Turn::Random {
                return Ok(());
            }
            if self.observed.is_empty() {
                let packed = &mut blank(&mut self.listing).packed;
                reasoner.packed_moves(&self.state, packed)?;
                let drawn = packed.get(rng.below(packed.len() as u32) as usize).copied();
                let Some(drawn) = drawn else { return Ok(()) };
                reasoner.apply_packed(&mut self.state, drawn)?;
            } else {
                let listing = blank(&mut self.listing);
                listing.label(game, &self.state)?;
                let drawn = rng.below(listing.moves.len() as u32) as usize;
                self.make(game, drawn)?;
            }
            self.turn = Some(reasoner.turn(&self.state));
            self.forget();
        }
        Err(EnvError::EndlessChance)
    }

    /// Draws one of the legal actions, each with the same probability; `None` if there are none.
    pub fn sample(&self, rng: &mut Rng) -> Option<u32> {
        self.legal().get(self.sample_at(rng)).copied()
    }

    /// As [`Env::sample`]: the action's place among [`Env::legal`].
    pub(crate) fn sample_at(&self, rng: &mut Rng) -> usize {
        let legal = self.legal();
        if legal.is_empty() { 0 } else { rng.below(legal.len() as u32) as usize }
    }
}

/// Empties a listing, or puts another one into the place of a shared one.
fn blank(listing: &mut Arc<Listing>) -> &mut Listing {
    if Arc::get_mut(listing).is_none() {
        *listing = Arc::default();
    }
    // It is not shared now.
    let listing = Arc::make_mut(listing);
    listing.clear();
    listing
}
