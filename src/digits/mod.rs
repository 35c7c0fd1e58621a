//! From crops to posteriors: the digit network, its model files and its evaluation.

mod artifact;
mod batch;
mod classifier;
mod config;
mod device;
mod evaluation;
mod folded;
mod inference;
mod labeled;
mod logits;
mod manifest;
mod net;
mod posterior;
mod random;

pub use artifact::{Artifact, ArtifactError, DataCard, ModelCard};
pub(crate) use artifact::{load_weights, save_weights};
pub use batch::normalize;
pub(crate) use batch::{CROP_PIXELS, NORMALIZATION};
pub use classifier::{DigitClassifier, InferenceError};
pub use config::{Augment, TrainingConfig};
pub use device::{Compute, NoDevice};
pub(crate) use evaluation::Readings;
pub use evaluation::{ConfusionMatrix, Evaluation, HardCrop, Reliability, ReliabilityBin};
pub(crate) use folded::FoldedNet;
pub use inference::NetClassifier;
pub use labeled::LabeledCrop;
pub use logits::CLASSES;
pub(crate) use logits::{Logits, best, class_names};
pub use manifest::{FieldProblem, ManifestError, ManifestRow, ManifestWriter};
pub(crate) use net::DigitNet;
pub use net::NetConfig;
pub use posterior::Posterior;
pub(crate) use random::{mix, normal};
