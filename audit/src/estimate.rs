//! Means, intervals and estimates from samples.

use serde::Serialize;

/// Two-sided 95 % of the normal distribution lie within this many standard deviations.
const Z: f64 = 1.959_964;

/// A figure with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    /// Lower and upper end.
    pub(crate) interval: [f64; 2],
}

/// Sums over a sample of numbers.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sums {
    count: u64,
    mean: f64,
    /// Sum of the squared deviations from the mean, kept up as Welford (1962) does.
    squares: f64,
}

impl Sums {
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// The standard deviation; 0 for fewer than two numbers.
    pub(crate) fn deviation(&self) -> f64 {
        if self.count < 2 { 0.0 } else { (self.squares / (self.count - 1) as f64).sqrt() }
    }

    /// The mean, with its interval by the normal approximation; 0 without numbers.
    pub(crate) fn mean(&self) -> Estimate {
        let half = if self.count < 2 { 0.0 } else { Z * self.deviation() / (self.count as f64).sqrt() };
        Estimate { value: self.mean, interval: [self.mean - half, self.mean + half] }
    }
}

/// A share of `part` in `whole`, with Wilson's interval (1927).
pub(crate) fn share(part: u64, whole: u64) -> Estimate {
    let n = whole as f64;
    if whole == 0 {
        return Estimate { value: 0.0, interval: [0.0, 1.0] };
    }
    let (p, z) = (part as f64 / n, Z * Z / n);
    let centre = (p + z / 2.0) / (1.0 + z);
    let half = Z / (1.0 + z) * (p * (1.0 - p) / n + z / (4.0 * n)).sqrt();
    let low = if part == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if part == whole { 1.0 } else { (centre + half).min(1.0) };
    Estimate { value: p, interval: [low, high] }
}

/// A quotient of sums over plays, with the interval of the ratio estimator (Cochran, Sampling Techniques, 1977): what is in one
/// play is not independent, plays are.
pub(crate) fn ratio(pairs: &[(f64, f64)]) -> Estimate {
    let n = pairs.len() as f64;
    let (above, below) = pairs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    if below == 0.0 {
        return Estimate { value: 0.0, interval: [0.0, 0.0] };
    }
    let value = above / below;
    let squares: f64 = pairs.iter().map(|(x, y)| (x - value * y).powi(2)).sum();
    let half = if pairs.len() < 2 { 0.0 } else { Z * (squares / (n * (n - 1.0))).sqrt() / (below / n) };
    Estimate { value, interval: [value - half, value + half] }
}

/// The mean of numbers given by their natural logarithms, as its decimal logarithm, and its relative standard error. Neither
/// overflows. `None` without numbers.
pub(crate) fn mean_of_logs(logs: &[f64]) -> Option<(f64, f64)> {
    let most = logs.iter().copied().reduce(f64::max)?;
    let scaled: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let mut sums = Sums::default();
    scaled.iter().for_each(|value| sums.add(*value));
    let error = sums.deviation() / (logs.len() as f64).sqrt() / sums.mean;
    Some(((most + sums.mean.ln()) / std::f64::consts::LN_10, error))
}

/// The sum of numbers given by their natural logarithms, as a natural logarithm.
pub(crate) fn add_logs(a: f64, b: f64) -> f64 {
    let (least, most) = if a < b { (a, b) } else { (b, a) };
    if least == f64::NEG_INFINITY { most } else { most + (least - most).exp().ln_1p() }
}

/// How many kinds there are if `seen` were met, `once` of them once and `twice` twice: Chao's lower bound (1984) in the form
/// that is corrected for bias.
pub(crate) fn kinds(seen: u64, once: u64, twice: u64) -> f64 {
    let (once, twice) = (once as f64, twice as f64);
    seen as f64 + once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn shares_have_the_interval_of_wilson() {
        let Estimate { value, interval: [low, high] } = share(60, 100);
        assert!(value == 0.6 && close(low, 0.5020) && close(high, 0.6906), "{low} {high}");
        assert_eq!(share(0, 0), Estimate { value: 0.0, interval: [0.0, 1.0] });
        assert_eq!(share(0, 20).interval[0], 0.0);
        assert!(share(20, 20).interval == [share(20, 20).interval[0], 1.0] && share(20, 20).interval[0] > 0.8);
    }

    #[test]
    fn means_and_deviations() {
        let mut sums = Sums::default();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| sums.add(value));
        assert!(close(sums.mean().value, 5.0) && close(sums.deviation(), (32.0_f64 / 7.0).sqrt()));
        let [low, high] = sums.mean().interval;
        assert!(close(high - 5.0, 5.0 - low) && close(high - 5.0, 1.959_964 * (32.0_f64 / 56.0).sqrt()));
        assert_eq!(Sums::default().mean(), Estimate { value: 0.0, interval: [0.0, 0.0] });
    }

    #[test]
    fn ratios_weigh_long_plays_more() {
        let found = ratio(&[(10.0, 5.0), (30.0, 5.0), (20.0, 10.0)]);
        assert!(close(found.value, 3.0), "{found:?}");
        assert_eq!(ratio(&[(2.0, 1.0), (4.0, 2.0)]).interval, [2.0, 2.0], "no variance, no width");
        assert_eq!(ratio(&[]).value, 0.0);
    }

    #[test]
    fn large_numbers_are_added_by_their_logarithms() {
        let (log, error) = mean_of_logs(&[2000.0, 2000.0]).unwrap();
        assert!(close(log, 2000.0 / std::f64::consts::LN_10) && error == 0.0);
        // 1 and 3: mean 2, standard error 1.
        let (log, error) = mean_of_logs(&[0.0, 3.0_f64.ln()]).unwrap();
        assert!(close(log, 2.0_f64.log10()) && close(error, 0.5));
        assert!(mean_of_logs(&[]).is_none());
        assert!(close(add_logs(f64::NEG_INFINITY, 1.0), 1.0) && close(add_logs(0.0, 0.0), 2.0_f64.ln()));
    }

    #[test]
    fn unseen_kinds() {
        assert_eq!(kinds(10, 0, 5), 10.0);
        assert_eq!(kinds(10, 5, 1), 15.0);
        assert_eq!(kinds(1, 1, 0), 1.0);
    }
}
