//! The solver `logic`: climbs the ladder, and starts again at its foot after every step.

use super::deduction::Deduction;
use super::ladder::climb;
use crate::grid::{CandidateGrid, Contradiction, Puzzle};
use crate::solve::{Budget, Clock, Goal, Outcome, Solver, by_elimination};

/// Not complete: it never guesses, and is [`Stuck`](crate::solve::Verdict::Stuck) where the
/// [`LADDER`](super::LADDER) has no further step.
#[derive(Clone, Debug, Default)]
pub struct LogicSolver {}

/// Every step of a solution by logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The steps in order; each was found on the grid that those before it left.
    pub deductions: Vec<Deduction>,
    /// What they lead to: a full board, a grid on which nothing more is found, or no solution.
    pub end: Result<CandidateGrid, Contradiction>,
}

impl LogicSolver {
    /// A solver ready for its first puzzle.
    pub fn new() -> LogicSolver {
        LogicSolver {}
    }

    /// The steps that [`Solver::solve`] takes.
    pub fn path(&self, puzzle: &Puzzle) -> Path {
        let mut deductions = Vec::new();
        let end = CandidateGrid::new(puzzle).and_then(|mut grid| {
            match climb(&mut grid, Clock::STOPPED, |step| {
                deductions.push(step.clone())
            }) {
                Ok(()) => Ok(grid),
                Err(_) => Err(Contradiction),
            }
        });
        Path { deductions, end }
    }
}

impl Solver for LogicSolver {
    fn solve(&mut self, puzzle: &Puzzle, _: Goal, budget: Budget) -> Outcome {
        by_elimination(puzzle, budget, |grid, clock| climb(grid, clock, |_| {}))
    }
}
