//! Givens of a puzzle, and the 81-character line that holds them.

use std::fmt;
use std::str::FromStr;

use super::cell::{Cell, CellMap};
use super::digit::{Digit, DigitSet};
use super::house::House;

/// The givens of a puzzle. Nothing is promised about them: they may contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Puzzle(CellMap<Option<Digit>>);

/// Why a text is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsePuzzleError {
    /// Too few or too many cells.
    Length {
        /// Characters that stand where cells should be.
        found: usize,
    },
    /// A character that is neither a digit nor a blank.
    Character {
        /// Place in the text, in characters from 1.
        column: usize,
        /// What stands there.
        character: char,
    },
}

impl fmt::Display for ParsePuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePuzzleError::Length { found } => write!(f, "expected 81 cells, found {found}"),
            ParsePuzzleError::Character { column, character } => write!(
                f,
                "column {column}: {character:?} is neither a digit nor a blank (one of . 0 * _ -)"
            ),
        }
    }
}

impl std::error::Error for ParsePuzzleError {}

impl Puzzle {
    /// The puzzle without givens.
    pub fn empty() -> Puzzle {
        Puzzle(CellMap::from_fn(|_| None))
    }

    /// The puzzle with these givens.
    pub const fn from_givens(givens: CellMap<Option<Digit>>) -> Puzzle {
        Puzzle(givens)
    }

    /// The given in this cell, if there is one.
    pub fn given(&self, cell: Cell) -> Option<Digit> {
        self.0[cell]
    }

    /// Sets or clears the given of one cell.
    pub fn set(&mut self, cell: Cell, given: Option<Digit>) {
        self.0[cell] = given;
    }

    /// Every cell that has a given, in reading order.
    pub fn givens(&self) -> impl Iterator<Item = (Cell, Digit)> {
        self.0
            .iter()
            .filter_map(|(cell, given)| given.map(|digit| (cell, digit)))
    }

    /// How many givens there are.
    pub fn given_count(&self) -> usize {
        self.givens().count()
    }

    /// Whether no two equal givens see each other.
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

    /// The puzzle as 81 characters, `.` for a blank.
    pub fn to_line(&self) -> String {
        self.0
            .as_array()
            .iter()
            .map(|given| given.map_or('.', |digit| digit.to_ascii() as char))
            .collect()
    }
}

/// Reads exactly 81 characters: digits, and `.`, `0`, `*`, `_` or `-` for a blank.
impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    fn from_str(line: &str) -> Result<Puzzle, ParsePuzzleError> {
        let mut puzzle = Puzzle::empty();
        let mut found = 0;
        for (index, character) in line.chars().enumerate() {
            let given = match character {
                '.' | '0' | '*' | '_' | '-' => None,
                '1'..='9' => Digit::from_ascii(character as u8),
                _ => {
                    return Err(ParsePuzzleError::Character {
                        column: index + 1,
                        character,
                    });
                }
            };
            if let Some(cell) = Cell::new(index) {
                puzzle.set(cell, given);
            }
            found += 1;
        }
        if found == Cell::COUNT {
            Ok(puzzle)
        } else {
            Err(ParsePuzzleError::Length { found })
        }
    }
}

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
