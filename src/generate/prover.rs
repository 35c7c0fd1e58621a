//! Whether a puzzle has one solution.

use crate::grid::{Candidate, Cell, Puzzle, Solution};
use crate::solve::{Bands, Goal, Limits, Solver, Verdict};

/// Looks for solutions by [`Bands`], the solver with the lowest latency.
#[derive(Debug, Default)]
pub(super) struct Prover(pub(super) Bands);

impl Prover {
    /// Looks for a solution, or for two, of givens that may have none: few of them can take seconds to refute, so it
    /// gives up after so many nodes.
    pub(super) fn look(&mut self, puzzle: &Puzzle, goal: Goal, nodes: u64) -> Verdict {
        self.0.solve(puzzle, goal, Limits::nodes(nodes)).verdict
    }

    /// Looks for two solutions.
    pub(super) fn two(&mut self, puzzle: &Puzzle) -> Verdict {
        let outcome = self.0.solve(puzzle, Goal::ProveUnique, Limits::NONE);
        outcome.verdict
    }

    /// Looks for a solution other than the known one. Of several, the first one found mostly is; only if it is not,
    /// two are looked for.
    pub(super) fn second(&mut self, puzzle: &Puzzle, known: &Solution) -> Option<Solution> {
        let differs = |found: &Solution| found != known;
        match self.look(puzzle, Goal::FirstSolution, u64::MAX) {
            Verdict::Solved(found) if differs(&found) => return Some(found),
            _ => {}
        }
        match self.two(puzzle) {
            Verdict::Multiple(found) => found.into_iter().find(differs),
            _ => None,
        }
    }

    /// Looks for a solution that differs from the known one in this cell.
    pub(super) fn other(
        &mut self,
        puzzle: &Puzzle,
        known: &Solution,
        cell: Cell,
    ) -> Option<Solution> {
        let digit = known.digit(cell);
        self.0.other(puzzle, Candidate { cell, digit })
    }

    /// Whether the rules of the solver alone lead to the only solution: singles, locked candidates, and three digits
    /// locked in three cells.
    pub(super) fn needs_no_guess(&mut self, puzzle: &Puzzle) -> bool {
        let outcome = self.0.solve(puzzle, Goal::ProveUnique, Limits::nodes(1));
        matches!(outcome.verdict, Verdict::Unique(_))
    }

    /// Looks for this many solutions.
    pub(super) fn many(&mut self, puzzle: &Puzzle, limit: usize) -> Verdict {
        let goal = match std::num::NonZeroUsize::new(limit) {
            Some(limit) => Goal::Count(limit),
            None => Goal::ProveUnique,
        };
        self.0.solve(puzzle, goal, Limits::NONE).verdict
    }
}
