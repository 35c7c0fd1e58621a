//! The results of a whole run: `summary.json`.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::config::{Conditions, Settings};
use super::measurement::CorpusMeasurement;
use super::row::{CorpusRow, Row, ThroughputRow};
use super::warning::Warning;
use crate::files::{ReadError, read_json};
use crate::statistics::Interval;

/// Results of a run. Field names are those of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchSummary {
    /// Always `bench`.
    pub command: Cow<'static, str>,
    /// Version of the program.
    pub version: Cow<'static, str>,
    /// The settings.
    pub config: Settings,
    /// The machine, the build and their state.
    pub environment: Conditions,
    /// The corpora, in the given order.
    pub corpora: Vec<CorpusRow>,
    /// Rows on one thread: corpus by corpus, one per solver.
    pub rows: Vec<Row>,
    /// Rows on all threads.
    pub throughput: Vec<ThroughputRow>,
    /// Warnings about the measurement.
    pub warnings: Vec<Warning>,
    /// Comparison with a baseline, if that was asked for.
    pub comparison: Option<Comparison>,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Comparison of a run with a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Name of the baseline.
    pub base: String,
    /// Its processor.
    pub cpu: String,
    /// Its commit.
    pub commit: String,
    /// The rows of the run, in their order.
    pub rows: Vec<Change>,
}

/// Comparison of a row with that of the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the solver.
    pub solver: String,
    /// The change of the rate, or why it is unknown.
    #[serde(flatten)]
    pub outcome: ChangeOutcome,
}

/// Outcome of comparing two rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum ChangeOutcome {
    /// Both measure the same.
    Compared {
        /// This rate divided by the baseline's. On the same machine both are in units of the
        /// calibration loop that was timed beside them.
        ratio: f64,
        /// Its 95 % interval, if both have enough rounds.
        interval: Option<Interval>,
        /// Speed of the calibration loop relative to the baseline's, on the same machine: already
        /// divided out of the ratio.
        machine: Option<f64>,
        /// Whether the change is beyond the noise.
        flag: Flag,
    },
    /// The rows measure different things.
    NotComparable {
        /// The reason.
        why: String,
    },
}

/// Direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Faster, beyond the noise.
    Faster,
    /// Slower, beyond the noise.
    Slower,
    /// No change beyond the noise, or a negligible one.
    Same,
}

impl BenchSummary {
    /// Returns the results of a run.
    pub fn new(
        config: Settings,
        environment: Conditions,
        measurements: &[CorpusMeasurement],
    ) -> BenchSummary {
        let corpora = measurements.iter();
        let rows: Vec<Row> = corpora.clone().flat_map(CorpusMeasurement::rows).collect();
        BenchSummary {
            command: "bench".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            warnings: Warning::all(&environment, &rows),
            config,
            environment,
            corpora: corpora.clone().map(CorpusMeasurement::corpus_row).collect(),
            rows,
            throughput: corpora
                .clone()
                .flat_map(CorpusMeasurement::throughput_rows)
                .collect(),
            comparison: None,
            interrupted: measurements.iter().any(|it| it.stopped),
        }
    }

    /// Reads the summary of a saved run.
    ///
    /// # Errors
    ///
    /// [`ReadError`], if the file cannot be read or is not such a summary.
    pub fn load(path: &Path) -> Result<BenchSummary, ReadError> {
        read_json(path)
    }
}
