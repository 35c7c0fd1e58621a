//! Trying a candidate out, fast.

use super::search_state::SearchState;
use crate::grid::{Candidate, CandidateGrid};

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

    /// Whether this candidate, with the singles that follow from it, leaves a cell without candidates
    /// or a digit without a place in a house.
    pub fn refutes(&self, candidate: Candidate) -> bool {
        let mut marks = self.marks.clone();
        marks.place(candidate.cell, candidate.digit);
        marks.place_singles().is_err()
    }
}
