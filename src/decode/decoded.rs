//! What decoding one board gives.

use super::limit::Limit;
use crate::grid::{CellSet, Puzzle};
use crate::solve::Verdict;

/// A board as it was read, and as the rules say it must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The most probable content of each cell by itself.
    pub givens: Puzzle,
    /// The most probable board that has a solution; equal to `givens` where none was found, and with the digits
    /// that contradict each other where these are too clear to be overruled.
    pub decoded: Puzzle,
    /// Solutions of `decoded`, mistakes of a person who filled it in left out. [`Verdict::Unsolvable`] where
    /// it has none as it stands, [`Verdict::OutOfBudget`] where none was found before a limit ran out.
    pub verdict: Verdict,
    /// The limit that ended the search early. With a board found, a more probable one may have been
    /// missed, or the margin may be larger than could be shown; `None` where everything is settled.
    pub gave_up: Option<Limit>,
    /// Nats by which `decoded` is less probable than `givens`, cell by cell: what overruling cost, and what taking
    /// digits for mistakes did.
    pub cost: f32,
    /// Nats between `decoded` and the next best board, at most [`super::DecodeConfig::margin_cap`],
    /// and no more than was looked at; 0 where a more probable board may have been missed.
    pub margin: f32,
    /// Cells in which `decoded` is expected to have a digit where there is none, or none where there is one.
    pub blank_doubt: f32,
    /// Cells in which `decoded` differs from `givens`.
    pub overruled: CellSet,
    /// Cells whose digit contradicts the others: taken for mistakes. On a board filled in by hand `decoded` holds
    /// the solution's digit there; on any other what stands there, and the board has no solution.
    pub mistakes: CellSet,
    /// Probability that `decoded` is what stands on the paper, 0 to 1; calibrated on boards of single photos.
    pub confidence: f32,
}
