//! Pencil marks as text: nine characters per cell.

use std::fmt;
use std::str::FromStr;

use super::candidate::Candidate;
use super::candidate_grid::{CandidateGrid, Contradiction};
use super::cell::{Cell, CellMap, CellSet};
use super::digit::{Digit, DigitSet};
use super::puzzle::Puzzle;

/// The candidates that somebody noted in every cell. They may be inconsistent: a cell may have
/// none, and a digit may be alone in two cells of a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PencilMarks(CellMap<DigitSet>);

/// Error of a text that does not hold pencil marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParsePencilMarksError {
    /// The text has too few or too many characters.
    Length {
        /// Number of characters that are not white space.
        found: usize,
    },
    /// The n-th of a cell's nine characters is neither n nor `.` nor `0`.
    Character {
        /// The cell it is part of.
        cell: Cell,
        /// The digit that is allowed there.
        expected: Digit,
        /// The character found.
        character: char,
    },
}

impl fmt::Display for ParsePencilMarksError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePencilMarksError::Length { found } => {
                write!(
                    f,
                    "expected pencil marks of {LENGTH} characters, found {found}"
                )
            }
            ParsePencilMarksError::Character {
                cell,
                expected,
                character,
            } => write!(
                f,
                "in the pencil marks of {cell}, {character:?} stands where {expected} or . should"
            ),
        }
    }
}

impl std::error::Error for ParsePencilMarksError {}

/// Number of characters of all cells.
const LENGTH: usize = 9 * Cell::COUNT;

impl PencilMarks {
    /// Returns the candidates of a grid.
    pub fn of(grid: &CandidateGrid) -> PencilMarks {
        PencilMarks(CellMap::from_fn(|cell| grid.candidates(cell)))
    }

    /// Makes pencil marks by calling `candidates` for each cell.
    pub fn from_fn(candidates: impl FnMut(Cell) -> DigitSet) -> PencilMarks {
        PencilMarks(CellMap::from_fn(candidates))
    }

    /// Returns the candidates of this cell.
    pub fn candidates(&self, cell: Cell) -> DigitSet {
        self.0[cell]
    }

    /// Returns the cells with a single mark that no cell they see has: the givens, if the other
    /// marks may be incomplete.
    pub fn givens(&self) -> Puzzle {
        Puzzle::from_givens(CellMap::from_fn(|cell| {
            let digit = self.candidates(cell).single()?;
            let mut peers = cell.peers().into_iter();
            let is_alone = peers.all(|peer| !self.candidates(peer).contains(digit));
            is_alone.then_some(digit)
        }))
    }

    /// Returns the grid with these candidates. A cell with one candidate counts as placed, unless a
    /// cell that it sees still has that candidate: then placing it is a step that remains to be
    /// made.
    ///
    /// # Errors
    ///
    /// [`Contradiction`], if a cell has no candidate or a digit no place in a house.
    pub fn grid(&self) -> Result<CandidateGrid, Contradiction> {
        let mut grid = CandidateGrid::empty();
        for digit in Digit::ALL {
            let lacks = |cell: &Cell| !self.candidates(*cell).contains(digit);
            grid.eliminate(Cell::all().filter(lacks).collect::<CellSet>(), digit)?;
        }
        for cell in grid.naked_singles() {
            let Some(digit) = self.candidates(cell).single() else {
                continue;
            };
            if grid.places(digit).intersection(cell.peers()).is_empty() {
                grid.place(Candidate { cell, digit })?;
            }
        }
        Ok(grid)
    }
}

/// Reads 729 characters, nine for each cell: the n-th of them is n where the cell may be n, else `.`
/// or `0`. White space is skipped.
impl FromStr for PencilMarks {
    type Err = ParsePencilMarksError;

    fn from_str(text: &str) -> Result<PencilMarks, ParsePencilMarksError> {
        let marks: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        if marks.len() != LENGTH {
            return Err(ParsePencilMarksError::Length { found: marks.len() });
        }
        let mut candidates = CellMap::from_fn(|_| DigitSet::EMPTY);
        for (cell, marks) in Cell::all().zip(marks.chunks(9)) {
            for (digit, &character) in Digit::ALL.into_iter().zip(marks) {
                if character == char::from(digit.to_ascii()) {
                    candidates[cell] = candidates[cell].with(digit);
                } else if !matches!(character, '.' | '0') {
                    return Err(ParsePencilMarksError::Character {
                        cell,
                        expected: digit,
                        character,
                    });
                }
            }
        }
        Ok(PencilMarks(candidates))
    }
}

/// Writes the 729 characters that [`FromStr`] reads.
impl fmt::Display for PencilMarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (_, candidates) in self.0.iter() {
            for digit in Digit::ALL {
                if candidates.contains(digit) {
                    write!(f, "{digit}")?;
                } else {
                    f.write_str(".")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    proptest! {
        #[test]
        fn marks_round_trip_through_text(bits in prop::collection::vec(0_u16..512, 81)) {
            let digits = CellMap::from_fn(|cell| DigitSet::from_bits(bits[cell.index()]));
            let marks = PencilMarks(digits);
            prop_assert_eq!(marks.to_string().parse(), Ok(marks));
            let empty = Cell::all().any(|cell| marks.candidates(cell).is_empty());
            prop_assert!(!empty || marks.grid().is_err());
            if let Ok(grid) = marks.grid() {
                prop_assert_eq!(PencilMarks::of(&grid), marks);
            }
        }
    }

    #[test]
    fn a_grid_is_restored_from_its_marks() {
        let grid = CandidateGrid::new(&LINE.parse().unwrap()).unwrap();
        assert_eq!(PencilMarks::of(&grid).grid(), Ok(grid));
    }

    #[test]
    fn a_given_is_a_single_mark_that_no_cell_it_sees_has() {
        let digits = |set: &[usize]| set.iter().map(|index| Digit::ALL[*index]).collect();
        let (first, seen, far) = (Cell::at(0, 0), Cell::at(0, 8), Cell::at(8, 8));
        let mut marks = CellMap::from_fn(|_| digits(&[6, 7]));
        marks[first.unwrap()] = digits(&[0]);
        marks[seen.unwrap()] = digits(&[1]);
        marks[far.unwrap()] = digits(&[1, 2]);
        let givens = PencilMarks(marks).givens();
        let expected: Vec<_> = givens.givens().collect();
        assert_eq!(expected, [(first.unwrap(), Digit::ALL[0])]);
    }

    #[test]
    fn bad_marks_are_named() {
        let error = |text: &str| text.parse::<PencilMarks>().unwrap_err().to_string();
        assert!(error(LINE).ends_with("found 81"));
        let wrong = "123456789".repeat(80) + "12345678x";
        assert_eq!(
            error(&wrong),
            "in the pencil marks of r9c9, 'x' stands where 9 or . should"
        );
    }
}
