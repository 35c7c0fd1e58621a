//! The trait of all solvers, with its goals, limits and verdicts.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::deadline::{Deadline, Stop};
use crate::grid::{CandidateGrid, Puzzle, PuzzleLine, Solution};

/// The question put to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Stop at the first solution.
    FirstSolution,
    /// Search until a second solution is found, or proven not to exist.
    ProveUnique,
    /// Search until this many solutions are found, or all.
    Count(NonZeroUsize),
}

impl Goal {
    /// Returns the number of solutions that ends the search.
    pub const fn limit(self) -> usize {
        match self {
            Goal::FirstSolution => 1,
            Goal::ProveUnique => 2,
            Goal::Count(limit) => limit.get(),
        }
    }
}

/// Limits of the work on one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Search nodes, counted as in [`Effort::nodes`].
    pub nodes: u64,
    /// Guesses, counted as in [`Effort::guesses`].
    pub guesses: u64,
    /// Time from the start of the puzzle; checked once in a few dozen nodes.
    pub time: Option<Duration>,
    /// Ends the search once it is set; looked at as often as the clock.
    pub stop: Option<Stop>,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits::nodes(u64::MAX);

    /// Returns a limit of nodes only.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes,
            guesses: u64::MAX,
            time: None,
            stop: None,
        }
    }

    /// Returns when a search that begins now gives up.
    pub fn deadline(self) -> Deadline {
        Deadline::after(self.time).or(self.stop)
    }
}

/// The answer of a solver.
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
    /// A solver that is not complete can eliminate nothing more. The true solutions, if there are
    /// any, are among these candidates. A complete solver never returns it.
    Stuck(Box<CandidateGrid>),
    /// A limit was reached first; nothing is known.
    OutOfBudget,
}

impl Verdict {
    /// Returns the solution, or the first of several.
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
    /// The verdict.
    pub verdict: Verdict,
    /// The work it took.
    pub effort: Effort,
}

/// A solver. Any givens, contradictory ones and too few included, get a true answer.
///
/// A complete solver implements [`Search`](super::Search) and is a `Solver` by that.
///
/// ```
/// use sudoku_batch::grid::PuzzleLine;
/// use sudoku_batch::solve::{Goal, Limits, Lockstep, Mrv, Solver, Verdict};
///
/// let line = b"1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
/// let line = PuzzleLine::new(*line).expect("digits and blanks");
/// let outcome = Mrv::new().solve(&line.puzzle(), Goal::ProveUnique, Limits::NONE);
/// assert!(matches!(outcome.verdict, Verdict::Unique(_)));
///
/// let mut unique = 0;
/// Lockstep::new().solve_lines(&[line; 100], Goal::ProveUnique, Limits::NONE, &mut |outcome| {
///     unique += usize::from(matches!(outcome.verdict, Verdict::Unique(_)));
/// });
/// assert_eq!(unique, 100);
/// ```
pub trait Solver: Send {
    /// Solves each of these puzzles, and passes the outcomes to the sink in the order of the
    /// puzzles. Each has the limits for itself; one that reaches them is [`Verdict::OutOfBudget`].
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    );

    /// Solves one puzzle.
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, limits: Limits) -> Outcome {
        let mut answer = None;
        self.solve_lines(&[puzzle.into()], goal, limits, &mut |outcome| {
            answer = Some(outcome);
        });
        answer.expect("a solver hands over an outcome for each line")
    }
}
