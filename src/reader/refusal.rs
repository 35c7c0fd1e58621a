//! Why a photo has no board, or a board is not to be trusted.

use thiserror::Error;

use super::status::Status;
use crate::decode::Limit;
use crate::digits::InferenceError;
use crate::grid::Puzzle;
use crate::logic::Position;
use crate::solve::Verdict;

/// Why a photo has no board, or a board is not to be trusted, with advice.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Refusal {
    /// Nothing in the photo looks like a board.
    #[error("no board found: show the whole grid, outer border included")]
    NoBoard,
    /// Something looked like a board, but its cells do not look like those of a Sudoku.
    #[error(
        "the grid found does not look like a Sudoku (digits: {digits}, undecided cells: {undecided})"
    )]
    NoSudoku {
        /// Number of cells read as a digit with certainty.
        digits: usize,
        /// Number of cells in which no content is likely.
        undecided: usize,
    },
    /// It has more or fewer rows or columns than nine.
    #[error("the grid found has {} rows or columns than nine: only 9x9 boards are read", if *.more { "more" } else { "fewer" })]
    OtherSize {
        /// Whether it has more.
        more: bool,
    },
    /// The board as it stands has no solution.
    #[error("{complaint}")]
    Unsolvable {
        /// Which digits contradict each other, as far as that can be said briefly.
        complaint: String,
    },
    /// A part of the board lies outside the photo, and the rest is not a puzzle without it.
    #[error("a part of the board lies outside the photo (cells: {cells}): show the whole grid")]
    CutOff {
        /// Number of cells outside, or cut by its edge.
        cells: usize,
    },
    /// Several boards are about as likely.
    #[error(
        "the reading is too uncertain (confidence {:.2}{}): take a sharper, closer photo",
        rounded_down(*confidence),
        .needed.map_or(String::new(), |needed| format!(", and {needed:.2} is needed"))
    )]
    Doubtful {
        /// Probability that the best board is right.
        confidence: f32,
        /// The least that is accepted; `None` for a board of a video, which is judged by its lead.
        needed: Option<f32>,
    },
    /// No board was found within a limit of the decoder.
    #[error("no solution found for what was read: the search {0}; take a sharper, closer photo")]
    OutOfBudget(Limit),
    /// The library of the grid detector failed.
    #[error("{0}")]
    Detector(String),
    /// The digit network failed.
    #[error("cannot read the cells: {0}")]
    Network(String),
    /// Reading took too long.
    #[error("took longer than the limit of {limit_ms} ms")]
    Timeout {
        /// The limit, in milliseconds of wall-clock time.
        limit_ms: u64,
    },
}

impl Refusal {
    /// Returns the refusal of a board without a solution.
    pub(super) fn unsolvable(board: &Puzzle) -> Refusal {
        let complaint = Position::from(*board).complaint(&Verdict::Unsolvable);
        Refusal::Unsolvable {
            complaint: complaint.unwrap_or_default(),
        }
    }

    /// Returns the status of a photo or board that is refused for this reason.
    pub const fn status(&self) -> Status {
        match self {
            Refusal::NoBoard | Refusal::NoSudoku { .. } | Refusal::OtherSize { .. } => {
                Status::NoGrid
            }
            Refusal::Unsolvable { .. } => Status::Unsolvable,
            Refusal::Timeout { .. } => Status::Timeout,
            Refusal::CutOff { .. } | Refusal::Doubtful { .. } | Refusal::OutOfBudget(_) => {
                Status::Uncertain
            }
            Refusal::Detector(_) | Refusal::Network(_) => Status::Unreadable,
        }
    }
}

impl From<InferenceError> for Refusal {
    fn from(error: InferenceError) -> Refusal {
        Refusal::Network(error.to_string())
    }
}

/// To two decimals, downwards: what is not enough must not read as if it were.
fn rounded_down(confidence: f32) -> f32 {
    (100.0 * confidence).floor() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_below_the_limit_does_not_read_like_it() {
        let refusal = Refusal::Doubtful {
            confidence: 0.9769,
            needed: Some(0.98),
        };
        let text = refusal.to_string();
        assert!(
            text.contains("(confidence 0.97, and 0.98 is needed)"),
            "{text}"
        );
    }
}
