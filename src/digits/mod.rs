//! From crops to posteriors: the digit network, its model files and its evaluation.

mod answers;
mod artifact;
mod batch;
mod classifier;
mod config;
mod device;
mod evaluation;
mod inference;
mod kind;
mod labeled;
mod layer;
mod logits;
mod manifest;
#[cfg(feature = "cli")]
mod net;
mod net_config;
mod network;
mod posterior;
mod random;
mod weights_file;
mod winograd;
#[cfg(feature = "cli")]
mod with_burn;

pub(crate) use answers::Answers;
pub use artifact::{Artifact, ArtifactError, DataCard, ModelCard};
pub use batch::normalize;
pub(crate) use batch::{CROP_PIXELS, NORMALIZATION};
pub use classifier::{DigitClassifier, InferenceError};
pub use config::{Augment, TrainingConfig};
pub use device::{Compute, NoDevice};
pub(crate) use evaluation::Readings;
pub use evaluation::{
    ConfusionMatrix, Evaluation, HardCrop, KindEvaluation, Reliability, ReliabilityBin,
};
pub use inference::NetClassifier;
pub use kind::{CellKind, KindPosterior};
pub(crate) use kind::{KIND_OUTPUTS, KINDS};
pub use labeled::LabeledCrop;
pub use logits::CLASSES;
pub(crate) use logits::{best, class_names};
pub use manifest::{FieldProblem, ManifestError, ManifestRow, ManifestWriter};
#[cfg(feature = "cli")]
pub(crate) use net::{DigitNet, TrainedAnswers};
pub use net_config::NetConfig;
#[cfg(feature = "cli")]
pub(crate) use network::Network;
pub use posterior::Posterior;
pub(crate) use random::{mix, normal};
#[cfg(feature = "cli")]
pub(crate) use with_burn::{load_weights, save_weights};
