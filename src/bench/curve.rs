//! Times as curves: how many puzzles are done within a time, and what guesses cost.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Longest time that a histogram tells apart, in nanoseconds: an hour.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// The shares of puzzles whose times are told: closer together at the ends.
const SHARES: [f64; 29] = [
    0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7,
    0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.999, 0.9999, 1.0,
];

/// A point of a curve: this share of the puzzles takes no longer than this time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// From 0 to 1.
    pub share: f64,
    /// In microseconds.
    pub us: f64,
}

/// The puzzles on which a solver guessed about equally often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuessTimes {
    /// The fewest guesses: 0, or a power of two.
    pub from: u64,
    /// The most guesses.
    pub to: u64,
    /// How many puzzles these were.
    pub puzzles: u64,
    /// Half of them take no longer, in microseconds.
    pub median_us: f64,
    /// Nine in ten take no longer.
    pub p90_us: f64,
}

/// A histogram of nanoseconds, with so many significant digits.
pub(super) fn histogram(digits: u8) -> Histogram<u64> {
    Histogram::new_with_bounds(1, LONGEST_NS, digits)
        .expect("the bounds of the histogram are in order")
}

/// The curve of a histogram of nanoseconds; empty if nothing was recorded.
pub(super) fn quantiles(histogram: &Histogram<u64>) -> Vec<Quantile> {
    if histogram.is_empty() {
        return Vec::new();
    }
    let point = |share| Quantile {
        share,
        us: match share {
            0.0 => histogram.min() as f64 / 1e3,
            share => histogram.value_at_quantile(share) as f64 / 1e3,
        },
    };
    SHARES.map(point).to_vec()
}

/// Times by the number of guesses, in steps that double.
#[derive(Default)]
pub(super) struct ByGuesses(BTreeMap<u32, Histogram<u64>>);

impl ByGuesses {
    pub(super) fn add(&mut self, guesses: u64, nanoseconds: u64) {
        let step = u64::BITS - guesses.leading_zeros();
        let times = self.0.entry(step).or_insert_with(|| histogram(2));
        times.saturating_record(nanoseconds.max(1));
    }

    pub(super) fn times(&self) -> Vec<GuessTimes> {
        let times = |(&step, times): (&u32, &Histogram<u64>)| {
            let us = |share| times.value_at_quantile(share) as f64 / 1e3;
            GuessTimes {
                from: step.checked_sub(1).map_or(0, |power| 1 << power),
                to: u64::MAX.checked_shr(u64::BITS - step).unwrap_or(0),
                puzzles: times.len(),
                median_us: us(0.5),
                p90_us: us(0.9),
            }
        };
        self.0.iter().map(times).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_fall_into_steps_that_double() {
        let mut by_guesses = ByGuesses::default();
        for guesses in [0, 0, 1, 2, 3, 4, 7, 8, u64::MAX] {
            by_guesses.add(guesses, 1000);
        }
        let steps: Vec<_> = by_guesses
            .times()
            .iter()
            .map(|t| (t.from, t.to, t.puzzles))
            .collect();
        let last = (1 << 63, u64::MAX, 1);
        assert_eq!(
            steps,
            [(0, 0, 2), (1, 1, 1), (2, 3, 2), (4, 7, 2), (8, 15, 1), last]
        );
        assert!(
            by_guesses
                .times()
                .iter()
                .all(|times| times.median_us >= 1.0)
        );
    }

    #[test]
    fn a_curve_runs_from_the_shortest_time_to_the_longest() {
        let mut times = histogram(3);
        assert_eq!(quantiles(&times), []);
        (1..=1000).for_each(|us| times.record(us * 1000).unwrap());
        let curve = quantiles(&times);
        assert!(curve.is_sorted_by(|a, b| a.share < b.share && a.us <= b.us));
        let (first, last) = (curve[0], curve[curve.len() - 1]);
        assert!((0.99..=1.0).contains(&first.us) && (1000.0..1001.0).contains(&last.us));
    }
}
