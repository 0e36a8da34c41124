//! What matches need: who sits where, and how strong agents are. For `rgc/matches.py`.

use kit::elo::{Results, elo};
use kit::ratings::rate;
use kit::tournament::{lineups, seatings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Games of a match at most.
const MAX_GAMES: u64 = 10_000_000;

/// By game, which agent each player is: a round robin of `games` games for every choice of agents.
#[pyfunction(name = "_seats")]
pub(crate) fn seats(agents: usize, players: usize, games: u64) -> PyResult<Vec<Vec<usize>>> {
    if agents == 0 {
        return Err(PyValueError::new_err("a match needs agents"));
    }
    let lineups = lineups(agents, players).filter(|lineups| games.saturating_mul(lineups.len() as u64) <= MAX_GAMES);
    let lineups = lineups.ok_or_else(|| PyValueError::new_err("these are too many games"))?;
    let orders: Vec<Vec<Vec<usize>>> = lineups.iter().map(|patterns| seatings(patterns, games)).collect();
    let round = |round: usize| orders.iter().filter_map(move |orders| orders.get(round % orders.len().max(1)).cloned());
    Ok((0..games as usize).flat_map(round).collect())
}

/// The difference of Elo ratings, and its interval.
#[pyfunction(name = "_elo")]
pub(crate) fn elo_of(won: u64, drawn: u64, lost: u64) -> (f64, f64, f64) {
    let results = Results { won, drawn, lost };
    let (low, high) = results.interval();
    (elo(results.score()), elo(low), elo(high))
}

/// The ratings of agents from the results of pairs, each with half of its interval.
#[pyfunction(name = "_ratings")]
pub(crate) fn ratings(agents: usize, results: Vec<(usize, usize, u64, u64, u64)>) -> Vec<(f64, f64)> {
    let results: Vec<_> = results
        .into_iter()
        .map(|(one, other, won, drawn, lost)| ((one, other), Results { won, drawn, lost }))
        .collect();
    rate(agents, &results).into_iter().map(|rating| (rating.elo, rating.half)).collect()
}
