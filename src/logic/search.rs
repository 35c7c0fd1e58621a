//! The complete solver `logic+search`: cheap techniques, a guess where they end, and again.

use std::ops::ControlFlow;

use super::deduction::Effect;
use super::native::CHEAP_TECHNIQUES;
use super::profile::{fewest_candidates, first_step};
use super::state::State;
use crate::grid::{Candidate, CandidateGrid, Contradiction, Puzzle};
use crate::solve::{End, Goal, Ledger, Limits, Outcome, Search, Solver};

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
