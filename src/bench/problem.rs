//! Problems with a line, an answer or a row.

use thiserror::Error;

use super::check::Wrong;
use crate::corpus::{CorpusError, Place};
use crate::variant::VariantCorpusError;

/// A problem with a line or a row.
#[derive(Debug, Error)]
pub enum Problem {
    /// The line is not a puzzle, or a file is damaged.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The line is not a puzzle of any size.
    #[error(transparent)]
    Variant(#[from] VariantCorpusError),
    /// The solution that the corpus gives does not solve its puzzle.
    #[error("{0}: the solution given with the puzzle is not its solution")]
    Expected(Place),
    /// A solver's answer is wrong.
    #[error("{place}: {solver}: {why}")]
    Answer {
        /// The puzzle.
        place: Place,
        /// The solver.
        solver: String,
        /// What is wrong.
        why: Wrong,
    },
    /// A solver gave more wrong answers than are reported one by one.
    #[error("{solver} on {corpus}: {more} more wrong answers")]
    MoreAnswers {
        /// The corpus.
        corpus: String,
        /// The solver.
        solver: String,
        /// Number of wrong answers not reported.
        more: u64,
    },
    /// A row is invalid.
    #[error("{solver} on {corpus}: {why}")]
    Row {
        /// The corpus.
        corpus: String,
        /// The solver.
        solver: String,
        /// The reason.
        why: String,
    },
}

impl Problem {
    /// Returns whether a single line is not a puzzle, and the lines after it are not affected.
    pub fn is_bad_line(&self) -> bool {
        match self {
            Problem::Corpus(error) | Problem::Variant(VariantCorpusError::Corpus(error)) => {
                matches!(error, CorpusError::BadLine { .. })
            }
            Problem::Variant(VariantCorpusError::BadLine { .. }) => true,
            _ => false,
        }
    }

    /// Returns whether a file cannot be opened.
    pub fn is_unreadable(&self) -> bool {
        matches!(
            self,
            Problem::Corpus(CorpusError::Unreadable { .. })
                | Problem::Variant(VariantCorpusError::Corpus(CorpusError::Unreadable { .. }))
        )
    }
}
