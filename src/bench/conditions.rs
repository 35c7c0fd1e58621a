//! The machine and the settings of a run.

use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::config::{BenchConfig, goal_name};
use crate::environment::Environment;

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
    /// The core that the measuring thread was pinned to.
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
