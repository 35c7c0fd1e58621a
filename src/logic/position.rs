//! What an explanation starts from.

use std::fmt;

use super::profile::Profile;
use super::state::State;
use crate::grid::{Candidate, Cell, CellSet, Contradiction, Digit, PencilMarks, Puzzle};

/// Givens, or pencil marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The givens of a puzzle.
    Puzzle(Puzzle),
    /// Marks somebody has come to.
    Marks(PencilMarks),
}

impl Position {
    /// What the first step of a profile is looked for on. Cells of pencil marks with a single digit
    /// are taken for givens.
    ///
    /// # Errors
    /// [`Contradiction`], where the position itself shows that there is no solution.
    pub fn start(&self, profile: &Profile) -> Result<State, Contradiction> {
        match self {
            Position::Puzzle(puzzle) => profile.start(puzzle),
            Position::Marks(marks) => marks.grid().map(State::new),
        }
    }

    /// The digit that stands in this cell: a given, or the only mark.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        match self {
            Position::Puzzle(puzzle) => puzzle.given(cell),
            Position::Marks(marks) => marks.candidates(cell).single(),
        }
    }

    /// The cells that have a digit.
    pub fn givens(&self) -> CellSet {
        let cells = Cell::all();
        cells.filter(|&cell| self.digit(cell).is_some()).collect()
    }

    /// Two cells that see each other and have the same digit, if there are such.
    pub fn clash(&self) -> Option<(Candidate, Cell)> {
        self.givens().into_iter().find_map(|cell| {
            let digit = self.digit(cell)?;
            let mut peers = cell.peers().into_iter();
            let other = peers.find(|&peer| self.digit(peer) == Some(digit))?;
            Some((Candidate { cell, digit }, other))
        })
    }
}

/// 81 characters for a puzzle, 729 for pencil marks.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Puzzle(puzzle) => puzzle.fmt(f),
            Position::Marks(marks) => marks.fmt(f),
        }
    }
}
