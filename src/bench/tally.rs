//! Answers counted by kind, and the work behind them.

use crate::solve::{Outcome, Verdict};

/// How a puzzle was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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

impl Kind {
    /// The kind of a right answer.
    pub fn of(verdict: &Verdict) -> Kind {
        match verdict {
            Verdict::Solved(_) => Kind::Solved,
            Verdict::Unique(_) => Kind::Unique,
            Verdict::Multiple(_) => Kind::Multiple,
            Verdict::Unsolvable => Kind::Unsolvable,
            Verdict::Stuck(_) => Kind::Stuck,
            Verdict::OutOfBudget => Kind::Timeout,
        }
    }

    /// Whether the puzzle was answered, and not wrongly.
    pub const fn is_answer(self) -> bool {
        match self {
            Kind::Solved | Kind::Unique | Kind::Multiple | Kind::Unsolvable => true,
            Kind::Stuck | Kind::Timeout | Kind::Wrong => false,
        }
    }

    /// As the tables spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Solved => "solved",
            Kind::Unique => "unique",
            Kind::Multiple => "multiple",
            Kind::Unsolvable => "unsolvable",
            Kind::Stuck => "stuck",
            Kind::Timeout => "timeout",
            Kind::Wrong => "wrong",
        }
    }
}

/// Answers of each kind, each puzzle once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Counts an answer of this kind.
    pub(super) fn count(&mut self, kind: Kind) {
        *match kind {
            Kind::Solved => &mut self.solved,
            Kind::Unique => &mut self.unique,
            Kind::Multiple => &mut self.multiple,
            Kind::Unsolvable => &mut self.unsolvable,
            Kind::Stuck => &mut self.stuck,
            Kind::Timeout => &mut self.timeout,
            Kind::Wrong => &mut self.wrong,
        } += 1;
    }

    /// Counts an answer of this kind, and the work behind it.
    pub(super) fn add(&mut self, kind: Kind, outcome: &Outcome) {
        self.count(kind);
        self.guesses += outcome.effort.guesses;
        self.nodes += outcome.effort.nodes;
        self.without_guess += u64::from(kind.is_answer() && outcome.effort.guesses == 0);
    }

    /// Puzzles that were tried.
    pub(super) fn covered(&self) -> u64 {
        self.answered() + self.stuck + self.timeout + self.wrong
    }

    /// Puzzles that were answered, and not wrongly.
    fn answered(&self) -> u64 {
        self.solved + self.unique + self.multiple + self.unsolvable
    }

    /// Of the puzzles that were tried those answered without a guess, in percent.
    pub(super) fn no_guess_pct(&self) -> Option<f64> {
        share(self.without_guess, self.covered()).map(|share| 100.0 * share)
    }

    /// Guesses a puzzle.
    pub(super) fn guesses_mean(&self) -> Option<f64> {
        share(self.guesses, self.covered())
    }

    /// Nodes a puzzle.
    pub(super) fn nodes_mean(&self) -> Option<f64> {
        share(self.nodes, self.covered())
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
