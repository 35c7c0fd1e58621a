//! A whole run in numbers: `summary.json`.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::baseline::{Baseline, BaselineRow, Comparison};
use super::conditions::{Conditions, Settings};
use super::row::{CorpusResult, CorpusRow, Row, ThroughputRow};
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
    /// Corpus by corpus, a row a solver: times on one thread.
    pub rows: Vec<Row>,
    /// The same on all threads.
    pub throughput: Vec<ThroughputRow>,
    /// What spoils the measurement.
    pub warnings: Vec<Warning>,
    /// Against a run that was kept, if that was asked for.
    pub comparison: Option<Comparison>,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

impl BenchSummary {
    /// The results of a run, held against one that was kept, if there is one.
    pub fn new(
        config: Settings,
        environment: Conditions,
        results: Vec<CorpusResult>,
        baseline: Option<&Baseline>,
    ) -> BenchSummary {
        let interrupted = results.iter().any(|result| result.stopped);
        let (mut corpora, mut rows, mut throughput) = (Vec::new(), Vec::new(), Vec::new());
        for result in results {
            corpora.push(result.corpus);
            rows.extend(result.rows);
            throughput.extend(result.throughput);
        }
        BenchSummary {
            command: "bench".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            warnings: Warning::all(&environment, &rows, &throughput),
            comparison: baseline.map(|kept| kept.compare(config.block, &corpora, &rows)),
            config,
            environment,
            corpora,
            rows,
            throughput,
            interrupted,
        }
    }

    /// Reads the summary of a run that was written.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read, or is no such summary.
    pub fn load(path: &Path) -> Result<BenchSummary, ReadError> {
        read_json(path)
    }

    /// What is kept of the run under this name, to compare others with.
    pub fn baseline(&self, name: &str) -> Baseline {
        let rows = self.rows.iter().filter(|row| row.counts());
        let corpora = self.corpora.iter();
        Baseline {
            name: name.to_owned(),
            environment: serde_json::to_value(&self.environment)
                .expect("the environment is plain data"),
            block: self.config.block,
            corpora: corpora
                .map(|corpus| (corpus.name.clone(), corpus.blake3.clone()))
                .collect(),
            rows: rows
                .map(|row| BaselineRow {
                    corpus: row.corpus.clone(),
                    solver: row.solver.clone(),
                    goal: row.goal.clone(),
                    puzzles_per_s: row.puzzles_per_s,
                    round_ns: row.round_ns.clone(),
                    yardstick_ns: row.yardstick_ns.clone(),
                })
                .collect(),
        }
    }
}
