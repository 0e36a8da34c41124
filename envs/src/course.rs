//! How the games of a batch came to where they are, so that they can be written to bytes, read again, and gone on with one by one.

use crate::actions::ActionKind;
use crate::batch::{Batch, Chance};
use crate::env::{Acted, Env, EnvError, Labels, MAX_CHANCE};
use crate::game::Game;
use crate::listing::Listing;
use crate::place::Place;
use backend::{Moves, Rng, Turn};

/// The actions of a game from its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) actions: Vec<u32>,
    /// How many of the first actions include those of chance: those that led to where the game began.
    pub(crate) given: usize,
    /// What drew for chance behind these.
    pub(crate) chance: Rng,
}

impl Course {
    /// Begins anew, with what draws from then on.
    pub(crate) fn begin(&mut self, given: &[u32], chance: &Rng) {
        self.actions.clear();
        self.actions.extend_from_slice(given);
        (self.given, self.chance) = (given.len(), chance.clone());
    }

    /// Leads a game that is at its beginning along its actions once more: its generator for chance afterwards, and the number of its moves, those of chance left out. The listing is
    /// that of the place, or empty.
    ///
    /// # Errors
    /// [`EnvError::Illegal`] for the first action that is not legal; the rules fail.
    pub(crate) fn follow(
        &self,
        game: &Game,
        chance: Chance,
        (place, listing, labels): (&mut Place, &mut Listing, &mut Labels),
    ) -> Result<(Rng, u32), EnvError> {
        let (mut rng, mut plies) = (self.chance.clone(), 0);
        for (at, &action) in self.actions.iter().enumerate() {
            if at >= self.given && chance == Chance::Sampled {
                place.draw(game, listing, &mut rng)?;
            }
            if place.turn == Turn::End {
                return Err(EnvError::Illegal { action });
            }
            if !listing.is_listed() {
                listing.list(game, &place.state, labels)?;
            }
            let legal = listing.legal.iter().position(|&legal| legal == action).ok_or(EnvError::Illegal { action })?;
            let is_players = place.turn != Turn::Random;
            match place.act(game, listing, legal)? {
                Some(possible) => listing.step(game, possible)?,
                None => {
                    listing.clear();
                    plies += u32::from(is_players);
                }
            }
        }
        if chance == Chance::Sampled {
            place.draw(game, listing, &mut rng)?;
        }
        Ok((rng, plies))
    }

    /// All actions, those that chance drew included, and the game after them.
    ///
    /// # Errors
    /// As for [`Course::follow`].
    fn written_out(&self, game: &Game, chance: Chance) -> Result<(Vec<u32>, Env), EnvError> {
        let (mut env, mut labels, mut rng) = (Env::new(game)?, Labels::default(), self.chance.clone());
        let mut all = Vec::with_capacity(self.actions.len());
        for (at, &action) in self.actions.iter().enumerate() {
            if at >= self.given && chance == Chance::Sampled {
                drawn(game, &mut env, (&mut labels, &mut rng), &mut all)?;
            }
            env.list(game, &mut labels)?;
            env.act(game, action)?;
            all.push(action);
        }
        if chance == Chance::Sampled {
            drawn(game, &mut env, (&mut labels, &mut rng), &mut all)?;
        }
        Ok((all, env))
    }
}

/// Takes the actions that chance draws, and adds them to those of the game.
fn drawn(
    game: &Game,
    env: &mut Env,
    (labels, rng): (&mut Labels, &mut Rng),
    all: &mut Vec<u32>,
) -> Result<(), EnvError> {
    let mut moves = Moves::new();
    for _ in 0..MAX_CHANCE {
        if env.turn() != Turn::Random {
            return Ok(());
        }
        game.reasoner().legal_moves(env.state(), &mut moves)?;
        if moves.is_empty() {
            return Ok(());
        }
        let tags = moves.tags(rng.below(moves.len() as u32) as usize);
        env.list(game, labels)?;
        let actions = env.actions_for(game, tags).map_err(|label| EnvError::Unnumbered { label })?;
        for action in actions {
            env.list(game, labels)?;
            let acted = env.act(game, action)?;
            all.push(action);
            if acted == Acted::Moved || game.actions().kind() == ActionKind::Moves {
                break;
            }
        }
    }
    Err(EnvError::EndlessChance)
}

impl Batch {
    /// The actions of a game from its beginning, those of chance included: [`Env::after`] leads to where it is. `None` if there is no such game, or where outcomes of chance have
    /// the same number, so that actions do not tell which it was. Linear in the moves.
    ///
    /// # Errors
    /// The rules fail.
    pub fn history(&self, index: usize) -> Result<Option<Vec<u32>>, EnvError> {
        let Some((course, place)) = self.course(index) else { return Ok(None) };
        match course.written_out(self.game(), self.plan().chance) {
            Ok((actions, env)) => Ok((env.state() == &place.state).then_some(actions)),
            // Another outcome with the same number was taken.
            Err(EnvError::Illegal { .. } | EnvError::Alike { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Bytes that are read from the front.
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl Bytes<'_> {
    /// As many as an array has; `None` if there are fewer.
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A generator of random numbers.
    pub(crate) fn rng(&mut self) -> Option<Rng> {
        let words = [self.u64()?, self.u64()?, self.u64()?, self.u64()?];
        // All zeros draw zeros for ever.
        words.iter().any(|&word| word != 0).then(|| Rng::from_words(words))
    }

    /// A list of numbers behind its length.
    pub(crate) fn list(&mut self) -> Option<Vec<u32>> {
        let count = self.u32()? as usize;
        if count > self.0.len() / 4 {
            return None;
        }
        (0..count).map(|_| self.u32()).collect()
    }
}

/// Writes a generator of random numbers.
pub(crate) fn put_rng(bytes: &mut Vec<u8>, rng: &Rng) {
    rng.words().iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}
