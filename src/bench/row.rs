//! What was measured, as rows.

use serde::{Deserialize, Serialize};

use super::curve::{GuessTimes, Quantile};
use super::hard_puzzle::HardPuzzle;
use super::tally::Tally;

/// A solver on a corpus, on one thread. The fields up to `puzzles_per_s` are the columns of `bench.csv`.
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
    /// The shortest time of a puzzle, in microseconds.
    pub min_us: Option<f64>,
    /// Half of the puzzles take no longer.
    pub median_us: Option<f64>,
    /// Nine in ten take no longer.
    pub p90_us: Option<f64>,
    /// All but one in a hundred take no longer.
    pub p99_us: Option<f64>,
    /// The longest time.
    pub max_us: Option<f64>,
    /// Time for the covered puzzles, each once, in seconds: the mean of all passes.
    pub total_s: f64,
    /// Covered puzzles over that time.
    pub puzzles_per_s: f64,
    /// How often a covered puzzle was timed, on average.
    pub passes: f64,
    /// Rounds that the solver took part in.
    pub rounds: u64,
    /// Whether the budget ran out before the corpus did.
    pub cut: bool,
    /// Why the row does not count, if it does not.
    pub struck: Option<String>,
    /// For an external program: its start-up in seconds, which is subtracted.
    pub startup_s: Option<f64>,
    /// Whether the solver gets many puzzles at once, so that a time is the mean of its block.
    pub at_once: bool,
    /// The times of all covered puzzles; empty where single puzzles are not timed.
    pub times: Vec<Quantile>,
    /// The times of those that were answered, and not wrongly.
    pub answered: Vec<Quantile>,
    /// Times by guesses; empty where no puzzle has a time of its own.
    pub by_guesses: Vec<GuessTimes>,
    /// Nanoseconds a puzzle of each full round, for the first [`ROUNDS_KEPT`] of them.
    #[serde(skip)]
    pub round_ns: Vec<f64>,
    /// Beside each of these, nanoseconds that a fixed piece of work took just before.
    #[serde(skip)]
    pub yardstick_ns: Vec<f64>,
}

/// Rounds that a row remembers one by one.
pub const ROUNDS_KEPT: usize = 4096;

impl Row {
    /// The row with these answers.
    pub(super) fn with_tally(mut self, tally: &Tally) -> Row {
        self.covered = tally.covered();
        (self.unique, self.assumed) = if self.goal == "first" {
            (tally.unique + tally.solved, 0)
        } else {
            (tally.unique, tally.solved)
        };
        self.multiple = tally.multiple;
        self.unsolvable = tally.unsolvable;
        self.stuck = tally.stuck;
        self.timeout = tally.timeout;
        self.wrong = tally.wrong + tally.wrong_again;
        self.no_guess_pct = tally.no_guess_pct();
        self.guesses_mean = tally.guesses_mean();
        self.nodes_mean = tally.nodes_mean();
        if self.wrong > 0 {
            let plural = if self.wrong == 1 { "" } else { "s" };
            self.struck = Some(format!("{} wrong answer{plural}", self.wrong));
        }
        self
    }

    /// Whether its numbers count.
    pub fn counts(&self) -> bool {
        self.struck.is_none() && self.covered > 0
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
    /// Puzzles that were answered.
    pub puzzles: u64,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// One over the other.
    pub puzzles_per_s: f64,
    /// Against the rate on one thread.
    pub times_one_thread: Option<f64>,
    /// Whether the budget ran out before the corpus did.
    pub cut: bool,
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
    /// Puzzles that were measured, or could have been within the budgets.
    pub puzzles: u64,
    /// Lines that are no puzzles.
    pub bad_lines: u64,
    /// Solutions of the corpus that are none.
    pub wrong_solutions: u64,
    /// Whether a part of the file could not be read.
    pub broken: bool,
    /// blake3 of the puzzles, a line each.
    pub blake3: String,
    /// The hardest ones of each solver, in the order of the file.
    pub hardest: Vec<HardPuzzle>,
}

/// What was measured on a corpus.
#[derive(Clone, Debug, Default)]
pub struct CorpusResult {
    /// The corpus.
    pub corpus: CorpusRow,
    /// A row a solver, in the order they were given.
    pub rows: Vec<Row>,
    /// The same on all threads, unless it was not asked for.
    pub throughput: Vec<ThroughputRow>,
    /// Whether it was asked to stop before the end.
    pub stopped: bool,
}
