//! The complete solver `backtracking`: depth-first search as in textbooks, the baseline.
//!
//! Blanks are filled from left to right and from top to bottom, each with its legal digits in
//! ascending order (Golomb and Baumert, "Backtrack programming", 1965). The digits of each house
//! are kept as a bit set, so that the legal ones are found by three unions.

use std::ops::ControlFlow;

use super::search::{End, Ledger, Search};
use crate::grid::{Cell, CellMap, Digit, DigitSet, House, Puzzle, Solution};

/// The solver `backtracking`. Complete: every puzzle gets a true verdict, but some hard ones take
/// minutes. Keeps nothing between puzzles.
#[derive(Clone, Debug, Default)]
pub struct Backtracking {}

impl Backtracking {
    /// Returns a solver ready for its first puzzle.
    pub fn new() -> Backtracking {
        Backtracking {}
    }
}

impl Search for Backtracking {
    fn search(&mut self, puzzle: &Puzzle, ledger: &mut Ledger) -> ControlFlow<End> {
        match Board::new(puzzle) {
            Some(mut board) => {
                let blanks: Vec<Cell> = Cell::all()
                    .filter(|&cell| puzzle.given(cell).is_none())
                    .collect();
                board.fill(&blanks, ledger)
            }
            None => ledger.node(),
        }
    }
}

struct Board {
    digits: CellMap<Option<Digit>>,
    /// The digits of each house, by [`House::index`].
    held: [DigitSet; House::COUNT],
}

impl Board {
    /// Returns the board with these givens, unless a house holds a digit twice.
    fn new(puzzle: &Puzzle) -> Option<Board> {
        let mut board = Board {
            digits: CellMap::from_fn(|_| None),
            held: [DigitSet::EMPTY; House::COUNT],
        };
        for (cell, digit) in puzzle.givens() {
            if !board.legal(cell).contains(digit) {
                return None;
            }
            board.put(cell, digit);
        }
        Some(board)
    }

    /// Visits every way to fill these blanks.
    fn fill(&mut self, blanks: &[Cell], ledger: &mut Ledger) -> ControlFlow<End> {
        ledger.node()?;
        let Some((&cell, rest)) = blanks.split_first() else {
            return ledger.solution(self.solution());
        };
        let mut left = self.legal(cell);
        for digit in left {
            left = left.without(digit);
            if !left.is_empty() {
                ledger.guess()?;
            }
            self.put(cell, digit);
            self.fill(rest, ledger)?;
            self.take(cell, digit);
        }
        ControlFlow::Continue(())
    }

    /// Returns the digits that none of the cell's houses holds.
    fn legal(&self, cell: Cell) -> DigitSet {
        let [row, column, block] = cell.houses().map(|house| self.held[house.index()]);
        DigitSet::ALL.difference(row.union(column).union(block))
    }

    fn put(&mut self, cell: Cell, digit: Digit) {
        self.digits[cell] = Some(digit);
        for house in cell.houses() {
            self.held[house.index()] = self.held[house.index()].with(digit);
        }
    }

    fn take(&mut self, cell: Cell, digit: Digit) {
        self.digits[cell] = None;
        for house in cell.houses() {
            self.held[house.index()] = self.held[house.index()].without(digit);
        }
    }

    fn solution(&self) -> Solution {
        let digits = self.digits.map(|digit| digit.expect("no cell is blank"));
        Solution::new(digits).expect("no house holds a digit twice")
    }
}
