//! Why cells of a run cannot be reviewed, or labels not be taken back in.

use std::path::PathBuf;

use thiserror::Error;

use super::sheets::OutputError;
use crate::digits::InferenceError;
use crate::training::DatasetError;

/// Why a run cannot be reviewed.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// The run has no crops.
    #[error("{} holds no crops/manifest.csv", .0.display())]
    NoCrops(PathBuf),
    /// A file of the run cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// `results.csv` and the crops were not written by one run.
    #[error("{}: results.csv and crops/manifest.csv are not of the same run", .0.display())]
    Mixed(PathBuf),
    /// The crops cannot be read.
    #[error(transparent)]
    Crops(#[from] DatasetError),
    /// The network failed.
    #[error(transparent)]
    Inference(#[from] InferenceError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
