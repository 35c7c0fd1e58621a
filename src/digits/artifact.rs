//! A trained model on disk: a weights file and a card that describes it. Loading refuses a card
//! that does not fit this program, and weights that do not fit their card.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::batch::NORMALIZATION;
use super::config::TrainingConfig;
use super::evaluation::Evaluation;
use super::logits::class_names;
use crate::files::WholeFile;
use crate::opening::{LARGEST_MODEL, read_file};
use crate::vision::CROP_SIDE;

/// Name of the weights file in a model's folder.
const WEIGHTS_FILE: &str = "weights";
/// Name of the card in a model's folder.
const CARD_FILE: &str = "card.json";

/// Bytes of a weight in the file.
const BYTES_PER_WEIGHT: u64 = 4;

/// Card of a model: all that inference must agree on, and its provenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// Classes in the order of the network's outputs: `blank`, then `1` to `9`.
    pub classes: Vec<String>,
    /// Pixels along each side of a crop.
    pub crop_side: usize,
    /// Identity of the normalization that crops go through.
    pub normalization: String,
    /// Logits are divided by this before the softmax.
    pub temperature: f32,
    /// Share of blanks among the crops as they were drawn in training, above 0 and below 1: the
    /// prior that the posteriors contain. Cards of older models lack it and count as 0.4.
    #[serde(default = "unstated_blanks")]
    pub trained_blanks: f32,
    /// BLAKE3 of the weights file, hexadecimal.
    pub weights: String,
    /// Number of trained values in the network.
    pub parameters: usize,
    /// Epoch whose weights these are, from 1.
    pub epoch: usize,
    /// What it was trained and validated on.
    pub data: Vec<DataCard>,
    /// Hash of the weights that training started from; `None` where it started from random ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init: Option<String>,
    /// Results on the crops held out of training.
    pub validation: Evaluation,
    /// The settings of the run, including its seed.
    pub config: TrainingConfig,
    /// Version of the program that trained it.
    pub version: String,
}

/// Returns the share of blanks of a model whose card does not state it.
fn unstated_blanks() -> f32 {
    0.4
}

/// One folder of training data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataCard {
    /// Name of the folder.
    pub name: String,
    /// BLAKE3 over its manifest and sheets, hexadecimal.
    pub hash: String,
    /// Times that each of its crops is drawn per epoch.
    pub weight: f32,
    /// Crops trained on.
    pub training: usize,
    /// Crops held out.
    pub validation: usize,
}

/// Error of a model that cannot be used.
#[derive(Debug, Error)]
pub enum ArtifactError {
    /// A file of the model cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// A file was changed or cut off.
    #[error("{path} is damaged: {problem}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The card is not valid.
    #[error("the model card is not valid: {0}")]
    Card(#[from] serde_json::Error),
    /// There is no network of the size in the card.
    #[error("the model card is not valid: {0}")]
    Network(String),
    /// The model was made for another version of this program.
    #[error("the model does not fit this program: its {what} is {found}, expected {expected}")]
    Mismatch {
        /// What differs.
        what: &'static str,
        /// What this program needs.
        expected: String,
        /// What the model has.
        found: String,
    },
    /// The weights do not fit the network in the card.
    #[error("the weights do not fit their card: {0}")]
    Weights(String),
}

/// A model as stored on disk.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The card.
    pub card: ModelCard,
    /// The weights file.
    pub weights: Vec<u8>,
}

/// The model in the repository, `training/digits/model`, as it was when this program was built.
const BUILT_IN: (&[u8], &[u8]) = (
    include_bytes!("../../training/digits/model/card.json"),
    include_bytes!("../../training/digits/model/weights"),
);

impl Artifact {
    /// Returns the built-in model.
    ///
    /// # Errors
    ///
    /// [`ArtifactError`] if its card is not valid: a mistake of the build.
    pub fn built_in() -> Result<Artifact, ArtifactError> {
        Ok(Artifact {
            card: serde_json::from_slice(BUILT_IN.0)?,
            weights: BUILT_IN.1.to_vec(),
        })
    }

    /// Reads the model in a folder.
    ///
    /// # Errors
    ///
    /// [`ArtifactError`] if a file is missing, the card is not valid or the weights are not those
    /// of the card.
    pub fn read(folder: &Path) -> Result<Artifact, ArtifactError> {
        let read = |name: &str| {
            let path = folder.join(name);
            read_file(&path, LARGEST_MODEL)
                .map_err(|reason| ArtifactError::Unreadable { path, reason })
        };
        let damaged = |name: &str, problem: String| ArtifactError::Damaged {
            path: folder.join(name),
            problem,
        };
        let card: ModelCard = serde_json::from_slice(&read(CARD_FILE)?)
            .map_err(|error| damaged(CARD_FILE, error.to_string()))?;
        let weights = read(WEIGHTS_FILE)?;
        if card.weights != blake3::hash(&weights).to_string() {
            let problem = format!("its {} bytes are not those of {CARD_FILE}", weights.len());
            return Err(damaged(WEIGHTS_FILE, problem));
        }
        Ok(Artifact { card, weights })
    }

    /// Writes the model into a folder. The old one stays until both files are on disk.
    ///
    /// # Errors
    ///
    /// Any error of the system.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let mut card = serde_json::to_vec_pretty(&self.card).map_err(std::io::Error::other)?;
        card.push(b'\n');
        let write = |name: &str, bytes: &[u8]| {
            let mut file = WholeFile::create(&folder.join(name))?;
            file.write_all(bytes)?;
            file.flush()?;
            Ok::<_, std::io::Error>(file)
        };
        let files = [
            write(WEIGHTS_FILE, &self.weights)?,
            write(CARD_FILE, &card)?,
        ];
        files.into_iter().try_for_each(WholeFile::finish)
    }

    /// Checks that the card fits this program, and that the weights are those of the card.
    pub(crate) fn check(&self) -> Result<(), ArtifactError> {
        let card = &self.card;
        expect("list of classes", class_names(), card.classes.clone())?;
        expect("crop side", CROP_SIDE, card.crop_side)?;
        expect(
            "normalization",
            NORMALIZATION.to_owned(),
            card.normalization.clone(),
        )?;
        if let Some(problem) = card.config.net.problem() {
            return Err(ArtifactError::Network(problem));
        }
        // Before any of it is made: the weights of a large network are a large file.
        let (bytes, products) = (self.weights.len() as u64, card.config.net.products());
        if bytes / BYTES_PER_WEIGHT < products {
            return Err(ArtifactError::Weights(format!(
                "a network of {} has {products} weights or more, and the file has {bytes} bytes",
                card.config.net
            )));
        }
        if !(card.temperature.is_finite() && card.temperature > 0.0) {
            return Err(ArtifactError::Mismatch {
                what: "temperature",
                expected: "a number above 0".to_owned(),
                found: card.temperature.to_string(),
            });
        }
        let share = card.trained_blanks;
        if !(share > 0.0 && share < 1.0) {
            return Err(ArtifactError::Mismatch {
                what: "share of blanks in training",
                expected: "a number above 0 and below 1".to_owned(),
                found: share.to_string(),
            });
        }
        let hash = blake3::hash(&self.weights).to_string();
        expect("hash of the weights", card.weights.clone(), hash)
    }
}

fn expect<T: PartialEq + std::fmt::Debug>(
    what: &'static str,
    expected: T,
    found: T,
) -> Result<(), ArtifactError> {
    if expected == found {
        return Ok(());
    }
    Err(ArtifactError::Mismatch {
        what,
        expected: format!("{expected:?}"),
        found: format!("{found:?}"),
    })
}
