//! What a training run reports while it runs, and why it stops.

use thiserror::Error;

use super::checkpoint::CheckpointError;
use super::history::EpochMetrics;
use crate::digits::{ArtifactError, InferenceError, NetConfig, NoDevice};

/// What the training loop reports while it runs.
#[derive(Debug)]
pub enum TrainingEvent<'a> {
    /// A batch is done.
    Batch {
        /// From 1.
        epoch: usize,
        /// Crops of this epoch so far.
        done: usize,
        /// Crops of this epoch.
        total: usize,
        /// Mean loss of the epoch so far.
        loss: f32,
        /// Accuracy so far.
        accuracy: f32,
    },
    /// An epoch is done and its checkpoint is on disk.
    Epoch(&'a EpochMetrics),
    /// A checkpoint was passed over because it cannot be used; the run goes on from an older one.
    Damaged(&'a CheckpointError),
}

/// Why training stopped.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// Settings that cannot be.
    #[error("the training settings are wrong: {0}")]
    Config(String),
    /// Nothing to learn from.
    #[error("no crops to train on")]
    NoTraining,
    /// A class that cannot be learned.
    #[error("no crops to train on show {}: the network needs some of every class", classes.join(", "))]
    MissingClasses {
        /// Names of the classes.
        classes: Vec<String>,
    },
    /// Nothing to judge by.
    #[error("no crops are held out: raise the validation share or name validation sources")]
    NoValidation,
    /// The loss or the weights are no numbers any more; the checkpoint of the epoch before stays.
    #[error("the loss is not finite in epoch {epoch}, batch {batch}: lower the learning rate")]
    Diverged {
        /// From 1.
        epoch: usize,
        /// From 1.
        batch: usize,
    },
    /// Stopped before the first epoch was done.
    #[error("stopped before the first epoch was done")]
    Stopped,
    /// A checkpoint cannot be written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The device is missing.
    #[error(transparent)]
    Device(#[from] NoDevice),
    /// The network failed while it was evaluated.
    #[error(transparent)]
    Inference(#[from] InferenceError),
    /// The model to start from cannot be used.
    #[error("cannot start from this model: {0}")]
    Init(#[from] ArtifactError),
    /// The model to start from is of another size.
    #[error(
        "cannot start from this model: its network is {found}, and the settings say {expected}"
    )]
    OtherNet {
        /// Of the settings.
        expected: NetConfig,
        /// Of the model.
        found: NetConfig,
    },
    /// The weights cannot be written.
    #[error("the weights cannot be saved: {0}")]
    Weights(String),
}
