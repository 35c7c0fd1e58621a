//! What is measured and how, and the conditions under which it was.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Clock;
use crate::environment::Environment;
use crate::solve::{Goal, Limits};

/// Settings of a measurement. The same settings give the same puzzles in the same order.
#[derive(Clone, Copy, Debug)]
pub struct BenchConfig {
    /// What is asked of every puzzle.
    pub goal: Goal,
    /// What one puzzle may cost; past it, it counts as a timeout.
    pub limits: Limits,
    /// What a solver may take for a corpus on the clock: half of it for single puzzles, half for blocks.
    pub budget: Duration,
    /// Only so many puzzles of a corpus are read.
    pub limit: Option<u64>,
    /// Only so many puzzles are measured, drawn from those that are read.
    pub sample: Option<usize>,
    /// Seed of the sample, of all orders, and of the intervals.
    pub seed: u64,
    /// The core to measure on; otherwise the fastest one that this process may run on.
    pub cpu: Option<usize>,
    /// Whether throughput on all threads is measured too.
    pub throughput: bool,
    /// Puzzles in memory at a time.
    pub chunk: usize,
    /// Puzzles of a round: what a solver gets in one call before it is the next one's turn.
    pub block: usize,
    /// How often and how long a corpus that is shorter than a chunk is gone over.
    pub repeat: Repeat,
}

/// A corpus of few puzzles is gone over again until there is enough to count on.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// Rounds that are enough, if they took this time together.
    pub rounds: usize,
    /// Time that so many rounds must take at least.
    pub least: Duration,
    /// Time that is enough, however few rounds it were.
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

/// The goal as the command line spells it.
pub fn goal_name(goal: Goal) -> String {
    match goal {
        Goal::FirstSolution => "first".to_owned(),
        Goal::ProveUnique => "unique".to_owned(),
        Goal::Count(limit) => format!("count:{limit}"),
    }
}

/// The machine, the build, and the state they were in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The core that the measuring thread and external programs were pinned to.
    pub pinned_core: Option<usize>,
}

/// Settings as they are written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Seed of the sample, of all orders, and of the intervals.
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
