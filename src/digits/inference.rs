//! The network as a [`DigitClassifier`].

use std::path::Path;

use super::artifact::{Artifact, ArtifactError, ModelCard};
use super::classifier::{DigitClassifier, InferenceError};
use super::device::Compute;
use super::folded::FoldedNet;
use super::logits::softmax;
use super::posterior::Posterior;
use crate::vision::CellCrop;

/// The least probability a class gets before normalization: no misreading is impossible, and the
/// logarithm stays finite.
const FLOOR: f32 = 1e-9;

/// Reads crops with a trained network. Starts no threads; several threads may call it at once.
#[derive(Debug)]
pub struct NetClassifier {
    net: FoldedNet,
    card: ModelCard,
}

/// The model in the repository, `training/digits/model`, as it was when this program was built.
const EMBEDDED: (&[u8], &[u8]) = (
    include_bytes!("../../training/digits/model/card.json"),
    include_bytes!("../../training/digits/model/weights"),
);

impl NetClassifier {
    /// The built-in model, on the processor.
    ///
    /// # Errors
    /// [`ArtifactError`] when the model does not fit: a mistake of the build.
    pub fn embedded() -> Result<NetClassifier, ArtifactError> {
        let artifact = Artifact {
            card: serde_json::from_slice(EMBEDDED.0)?,
            weights: EMBEDDED.1.to_vec(),
        };
        NetClassifier::new(artifact, Compute::Cpu)
    }

    /// The model in this folder (`weights`, `card.json`).
    ///
    /// # Errors
    /// [`ArtifactError`] when it is missing, does not fit, or the device is not in this build.
    pub fn load(folder: &Path, device: Compute) -> Result<NetClassifier, ArtifactError> {
        NetClassifier::new(Artifact::read(folder)?, device)
    }

    /// The model of this artifact.
    ///
    /// # Errors
    /// As [`NetClassifier::load`].
    pub fn new(artifact: Artifact, device: Compute) -> Result<NetClassifier, ArtifactError> {
        let net = FoldedNet::new(&artifact.network(device)?);
        Ok(NetClassifier {
            net,
            card: artifact.card,
        })
    }

    /// What the model is and where it came from.
    pub fn card(&self) -> &ModelCard {
        &self.card
    }
}

impl DigitClassifier for NetClassifier {
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
        let logits = self.net.logits(crops)?;
        let posteriors = logits.iter().enumerate().map(|(crop, logits)| {
            let weights = softmax(logits, self.card.temperature).map(|p| p.max(FLOOR));
            Posterior::from_weights(weights).ok_or(InferenceError::NotFinite { crop })
        });
        posteriors.collect()
    }
}
