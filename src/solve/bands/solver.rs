//! The search of `bands`.
//!
//! Bit boards of 27-bit bands, one a digit, and locked candidates of a band by table are ideas of
//! JCZSolve by zhouyundong_2012, champagne and JasonLion (players' forum, "3.77us solver", 2012).
//! Locked candidates as permutations, the same way over stacks, and the choice of the cell are
//! this file's own: of the cells with two candidates, the one that sees the most open cells. On
//! hard puzzles it halves the guesses that the first such cell would take.

use std::ops::ControlFlow;

use super::board::Board;
use super::tables::unseen;
use crate::grid::{Cell, Puzzle};
use crate::solve::search::{End, Ledger, Search};

/// Complete: every puzzle gets a true verdict. Keeps nothing between puzzles, and allocates only
/// where it finds a second solution.
#[derive(Clone, Debug, Default)]
pub struct Bands {}

impl Bands {
    /// A solver ready for its first puzzle.
    pub fn new() -> Bands {
        Bands {}
    }
}

impl Search for Bands {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        enter(&mut Board::new(puzzle), ledger)
    }
}

/// Visits every solution of this board. Recursion is as deep as there are guesses on the way to a
/// solution: each fills a cell, so fewer than 81.
fn enter(board: &mut Board, ledger: &mut Ledger) -> ControlFlow<End> {
    ledger.node()?;
    if board.propagate().is_err() {
        return ControlFlow::Continue(());
    }
    let Some(cell) = branching_cell(board) else {
        return ledger.solution(board.solution());
    };
    let mut left = board.candidates(cell);
    for digit in left {
        left = left.without(digit);
        if left.is_empty() {
            board.place(cell, digit);
            return enter(board, ledger);
        }
        ledger.guess()?;
        let mut guess = *board;
        guess.place(cell, digit);
        enter(&mut guess, ledger)?;
    }
    ControlFlow::Continue(())
}

/// An open cell with the fewest candidates, if any is open; of several with two, the last of those
/// that see the most open cells.
fn branching_cell(board: &Board) -> Option<Cell> {
    let open = board.open();
    if open.is_empty() {
        return None;
    }
    // The count above, the cell below, in one number: then the maximum takes no branch.
    let mut best = 0;
    board.pairs().for_each(|cell| {
        let seen = open.difference(unseen(cell)).len();
        best = best.max(seen * Cell::COUNT + cell.index());
    });
    if best > 0 {
        return Cell::new(best % Cell::COUNT);
    }
    let mut fewest = None;
    open.for_each(|cell| {
        let count = board.candidates(cell).len();
        if fewest.is_none_or(|(least, _)| count < least) {
            fewest = Some((count, cell));
        }
    });
    fewest.map(|(_, cell)| cell)
}
