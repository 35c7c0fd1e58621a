//! Errors of ground truth.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::opening::{LARGEST_TEXT, read_file};

/// Error of reading or using ground truth.
#[derive(Debug, Error)]
pub enum TruthError {
    /// The file exists, but cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line is not a board.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A row of a table matches two photos.
    #[error(
        "{}:{line}: {row} matches two photos, {} and {}: give more of the path in the table",
        path.display(), first.display(), second.display()
    )]
    Ambiguous {
        /// The table.
        path: PathBuf,
        /// The line on which the row begins, from 1.
        line: usize,
        /// The photo as named in the row.
        row: String,
        /// The photo that was looked up first.
        first: PathBuf,
        /// The other photo.
        second: PathBuf,
    },
}

/// Reads a text file; bytes that are not UTF-8 are replaced.
pub(super) fn read(path: &Path) -> Result<String, TruthError> {
    let bytes = read_file(path, LARGEST_TEXT).map_err(|source| TruthError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(super) fn bad_line(path: &Path, line: usize, why: impl ToString) -> TruthError {
    TruthError::Line {
        path: path.to_owned(),
        line,
        why: why.to_string(),
    }
}
