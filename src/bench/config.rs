//! What is measured, and how.

use std::time::Duration;

use crate::solve::{Goal, Limits};

/// Settings of a measurement. The same settings give the same puzzles in the same order.
#[derive(Clone, Copy, Debug)]
pub struct BenchConfig {
    /// What is asked of every puzzle.
    pub goal: Goal,
    /// What one puzzle may cost; past it, it counts as a timeout.
    pub limits: Limits,
    /// What a solver may take for a corpus, on the clock.
    pub budget: Duration,
    /// Only so many puzzles of a corpus are read.
    pub limit: Option<u64>,
    /// Only so many puzzles are measured, drawn from those that are read.
    pub sample: Option<usize>,
    /// Seed of the sample and of the order of the solvers.
    pub seed: u64,
    /// Whether throughput on all threads is measured too.
    pub throughput: bool,
    /// Puzzles in memory at a time.
    pub chunk: usize,
    /// Puzzles of a round: what a solver gets before it is the next one's turn.
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
            throughput: true,
            chunk: 16 * 1024,
            block: 1024,
            repeat: Repeat {
                rounds: 10,
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
