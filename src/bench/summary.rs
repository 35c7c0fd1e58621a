//! The results of a whole run: `summary.json`.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::compare::Comparison;
use super::config::{Conditions, Settings};
use super::measurement::CorpusMeasurement;
use super::row::{CorpusRow, Row, ThroughputRow};
use super::warning::Warning;
use crate::files::{ReadError, read_json};

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

    /// Adds the comparison with a baseline that is called `name`.
    #[must_use]
    pub fn compared_with(self, name: &str, base: &BenchSummary) -> BenchSummary {
        BenchSummary {
            comparison: Some(Comparison::new(&self, name, base)),
            ..self
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
