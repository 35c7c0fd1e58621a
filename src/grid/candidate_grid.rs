//! Pencil marks: what may still stand in each cell.

use std::fmt;

use super::cell::{Cell, CellMap, CellSet};
use super::digit::{Digit, DigitSet};
use super::puzzle::Puzzle;
use super::solution::Solution;

/// The candidates of every cell, and for every digit the cells that may hold it: two views of the
/// same marks, kept equal.
///
/// A placed cell has one candidate, and no cell that sees it has that candidate.
#[derive(Clone, PartialEq, Eq)]
pub struct CandidateGrid {
    candidates: CellMap<DigitSet>,
    places: [CellSet; 9],
    placed: CellSet,
}

/// Some cell has no candidate left, or some digit no place in a house: there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction;

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("some cell has no candidate left, or some digit no place in a house")
    }
}

impl std::error::Error for Contradiction {}

impl CandidateGrid {
    /// The board on which nothing stands and everything may.
    pub fn empty() -> CandidateGrid {
        CandidateGrid {
            candidates: CellMap::from_fn(|_| DigitSet::ALL),
            places: [CellSet::ALL; 9],
            placed: CellSet::EMPTY,
        }
    }

    /// The marks after the givens are placed.
    ///
    /// # Errors
    /// [`Contradiction`], if a given has been excluded by those before it, or leaves a cell without
    /// candidates.
    pub fn new(puzzle: &Puzzle) -> Result<CandidateGrid, Contradiction> {
        let mut grid = CandidateGrid::empty();
        for (cell, digit) in puzzle.givens() {
            grid.place(cell, digit)?;
        }
        Ok(grid)
    }

    /// What may stand in this cell; the digit alone, once it is placed.
    pub fn candidates(&self, cell: Cell) -> DigitSet {
        self.candidates[cell]
    }

    /// The cells that may hold this digit, those that do included.
    pub fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// The cells whose digit is placed.
    pub fn placed(&self) -> CellSet {
        self.placed
    }

    /// The cells that are still blank.
    pub fn blanks(&self) -> CellSet {
        CellSet::ALL.difference(self.placed)
    }

    /// Puts a digit into a cell, and strikes what it excludes from the cells that see it.
    ///
    /// # Errors
    /// [`Contradiction`], if it is no candidate there, or a cell loses its last candidate.
    pub fn place(&mut self, cell: Cell, digit: Digit) -> Result<(), Contradiction> {
        if !self.candidates[cell].contains(digit) {
            return Err(Contradiction);
        }
        for other in self.candidates[cell].without(digit) {
            self.places[other.index()] = self.places[other.index()].without(cell);
        }
        self.candidates[cell] = DigitSet::only(digit);
        self.placed = self.placed.with(cell);
        self.eliminate(cell.peers(), digit)
    }

    /// Strikes a digit from these cells; cells that do not have it stay as they are.
    ///
    /// # Errors
    /// [`Contradiction`], if a cell loses its last candidate.
    pub fn eliminate(&mut self, cells: CellSet, digit: Digit) -> Result<(), Contradiction> {
        let struck = self.places[digit.index()].intersection(cells);
        self.places[digit.index()] = self.places[digit.index()].difference(cells);
        let mut empty = false;
        for cell in struck {
            let left = self.candidates[cell].without(digit);
            self.candidates[cell] = left;
            empty |= left.is_empty();
        }
        if empty { Err(Contradiction) } else { Ok(()) }
    }

    /// The board, once every cell is placed.
    pub fn solution(&self) -> Option<Solution> {
        if self.placed != CellSet::ALL {
            return None;
        }
        let digit = |cell| self.candidates[cell].single().unwrap_or(Digit::ALL[0]);
        Solution::new(CellMap::from_fn(digit))
    }
}

/// Nine lines of nine cells, each cell as its candidates.
impl fmt::Debug for CandidateGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, candidates) in self.candidates.iter() {
            if cell.column() == 0 {
                writeln!(f)?;
            }
            let digits: String = candidates.into_iter().map(|d| d.to_string()).collect();
            write!(f, "{digits:<10}")?;
        }
        Ok(())
    }
}
