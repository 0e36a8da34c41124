//! Comparing games without matching moves: by numbers of move sequences (perft), and by the scores of playouts.
//!
//! That is all there is where one game makes two moves of what is one in the other. The numbers of move sequences are compared if
//! plays are equally long on average. Scores are compared by a chi-square test of two samples: that they come from the
//! same distribution is given up if the sum of the squared deviations is larger than chance makes it once in 10,000 times.
//! Equal counts prove nothing, so a verdict of this kind is called statistical wherever it is shown.

use super::{Budget, Criterion, Difference, Position, Verdict, players, shape};
use crate::Result;
use crate::runner::Runner;
use backend::{PlayoutStats, Rng};
use serde::Serialize;
use std::collections::BTreeMap;

/// Random plays of each game, times the number asked for.
const PLAYS_FACTOR: u32 = 20;

/// Quantile of the normal distribution for 1 in 10,000.
const RARE: f64 = 3.719;

/// Scores that are met more rarely in both games together are taken as one kind.
const FEW: u64 = 10;

/// How playouts of two games compare.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    /// Random plays of each game.
    pub plays: u32,
    /// Mean number of moves of the players, per game.
    pub mean_plies: [f64; 2],
    /// Whether these agree, so that the numbers of move sequences can be compared.
    pub plies_agree: bool,
    /// Depth to which the numbers of move sequences are equal; 0 if they were not compared.
    pub depth: u32,
    /// Chi-square of the scores.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub freedom: usize,
    /// What it may be.
    pub threshold: f64,
}

/// Random plays of one game.
struct Sample {
    /// How often plays ended with these scores.
    scores: BTreeMap<Vec<String>, u64>,
    plies: f64,
    squares: f64,
}

/// Compares two games by counts.
pub(super) fn compare(games: [&Runner; 2], budget: &Budget) -> Result<Verdict> {
    let start = Position::initial(games)?;
    let different = |what| start.difference(games, what, false);
    let mut verdict = Verdict::new(Criterion::Counts, players(games).map(different));
    if !verdict.equal {
        return Ok(verdict);
    }
    let plays = budget.plays.saturating_mul(PLAYS_FACTOR);
    let [a, b] = games;
    let (first, second) = (sample(a, plays, budget.seed)?, sample(b, plays, budget.seed.wrapping_add(1))?);
    let plies_agree = plies_agree(&first, &second, f64::from(plays));
    let test = Test::new(&first, &second);
    let difference = if plies_agree { perft(&start, games, budget, &mut verdict)? } else { None };
    verdict.plays = plays;
    verdict.statistics = Some(Statistics {
        plays,
        mean_plies: [first.plies, second.plies].map(|plies| plies / f64::from(plays.max(1))),
        plies_agree,
        depth: verdict.depth,
        chi_square: test.chi_square,
        freedom: test.freedom,
        threshold: test.threshold,
    });
    if difference.is_some() || test.chi_square <= test.threshold {
        return Ok(verdict.unless(difference));
    }
    let (scores, [a, b]) = test.worst;
    let what = format!("scores {} in {a} / {b} of {plays} playouts", scores.join(", "));
    Ok(verdict.unless(Some(different(what))))
}

/// Compares the numbers of move sequences, as deep as the budget of positions allows. A difference comes with a play if there is one
/// to be found.
fn perft(start: &Position, games: [&Runner; 2], budget: &Budget, verdict: &mut Verdict) -> Result<Option<Difference>> {
    let count = |at: usize, depth: u32| -> Result<u64> {
        let (Some(game), Some(state)) = (games.get(at), start.states.get(at)) else { return Ok(0) };
        game.reasoner.perft(state, depth).map_err(|error| game.failure(&error))
    };
    let mut before = 1u64;
    for depth in 1..=budget.depth {
        let leaves = [count(0, depth)?, count(1, depth)?];
        let [a, b] = leaves;
        if a != b {
            let shorter = Budget { plays: 0, depth, ..*budget };
            let what = || start.difference(games, format!("{a} plays / {b} plays of length {depth}"), false);
            return Ok(Some(shape::compare(games, &shorter)?.difference.unwrap_or_else(what)));
        }
        verdict.depth = depth;
        verdict.positions = verdict.positions.saturating_add(a);
        // The next depth is expected to be as much larger as this one was.
        let next = a.saturating_mul(a / before.max(1)).max(a);
        before = a;
        if a == 0 || verdict.positions.saturating_add(next) > budget.positions {
            verdict.complete = a == 0;
            break;
        }
    }
    Ok(None)
}

fn sample(game: &Runner, plays: u32, seed: u64) -> Result<Sample> {
    let mut rng = Rng::new(seed);
    let mut sample = Sample { scores: BTreeMap::new(), plies: 0.0, squares: 0.0 };
    for _ in 0..plays {
        let mut stats = PlayoutStats::default();
        game.reasoner.playout(&mut rng, &mut stats).map_err(|error| game.failure(&error))?;
        let score = |counts: &Vec<u64>| {
            let at = counts.iter().position(|&count| count > 0);
            at.and_then(|at| game.reasoner.score_names().get(at)).cloned().unwrap_or_default()
        };
        *sample.scores.entry(stats.scores.iter().map(score).collect()).or_default() += 1;
        sample.plies += stats.plies as f64;
        sample.squares += stats.plies_squared as f64;
    }
    Ok(sample)
}

/// Whether plays are equally long: whether the means are as near to each other as those of samples of one distribution.
fn plies_agree(first: &Sample, second: &Sample, plays: f64) -> bool {
    let variance = |sample: &Sample| (sample.squares - sample.plies * sample.plies / plays).max(0.0) / plays;
    let deviation = ((variance(first) + variance(second)) / plays).sqrt();
    ((first.plies - second.plies) / plays).abs() <= RARE * deviation + 1e-9
}

/// A chi-square test of two samples of equal size.
struct Test {
    chi_square: f64,
    freedom: usize,
    threshold: f64,
    /// The scores that deviate most, and how often each game had them.
    worst: (Vec<String>, [u64; 2]),
}

impl Test {
    fn new(first: &Sample, second: &Sample) -> Self {
        let mut table: BTreeMap<&[String], [u64; 2]> = BTreeMap::new();
        for (at, sample) in [first, second].into_iter().enumerate() {
            for (scores, count) in &sample.scores {
                let counts = table.entry(scores).or_default();
                if let Some(slot) = counts.get_mut(at) {
                    *slot = *count;
                }
            }
        }
        let (common, rare): (Vec<_>, Vec<_>) = table.into_iter().partition(|(_, [a, b])| a + b >= FEW);
        let other = rare.iter().fold([0, 0], |[a, b], (_, [c, d])| [a + c, b + d]);
        let mut kinds: Vec<(Vec<String>, [u64; 2])> =
            common.into_iter().map(|(scores, counts)| (scores.to_vec(), counts)).collect();
        if other != [0, 0] {
            kinds.push((vec!["met rarely".to_owned()], other));
        }
        let part = |[a, b]: [u64; 2]| (a.abs_diff(b) as f64).powi(2) / (a + b).max(1) as f64;
        let chi_square = kinds.iter().map(|(_, counts)| part(*counts)).sum();
        let freedom = kinds.len().saturating_sub(1);
        let worst = kinds.into_iter().max_by(|(_, a), (_, b)| part(*a).total_cmp(&part(*b))).unwrap_or_default();
        Self { chi_square, freedom, threshold: threshold(freedom), worst }
    }
}

/// The chi-square that is exceeded once in 10,000 times: Wilson and Hilferty's approximation by a cube.
fn threshold(freedom: usize) -> f64 {
    if freedom == 0 {
        return 0.0;
    }
    let spread = 2.0 / (9.0 * freedom as f64);
    freedom as f64 * (1.0 - spread + RARE * spread.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scores: &[(&str, u64)]) -> Sample {
        let scores = scores.iter().map(|&(score, count)| (vec![score.to_owned()], count)).collect();
        Sample { scores, plies: 0.0, squares: 0.0 }
    }

    #[test]
    fn thresholds_are_those_of_the_tables() {
        // Upper 0.0001 quantiles; the approximation is on the safe side of them.
        for (freedom, wanted) in [(1, 15.14), (2, 18.42), (5, 25.74), (10, 35.56)] {
            let ratio = threshold(freedom) / wanted;
            assert!((1.0..1.08).contains(&ratio), "{freedom}: {}", threshold(freedom));
        }
    }

    #[test]
    fn samples_are_told_apart() {
        let even = of(&[("0", 500), ("100", 500)]);
        let near = Test::new(&even, &of(&[("0", 530), ("100", 470)]));
        assert!(near.freedom == 1 && near.chi_square < near.threshold && near.chi_square > 1.0);
        let far = Test::new(&even, &of(&[("0", 600), ("100", 400)]));
        assert!(far.chi_square > far.threshold);
        assert_eq!(far.worst.1, [500, 400]);
        let rare = Test::new(&of(&[("0", 990), ("1", 4), ("2", 6)]), &of(&[("0", 995), ("1", 5)]));
        assert_eq!((rare.freedom, rare.chi_square > rare.threshold), (1, false));
        let same = Test::new(&of(&[("0", 9)]), &of(&[("0", 9)]));
        assert!(same.chi_square <= same.threshold);
    }
}
