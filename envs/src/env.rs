//! One game in progress.

use crate::game::Game;
use crate::listing::Listing;
use crate::numbers::Numbers;
use crate::place::Place;
use backend::{Error, Rng, State, Tag, Turn};
use std::fmt;
use std::sync::Arc;

/// Moves of `random` in a row at most.
pub(crate) const MAX_CHANCE: u32 = 10_000;

/// Numbers of moves by their words, so that labels are read once only. One for each thread.
#[derive(Default, Debug)]
pub struct Labels {
    /// By `packed_label_key`. For steps, these are places in `steps`.
    pub(crate) numbers: Vec<Numbers>,
    /// The tags of moves.
    pub(crate) steps: Vec<Box<[Tag]>>,
    /// How often all moves of a state were known in this way, and how often not.
    pub(crate) counts: (u64, u64),
    /// By action, the last round of [`Labels::first_repeated`] that met it.
    met: Vec<u32>,
    round: u32,
}

impl Labels {
    /// The first of some actions, of so many that there are, that was among them before. Linear in their number.
    pub(crate) fn first_repeated(&mut self, actions: &[u32], count: usize) -> Option<u32> {
        if self.met.len() != count || self.round == u32::MAX {
            (self.met, self.round) = (vec![0; count], 0);
        }
        self.round += 1;
        let round = self.round;
        let mut is_repeated =
            |action: u32| self.met.get_mut(action as usize).is_some_and(|met| std::mem::replace(met, round) == round);
        actions.iter().copied().find(|&action| is_repeated(action))
    }

    /// Steps: whether it is worth while to look moves up before they are listed with their tags.
    pub(crate) fn are_kept(&self) -> bool {
        let (known, unknown) = self.counts;
        unknown < 8 || 4 * unknown < known
    }
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
    /// There is no room for so many games.
    NoRoom {
        /// How many.
        games: usize,
    },
    /// Several legal moves are the same action ([`crate::Actions::Places`]).
    Alike {
        /// The action.
        action: u32,
        /// The moves' tags.
        labels: Vec<String>,
    },
    /// Bytes of a batch that are of another game, or another number of games, or were changed; or of one that was made in another way.
    Unreadable,
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
            Self::NoRoom { games } => write!(f, "there is no room for {games} games"),
            Self::Unreadable => f.write_str("these bytes were not written by a batch of this game with as many games"),
            Self::EndlessChance => write!(f, "`random` makes {MAX_CHANCE} moves in a row"),
            Self::Alike { action, labels } => {
                let labels = labels.join("`, `");
                write!(
                    f,
                    "the moves `{labels}` name the same places, but are legal at once: action {action} would be several moves"
                )
            }
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
    place: Place,
    listing: Arc<Listing>,
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
        Self { place: Place::at(game, state), listing: Arc::default() }
    }

    /// The state in which the move began whose steps are being taken.
    pub fn state(&self) -> &State {
        &self.place.state
    }

    /// Who decides.
    pub fn turn(&self) -> Turn {
        self.place.turn
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

    /// Where actions are steps, the tags of each move that is still possible.
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

    /// Where actions are steps, the states after each move that is still possible.
    pub(crate) fn after_possible<'e>(&'e self, game: &'e Game) -> impl Iterator<Item = Result<State, EnvError>> + 'e {
        self.listing.possible_moves().map(|index| {
            let mut next = self.state().clone();
            self.listing.make(game, &mut next, index)?;
            Ok(next)
        })
    }

    /// What a player observed so far: the tags of all moves as far as it saw them. Nothing if the game hides nothing.
    pub fn observed(&self, player: usize) -> &[Tag] {
        self.place.observed(player)
    }

    /// Lists the legal actions, if they are not.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail; [`EnvError::Unnumbered`].
    pub fn list(&mut self, game: &Game, labels: &mut Labels) -> Result<(), EnvError> {
        if self.listing.is_listed() {
            return Ok(());
        }
        own(&mut self.listing).list(game, &self.place.state, labels)
    }

    /// Takes one of the legal actions, which must be listed, and the keeper's answers to it.
    ///
    /// # Errors
    /// [`EnvError::Illegal`], before anything has changed; [`EnvError::Game`] if the rules fail, after which the game is unspecified.
    pub fn act(&mut self, game: &Game, action: u32) -> Result<Acted, EnvError> {
        let at = self.legal().iter().position(|&legal| legal == action).ok_or(EnvError::Illegal { action })?;
        let acted = self.place.act(game, &self.listing, at)?;
        match acted {
            None => {
                own(&mut self.listing);
                Ok(Acted::Moved)
            }
            Some(possible) => {
                Arc::make_mut(&mut self.listing).step(game, possible)?;
                Ok(Acted::Stepped)
            }
        }
    }

    /// Makes the moves of `random`, as long as it decides, each drawn with the same probability.
    ///
    /// # Errors
    /// [`EnvError::Game`] if the rules fail; [`EnvError::EndlessChance`].
    pub fn draw(&mut self, game: &Game, rng: &mut Rng) -> Result<(), EnvError> {
        if self.turn() != Turn::Random {
            return Ok(());
        }
        self.place.draw(game, own(&mut self.listing), rng)
    }

    /// Plays at random until the game is over or has so many more moves of players; their number. Actions are not listed afterwards.
    ///
    /// # Errors
    /// As for [`Env::draw`].
    pub(crate) fn play(&mut self, game: &Game, most: u32, rng: &mut Rng) -> Result<u64, EnvError> {
        let mut plies = 0;
        loop {
            self.draw(game, rng)?;
            if self.turn() == Turn::End || plies >= u64::from(most) {
                return Ok(plies);
            }
            self.place.move_at_random(game, own(&mut self.listing), rng)?;
            plies += 1;
        }
    }

    /// Draws one of the legal actions, each with the same probability; `None` if there are none.
    pub fn sample(&self, rng: &mut Rng) -> Option<u32> {
        self.legal().get(self.listing.sample(rng)).copied()
    }
}

/// Empties a listing, or puts another one into the place of a shared one.
fn own(listing: &mut Arc<Listing>) -> &mut Listing {
    if Arc::get_mut(listing).is_none() {
        *listing = Arc::default();
    }
    // It is not shared now.
    let listing = Arc::make_mut(listing);
    listing.clear();
    listing
}
