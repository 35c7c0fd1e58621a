//! Results as rows of tables: derived from measurements, and not additive.

use serde::{Deserialize, Serialize};

use super::hardest::HardPuzzle;
use super::reader::Reading;
use super::rounds::Rounds;
use super::times::{GuessTimes, Quantile};
use crate::statistics::{Interval, Ratio};

/// A solver on a corpus, on one thread. The fields up to `puzzles_per_s` are columns of `bench.csv`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the solver.
    pub solver: String,
    /// The goal.
    pub goal: String,
    /// Number of threads of the solver: one. Unknown for an external program.
    pub threads: Option<usize>,
    /// Number of puzzles in the corpus.
    pub puzzles: u64,
    /// Number of puzzles tried; fewer where its budget ran out.
    pub covered: u64,
    /// Number of the covered puzzles answered with the only solution (with the first one, if only
    /// that was asked for).
    pub unique: u64,
    /// Number answered with several solutions.
    pub multiple: u64,
    /// Number answered with no solution.
    pub unsolvable: u64,
    /// Number on which an incomplete solver got stuck.
    pub stuck: u64,
    /// Number that exceeded their limit.
    pub timeout: u64,
    /// Number of wrong answers: any invalidates the row.
    pub wrong: u64,
    /// Where the only solution was asked for, number of answers with one for which an incomplete
    /// solver assumed that there is no other.
    pub assumed: u64,
    /// Share of the covered puzzles answered without a guess, in percent.
    pub no_guess_pct: Option<f64>,
    /// Mean guesses per covered puzzle.
    pub guesses_mean: Option<f64>,
    /// Mean nodes per covered puzzle.
    pub nodes_mean: Option<f64>,
    /// Shortest time of a single puzzle, in microseconds.
    pub min_us: Option<f64>,
    /// Median time of a single puzzle.
    pub median_us: Option<f64>,
    /// 90th percentile.
    pub p90_us: Option<f64>,
    /// 99th percentile.
    pub p99_us: Option<f64>,
    /// Longest time.
    pub max_us: Option<f64>,
    /// Time for the covered puzzles in blocks, once each, in seconds.
    pub total_s: f64,
    /// Covered puzzles divided by that time.
    pub puzzles_per_s: f64,
    /// The 95 % interval of this rate, if there were enough rounds.
    pub rate_interval: Option<Interval>,
    /// This rate divided by that of the fastest row that answered all it tried, over their common
    /// rounds; `None` for that row itself.
    pub vs_fastest: Option<Ratio>,
    /// Least number of repeats of a single puzzle, of which the median counts.
    pub repeats: Option<u64>,
    /// The reference solver for the answers.
    pub referee: String,
    /// Whether the budget ran out before the corpus did.
    pub cut: bool,
    /// Why the row is invalid, if it is.
    pub struck: Option<String>,
    /// Start-up time in seconds of an external program that is started for every round, which is a
    /// part of every round.
    pub startup_s: Option<f64>,
    /// Time quantiles of all covered puzzles; empty where single puzzles are not timed.
    pub times: Vec<Quantile>,
    /// Time quantiles of correct answers.
    pub answered: Vec<Quantile>,
    /// Times by number of guesses.
    pub by_guesses: Vec<GuessTimes>,
    /// The rounds behind the rate.
    pub rounds: Rounds,
}

impl Row {
    /// Returns whether the row is valid.
    pub fn counts(&self) -> bool {
        self.struck.is_none() && self.covered > 0
    }

    /// Returns whether the row is valid and every puzzle was answered.
    pub fn answered_all(&self) -> bool {
        self.counts() && self.stuck + self.timeout == 0
    }
}

/// A solver on a corpus, on all threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThroughputRow {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the solver.
    pub solver: String,
    /// The goal.
    pub goal: String,
    /// Number of threads.
    pub threads: usize,
    /// Number of puzzles answered: those that one thread covered.
    pub puzzles: u64,
    /// Time in seconds.
    pub seconds: f64,
    /// Puzzles divided by seconds.
    pub puzzles_per_s: f64,
    /// The 95 % interval of this rate, if there were enough rounds.
    pub rate_interval: Option<Interval>,
    /// This rate divided by that on one thread.
    pub vs_one_thread: Option<Ratio>,
    /// Why the row is invalid, if it is.
    pub struck: Option<String>,
}

/// A corpus in the results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CorpusRow {
    /// Its name in the tables.
    pub name: String,
    /// The file as the user named it.
    pub file: String,
    /// Counts of reading it.
    #[serde(flatten)]
    pub reading: Reading,
    /// The hardest puzzles of each solver, in the order of the file.
    pub hardest: Vec<HardPuzzle>,
}
