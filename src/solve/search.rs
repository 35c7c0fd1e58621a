//! What all complete solvers share: the ledger of a search, and how it becomes a verdict.

use std::ops::ControlFlow;
use std::time::Instant;

use super::solver::{Budget, Effort, Goal, Outcome, Solver, Verdict};
use crate::grid::{Puzzle, Solution};

/// Nodes between two looks at the clock, less one: a mask.
const CLOCK: u64 = 63;

/// A complete search: it comes past every solution, each once, until the ledger breaks it off.
pub trait Search: Send {
    /// Enters every node, guess and solution into the ledger, and stops where that breaks.
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End>;
}

/// Why a search stopped before everything was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As many solutions were found as were asked for.
    Answered,
    /// The next node or guess would have been one too many, or the deadline is over.
    OutOfBudget,
}

/// Work done and solutions found; knows when a search may stop.
#[derive(Clone, Debug)]
pub struct Ledger {
    budget: Budget,
    limit: usize,
    effort: Effort,
    /// The first solution stands apart, so that a puzzle with one takes no allocation.
    first: Option<Solution>,
    more: Vec<Solution>,
}

impl Ledger {
    /// An empty ledger for this goal.
    pub fn new(goal: Goal, budget: Budget) -> Ledger {
        Ledger {
            budget,
            limit: goal.limit(),
            effort: Effort::default(),
            first: None,
            more: Vec::new(),
        }
    }

    /// A state of the search is entered.
    #[inline]
    pub fn node(&mut self) -> ControlFlow<End> {
        if self.effort.nodes == self.budget.nodes {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.effort.nodes += 1;
        if self.effort.nodes & CLOCK == 0 && self.is_late() {
            return ControlFlow::Break(End::OutOfBudget);
        }
        ControlFlow::Continue(())
    }

    /// A branch is taken while another is left.
    #[inline]
    pub fn guess(&mut self) -> ControlFlow<End> {
        if self.effort.guesses == self.budget.guesses {
            return ControlFlow::Break(End::OutOfBudget);
        }
        self.effort.guesses += 1;
        ControlFlow::Continue(())
    }

    /// A solution is found.
    pub fn solution(&mut self, solution: Solution) -> ControlFlow<End> {
        match self.first {
            None => self.first = Some(solution),
            Some(_) => self.more.push(solution),
        }
        if self.more.len() + 1 < self.limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(End::Answered)
        }
    }

    /// Whether the deadline is over.
    fn is_late(&self) -> bool {
        let deadline = self.budget.deadline;
        deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What a search that ended so has found.
    fn close(self, end: ControlFlow<End>) -> Outcome {
        let verdict = match (end, self.first) {
            (ControlFlow::Break(End::OutOfBudget), _) => Verdict::OutOfBudget,
            (_, None) => Verdict::Unsolvable,
            (_, Some(first)) if !self.more.is_empty() => {
                let mut solutions = self.more;
                solutions.insert(0, first);
                Verdict::Multiple(solutions)
            }
            (ControlFlow::Break(End::Answered), Some(only)) => Verdict::Solved(only),
            (ControlFlow::Continue(()), Some(only)) => Verdict::Unique(only),
        };
        Outcome {
            verdict,
            effort: self.effort,
        }
    }
}

impl<S: Search> Solver for S {
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, budget: Budget) -> Outcome {
        let mut ledger = Ledger::new(goal, budget);
        let end = self.search(puzzle, &mut ledger);
        ledger.close(end)
    }
}
