//! The board as the searches look at it: the digits of its rows, and of its columns.

use crate::grid::{Cell, Digit, PuzzleLine};

/// The digits of a board, 0 for a blank, as rows of the board and as rows of its transpose.
#[derive(Debug, Clone)]
pub(super) struct Board {
    rows: [[[u8; 9]; 9]; 2],
    /// For each row the first row of its band that holds the same.
    same_in_band: [[u8; 9]; 2],
    /// For each row the first that holds the same, in a band that holds the same rows in whatever order.
    same_in_same_band: [[u8; 9]; 2],
}

impl Board {
    /// Returns the board of these digits in reading order, 0 for a blank.
    pub(super) fn of_digits(digits: &[u8; Cell::COUNT]) -> Board {
        let mut rows = [[[0; 9]; 9]; 2];
        for (place, &digit) in digits.iter().enumerate() {
            rows[0][place / 9][place % 9] = digit;
            rows[1][place % 9][place / 9] = digit;
        }
        Board {
            same_in_band: rows.map(|rows| first_of(|a, b| a / 3 == b / 3 && rows[a] == rows[b])),
            same_in_same_band: rows.map(|rows| {
                let bands = [0, 3, 6].map(|first| {
                    let mut band = [rows[first], rows[first + 1], rows[first + 2]];
                    band.sort_unstable();
                    band
                });
                first_of(|a, b| bands[a / 3] == bands[b / 3] && rows[a] == rows[b])
            }),
            rows,
        }
    }

    /// Returns the board of a puzzle.
    pub(super) fn of_line(line: &PuzzleLine) -> Board {
        Board::of_digits(&line.as_bytes().map(digit_of_byte))
    }

    /// Returns the board with a 1 where the puzzle has a given.
    pub(super) fn of_pattern(line: &PuzzleLine) -> Board {
        Board::of_digits(&line.as_bytes().map(|byte| digit_of_byte(byte).min(1)))
    }

    /// Whether a symmetry swaps two rows and leaves the board as it is, and all rows that are placed where they are. The
    /// two are of one band, or, if `is_band_free`, of any that have no row placed.
    pub(super) fn are_twins(&self, side: usize, row: u8, other: u8, is_band_free: bool) -> bool {
        let same = match is_band_free {
            true => &self.same_in_same_band[side],
            false => &self.same_in_band[side],
        };
        same[usize::from(row)] == same[usize::from(other)]
    }

    /// Returns a row of the board or, where `transposed`, one of its columns.
    pub(super) fn row(&self, transposed: bool, row: usize) -> &[u8; 9] {
        &self.rows[usize::from(transposed)][row]
    }
}

/// For each row the first that is the same as it.
fn first_of(are_same: impl Fn(usize, usize) -> bool) -> [u8; 9] {
    std::array::from_fn(|row| {
        let first = (0..row).find(|&other| are_same(other, row));
        first.unwrap_or(row) as u8
    })
}

/// The value of a digit, 0 for every byte that is none.
fn digit_of_byte(byte: u8) -> u8 {
    Digit::from_ascii(byte).map_or(0, Digit::value)
}
