//! Settings of a measurement, and the conditions under which it was made.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Clock;
use crate::environment::Environment;
use crate::solve::{Goal, Limits};

/// Settings of a measurement. The same settings give the same puzzles in the same order.
#[derive(Clone, Copy, Debug)]
pub struct BenchConfig {
    /// The goal for every puzzle.
    pub goal: Goal,
    /// Limits per puzzle; exceeding them counts as a timeout.
    pub limits: Limits,
    /// Timed budget of a solver per corpus: half of it for single puzzles, half for blocks.
    pub budget: Duration,
    /// Largest number of puzzles read of a corpus.
    pub limit: Option<u64>,
    /// Number of puzzles measured, drawn from those that are read; `None` for all.
    pub sample: Option<usize>,
    /// Seed of the sample, of all orders, and of the intervals.
    pub seed: u64,
    /// The core to measure on; `None` for the fastest one that this process may run on.
    pub cpu: Option<usize>,
    /// Whether throughput on all threads is measured too.
    pub throughput: bool,
    /// Number of puzzles in memory at a time.
    pub chunk: usize,
    /// Number of puzzles in a block: a solver gets them in one call before it is the next solver's
    /// turn.
    pub block: usize,
    /// When to stop repeating a corpus that is shorter than a chunk.
    pub repeat: Repeat,
}

/// When a small corpus has been repeated often enough.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// Number of rounds that is enough, if they took `least` together.
    pub rounds: usize,
    /// Least total time of that many rounds.
    pub least: Duration,
    /// Total time that is enough, however few the rounds.
    pub enough: Duration,
}

impl Default for BenchConfig {
    fn default() -> BenchConfig {
        BenchConfig {
            goal: Goal::ProveUnique,
            limits: Limits {
                time: Some(Duration::from_secs(1)),
                ..Limits::NONE
            },
            budget: Duration::from_secs(30),
            limit: None,
            sample: None,
            seed: 0,
            cpu: None,
            throughput: true,
            chunk: 16 * 1024,
            block: 1024,
            repeat: Repeat {
                rounds: 20,
                least: Duration::from_millis(200),
                enough: Duration::from_secs(1),
            },
        }
    }
}

/// Returns the goal as the command line spells it.
pub fn goal_name(goal: Goal) -> String {
    match goal {
        Goal::FirstSolution => "first".to_owned(),
        Goal::ProveUnique => "unique".to_owned(),
        Goal::Count(limit) => format!("count:{limit}"),
    }
}

/// Machine and build of a run, and their state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Processor, system and build.
    #[serde(flatten)]
    pub environment: Environment,
    /// Load average over the last minute before the run.
    pub load_before: Option<f64>,
    /// Load average at the end of the run.
    pub load_after: Option<f64>,
    /// The clock; its cost is subtracted.
    pub clock: Clock,
    /// The core that the measuring thread and external programs were pinned to.
    pub pinned_core: Option<usize>,
}

/// Settings as saved in `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The solvers, in the order they were given; external programs last.
    pub solvers: Vec<String>,
    /// The goal for every puzzle.
    pub goal: String,
    /// Time limit per puzzle, in seconds.
    pub time_limit_s: Option<f64>,
    /// Limit of nodes per puzzle, if any.
    pub max_nodes: Option<u64>,
    /// Limit of guesses per puzzle, if any.
    pub max_guesses: Option<u64>,
    /// Budget of a solver per corpus, in seconds.
    pub budget_s: f64,
    /// Largest number of puzzles read of a corpus.
    pub limit: Option<u64>,
    /// Number of puzzles drawn from those.
    pub sample: Option<usize>,
    /// Seed of the sample, of all orders, and of the intervals.
    pub seed: u64,
    /// Number of puzzles in a block.
    pub block: usize,
}

impl Settings {
    /// Returns the settings of a run with these solvers.
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
