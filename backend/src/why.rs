//! Why moves are not legal: walks of the rules that would be moves if some conditions held.
//!
//! The automaton is walked as in the definition of legal moves, but conditions that do not hold may be passed at a price
//! of one each; labels are found in the order of their price. The reference engine does it, so it takes its time.

use crate::naive::Naive;
use crate::options::Options;
use crate::reasoner::Reasoner;
use crate::state::State;
use crate::valid::ValidGame;
use engine::Error;
use rg_ir::{EdgeId, Game, Symbol};

/// A label that no legal move has, and the conditions because of which it has not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearMiss {
    /// The tags.
    pub tags: Vec<String>,
    /// The conditions, in the order of the walk; at least one.
    pub conditions: Vec<Condition>,
}

/// A comparison or check that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Its edge in the automaton.
    pub edge: EdgeId,
    /// For a comparison of symbols, the values of its left and right side.
    pub values: Option<(String, String)>,
}

/// What [`near_misses`] may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Conditions ignored at most.
    pub conditions: usize,
    /// Steps of the search.
    pub steps: u64,
}

/// Labels of walks from `state`, which belongs to `reasoner`, made for `game`, that would be moves if up to
/// `effort.conditions` conditions held: those that need fewest first. `wanted` is asked of every beginning of a tag
/// sequence whether it is of interest. The flag says whether the search ended before everything was seen.
///
/// # Errors
/// As for [`Reasoner::legal_moves`].
pub fn near_misses(
    reasoner: &Reasoner,
    game: &Game,
    state: &State,
    effort: Effort,
    wanted: impl Fn(&[&str]) -> bool,
) -> Result<(Vec<NearMiss>, bool), Error> {
    let game = ValidGame::new(game)?;
    let naive = Naive::new(&game, &Options::default(), Vec::new())?;
    let names = |tags: &[Symbol]| tags.iter().map(|&tag| game.name(tag)).collect::<Vec<_>>();
    let likes = |tags: &[Symbol]| wanted(&names(tags));
    let (missed, cut) = naive.missed(&reasoner.image(state), effort.conditions, effort.steps, &likes)?;
    let name = |symbol: Symbol| game.name(symbol).to_owned();
    let near = missed.into_iter().map(|missed| NearMiss {
        tags: missed.tags.iter().copied().map(name).collect(),
        conditions: missed
            .broken
            .into_iter()
            .map(|(edge, values)| Condition { edge, values: values.map(|(left, right)| (name(left), name(right))) })
            .collect(),
    });
    Ok((near.collect(), cut))
}
