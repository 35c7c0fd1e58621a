//! What all solvers without search share: marks are struck until nothing changes, and what is left
//! becomes a verdict.

use std::time::Instant;

use super::solver::{Budget, Effort, Outcome, Verdict};
use crate::grid::{CandidateGrid, Contradiction, Puzzle};

/// Why an elimination stopped before it came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// There is no solution.
    Contradiction,
    /// The deadline is over.
    Late,
}

impl From<Contradiction> for Halt {
    fn from(_: Contradiction) -> Halt {
        Halt::Contradiction
    }
}

/// The clock of an elimination.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Option<Instant>);

impl Clock {
    /// Never late.
    pub const STOPPED: Clock = Clock(None);

    /// Late after this time, if there is one.
    pub fn until(deadline: Option<Instant>) -> Clock {
        Clock(deadline)
    }

    /// Whether the deadline is over.
    pub fn is_late(self) -> bool {
        self.0.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// To be asked between two steps.
    ///
    /// # Errors
    /// [`Halt::Late`], once the deadline is over.
    pub fn check(self) -> Result<(), Halt> {
        if self.is_late() {
            Err(Halt::Late)
        } else {
            Ok(())
        }
    }
}

/// The outcome of striking what cannot be: one node, no guess.
///
/// `eliminate` may strike only what no solution holds. So a full board is the only solution,
/// whatever the goal asked for, and a contradiction means that there is none.
pub(super) fn by_elimination(
    puzzle: &Puzzle,
    budget: Budget,
    eliminate: impl FnOnce(&mut CandidateGrid, Clock) -> Result<(), Halt>,
) -> Outcome {
    if budget.nodes == 0 {
        return Outcome {
            verdict: Verdict::OutOfBudget,
            effort: Effort::default(),
        };
    }
    let run = || {
        let mut grid = CandidateGrid::new(puzzle)?;
        eliminate(&mut grid, Clock::until(budget.deadline))?;
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
