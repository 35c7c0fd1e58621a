//! The solvers by logic alone: a profile, run to its end.

use super::native::NATIVE;
use super::profile::Profile;
use super::run::Run;
use crate::grid::{CandidateGrid, Puzzle, PuzzleLine};
use crate::solve::{Deadline, Effort, Goal, Halt, Limits, Outcome, Solver, Verdict, one_by_one};

/// Not complete: it never guesses, and is [`Stuck`](crate::solve::Verdict::Stuck) where the
/// profile has no further step.
#[derive(Clone, Copy, Debug)]
pub struct LogicSolver {
    profile: &'static Profile,
}

impl LogicSolver {
    /// A solver that runs the native profile.
    pub fn new() -> LogicSolver {
        LogicSolver::with(&NATIVE)
    }

    /// A solver that runs this profile.
    pub fn with(profile: &'static Profile) -> LogicSolver {
        LogicSolver { profile }
    }

    fn verdict(&self, puzzle: &Puzzle, deadline: Deadline) -> Verdict {
        let Ok(mut run) = Run::new(self.profile, &(*puzzle).into()) else {
            return Verdict::Unsolvable;
        };
        run.set_deadline(deadline);
        // The marks before the first step that is right only if there is one solution: with more,
        // the steps from there on eliminate some of them.
        let mut certain: Option<CandidateGrid> = None;
        let ended = run.finish(|before, step| {
            if certain.is_none() && step.technique.assumes_uniqueness() {
                certain = Some(before.grid().clone());
            }
        });
        match (ended, certain) {
            (Err(Halt::Late), _) => Verdict::OutOfBudget,
            (Err(Halt::Contradiction), None) => Verdict::Unsolvable,
            (Err(Halt::Contradiction), Some(certain)) => Verdict::Stuck(Box::new(certain)),
            (Ok(()), certain) => match (run.state().solution(), certain) {
                (Some(solution), None) => Verdict::Unique(solution),
                (Some(solution), Some(_)) => Verdict::Solved(solution),
                (None, certain) => Verdict::Stuck(Box::new(
                    certain.unwrap_or_else(|| run.state().grid().clone()),
                )),
            },
        }
    }
}

impl Default for LogicSolver {
    fn default() -> LogicSolver {
        LogicSolver::new()
    }
}

impl Solver for LogicSolver {
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        _: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        one_by_one(lines, sink, |puzzle| self.outcome(puzzle, limits));
    }
}

impl LogicSolver {
    fn outcome(&self, puzzle: &Puzzle, limits: Limits) -> Outcome {
        if limits.nodes == 0 {
            return Outcome {
                verdict: Verdict::OutOfBudget,
                effort: Effort::default(),
            };
        }
        Outcome {
            verdict: self.verdict(puzzle, Deadline::after(limits.time)),
            effort: Effort {
                guesses: 0,
                nodes: 1,
            },
        }
    }
}
