//! The summary of a run: `summary.json`, from which its page is made.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::history::EpochMetrics;
use super::run::TrainingRun;
use crate::digits::{ConfusionMatrix, Evaluation, HardCrop, ModelCard, Reliability};
use crate::environment::Environment;
use crate::files::{ReadError, read_json};
use crate::grid::Digit;

/// Results of a run, without its pixels and weights, as saved in `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingSummary {
    /// `train`.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Epochs done.
    pub epochs: usize,
    /// Whether it ended before its last epoch because its patience was exhausted.
    pub stopped_early: bool,
    /// Whether it was stopped early by the user; it can be resumed.
    pub interrupted: bool,
    /// The model, its training data, and its results on the held-out crops.
    pub card: ModelCard,
    /// Results of the model that it started from (`--init`), on the same crops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Evaluation>,
    /// The machine and the build.
    pub environment: Environment,
    /// Metrics of all epochs.
    pub history: Vec<EpochMetrics>,
    /// Confusion matrix of the held-out crops.
    pub confusion: ConfusionMatrix,
    /// Reliability tables of these, before and after the temperature.
    pub reliability: [Reliability; 2],
    /// The held-out crops of greatest loss, worst first.
    pub worst: Vec<WorstCrop>,
    /// Results of `recognize` on the photos of `--evaluate`.
    pub evaluation: Option<Value>,
}

/// A held-out crop with a large loss, without its pixels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorstCrop {
    /// Rank, from 1 for the worst.
    pub rank: usize,
    /// Its label; `None` is a blank. In JSON, as in a manifest, 0 is a blank.
    #[serde(with = "content")]
    pub label: Option<Digit>,
    /// The reading of the network.
    #[serde(with = "content")]
    pub read: Option<Digit>,
    /// Probability of what was read, at the temperature of the card.
    pub confidence: f32,
    /// Negative log-probability of the label in nats, at the temperature of the card.
    pub loss: f32,
    /// The photo it was cut from; may be empty.
    pub photo: String,
    /// Its source; may be empty.
    pub source: String,
}

impl TrainingSummary {
    /// Reads the summary of a saved run.
    ///
    /// # Errors
    ///
    /// [`ReadError`], if the file cannot be read or is not such a summary.
    pub fn load(path: &Path) -> Result<TrainingSummary, ReadError> {
        read_json(path)
    }

    /// Returns the summary of a run on this machine, without an evaluation on photos.
    pub fn new(run: &TrainingRun, environment: Environment) -> TrainingSummary {
        TrainingSummary {
            command: "train".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            epochs: run.history.len(),
            stopped_early: run.stopped_early,
            interrupted: run.interrupted,
            card: run.artifact.card.clone(),
            start: run.start.clone(),
            environment,
            history: run.history.clone(),
            confusion: run.confusion,
            reliability: run.reliability.clone(),
            worst: run.worst.iter().zip(1..).map(WorstCrop::new).collect(),
            evaluation: None,
        }
    }
}

impl WorstCrop {
    fn new((hard, rank): (&HardCrop, usize)) -> WorstCrop {
        WorstCrop {
            rank,
            label: hard.labeled.label,
            read: hard.read,
            confidence: hard.confidence,
            loss: hard.loss,
            photo: hard.labeled.photo.clone(),
            source: hard.labeled.source.clone(),
        }
    }
}

/// Serializes the content of a cell as a number, 0 for a blank.
mod content {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::grid::Digit;

    pub(super) fn serialize<S: Serializer>(
        content: &Option<Digit>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(content.map_or(0, Digit::value))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Digit>, D::Error> {
        match u8::deserialize(deserializer)? {
            0 => Ok(None),
            value => match Digit::new(value) {
                Some(digit) => Ok(Some(digit)),
                None => Err(D::Error::custom(format!(
                    "{value} is neither 0 nor a digit"
                ))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worst(label: u8, read: u8) -> WorstCrop {
        WorstCrop {
            rank: 1,
            label: Digit::new(label),
            read: Digit::new(read),
            confidence: 0.987_654_3,
            loss: 3.3,
            photo: "a\n\"<b>\"".to_owned(),
            source: String::new(),
        }
    }

    #[test]
    fn a_crop_round_trips_and_digits_above_nine_are_refused() {
        for crop in [worst(7, 0), worst(0, 9)] {
            let json = serde_json::to_string(&crop).unwrap();
            assert_eq!(serde_json::from_str::<WorstCrop>(&json).unwrap(), crop);
        }
        let json = serde_json::to_string(&worst(7, 0)).unwrap();
        assert!(json.contains(r#""label":7,"read":0"#), "{json}");
        let ten = json.replace(r#""label":7"#, r#""label":10"#);
        let error = serde_json::from_str::<WorstCrop>(&ten).unwrap_err();
        assert!(error.to_string().contains("10 is neither"), "{error}");
    }
}
