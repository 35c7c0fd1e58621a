//! What a run tells while it runs, and why it stops.

use thiserror::Error;

use super::checkpoint::CheckpointError;
use super::history::EpochMetrics;
use crate::digits::classifier::InferenceError;
use crate::digits::device::NoDevice;

/// What the loop tells while it runs.
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
        /// Share read right so far.
        accuracy: f32,
    },
    /// An epoch is done and its checkpoint is on disk.
    Epoch(&'a EpochMetrics),
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
    /// Nothing to judge by.
    #[error("no crops are held out: raise the validation share or name validation sources")]
    NoValidation,
    /// The loss is no number any more.
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
    /// The weights cannot be written.
    #[error("the weights cannot be saved: {0}")]
    Weights(String),
}
