//! Times of single puzzles: mergeable histograms, and quantile curves.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Longest time in a histogram, in nanoseconds: an hour.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// Shares of the quantiles: denser at the ends.
const SHARES: [f64; 29] = [
    0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7,
    0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.999, 0.9999, 1.0,
];

/// A quantile: this share of the puzzles takes no longer than this time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// From 0 to 1.
    pub share: f64,
    /// Time in microseconds.
    pub us: f64,
}

/// Times of the puzzles with a similar number of guesses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuessTimes {
    /// The fewest guesses: 0, or a power of two.
    pub from: u64,
    /// The most guesses.
    pub to: u64,
    /// Number of puzzles.
    pub puzzles: u64,
    /// Median time, in microseconds.
    pub median_us: f64,
    /// 90th percentile, in microseconds.
    pub p90_us: f64,
}

/// A histogram of nanoseconds to `DIGITS` significant digits; written as a list of times with
/// counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub(super) struct Nanoseconds<const DIGITS: u8>(Histogram<u64>);

impl<const DIGITS: u8> Default for Nanoseconds<DIGITS> {
    fn default() -> Self {
        let histogram = Histogram::new_with_bounds(1, LONGEST_NS, DIGITS);
        Nanoseconds(histogram.expect("the bounds of the histogram are in order"))
    }
}

impl<const DIGITS: u8> From<Vec<(u64, u64)>> for Nanoseconds<DIGITS> {
    fn from(counts: Vec<(u64, u64)>) -> Self {
        let mut times = Nanoseconds::default();
        for (ns, count) in counts {
            times.0.saturating_record_n(ns, count);
        }
        times
    }
}

impl<const DIGITS: u8> From<Nanoseconds<DIGITS>> for Vec<(u64, u64)> {
    fn from(times: Nanoseconds<DIGITS>) -> Self {
        let counts = times.0.iter_recorded();
        let counts = counts.map(|step| (step.value_iterated_to(), step.count_at_value()));
        counts.collect()
    }
}

impl<const DIGITS: u8> Nanoseconds<DIGITS> {
    fn add(&mut self, ns: u64) {
        self.0.saturating_record(ns.max(1));
    }

    fn merge(&mut self, other: &Self) {
        self.0
            .add(&other.0)
            .expect("histograms of equal bounds and digits add up");
    }

    /// Returns the quantile for this share, in microseconds.
    fn us(&self, share: f64) -> f64 {
        let ns = match share {
            0.0 => self.0.min(),
            share => self.0.value_at_quantile(share),
        };
        ns as f64 / 1e3
    }

    fn curve(&self) -> Vec<Quantile> {
        let shares = SHARES.iter().filter(|_| !self.0.is_empty());
        let point = |&share: &f64| Quantile {
            share,
            us: self.us(share),
        };
        shares.map(point).collect()
    }
}

/// Times of single puzzles, each the median of its repeats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Times {
    /// Times of correct answers.
    answered: Nanoseconds<3>,
    /// Times of all other answers.
    others: Nanoseconds<3>,
    /// Times of all by the number of guesses, in steps that double.
    by_guesses: BTreeMap<u32, Nanoseconds<2>>,
    /// Least number of repeats of a puzzle.
    repeats: Option<u64>,
}

impl Times {
    /// Adds a puzzle.
    pub(super) fn add(&mut self, is_answered: bool, guesses: u64, ns: u64, repeats: u64) {
        if is_answered {
            self.answered.add(ns);
        } else {
            self.others.add(ns);
        }
        let step = u64::BITS - guesses.leading_zeros();
        self.by_guesses.entry(step).or_default().add(ns);
        self.repeats = self.repeats.into_iter().chain([repeats]).min();
    }

    pub(super) fn merge(&mut self, other: &Times) {
        self.answered.merge(&other.answered);
        self.others.merge(&other.others);
        for (&step, times) in &other.by_guesses {
            self.by_guesses.entry(step).or_default().merge(times);
        }
        self.repeats = self.repeats.into_iter().chain(other.repeats).min();
    }

    /// Returns the least number of repeats of a puzzle.
    pub(super) fn repeats(&self) -> Option<u64> {
        self.repeats
    }

    /// Returns the curve of all puzzles; empty if none was timed.
    pub(super) fn all(&self) -> Vec<Quantile> {
        let mut all = self.answered.clone();
        all.merge(&self.others);
        all.curve()
    }

    /// Returns the curve of the correctly answered puzzles.
    pub(super) fn answered(&self) -> Vec<Quantile> {
        self.answered.curve()
    }

    /// Returns the times by number of guesses.
    pub(super) fn by_guesses(&self) -> Vec<GuessTimes> {
        let times = |(&step, times): (&u32, &Nanoseconds<2>)| GuessTimes {
            from: step.checked_sub(1).map_or(0, |power| 1 << power),
            to: u64::MAX.checked_shr(u64::BITS - step).unwrap_or(0),
            puzzles: times.0.len(),
            median_us: times.us(0.5),
            p90_us: times.us(0.9),
        };
        self.by_guesses.iter().map(times).collect()
    }
}

/// Returns the time at this share of a curve, if it is one of its points.
pub(super) fn at(curve: &[Quantile], share: f64) -> Option<f64> {
    let point = curve.iter().find(|point| point.share == share);
    point.map(|point| point.us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn guesses_are_binned_by_powers_of_two() {
        let mut times = Times::default();
        for guesses in [0, 0, 1, 2, 3, 4, 7, 8, u64::MAX] {
            times.add(true, guesses, 1000, 1);
        }
        let steps = times.by_guesses();
        let steps = steps.iter().map(|step| (step.from, step.to, step.puzzles));
        let last = (1 << 63, u64::MAX, 1);
        assert_eq!(
            steps.collect::<Vec<_>>(),
            [(0, 0, 2), (1, 1, 1), (2, 3, 2), (4, 7, 2), (8, 15, 1), last]
        );
    }

    #[test]
    fn a_curve_runs_from_the_shortest_time_to_the_longest() {
        let mut times = Times::default();
        assert_eq!(times.all(), []);
        (1..=1000).for_each(|us| times.add(us % 2 == 0, 0, us * 1000, 3));
        let curve = times.all();
        assert!(curve.is_sorted_by(|a, b| a.share < b.share && a.us <= b.us));
        let (first, last) = (curve[0], curve[curve.len() - 1]);
        assert!((0.99..=1.0).contains(&first.us) && (1000.0..1001.0).contains(&last.us));
        assert!((1.99..=2.0).contains(&times.answered()[0].us));
        assert_eq!(times.repeats(), Some(3));
    }

    proptest! {
        #[test]
        fn merged_parts_equal_the_whole_and_round_trip_through_a_file(
            puzzles in prop::collection::vec((any::<bool>(), 0..99u64, any::<u64>(), 1..9u64), 0..60),
            cut in 0..60usize,
        ) {
            let of = |puzzles: &[(bool, u64, u64, u64)]| {
                let mut times = Times::default();
                for &(is_answered, guesses, ns, repeats) in puzzles {
                    times.add(is_answered, guesses, ns, repeats);
                }
                let json = serde_json::to_string(&times).unwrap();
                serde_json::from_str::<Times>(&json).unwrap()
            };
            let (first, second) = puzzles.split_at(cut.min(puzzles.len()));
            let mut merged = of(first);
            merged.merge(&of(second));
            prop_assert_eq!(merged, of(&puzzles));
        }
    }
}
