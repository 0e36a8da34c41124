//! One measurement as it is written and read.

use serde::{Deserialize, Serialize};

/// The medians of all runs of one game, engine and mode. Where a figure makes no sense for a mode it is missing.
#[derive(Clone, Serialize)]
pub(super) struct Row {
    pub(super) game: String,
    pub(super) language: &'static str,
    /// The engine that ran, at the end.
    pub(super) engine: &'static str,
    /// The engine that was asked for.
    pub(super) asked: &'static str,
    pub(super) mode: &'static str,
    pub(super) playouts_per_s: Option<f64>,
    pub(super) states_per_s: f64,
    /// Least and greatest speed of a run: playouts per second, where they are missing states per second.
    pub(super) spread: [f64; 2],
    pub(super) mean_plies: Option<f64>,
    pub(super) mean_moves: Option<f64>,
    pub(super) state_bytes: usize,
    /// Peak of the process since the engine was prepared; missing where the system does not tell.
    pub(super) peak_bytes: Option<u64>,
    /// Reading: parsing, lowering, checking.
    pub(super) read_ms: f64,
    pub(super) optimise_ms: f64,
    /// Preparing the engine.
    pub(super) build_ms: f64,
    /// All three.
    pub(super) startup_ms: f64,
    /// All three and the first random playout.
    pub(super) warm_up_ms: f64,
    /// Playouts that were made side by side, each with a bit of a word: 1 where they were made one after the other.
    pub(super) plays_at_once: u64,
    pub(super) runs: u32,
    /// Duration of the median run.
    pub(super) seconds: f64,
    /// Speed as a multiple of that of the first file, on the same engine and in the same mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio_to_first: Option<f64>,
    /// Speed as a multiple of that of the earlier run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio_to_earlier: Option<f64>,
    /// Whether that multiple is larger than the spreads of the runs: they do not overlap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beyond_spread: Option<bool>,
    /// Whether a faster engine was not ready before the measuring was over.
    #[serde(skip)]
    pub(super) is_early: bool,
    /// How the game is called in tables, where names alone may be equal.
    #[serde(skip)]
    pub(super) label: String,
}

impl Row {
    /// Playouts, or else states, per second.
    pub(super) fn speed(&self) -> f64 {
        self.playouts_per_s.unwrap_or(self.states_per_s)
    }
}

/// A measurement of an earlier run: what comparing needs. Lines of versions that wrote less are read, too.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Earlier {
    pub(super) game: String,
    pub(super) language: Option<String>,
    pub(super) engine: String,
    pub(super) asked: Option<String>,
    pub(super) mode: String,
    pub(super) playouts_per_s: Option<f64>,
    pub(super) states_per_s: f64,
    pub(super) spread: Option<[f64; 2]>,
}

impl Earlier {
    /// Whether it measured the same thing as a row.
    pub(super) fn is_of(&self, row: &Row) -> bool {
        let language = self.language.as_deref().is_none_or(|language| language == row.language);
        // What `auto` is was not always resolved.
        let engine = self.asked.as_ref().unwrap_or(&self.engine) == row.asked;
        language && engine && self.game == row.game && self.mode == row.mode
    }

    /// How much faster a row is, and whether that is beyond the spreads.
    pub(super) fn against(&self, row: &Row) -> Option<(f64, bool)> {
        let before = self.playouts_per_s.unwrap_or(self.states_per_s);
        let [low, high] = self.spread.unwrap_or([before; 2]);
        let [least, greatest] = row.spread;
        (before > 0.0).then(|| (row.speed() / before, least > high || greatest < low))
    }
}

/// `values` in ascending order: the one in the middle (of two, the greater), the least and the greatest. Zeros without values.
pub(super) fn median(values: impl IntoIterator<Item = f64>) -> (f64, [f64; 2]) {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
    (at(values.len() / 2), [at(0), at(values.len().saturating_sub(1))])
}

/// The geometric mean of positive numbers; `None` without any.
pub(super) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.into_iter().fold((0.0, 0u32), |(sum, count), value| (sum + value.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_means() {
        assert_eq!(median([3.0, 1.0, 2.0]), (2.0, [1.0, 3.0]));
        assert_eq!(median([]), (0.0, [0.0, 0.0]));
        let mean = geometric_mean([2.0, 8.0]).unwrap();
        assert!((mean - 4.0).abs() < 1e-9, "{mean}");
        assert_eq!(geometric_mean([]), None);
    }
}
