//! Why a data set cannot be written.

use std::path::Path;

use thiserror::Error;

use crate::files::{ReadError, WriteError};

/// Why a data set cannot be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file that was just written cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A format that needs solutions was given a puzzle without one.
    #[error("row {row}: the format needs a solution, and {id} has none")]
    NoSolution {
        /// The row, from 1.
        row: u64,
        /// The puzzle.
        id: String,
    },
    /// Arrays have cells and no rules, so that all rows must have the same ones.
    #[error("row {row}: {id} has another size or other rules than row 1, which arrays cannot say")]
    OtherRules {
        /// The row, from 1.
        row: u64,
        /// The puzzle.
        id: String,
    },
    /// The layout counts with 32 bits.
    #[error("more than 2147483647 puzzles in one split, which is more than the layout can count")]
    TooMany,
}

impl ExportError {
    /// Returns the error of a row whose rules are not those of the first one.
    pub(super) fn other_rules(row: u64, id: &str) -> ExportError {
        let id = id.to_owned();
        ExportError::OtherRules { row, id }
    }

    /// Returns what makes the error of a path.
    pub(super) fn of(path: &Path) -> impl FnOnce(std::io::Error) -> ExportError {
        let write = WriteError::of(path);
        move |source| ExportError::Write(write(source))
    }
}
