//! Ground truth of a photo.

use crate::grid::Puzzle;

/// The ground truth of a photo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Its boards; empty where it is known to show no board.
    pub boards: Vec<Puzzle>,
    /// Whether these are all of its boards: a `.dat` file has room for one only, so it says nothing
    /// of others.
    pub is_complete: bool,
}

impl Truth {
    /// Returns ground truth that lists all boards of its photo.
    pub(super) const fn complete(boards: Vec<Puzzle>) -> Truth {
        Truth {
            boards,
            is_complete: true,
        }
    }
}
