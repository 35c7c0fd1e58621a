//! The trait every solver implements, what is asked of it, and what it answers.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::elimination::{Deadline, Stop};
use crate::grid::{CandidateGrid, Puzzle, PuzzleLine, Solution};

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
pub struct Limits {
    /// Search nodes, counted as in [`Effort::nodes`].
    pub nodes: u64,
    /// Guesses, counted as in [`Effort::guesses`].
    pub guesses: u64,
    /// Time, from the moment the puzzle is begun; looked at once in a few dozen nodes.
    pub time: Option<Duration>,
    /// Ends the search once it is set; looked at as often as the clock.
    pub stop: Option<Stop>,
}

impl Limits {
    /// As much as it takes.
    pub const NONE: Limits = Limits::nodes(u64::MAX);

    /// So many nodes, and no other limit.
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
    /// A limit was reached first; nothing is known.
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

/// Answers puzzles: any givens, contradictory and too few included, get a true answer.
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
    /// Answers the goal for each of these puzzles, and hands the outcomes to the sink in the order of the
    /// puzzles. Each has the limits for itself; one that reaches them is [`Verdict::OutOfBudget`].
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    );

    /// Answers the goal for one puzzle.
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, limits: Limits) -> Outcome {
        let mut answer = None;
        self.solve_lines(&[puzzle.into()], goal, limits, &mut |outcome| {
            answer = Some(outcome);
        });
        answer.expect("a solver hands over an outcome for each line")
    }
}
