//! What a run did, in numbers: `summary.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize, de};

use super::record::{Record, Status};
use super::score::Accuracy;
use crate::environment::Environment;

/// What a run did. Field names are those of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Always `recognize`.
    pub command: Cow<'static, str>,
    /// Version of the program.
    pub version: Cow<'static, str>,
    /// Everything that shapes the rows.
    pub config: serde_json::Value,
    /// Where it ran.
    pub environment: Environment,
    /// Photos that have rows.
    pub photos: usize,
    /// Puzzles found in them.
    pub puzzles: usize,
    /// Rows of each status.
    pub status: StatusCounts,
    /// Against truth, where any photo has some.
    pub accuracy: Option<Accuracy>,
    /// How fast.
    pub throughput: Throughput,
    /// Processor time of each stage, a photo.
    pub stages_ms: Stages,
    /// Photos whose rows were taken from the last run.
    pub resumed: usize,
    /// Whether the run was stopped before its last photo.
    pub interrupted: bool,
    /// Places that could not be looked into.
    pub problems: Vec<String>,
}

/// Rows of each status; written as an object that names every status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts([usize; Status::ALL.len()]);

impl StatusCounts {
    /// Counts one row.
    pub fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    /// Rows of this status.
    pub const fn of(&self, status: Status) -> usize {
        self.0[status as usize]
    }
}

impl Serialize for StatusCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Status::ALL.len()))?;
        for status in Status::ALL {
            map.serialize_entry(status.name(), &self.of(status))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for StatusCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StatusCounts, D::Error> {
        let mut counts = StatusCounts::default();
        for (name, count) in BTreeMap::<String, usize>::deserialize(deserializer)? {
            let status = Status::from_name(&name);
            let status =
                status.ok_or_else(|| de::Error::custom(format!("no status is named {name:?}")))?;
            counts.0[status as usize] = count;
        }
        Ok(counts)
    }
}

/// Wall-clock speed of the photos that were read in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Throughput {
    /// From the first photo opened to the last row made.
    pub seconds: f64,
    /// Photos read in this run over `seconds`; those taken from the last run do not count.
    pub photos_per_second: f64,
}

impl Throughput {
    /// The speed of this many photos in this time.
    pub fn new(photos: usize, seconds: f64) -> Throughput {
        Throughput {
            seconds: thousandths(seconds),
            photos_per_second: if seconds > 0.0 {
                thousandths(photos as f64 / seconds)
            } else {
                0.0
            },
        }
    }
}

/// Median and 95th percentile over the photos, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Half of the photos take no longer.
    pub median: f64,
    /// All but one in twenty take no longer.
    pub p95: f64,
}

/// Processor time of each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stages {
    /// Reading and opening the file.
    pub decode: Spread,
    /// Finding boards.
    pub detect: Spread,
    /// Reading cells.
    pub read: Spread,
    /// Decoding by the rules and solving.
    pub solve: Spread,
    /// All of these, of one photo.
    pub total: Spread,
}

/// Times of the stages as histograms of fixed bounds, so that those of several runs add up.
#[derive(Clone, Debug)]
pub struct StageHistograms([Histogram<u64>; 5]);

/// Longest time that a histogram tells apart, in microseconds: an hour.
const LONGEST_US: u64 = 3_600_000_000;

impl Default for StageHistograms {
    fn default() -> StageHistograms {
        StageHistograms(std::array::from_fn(|_| {
            Histogram::new_with_bounds(1, LONGEST_US, 3).expect("the bounds are valid")
        }))
    }
}

impl StageHistograms {
    /// Counts the rows of one photo.
    pub fn add(&mut self, records: &[Record]) {
        let Some(first) = records.first() else {
            return;
        };
        let read: f32 = records.iter().map(|record| record.stages.read).sum();
        let solve: f32 = records.iter().map(|record| record.stages.solve).sum();
        let (decode, detect) = (first.stages.decode, first.stages.detect);
        let times = [decode, detect, read, solve, decode + detect + read + solve];
        for (histogram, ms) in self.0.iter_mut().zip(times) {
            histogram.saturating_record((f64::from(ms) * 1000.0) as u64);
        }
    }

    /// Adds the photos of another run.
    pub fn merge(&mut self, other: &StageHistograms) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.add(theirs).expect("the bounds are the same");
        }
    }

    /// Median and 95th percentile of each stage.
    pub fn stages(&self) -> Stages {
        let [decode, detect, read, solve, total] = &self.0;
        let spread = |histogram: &Histogram<u64>| Spread {
            median: histogram.value_at_quantile(0.5) as f64 / 1000.0,
            p95: histogram.value_at_quantile(0.95) as f64 / 1000.0,
        };
        Stages {
            decode: spread(decode),
            detect: spread(detect),
            read: spread(read),
            solve: spread(solve),
            total: spread(total),
        }
    }
}

fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognize::record::StageMs;

    fn photo(ms: f32) -> Vec<Record> {
        vec![Record {
            photo: "a.jpg".to_owned(),
            puzzle: 0,
            status: Status::NoGrid,
            reading: None,
            error: None,
            stages: StageMs {
                decode: ms,
                detect: 2.0 * ms,
                ..StageMs::default()
            },
        }]
    }

    #[test]
    fn histograms_of_two_runs_add_up_to_that_of_one() {
        let (mut whole, mut first, mut second) = (
            StageHistograms::default(),
            StageHistograms::default(),
            StageHistograms::default(),
        );
        for i in 0..100 {
            let records = photo(0.3 * i as f32);
            whole.add(&records);
            if i % 3 == 0 {
                first.add(&records);
            } else {
                second.add(&records);
            }
        }
        first.merge(&second);
        assert_eq!(first.stages(), whole.stages());
        assert!((whole.stages().total.median - 3.0 * whole.stages().decode.median).abs() < 0.1);
    }

    #[test]
    fn every_status_is_named_even_if_no_row_has_it() {
        let mut counts = StatusCounts::default();
        counts.add(Status::Solved);
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(
            json,
            r#"{"solved":1,"multiple":0,"unsolvable":0,"no-grid":0,"unreadable":0,"timeout":0}"#
        );
        assert_eq!(serde_json::from_str::<StatusCounts>(&json).unwrap(), counts);
        assert!(serde_json::from_str::<StatusCounts>(r#"{"guessed":1}"#).is_err());
    }
}
