//! Fast trials of candidates.

use super::search_state::SearchState;
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Contradiction, Digit};

/// A grid on which candidates are tried: placed, with all singles that follow.
#[derive(Clone, Debug)]
pub struct Trial {
    marks: SearchState,
}

impl Trial {
    /// Returns the trial on this grid.
    pub fn new(grid: &CandidateGrid) -> Trial {
        Trial {
            marks: SearchState::of_marks(grid),
        }
    }

    /// Returns whether placing the candidate leads to a contradiction within this many rounds of
    /// singles, naked ones first.
    pub fn refutes_within(&self, rounds: usize, candidate: Candidate) -> bool {
        let mut marks = self.marks.clone();
        marks.place(candidate.cell, candidate.digit);
        marks.place_near_singles(rounds).is_err()
    }

    /// Returns the candidates left after placing this one and all singles that follow.
    ///
    /// # Errors
    ///
    /// [`Contradiction`], if a cell is left without candidates or a digit without a place in a
    /// house.
    pub fn place(&self, candidate: Candidate) -> Result<CandidateSet, Contradiction> {
        let mut marks = self.marks.clone();
        marks.place(candidate.cell, candidate.digit);
        marks.place_singles()?;
        Ok(Digit::ALL
            .into_iter()
            .fold(CandidateSet::EMPTY, |left, digit| {
                left.union(&CandidateSet::of(digit, marks.places(digit)))
            }))
    }
}
