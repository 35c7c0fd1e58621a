//! Trying a candidate out, fast.

use super::search_state::SearchState;
use crate::grid::{Candidate, CandidateGrid, CandidateSet, Contradiction, Digit};

/// Marks on which candidates are tried out: placed, with all singles that follow.
#[derive(Clone, Debug)]
pub struct Trial {
    marks: SearchState,
}

impl Trial {
    /// On these marks.
    pub fn new(grid: &CandidateGrid) -> Trial {
        Trial {
            marks: SearchState::of_marks(grid),
        }
    }

    /// Whether so many rounds of singles, naked ones first, come to such an end.
    pub fn refutes_within(&self, rounds: usize, candidate: Candidate) -> bool {
        let mut marks = self.marks.clone();
        marks.place(candidate.cell, candidate.digit);
        marks.place_near_singles(rounds).is_err()
    }

    /// What is left if this candidate is right: what it strikes, and all singles that follow.
    ///
    /// # Errors
    /// [`Contradiction`], if a cell is left without candidates or a digit without a place in a house.
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
