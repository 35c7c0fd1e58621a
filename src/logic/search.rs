//! The complete solver `logic+search`: the ladder first, a guess where it ends, the ladder again.

use std::ops::ControlFlow;

use super::ladder::climb;
use crate::grid::{Candidate, CandidateGrid, Cell, DigitSet, Puzzle};
use crate::solve::{Clock, End, Ledger, Search};

/// Complete: every puzzle gets a true verdict. Few guesses, each of them dear.
#[derive(Clone, Debug, Default)]
pub struct LogicSearch {}

impl LogicSearch {
    /// A solver ready for its first puzzle.
    pub fn new() -> LogicSearch {
        LogicSearch {}
    }
}

impl Search for LogicSearch {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        match CandidateGrid::new(puzzle) {
            Ok(mut root) => enter(&mut root, ledger),
            Err(_) => ledger.node(),
        }
    }
}

/// Visits every solution below this state. Recursion is as deep as there are guesses on the way to
/// a solution: each fills a cell, so fewer than 81.
fn enter(grid: &mut CandidateGrid, ledger: &mut Ledger) -> ControlFlow<End> {
    ledger.node()?;
    if climb(grid, Clock::STOPPED, |_| {}).is_err() {
        return ControlFlow::Continue(());
    }
    let Some((cell, digits)) = fewest_candidates(grid) else {
        return match grid.solution() {
            Some(solution) => ledger.solution(solution),
            None => ControlFlow::Continue(()),
        };
    };
    let mut left = digits;
    for digit in digits {
        let candidate = Candidate { cell, digit };
        left = left.without(digit);
        if !left.is_empty() {
            ledger.guess()?;
        }
        let mut branch = grid.clone();
        match branch.place(candidate) {
            Ok(()) => enter(&mut branch, ledger)?,
            Err(_) => ledger.node()?,
        }
    }
    ControlFlow::Continue(())
}

/// The first blank cell with the fewest candidates, if any is left.
fn fewest_candidates(grid: &CandidateGrid) -> Option<(Cell, DigitSet)> {
    let blanks = grid.blanks().into_iter();
    let cell = blanks.min_by_key(|&cell| grid.candidates(cell).len())?;
    Some((cell, grid.candidates(cell)))
}
