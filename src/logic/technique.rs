//! The trait of all techniques.

use super::deduction::{Deduction, TechniqueId};
use crate::grid::CandidateGrid;

/// One way to see that a candidate must be right or cannot be.
///
/// Pure: it reads the grid and changes nothing, and the same grid gets the same answer.
pub trait Technique: Sync {
    /// Which technique it is.
    fn id(&self) -> TechniqueId;

    /// Whether it is right only for puzzles with one solution. What was solved with its help is no
    /// proof that there is only one.
    fn assumes_uniqueness(&self) -> bool {
        false
    }

    /// The first step of its kind, if there is one. It changes the grid: what it places is blank,
    /// and what it eliminates is there.
    fn find(&self, grid: &CandidateGrid) -> Option<Deduction>;
}
