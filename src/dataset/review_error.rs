//! Why a run cannot be reviewed, or corrections not be taken back in.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::{ReadError, WriteError};

/// Why a run cannot be reviewed.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// A table cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file that the run wrote cannot be read.
    #[error(transparent)]
    Run(#[from] ReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] WriteError),
}
