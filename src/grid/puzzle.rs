//! The givens of a puzzle.

use std::fmt;

use super::cell::{Cell, CellMap};
use super::digit::{Digit, DigitSet};
use super::house::House;

/// The givens of a puzzle. They need not be consistent: two equal ones may see each other.
///
/// ```
/// use sudoku_batch::grid::Puzzle;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// assert_eq!(puzzle.given_count(), 30);
/// assert!(puzzle.is_consistent());
/// assert_eq!(puzzle.to_line(), line);
/// assert_eq!("53..".parse::<Puzzle>().unwrap_err().to_string(), "expected 81 cells, found 4");
/// # Ok::<(), sudoku_batch::grid::ParsePuzzleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Puzzle(CellMap<Option<Digit>>);

impl Puzzle {
    /// Returns the puzzle without givens.
    pub fn empty() -> Puzzle {
        Puzzle(CellMap::from_fn(|_| None))
    }

    /// Returns the puzzle with these givens.
    pub const fn from_givens(givens: CellMap<Option<Digit>>) -> Puzzle {
        Puzzle(givens)
    }

    /// Returns whether this byte is a cell of a line: a digit, or a blank (one of `.`, `0`, `*`,
    /// `_` and `-`).
    #[inline]
    pub fn is_cell(byte: u8) -> bool {
        IS_CELL[usize::from(byte)]
    }

    /// Returns the values of the givens in reading order, 0 for a blank.
    pub fn to_bytes(&self) -> [u8; Cell::COUNT] {
        self.0.as_array().map(|given| given.map_or(0, Digit::value))
    }

    /// Returns the given in this cell, if there is one.
    pub fn given(&self, cell: Cell) -> Option<Digit> {
        self.0[cell]
    }

    /// Sets or clears the given of one cell.
    pub fn set(&mut self, cell: Cell, given: Option<Digit>) {
        self.0[cell] = given;
    }

    /// Returns every cell that has a given, in reading order.
    pub fn givens(&self) -> impl Iterator<Item = (Cell, Digit)> {
        self.0
            .iter()
            .filter_map(|(cell, given)| given.map(|digit| (cell, digit)))
    }

    /// Returns the number of givens.
    pub fn given_count(&self) -> usize {
        self.givens().count()
    }

    /// Returns whether no two equal givens see each other.
    pub fn is_consistent(&self) -> bool {
        House::all().all(|house| {
            let mut seen = DigitSet::EMPTY;
            house
                .cells()
                .into_iter()
                .filter_map(|cell| self.given(cell))
                .all(|digit| {
                    let fresh = !seen.contains(digit);
                    seen = seen.with(digit);
                    fresh
                })
        })
    }

    /// Returns the puzzle as 81 characters, `.` for a blank.
    pub fn to_line(&self) -> String {
        self.0
            .as_array()
            .iter()
            .map(|given| given.map_or('.', |digit| digit.to_ascii() as char))
            .collect()
    }
}

/// Whether a byte is a digit or a blank, by byte.
static IS_CELL: [bool; 256] = {
    let mut table = [false; 256];
    let cells = b"123456789.0*_-";
    let mut at = 0;
    while at < cells.len() {
        table[cells[at] as usize] = true;
        at += 1;
    }
    table
};

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_line())
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}
