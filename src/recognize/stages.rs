//! Times of the stages as histograms, which add up.

use std::fmt::Write;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use super::record::Record;

/// Wall-clock times of the stages, a photo: histograms of fixed bounds, so that those of several runs
/// add up exactly. In files each stage has its median, its 95th percentile and the whole histogram, as
/// microseconds and counts: `"12000:3 12500:1"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Stages<Saved>", try_from = "Stages<Saved>")]
pub struct StageHistograms(Stages<Histogram<u64>>);

/// Something of each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stages<T> {
    /// Reading and opening the file.
    pub decode: T,
    /// Finding boards.
    pub detect: T,
    /// Reading cells.
    pub read: T,
    /// Decoding by the rules and solving.
    pub solve: T,
    /// Writing the pictures of the report, overlays and crops.
    pub pictures: T,
    /// All of these, of one photo.
    pub total: T,
}

/// Median and 95th percentile over the photos, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Half of the photos take no longer.
    pub median: f64,
    /// All but one in twenty take no longer.
    pub p95: f64,
}

/// A histogram as files have it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Saved {
    #[serde(flatten)]
    spread: Spread,
    histogram_us: String,
}

/// Longest time that a histogram tells apart, in microseconds: an hour.
const LONGEST_US: u64 = 3_600_000_000;

/// An empty histogram of times in microseconds.
pub(super) fn times_us() -> Histogram<u64> {
    Histogram::new_with_bounds(1, LONGEST_US, 3).expect("the bounds are valid")
}

impl<T> Stages<T> {
    /// Makes something else of each.
    fn map<U>(self, mut make: impl FnMut(T) -> U) -> Stages<U> {
        Stages {
            decode: make(self.decode),
            detect: make(self.detect),
            read: make(self.read),
            solve: make(self.solve),
            pictures: make(self.pictures),
            total: make(self.total),
        }
    }

    fn each_mut(&mut self) -> [&mut T; 6] {
        let Stages {
            decode,
            detect,
            read,
            solve,
            pictures,
            total,
        } = self;
        [decode, detect, read, solve, pictures, total]
    }
}

impl Default for StageHistograms {
    fn default() -> StageHistograms {
        let nothing = Stages::<()>::default();
        StageHistograms(nothing.map(|()| times_us()))
    }
}

impl StageHistograms {
    /// Counts the rows of one photo, and the milliseconds that its pictures took.
    pub fn add(&mut self, records: &[Record], pictures: f32) {
        let Some(first) = records.first() else {
            return;
        };
        let read: f32 = records.iter().map(|record| record.stages.read).sum();
        let solve: f32 = records.iter().map(|record| record.stages.solve).sum();
        let (decode, detect) = (first.stages.decode, first.stages.detect);
        let total = decode + detect + read + solve + pictures;
        let times = [decode, detect, read, solve, pictures, total];
        for (histogram, ms) in self.0.each_mut().into_iter().zip(times) {
            histogram.saturating_record((f64::from(ms) * 1000.0) as u64);
        }
    }

    /// Adds the photos of another run.
    pub fn merge(&mut self, mut other: StageHistograms) {
        let pairs = self.0.each_mut().into_iter().zip(other.0.each_mut());
        pairs.for_each(|(mine, theirs)| mine.add(&*theirs).expect("the bounds are the same"));
    }

    /// Returns median and 95th percentile of each stage.
    pub fn spreads(&self) -> Stages<Spread> {
        self.0.clone().map(|histogram| Spread::of(&histogram))
    }
}

impl Spread {
    fn of(histogram: &Histogram<u64>) -> Spread {
        Spread {
            median: histogram.value_at_quantile(0.5) as f64 / 1000.0,
            p95: histogram.value_at_quantile(0.95) as f64 / 1000.0,
        }
    }
}

impl From<StageHistograms> for Stages<Saved> {
    fn from(histograms: StageHistograms) -> Stages<Saved> {
        histograms.0.map(|histogram| {
            let mut text = String::new();
            for bar in histogram.iter_recorded() {
                let space = if text.is_empty() { "" } else { " " };
                let (us, count) = (bar.value_iterated_to(), bar.count_at_value());
                write!(text, "{space}{us}:{count}").expect("a string takes everything");
            }
            Saved {
                spread: Spread::of(&histogram),
                histogram_us: text,
            }
        })
    }
}

impl TryFrom<Stages<Saved>> for StageHistograms {
    type Error = &'static str;

    fn try_from(mut saved: Stages<Saved>) -> Result<StageHistograms, &'static str> {
        let mut histograms = StageHistograms::default();
        let pairs = histograms.0.each_mut().into_iter().zip(saved.each_mut());
        for (histogram, saved) in pairs {
            for bar in saved.histogram_us.split_whitespace() {
                let (us, count) = bar.split_once(':').ok_or("a bar has no colon")?;
                let us = us.parse().map_err(|_| "a bar has no time")?;
                let count = count.parse().map_err(|_| "a bar has no count")?;
                let recorded = histogram.record_n(us, count);
                recorded.map_err(|_| "a time is out of bounds")?;
            }
        }
        Ok(histograms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{StageMs, Status};

    fn photo(ms: f32) -> Vec<Record> {
        vec![Record {
            puzzle: 0,
            status: Status::NoGrid,
            reading: None,
            error: None,
            stages: StageMs {
                decode: ms,
                detect: 2.0 * ms,
                ..StageMs::default()
            },
            truth: None,
        }]
    }

    #[test]
    fn merged_histograms_equal_that_of_one_run_also_from_files() {
        let mut runs = [(); 3].map(|()| StageHistograms::default());
        for i in 0..100 {
            let records = photo(0.3 * i as f32 + 1e4 * (i % 7) as f32);
            runs[0].add(&records, 2.0);
            runs[1 + i % 3 / 2].add(&records, 2.0);
        }
        let saved = |run| serde_json::to_string(run).unwrap();
        let [whole, first, second] = runs.each_ref().map(saved);
        let mut sum: StageHistograms = serde_json::from_str(&first).unwrap();
        sum.merge(serde_json::from_str(&second).unwrap());
        assert_eq!(sum, runs[0]);
        assert_eq!(saved(&sum), whole);
        let spreads = sum.spreads();
        let ratio = (spreads.total.median - 2.0) / spreads.decode.median;
        assert!((ratio - 3.0).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn damaged_histograms_are_refused() {
        let whole = serde_json::to_string(&StageHistograms::default()).unwrap();
        for damage in ["12", "x:1", "1:x", "99999999999999:1"] {
            let damaged = whole.replacen("\"\"", &format!("{damage:?}"), 1);
            assert_ne!(damaged, whole);
            assert!(serde_json::from_str::<StageHistograms>(&damaged).is_err());
        }
    }
}
