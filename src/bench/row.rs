//! What was measured, as rows of tables: derived from measurements, never added to.

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
    /// What was asked.
    pub goal: String,
    /// Threads that the solver had: one. How many an external program takes is not known.
    pub threads: Option<usize>,
    /// Puzzles of the corpus.
    pub puzzles: u64,
    /// Puzzles that it tried; fewer where its budget ran out.
    pub covered: u64,
    /// Of the covered ones, those answered with the only solution (with the first one, if only that
    /// was asked for).
    pub unique: u64,
    /// Those with several solutions.
    pub multiple: u64,
    /// Those without.
    pub unsolvable: u64,
    /// Those on which an incomplete solver got stuck.
    pub stuck: u64,
    /// Those that took more than their limit.
    pub timeout: u64,
    /// Answers that were wrong: any strikes the row.
    pub wrong: u64,
    /// Where the only solution was asked for, answers with one that an incomplete solver came to by
    /// assuming that there is no other.
    pub assumed: u64,
    /// Of the covered puzzles those answered without a guess, in percent.
    pub no_guess_pct: Option<f64>,
    /// Guesses a covered puzzle.
    pub guesses_mean: Option<f64>,
    /// Nodes a covered puzzle.
    pub nodes_mean: Option<f64>,
    /// The shortest time of a puzzle that is handed over alone, in microseconds.
    pub min_us: Option<f64>,
    /// Half of the puzzles take no longer.
    pub median_us: Option<f64>,
    /// Nine in ten take no longer.
    pub p90_us: Option<f64>,
    /// All but one in a hundred take no longer.
    pub p99_us: Option<f64>,
    /// The longest time.
    pub max_us: Option<f64>,
    /// Time for the covered puzzles in blocks, each once, in seconds.
    pub total_s: f64,
    /// Covered puzzles over that time.
    pub puzzles_per_s: f64,
    /// The 95 % interval of this rate, if there were rounds enough.
    pub rate_interval: Option<Interval>,
    /// This rate over that of the fastest row that answered all it tried, by the rounds that both
    /// have; nothing for that row itself.
    pub vs_fastest: Option<Ratio>,
    /// How often each puzzle was timed alone, at least; the median counts.
    pub repeats: Option<u64>,
    /// The solver whose verdicts the answers were checked against.
    pub referee: String,
    /// Whether the budget ran out before the corpus did.
    pub cut: bool,
    /// Why the row does not count, if it does not.
    pub struck: Option<String>,
    /// For an external program that is started anew for every round: the time that a start takes, in
    /// seconds, which is a part of every round.
    pub startup_s: Option<f64>,
    /// The times of all covered puzzles; empty where single puzzles are not timed.
    pub times: Vec<Quantile>,
    /// The times of those that were answered, and not wrongly.
    pub answered: Vec<Quantile>,
    /// Times by guesses.
    pub by_guesses: Vec<GuessTimes>,
    /// The rounds behind the rate.
    pub rounds: Rounds,
}

impl Row {
    /// Whether its numbers count.
    pub fn counts(&self) -> bool {
        self.struck.is_none() && self.covered > 0
    }

    /// Whether they do, and it gave up on nothing.
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
    /// What was asked.
    pub goal: String,
    /// Threads that worked.
    pub threads: usize,
    /// Puzzles that were answered: those that one thread covered.
    pub puzzles: u64,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// One over the other.
    pub puzzles_per_s: f64,
    /// The 95 % interval of this rate, if there were rounds enough.
    pub rate_interval: Option<Interval>,
    /// Over the rate on one thread.
    pub vs_one_thread: Option<Ratio>,
    /// Why the row does not count, if it does not.
    pub struck: Option<String>,
}

/// A corpus that was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CorpusRow {
    /// Its name in the tables.
    pub name: String,
    /// The file as the user named it.
    pub file: String,
    /// What was read of it.
    #[serde(flatten)]
    pub reading: Reading,
    /// The hardest puzzles of each solver, in the order of the file.
    pub hardest: Vec<HardPuzzle>,
}
