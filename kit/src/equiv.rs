//! Are two games the same game?
//!
//! Both are explored in lock step: in a pair of positions that should be the same, who is to move, how many moves there
//! are, whether the game is over, and the scores have to agree. How moves correspond is a [`Criterion`]: by what they are
//! called, by a renaming, or by the shape of what follows. Games whose moves do not correspond one to one can still be
//! compared by counts. Players correspond by their order of declaration, whatever their names are.

mod bijection;
mod counts;
mod named;
mod renaming;
mod shape;
mod steps;
mod words;

use crate::Result;
use crate::runner::Runner;
use backend::{Error, Moves, Rng, State, Turn};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// How moves of the two games correspond.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// By equal text in the notations of their languages; white space does not count.
    Notation,
    /// By equal tags.
    Tags,
    /// By a renaming of the words of moves, such as `c1` for `rx2y0`.
    Bijection,
    /// By the shape of the game tree: who is to move, number of moves, ends, scores.
    Shape,
    /// By the words of moves, where the second game makes a move in several steps of the same player.
    Steps,
    /// Not at all: the numbers of move sequences and the scores of playouts are compared.
    Counts,
}

/// How much work to do.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most plies of the systematic part.
    pub depth: u32,
    /// Most positions of the systematic part.
    pub positions: u64,
    /// Number of playouts after it.
    pub plays: u32,
    /// Seed of the playouts.
    pub seed: u64,
}

/// Playouts are abandoned after this many plies.
const MAX_PLIES: usize = 10_000;

/// What came out.
#[derive(Debug, Serialize)]
pub struct Verdict {
    /// Whether no difference was found.
    pub equal: bool,
    /// How moves were matched.
    pub criterion: Criterion,
    /// Plies up to which everything was compared.
    pub depth: u32,
    /// Whether that is everything there is: all plays are over by then, or no further positions exist.
    pub complete: bool,
    /// Positions compared in the systematic part.
    pub positions: u64,
    /// Random plays compared.
    pub plays: u32,
    /// Random plays that were left, because several moves looked alike and the wrong ones may have been matched; by steps, positions, too.
    pub undecided: u32,
    /// How the scores of playouts compare, if that is the criterion or shape decided little.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// The first difference found.
    pub difference: Option<Difference>,
}

pub use counts::Statistics;

/// A play after which the games differ.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// The moves in the notation of the first game.
    pub first: Vec<String>,
    /// The corresponding moves in the notation of the second game.
    pub second: Vec<String>,
    /// What differs, the first game's side first.
    pub what: String,
    /// Whether only the names of moves differ.
    #[serde(skip)]
    named: bool,
}

impl Verdict {
    /// The verdict before anything was compared.
    fn new(criterion: Criterion, difference: Option<Difference>) -> Self {
        let blank = Self {
            equal: true,
            criterion,
            depth: 0,
            complete: false,
            positions: 0,
            plays: 0,
            undecided: 0,
            statistics: None,
            difference: None,
        };
        blank.unless(difference)
    }

    /// The same, or that the games differ.
    fn unless(self, difference: Option<Difference>) -> Self {
        Self { equal: difference.is_none(), difference, ..self }
    }
}

/// Compares two games by one criterion.
///
/// # Errors
/// Run-time errors of either game.
pub fn compare_by(criterion: Criterion, games: [&Runner; 2], budget: &Budget) -> Result<Verdict> {
    match criterion {
        Criterion::Notation | Criterion::Tags => named::compare(games, criterion, budget),
        Criterion::Bijection => Ok(bijection::compare(games, budget)?.verdict),
        Criterion::Shape => shape::compare(games, budget),
        Criterion::Steps => steps::compare(games, budget),
        Criterion::Counts => counts::compare(games, budget),
    }
}

/// Compares two games by the criterion that suits them: by the names of moves, unless it is only these that differ; then
/// by a renaming, if there is one that holds; and if there is none, by shape, with counts where shape decides little. Games
/// that do not have the same shape can still be compared by counts alone, with [`compare_by`].
///
/// # Errors
/// Run-time errors of either game.
pub fn compare(games: [&Runner; 2], budget: &Budget) -> Result<Verdict> {
    for criterion in [Criterion::Notation, Criterion::Tags] {
        let verdict = named::compare(games, criterion, budget)?;
        if !verdict.difference.as_ref().is_some_and(|difference| difference.named) {
            return Ok(verdict);
        }
    }
    let renamed = bijection::compare(games, budget)?;
    if renamed.verdict.equal {
        return Ok(renamed.verdict);
    }
    // A difference in shape needs no renaming to be believed, and is the shortest one.
    let mut shape = shape::compare(games, budget)?;
    if !shape.equal || shape.complete {
        return Ok(shape);
    }
    if renamed.believed {
        return Ok(renamed.verdict);
    }
    if shape.undecided > 0 || shape.plays < budget.plays {
        // Whole plays could not be compared one by one, so they are compared by their numbers.
        let counts = counts::compare(games, budget)?;
        if !counts.equal {
            return Ok(counts);
        }
        shape.statistics = counts.statistics;
    }
    Ok(shape)
}

/// A position of both games, and the moves that led there, as tags.
#[derive(Clone)]
struct Position {
    states: [State; 2],
    play: [Vec<String>; 2],
}

impl Position {
    fn initial(games: [&Runner; 2]) -> Result<Self> {
        let [first, second] = games;
        Ok(Self { states: [first.initial()?, second.initial()?], play: [Vec::new(), Vec::new()] })
    }

    /// The position after a move of each game.
    fn after(&self, games: [&Runner; 2], moves: &[Moves; 2], choice: [usize; 2]) -> Result<Self> {
        let mut next = self.clone();
        for ((((game, state), play), moves), index) in
            games.into_iter().zip(&mut next.states).zip(&mut next.play).zip(moves).zip(choice)
        {
            play.push(game.reasoner.move_text(moves, index));
            game.reasoner.apply(state, moves, index).map_err(|error| game.failure_after(error, play.clone()))?;
        }
        Ok(next)
    }

    /// The legal moves of both games.
    fn moves(&self, games: [&Runner; 2], moves: &mut [Moves; 2]) -> Result<()> {
        for (((game, state), play), moves) in games.into_iter().zip(&self.states).zip(&self.play).zip(moves) {
            let legal = game.reasoner.legal_moves(state, moves);
            legal.map_err(|error: Error| game.failure_after(error, play.clone()))?;
        }
        Ok(())
    }

    /// What differs at first sight: who is to move, or the scores at the end.
    fn differs(&self, games: [&Runner; 2]) -> Option<String> {
        let [a, b] = [0, 1].map(|at| look(games, self, at));
        if a == b {
            return None;
        }
        let show = |look: &Look| match look {
            (Turn::End, scores) => format!("the game is over with scores {}", scores.join(", ")),
            (Turn::Random, _) => "chance is to move".to_owned(),
            (Turn::Player(index), _) => format!("player {} is to move", index + 1),
        };
        Some(format!("{} / {}", show(&a), show(&b)))
    }

    fn difference(&self, games: [&Runner; 2], what: String, named: bool) -> Difference {
        let [first, second] = [0usize, 1].map(|at| {
            let (Some(game), Some(play)) = (games.get(at), self.play.get(at)) else { return Vec::new() };
            game.short_play(play)
        });
        Difference { first, second, what, named }
    }
}

/// Who is to move, and at the end the scores.
type Look = (Turn, Vec<String>);

fn look(games: [&Runner; 2], position: &Position, at: usize) -> Look {
    match (games.get(at), position.states.get(at)) {
        (Some(game), Some(state)) => look_at(game, state),
        _ => (Turn::End, Vec::new()),
    }
}

fn look_at(game: &Runner, state: &State) -> Look {
    let turn = game.reasoner.turn(state);
    let scores = match turn {
        Turn::End => game.reasoner.scores(state).into_iter().map(str::to_owned).collect(),
        Turn::Player(_) | Turn::Random => Vec::new(),
    };
    (turn, scores)
}

/// What a game with another number of players differs in.
fn players(games: [&Runner; 2]) -> Option<String> {
    let [a, b] = games.map(|game| game.reasoner.players().len());
    (a != b).then(|| format!("{a} players / {b} players"))
}

/// A number below `bound`.
fn below(rng: &mut Rng, bound: usize) -> usize {
    rng.below(u32::try_from(bound).unwrap_or(u32::MAX).max(1)) as usize
}

/// The positions of what only one of two lists has, each key counted as often as it is there.
fn unmatched<K: std::hash::Hash + Eq>(first: &[K], second: &[K]) -> [Vec<usize>; 2] {
    [left_over(first, second), left_over(second, first)]
}

fn left_over<K: std::hash::Hash + Eq>(these: &[K], others: &[K]) -> Vec<usize> {
    let mut counts: FxHashMap<&K, usize> = FxHashMap::default();
    for key in others {
        *counts.entry(key).or_default() += 1;
    }
    let mut over = Vec::new();
    for (at, key) in these.iter().enumerate() {
        match counts.get_mut(key).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => over.push(at),
        }
    }
    over
}
