//! What decoding one board gives.

use crate::grid::{CellSet, Puzzle};
use crate::solve::Verdict;

/// A board as it was read, and as the rules say it must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The most probable content of each cell by itself.
    pub givens: Puzzle,
    /// The most probable board that has a solution; equal to `givens` where there is none in reach.
    pub decoded: Puzzle,
    /// Solutions of `decoded`, mistakes of a person left out.
    pub verdict: Verdict,
    /// Nats by which `decoded` is less probable than `givens`, cell by cell: what overruling cost.
    pub cost: f32,
    /// Nats between `decoded` and the next best board, at most [`super::DecodeConfig::margin_cap`].
    pub margin: f32,
    /// Cells in which `decoded` differs from `givens`.
    pub overruled: CellSet,
    /// Cells of a board filled in by hand whose digit contradicts the solution: taken for a person's
    /// mistakes. `decoded` holds the solution's digit there.
    pub mistakes: CellSet,
    /// Probability that `decoded` is what stands on the paper, 0 to 1.
    pub confidence: f32,
}
