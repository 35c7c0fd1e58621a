//! The complete solver `backtracking-scan`: backtracking without bit sets, as in tutorials.
//!
//! The same search as `backtracking`, node for node. Whether a digit is legal is found by scanning
//! the row, the column and the block of the cell at each try; the difference in time is what bit
//! sets gain.

use std::ops::ControlFlow;

use super::search::{End, Ledger, Search};
use crate::grid::{Cell, Digit, Puzzle, Solution};

/// The solver `backtracking-scan`. Complete: every puzzle gets a true verdict, but some hard ones
/// take many minutes. Keeps nothing between puzzles.
#[derive(Clone, Debug, Default)]
pub struct BacktrackingScan {}

impl BacktrackingScan {
    /// Returns a solver ready for its first puzzle.
    pub fn new() -> BacktrackingScan {
        BacktrackingScan {}
    }
}

impl Search for BacktrackingScan {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        if puzzle.is_consistent() {
            fill(&mut { *puzzle }, 0, ledger)
        } else {
            ledger.node()
        }
    }
}

/// Visits every way to fill the blanks from this index in reading order on.
fn fill(board: &mut Puzzle, start: usize, ledger: &mut Ledger) -> ControlFlow<End> {
    ledger.node()?;
    let blank = (start..Cell::COUNT)
        .filter_map(Cell::new)
        .find(|&cell| board.given(cell).is_none());
    let Some(cell) = blank else {
        let solution = Solution::of_board(board);
        return ledger.solution(solution.expect("no cell is blank and no digit stands twice"));
    };
    let mut digits = Digit::ALL.into_iter();
    let mut next = digits.find(|&digit| is_legal(board, cell, digit));
    while let Some(digit) = next {
        next = digits.find(|&digit| is_legal(board, cell, digit));
        if next.is_some() {
            ledger.guess()?;
        }
        board.set(cell, Some(digit));
        fill(board, cell.index() + 1, ledger)?;
        board.set(cell, None);
    }
    ControlFlow::Continue(())
}

/// Returns whether the row, the column and the block lack the digit.
fn is_legal(board: &Puzzle, cell: Cell, digit: Digit) -> bool {
    let houses = cell.houses().into_iter();
    houses
        .flat_map(|house| house.cells())
        .all(|other| board.given(other) != Some(digit))
}
