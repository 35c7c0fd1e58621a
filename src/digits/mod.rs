//! From crops to posteriors: the digit network, its training and its artifact. Sole home of Burn.

mod artifact;
mod augment;
mod batch;
mod checkpoint;
mod classifier;
mod config;
mod dataset;
mod device;
mod evaluation;
mod folded;
mod history;
mod inference;
mod logits;
mod net;
mod posterior;
mod random;
mod split;
mod training;

pub use artifact::{Artifact, ArtifactError, CARD_FILE, DataCard, ModelCard, WEIGHTS_FILE};
pub use augment::{Augment, augment};
pub use batch::{NORMALIZATION, normalize};
pub use checkpoint::{CheckpointError, saved_config};
pub use classifier::{DigitClassifier, InferenceError};
pub use config::TrainingConfig;
pub use dataset::{CropFolder, DatasetError, LabeledCrop, RowProblem};
pub use device::{Compute, NoDevice};
pub use evaluation::{ConfusionMatrix, Evaluation};
pub use history::EpochMetrics;
pub use inference::NetClassifier;
pub use logits::{CLASSES, class_names};
pub use net::NetConfig;
pub use posterior::Posterior;
pub use split::Split;
pub use training::{TrainingError, TrainingEvent, TrainingRun, train};
