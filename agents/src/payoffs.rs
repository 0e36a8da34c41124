//! Scores as numbers.

use backend::{PlayoutStats, Reasoner, State};
use rustc_hash::FxHashMap;

/// What each score is worth: the number that it is, or, if some score is not a number, its rank in the declaration; or what somebody says.
#[derive(Clone, Debug)]
pub struct Payoffs {
    values: Vec<f64>,
    ranks: FxHashMap<String, usize>,
    /// Whether the values are ranks.
    ranked: bool,
}

impl Payoffs {
    /// The payoffs of a game.
    pub fn new(reasoner: &Reasoner) -> Self {
        let names = reasoner.score_names();
        let numbers: Option<Vec<f64>> = names.iter().map(|name| number(name)).collect();
        let ranked = numbers.is_none();
        let values = numbers.unwrap_or_else(|| (0..names.len()).map(|rank| rank as f64).collect());
        Self { values, ranks: names.iter().cloned().zip(0..).collect(), ranked }
    }

    /// The payoffs of a game in which some scores are worth what is said here; the others are numbers, which they are worth.
    ///
    /// # Errors
    /// What is wrong, in one line: there is no such score, a value is not finite, or a score that is no number has none.
    pub fn with(reasoner: &Reasoner, said: &[(String, f64)]) -> Result<Self, String> {
        let names = reasoner.score_names();
        let known = || format!("the scores are {}", names.join(", "));
        for (name, value) in said {
            if !names.contains(name) {
                return Err(format!("there is no score `{name}`: {}", known()));
            }
            if !value.is_finite() {
                return Err(format!("the score `{name}` is worth a finite number, not {value}"));
            }
        }
        let value = |name: &String| said.iter().find(|(said, _)| said == name).map(|(_, value)| *value);
        let of = |name: &String| {
            let found = value(name).or_else(|| number(name));
            found.ok_or_else(|| {
                format!("it is not said what the score `{name}` is worth, which is no number: {}", known())
            })
        };
        let values = names.iter().map(of).collect::<Result<_, _>>()?;
        Ok(Self { values, ranks: names.iter().cloned().zip(0..).collect(), ranked: false })
    }

    /// Whether some score is no number and nobody said what it is worth, so that all are worth their rank.
    pub fn are_ranks(&self) -> bool {
        self.ranked
    }

    /// The values of all scores, in the order of [`Reasoner::score_names`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value of a score by name; 0 if the game does not have it.
    pub fn value(&self, score: &str) -> f64 {
        self.ranks.get(score).map_or(0.0, |&rank| self.at(rank))
    }

    /// The values of all players' scores in a state. They are final at the end of a game.
    pub fn of(&self, reasoner: &Reasoner, state: &State) -> Vec<f64> {
        reasoner.scores(state).into_iter().map(|score| self.value(score)).collect()
    }

    /// The greatest value of any score.
    pub(crate) fn greatest(&self) -> f64 {
        self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The values of the last playout.
    pub(crate) fn last<'a>(&'a self, stats: &'a PlayoutStats) -> impl Iterator<Item = f64> + 'a {
        stats.last.iter().map(|&rank| self.at(rank as usize))
    }

    fn at(&self, rank: usize) -> f64 {
        self.values.get(rank).copied().unwrap_or(0.0)
    }
}

/// A natural number in decimal digits, not so large that it is none in 32 bits, as rewards of environments are.
fn number(name: &str) -> Option<f64> {
    let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|value: &f64| digits && (*value as f32).is_finite())
}

/// The range of the values seen so far: trees compare them on the scale from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    pub(crate) fn new() -> Self {
        Self { low: f64::INFINITY, high: f64::NEG_INFINITY }
    }

    pub(crate) fn see(&mut self, values: &[f64]) {
        for &value in values {
            self.low = self.low.min(value);
            self.high = self.high.max(value);
        }
    }

    /// The difference between the greatest and the least value; 1 while all values are the same.
    pub(crate) fn width(&self) -> f64 {
        let width = self.high - self.low;
        if width > 0.0 { width } else { 1.0 }
    }

    /// The value at a place on the scale, in the units of the game.
    pub(crate) fn raw(&self, unit: f64) -> f64 {
        if self.low <= self.high { self.low + unit * self.width() } else { unit }
    }

    /// A value on the scale; one half while all values are the same.
    pub(crate) fn unit(&self, value: f64) -> f64 {
        let width = self.high - self.low;
        if width > 0.0 { (value - self.low) / width } else { 0.5 }
    }
}
