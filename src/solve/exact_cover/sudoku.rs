//! Sudoku as an exact cover: 324 constraints, 729 options.
//!
//! An option is a digit in a cell. It covers four constraints: the cell holds a digit, and its row,
//! its column and its block each hold that digit.

use std::ops::ControlFlow;

use super::links::{Links, Visit};
use crate::grid::{Cell, CellMap, Digit, Puzzle, Solution};
use crate::solve::search::{End, Ledger, Search};

/// The solver `dlx`. Complete: every puzzle gets a true verdict. Keeps the links of the empty
/// board, and copies them for each puzzle.
#[derive(Clone, Debug)]
pub struct DancingLinks {
    /// The links of the empty board.
    empty: Links<4>,
    links: Links<4>,
}

impl DancingLinks {
    /// Returns a solver ready for its first puzzle.
    pub fn new() -> DancingLinks {
        let options: Vec<[usize; 4]> = Cell::all()
            .flat_map(|cell| Digit::ALL.map(|digit| constraints(cell, digit)))
            .collect();
        let empty = Links::new(Cell::COUNT * 4, &options);
        DancingLinks {
            links: empty.clone(),
            empty,
        }
    }
}

impl Default for DancingLinks {
    fn default() -> DancingLinks {
        DancingLinks::new()
    }
}

impl Search for DancingLinks {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        self.links.restore(&self.empty);
        for (cell, digit) in puzzle.givens() {
            if self.links.take(option(cell, digit)).is_err() {
                return ledger.node();
            }
        }
        self.links.search(&mut Board(ledger))
    }
}

/// Returns the constraints that a digit in a cell covers: the cell's own, then 81 each for the
/// rows, the columns and the blocks.
fn constraints(cell: Cell, digit: Digit) -> [usize; 4] {
    let [row, column, block] = cell.houses().map(|house| house.index() * 9 + digit.index());
    [
        cell.index(),
        Cell::COUNT + row,
        Cell::COUNT + column,
        Cell::COUNT + block,
    ]
}

fn option(cell: Cell, digit: Digit) -> usize {
    cell.index() * 9 + digit.index()
}

/// Enters what the links find into a ledger.
struct Board<'a>(&'a mut Ledger);

impl Visit for Board<'_> {
    type Stop = End;

    fn node(&mut self) -> ControlFlow<End> {
        self.0.node()
    }

    fn guess(&mut self) -> ControlFlow<End> {
        self.0.guess()
    }

    fn cover(&mut self, options: &[usize]) -> ControlFlow<End> {
        let mut digits = CellMap::from_fn(|_| Digit::ALL[0]);
        for option in options {
            if let Some(cell) = Cell::new(option / 9) {
                digits[cell] = Digit::ALL[option % 9];
            }
        }
        let solution =
            Solution::new(digits).expect("each house holds each digit by its constraints");
        self.0.solution(solution)
    }
}
