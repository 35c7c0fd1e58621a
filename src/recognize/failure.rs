//! Why a photo or a board has no solved puzzle to show.

use std::io;

use thiserror::Error;

use super::record::Status;
use crate::decode::Limit;
use crate::vision::{DetectError, PhotoError};

/// One variant a way to fail, with what to do about it.
#[derive(Debug, Error)]
pub enum Failure {
    /// The system does not open the file.
    #[error("cannot open the file: {0}")]
    Open(#[from] io::Error),
    /// A folder, a device or a pipe.
    #[error("not a regular file")]
    NotAFile,
    /// More bytes than any photo has.
    #[error("{megabytes} MB is more than the limit of {limit} MB for a photo")]
    TooLarge {
        /// Size of the file.
        megabytes: u64,
        /// Largest size that is read.
        limit: u64,
    },
    /// The file is no picture, or a damaged one.
    #[error(transparent)]
    Photo(#[from] PhotoError),
    /// The library behind the grid detector failed.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// The digit network failed.
    #[error("cannot read the cells: {0}")]
    Network(String),
    /// A library crashed on this photo.
    #[error("internal error on this photo: {0}")]
    Crashed(String),
    /// Nothing in the photo looks like a board.
    #[error("no board found: show the whole grid, outer border included")]
    NoBoard,
    /// Something looked like a board, but its cells do not read like a Sudoku.
    #[error(
        "what looks like a board does not read like a Sudoku ({digits} digits, {undecided} cells undecided)"
    )]
    NoSudoku {
        /// Cells read as a digit with certainty.
        digits: usize,
        /// Cells in which no content is likely.
        undecided: usize,
    },
    /// No board close to the reading has a solution.
    #[error("certainly misread: no puzzle close to what was read has a solution")]
    Unsolvable,
    /// Several boards are about as likely.
    #[error(
        "the reading is too doubtful (confidence {confidence:.2}): take a sharper, closer photo"
    )]
    Doubtful {
        /// Probability that the best board is right.
        confidence: f32,
    },
    /// No board was found before a limit of the decoder ran out.
    #[error("no solution found for what was read: the search {0}; take a sharper, closer photo")]
    OutOfBudget(Limit),
    /// The photo took too long.
    #[error("took longer than the limit of {limit_ms} ms")]
    Timeout {
        /// The limit.
        limit_ms: u64,
    },
}

impl Failure {
    /// The status of the row.
    pub const fn status(&self) -> Status {
        match self {
            Failure::NoBoard | Failure::NoSudoku { .. } => Status::NoGrid,
            Failure::Unsolvable => Status::Unsolvable,
            Failure::Timeout { .. } => Status::Timeout,
            _ => Status::Unreadable,
        }
    }
}
