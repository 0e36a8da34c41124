//! One rating for each of several agents from all their games.
//!
//! The model is that of Bradley and Terry (1952), on the scale of Elo: of two agents, one scores `1 / (1 + 10^(-d / 400))` against the
//! other where `d` is the difference of their ratings, and a drawn game is half won. Ratings are the most likely ones given all results and one
//! drawn game of each agent against an imagined opponent of rating 0, which keeps them finite where an agent won or lost every game. They are
//! found by the iteration of Hunter (2004, "MM algorithms for generalized Bradley-Terry models", section 2). The interval comes from the
//! curvature of the likelihood there; drawn games would make it narrower than it is said to be.

use crate::elo::Results;

/// Two-sided 95 % of the normal distribution lie within this many standard deviations.
const Z: f64 = 1.959_964;

/// Of the score, in Elo.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Steps of the iteration at most. A few dozen are usual.
const STEPS: u32 = 100_000;

/// A rating in Elo, relative to the mean of all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The most likely value.
    pub elo: f64,
    /// Half of the width of its 95 % interval.
    pub half: f64,
}

/// Rates this many agents; `results` are those of pairs, by the two agents, as the first one sees them. Their mean is 0. The time is in
/// O(agents³ + pairs · steps).
pub fn rate(agents: usize, results: &[((usize, usize), Results)]) -> Vec<Rating> {
    // The imagined opponent comes last.
    let imagined = (0..agents).map(|agent| (agent, agents, 1.0, 0.5));
    let played = results.iter().map(|&((a, b), results)| {
        let games = results.games() as f64;
        (a, b, games, results.score() * games)
    });
    let games: Vec<(usize, usize, f64, f64)> =
        played.chain(imagined).filter(|&(a, b, games, _)| a <= agents && b <= agents && games > 0.0).collect();
    let strengths = strengths(agents + 1, &games);
    let logs: Vec<f64> = strengths.iter().take(agents).map(|strength| SCALE * strength.ln()).collect();
    let mean = logs.iter().sum::<f64>() / agents.max(1) as f64;
    let variances = inverse(&information(agents, &games, &strengths));
    let half = |agent: usize| {
        // The variance of a rating less the mean of all.
        let at = |i: usize, j: usize| variances.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0.0);
        let count = agents as f64;
        let with_all: f64 = (0..agents).map(|other| at(agent, other)).sum();
        let all: f64 = (0..agents).flat_map(|i| (0..agents).map(move |j| (i, j))).map(|(i, j)| at(i, j)).sum();
        Z * SCALE * (at(agent, agent) - 2.0 * with_all / count + all / (count * count)).max(0.0).sqrt()
    };
    logs.iter().enumerate().map(|(agent, log)| Rating { elo: log - mean, half: half(agent) }).collect()
}

/// The strengths that make the results most likely; that of the last agent is 1.
fn strengths(agents: usize, games: &[(usize, usize, f64, f64)]) -> Vec<f64> {
    let mut won = vec![0.0; agents];
    for &(a, b, games, score) in games {
        add(&mut won, a, score);
        add(&mut won, b, games - score);
    }
    let mut strengths = vec![1.0; agents];
    for _ in 0..STEPS {
        let mut weights = vec![0.0; agents];
        for &(a, b, games, _) in games {
            let both = at(&strengths, a) + at(&strengths, b);
            add(&mut weights, a, games / both);
            add(&mut weights, b, games / both);
        }
        let next: Vec<f64> = won.iter().zip(&weights).map(|(won, weight)| won / weight).collect();
        let unit = next.last().copied().unwrap_or(1.0);
        let next: Vec<f64> = next.into_iter().map(|strength| strength / unit).collect();
        let change = next.iter().zip(&strengths).map(|(new, old)| (new / old).ln().abs()).fold(0.0, f64::max);
        strengths = next;
        if change < 1e-9 {
            break;
        }
    }
    strengths
}

/// The observed information about the logarithms of all strengths but the last.
fn information(agents: usize, games: &[(usize, usize, f64, f64)], strengths: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; agents]; agents];
    for &(a, b, games, _) in games {
        let expected = at(strengths, a) / (at(strengths, a) + at(strengths, b));
        let weight = games * expected * (1.0 - expected);
        for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            matrix.get_mut(i).into_iter().for_each(|row| add(row, j, sign * weight));
        }
    }
    matrix
}

/// The inverse of a symmetric positive definite matrix, by the elimination of Gauss and Jordan.
fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let unit = |i: usize| (0..size).map(move |j| f64::from(u8::from(i == j)));
    let mut rows: Vec<Vec<f64>> =
        matrix.iter().enumerate().map(|(i, row)| row.iter().copied().chain(unit(i)).collect()).collect();
    for pivot in 0..size {
        let Some(row) = rows.get_mut(pivot) else { break };
        let scale = at(row, pivot);
        row.iter_mut().for_each(|cell| *cell /= scale);
        let row = row.clone();
        for (i, other) in rows.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            debug_assert_ne!(i, pivot);
            let factor = at(other, pivot);
            other.iter_mut().zip(&row).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    rows.into_iter().map(|row| row.into_iter().skip(size).collect()).collect()
}

fn at(values: &[f64], index: usize) -> f64 {
    values.get(index).copied().unwrap_or(1.0)
}

fn add(values: &mut [f64], index: usize, value: f64) {
    values.get_mut(index).into_iter().for_each(|slot| *slot += value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(won: u64, drawn: u64, lost: u64) -> Results {
        Results { won, drawn, lost }
    }

    /// With many games the imagined one does not matter: the difference of two is that of their score, with the interval of a share.
    #[test]
    fn two_agents() {
        let rated = rate(2, &[((0, 1), results(7_500, 0, 2_500))]);
        let difference = rated[0].elo - rated[1].elo;
        assert!((difference - 190.85).abs() < 0.2, "{difference}");
        assert!((rated[0].elo + rated[1].elo).abs() < 1e-6);
        // Standard deviation of a score of 3/4 in 10,000 games, in Elo; half of it for each of two.
        let half = Z * SCALE / (10_000.0_f64 * 0.75 * 0.25).sqrt() / 2.0;
        assert!((rated[0].half - half).abs() < 0.05, "{} {half}", rated[0].half);
    }

    /// Scores that a model with ratings 200, 0 and -200 expects give these ratings, whoever played how often.
    #[test]
    fn known_ratings_are_found() {
        let elo: [f64; 3] = [200.0, 0.0, -200.0];
        let pair = |a: usize, b: usize, games: f64| {
            let expected = 1.0 / (1.0 + 10.0_f64.powf((elo[b] - elo[a]) / 400.0));
            let won = (games * expected).round() as u64;
            ((a, b), results(won, 0, games as u64 - won))
        };
        let rated = rate(3, &[pair(0, 1, 40_000.0), pair(1, 2, 10_000.0), pair(0, 2, 20_000.0)]);
        for (rating, elo) in rated.iter().zip(elo) {
            assert!((rating.elo - elo).abs() < 1.0, "{rated:?}");
        }
        assert!(rated[0].half < rated[2].half, "who played less is known less well: {rated:?}");
    }

    #[test]
    fn ratings_are_finite() {
        let rated = rate(3, &[((0, 1), results(50, 0, 0)), ((1, 2), results(0, 0, 0))]);
        assert!(rated.iter().all(|rating| rating.elo.is_finite() && rating.half.is_finite()), "{rated:?}");
        assert!(rated[0].elo > rated[2].elo && rated[2].elo > rated[1].elo, "{rated:?}");
        assert_eq!(rate(0, &[]), []);
        let alone = rate(1, &[])[0];
        assert!(alone.elo == 0.0 && alone.half < 1e-6, "{alone:?}");
    }
}
