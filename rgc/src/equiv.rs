//! Are two games the same game?
//!
//! Both are explored in lock step: in a pair of positions that should be the same, who is to move, how many moves there
//! are, whether the play is over, and the scores have to agree. How moves correspond is a [`Criterion`]: by what they are
//! called, or, for games whose moves are called differently, by the shape of what follows. Players correspond by their
//! order of declaration, whatever their names are.

mod named;
mod shape;

use crate::runner::{Runner, rendered};
use crate::session::Failure;
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
    /// By a bijection that is found in every position anew: moves correspond if what follows has the same shape (who is
    /// to move, number of moves, ends, scores) as far as was looked.
    Shape,
}

/// How much work to do.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most plies of the systematic part.
    pub depth: u32,
    /// Most positions of the systematic part.
    pub positions: u64,
    /// Number of random plays after it.
    pub plays: u32,
    /// Seed of the random plays.
    pub seed: u64,
}

/// Random plays are left after so many plies.
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
    /// Random plays that were left, because several moves looked alike and the wrong ones may have been matched.
    pub undecided: u32,
    /// The first difference found.
    pub difference: Option<Difference>,
}

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

/// Compares two games: by the names of moves if they are the same at the start, and if it is only names that differ
/// then, by shape.
///
/// # Errors
/// Run-time errors of either game.
pub fn compare(first: &Runner, second: &Runner, budget: &Budget) -> Result<Verdict, Failure> {
    let pair = [first, second];
    for criterion in [Criterion::Notation, Criterion::Tags] {
        let Some(verdict) = named::compare(pair, criterion, budget)? else { continue };
        if !verdict.difference.as_ref().is_some_and(|difference| difference.named) {
            return Ok(verdict);
        }
    }
    shape::compare(pair, budget)
}

/// A position of both games, and the moves that led there, as tags.
#[derive(Clone)]
struct Position {
    states: [State; 2],
    play: [Vec<String>; 2],
}

impl Position {
    fn initial(games: [&Runner; 2]) -> Result<Self, Failure> {
        let [first, second] = games;
        Ok(Self { states: [first.initial()?, second.initial()?], play: [Vec::new(), Vec::new()] })
    }

    /// The position after a move of each game.
    fn after(&self, games: [&Runner; 2], moves: &[Moves; 2], choice: [usize; 2]) -> Result<Self, Failure> {
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
    fn moves(&self, games: [&Runner; 2], moves: &mut [Moves; 2]) -> Result<(), Failure> {
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
            (Turn::End, scores) => format!("the play is over with scores {}", scores.join(", ")),
            (Turn::Random, _) => "chance is to move".to_owned(),
            (Turn::Player(index), _) => format!("player {} is to move", index + 1),
        };
        Some(format!("{} / {}", show(&a), show(&b)))
    }

    fn difference(&self, games: [&Runner; 2], what: String, named: bool) -> Difference {
        let [first, second] = [0usize, 1].map(|at| {
            let (Some(game), Some(play)) = (games.get(at), self.play.get(at)) else { return Vec::new() };
            play.iter().map(|text| rendered(&*game.loaded.notation, text)).collect()
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
