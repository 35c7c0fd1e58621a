//! Errors of reviews and corrections.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::{ReadError, WriteError};

/// Error of a review, or of applying corrections.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// A table cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A file that the run wrote cannot be read.
    #[error(transparent)]
    Run(#[from] ReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] WriteError),
}
