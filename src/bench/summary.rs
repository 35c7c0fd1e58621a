//! A whole run in numbers: `summary.json`.

use serde::Serialize;

use super::baseline::{Baseline, Comparison};
use super::clock::Clock;
use super::config::{BenchConfig, goal_name};
use super::row::{CorpusResult, CorpusRow, Row, ThroughputRow};
use super::warning::Warning;
use crate::environment::Environment;

/// What a run measured. Field names are those of `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct BenchSummary {
    /// Always `bench`.
    pub command: &'static str,
    /// Version of the program.
    pub version: &'static str,
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
            command: "bench",
            version: env!("CARGO_PKG_VERSION"),
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
}

/// The machine, the build, and the state they were in.
#[derive(Clone, Debug, Serialize)]
pub struct Conditions {
    /// Processor, system and build.
    #[serde(flatten)]
    pub environment: Environment,
    /// Threads that wanted to run, over the last minute before the run.
    pub load_before: Option<f64>,
    /// The same at the end of the run.
    pub load_after: Option<f64>,
    /// The clock that timed the puzzles; its cost is subtracted.
    pub clock: Clock,
    /// The core that the measuring thread was pinned to.
    pub pinned_core: Option<usize>,
}

/// Settings as they are written down.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The solvers, in the order they were given; external programs last.
    pub solvers: Vec<String>,
    /// What was asked of every puzzle.
    pub goal: String,
    /// Seconds that a puzzle could take.
    pub time_limit_s: Option<f64>,
    /// Nodes that a puzzle could take, if they were limited.
    pub max_nodes: Option<u64>,
    /// Guesses that a puzzle could take, if they were limited.
    pub max_guesses: Option<u64>,
    /// Seconds that a solver could take for a corpus.
    pub budget_s: f64,
    /// Puzzles read of a corpus, at most.
    pub limit: Option<u64>,
    /// Puzzles drawn of those.
    pub sample: Option<usize>,
    /// Seed of the sample and of the order of the solvers.
    pub seed: u64,
    /// Puzzles of a round.
    pub block: usize,
}

impl Settings {
    /// The settings of a run with these solvers.
    pub fn new(config: &BenchConfig, solvers: Vec<String>) -> Settings {
        let limited = |limit: u64| (limit < u64::MAX).then_some(limit);
        Settings {
            solvers,
            goal: goal_name(config.goal),
            time_limit_s: config.limits.time.map(|time| time.as_secs_f64()),
            max_nodes: limited(config.limits.nodes),
            max_guesses: limited(config.limits.guesses),
            budget_s: config.budget.as_secs_f64(),
            limit: config.limit,
            sample: config.sample,
            seed: config.seed,
            block: config.block,
        }
    }
}
