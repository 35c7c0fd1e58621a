//! What a run measured, epoch by epoch.

use serde::{Deserialize, Serialize};

use crate::digits::config::TrainingConfig;

/// One row of `metrics.csv` twice: an epoch on the crops trained on, and on those held out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochMetrics {
    /// From 1.
    pub epoch: usize,
    /// Mean loss of the distorted crops while training, smoothing included, in nats.
    pub training_loss: f32,
    /// Share of the distorted crops read right while training.
    pub training_accuracy: f32,
    /// Wall time of the training pass, in seconds.
    pub training_seconds: f64,
    /// Mean loss of the crops held out, in nats.
    pub validation_loss: f32,
    /// Share of the crops held out that were read right.
    pub validation_accuracy: f32,
    /// Wall time of the validation pass, in seconds.
    pub validation_seconds: f64,
}

/// The epoch of least held-out loss, the first of equals; 0 before the first.
pub(crate) fn best_epoch(history: &[EpochMetrics]) -> usize {
    let least =
        |a: &&EpochMetrics, b: &&EpochMetrics| a.validation_loss.total_cmp(&b.validation_loss);
    history.iter().min_by(least).map_or(0, |best| best.epoch)
}

/// Whether a run has had all its epochs, or its patience is at an end.
pub(crate) fn is_finished(history: &[EpochMetrics], config: &TrainingConfig) -> bool {
    let stale = history.len() - best_epoch(history);
    history.len() >= config.epochs || (config.patience > 0 && stale >= config.patience)
}
