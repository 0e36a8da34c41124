//! Results of games between two agents: scores, Elo differences, confidence intervals.

/// Two-sided 95 % of the normal distribution lie within this many standard deviations.
const Z: f64 = 1.959_964;

/// Won, drawn and lost games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Results {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl Results {
    /// Counts a game by how the own payoff compares with the other's.
    pub fn add(&mut self, own: f64, other: f64) {
        if own > other {
            self.won += 1;
        } else if own < other {
            self.lost += 1;
        } else {
            self.drawn += 1;
        }
    }

    /// Adds others.
    pub fn join(&mut self, others: Self) {
        self.won += others.won;
        self.drawn += others.drawn;
        self.lost += others.lost;
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Mean of 1 for a won, ½ for a drawn and 0 for a lost game; ½ without games.
    pub fn score(&self) -> f64 {
        let games = self.games();
        if games == 0 { 0.5 } else { (self.won as f64 + self.drawn as f64 / 2.0) / games as f64 }
    }

    /// The 95 % confidence interval of the score, after Wilson (1927), with the variance that won, drawn and lost games
    /// have: exact zeros and ones of small samples are not taken for certain.
    pub fn interval(&self) -> (f64, f64) {
        let games = self.games() as f64;
        if games == 0.0 {
            return (0.0, 1.0);
        }
        let score = self.score();
        let squares = self.won as f64 * (1.0 - score).powi(2)
            + self.drawn as f64 * (0.5 - score).powi(2)
            + self.lost as f64 * score.powi(2);
        let part = Z * Z / games;
        let centre = (score + part / 2.0) / (1.0 + part);
        let half = (Z / (1.0 + part)) * (squares / (games * games) + part / (4.0 * games)).sqrt();
        // Exactly 0 or 1, where rounding would make a finite difference of an infinite one.
        let (low, high) =
            (if score == 0.0 { 0.0 } else { centre - half }, if score == 1.0 { 1.0 } else { centre + half });
        (low.max(0.0), high.min(1.0))
    }
}

/// The difference of Elo ratings at which this score is expected; infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// An Elo difference as text: `+35`, `-∞`.
pub fn elo_text(difference: f64) -> String {
    if difference.is_finite() {
        // No `-0`.
        let rounded = difference.round() as i64;
        format!("{rounded:+}")
    } else {
        format!("{}∞", if difference > 0.0 { '+' } else { '-' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_differences() {
        assert_eq!(elo_text(elo(0.5)), "+0");
        assert_eq!(elo_text(elo(0.75)), "+191");
        assert_eq!(elo_text(elo(0.25)), "-191");
        assert_eq!((elo_text(elo(1.0)), elo_text(elo(0.0))), ("+∞".to_owned(), "-∞".to_owned()));
    }

    #[test]
    fn intervals() {
        let none = Results::default();
        assert_eq!((none.score(), none.interval()), (0.5, (0.0, 1.0)));
        // Without draws this is Wilson's interval: 60 of 100.
        let (low, high) = Results { won: 60, drawn: 0, lost: 40 }.interval();
        assert!((low - 0.5020).abs() < 5e-4 && (high - 0.6906).abs() < 5e-4, "{low} {high}");
        let (low, high) = Results { won: 20, drawn: 0, lost: 0 }.interval();
        assert!((low - 0.8389).abs() < 5e-4 && high == 1.0, "{low} {high}");
        // Draws make it narrower.
        let (low, high) = Results { won: 20, drawn: 80, lost: 0 }.interval();
        assert!(low > 0.55 && high < 0.65, "{low} {high}");
    }

    #[test]
    fn games_are_counted() {
        let mut results = Results::default();
        for (own, other) in [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (2.0, 1.0)] {
            results.add(own, other);
        }
        assert_eq!(results, Results { won: 2, drawn: 1, lost: 1 });
        assert_eq!((results.games(), results.score()), (4, 0.625));
    }
}
