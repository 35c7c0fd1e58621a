//! From crops to posteriors: the digit network, its model files and its evaluation.

mod answers;
mod artifact;
mod batch;
mod classifier;
mod config;
mod device;
mod evaluation;
#[cfg(feature = "cli")]
mod folded;
mod inference;
mod kind;
mod labeled;
mod logits;
mod manifest;
#[cfg(feature = "cli")]
mod net;
mod net_config;
#[cfg(any(test, not(feature = "cli")))]
mod plain;
mod posterior;
mod random;
#[cfg(feature = "cli")]
mod with_burn;
#[cfg(not(feature = "cli"))]
#[path = "without_burn.rs"]
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
#[cfg(feature = "cli")]
pub(crate) use folded::FoldedNet;
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
pub use posterior::Posterior;
pub(crate) use random::{mix, normal};
#[cfg(feature = "cli")]
pub(crate) use with_burn::{load_weights, save_weights};
