//! The trait every solver implements, and what it answers.

use crate::grid::{Puzzle, Solution};

/// What is asked of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Stop at the first solution.
    FirstSolution,
    /// Go on until a second solution is found, or proven not to exist.
    ProveUnique,
}

/// How much work a solver may do before it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Search nodes, counted as in [`Effort::nodes`].
    pub nodes: u64,
}

impl Budget {
    /// As long as it takes.
    pub const UNLIMITED: Budget = Budget { nodes: u64::MAX };
}

/// What a solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is no solution.
    Unsolvable,
    /// A solution; whether there is another was not asked.
    Solved(Solution),
    /// The only solution, proven.
    Unique(Solution),
    /// Two different solutions; there may be more.
    Multiple(Box<[Solution; 2]>),
    /// The budget ran out first; nothing is known.
    OutOfBudget,
}

/// The work behind an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Branches taken while another was left.
    pub guesses: u64,
    /// States of the search that were entered, the first one included.
    pub nodes: u64,
}

/// A verdict and the work behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was found.
    pub verdict: Verdict,
    /// The work it took.
    pub effort: Effort,
}

/// One puzzle at a time: any givens, contradictory and too few included, get a true answer.
pub trait Solver: Send {
    /// Answers the goal for this puzzle, or [`Verdict::OutOfBudget`].
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, budget: Budget) -> Outcome;
}
