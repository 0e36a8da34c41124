//! Verification of claims: pragmas of section 10 are tested by search.
//!
//! The naive engine plays the game, first breadth first, then at random, and looks at every walk of every search,
//! reachability checks included. A claim is wrong if some walk contradicts it; one that no walk contradicts may still be
//! wrong beyond the budget.
//!
//! How claims are read where section 10 leaves room: a search does not go on with a walk that arrives where another with
//! the same tags and state has been, except at nodes claimed to be `@unique`; arrivals at a `@repeat` node with equal tags
//! and equal listed variables are interchangeable if they have the same continuations, leading to the same states;
//! `@tagIndex` and `@simpleApply` speak of moves, not of checks. A `@disjoint` list that does not name all edges to a
//! target claims nothing.

use crate::naive::{Naive, Verifier, Violated};
use engine::Budget;
use engine::Error;
use engine::Limits;
use engine::Rng;
use engine::model::Model;
use engine::options::{Engine, Options};
use engine::outcomes::Ambiguity;
use engine::state::{Moves, State, Turn};
use engine::valid::ValidGame;
use rg_ir::Game;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// So many steps of a search cost as much as a move.
const STEPS: u64 = 1_000;

/// A claim that is wrong, and a play that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Position of the claim in [`Game::pragmas`].
    pub pragma: usize,
    /// The moves of the play, those of the keeper included, tags separated by spaces; in the state after it some search
    /// contradicts the claim.
    pub play: Vec<String>,
    /// What the search found.
    pub what: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let play = if self.play.is_empty() { "the start".to_owned() } else { format!("`{}`", self.play.join("; ")) };
        write!(f, "after {play}: {}", self.what)
    }
}

/// Tests all claims of a game; the first violation found of each claim that is wrong, in the order of the pragmas.
///
/// States in which a search fails or meets a limit are left out. The budget counts moves; a thousand steps of a search
/// count as one.
///
/// # Errors
/// [`engine::ErrorKind::Invalid`] if the game cannot be executed, which does not happen to checked games.
pub fn verify(game: &Game, budget: &Budget) -> Result<Vec<Violation>, Error> {
    let game = ValidGame::new(game)?;
    let naive_steps = budget.moves.saturating_mul(100).clamp(2_000, 2_000_000);
    let limits = Limits { naive_steps, memory: 1 << 26, ..Limits::default() };
    let options = Options { engine: Engine::Naive, ambiguity: Ambiguity::Split, limits, ..Options::default() };
    let naive = Naive::new(&game, &options, Vec::new())?;
    let mut run = Run { verifier: Verifier::new(naive), found: Vec::new(), left: budget.moves };
    for Violated { pragma, what } in run.verifier.shapes() {
        run.found.push(Violation { pragma, play: Vec::new(), what });
    }
    if !run.verifier.done() {
        run.systematically();
        run.left = budget.play_moves;
        run.randomly(budget);
    }
    run.found.sort_by_key(|violation| violation.pragma);
    Ok(run.found)
}

struct Run {
    verifier: Verifier,
    found: Vec<Violation>,
    left: u64,
}

impl Run {
    fn systematically(&mut self) {
        let start = self.verifier.naive.initial();
        let mut seen: FxHashSet<State> = FxHashSet::from_iter([start.clone()]);
        let mut queue: VecDeque<(State, Vec<String>)> = VecDeque::from([(start, Vec::new())]);
        while let Some((state, play)) = queue.pop_front() {
            if self.left == 0 {
                return;
            }
            let Some(moves) = self.look(&state, &play) else { continue };
            for at in 0..moves.len() {
                if self.left == 0 {
                    return;
                }
                self.left -= 1;
                let mut next = state.clone();
                if self.verifier.naive.apply(&mut next, &moves, at) && seen.insert(next.clone()) {
                    queue.push_back((next, self.longer(&play, &moves, at)));
                }
            }
        }
    }

    fn randomly(&mut self, budget: &Budget) {
        let mut rng = Rng::new(budget.seed);
        for _ in 0..budget.plays {
            let (mut state, mut play) = (self.verifier.naive.initial(), Vec::new());
            for _ in 0..budget.plies {
                let Some(moves) = self.look(&state, &play).filter(|moves| !moves.is_empty()) else { break };
                self.left = self.left.saturating_sub(moves.len() as u64 + 1);
                let at = u32::try_from(moves.len()).map_or(0, |count| rng.below(count) as usize);
                play = self.longer(&play, &moves, at);
                self.verifier.naive.apply(&mut state, &moves, at);
            }
            if self.left == 0 || self.verifier.done() {
                break;
            }
        }
    }

    fn longer(&self, play: &[String], moves: &Moves, at: usize) -> Vec<String> {
        let mut play = play.to_vec();
        play.push(self.verifier.text(moves.tags(at)));
        play
    }

    /// Tests the claims in the searches of one state; its moves, if there are any and nothing fails.
    fn look(&mut self, state: &State, play: &[String]) -> Option<Moves> {
        if self.verifier.done() || self.verifier.naive.turn(state) == Some(Turn::End) {
            return None;
        }
        let (moves, wrong, steps) = self.verifier.state(state);
        self.left = self.left.saturating_sub(steps / STEPS);
        self.found.extend(wrong.into_iter().map(|Violated { pragma, what }| Violation {
            pragma,
            play: play.to_vec(),
            what,
        }));
        moves
    }
}
