//! The trait every solver implements, what is asked of it, and what it answers.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use crate::grid::{CandidateGrid, Puzzle, Solution};

/// What is asked of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Stop at the first solution.
    FirstSolution,
    /// Go on until a second solution is found, or proven not to exist.
    ProveUnique,
    /// Go on until so many solutions are found, or proven not to exist.
    Count(NonZeroUsize),
}

impl Goal {
    /// How many solutions end the search.
    pub const fn limit(self) -> usize {
        match self {
            Goal::FirstSolution => 1,
            Goal::ProveUnique => 2,
            Goal::Count(limit) => limit.get(),
        }
    }
}

/// How much work a solver may do on one puzzle before it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Search nodes, counted as in [`Effort::nodes`].
    pub nodes: u64,
    /// Guesses, counted as in [`Effort::guesses`].
    pub guesses: u64,
    /// When to stop; looked at once in a few dozen nodes.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// As long as it takes.
    pub const UNLIMITED: Budget = Budget::nodes(u64::MAX);

    /// So many nodes, and no other limit.
    pub const fn nodes(nodes: u64) -> Budget {
        Budget {
            nodes,
            guesses: u64::MAX,
            deadline: None,
        }
    }
}

/// What each puzzle may cost: a [`Budget`] whose clock has not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Search nodes.
    pub nodes: u64,
    /// Guesses.
    pub guesses: u64,
    /// Time on the clock.
    pub time: Option<Duration>,
}

impl Limits {
    /// As much as it takes.
    pub const NONE: Limits = Limits {
        nodes: u64::MAX,
        guesses: u64::MAX,
        time: None,
    };

    /// The budget of a puzzle that is begun at this moment.
    pub fn from(&self, start: Instant) -> Budget {
        Budget {
            nodes: self.nodes,
            guesses: self.guesses,
            deadline: self.time.and_then(|time| start.checked_add(time)),
        }
    }
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
    /// Two or more different solutions, in the order they were found: as many as the goal asked
    /// for, or all if there are fewer.
    Multiple(Vec<Solution>),
    /// A solver that is not complete found nothing more to do. The true solutions, if there are
    /// any, are among these candidates. A complete solver never says so.
    Stuck(Box<CandidateGrid>),
    /// The budget ran out first; nothing is known.
    OutOfBudget,
}

impl Verdict {
    /// The solution, or the first of several.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Verdict::Solved(solution) | Verdict::Unique(solution) => Some(solution),
            Verdict::Multiple(solutions) => solutions.first(),
            Verdict::Unsolvable | Verdict::Stuck(_) | Verdict::OutOfBudget => None,
        }
    }
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
///
/// A complete solver implements [`Search`](super::Search) and is a `Solver` by that.
///
/// ```
/// use sudoku_batch::solve::{Budget, Goal, Mrv, Solver, Verdict};
///
/// let puzzle = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
/// let puzzle = puzzle.parse().expect("81 cells");
/// let outcome = Mrv::new().solve(&puzzle, Goal::ProveUnique, Budget::UNLIMITED);
/// assert!(matches!(outcome.verdict, Verdict::Unique(_)));
/// ```
pub trait Solver: Send {
    /// Answers the goal for this puzzle, or [`Verdict::OutOfBudget`].
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, budget: Budget) -> Outcome;

    /// Answers the goal for each of these puzzles, in their order. Some solvers have a faster way for
    /// many puzzles than one after the other; each puzzle has its own budget in any case.
    fn solve_all(&mut self, puzzles: &[Puzzle], goal: Goal, limits: Limits) -> Vec<Outcome> {
        let solve = |puzzle| self.solve(puzzle, goal, limits.from(Instant::now()));
        puzzles.iter().map(solve).collect()
    }
}
