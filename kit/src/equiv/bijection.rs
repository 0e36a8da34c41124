//! Comparing games whose moves are called differently, by a renaming of the words of moves.
//!
//! Every hypothesis about which words count and how boards lie is tried until one holds: the games are then explored in lock
//! step as if moves were called the same. A hypothesis that fails may be wrong, or the games may differ; it is believed only
//! if it held for many positions.

use super::named::{Naming, Search, Stop};
use super::renaming::{Hypothesis, Renaming};
use super::words::{ORIENTATIONS, Place, Spelling, selections};
use super::{Budget, Criterion, Position, Verdict, look_at};
use crate::Result;
use crate::runner::Runner;
use backend::{Moves, State};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Positions for which a renaming has to hold before a difference is believed.
const BELIEVED: u64 = 1_000;

/// Guesses of partners for words that nothing tells apart.
const ATTEMPTS: usize = 4;

/// All hypotheses together may compare this multiple of the positions that one may.
const FACTOR: u64 = 3;

/// Hypotheses that are tried.
const MAX_HYPOTHESES: usize = 1_000;

/// What the renamings found.
pub(super) struct Found {
    /// Of a renaming that holds; else of the first that is believed; else of the one that held longest.
    pub(super) verdict: Verdict,
    /// Whether it holds, or held for long enough to be believed.
    pub(super) believed: bool,
}

/// Compares two games by renamings.
pub(super) fn compare(games: [&Runner; 2], budget: &Budget) -> Result<Found> {
    let start = Position::initial(games)?;
    let nothing = "no renaming makes the moves agree / no renaming makes the moves agree".to_owned();
    let mut best = Verdict::new(Criterion::Bijection, Some(start.difference(games, nothing, true)));
    let (mut held, mut believed) = (0, false);
    let spelling = games.map(Spelling::new);
    let mut spent = 0u64;
    for hypothesis in hypotheses(games)?.into_iter().take(MAX_HYPOTHESES) {
        if spent > budget.positions.saturating_mul(FACTOR).max(BELIEVED) {
            break;
        }
        let spelt = hypothesis.orientation.is_some();
        let renaming = Renaming::new(hypothesis, &spelling);
        let mut search = Search::new(games, Naming::Renamed(renaming));
        let verdict = search.run(&start, budget, Criterion::Bijection)?;
        if verdict.equal {
            return Ok(Found { verdict, believed: true });
        }
        if verdict.difference.as_ref().is_some_and(|found| found.first.is_empty() && !found.named) {
            // No renaming helps.
            return Ok(Found { verdict, believed: true });
        }
        spent = spent.saturating_add(search.seen);
        if search.seen > held && !believed {
            // A renaming can be too poor in words; that shows in moves without partners, not in other differences.
            believed = spelt && search.seen > BELIEVED && verdict.difference.as_ref().is_some_and(|found| !found.named);
            (held, best) = (search.seen, verdict);
        }
    }
    Ok(Found { verdict: best, believed })
}

/// All hypotheses, the likely ones first: words column by column, then all words of a move as one.
fn hypotheses(games: [&Runner; 2]) -> Result<Vec<Hypothesis>> {
    let [a, b] = games;
    let (first, second) = (selections(a)?, selections(b)?);
    let mut columns = Vec::new();
    let singles = |selection: &[Place]| selection.iter().map(|&place| vec![place]).collect::<Vec<_>>();
    for a in &first {
        for b in second.iter().filter(|b| b.len() == a.len()) {
            columns.extend(orders(b).into_iter().map(|b| [singles(a), singles(&b)]));
        }
    }
    for a in &first {
        for b in second.iter().filter(|b| a.len() > 1 || b.len() > 1) {
            columns.push([vec![a.clone()], vec![b.clone()]]);
        }
    }
    let mut hypotheses = Vec::new();
    for oriented in [true, false] {
        for shared in [true, false] {
            for columns in columns.iter().filter(|[first, _]| shared || first.len() > 1) {
                let with = |orientation, attempt| Hypothesis { columns: columns.clone(), shared, orientation, attempt };
                if oriented {
                    hypotheses.extend((0..ORIENTATIONS).map(|orientation| with(Some(orientation), 0)));
                } else {
                    hypotheses.extend((0..ATTEMPTS).map(|attempt| with(None, attempt)));
                }
            }
        }
    }
    Ok(hypotheses)
}

/// All orders of a few places, the given one first.
fn orders(places: &[Place]) -> Vec<Vec<Place>> {
    let mut orders = vec![Vec::new()];
    for &place in places {
        let longer = orders.iter().flat_map(|order: &Vec<Place>| {
            (0..=order.len()).rev().map(|at| {
                let (before, after) = order.split_at(at);
                [before, &[place], after].concat()
            })
        });
        orders = longer.collect();
    }
    orders
}

/// What follows each move of a game: who is to move with how many moves, or the scores.
pub(super) fn follow(game: &Runner, state: &State, moves: &Moves, play: &[String]) -> Result<Vec<u64>, Stop> {
    let mut next_moves = Moves::new();
    let mut follow = |index: usize| -> Result<u64> {
        let mut next = state.clone();
        let after = || [play, &[game.reasoner.move_text(moves, index)]].concat();
        let applied = game.reasoner.apply(&mut next, moves, index);
        applied.map_err(|error| game.failure_after(error, after()))?;
        let legal = game.reasoner.legal_moves(&next, &mut next_moves);
        legal.map_err(|error| game.failure_after(error, after()))?;
        let mut hasher = FxHasher::default();
        (look_at(game, &next), next_moves.len()).hash(&mut hasher);
        Ok(hasher.finish())
    };
    Ok((0..moves.len()).map(&mut follow).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders() {
        let places = [Place::Start(0), Place::Start(1), Place::End(0)];
        let orders = orders(&places);
        assert_eq!((orders.len(), orders[0].as_slice()), (6, &places[..]));
        assert_eq!(super::orders(&[]), [[]]);
    }
}
