//! A whole run in numbers: `summary.json`.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::compare::Comparison;
use super::config::{Conditions, Settings};
use super::measurement::CorpusMeasurement;
use super::row::{CorpusRow, Row, ThroughputRow};
use super::warning::Warning;
use crate::files::{ReadError, read_json};

/// What a run measured. Field names are those of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchSummary {
    /// Always `bench`.
    pub command: Cow<'static, str>,
    /// Version of the program.
    pub version: Cow<'static, str>,
    /// How it was measured.
    pub config: Settings,
    /// Where it was measured.
    pub environment: Conditions,
    /// The corpora, in the order they were given.
    pub corpora: Vec<CorpusRow>,
    /// Corpus by corpus, a row a solver: on one thread.
    pub rows: Vec<Row>,
    /// The same on all threads.
    pub throughput: Vec<ThroughputRow>,
    /// What spoils the measurement.
    pub warnings: Vec<Warning>,
    /// With another run, if that was asked for.
    pub comparison: Option<Comparison>,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

impl BenchSummary {
    /// The results of a run.
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

    /// Compares the run with another one, which is called so.
    #[must_use]
    pub fn compared_with(self, name: &str, base: &BenchSummary) -> BenchSummary {
        BenchSummary {
            comparison: Some(Comparison::new(&self, name, base)),
            ..self
        }
    }

    /// Reads the summary of a run that was written.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read, or is no such summary.
    pub fn load(path: &Path) -> Result<BenchSummary, ReadError> {
        read_json(path)
    }
}
