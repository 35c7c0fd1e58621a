//! Medians, and 95 % intervals of rates and of their ratios by the bootstrap over rounds.
//!
//! The rounds of a row are resampled with replacement [`RESAMPLES`] times, the rate is computed anew of
//! each resample, and the interval runs from the 2.5th to the 97.5th percentile of these rates (the
//! percentile bootstrap: Efron, 1979). Neighbouring rounds share the state of the machine, and in a
//! sorted corpus the difficulty too, so runs of neighbours are drawn instead of single rounds: the
//! circular block bootstrap of Politis and Romano (1992), with runs as long as the cube root of the
//! number of rounds. A ratio of two rows that were measured side by side resamples both by the same
//! rounds, so what slowed both down cancels out.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Number of resamples of an interval.
pub const RESAMPLES: usize = 2000;
/// Fewest rounds for an interval: resamples of fewer are too similar.
pub const LEAST_ROUNDS: usize = 10;

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns whether the value lies outside the interval.
    pub fn excludes(&self, value: f64) -> bool {
        !(self.low..=self.high).contains(&value)
    }
}

/// A ratio of two rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The first rate divided by the second.
    pub value: f64,
    /// Its interval, if there were enough rounds.
    pub interval: Option<Interval>,
}

impl Ratio {
    /// Returns whether the rates differ beyond the noise of the rounds.
    pub fn is_difference(&self) -> bool {
        self.interval.is_some_and(|interval| interval.excludes(1.0))
    }
}

/// Returns the quantile of sorted values, interpolated linearly between neighbours; 0 if there are
/// none.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    below + (above - below) * place.fract()
}

/// Returns the median of the values; sorts them.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    quantile(values, 0.5)
}

/// Returns the bootstrap interval of a statistic, which is called with the indices of the rounds of
/// each resample.
pub fn bootstrap(
    rounds: usize,
    seed: u64,
    statistic: impl Fn(&[usize]) -> f64,
) -> Option<Interval> {
    bootstrap_two([rounds, rounds], seed, |resample, _| statistic(resample))
}

/// Returns the bootstrap interval of a statistic of two samples that are drawn independently.
pub fn bootstrap_two(
    rounds: [usize; 2],
    seed: u64,
    statistic: impl Fn(&[usize], &[usize]) -> f64,
) -> Option<Interval> {
    if rounds.iter().any(|&count| count < LEAST_ROUNDS) {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut resamples = [Vec::new(), Vec::new()];
    let values = (0..RESAMPLES).map(|_| {
        for (resample, count) in resamples.iter_mut().zip(rounds) {
            draw(&mut random, count, resample);
        }
        statistic(&resamples[0], &resamples[1])
    });
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    (!values.is_empty()).then(|| Interval {
        low: quantile(&values, 0.025),
        high: quantile(&values, 0.975),
    })
}

/// Draws as many rounds as there are, in runs of neighbours; the first round follows the last.
fn draw(random: &mut ChaCha8Rng, count: usize, resample: &mut Vec<usize>) {
    let run = (count as f64).cbrt().round() as usize;
    resample.clear();
    while resample.len() < count {
        let start = random.random_range(0..count);
        let length = run.max(1).min(count - resample.len());
        resample.extend((start..start + length).map(|round| round % count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        let mut values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&mut values), 2.5);
        assert_eq!((quantile(&values, 0.0), quantile(&values, 1.0)), (1.0, 4.0));
        assert_eq!(quantile(&values, 0.25), 1.75);
        assert_eq!((median(&mut [7.0]), median(&mut [])), (7.0, 0.0));
    }

    #[test]
    fn few_rounds_have_no_interval_and_a_seed_fixes_it() {
        let mean = |resample: &[usize]| resample.iter().sum::<usize>() as f64;
        assert_eq!(bootstrap(LEAST_ROUNDS - 1, 0, mean), None);
        assert_eq!(bootstrap(50, 1, mean), bootstrap(50, 1, mean));
        assert_ne!(bootstrap(50, 1, mean), bootstrap(50, 2, mean));
        let constant = bootstrap(LEAST_ROUNDS, 0, |_| 3.0).unwrap();
        assert!(constant.excludes(2.9) && !constant.excludes(3.0));
    }

    #[test]
    fn the_interval_of_a_mean_has_its_nominal_coverage() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let covered = (0..200).filter(|&seed| {
            let sample: Vec<f64> = (0..60).map(|_| random.random_range(0.0..1.0)).collect();
            let mean = |resample: &[usize]| {
                let sum: f64 = resample.iter().map(|&round| sample[round]).sum();
                sum / resample.len() as f64
            };
            !bootstrap(60, seed, mean).unwrap().excludes(0.5)
        });
        // 190 of 200 are expected, with a standard deviation of 3; correlated neighbours lose a few more.
        let covered = covered.count();
        assert!((172..=199).contains(&covered), "{covered}");
    }

    #[test]
    fn independent_samples_of_one_distribution_do_not_differ() {
        let ratio = |a: &[usize], b: &[usize]| {
            let sum = |sample: &[usize]| sample.iter().map(|n| 10 + n % 7).sum::<usize>() as f64;
            (sum(a) / a.len() as f64) / (sum(b) / b.len() as f64)
        };
        let interval = bootstrap_two([70, 140], 3, ratio).unwrap();
        assert!(!interval.excludes(1.0) && interval.high - interval.low < 0.2);
    }
}
