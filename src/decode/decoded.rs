//! The result of decoding a board.

use super::limit::Limit;
use crate::grid::{CellSet, Puzzle};
use crate::solve::Verdict;

/// A decoded board: as read, and as the rules say it must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The most probable content of each cell by itself.
    pub givens: Puzzle,
    /// The most probable board that has a solution; equal to `givens` where none was found. Where
    /// contradictory digits are too clear to be overruled, it keeps them.
    pub decoded: Puzzle,
    /// Solutions of `decoded` without the mistakes of a person who filled it in.
    /// [`Verdict::Unsolvable`] where it has none as it stands, [`Verdict::OutOfBudget`] where none
    /// was found within a limit.
    pub verdict: Verdict,
    /// The limit that ended the search early. If a board was found, a more probable one may have
    /// been missed, or the margin may be larger than shown. `None` where the search was complete.
    pub gave_up: Option<Limit>,
    /// Nats by which `decoded` is less probable than `givens`, cell by cell: the cost of overruling
    /// cells and of taking digits for mistakes.
    pub cost: f32,
    /// Nats between `decoded` and the next best board, at most [`super::DecodeConfig::margin_cap`]
    /// and no more than the search covered; 0 where a more probable board may have been missed.
    pub margin: f32,
    /// Expected number of cells in which `decoded` has a digit instead of a blank, or a blank
    /// instead of a digit.
    pub blank_doubt: f32,
    /// Cells in which `decoded` differs from `givens`.
    pub overruled: CellSet,
    /// Cells whose digit contradicts the others and is taken for a mistake. On a board filled in by
    /// hand `decoded` holds the solution's digit there; on any other the digit as it stands, and
    /// the board has no solution.
    pub mistakes: CellSet,
    /// Probability that `decoded` is what stands on the paper, 0 to 1; calibrated on boards of single photos.
    pub confidence: f32,
}
