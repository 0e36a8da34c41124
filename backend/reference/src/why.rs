//! Why moves are not legal: walks of the rules that would be moves if some conditions held.
//!
//! The automaton is walked as in the definition of legal moves, but conditions that do not hold may be passed at a price
//! of one each; labels are found in the order of their price. The reference engine does it, so it takes its time.

use crate::naive::Naive;
use crate::naive::route::Step;
use crate::naive::why::{Broken, Found, Missed};
use engine::{Error, Options, ValidGame};
use rg_ir::{EdgeId, ExprId, Game, Symbol};

pub use crate::naive::why::Effort;

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
    /// For a comparison, the keys of maps in it that are not written as symbols, each with its value.
    pub keys: Vec<(ExprId, String)>,
    /// The number of tags before it.
    pub after: usize,
    /// Conditions that do not hold either, each of which would be enough in its place.
    pub instead: Vec<Condition>,
}

/// What [`near_misses`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Misses {
    /// Near misses, those that need fewest conditions first.
    pub found: Vec<NearMiss>,
    /// Of the walks that are stopped by their first condition that does not hold, one that has most tags by then, with these tags.
    pub furthest: Option<NearMiss>,
    /// Whether the search ended before everything was seen.
    pub is_cut: bool,
}

/// An edge that a walk crosses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crossed {
    /// The edge.
    pub edge: EdgeId,
    /// The expressions in it that are not written as symbols, from the outside to the inside, each with its value when the edge is crossed. What an edge
    /// assigns to is left out, but for its keys; where any value is assigned, it has the one that was.
    pub reads: Vec<(ExprId, String)>,
}

/// What a move crosses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// The move itself.
    pub made: Vec<Crossed>,
    /// The keeper's moves behind it, until somebody else is to move or the game ends.
    pub answers: Vec<Crossed>,
}

/// The edges that a move crosses: a shortest walk with these tags from the state with the first image (as for [`near_misses`]) to that with the second one, both of states that keep values which nobody reads, and what
/// the keeper does on the way there. If no walk is found to lead there, but the tags belong to one move only, it is that one, as far as it goes. `None` if
/// it is not known which move was made, there is none, or it is not found within so many steps, of the move and of the keeper each.
///
/// # Errors
/// Those of a game that has no moves: limits, and what is improper.
pub fn route(game: &Game, images: (&[u32], &[u32]), tags: &[&str], steps: usize) -> Result<Option<Route>, Error> {
    let tags: Option<Vec<Symbol>> = tags.iter().map(|tag| game.symbols.get(tag)).collect();
    let Some(tags) = tags else { return Ok(None) };
    let valid = ValidGame::new(game)?;
    let found = Naive::new(&valid, &Options::default(), Vec::new())?.route(images, &tags, steps)?;
    let crossed = |Step { edge, reads, .. }: Step| Crossed {
        edge,
        reads: reads.into_iter().map(|(expr, value)| (expr, game.name(value).to_owned())).collect(),
    };
    let all = |steps: Vec<Step>| steps.into_iter().map(crossed).collect();
    Ok(found.map(|(made, answers)| Route { made: all(made), answers: all(answers) }))
}

/// Somebody who has no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unable {
    /// The player, by name.
    pub player: String,
    /// The image of the state in which the player would be to move, as for [`near_misses`].
    pub image: Vec<u32>,
}

/// Whose lack of moves a game has ended by, behind a move with these tags, between states with these images as for [`route`]: the rules have found out
/// that there is no way somewhere, and had they found one, this player would be to move next, and has no move. `None` if it has ended otherwise, or that is
/// not found out within so many steps.
///
/// # Errors
/// Those of a game that has no moves: limits, and what is improper.
pub fn unable(game: &Game, images: (&[u32], &[u32]), tags: &[&str], steps: usize) -> Result<Option<Unable>, Error> {
    let tags: Option<Vec<Symbol>> = tags.iter().map(|tag| game.symbols.get(tag)).collect();
    let Some(tags) = tags else { return Ok(None) };
    let valid = ValidGame::new(game)?;
    let naive = Naive::new(&valid, &Options::default(), Vec::new())?;
    let image = naive.unable_behind(images, &tags, steps)?;
    Ok(image.map(|image| Unable { player: game.name(naive.mover(&image)).to_owned(), image }))
}

/// Labels of walks from the state with this image (the values of all cells, then the node) that would be moves if up to
/// `effort.conditions` conditions held: those that need fewest first. `wanted` is asked of every beginning of a tag
/// sequence whether it is of interest.
///
/// # Errors
/// Those of a game that has no moves: limits, and what is improper.
pub fn near_misses(
    game: &Game,
    image: &[u32],
    effort: Effort<'_>,
    wanted: impl Fn(&[&str]) -> bool,
) -> Result<Misses, Error> {
    let game = ValidGame::new(game)?;
    let naive = Naive::new(&game, &Options::default(), Vec::new())?;
    let names = |tags: &[Symbol]| tags.iter().map(|&tag| game.name(tag)).collect::<Vec<_>>();
    let likes = |tags: &[Symbol]| wanted(&names(tags));
    let Found { missed, furthest, alternatives, is_cut } = naive.missed(image, effort, &likes)?;
    let name = |symbol: Symbol| game.name(symbol).to_owned();
    let plain = |Broken { edge, sides, keys, after }: Broken<Symbol>| {
        let values = sides.map(|(left, right)| (name(left), name(right)));
        let keys = keys.into_iter().map(|(key, value)| (key, name(value))).collect();
        Condition { edge, values, keys, after, instead: Vec::new() }
    };
    let condition = |broken: Broken<Symbol>| {
        let others = alternatives.get(&broken.edge).into_iter().flatten().filter(|(first, _)| *first == broken);
        let instead = others.map(|(_, other)| plain(other.clone())).collect();
        Condition { instead, ..plain(broken) }
    };
    let near = |missed: Missed| NearMiss {
        tags: missed.tags.iter().copied().map(name).collect(),
        conditions: missed.broken.into_iter().map(condition).collect(),
    };
    Ok(Misses { found: missed.into_iter().map(near).collect(), furthest: furthest.map(near), is_cut })
}
