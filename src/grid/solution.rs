//! A solved board.

use std::fmt;
use std::str::FromStr;

use super::cell::{Cell, CellMap};
use super::digit::{Digit, DigitSet};
use super::puzzle::Puzzle;

/// A full board in which every house holds every digit: valid by construction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Solution(CellMap<Digit>);

impl Solution {
    /// Returns the solution with these digits, if every house holds every digit.
    pub fn new(digits: CellMap<Digit>) -> Option<Solution> {
        let mut columns = [DigitSet::EMPTY; 9];
        let mut blocks = [DigitSet::EMPTY; 9];
        let mut rows_hold_all = true;
        for row in 0..9 {
            let mut held = DigitSet::EMPTY;
            for (index, column) in columns.iter_mut().enumerate() {
                let cell = Cell::at(row, index).expect("both are below nine");
                let digit = DigitSet::only(digits[cell]);
                held = held.union(digit);
                *column = column.union(digit);
                blocks[cell.block()] = blocks[cell.block()].union(digit);
            }
            rows_hold_all &= held == DigitSet::ALL;
        }
        let all = [DigitSet::ALL; 9];
        (rows_hold_all && columns == all && blocks == all).then_some(Solution(digits))
    }

    /// Returns the board as a solution, if it is full and valid.
    pub fn of_board(board: &Puzzle) -> Option<Solution> {
        if board.given_count() < Cell::COUNT {
            return None;
        }
        // Every cell has a digit, so the other one is never taken.
        let digit = |cell| board.given(cell).unwrap_or(Digit::ALL[0]);
        Solution::new(CellMap::from_fn(digit))
    }

    /// Returns the line of digits as a solution, if it is one.
    pub fn from_ascii(line: &[u8; Cell::COUNT]) -> Option<Solution> {
        let mut digits = [Digit::ALL[0]; Cell::COUNT];
        for (digit, &byte) in digits.iter_mut().zip(line) {
            *digit = Digit::from_ascii(byte)?;
        }
        Solution::new(CellMap::from_array(digits))
    }

    /// Returns the solution with these digits without checking them. For `lockstep`, which checks
    /// all lanes at once: checking here would take longer than its search.
    pub(crate) fn of_checked_ascii(line: &[u8; Cell::COUNT]) -> Solution {
        debug_assert!(Solution::from_ascii(line).is_some(), "{line:?}");
        Solution(CellMap::from_array(line.map(Digit::from_checked_ascii)))
    }

    /// Returns the digits as ASCII.
    pub fn to_ascii(&self) -> [u8; Cell::COUNT] {
        self.0.as_array().map(Digit::to_ascii)
    }

    /// Returns the digit of this cell.
    pub fn digit(&self, cell: Cell) -> Digit {
        self.0[cell]
    }

    /// Returns whether the solution has every given of this puzzle.
    pub fn solves(&self, puzzle: &Puzzle) -> bool {
        puzzle
            .givens()
            .all(|(cell, digit)| self.digit(cell) == digit)
    }

    /// Returns the board as a puzzle of 81 givens.
    pub fn to_puzzle(&self) -> Puzzle {
        Puzzle::from_givens(self.0.map(|&digit| Some(digit)))
    }

    /// Returns the digits as a string of 81 characters.
    pub fn to_line(&self) -> String {
        self.to_puzzle().to_line()
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_line())
    }
}

/// Error of a text that is not a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSolutionError;

impl fmt::Display for ParseSolutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 81 digits that solve a Sudoku")
    }
}

impl std::error::Error for ParseSolutionError {}

impl FromStr for Solution {
    type Err = ParseSolutionError;

    fn from_str(text: &str) -> Result<Solution, ParseSolutionError> {
        let line = text.as_bytes().try_into().map_err(|_| ParseSolutionError)?;
        Solution::from_ascii(line).ok_or(ParseSolutionError)
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solution({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From Wikipedia's article on Sudoku.
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn a_board_is_a_solution_only_if_it_is_full() {
        let solution: Solution = SOLUTION.parse().unwrap();
        assert_eq!(Solution::of_board(&solution.to_puzzle()), Some(solution));
        assert_eq!(solution.to_string(), SOLUTION);
        for cell in Cell::all() {
            let mut board = solution.to_puzzle();
            board.set(cell, None);
            assert_eq!(Solution::of_board(&board), None, "{cell}");
        }
    }
}
