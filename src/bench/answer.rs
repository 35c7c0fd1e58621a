//! Kinds of answers, and their counts.

use serde::{Deserialize, Serialize};

use crate::solve::Effort;

/// Kind of an answer to a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// A solution, where no more was asked for.
    Solved,
    /// The only solution, proven.
    Unique,
    /// Several solutions.
    Multiple,
    /// No solution.
    Unsolvable,
    /// The solver is not complete and got stuck.
    Stuck,
    /// The puzzle exceeded its limit.
    Timeout,
    /// A wrong answer.
    Wrong,
}

impl AnswerKind {
    /// Returns whether the puzzle was answered, and not wrongly.
    pub const fn is_answer(self) -> bool {
        match self {
            AnswerKind::Solved
            | AnswerKind::Unique
            | AnswerKind::Multiple
            | AnswerKind::Unsolvable => true,
            AnswerKind::Stuck | AnswerKind::Timeout | AnswerKind::Wrong => false,
        }
    }

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            AnswerKind::Solved => "solved",
            AnswerKind::Unique => "unique",
            AnswerKind::Multiple => "multiple",
            AnswerKind::Unsolvable => "unsolvable",
            AnswerKind::Stuck => "stuck",
            AnswerKind::Timeout => "timeout",
            AnswerKind::Wrong => "wrong",
        }
    }
}

/// Number of answers of each kind, each puzzle counted once, and their effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) solved: u64,
    pub(super) unique: u64,
    pub(super) multiple: u64,
    pub(super) unsolvable: u64,
    pub(super) stuck: u64,
    pub(super) timeout: u64,
    pub(super) wrong: u64,
    /// Number of wrong answers to puzzles that had been answered before.
    pub(super) wrong_again: u64,
    guesses: u64,
    nodes: u64,
    without_guess: u64,
}

impl Tally {
    /// Counts an answer of this kind, and its effort.
    pub(super) fn add(&mut self, kind: AnswerKind, effort: Effort) {
        *match kind {
            AnswerKind::Solved => &mut self.solved,
            AnswerKind::Unique => &mut self.unique,
            AnswerKind::Multiple => &mut self.multiple,
            AnswerKind::Unsolvable => &mut self.unsolvable,
            AnswerKind::Stuck => &mut self.stuck,
            AnswerKind::Timeout => &mut self.timeout,
            AnswerKind::Wrong => &mut self.wrong,
        } += 1;
        self.guesses += effort.guesses;
        self.nodes += effort.nodes;
        self.without_guess += u64::from(kind.is_answer() && effort.guesses == 0);
    }

    /// Adds the counts of another tally.
    pub(super) fn merge(&mut self, other: &Tally) {
        self.solved += other.solved;
        self.unique += other.unique;
        self.multiple += other.multiple;
        self.unsolvable += other.unsolvable;
        self.stuck += other.stuck;
        self.timeout += other.timeout;
        self.wrong += other.wrong;
        self.wrong_again += other.wrong_again;
        self.guesses += other.guesses;
        self.nodes += other.nodes;
        self.without_guess += other.without_guess;
    }

    /// Returns the number of puzzles tried.
    pub(super) fn covered(&self) -> u64 {
        let answered = self.solved + self.unique + self.multiple + self.unsolvable;
        answered + self.stuck + self.timeout + self.wrong
    }

    /// Returns the share of the tried puzzles answered without a guess, in percent.
    pub(super) fn no_guess_pct(&self) -> Option<f64> {
        self.mean(self.without_guess).map(|share| 100.0 * share)
    }

    /// Returns the mean number of guesses.
    pub(super) fn guesses_mean(&self) -> Option<f64> {
        self.mean(self.guesses)
    }

    /// Returns the mean number of nodes.
    pub(super) fn nodes_mean(&self) -> Option<f64> {
        self.mean(self.nodes)
    }

    fn mean(&self, sum: u64) -> Option<f64> {
        let covered = self.covered();
        (covered > 0).then(|| sum as f64 / covered as f64)
    }
}
