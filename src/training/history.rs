//! Metrics of a training run by epoch.

use serde::{Deserialize, Serialize};

use crate::digits::TrainingConfig;

/// Metrics of an epoch on the crops trained on, and on those held out: two rows of `metrics.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochMetrics {
    /// Epoch, from 1.
    pub epoch: usize,
    /// Mean loss of the augmented crops while training, with label smoothing, in nats; with that of
    /// the second head.
    pub training_loss: f32,
    /// Accuracy on the augmented crops while training.
    pub training_accuracy: f32,
    /// Wall time of the training pass, in seconds.
    pub training_seconds: f64,
    /// Mean loss of the held-out crops, in nats; with that of the second head.
    pub validation_loss: f32,
    /// Accuracy on the held-out crops.
    pub validation_accuracy: f32,
    /// Wall time of the validation pass, in seconds.
    pub validation_seconds: f64,
}

/// Returns the epoch of least held-out loss, the first among equals; 0 before the first.
pub(crate) fn best_epoch(history: &[EpochMetrics]) -> usize {
    let least =
        |a: &&EpochMetrics, b: &&EpochMetrics| a.validation_loss.total_cmp(&b.validation_loss);
    history.iter().min_by(least).map_or(0, |best| best.epoch)
}

/// Returns whether a run has had all its epochs, or its patience is exhausted.
pub(crate) fn is_finished(history: &[EpochMetrics], config: &TrainingConfig) -> bool {
    let stale = history.len().saturating_sub(best_epoch(history));
    history.len() >= config.epochs || (config.patience > 0 && stale >= config.patience)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(losses: &[f32]) -> Vec<EpochMetrics> {
        let epoch = |(epoch, &validation_loss)| EpochMetrics {
            epoch,
            training_loss: 0.0,
            training_accuracy: 0.0,
            training_seconds: 0.0,
            validation_loss,
            validation_accuracy: 0.0,
            validation_seconds: 0.0,
        };
        (1..).zip(losses).map(epoch).collect()
    }

    #[test]
    fn a_run_stops_exactly_when_its_patience_is_exhausted() {
        let losses = [0.9, 0.5, 0.6, 0.4, 0.4, 0.7, 0.3];
        let ends = |patience| {
            let config = TrainingConfig {
                epochs: 7,
                patience,
                ..TrainingConfig::default()
            };
            (0..=7).find(|&epochs| is_finished(&history(&losses[..epochs]), &config))
        };
        assert_eq!(ends(1), Some(3));
        // The third epoch is worse than the second, the fourth better; its equal is not better.
        assert_eq!(ends(2), Some(6));
        assert_eq!(ends(3), Some(7));
        assert_eq!(ends(0), Some(7));
    }

    #[test]
    fn ties_for_the_best_epoch_go_to_the_first() {
        assert_eq!(best_epoch(&[]), 0);
        assert_eq!(best_epoch(&history(&[0.9, 0.4, 0.5, 0.4])), 2);
    }
}
