//! What kind of answer a puzzle was given, and how often.

use serde::{Deserialize, Serialize};

use crate::solve::Effort;

/// How a puzzle was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// With a solution, where no more was asked for.
    Solved,
    /// With its only solution.
    Unique,
    /// With several solutions.
    Multiple,
    /// There is none.
    Unsolvable,
    /// The solver is not complete and got stuck.
    Stuck,
    /// It took more than its limit.
    Timeout,
    /// Wrongly.
    Wrong,
}

impl AnswerKind {
    /// Whether the puzzle was answered, and not wrongly.
    pub const fn is_answer(self) -> bool {
        match self {
            AnswerKind::Solved
            | AnswerKind::Unique
            | AnswerKind::Multiple
            | AnswerKind::Unsolvable => true,
            AnswerKind::Stuck | AnswerKind::Timeout | AnswerKind::Wrong => false,
        }
    }

    /// As the tables spell it.
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

/// Answers of each kind, each puzzle once, and the work behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) solved: u64,
    pub(super) unique: u64,
    pub(super) multiple: u64,
    pub(super) unsolvable: u64,
    pub(super) stuck: u64,
    pub(super) timeout: u64,
    pub(super) wrong: u64,
    /// Wrong answers to puzzles that had been answered before.
    pub(super) wrong_again: u64,
    guesses: u64,
    nodes: u64,
    without_guess: u64,
}

impl Tally {
    /// Counts an answer of this kind, and the work behind it.
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

    /// Adds what was counted elsewhere.
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

    /// Puzzles that were tried.
    pub(super) fn covered(&self) -> u64 {
        let answered = self.solved + self.unique + self.multiple + self.unsolvable;
        answered + self.stuck + self.timeout + self.wrong
    }

    /// Of the puzzles that were tried those answered without a guess, in percent.
    pub(super) fn no_guess_pct(&self) -> Option<f64> {
        self.mean(self.without_guess).map(|share| 100.0 * share)
    }

    /// Guesses a puzzle.
    pub(super) fn guesses_mean(&self) -> Option<f64> {
        self.mean(self.guesses)
    }

    /// Nodes a puzzle.
    pub(super) fn nodes_mean(&self) -> Option<f64> {
        self.mean(self.nodes)
    }

    fn mean(&self, sum: u64) -> Option<f64> {
        let covered = self.covered();
        (covered > 0).then(|| sum as f64 / covered as f64)
    }
}
