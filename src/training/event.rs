//! Events of a training run, and errors that end it.

use thiserror::Error;

use super::checkpoint::CheckpointError;
use super::history::EpochMetrics;
use crate::digits::{ArtifactError, InferenceError, NetConfig, NoDevice};

/// An event of a training run.
#[derive(Debug)]
pub enum TrainingEvent<'a> {
    /// A batch is done.
    Batch {
        /// Epoch, from 1.
        epoch: usize,
        /// Number of crops of this epoch so far.
        done: usize,
        /// Number of crops in this epoch.
        total: usize,
        /// Mean loss of the epoch so far.
        loss: f32,
        /// Accuracy of the epoch so far.
        accuracy: f32,
    },
    /// An epoch is done and its checkpoint is on disk.
    Epoch(&'a EpochMetrics),
    /// A damaged checkpoint was skipped; the run resumes from an older one.
    Damaged(&'a CheckpointError),
}

/// Error of a training run.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// The settings are invalid.
    #[error("invalid training settings: {0}")]
    Config(String),
    /// There are no crops to train on.
    #[error("no crops to train on")]
    NoTraining,
    /// A class has no crops to train on.
    #[error("no crops to train on for {}: the network needs some of every class", classes.join(", "))]
    MissingClasses {
        /// Names of the classes.
        classes: Vec<String>,
    },
    /// There are no crops held out.
    #[error("no crops are held out: raise the validation share or name validation sources")]
    NoValidation,
    /// The loss or the weights are not finite; the checkpoint of the epoch before is kept.
    #[error("the loss is not finite in epoch {epoch}, batch {batch}: lower the learning rate")]
    Diverged {
        /// Epoch, from 1.
        epoch: usize,
        /// Batch, from 1.
        batch: usize,
    },
    /// The run was stopped before the first epoch was done.
    #[error("stopped before the first epoch was done")]
    Stopped,
    /// A checkpoint cannot be written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The device is not in this build.
    #[error(transparent)]
    Device(#[from] NoDevice),
    /// The network failed during evaluation.
    #[error(transparent)]
    Inference(#[from] InferenceError),
    /// The model to start from cannot be used.
    #[error("cannot start from this model: {0}")]
    Init(#[from] ArtifactError),
    /// The model to start from has another size.
    #[error(
        "cannot start from this model: its network is {found}, but that of the settings is {expected}"
    )]
    OtherNet {
        /// Size in the settings.
        expected: NetConfig,
        /// Size of the model.
        found: NetConfig,
    },
    /// The weights cannot be written.
    #[error("the weights cannot be saved: {0}")]
    Weights(String),
}
