//! A puzzle as a line of text: 81 characters.

use std::fmt;
use std::str::FromStr;

use super::cell::{Cell, CellMap};
use super::digit::Digit;
use super::puzzle::Puzzle;

/// A puzzle as a line of text: 81 bytes in reading order, each a digit from `1` to `9` or a blank
/// (one of `.`, `0`, `*`, `_` and `-`). The givens may contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PuzzleLine([u8; Cell::COUNT]);

impl PuzzleLine {
    /// Returns the line of these bytes, if each is a digit or a blank.
    pub fn new(bytes: [u8; Cell::COUNT]) -> Option<PuzzleLine> {
        // Without a way out in between, so that the bytes are looked at many at a time.
        let is_line = bytes.iter().fold(true, |all, &byte| {
            let is_blank = matches!(byte, b'.' | b'0' | b'*' | b'_' | b'-');
            all & (is_blank | byte.is_ascii_digit())
        });
        is_line.then_some(PuzzleLine(bytes))
    }

    /// Returns the line of these bytes, each of which is known to be a digit or a blank.
    pub(super) fn of_cells(bytes: CellMap<u8>) -> PuzzleLine {
        debug_assert!(PuzzleLine::new(*bytes.as_array()).is_some(), "{bytes:?}");
        PuzzleLine(*bytes.as_array())
    }

    /// Returns the line of these bytes, if there are 81 and each is a digit or a blank.
    pub fn from_slice(bytes: &[u8]) -> Option<PuzzleLine> {
        PuzzleLine::new(bytes.try_into().ok()?)
    }

    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8; Cell::COUNT] {
        &self.0
    }

    /// Returns the givens.
    pub fn puzzle(&self) -> Puzzle {
        let given = |cell: Cell| Digit::from_ascii(self.0[cell.index()]);
        Puzzle::from_givens(CellMap::from_fn(given))
    }
}

/// Writes blanks as `.`.
impl From<&Puzzle> for PuzzleLine {
    fn from(puzzle: &Puzzle) -> PuzzleLine {
        let byte = |cell| puzzle.given(cell).map_or(b'.', Digit::to_ascii);
        PuzzleLine(*CellMap::from_fn(byte).as_array())
    }
}

/// Error of a text that is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsePuzzleError {
    /// The text has too few or too many cells.
    Length {
        /// Number of cells found.
        found: usize,
    },
    /// A character is neither a digit nor a blank.
    Character {
        /// Position in the text, in characters from 1.
        column: usize,
        /// The character found.
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

/// Reads exactly 81 characters: digits, and `.`, `0`, `*`, `_` or `-` for a blank.
impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    fn from_str(line: &str) -> Result<Puzzle, ParsePuzzleError> {
        let puzzle = PuzzleLine::from_slice(line.as_bytes()).map(|line| line.puzzle());
        puzzle.ok_or_else(|| {
            let is_cell = |character: char| u8::try_from(character).is_ok_and(Puzzle::is_cell);
            let stranger = line.chars().enumerate().find(|&(_, found)| !is_cell(found));
            match stranger {
                Some((index, character)) => ParsePuzzleError::Character {
                    column: index + 1,
                    character,
                },
                None => ParsePuzzleError::Length { found: line.len() },
            }
        })
    }
}

impl fmt::Debug for PuzzleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PuzzleLine({})", String::from_utf8_lossy(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_contain_only_digits_and_blanks() {
        for byte in 0..=u8::MAX {
            for place in [0, 40, 80] {
                let mut bytes = [b'.'; Cell::COUNT];
                bytes[place] = byte;
                let line = PuzzleLine::new(bytes);
                assert_eq!(line.is_some(), Puzzle::is_cell(byte), "{byte}");
                let Some(line) = line else { continue };
                let cell = Cell::new(place).unwrap();
                assert_eq!(line.puzzle().given(cell), Digit::from_ascii(byte));
                assert_eq!(
                    line.puzzle(),
                    std::str::from_utf8(&bytes).unwrap().parse().unwrap()
                );
                assert_eq!(PuzzleLine::from(&line.puzzle()).puzzle(), line.puzzle());
            }
        }
        assert_eq!(PuzzleLine::from_slice(b"1"), None);
    }

    #[test]
    fn an_error_names_the_column_or_the_length() {
        let error = |line: &str| line.parse::<Puzzle>().unwrap_err();
        let stranger = |column| ParsePuzzleError::Character {
            column,
            character: 'x',
        };
        assert_eq!(error("x"), stranger(1));
        assert_eq!(error(&(".".repeat(80) + "x")), stranger(81));
        assert_eq!(error("123"), ParsePuzzleError::Length { found: 3 });
    }
}
