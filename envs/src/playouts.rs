//! Random plays.

use crate::env::{Env, EnvError, Labels};
use crate::game::Game;
use crate::seeds::mixed;
use backend::{PlayoutStats, Rng, Turn};

/// Plays that tell how much players observe, and moves of each at most.
const OBSERVED_PLAYS: u64 = 32;
const OBSERVED_PLIES: u32 = 2_000;
/// Numbers of observed tags that are shown are multiples of this.
const OBSERVED_STEP: usize = 64;

/// Tags that are shown at most of those that a player observed.
pub const MAX_OBSERVED: usize = 1 << 16;

/// The stream from which plays draw.
const PLAYS: u64 = 2;

/// What came of random plays.
#[derive(Default, Debug)]
pub struct Playouts {
    /// Of those that were finished: their number, moves, and scores.
    pub stats: PlayoutStats,
    /// Plays that were cut off.
    pub truncated: u64,
    /// Moves of players in these.
    pub truncated_plies: u64,
}

impl Game {
    /// Random plays from the beginning, cut off after so many moves of players. What is drawn in a play depends on the seed and the number of the play alone, not on how many
    /// there are, nor on whether others are cut off.
    ///
    /// # Errors
    /// The rules fail, or `random` moves without end.
    pub fn playouts(&self, count: u64, max_plies: Option<u32>, seed: u64) -> Result<Playouts, EnvError> {
        let mut played = Playouts::default();
        let (mut env, mut scores) = (Env::default(), Vec::new());
        // As it is when no play is finished.
        let kinds = self.reasoner().score_names().len();
        played.stats.scores = vec![vec![0; kinds]; self.reasoner().players().len()];
        for number in 0..count {
            rg_ir::cancel::check();
            let mut rng = Rng::new(mixed(seed, number, PLAYS));
            let Some(most) = max_plies else {
                self.reasoner().playout(&mut rng, &mut played.stats)?;
                continue;
            };
            env.clone_from(&Env::new(self)?);
            let plies = env.play(self, most, &mut rng)?;
            if env.turn() == Turn::End {
                scores.clear();
                self.reasoner().score_numbers(env.state(), &mut scores);
                played.stats.add(plies, 0, 0, scores.iter().copied());
            } else {
                played.truncated += 1;
                played.truncated_plies += plies;
            }
        }
        Ok(played)
    }

    /// How many tags a player observes in a play, as a rule: the most in some random plays, rounded up to a multiple of 64, and at most [`MAX_OBSERVED`]; 0 if nothing is hidden. The rules alone determine
    /// it, also as they number actions. It is found out at the first call.
    pub fn max_observed(&self) -> usize {
        if !self.reasoner().hides() {
            return 0;
        }
        *self.observed_cell().get_or_init(|| {
            let mut rng = Rng::new(0);
            let observed = (0..OBSERVED_PLAYS).filter_map(|_| self.observed_in_a_play(&mut rng).ok());
            observed.max().unwrap_or(0).max(1).next_multiple_of(OBSERVED_STEP).min(MAX_OBSERVED)
        })
    }

    /// The most tags that a player observes in a random play.
    fn observed_in_a_play(&self, rng: &mut Rng) -> Result<usize, EnvError> {
        let (mut env, mut labels) = (Env::new(self)?, Labels::default());
        for _ in 0..OBSERVED_PLIES {
            if env.turn() == Turn::End {
                break;
            }
            env.list(self, &mut labels)?;
            // Engines list moves in orders of their own.
            let mut legal = env.legal().to_vec();
            legal.sort_unstable();
            let Some(&action) = legal.get(rng.below(legal.len() as u32) as usize) else { break };
            env.act(self, action)?;
        }
        let players = self.reasoner().players().len();
        Ok((0..players).map(|player| env.observed(player).len()).max().unwrap_or(0))
    }
}
