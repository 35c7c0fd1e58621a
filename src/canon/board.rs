//! The board as the searches look at it: the digits of its rows, and of its columns.

use crate::grid::{Cell, Digit, PuzzleLine};

/// The digits of a board, 0 for a blank, as rows of the board and as rows of its transpose.
#[derive(Debug, Clone)]
pub(super) struct Board {
    rows: [[[u8; 9]; 9]; 2],
}

impl Board {
    /// Returns the board of these digits in reading order, 0 for a blank.
    pub(super) fn of_digits(digits: &[u8; Cell::COUNT]) -> Board {
        let mut rows = [[[0; 9]; 9]; 2];
        for (place, &digit) in digits.iter().enumerate() {
            rows[0][place / 9][place % 9] = digit;
            rows[1][place % 9][place / 9] = digit;
        }
        Board { rows }
    }

    /// Returns the board of a puzzle.
    pub(super) fn of_line(line: &PuzzleLine) -> Board {
        Board::of_digits(&line.as_bytes().map(digit_of_byte))
    }

    /// Returns the board with a 1 where the puzzle has a given.
    pub(super) fn of_pattern(line: &PuzzleLine) -> Board {
        Board::of_digits(&line.as_bytes().map(|byte| digit_of_byte(byte).min(1)))
    }

    /// Returns a row of the board or, where `transposed`, one of its columns.
    pub(super) fn row(&self, transposed: bool, row: usize) -> &[u8; 9] {
        &self.rows[usize::from(transposed)][row]
    }
}

/// The value of a digit, 0 for every byte that is none.
fn digit_of_byte(byte: u8) -> u8 {
    Digit::from_ascii(byte).map_or(0, Digit::value)
}
