//! Common part of all solvers without search: candidates are eliminated until nothing changes, and
//! what is left becomes a verdict.

use super::deadline::{Deadline, Halt};
use super::solver::{Effort, Limits, Outcome, Verdict};
use crate::grid::{CandidateGrid, Puzzle};

/// Returns the outcome of an elimination: one node, no guess.
///
/// `eliminate` may remove only candidates that no solution has. So a full board is the only
/// solution, whatever the goal was, and a contradiction means that there is none.
pub(super) fn by_elimination(
    puzzle: &Puzzle,
    limits: Limits,
    eliminate: impl FnOnce(&mut CandidateGrid, Deadline) -> Result<(), Halt>,
) -> Outcome {
    if limits.nodes == 0 {
        return Outcome {
            verdict: Verdict::OutOfBudget,
            effort: Effort::default(),
        };
    }
    let deadline = limits.deadline();
    let run = || {
        let mut grid = CandidateGrid::new(puzzle)?;
        eliminate(&mut grid, deadline)?;
        Ok(grid)
    };
    let verdict = match run() {
        Ok(grid) => match grid.solution() {
            Some(solution) => Verdict::Unique(solution),
            None => Verdict::Stuck(Box::new(grid)),
        },
        Err(Halt::Contradiction) => Verdict::Unsolvable,
        Err(Halt::Late) => Verdict::OutOfBudget,
    };
    Outcome {
        verdict,
        effort: Effort {
            guesses: 0,
            nodes: 1,
        },
    }
}
