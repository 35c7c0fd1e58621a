//! The solvers: `logic`, which runs a profile, and `logic+search`, which guesses between cheap techniques.

use std::ops::ControlFlow;

use super::deduction::Effect;
use super::native::{CHEAP_TECHNIQUES, NATIVE};
use super::profile::{Profile, fewest_candidates, first_step};
use super::run::Run;
use super::state::State;
use crate::grid::{Candidate, CandidateGrid, Contradiction, Puzzle, PuzzleLine};
use crate::solve::{
    Deadline, Effort, End, Goal, Halt, Ledger, Limits, Outcome, Search, Solver, Verdict, one_by_one,
};

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

/// Complete: every puzzle gets a true verdict. Few guesses, each of them dear.
#[derive(Clone, Debug, Default)]
pub struct LogicSearch {}

impl LogicSearch {
    /// A solver ready for its first puzzle.
    pub fn new() -> LogicSearch {
        LogicSearch {}
    }

    /// As [`Solver::solve`], of marks instead of a puzzle.
    pub fn solve_marks(marks: &CandidateGrid, goal: Goal, limits: Limits) -> Outcome {
        // The marks stand in for the puzzle.
        Marks(marks).solve(&Puzzle::empty(), goal, limits)
    }
}

struct Marks<'a>(&'a CandidateGrid);

impl Search for Marks<'_> {
    fn search(&mut self, _: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        enter(Ok(State::new(self.0.clone())), ledger)
    }
}

impl Search for LogicSearch {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        enter(State::of_puzzle(puzzle), ledger)
    }
}

/// Visits every solution below this state. Recursion is as deep as there are guesses on the way to
/// a solution: each fills a cell, so fewer than 81.
fn enter(state: Result<State, Contradiction>, ledger: &mut Ledger) -> ControlFlow<End> {
    ledger.node()?;
    let Ok(mut state) = state else {
        return ControlFlow::Continue(());
    };
    while let Some((_, step)) = first_step(CHEAP_TECHNIQUES, &state) {
        if state.apply(&step.effect).is_err() {
            return ControlFlow::Continue(());
        }
    }
    if let Some(solution) = state.solution() {
        return ledger.solution(solution);
    }
    let Some(cell) = fewest_candidates(&state) else {
        return ControlFlow::Continue(());
    };
    let digits = state.candidates(cell);
    let mut left = digits;
    for digit in digits {
        left = left.without(digit);
        if !left.is_empty() {
            ledger.guess()?;
        }
        let mut branch = state.clone();
        let placed = branch.apply(&Effect::Place(Candidate { cell, digit }));
        enter(placed.map(|()| branch), ledger)?;
    }
    ControlFlow::Continue(())
}
